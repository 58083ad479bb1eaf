import { Injectable } from '@nestjs/common';
import {
  BATCH_STAGES,
  STATUS_CODES,
  type BatchStage,
  type ChannelUse,
  type MessageParts,
  type TrafficGroup,
} from '@heliograph/domain';
import { secondsAfter } from '../../../core/clock.ts';
import { inDefaultCollation } from '../../../core/db/collation.ts';
import { Db } from '../../../core/db/db.ts';
import { BILLING_STATUS_CODES } from '../../billings/billings.service.ts';
import { cancellableSql } from '../cancellable.ts';
import type { StoredSending } from '../plan.ts';
import { PRIORITIES, URGENCIES, type Priority, type Urgency } from '../priorities.ts';
import type { SubmitCost } from './submit-costs.ts';
import type { Routing } from '../routing.ts';

/** A batch leased by a worker; `lease` is the fencing token. */
export interface LeasedBatch {
  id: string;
  taskId: string | null;
  OwnerId: string | null;
  channel: string;
  /** Why this channel (`Routing`). */
  routeId: string | null;
  routeChannels: string[] | null;
  routeVersion: number;
  type: number;
  attempt: number;
  priority: number;
  urgency: Urgency;
  size: number;
  segments: number;
  firstId: string;
  lastId: string;
  tries: number;
  /** Number of submits without a known outcome. */
  unknownOutcomes: number;
  /** When that happened first. */
  unknownSince: Date | null;
  /** Since when it waits for a carrier that is down, or throttles it. */
  downSince: Date | null;
  lease: number;
  dueAt: Date;
  /** When it would be due without the quiet hours for whose end it waits. */
  postponedFrom: Date | null;
  /** When it is not submitted any more. */
  validUntil: Date | null;
  createdAt: Date;
  /** The request; null for singles without fallbacks, whose rows hold their payload. */
  plan: StoredSending | null;
  /** Its messages are known to be submitted, though none has left. */
  isAnnounced: boolean;
  /** The limits of the channel against which its messages count, as `LimitTable` writes them; '' while that is not known. */
  limits: string;
  /** Leased to find out whether the channel works again. */
  isProbe?: boolean;
  /** Whether anything waits behind its priority, due or not. */
  hasLater?: boolean;
}

export interface DueRow {
  id: string;
  /** Null on first attempts. */
  chainId: string | null;
  OwnerId: string;
  phone: string;
  sender: string;
  body: string | null;
  segments: number;
  /** What it was charged. */
  amount: string;
  data: {
    payload: Record<string, unknown>;
    parts?: MessageParts;
    group?: TrafficGroup;
    isExempt?: true;
    respectsOptOut?: true;
  } | null;
  isLast: boolean;
  /** Whether the person has opted out, in the meantime or at all. */
  isUnsubscribed: boolean;
}

/** What a worker may submit next. */
export interface LeaseRequest {
  now: Date;
  until: Date;
  /** The lowest that it has room for. */
  priority: Priority;
  /** One that waits. */
  except: Priority | null;
  messages: number;
  /** Segments that the channel may submit now, and at once at most: a batch with more goes alone, when so many are free. */
  segments: number;
  maxSegments: number;
  /** The account of the bulk that was served last. */
  after: string | null;
}

/** As a lease of a channel with limits of messages. */
export interface WaitingRequest extends Omit<LeaseRequest, 'until' | 'segments' | 'maxSegments'> {
  isProbe: boolean;
  /** The table of limits, as batches name it, and which of its limits are used up. */
  table: string;
  closed: number[];
}

/** What decides against which limits a message counts, and how much. */
export interface WaitingMessage {
  batchId: string;
  id: string;
  sender: string;
  phone: string;
  segments: number;
}

export interface DueChannel {
  name: string;
  /** Singles are due, and nothing waits behind them. */
  areSingles: boolean;
}

/** What a channel has used of its limits, and the account of the bulk that it served last. */
export interface StoredUse extends ChannelUse {
  served: string | null;
}

/** What else changes when a batch is pending again. */
interface Release {
  tries?: 1;
  unknownOutcomes?: 1;
  /** Of a batch that waits for the end of quiet hours: when it was due. */
  postponedFrom?: Date;
  /** The carrier is down, or has throttled all of it. */
  isDown?: true;
  isAnnounced?: true;
}

