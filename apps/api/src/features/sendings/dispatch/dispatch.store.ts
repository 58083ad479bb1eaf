import { Injectable } from '@nestjs/common';
import { Db } from '../../../core/db/db.ts';
import { TEST_PRIORITY } from '../insert.store.ts';
import type { StoredSending } from '../plan.ts';

/** A batch in somebody's hands; `lease` is the fencing token. */
export interface Leased {
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
  /** How often nobody knew what became of it. */
  unknownOutcomes: number;
  lease: number;
  createdAt: Date;
  /** What its chains say at each attempt; null for singles without fallbacks, whose rows say it. */
  plan: StoredSending | null;
}

export interface DueRow {
  id: string;
  OwnerId: string;
  phone: string;
  sender: string;
  body: string | null;
  segments: number;
  data: { payload: Record<string, unknown> } | null;
  isLast: boolean;
}

const BATCH = `b.id, b.task_id as "taskId", b.owner_id as "OwnerId", b.channel, b.type, b.attempt, b.priority, b.size, b.first_id as "firstId",
  b.last_id as "lastId", b.tries, b.unknown_outcomes as "unknownOutcomes", b.lease, b.created_at as "createdAt",
  coalesce((select t.data->'sending' from tasks t where t.id = b.task_id), b.plan) as plan`;

/** What may go at `$1`: pause, stop and stretch act here, and so does a channel that is switched off; what is left of a removed one goes, to fail. */
const DUE = `b.stage = 0 and b.due_at <= $1 and (b.task_id is null or t.state in ('running', 'completed'))
  and (b.priority = ${TEST_PRIORITY} or b.channel in (select name from channels where is_active or removed_at is not null))`;

/** The states of batches. Every step is guarded by the stage it leaves and by the lease. */
@Injectable()
export class DispatchStore {
  constructor(private readonly db: Db) {}

  /** The next due batch, singles first. Pause, stop and stretch act here: a batch goes only while its task runs and when it is due. */
  async lease(now: Date, until: Date): Promise<Leased | undefined> {
    const [row] = await this.db.query<Leased>(
      `with due as (
         select b.id from batches b left join tasks t on t.id = b.task_id
          where ${DUE}
          order by b.priority, b.due_at, b.id limit 1 for update of b skip locked)
       update batches b set stage = 1, lease = lease + 1, lease_until = $2, updated_at = $1 from due where b.id = due.id
       returning ${BATCH}`,
      [now, until],
    );
    return row;
  }

  /** Committed before the driver is called. False when the task stopped running, or the lease is somebody else's. */
  async startSubmit({ id, lease }: Leased, now: Date, until: Date): Promise<boolean> {
    const changed = await this.db.execute(
      `update batches b set stage = 2, lease_until = $4, updated_at = $3
        where id = $1 and lease = $2 and stage = 1
          and (task_id is null or exists (select 1 from tasks t where t.id = b.task_id and t.state in ('running', 'completed')))`,
      [id, lease, now, until],
    );
    return changed > 0;
  }

  /** Back into the queue: nothing of it was handed over, or its carrier drops what it has already. */
  async release(
    { id, lease }: Leased,
    dueAt: Date,
    now: Date,
    more: { tries?: 1; unknownOutcomes?: 1 } = {},
  ): Promise<void> {
    await this.db.query(
      `update batches set stage = 0, lease_until = null, due_at = greatest(due_at, $3), tries = tries + $5, unknown_outcomes = unknown_outcomes + $6, updated_at = $4
        where id = $1 and lease = $2 and stage in (1, 2)`,
      [id, lease, dueAt, now, more.tries ?? 0, more.unknownOutcomes ?? 0],
    );
  }

  rows({ id, firstId, lastId }: Pick<Leased, 'id' | 'firstId' | 'lastId'>): Promise<DueRow[]> {
    return this.db.query<DueRow>(
      `select id, owner_id as "OwnerId", phone, sender, body, segments, data, is_last as "isLast" from sendings
        where id between $2 and $3 and batch_id = $1 and status is null order by id`,
      [id, firstId, lastId],
    );
  }

  /** Attempts whose forerunner was delivered after its failure, while they came back from a carrier that was busy. */
  async findSuperseded({ id, firstId, lastId, attempt }: Leased): Promise<string[]> {
    const rows = await this.db.query<{ id: string }>(
      `select s.id from sendings s
        where s.id between $2 and $3 and s.batch_id = $1 and s.status is null
          and (select b.status from sendings p join billings b on b.id = p.id
                where ${attempt === 1 ? 'p.id = s.chain_id' : 'p.chain_id = s.chain_id and p.attempt = $4 - 1'}
                  and p.status in (3, 4)) = 2`,
      [id, firstId, lastId, ...(attempt === 1 ? [] : [attempt])],
    );
    return rows.map((r) => r.id);
  }

