import { Injectable } from '@nestjs/common';
import {
  BATCH_STAGES,
  formatMoney,
  OUTCOME_CODES,
  outcomeCode,
  outcomeOfFailure,
  STATUS_CODES,
  statusCode,
  type MergedReport,
  type Money,
  type NumberLookup,
  type StoredStatus,
} from '@heliograph/domain';
import { Db } from '../../../core/db/db.ts';
import type { StoredSending } from '../plan.ts';
import { unnestRows } from '../unnest.ts';
import type { AttemptRow } from './attempt.ts';
import { TRIGGER_CODES } from './trigger-codes.ts';

/** The reports of one sending, merged. */
export interface MergedSendingReport extends MergedReport {
  /** The carrier's remark, such as `ported`. Stored in `error` of a delivered sending. */
  note: string | null;
}

/** A sending whose row changed. */
export interface ChangedSending {
  id: string;
  OwnerId: string;
  groupId: string | null;
  chainId: string | null;
  batchId: string;
  attempt: number;
  isLast: boolean;
  type: number;
  phone: string;
  status: number;
  previousStatus: number | null;
  error: string | null;
  /** Of the chain, on first attempts only. */
  outcome: number | null;
  previousOutcome: number | null;
  isSealed: boolean;
  /** A look-up that messages may wait for. */
  isAwaited: boolean;
}

/** A batch and the range of its sendings' ids. */
export interface BatchRange {
  id: string;
  firstId: string;
  lastId: string;
}

export interface BatchPlan {
  id: string;
  taskId: string | null;
  attempt: number;
  plan: StoredSending;
}

/** A change of a chain's outcome. */
export interface ChangedOutcome {
  id: string;
  OwnerId: string;
  groupId: string | null;
  outcome: number;
  previousOutcome: number | null;
}

const { pending, leased } = BATCH_STAGES;
/** Of a batch `b`. What waits for another submit may be at the carrier already. */
const UNSUBMITTED = `b.stage in (${pending}, ${leased}) and b.unknown_outcomes = 0`;
const { processing, sent, delivered, seen, failed } = STATUS_CODES;

const RETURNED = `s.id, s.owner_id as "OwnerId", s.group_id as "groupId", s.chain_id as "chainId",
  s.batch_id as "batchId", s.attempt, s.is_last as "isLast", s.type, s.phone, new.status, old.status as "previousStatus", new.error, new.outcome, old.outcome as "previousOutcome",
  coalesce(s.data ? 'isSealed', false) as "isSealed", coalesce(s.data ? 'isAwaited', false) as "isAwaited"`;

@Injectable()
export class ReportsStore {
  constructor(private readonly db: Db) {}

  /**
   * One statement for any number of sendings, guarded by the order of statuses (domain `canTransition`): late, repeated and
   * reordered reports change nothing. `processing` and `sent` are written on a row only when it is ahead of its batch. What the carrier
   * says about a one-time code may quote it.
   */
  apply(reports: Map<string, MergedSendingReport>): Promise<ChangedSending[]> {
    const rows = [...reports].sort(([a], [b]) => (a < b ? -1 : 1));
    const source = unnestRows(rows, {
      id: ['uuid', ([id]) => id],
      status: ['smallint', ([, r]) => statusCode(r.status as StoredStatus)],
      error: ['text', ([, r]) => (r.status === 'failed' ? (r.code ?? 'unknown') : r.note)],
      sent_at: ['timestamptz', ([, r]) => (r.status === 'sent' ? r.sentAt : null)],
      delivered_at: ['timestamptz', ([, r]) => r.deliveredAt ?? r.seenAt],
      seen_at: ['timestamptz', ([, r]) => r.seenAt],
      failed_at: ['timestamptz', ([, r]) => r.failedAt],
      carrier_code: ['text', ([, r]) => r.carrierCode ?? null],
      carrier_text: ['text', ([, r]) => r.carrierText ?? null],
      failure: ['smallint', ([, r]) => outcomeCode(outcomeOfFailure(r.code))],
    });
    const names = Object.keys(source.expressions);
    return this.db.query<ChangedSending>(
      `update sendings s set changed_at = (select change_time()),
         status = r.status,
         error = case when r.status in (${delivered}, ${seen}, ${failed}) then coalesce(r.error, case when s.status = ${delivered} then s.error end) end,
         sent_at = case when r.status = ${sent} then r.sent_at else s.sent_at end,
         delivered_at = case when r.status in (${delivered}, ${seen}) then coalesce(s.delivered_at, r.delivered_at) end,
         seen_at = case when r.status = ${seen} then r.seen_at end,
         failed_at = case when r.status = ${failed} then r.failed_at end,
         carrier_code = r.carrier_code,
         carrier_text = case when s.data ? 'isSealed' then regexp_replace(r.carrier_text, '[0-9]', '*', 'g') else r.carrier_text end,
         outcome = case when s.chain_id is not null then s.outcome
                        when r.status in (${delivered}, ${seen}) then ${OUTCOME_CODES.delivered}
                        when r.status = ${failed} and s.is_last and s.outcome is null then r.failure
                        else s.outcome end
       from (select ${source.select(names)} from ${source.from}) as r(${names.join(', ')})
       where s.id = r.id and case
         when r.status in (${delivered}, ${seen}) then s.status is null or s.status in (${processing}, ${sent}, ${failed}) or s.status < r.status
         when r.status = ${failed} then s.status is null or s.status < ${delivered}
         else (s.status is null or s.status < r.status)
              and r.status > (select stage_status(b.stage) from batches b where b.id = s.batch_id) end
       returning ${RETURNED}`,
      source.parameters,
    );
  }

