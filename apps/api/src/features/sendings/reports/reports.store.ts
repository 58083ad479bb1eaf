import { Injectable } from '@nestjs/common';
import {
  outcomeCode,
  outcomeOfFailure,
  statusCode,
  type MergedReport,
  type StoredStatus,
} from '@heliograph/domain';
import { Db } from '../../../core/db/db.ts';
import { columns } from '../columns.ts';
import type { StoredSending } from '../plan.ts';

/** What the reports of a sending come to. */
export interface Net extends MergedReport {
  /** What the carrier noticed on the way; kept where failures have their reason. */
  note: string | null;
}

/** A row that a report really changed. */
export interface Changed {
  id: string;
  OwnerId: string;
  groupId: string | null;
  chainId: string | null;
  batchId: string;
  attempt: number;
  isLast: boolean;
  type: number;
  status: number;
  was: number | null;
  error: string | null;
  /** Only of a first attempt: how its chain ended, and how it stood before. */
  outcome: number | null;
  hadOutcome: number | null;
}

/** A batch and the ids between which its sendings lie. */
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

/** How a chain ended, and how it stood before. */
export interface End {
  id: string;
  OwnerId: string;
  groupId: string | null;
  outcome: number;
  hadOutcome: number | null;
}

const DELIVERED = outcomeCode('delivered');

const RETURNED = `s.id, s.owner_id as "OwnerId", s.group_id as "groupId", s.chain_id as "chainId",
  s.batch_id as "batchId", s.attempt, s.is_last as "isLast", s.type, new.status, old.status as was, new.error, new.outcome, old.outcome as "hadOutcome"`;

@Injectable()
export class ReportsStore {
  constructor(private readonly db: Db) {}

  /**
   * One statement for any number of sendings, guarded by the order of statuses (domain canTransition): what comes late,
   * twice or out of order changes nothing. The middle states are written on a row only where it is ahead of its batch.
   */
  apply(reports: Map<string, Net>): Promise<Changed[]> {
    const rows = [...reports].sort(([a], [b]) => (a < b ? -1 : 1));
    const c = columns(rows, {
      id: ['uuid', ([id]) => id],
      status: ['smallint', ([, r]) => statusCode(r.status as StoredStatus)],
      error: ['text', ([, r]) => (r.status === 'failed' ? (r.code ?? 'unknown') : r.note)],
      sent_at: ['timestamptz', ([, r]) => (r.status === 'sent' ? r.sentAt : null)],
      delivered_at: ['timestamptz', ([, r]) => r.deliveredAt ?? r.seenAt],
      seen_at: ['timestamptz', ([, r]) => r.seenAt],
      failed_at: ['timestamptz', ([, r]) => r.failedAt],
      failure: ['smallint', ([, r]) => outcomeCode(outcomeOfFailure(r.code))],
    });
    const names = Object.keys(c.expressions);
    return this.db.query<Changed>(
      `update sendings s set
         status = r.status,
         error = case when r.status in (3, 4, 5) then coalesce(r.error, case when s.status = 3 then s.error end) end,
         sent_at = case when r.status = 2 then r.sent_at else s.sent_at end,
         delivered_at = case when r.status in (3, 4) then coalesce(s.delivered_at, r.delivered_at) end,
         seen_at = case when r.status = 4 then r.seen_at end,
         failed_at = case when r.status = 5 then r.failed_at end,
         outcome = case when s.chain_id is not null then s.outcome
                        when r.status in (3, 4) then ${DELIVERED}
                        when r.status = 5 and s.is_last and s.outcome is null then r.failure
                        else s.outcome end
       from (select ${c.select(names)} from ${c.from}) as r(${names.join(', ')})
       where s.id = r.id and case
         when r.status in (3, 4) then s.status is null or s.status in (1, 2, 5) or s.status < r.status
         when r.status = 5 then s.status is null or s.status < 3
         else (s.status is null or s.status < r.status)
              and r.status > (select stage_status(b.stage) from batches b where b.id = s.batch_id) end
       returning ${RETURNED}`,
      c.parameters,
    );
  }

