import { Injectable } from '@nestjs/common';
import { receiptBucket, RECEIPT_SECONDS, type NetworkShare } from '@heliograph/domain';
import { Db } from '../../core/db/db.ts';

export const SUBMIT_RESULTS = ['accepted', 'rejected', 'throttled', 'unsent', 'unknown'] as const;
export type SubmitResultName = (typeof SUBMIT_RESULTS)[number];

/** Results of submits of a channel in a minute. */
export type MinuteResults = { channel: string; at: Date } & Record<SubmitResultName, number>;

/** Final receipts of messages of a batch. */
export interface BatchReceipts {
  batchId: string;
  mccmnc: string;
  isDelivered: boolean;
  at: Date;
  count: number;
}

const BUCKETS = RECEIPT_SECONDS.length + 1;
const TEN_MINUTES_MS = 600_000;
const KEPT_SQL = `interval '2 days'`;
const CLEANUP_BATCH_SIZE = 2000;
/** Networks of a channel, those with the most receipts. */
const MAX_NETWORKS = 50;

@Injectable()
export class ChannelTrafficStore {
  constructor(private readonly db: Db) {}

  async addResults(rows: MinuteResults[]): Promise<void> {
    await this.db.query(
      `insert into channel_minutes as m (channel, at, ${SUBMIT_RESULTS.join(', ')})
       select * from unnest($1::text[], $2::timestamptz[], $3::int[], $4::int[], $5::int[], $6::int[], $7::int[]) n order by 1, 2
       on conflict (channel, at) do update set ${SUBMIT_RESULTS.map((name) => `${name} = m.${name} + excluded.${name}`).join(', ')}`,
      [
        rows.map(({ channel }) => channel),
        rows.map(({ at }) => at),
        ...SUBMIT_RESULTS.map((name) => rows.map((row) => row[name])),
      ],
    );
  }

  /** By channel, network and ten minutes. Returns how long the messages had been submitted, in milliseconds, by channel. */
  async addReceipts(
    receipts: BatchReceipts[],
  ): Promise<{ channel: string; isDelivered: boolean; ms: number; count: number }[]> {
    const batches = await this.db.query<{ id: string; channel: string; submittedAt: Date | null }>(
      `select id::text, channel, submitted_at as "submittedAt" from batches where id = any($1::bigint[])`,
      [[...new Set(receipts.map(({ batchId }) => batchId))]],
    );
    const byId = new Map(batches.map((batch) => [batch.id, batch]));
    const seen = receipts.flatMap(({ batchId, ...receipt }) => {
      const batch = byId.get(batchId);
      if (!batch?.submittedAt) return [];
      const ms = Math.max(0, receipt.at.getTime() - batch.submittedAt.getTime());
      return [{ ...receipt, channel: batch.channel, ms }];
    });
    const sums = new Map<
      string,
      { key: [string, Date, string]; n: [number, number]; times: number[] }
    >();
    for (const { channel, mccmnc, at, isDelivered, count, ms } of seen) {
      const from = new Date(Math.floor(at.getTime() / TEN_MINUTES_MS) * TEN_MINUTES_MS);
      const key = `${channel} ${from.getTime()} ${mccmnc}`;
      let sum = sums.get(key);
      if (!sum)
        sums.set(
          key,
          (sum = {
            key: [channel, from, mccmnc],
            n: [0, 0],
            times: Array.from({ length: BUCKETS }, () => 0),
          }),
        );
      sum.n[isDelivered ? 0 : 1] += count;
      sum.times[receiptBucket(ms)]! += count;
    }
    const rows = [...sums.values()].map(({ key: [channel, at, mccmnc], n, times }) => ({
      channel,
      at,
      mccmnc,
      delivered: n[0],
      failed: n[1],
      times,
    }));
    await this.db.query(
      `insert into channel_receipts as c (channel, at, mccmnc, delivered, failed, times)
       select * from jsonb_to_recordset($1::jsonb) n (channel text, at timestamptz, mccmnc text, delivered integer, failed integer, times integer[]) order by 1, 2, 3
       on conflict (channel, at, mccmnc) do update set delivered = c.delivered + excluded.delivered, failed = c.failed + excluded.failed,
         times = (select array_agg(coalesce(a, 0) + coalesce(b, 0) order by i) from unnest(c.times, excluded.times) with ordinality t (a, b, i))`,
      [JSON.stringify(rows)],
    );
    return seen;
  }

  /** Final receipts since a time, by how long they took. */
  async times(channel: string, since: Date): Promise<number[]> {
    const rows = await this.db.query<{ n: number }>(
      `select sum(u.x)::float8 as n from channel_receipts r cross join lateral unnest(r.times) with ordinality u (x, i)
        where r.channel = $1 and r.at >= $2 group by u.i order by u.i`,
      [channel, since],
    );
    return rows.map(({ n }) => n);
  }

  /** Results of the last minutes, the oldest first; minutes without submits are missing. */
  minutes(channel: string, since: Date): Promise<MinuteResults[]> {
    return this.db.query(
      `select channel, at, ${SUBMIT_RESULTS.join(', ')} from channel_minutes where channel = $1 and at >= $2 order by at`,
      [channel, since],
    );
  }

  /** The share delivered by network, of the networks with the most receipts of the day. */
  async networks(channels: string[], now: Date): Promise<Map<string, NetworkShare[]>> {
    const rows = await this.db.query<{ channel: string; mccmnc: string } & Record<string, number>>(
      `select c.channel, r.* from unnest($1::text[]) c (channel) cross join lateral (
         select mccmnc, sum(delivered)::float8 as "dayDelivered", sum(failed)::float8 as "dayFailed",
                coalesce(sum(delivered) filter (where at > $2::timestamptz - interval '1 hour'), 0)::float8 as "hourDelivered",
                coalesce(sum(failed) filter (where at > $2::timestamptz - interval '1 hour'), 0)::float8 as "hourFailed"
           from channel_receipts where channel = c.channel and at > $2::timestamptz - interval '1 day'
          group by mccmnc order by sum(delivered + failed) desc limit ${MAX_NETWORKS}) r`,
      [channels, now],
    );
    const shares = rows.map((row) => ({
      channel: row.channel,
      share: {
        mccmnc: row.mccmnc || null,
        hour: { delivered: row.hourDelivered!, failed: row.hourFailed! },
        day: { delivered: row.dayDelivered!, failed: row.dayFailed! },
      },
    }));
    return new Map(
      [...Map.groupBy(shares, ({ channel }) => channel)].map(([channel, own]) => [
        channel,
        own.map(({ share }) => share),
      ]),
    );
  }

  /** Older rows are of no use. Returns true if there are more. */
  async deleteOld(table: 'channel_minutes' | 'channel_receipts', now: Date): Promise<boolean> {
    const deleted = await this.db.execute(
      `delete from ${table} where ctid in (select ctid from ${table} where at < $1::timestamptz - ${KEPT_SQL} limit ${CLEANUP_BATCH_SIZE})`,
      [now],
    );
    return deleted === CLEANUP_BATCH_SIZE;
  }
}