  /** Those that were delivered. Locked, as `apply` locks those that it changes: what calls cost is locked behind them. */
  async deliveredOf(ids: string[]): Promise<string[]> {
    const rows = await this.db.query<{ id: string }>(
      `select id from sendings where id = any($1) and status in (${delivered}, ${seen}) order by id for no key update`,
      [ids],
    );
    return rows.map(({ id }) => id);
  }

  /** What messages cost after all. */
  setAmounts(
    costs: { id: string; amount: Money }[],
  ): Promise<Pick<ChangedSending, 'id' | 'groupId'>[]> {
    const sorted = costs.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    return this.db.query(
      `update sendings s set amount = r.amount, changed_at = (select change_time())
         from unnest($1::uuid[], $2::numeric[]) as r(id, amount) where s.id = r.id
       returning s.id, s.group_id as "groupId"`,
      [sorted.map(({ id }) => id), sorted.map(({ amount }) => formatMoney(amount))],
    );
  }

  /** With the texts of the message, which are removed after a time. */
  async keepLookups(lookups: { id: string; lookup: NumberLookup }[]): Promise<void> {
    await this.db.query(
      `update sendings s set data = coalesce(s.data, '{}') || jsonb_build_object('lookup', r.lookup)
         from unnest($1::uuid[], $2::jsonb[]) as r(id, lookup) where s.id = r.id`,
      [lookups.map(({ id }) => id), lookups.map(({ lookup }) => JSON.stringify(lookup))],
    );
  }

  /** Sets outcomes on the chains' first attempts. An outcome is only ever replaced by `delivered`. */
  setOutcomes(outcomes: Map<string, number>): Promise<ChangedOutcome[]> {
    const rows = [...outcomes].sort(([a], [b]) => (a < b ? -1 : 1));
    return this.db.query(
      `update sendings s set outcome = r.outcome, changed_at = (select change_time()) from unnest($1::uuid[], $2::smallint[]) as r(id, outcome)
        where s.id = r.id and (s.outcome is null or (s.outcome <> ${OUTCOME_CODES.delivered} and r.outcome = ${OUTCOME_CODES.delivered}))
       returning s.id, s.owner_id as "OwnerId", s.group_id as "groupId", new.outcome, old.outcome as "previousOutcome"`,
      [rows.map(([id]) => id), rows.map(([, outcome]) => outcome)],
    );
  }

  /**
   * Attempts with their plans and the progress of their chains. The time of the submit is ours, as that of the timer is; a carrier's
   * counts only for a report that is ahead of it. Successors and triggers are not looked up by `exists`, for which Postgres may read all
   * messages into a hash table.
   */
  async attempts(ids: string[]): Promise<AttemptRow[]> {
    const rows = await this.db.query<Omit<AttemptRow, 'plan'> & { batchId: string }>(
      `select s.id, coalesce(s.chain_id, s.id) as chain, s.owner_id as "OwnerId", s.group_id as "groupId", s.attempt, s.phone, coalesce(first.phone, s.phone) as "firstAddress",
              coalesce(first.vars, s.vars) as vars, coalesce(s.status, stage_status(b.stage)) as status,
              coalesce(b.submitted_at, s.sent_at) as "submittedAt", s.delivered_at as "deliveredAt", s.error,
              coalesce(t.state = 'stopped', false) or s.error is not distinct from 'superseded' as "isStopped",
              next.found is not null as "hasSuccessor", trigger.found is not null as "isTriggered", b.task_id as "taskId", b.channel,
              s.batch_id as "batchId", coalesce(t.token_id, (b.plan->>'tokenId')::uuid) as "tokenId"
         from sendings s join batches b on b.id = s.batch_id left join tasks t on t.id = b.task_id
         left join sendings first on first.id = s.chain_id
         left join lateral (select true as found from sendings n where n.chain_id = coalesce(s.chain_id, s.id) and n.attempt = s.attempt + 1 limit 1) next on true
         left join lateral (select true as found from fallback_triggers f where f.sending_id = s.id limit 1) trigger on true
        where s.id = any($1)`,
      [ids],
    );
    const plans = await this.plans(rows.map((row) => row.batchId));
    return rows.map((row) => ({ ...row, plan: plans.get(row.batchId)!.plan }));
  }