export const BATCH = `b.id, b.task_id as "taskId", b.owner_id as "OwnerId", b.channel, b.route_id as "routeId", b.route_channels as "routeChannels", b.route_version as "routeVersion", b.type, b.attempt, b.priority, b.urgency, b.size, coalesce(b.segments, b.size) as segments, b.first_id as "firstId",
  b.last_id as "lastId", b.tries, b.unknown_outcomes as "unknownOutcomes", b.unknown_since as "unknownSince", b.down_since as "downSince", b.lease, b.is_announced as "isAnnounced", b.limits, b.due_at as "dueAt", b.postponed_from as "postponedFrom", b.valid_until as "validUntil", b.created_at as "createdAt",
  coalesce((select t.data->'sending' from tasks t where t.id = b.task_id), b.plan) as plan`;

const { pending, leased, submitting, submitted, unknown, dropped } = BATCH_STAGES;

const NO_TASK = '00000000-0000-0000-0000-000000000000';
const URGENT = '00000000-0000-0000-0000-000000000001';
const PATIENT = '00000000-0000-0000-0000-000000000002';
/**
 * Batches of one channel and priority wait in queues: each task has its own, those without a task share one for each urgency, and what counts
 * against other limits waits apart. The index `batches_by_limits`.
 */
const QUEUE = `coalesce(b.task_id, case b.urgency when ${URGENCIES.high} then '${URGENT}'::uuid when ${URGENCIES.low} then '${PATIENT}'::uuid else '${NO_TASK}'::uuid end)`;
/** How fast batches of a queue grow old, so that urgent ones pass others, and none waits for ever. */
const PACE = `case q.queue when '${URGENT}' then 10 when '${PATIENT}' then 0.1 else 1 end`;
/** Pausing or stopping a task takes effect here. */
const IS_SERVED = `(f.queue in ('${NO_TASK}', '${URGENT}', '${PATIENT}') or t.state in ('running', 'completed'))`;
const dueIn = (channel: string, queue: string) => `b.stage = ${pending} and b.channel = ${channel}
  and b.priority = ${queue}.priority and ${QUEUE} = ${queue}.queue and b.limits = ${queue}.limits and b.due_at <= $1`;
/**
 * The queues of a channel of the priorities that `condition` admits, each found by one look at the index, however many batches wait in
 * it. `due` is the first priority of which something is due: queues of later ones are not looked for. Of a queue that is not `open`
 * nothing is.
 */
const queuesOf = (channel: string, condition: string, open = 'true') => {
  const first = (more: string) => `select b.priority, ${QUEUE} as queue, b.limits from batches b
    where b.stage = ${pending} and b.channel = ${channel} and ${condition} ${more} order by b.priority, ${QUEUE}, b.limits limit 1`;
  const found = (
    former: string,
    more: string,
  ) => `select f.priority, f.queue, f.limits, t.owner_id, d.is_due, coalesce(${former}, case when d.is_due then f.priority end) as due
    from (${first(more)}) f left join tasks t on t.id = f.queue
    cross join lateral (select ${IS_SERVED} and ${open} and exists (select 1 from batches b where ${dueIn(channel, 'f')}) as is_due) d`;
  return `with recursive queues as (
    (${found('null', '')})
    union all
    select n.* from queues q cross join lateral (
      ${found('q.due', `and (b.priority, ${QUEUE}, b.limits) > (q.priority, q.queue, q.limits) and b.priority <= coalesce(q.due, b.priority)`)}) n)`;
};
const hasLater = (channel: string, priority: string) =>
  `exists (select 1 from batches l where l.stage = ${pending} and l.channel = ${channel} and l.priority > ${priority})`;
/** After failures only for the worker whose statement has taken the probe. */
const IS_HELD = `h.failures > 0 and (h.open_until > $1 or not exists (select 1 from probe))`;
/** Of a channel that is switched off, or left alone while it is down, only its tests. Batches of a removed one are due, so that they fail. */
const lowest = (isHeld: string) =>
  `case when (c.is_active or c.removed_at is not null) and not coalesce(${isHeld}, false) then ${PRIORITIES.bulk} else ${PRIORITIES.test} end`;

const EXPIRED_LEASES = `from batches b where b.stage in (${leased}, ${submitting}) and b.lease_until < $1 order by b.lease_until, b.id`;

/** Batches of one lease: many singles have one of their own. */
export const LEASE_LIMIT = 200;
/** Batches of bulks that are looked at for a lease, as each is nearly a call. */
const BULK_LIMIT = 50;
/** Workers that lease from one channel at the same moment: each passes over what the others have locked. */
const MAX_RIVALS = 4;

