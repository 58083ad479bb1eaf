import { Injectable } from '@nestjs/common';
import {
  BATCH_STAGES,
  STATUS_CODES,
  type BatchStage,
  type MessageParts,
  type TrafficGroup,
} from '@heliograph/domain';
import { Db } from '../../../core/db/db.ts';
import { BILLING_STATUS_CODES } from '../../billings/billings.service.ts';
import type { StoredSending } from '../plan.ts';
import { PRIORITIES } from '../priorities.ts';

/** A batch leased by a worker; `lease` is the fencing token. */
export interface LeasedBatch {
  id: string;
  taskId: string | null;
  OwnerId: string | null;
  channel: string;
  type: number;
  attempt: number;
  priority: number;
  size: number;
  firstId: string;
  lastId: string;
  tries: number;
  /** Number of submits without a known outcome. */
  unknownOutcomes: number;
  /** When that happened first. */
  unknownSince: Date | null;
  /** Since when the carrier refuses or throttles it. */
  downSince: Date | null;
  lease: number;
  createdAt: Date;
  /** The request; null for singles without fallbacks, whose rows hold their payload. */
  plan: StoredSending | null;
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
  data: {
    payload: Record<string, unknown>;
    parts?: MessageParts;
    group?: TrafficGroup;
    isExempt?: true;
  } | null;
  isLast: boolean;
  /** Whether the person has opted out, in the meantime or at all. */
  isUnsubscribed: boolean;
}

/** What else changes when a batch is pending again. */
interface Release {
  tries?: 1;
  unknownOutcomes?: 1;
  /** Of a batch that waits for the end of quiet hours: when it was due. */
  postponedFrom?: Date;
  /** The carrier is down, or has throttled all of it. */
  isDown?: true;
}

export const BATCH = `b.id, b.task_id as "taskId", b.owner_id as "OwnerId", b.channel, b.type, b.attempt, b.priority, b.size, b.first_id as "firstId",
  b.last_id as "lastId", b.tries, b.unknown_outcomes as "unknownOutcomes", b.unknown_since as "unknownSince", b.down_since as "downSince", b.lease, b.created_at as "createdAt",
  coalesce((select t.data->'sending' from tasks t where t.id = b.task_id), b.plan) as plan`;

const { pending, leased, submitting, submitted, unknown, dropped } = BATCH_STAGES;

/**
 * Batches that may be submitted at `$1`. Pausing or stopping a task, its stretch, and switching off a channel take effect here. Batches
 * of a removed channel are due, so that they fail.
 */
const DUE = `b.stage = ${pending} and b.due_at <= $1 and (b.task_id is null or t.state in ('running', 'completed'))
  and (b.priority = ${PRIORITIES.test} or b.channel in (select name from channels where is_active or removed_at is not null))`;

const EXPIRED_LEASES = `from batches b where b.stage in (${leased}, ${submitting}) and b.lease_until < $1 order by b.lease_until, b.id`;

/** A batch that is throttled every second for hours counts up to this. */
const MAX_TRIES = 32_767;

/** The stages of batches. Every transition is guarded by the stage that it leaves and by the lease. */
@Injectable()
export class DispatchStore {
  constructor(private readonly db: Db) {}

  /** Leases the next due batch, singles before bulks; none of the channels in `except`. */
  async lease(now: Date, until: Date, except: string[]): Promise<LeasedBatch | undefined> {
    const [row] = await this.db.query<LeasedBatch>(
      `with due as (
         select b.id from batches b left join tasks t on t.id = b.task_id
          where ${DUE} and b.channel <> all($3)
          order by b.priority, b.due_at, b.id limit 1 for update of b skip locked)
       update batches b set stage = ${leased}, lease = lease + 1, lease_until = $2, updated_at = (select change_time()) from due where b.id = due.id
       returning ${BATCH}`,
      [now, until, except],
    );
    return row;
  }

  /** Committed before the driver is called. False when the task is no longer running, or another worker has the lease. */
  async startSubmit({ id, lease }: LeasedBatch, until: Date): Promise<boolean> {
    const changed = await this.db.execute(
      `update batches b set stage = ${submitting}, lease_until = $3, updated_at = (select change_time())
        where id = $1 and lease = $2 and stage = ${leased}
          and (task_id is null or exists (select 1 from tasks t where t.id = b.task_id and t.state in ('running', 'completed')))`,
      [id, lease, until],
    );
    return changed > 0;
  }

  /** Back to pending: nothing was submitted, or the carrier drops repeated references. */
  async release(
    { id, lease }: LeasedBatch,
    dueAt: Date,
    now: Date,
    { tries, unknownOutcomes, postponedFrom, isDown }: Release = {},
  ): Promise<void> {
    await this.db.query(
      `update batches set stage = ${pending}, lease_until = null, due_at = greatest(due_at, $3), tries = least(tries + $5::int, ${MAX_TRIES}), unknown_outcomes = unknown_outcomes + $6, updated_at = (select change_time()),
              unknown_since = case when unknown_outcomes + $6 > 0 then coalesce(unknown_since, $4) end,
              postponed_from = $7, down_since = case when $8 then coalesce(down_since, $4) else down_since end
        where id = $1 and lease = $2 and stage in (${leased}, ${submitting})`,
      [
        id,
        lease,
        dueAt,
        now,
        tries ?? 0,
        unknownOutcomes ?? 0,
        postponedFrom ?? null,
        isDown ?? false,
      ],
    );
  }