  /** How chains end that did not end with their own first attempt. An end is only ever overtaken by a delivery. */
  endChains(ends: Map<string, number>): Promise<End[]> {
    const rows = [...ends].sort(([a], [b]) => (a < b ? -1 : 1));
    return this.db.query(
      `update sendings s set outcome = r.outcome from unnest($1::uuid[], $2::smallint[]) as r(id, outcome)
        where s.id = r.id and (s.outcome is null or (s.outcome <> ${DELIVERED} and r.outcome = ${DELIVERED}))
       returning s.id, s.owner_id as "OwnerId", s.group_id as "groupId", new.outcome, old.outcome as "hadOutcome"`,
      [rows.map(([id]) => id), rows.map(([, outcome]) => outcome)],
    );
  }

  /** Where chains stand whose attempt something happened to. */
  async attempts(ids: string[]): Promise<AttemptRow[]> {
    const rows = await this.db.query<Omit<AttemptRow, 'plan'> & { batchId: string }>(
      `select s.id, coalesce(s.chain_id, s.id) as chain, s.owner_id as "OwnerId", s.group_id as "groupId", s.attempt, s.phone,
              coalesce(first.vars, s.vars) as vars, coalesce(s.status, stage_status(b.stage)) as status,
              coalesce(s.sent_at, b.submitted_at) as "submittedAt", s.delivered_at as "deliveredAt", s.error,
              coalesce(t.state = 'stopped', false) or s.error is not distinct from 'superseded' as "isStopped",
              exists (select 1 from sendings n where n.chain_id = coalesce(s.chain_id, s.id) and n.attempt = s.attempt + 1) as "hasSuccessor",
              exists (select 1 from fallback_triggers f where f.sending_id = s.id) as "isSignalled", b.task_id as "taskId", b.channel,
              s.batch_id as "batchId"
         from sendings s join batches b on b.id = s.batch_id left join tasks t on t.id = b.task_id
         left join sendings first on first.id = s.chain_id
        where s.id = any($1)`,
      [ids],
    );
    const plans = await this.plans(rows.map((row) => row.batchId));
    return rows.map((row) => ({ ...row, plan: plans.get(row.batchId)!.plan }));
  }

