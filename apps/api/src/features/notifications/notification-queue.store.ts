import { Injectable } from '@nestjs/common';
import type { Locale, NotificationType } from '@heliograph/domain';
import { Db } from '../../core/db/db.ts';

export type QueuedChannel = 'telegram' | 'email';

/** A notification that this worker sends. */
export interface QueuedNotification {
  id: string;
  /** Attempts, with this one. Another worker that takes the row later has another number. */
  tries: number;
  type: NotificationType;
  data: Record<string, unknown>;
  UserId: string;
  /** Null without a linked chat, or a confirmed address. */
  chatId: number | null;
  email: string | null;
  locale: Locale | null;
  timeZone: string | null;
  currency: string | null;
}

export type QueueResult = { id: string; tries: number } & (
  | { kind: 'sent' }
  | { kind: 'failed'; error: string }
  /** Another attempt; `counts` is false when the channel asked to wait. */
  | { kind: 'later'; dueAt: Date; counts: boolean }
);

const SETTING = (key: string) =>
  `(select s.value #>> '{}' from settings_user s where s.user_id = u.id and s.key = '${key}')`;

@Injectable()
export class NotificationQueueStore {
  constructor(private readonly db: Db) {}

  /** Takes due notifications for one attempt; after `until` another worker tries. */
  claim(
    channel: QueuedChannel,
    now: Date,
    until: Date,
    limit: number,
  ): Promise<QueuedNotification[]> {
    return this.db.query<QueuedNotification>(
      `with due as (
         select notification_id from notification_queue where channel = $1 and due_at <= $2
          order by due_at, notification_id limit $4 for update skip locked
       ), taken as (
         update notification_queue q set due_at = $3, tries = q.tries + 1, first_at = coalesce(q.first_at, $2)
           from due where q.notification_id = due.notification_id returning q.notification_id as id, q.tries
       )
       select t.id, t.tries, n.type, n.data, n.user_id as "UserId", c.chat_id::float8 as "chatId",
              case when u.email_confirmed_at is not null then u.data->>'email' end as email,
              ${SETTING('locale')} as locale, ${SETTING('timeZone')} as "timeZone",
              (select o.settings #>> '{billings,currency}' from users o where o.id = n.owner_id) as currency
         from taken t join notifications n on n.id = t.id join users u on u.id = n.user_id
         left join telegram_chats c on c.user_id = n.user_id order by t.id`,
      [channel, now, until, limit],
    );
  }

  async isDue(channel: QueuedChannel, now: Date): Promise<boolean> {
    const rows = await this.db.query(
      `select 1 from notification_queue where channel = $1 and due_at <= $2 limit 1`,
      [channel, now],
    );
    return rows.length > 0;
  }

  /** Stores results of notifications that no other worker took meanwhile. */
  async record(results: QueueResult[], now: Date): Promise<void> {
    const over = results.filter((result) => result.kind !== 'later');
    const later = results.filter((result) => result.kind === 'later');
    if (over.length)
      await this.db.query(
        `with gone as (
           delete from notification_queue q using unnest($1::uuid[], $2::smallint[], $3::text[]) r (id, tries, error)
            where q.notification_id = r.id and q.tries = r.tries returning r.id, r.error)
         update notifications n set error = g.error, sent_at = case when g.error is null then $4::timestamptz end, updated_at = now()
           from gone g where n.id = g.id`,
        [
          over.map(({ id }) => id),
          over.map(({ tries }) => tries),
          over.map((result) => (result.kind === 'failed' ? result.error : null)),
          now,
        ],
      );
    if (later.length)
      await this.db.query(
        `update notification_queue q set due_at = r.due_at, tries = q.tries - case when r.counts then 0 else 1 end
           from unnest($1::uuid[], $2::smallint[], $3::timestamptz[], $4::boolean[]) r (id, tries, due_at, counts)
          where q.notification_id = r.id and q.tries = r.tries`,
        [
          later.map(({ id }) => id),
          later.map(({ tries }) => tries),
          later.map(({ dueAt }) => dueAt),
          later.map(({ counts }) => counts),
        ],
      );
  }
}