/** Batches of the queues in the order in which they are submitted, locked; accounts take turns, beginning after `after`. */
const lockedInOrder = (after: string, messages: string) =>
  `served as (select *, count(*) over () as n from queues q where is_due and q.priority = q.due),
       due as (
         select b.id, b.size, q.owner_id, row_number() over (partition by q.owner_id order by (b.due_at - $1::timestamptz) * (${PACE}), b.due_at, b.id) as place
           from served q cross join lateral (
           select b.id, b.size, b.due_at from batches b where ${dueIn('$2', 'q')} order by b.due_at, b.id limit case when q.priority < ${PRIORITIES.bulk} then ${LEASE_LIMIT} else greatest(${MAX_RIVALS}, ${BULK_LIMIT} / q.n) end) b),
       ordered as (
         select id, row_number() over turn as n, sum(size) over turn - size as before from due
         window turn as (order by place, owner_id <= ${after}::uuid, owner_id, id)),
       locked as (
         select b.id, b.size, coalesce(b.segments, b.size) as segments, o.n from ordered o join batches b on b.id = o.id
          where b.stage = ${pending} and o.before < ${messages}::int * ${MAX_RIVALS} order by o.n limit ${LEASE_LIMIT} for update of b skip locked)`;

/** Messages that are looked at for limits at once, however few go in a call. */
const MARKED_AT_ONCE = 500;

/** A batch that is throttled every second for hours counts up to this. */
const MAX_TRIES = 32_767;

/** The stages of batches. Every transition is guarded by the stage that it leaves and by the lease. */
@Injectable()
export class DispatchStore {
  constructor(private readonly db: Db) {}

  /** Channels of which something may be submitted, but for their rates; of all, or of some. */
  dueChannels(now: Date, among: string[] | null = null): Promise<DueChannel[]> {
    return this.db.query<DueChannel>(
      `select c.name, d.due = ${PRIORITIES.single} and not ${hasLater('c.name', 'd.due')} as "areSingles" from channels c left join channel_states h on h.channel = c.name cross join lateral (
         ${queuesOf('c.name', `b.priority <= (${lowest('h.open_until > $1')})`)}
         select due from queues where is_due limit 1) d
        where $2::text[] is null or c.name = any($2)`,
      [now, among],
    );
  }

  /** What a channel has used of its limits, locked. */
  async lockUse(channel: string): Promise<StoredUse> {
    const [row] = await this.db.query<StoredUse>(
      `select full_at as "fullAt", use_rate as rate, coalesce(used_on::text, '') as day, used::float8 as used, used_days as days, served from channel_states where channel = $1 for update`,
      [channel],
    );
    if (row) return row;
    await this.db.query(
      `insert into channel_states (channel) values ($1) on conflict (channel) do nothing`,
      [channel],
    );
    return this.lockUse(channel);
  }

  async setUse(
    channel: string,
    { fullAt, rate, day, used, days, served }: StoredUse,
  ): Promise<void> {
    await this.db.query(
      `update channel_states set full_at = $2, used_on = nullif($3, '')::date, used = $4, served = $5, used_days = $6, use_rate = $7 where channel = $1`,
      [channel, fullAt, day, used, served, days, rate],
    );
  }

  /**
   * Leases what is submitted next on a channel, for one call of its driver: batches of the highest priority of which some are due, up to
   * about `messages` messages. Accounts take turns, beginning after the one served last; without a task the oldest come first, of which urgent
   * ones grow old ten times as fast.
   */
  async lease(
    channel: string,
    { now, until, priority, except, messages, segments, maxSegments, after }: LeaseRequest,
  ): Promise<LeasedBatch[]> {
    const rows = await this.db.query<LeasedBatch>(
      `${queuesOf('$2', `b.priority <= (select least($3::int, ${lowest(IS_HELD)}) from channels c left join channel_states h on h.channel = c.name where c.name = $2) and b.priority is distinct from $7::int`)},
       -- One worker calls a channel that was down; until it has, or its lease ends, no other does.
       probe as (
         update channel_states set open_until = $6 where channel = $2 and failures > 0 and open_until <= $1 returning channel),
       ${lockedInOrder('$4', '$5')},
       taken as (
         select id, sum(size) over before as total, sum(segments) over before as segments, row_number() over before as n from locked window before as (order by n))
       update batches b set stage = ${leased}, lease = lease + 1, lease_until = $6, updated_at = (select change_time()) from taken
        where b.id = taken.id and (taken.total <= $5 or taken.n = 1) and (taken.segments <= $8::float8 or taken.n = 1 and $8::float8 >= $9::float8)
       returning ${BATCH}, exists (select 1 from probe) as "isProbe",
         ${hasLater('$2', 'b.priority')} as "hasLater"`,
      [now, channel, priority, after ?? NO_TASK, messages, until, except, segments, maxSegments],
    );
    return rows.toSorted((a, b) => Number(a.id) - Number(b.id));
  }