  /** What the chains of some batches say at each attempt: once for a batch, however many sendings it has. */
  async plans(batchIds: string[]): Promise<Map<string, BatchPlan>> {
    const rows = await this.db.query<BatchPlan>(
      `select b.id, b.task_id as "taskId", b.attempt, coalesce(t.data->'sending', b.plan) as plan
         from batches b left join tasks t on t.id = b.task_id where b.id = any($1)`,
      [[...new Set(batchIds)]],
    );
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** Sendings of some batches that meet a condition on `s`. */
  async sendingsOf(batches: BatchRange[], condition: string): Promise<string[]> {
    // Fenced by `offset 0`: each batch is a range of the key, whatever the planner thinks of the whole.
    const rows = await this.db.query<{ id: string }>(
      `select s.id from unnest($1::bigint[], $2::uuid[], $3::uuid[]) b (id, first_id, last_id),
         lateral (select id from sendings s where s.id between b.first_id and b.last_id and s.batch_id = b.id and ${condition} offset 0) s`,
      [batches.map((b) => b.id), batches.map((b) => b.firstId), batches.map((b) => b.lastId)],
    );
    return rows.map(({ id }) => id);
  }

  async signal(
    signals: { id: string; taskId: string | null; trigger: number; dueAt: Date }[],
  ): Promise<void> {
    await this.db.query(
      `insert into fallback_triggers (sending_id, task_id, trigger, due_at)
       select * from unnest($1::uuid[], $2::uuid[], $3::smallint[], $4::timestamptz[]) on conflict (sending_id) do nothing`,
      [
        signals.map((s) => s.id),
        signals.map((s) => s.taskId),
        signals.map((s) => s.trigger),
        signals.map((s) => s.dueAt),
      ],
    );
  }

  /** What would follow a failure that a late delivery has overtaken: its signal, and a successor not yet handed over. */
  async findSuperseded(ids: string[]): Promise<string[]> {
    await this.db.query(
      `delete from fallback_triggers where sending_id = any($1) and trigger <> 3`,
      [ids],
    );
    const rows = await this.db.query<{ id: string }>(
      `select n.id from sendings s join sendings n on n.chain_id = coalesce(s.chain_id, s.id) and n.attempt > s.attempt
         join batches b on b.id = n.batch_id
        where s.id = any($1) and n.status is null and b.stage in (0, 1)
        order by b.id for update of b`,
      [ids],
    );
    return rows.map((r) => r.id);
  }

  /** Handovers that name carriers' ids and reports that look for them take turns on a channel. */
  async holdReferences(channel: string): Promise<void> {
    await this.db.query(`select pg_advisory_xact_lock(hashtextextended($1, 0))`, [
      `references ${channel}`,
    ]);
  }

  async keepReferences(
    channel: string,
    given: { id: string; externalId: string }[],
  ): Promise<void> {
    await this.db.query(
      `insert into carrier_refs (channel, external_id, sending_id) select $1, * from unnest($2::text[], $3::uuid[]) on conflict do nothing`,
      [channel, given.map((g) => g.externalId), given.map((g) => g.id)],
    );
  }

  /** A call that is posted again parks nothing twice. */
  async keepUnmatched(
    channel: string,
    reports: {
      name: string;
      isExternal: boolean;
      status: string;
      code: string | null;
      at: Date;
    }[],
  ): Promise<void> {
    await this.db.query(
      `insert into unmatched_reports (channel, reference, is_external, status, code, at)
       select $1, * from unnest($2::text[], $3::boolean[], $4::text[], $5::text[], $6::timestamptz[])
       on conflict do nothing`,
      [
        channel,
        reports.map((r) => r.name),
        reports.map((r) => r.isExternal),
        reports.map((r) => r.status),
        reports.map((r) => r.code),
        reports.map((r) => r.at),
      ],
    );
  }

  /** Takes out what was kept unmatched for references that are known now. */
  takeUnmatched(
    channel: string,
    references: string[],
  ): Promise<{ reference: string; status: string; code: string | null; at: Date }[]> {
    return this.db.query(
      `delete from unmatched_reports where channel = $1 and reference = any($2) returning reference, status, code, at`,
      [channel, references],
    );
  }

  /** Which references are sendings handed to a channel; the carrier's own ids through what it gave. */
  async resolve(
    channel: string,
    references: string[],
    externals: string[],
  ): Promise<Map<string, string>> {
    const rows = await this.db.query<{ reference: string; id: string }>(
      `select s.id::text as reference, s.id from sendings s join batches b on b.id = s.batch_id
        where s.id = any($2::uuid[]) and b.channel = $1
       union all
       select external_id, sending_id from carrier_refs where channel = $1 and external_id = any($3)`,
      [channel, references, externals],
    );
    return new Map(rows.map((r) => [r.reference, r.id]));
  }
}

export interface AttemptRow {
  id: string;
  chain: string;
  OwnerId: string;
  groupId: string | null;
  taskId: string | null;
  attempt: number;
  channel: string;
  phone: string;
  /** Values of the variables that the fallbacks name, as they were at the start. */
  vars: Record<string, string | null> | null;
  plan: StoredSending;
  status: number;
  error: string | null;
  submittedAt: Date | null;
  deliveredAt: Date | null;
  /** By its task, or by an earlier attempt that was delivered after all: nothing follows it. */
  isStopped: boolean;
  hasSuccessor: boolean;
  isSignalled: boolean;
}
