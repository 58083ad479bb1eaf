import { Injectable } from '@nestjs/common';
import {
  BATCH_STAGES,
  type ChannelAlarm,
  type ChannelAlarmKind,
  type MessageLimit,
} from '@heliograph/domain';
import { Db } from '../../core/db/db.ts';

/** An episode of something wrong with a channel. */
export interface AlarmRow extends ChannelAlarm {
  id: string;
  channel: string;
  since: Date;
  raisedAt: Date | null;
  endedAt: Date | null;
}

/** An active channel and what is known of it without its traffic. */
export interface WatchedChannel {
  channel: string;
  downSince: Date | null;
  error: string | null;
  hadReceipts: boolean;
  acceptedBefore: number;
  receipts: number;
  waiting: number;
  isFull: boolean;
  /** Of its senders and destinations. */
  limits: MessageLimit[];
}

const COLUMNS = `id::text, channel, kind, mccmnc, data, since, raised_at as "raisedAt", ended_at as "endedAt"`;
const CLEANUP_BATCH_SIZE = 2000;

@Injectable()
export class ChannelAlarmsStore {
  constructor(private readonly db: Db) {}

  /** What waits is the sum over its batches, which a channel that takes nothing for a day has the most of. */
  watched(now: Date): Promise<WatchedChannel[]> {
    return this.db.query(
      `select c.name as channel, case when s.failures > 0 then s.failing_since end as "downSince", s.error, s.reported_at is not null as "hadReceipts",
              (select coalesce(sum(m.accepted), 0)::float8 from channel_minutes m
                where m.channel = c.name and m.at > $1::timestamptz - interval '90 minutes' and m.at <= $1::timestamptz - interval '30 minutes') as "acceptedBefore",
              (select coalesce(sum(r.delivered + r.failed), 0)::float8 from channel_receipts r
                where r.channel = c.name and r.at > $1::timestamptz - interval '40 minutes') as receipts,
              w.waiting, c.limits, coalesce(w.waiting > 0 and (c.rate is not null and s.full_at > extract(epoch from $1::timestamptz) * 1000
                or c.per_day is not null and s.used_on = ($1::timestamptz at time zone 'UTC')::date and s.used >= c.per_day), false) as "isFull"
         from channels c left join channel_states s on s.channel = c.name
         cross join lateral (
           select coalesce(sum(b.size), 0)::float8 as waiting from batches b where b.stage = ${BATCH_STAGES.pending} and b.channel = c.name and b.due_at <= $1) w
        where c.is_active and c.removed_at is null order by c.name`,
      [now],
    );
  }

  /** Locked: one worker at a time decides. */
  open(): Promise<AlarmRow[]> {
    return this.db.query(
      `select ${COLUMNS} from channel_alarms where ended_at is null order by id for update`,
    );
  }

  async begin(channel: string, { kind, mccmnc, data }: ChannelAlarm, since: Date): Promise<void> {
    await this.db.query(
      `insert into channel_alarms (channel, kind, mccmnc, data, since) values ($1, $2, $3, $4, $5) on conflict do nothing`,
      [channel, kind, mccmnc, data, since],
    );
  }

  async raise(id: string, data: object, at: Date): Promise<void> {
    await this.db.query(`update channel_alarms set raised_at = $2, data = $3 where id = $1`, [
      id,
      at,
      data,
    ]);
  }

  /** What was never told leaves nothing. */
  async end(row: AlarmRow, at: Date): Promise<void> {
    await this.db.query(
      row.raisedAt
        ? `update channel_alarms set ended_at = $2 where id = $1`
        : `delete from channel_alarms where id = $1 and $2::timestamptz is not null`,
      [row.id, at],
    );
  }

  /** The last ones of a channel that were told. */
  ofChannel(channel: string, limit: number): Promise<AlarmRow[]> {
    return this.db.query(
      `select ${COLUMNS} from channel_alarms where channel = $1 and raised_at is not null order by id desc limit $2`,
      [channel, limit],
    );
  }

  /** Active channels with limits of senders and destinations. */
  limited(): Promise<Pick<WatchedChannel, 'channel' | 'limits'>[]> {
    return this.db.query(
      `select name as channel, limits from channels where is_active and removed_at is null and limits <> '[]' order by name`,
    );
  }

  counts(): Promise<{ channel: string; kind: ChannelAlarmKind; count: number }[]> {
    return this.db.query(
      `select channel, kind, count(*)::int as count from channel_alarms where ended_at is null and raised_at is not null group by channel, kind`,
    );
  }

  async deleteOld(before: Date): Promise<boolean> {
    const deleted = await this.db.execute(
      `delete from channel_alarms where id in (select id from channel_alarms where ended_at < $1 order by id limit ${CLEANUP_BATCH_SIZE})`,
      [before],
    );
    return deleted === CLEANUP_BATCH_SIZE;
  }
}