  rows({ id, firstId, lastId }: Pick<LeasedBatch, 'id' | 'firstId' | 'lastId'>): Promise<DueRow[]> {
    return this.db.query<DueRow>(
      `select s.id, s.chain_id as "chainId", s.owner_id as "OwnerId", s.phone, s.sender, s.body, s.segments, s.data, s.is_last as "isLast",
              exists (select 1 from suppressions p
                       where p.owner_id = s.owner_id and p.address = s.phone and p.type = any(array[0, s.type]::smallint[])) as "isUnsubscribed"
         from sendings s where s.id between $2 and $3 and s.batch_id = $1 and s.status is null order by s.id`,
      [id, firstId, lastId],
    );
  }

  /** Attempts whose previous attempt was delivered late, while they waited to be submitted again. */
  async findSuperseded({ id, firstId, lastId, attempt }: LeasedBatch): Promise<string[]> {
    const rows = await this.db.query<{ id: string }>(
      `select s.id from sendings s
        where s.id between $2 and $3 and s.batch_id = $1 and s.status is null
          and (select b.status from sendings p join billings b on b.id = p.id
                where ${attempt === 1 ? 'p.id = s.chain_id' : 'p.chain_id = s.chain_id and p.attempt = $4 - 1'}
                  and p.status in (${STATUS_CODES.delivered}, ${STATUS_CODES.seen})) = ${BILLING_STATUS_CODES.refunded}`,
      [id, firstId, lastId, ...(attempt === 1 ? [] : [attempt])],
    );
    return rows.map((r) => r.id);
  }

  /** Whether the batch is still leased by this worker. Locks it until the transaction ends. */
  async lockLeased({ id, lease }: LeasedBatch): Promise<boolean> {
    const rows = await this.db.query(
      `select 1 from batches where id = $1 and lease = $2 and stage = ${submitting} for update`,
      [id, lease],
    );
    return rows.length > 0;
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

  /** False when another worker has reclaimed the batch. */
  async finishSubmit(
    { id, lease }: LeasedBatch,
    stage: typeof submitted | typeof unknown,
    at: {
      now: Date;
      timerAt: Date | null;
      expiresAt: Date;
      pollAt: Date | null;
      polledAt: Date | null;
      /** Revision of the channel's settings, by which the driver is polled later. */
      revision: number | null;
    },
  ): Promise<boolean> {
    const changed = await this.db.execute(
      `update batches set stage = $3, submitted_at = $4, timer_at = $5, expires_at = $6, poll_at = $7, polled_at = $8, channel_revision = $9, lease_until = null, updated_at = (select change_time())
        where id = $1 and lease = $2 and stage in (${submitting}, ${unknown})`,
      [id, lease, stage, at.now, at.timerAt, at.expiresAt, at.pollAt, at.polledAt, at.revision],
    );
    return changed > 0;
  }

  /** False when another worker has reclaimed the batch. */
  async drop({ id, lease }: LeasedBatch, now: Date): Promise<boolean> {
    const changed = await this.db.execute(
      `update batches set stage = ${dropped}, lease_until = null, closed_at = $3, updated_at = (select change_time())
        where id = $1 and lease = $2 and stage = ${submitting}`,
      [id, lease, now],
    );
    return changed > 0;
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
    },
  ): Promise<LeasedBatch> {
    const sorted = [...ids].sort();
    const [row] = await this.db.query<LeasedBatch>(
      `insert into batches as b (task_id, owner_id, channel, type, attempt, priority, stage, size, first_id, last_id, tries, due_at, lease, created_at, updated_at, plan, unknown_outcomes, postponed_from, unknown_since, down_since)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, least($11::int, ${MAX_TRIES}), $12, $13, $14, (select change_time()), $15, $16, $17, $18, $19) returning ${BATCH}`,
      [
        from.taskId,
        from.OwnerId,
        from.channel,
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
        to.downSince ?? from.downSince,
      ],
    );
    await this.db.query(`update sendings set batch_id = $1 where id = any($2)`, [row!.id, ids]);
    await this.db.query(`update batches set size = size - $2 where id = $1`, [from.id, ids.length]);
    return row!;
  }

  async isDue(now: Date): Promise<boolean> {
    const rows = await this.db.query(
      `select 1 from batches b left join tasks t on t.id = b.task_id
        where ${DUE} limit 1`,
      [now],
    );
    return rows.length > 0;
  }

  /**
   * Whether the batch is refused for longer than `seconds`: since the first time, or the last change of its task, which may have been
   * paused for days. If `isThrottled`, since the channel took anything, as a slow one may need days for a bulk.
   */
  async isRefusedFor(
    { id }: LeasedBatch,
    seconds: number,
    now: Date,
    isThrottled = false,
  ): Promise<boolean> {
    const rows = await this.db.query(
      `select 1 from batches b left join tasks t on t.id = b.task_id left join channel_states c on c.channel = b.channel
        where b.id = $1 and greatest(b.down_since, t.updated_at, case when $4 then c.submitted_at end) < $2::timestamptz - $3 * interval '1 second'
          and b.down_since is not null`,
      [id, now, seconds, isThrottled],
    );
    return rows.length > 0;
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
