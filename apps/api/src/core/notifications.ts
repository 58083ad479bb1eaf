import { Injectable } from '@nestjs/common';
import {
  MAX_ENTITIES,
  type Notification,
  type Permission,
  type PersonEvents,
} from '@heliograph/contract';
import {
  defaultChannels,
  notificationArea,
  notificationText,
  type NotificationType,
} from '@heliograph/domain';
import { Clock } from './clock.ts';
import { Config } from './config.ts';
import { Db } from './db/db.ts';
import { Rooms } from './events/rooms.ts';
import { Sweeps } from './jobs/handlers.ts';
import { Jobs } from './jobs/queue.ts';
import { Retention } from './retention.ts';
import { timesOf } from './uuid.ts';

export interface NotificationRow {
  id: string;
  UserId: string;
  type: NotificationType;
  channel: string;
  data: Record<string, unknown>;
  error: string | null;
  isRead: boolean;
  sentAt: Date | null;
  deliveredAt: Date | null;
  updatedAt: Date;
}

export interface NotificationOf {
  OwnerId: string;
  /** The account holder, unless given. */
  UserId?: string;
  data: Record<string, unknown>;
}

/** Writes notifications in the transaction of the event and emits them to the user's sockets after the commit. */
@Injectable()
export class Notifications {
  constructor(
    private readonly db: Db,
    private readonly rooms: Rooms,
    private readonly config: Config,
    private readonly retention: Retention,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  @Sweeps(60_000)
  deleteOld(): Promise<boolean> {
    return this.retention.deleteOlder('notifications', this.config.RETENTION_NOTIFICATIONS_DAYS);
  }

  /** Notifies the account holder, or a user of the account. `data` contains the values of the text. */
  notify(
    OwnerId: string,
    type: NotificationType,
    data: Record<string, unknown>,
    UserId = OwnerId,
  ): Promise<void> {
    return this.notifyAll(type, [{ OwnerId, UserId, data }]);
  }

  /** Each administrator who has been granted the permission, of everything that `all` tells. */
  async notifyAdministrators(
    type: NotificationType,
    can: Permission,
    all: NotificationOf['data'][],
  ): Promise<void> {
    if (!all.length) return;
    const administrators = await this.db.query<{ OwnerId: string; UserId: string }>(
      `select owner_id as "OwnerId", id as "UserId" from users
        where level = 'manager' and is_active and grants->'add' ? $1 and not coalesce(grants->'remove' ? $1, false)`,
      [can],
    );
    await this.notifyAll(
      type,
      all.flatMap((data) => administrators.map((who) => ({ ...who, data }))),
    );
  }

  /** Several of one type: a row for each channel that the user has chosen. Those of other channels than the cabinet are queued. */
  async notifyAll(type: NotificationType, all: NotificationOf[]): Promise<void> {
    if (!all.length) return;
    const rows = await this.db.query<NotificationRow>(
      `with n as materialized (
         select * from unnest($1::uuid[], $2::uuid[], $4::jsonb[]) as n(user_id, owner_id, data)
       ), written as (
         insert into notifications (user_id, owner_id, type, channel, data, is_read, sent_at)
         select n.user_id, n.owner_id, $3, c.channel, n.data, c.channel <> 'web', case when c.channel = 'web' then now() end
           from n left join notification_settings s on s.user_id = n.user_id and s.type = $3
           cross join lateral unnest(coalesce(s.channels, $5::text[])) as c(channel)
          where c.channel = 'web'
             or (c.channel = 'telegram' and $6 and exists (select 1 from telegram_chats t where t.user_id = n.user_id))
             or (c.channel = 'email' and $7 and exists (
                   select 1 from users u where u.id = n.user_id and u.email_confirmed_at is not null and u.data->>'email' is not null))
         returning *
       ), queued as (
         insert into notification_queue (notification_id, user_id, channel, due_at)
         select id, user_id, channel, $8 from written where channel <> 'web'
       )
       select id, user_id as "UserId", type, channel, data, error, is_read as "isRead", sent_at as "sentAt",
              delivered_at as "deliveredAt", updated_at as "updatedAt" from written order by id`,
      [
        all.map(({ UserId, OwnerId }) => UserId ?? OwnerId),
        all.map(({ OwnerId }) => OwnerId),
        type,
        all.map(({ data }) => JSON.stringify(data)),
        defaultChannels(type),
        this.config.telegram !== 'off',
        this.config.mail !== 'off',
        this.clock.now(),
      ],
    );
    for (const channel of ['telegram', 'email'] as const)
      if (rows.some((row) => row.channel === channel))
        this.jobs.enqueue('notifications.deliver', { channel });
    for (const row of rows)
      if (row.channel === 'web')
        this.emit(row.UserId, isOfMoney(row), 'notifications.sent', {
          items: [presentNotification(row)],
        });
  }

  /** Updates the other sessions of the user. */
  emitRead(UserId: string, rows: NotificationRow[]): void {
    for (const [isMoney, some] of Map.groupBy(rows, isOfMoney)) {
      const body =
        rows.length > MAX_ENTITIES
          ? { groupId: null, count: some.length }
          : { items: some.map(presentNotification) };
      this.emit(UserId, isMoney, 'notifications.read', body);
    }
  }

  private emit<E extends keyof PersonEvents>(
    userId: string,
    isMoney: boolean,
    name: E,
    body: PersonEvents[E],
  ): void {
    const room = isMoney ? Rooms.money(userId) : Rooms.person(userId);
    this.db.afterCommit(() => this.rooms.emit([room], name, body));
  }
}

/** What tells amounts or balances. */
const isOfMoney = ({ type }: NotificationRow): boolean => notificationArea(type) === 'money';

export function presentNotification(row: NotificationRow): Notification {
  return {
    id: row.id,
    type: row.type,
    ...notificationText(row.type, row.data),
    data: row.data,
    channel: row.channel,
    error: row.error,
    isRead: row.isRead,
    targetUserId: row.UserId,
    sentAt: row.sentAt?.toISOString() ?? null,
    deliveredAt: row.deliveredAt?.toISOString() ?? null,
    ...timesOf(row),
  };
}