  /** Whether a batch is still in these hands; it stays so until the transaction ends. */
  async holds({ id, lease }: Leased): Promise<boolean> {
    const rows = await this.db.query(
      `select 1 from batches where id = $1 and lease = $2 and stage = 2 for update`,
      [id, lease],
    );
    return rows.length > 0;
  }

  /** Which of these are in doubt and go to nobody again: what a late answer says of them is still news. */
  async withUnknownOutcome(ids: string[]): Promise<Set<string>> {
    if (!ids.length) return new Set();
    const rows = await this.db.query<{ id: string }>(
      `select s.id from sendings s join batches b on b.id = s.batch_id where s.id = any($1) and b.stage = 4 order by b.id for update of b`,
      [ids],
    );
    return new Set(rows.map((r) => r.id));
  }

  /** Handed over (3) or in doubt (4). False when another has taken the batch over since. */
  async submitted(
    { id, lease }: Leased,
    stage: 3 | 4,
    at: {
      now: Date;
      timerAt: Date | null;
      expiresAt: Date;
      pollAt: Date | null;
      polledAt: Date | null;
      /** Of the channel's settings, for a driver that is asked later. */
      revision: number | null;
    },
  ): Promise<boolean> {
    const changed = await this.db.execute(
      `update batches set stage = $3, submitted_at = $4, timer_at = $5, expires_at = $6, poll_at = $7, polled_at = $8, channel_revision = $9, lease_until = null, updated_at = $4
        where id = $1 and lease = $2 and stage in (2, 4)`,
      [id, lease, stage, at.now, at.timerAt, at.expiresAt, at.pollAt, at.polledAt, at.revision],
    );
    return changed > 0;
  }

  /** The channel took nothing of it for too long. False when another has taken the batch over since. */
  async failSubmitting({ id, lease }: Leased, now: Date): Promise<boolean> {
    const changed = await this.db.execute(
      `update batches set stage = 5, lease_until = null, closed_at = $3, updated_at = $3 where id = $1 and lease = $2 and stage = 2`,
      [id, lease, now],
    );
    return changed > 0;
  }

  /** Some sendings of a batch go on in a batch of their own. */
  async split(
    from: Leased,
    ids: string[],
    to: { stage: 0 | 2; tries: number; dueAt: Date; now: Date },
  ): Promise<Leased> {
    const sorted = [...ids].sort();
    const [row] = await this.db.query<Leased>(
      `insert into batches as b (task_id, owner_id, channel, type, attempt, priority, stage, size, first_id, last_id, tries, due_at, lease, created_at, updated_at, plan, unknown_outcomes)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17) returning ${BATCH}`,
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
        to.now,
        from.taskId ? null : from.plan,
        from.unknownOutcomes,
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

  /** Since when a batch could have gone: its making, or the last change of its task, which may have been paused for days. */
  async waitsSince({ id, createdAt }: Leased): Promise<Date> {
    const [row] = await this.db.query<{ since: Date }>(
      `select greatest(b.created_at, t.updated_at) as since from batches b left join tasks t on t.id = b.task_id where b.id = $1`,
      [id],
    );
    return row?.since ?? createdAt;
  }

  /** Leases that ran out. */
  expiredLeases(now: Date): Promise<(Leased & { stage: number })[]> {
    return this.db.query<Leased & { stage: number }>(
      `select ${BATCH}, b.stage
         from batches b where b.stage in (1, 2) and b.lease_until < $1 order by b.id limit 100 for update of b skip locked`,
      [now],
    );
  }

  /** Takes the lease from whoever held it. */
  async fence({ id }: Leased): Promise<number> {
    const [row] = await this.db.query<{ lease: number }>(
      `update batches set lease = lease + 1 where id = $1 returning lease`,
      [id],
    );
    return row!.lease;
  }

  /**
   * Batches of a stopped task that were not handed over: now they never will be. As many of the oldest as begin within
   * `messages`: those of a stretched task are of one message each.
   */
  drop(taskId: string, messages: number, now: Date): Promise<Leased[]> {
    return this.db.query<Leased>(
      `with waiting as (
         select id, sum(size) over (order by id) - size as before from batches
          where task_id = $1 and stage in (0, 1) order by id limit $2), taken as (
         select id from batches where id in (select id from waiting where before < $2) and stage in (0, 1)
          order by id for update)
       update batches b set stage = 5, lease = lease + 1, closed_at = $3, updated_at = $3 from taken where b.id = taken.id returning ${BATCH}`,
      [taskId, messages, now],
    );
  }
}