  /** Plans by batch: loaded once per batch, not per sending. */
  async plans(batchIds: string[]): Promise<Map<string, BatchPlan>> {
    const rows = await this.db.query<BatchPlan>(
      `select b.id, b.task_id as "taskId", b.attempt, coalesce(t.data->'sending', b.plan) as plan
         from batches b left join tasks t on t.id = b.task_id where b.id = any($1)`,
      [[...new Set(batchIds)]],
    );
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** Ids of the batches' sendings that meet a condition on `s`. */
  async sendingsOf(batches: BatchRange[], condition: string): Promise<string[]> {
    // `offset 0` keeps the planner from flattening the subquery: each batch is one range scan of the primary key.
    const rows = await this.db.query<{ id: string }>(
      `select s.id from unnest($1::bigint[], $2::uuid[], $3::uuid[]) b (id, first_id, last_id),
         lateral (select id from sendings s where s.id between b.first_id and b.last_id and s.batch_id = b.id and ${condition} offset 0) s`,
      [batches.map((b) => b.id), batches.map((b) => b.firstId), batches.map((b) => b.lastId)],
    );
    return rows.map(({ id }) => id);
  }

  async addTriggers(
    triggers: { id: string; taskId: string | null; trigger: number; dueAt: Date }[],
  ): Promise<void> {
    await this.db.query(
      `insert into fallback_triggers (sending_id, task_id, trigger, due_at)
       select * from unnest($1::uuid[], $2::uuid[], $3::smallint[], $4::timestamptz[]) on conflict (sending_id) do nothing`,
      [
        triggers.map((t) => t.id),
        triggers.map((t) => t.taskId),
        triggers.map((t) => t.trigger),
        triggers.map((t) => t.dueAt),
      ],
    );
  }

  /** After a late delivery: deletes the pending triggers of the attempts' failures and returns their successors that are not submitted yet. */
  async cancelFallbacks(ids: string[]): Promise<string[]> {
    await this.db.query(
      `delete from fallback_triggers where sending_id = any($1) and trigger <> ${TRIGGER_CODES.incoming}`,
      [ids],
    );
    const rows = await this.db.query<{ id: string }>(
      `select n.id from sendings s join sendings n on n.chain_id = coalesce(s.chain_id, s.id) and n.attempt > s.attempt
         join batches b on b.id = n.batch_id
        where s.id = any($1) and n.status is null and ${UNSUBMITTED}
        order by b.id for update of b`,
      [ids],
    );
    return rows.map((r) => r.id);
  }

  /**
   * Ends chains: no attempt follows. Returns their last attempts, and those that are not submitted yet. Locks the batches of these,
   * so that they are not submitted in between.
   */
  async endChains(chainIds: string[]): Promise<{ last: string[]; unsubmitted: string[] }> {
    const attempts = `(select id from sendings where id = any($1) union all select id from sendings where chain_id = any($1))`;
    await this.db.query(`delete from fallback_triggers where sending_id in ${attempts}`, [
      chainIds,
    ]);
    await this.db.query(
      `update sendings set is_last = true where id in ${attempts} and not is_last`,
      [chainIds],
    );
    const rows = await this.db.query<{ id: string; chain: string; isUnsubmitted: boolean }>(
      `select s.id, coalesce(s.chain_id, s.id) as chain, s.status is null and ${UNSUBMITTED} as "isUnsubmitted"
         from sendings s join batches b on b.id = s.batch_id where s.id in ${attempts} order by b.id for update of b`,
      [chainIds],
    );
    const last = new Map<string, string>();
    for (const { id, chain } of rows) if (id > (last.get(chain) ?? '')) last.set(chain, id);
    return {
      last: [...last.values()],
      unsubmitted: rows.filter((row) => row.isUnsubmitted).map(({ id }) => id),
    };
  }
}