  /** What is submitted next on a channel with limits of messages, in order and locked. Of `closed` ones nothing is. */
  lockWaiting(channel: string, request: WaitingRequest): Promise<LeasedBatch[]> {
    const { now, priority, except, messages, after, isProbe, table, closed } = request;
    return this.db.query<LeasedBatch>(
      `${queuesOf(
        '$2',
        `b.priority <= (select least($3::int, ${lowest('h.failures > 0 and not $8::boolean')}) from channels c left join channel_states h on h.channel = c.name where c.name = $2) and b.priority is distinct from $6::int`,
        `(f.priority = ${PRIORITIES.test} or split_part(f.limits, ':', 1) <> $7 or not string_to_array(split_part(f.limits, ':', 2), ',')::int[] && $9::int[])`,
      )},
       ${lockedInOrder('$4', `greatest($5, ${MARKED_AT_ONCE / MAX_RIVALS})`)}
       select ${BATCH} from locked join batches b on b.id = locked.id order by locked.n`,
      [now, channel, priority, after ?? NO_TASK, messages, except, table, isProbe, closed],
    );
  }

  /** Leases batches that this transaction has locked; `isProbe`: to find out whether their channel works again. */
  async leaseLocked(
    channel: string,
    batches: LeasedBatch[],
    until: Date,
    isProbe: boolean,
  ): Promise<LeasedBatch[]> {
    if (isProbe)
      await this.db.query(`update channel_states set open_until = $2 where channel = $1`, [
        channel,
        until,
      ]);
    const rows = await this.db.query<LeasedBatch>(
      `update batches b set stage = ${leased}, lease = lease + 1, lease_until = $2, updated_at = (select change_time())
        where b.id = any($1) and b.stage = ${pending}
       returning ${BATCH}, $4::boolean as "isProbe", ${hasLater('$3', 'b.priority')} as "hasLater"`,
      [batches.map(({ id }) => id), until, channel, isProbe],
    );
    return rows.toSorted((a, b) => Number(a.id) - Number(b.id));
  }

  /** What is used of the limits of a channel by their keys, and whether a call may find out if it works again. Locked with the use of the channel. */
  async limitUses(
    channel: string,
    now: Date,
  ): Promise<{ uses: ReadonlyMap<string, ChannelUse>; isProbe: boolean }> {
    const rows = await this.db.query<ChannelUse & { key: string | null; isProbe: boolean }>(
      `select u.key, u.full_at as "fullAt", u.use_rate as rate, coalesce(u.used_on::text, '') as day, u.used::float8 as used, 0 as days,
              coalesce(h.failures > 0 and h.open_until <= $2, false) as "isProbe"
         from channel_states h left join channel_limit_uses u on u.channel = h.channel where h.channel = $1`,
      [channel, now],
    );
    const uses = rows.flatMap(({ key, isProbe: _, ...use }) =>
      key === null ? [] : [[key, use] as const],
    );
    return { uses: new Map(uses), isProbe: rows[0]?.isProbe ?? false };
  }

  async setLimitUses(channel: string, uses: (ChannelUse & { key: string })[]): Promise<void> {
    if (!uses.length) return;
    await this.db.query(
      `insert into channel_limit_uses (channel, key, full_at, used_on, used, use_rate)
       select $1, u.key, u.full_at, nullif(u.used_on, '')::date, u.used, u.use_rate
         from unnest($2::text[], $3::float8[], $4::text[], $5::bigint[], $6::float8[]) u (key, full_at, used_on, used, use_rate)
       on conflict (channel, key) do update set full_at = excluded.full_at, used_on = excluded.used_on, used = excluded.used, use_rate = excluded.use_rate`,
      [
        channel,
        uses.map(({ key }) => key),
        uses.map(({ fullAt }) => fullAt),
        uses.map(({ day }) => day),
        uses.map(({ used }) => used),
        uses.map(({ rate }) => rate),
      ],
    );
  }

  /** Messages of batches that have no status yet, in order; of each batch at most `limit`. */
  messagesOf(
    batches: Pick<LeasedBatch, 'id' | 'firstId' | 'lastId'>[],
    limit: number | null = null,
  ): Promise<WaitingMessage[]> {
    return this.db.query<WaitingMessage>(
      `select g.id::text as "batchId", s.id, s.sender, s.phone, s.segments
         from unnest($1::bigint[], $2::uuid[], $3::uuid[]) g (id, first_id, last_id)
         cross join lateral (
           select s.id, s.sender, s.phone, s.segments from sendings s
            where s.id between g.first_id and g.last_id and s.batch_id = g.id and s.status is null order by s.id limit $4) s
        order by s.id`,
      [
        batches.map(({ id }) => id),
        batches.map(({ firstId }) => firstId),
        batches.map(({ lastId }) => lastId),
        limit,
      ],
    );
  }

  /** Against which limits the messages of batches count. */
  async setLimits(batches: Pick<LeasedBatch, 'id' | 'limits'>[]): Promise<void> {
    if (!batches.length) return;
    await this.db.query(
      `update batches b set limits = g.limits from unnest($1::bigint[], $2::text[]) g (id, limits) where b.id = g.id`,
      [batches.map(({ id }) => id), batches.map(({ limits }) => limits)],
    );
  }

  /** Committed before the driver is called. Left out are batches whose task is no longer running, or that another worker has leased. */
  async startSubmit(batches: LeasedBatch[], until: Date): Promise<Set<string>> {
    const rows = await this.db.query<{ id: string }>(
      `with given as (select * from unnest($1::bigint[], $2::int[]) g (id, lease)),
       locked as (
         select b.id from batches b join given g on g.id = b.id and g.lease = b.lease
          where b.stage = ${leased} and (b.task_id is null or exists (select 1 from tasks t where t.id = b.task_id and t.state in ('running', 'completed')))
          order by b.id for update of b)
       update batches b set stage = ${submitting}, lease_until = $3, updated_at = (select change_time()) from locked where b.id = locked.id returning b.id`,
      [...leasesOf(batches), until],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Postpones the end of the leases of batches that are being submitted. Returns how many are still this worker's. */
  renew(batches: LeasedBatch[], until: Date): Promise<number> {
    return this.db.execute(
      `with locked as (
         select b.id from batches b join unnest($1::bigint[], $2::int[]) g (id, lease) on g.id = b.id and g.lease = b.lease
          where b.stage = ${submitting} order by b.id for update of b)
       update batches b set lease_until = $3 from locked where b.id = locked.id`,
      [...leasesOf(batches), until],
    );
  }

  /** Back to pending: nothing was submitted, or the carrier drops repeated references. */
  async release(
    batches: LeasedBatch[],
    dueAt: Date,
    now: Date,
    { tries, unknownOutcomes, postponedFrom, isDown, isAnnounced }: Release = {},
  ): Promise<void> {
    if (!batches.length) return;
    await this.db.query(
      `with given as (select * from unnest($1::bigint[], $2::int[]) g (id, lease)),
       locked as (
         select b.id from batches b join given g on g.id = b.id and g.lease = b.lease
          where b.stage in (${leased}, ${submitting}) order by b.id for update of b)
       update batches set stage = ${pending}, lease_until = null, due_at = greatest(due_at, $3), tries = least(tries + $5::int, ${MAX_TRIES}), unknown_outcomes = unknown_outcomes + $6, updated_at = (select change_time()),
              unknown_since = case when unknown_outcomes + $6 > 0 then coalesce(unknown_since, $4) end,
              postponed_from = $7, down_since = case when $8 then coalesce(down_since,
                (select greatest(batches.due_at, h.failing_since) from channel_states h where h.channel = batches.channel and h.failures > 0), $4) else down_since end,
              is_announced = is_announced or $9
         from locked where batches.id = locked.id`,
      [
        ...leasesOf(batches),
        dueAt,
        now,
        tries ?? 0,
        unknownOutcomes ?? 0,
        postponedFrom ?? null,
        isDown ?? false,
        isAnnounced ?? false,
      ],
    );
  }

  async rows(batch: LeasedBatch): Promise<DueRow[]> {
    return (await this.rowsOf([batch])).get(batch.id) ?? [];
  }

  /** The messages of batches that have no status yet, by batch. */
  async rowsOf(
    batches: Pick<LeasedBatch, 'id' | 'firstId' | 'lastId'>[],
  ): Promise<Map<string, DueRow[]>> {
    const rows = await this.db.query<DueRow & { batchId: string }>(
      `select g.id::text as "batchId", s.id, s.chain_id as "chainId", s.owner_id as "OwnerId", s.phone, s.sender, s.body, s.segments, s.amount::text as amount, s.data, s.is_last as "isLast",
              exists (select 1 from suppressions p
                       where p.owner_id = s.owner_id and p.address = ${inDefaultCollation('s.phone')} and p.type = any(array[0, s.type]::smallint[])) as "isUnsubscribed"
         from unnest($1::bigint[], $2::uuid[], $3::uuid[]) g (id, first_id, last_id)
         cross join lateral (
           select * from sendings s where s.id between g.first_id and g.last_id and s.batch_id = g.id and s.status is null offset 0) s
        order by s.id`,
      [
        batches.map(({ id }) => id),
        batches.map(({ firstId }) => firstId),
        batches.map(({ lastId }) => lastId),
      ],
    );
    return Map.groupBy(rows, ({ batchId }) => batchId);
  }

  /** Attempts whose previous attempt was delivered late, while they waited to be submitted again. */
  async findSuperseded(batches: LeasedBatch[]): Promise<Set<string>> {
    if (!batches.length) return new Set();
    const isRefunded = `p.status in (${STATUS_CODES.delivered}, ${STATUS_CODES.seen}) and b.status = ${BILLING_STATUS_CODES.refunded}`;
    const rows = await this.db.query<{ id: string }>(
      `select s.id from unnest($1::bigint[], $2::uuid[], $3::uuid[], $4::int[]) g (id, first_id, last_id, attempt)
         cross join lateral (
           select id, chain_id from sendings s where s.id between g.first_id and g.last_id and s.batch_id = g.id and s.status is null offset 0) s
        where g.attempt = 1 and exists (select 1 from sendings p join billings b on b.id = p.id where p.id = s.chain_id and ${isRefunded})
           or g.attempt > 1 and exists (
             select 1 from sendings p join billings b on b.id = p.id where p.chain_id = s.chain_id and p.attempt = g.attempt - 1 and ${isRefunded})`,
      [
        batches.map(({ id }) => id),
        batches.map(({ firstId }) => firstId),
        batches.map(({ lastId }) => lastId),
        batches.map(({ attempt }) => attempt),
      ],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Locks the batch of a single message, if the message is not being submitted and cannot be at a carrier. Whether it is. */
  async lockUnsubmitted(sendingId: string): Promise<boolean> {
    const batchOf = `select batch_id from sendings where id = $1 and status is null`;
    const find = async () => (await this.db.query<{ batch_id: string }>(batchOf, [sendingId]))[0];
    for (let row = await find(); row;) {
      const locked = await this.db.query(
        `select 1 from batches where id = $1 and ${cancellableSql('batches')} and stage in (${pending}, ${leased}) for update`,
        [row.batch_id],
      );
      const now = await find();
      // It may have moved to another batch while this one was waited for.
      if (now?.batch_id === row.batch_id) return locked.length > 0;
      row = now;
    }
    return false;
  }

  /** No fallback follows the message. */
  async endChain(sendingId: string): Promise<void> {
    await this.db.query(`update sendings set is_last = true where id = $1 and not is_last`, [
      sendingId,
    ]);
  }

  /** Drops the batch of a message that has ended, if it was the last of it. Locked by the caller. */
  async dropEmpty(sendingId: string, now: Date): Promise<void> {
    await this.db.query(
      `update batches b set stage = ${dropped}, lease = lease + 1, lease_until = null, closed_at = $2, updated_at = (select change_time())
        where b.id = (select batch_id from sendings where id = $1)
          and not exists (select 1 from sendings s where s.id between b.first_id and b.last_id and s.batch_id = b.id and s.status is null offset 0)`,
      [sendingId, now],
    );
  }

  async lockLeased(batch: LeasedBatch): Promise<boolean> {
    return (await this.lockLeasedOf([batch])).has(batch.id);
  }

  /** The batches that this worker still submits, locked. */
  async lockLeasedOf(batches: LeasedBatch[]): Promise<Set<string>> {
    const rows = await this.db.query<{ id: string }>(
      `select b.id from batches b join unnest($1::bigint[], $2::int[]) g (id, lease) on g.id = b.id and g.lease = b.lease
        where b.stage = ${submitting} order by b.id for update of b`,
      leasesOf(batches),
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Sendings whose batch has an unknown outcome and is not submitted again: a late result of the driver still counts for them. */
  async withUnknownOutcome(ids: string[]): Promise<Set<string>> {
    if (!ids.length) return new Set();
    const rows = await this.db.query<{ id: string }>(
      `select s.id from sendings s join batches b on b.id = s.batch_id where s.id = any($1) and b.stage = ${unknown} order by b.id for update of b`,
      [ids],
    );
    return new Set(rows.map((r) => r.id));
  }

  /** Notes what their messages cost with them. Returns the ids of those that no other worker has reclaimed. */
  async finishSubmit(
    batches: (LeasedBatch & { timerAt: Date | null; expiresAt: Date })[],
    stage: typeof submitted | typeof unknown,
    at: {
      now: Date;
      pollAt: Date | null;
      polledAt: Date | null;
      /** Revision of the channel's settings, by which the driver is polled later. */
      revision: number | null;
    },
    costs: SubmitCost[] = [],
  ): Promise<Set<string>> {
    const rows = await this.db.query<{ id: string }>(
      `with finished as (
       update batches b set stage = $3, submitted_at = $4, timer_at = g.timer_at, expires_at = g.expires_at, poll_at = $5, polled_at = $6, channel_revision = $7, lease_until = null, updated_at = (select change_time())
         from unnest($1::bigint[], $2::int[], $8::timestamptz[], $9::timestamptz[]) g (id, lease, timer_at, expires_at)
        where b.id = g.id and b.lease = g.lease and b.stage in (${submitting}, ${unknown}) returning b.id),
       noted as (
         insert into message_costs (batch_id, owner_id, channel, type, mccmnc, submitted_at, messages, amount, units, price, price_units, currency)
         select c."batchId", c."OwnerId", c.channel, c.type, c.mccmnc, $4, c.messages, c.amount, c.units, c.price, c."priceUnits", c.currency
           from jsonb_to_recordset($10::jsonb) c ("batchId" bigint, "OwnerId" uuid, channel text, type smallint, mccmnc text, messages integer,
                amount numeric, units integer, price numeric, "priceUnits" smallint, currency text)
           join finished f on f.id = c."batchId")
       select id from finished`,
      [
        ...leasesOf(batches),
        stage,
        at.now,
        at.pollAt,
        at.polledAt,
        at.revision,
        batches.map(({ timerAt }) => timerAt),
        batches.map(({ expiresAt }) => expiresAt),
        JSON.stringify(costs),
      ],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Returns the ids of those that no other worker has reclaimed. */
  async drop(batches: LeasedBatch[], now: Date): Promise<Set<string>> {
    const ours = await this.lockLeasedOf(batches);
    await this.db.query(
      `update batches set stage = ${dropped}, lease_until = null, closed_at = $2, updated_at = (select change_time()) where id = any($1)`,
      [[...ours], now],
    );
    return ours;
  }

  /** Moves some sendings of a batch into a batch of their own. */
  async split(
    from: LeasedBatch,
    ids: string[],
    to: {
      stage: typeof pending | typeof submitting;
      tries: number;
      dueAt: Date;
      postponedFrom?: Date;
      /** When the carrier has refused them, if it had not before. */
      downSince?: Date;
      isAnnounced?: true;
      /** Of those that go another way. */
      routing?: Routing;
      /** Of those that count against other limits. */
      limits?: string;
    },
  ): Promise<LeasedBatch> {
    const sorted = [...ids].sort();
    const routing = to.routing ?? from;
    const [row] = await this.db.query<LeasedBatch>(
      `insert into batches as b (task_id, owner_id, channel, type, attempt, priority, stage, size, segments, first_id, last_id, tries, due_at, lease, created_at, updated_at, plan, unknown_outcomes, postponed_from, unknown_since, down_since, route_id, route_channels, route_version, valid_until, is_announced, urgency, limits)
       values ($1, $2, $3, $4, $5, $6, $7, $8, (select sum(segments) from sendings where id = any($20)), $9, $10, least($11::int, ${MAX_TRIES}), $12, $13, $14, (select change_time()), $15, $16, $17, $18, $19, $21, $22, $23, $24, $25, $26, $27) returning ${BATCH}`,
      [
        from.taskId,
        from.OwnerId,
        routing.channel,
        from.type,
        from.attempt,
        from.priority,
        to.stage,
        ids.length,
        sorted[0],
        sorted.at(-1),
        to.tries,
        to.dueAt,
        from.lease,
        from.createdAt,
        from.taskId ? null : from.plan,
        from.unknownOutcomes,
        to.postponedFrom ?? null,
        from.unknownSince,
        routing.channel === from.channel ? (to.downSince ?? from.downSince) : null,
        ids,
        routing.routeId,
        routing.routeChannels,
        routing.routeVersion,
        from.validUntil,
        to.isAnnounced ?? from.isAnnounced,
        from.urgency,
        to.limits ?? from.limits,
      ],
    );
    await this.db.query(`update sendings set batch_id = $1 where id = any($2)`, [row!.id, ids]);
    await this.db.query(
      `update batches set size = size - $2, segments = segments - $3 where id = $1`,
      [from.id, ids.length, row!.segments],
    );
    return row!;
  }

  /**
   * Those of the batches that are refused for longer than `seconds`: since the first time, or the last change of its task, which may have been
   * paused for days. If `isThrottled`, since the channel took anything, as a slow one may need days for a bulk.
   */
  async refusedFor(
    batches: LeasedBatch[],
    seconds: number,
    now: Date,
    isThrottled = false,
  ): Promise<Set<string>> {
    const rows = await this.db.query<{ id: string }>(
      `select b.id from batches b left join tasks t on t.id = b.task_id left join channel_states c on c.channel = b.channel
        where b.id = any($1) and greatest(b.down_since, t.updated_at, case when $4 then c.submitted_at end) < $2::timestamptz - $3 * interval '1 second'
          and b.down_since is not null`,
      [batches.map(({ id }) => id), now, seconds, isThrottled],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Leases batches that have waited for longer than `seconds` for a channel that is down all this time. Those of paused tasks go on waiting. */
  leaseRefused(now: Date, until: Date, seconds: number, limit: number): Promise<LeasedBatch[]> {
    return this.db.query<LeasedBatch>(
      `with refused as (
         select b.id from channel_states h
           join batches b on b.channel = h.channel and b.stage = ${pending} left join tasks t on t.id = b.task_id
          where h.failures > 0 and h.failing_since < $3 and coalesce(b.down_since, b.due_at) < $3 and b.due_at <= $1
            and (b.task_id is null or t.state in ('running', 'completed') and t.updated_at < $3)
          order by b.id limit $4 for update of b skip locked)
       update batches b set stage = ${submitting}, lease = lease + 1, lease_until = $2, updated_at = (select change_time()) from refused where b.id = refused.id
       returning ${BATCH}`,
      [now, until, secondsAfter(now, -seconds), limit],
    );
  }

  /** Leases batches that have waited for longer than they are valid, also those of paused tasks. */
  leaseExpired(now: Date, until: Date, limit: number): Promise<LeasedBatch[]> {
    return this.db.query<LeasedBatch>(
      `with expired as (
         select b.id from batches b where b.stage = ${pending} and b.valid_until <= $1 order by b.id limit $3 for update of b skip locked)
       update batches b set stage = ${submitting}, lease = lease + 1, lease_until = $2, updated_at = (select change_time()) from expired where b.id = expired.id
       returning ${BATCH}`,
      [now, until, limit],
    );
  }

  lockExpiredLeases(now: Date, limit: number): Promise<(LeasedBatch & { stage: BatchStage })[]> {
    return this.db.query<LeasedBatch & { stage: BatchStage }>(
      `select ${BATCH}, b.stage ${EXPIRED_LEASES} limit $2 for update of b skip locked`,
      [now, limit],
    );
  }

  /** Postpones the reclaiming of the batch whose lease expired first; returns its id. */
  async postponeReclaim(now: Date, ms: number): Promise<string | undefined> {
    const [row] = await this.db.query<{ id: string }>(
      `update batches set lease_until = $2 where id = (select b.id ${EXPIRED_LEASES} limit 1) returning id`,
      [now, new Date(now.getTime() + ms)],
    );
    return row?.id;
  }

  /** Invalidates the current lease and returns the new one. */
  async fence({ id }: LeasedBatch): Promise<number> {
    const [row] = await this.db.query<{ lease: number }>(
      `update batches set lease = lease + 1 where id = $1 returning lease`,
      [id],
    );
    return row!.lease;
  }

  /** Takes batches of a stopped task that wait for another submit: what became of the former ones is not known. */
  takeUnknown(taskId: string, limit: number, now: Date): Promise<LeasedBatch[]> {
    return this.db.query<LeasedBatch>(
      `with taken as (
         select id from batches where task_id = $1 and stage in (${pending}, ${leased}) and unknown_outcomes > 0
          order by id limit $2 for update)
       update batches b set stage = ${submitting}, lease = lease + 1, lease_until = $3, updated_at = (select change_time()) from taken where b.id = taken.id
       returning ${BATCH}`,
      [taskId, limit, now],
    );
  }

  /**
   * Drops unsubmitted batches of a stopped task, the oldest first, up to about `messages` messages: batches of a stretched task have one
   * message each.
   */
  dropOfTask(taskId: string, messages: number, now: Date): Promise<LeasedBatch[]> {
    return this.db.query<LeasedBatch>(
      `with waiting as (
         select id, sum(size) over (order by id) - size as before from batches
          where task_id = $1 and stage in (${pending}, ${leased}) and unknown_outcomes = 0 order by id limit $2), taken as (
         select id from batches where id in (select id from waiting where before < $2) and stage in (${pending}, ${leased}) and unknown_outcomes = 0
          order by id for update)
       update batches b set stage = ${dropped}, lease = lease + 1, closed_at = $3, updated_at = (select change_time()) from taken where b.id = taken.id returning ${BATCH}`,
      [taskId, messages, now],
    );
  }
}

const leasesOf = (batches: LeasedBatch[]) => [
  batches.map(({ id }) => id),
  batches.map(({ lease }) => lease),
];
