import { Injectable } from '@nestjs/common';
import { MAX_ENTITIES } from '@heliograph/contract';
import {
  mergeReports,
  nextStep,
  outcomeCode,
  outcomeOf,
  outcomeOfFailure,
  statusOf,
  STOPPED,
  typeOf,
  type TriggerEvent,
  type Status,
  type StatusReport,
  type Trigger,
} from '@heliograph/domain';
import { Clock } from '../../../core/clock.ts';
import { Db } from '../../../core/db/db.ts';
import { Events } from '../../../core/events/events.ts';
import { Jobs } from '../../../core/jobs/queue.ts';
import { Metrics } from '../../../core/metrics/metrics.ts';
import { BillingsService } from '../../billings/billings.service.ts';
import { TasksService, type OutcomeCounts } from '../../tasks/tasks.service.ts';
import { planOf, type ChainPlan } from '../plan.ts';
import {
  ReportsStore,
  type AttemptRow,
  type Changed,
  type End,
  type Net,
} from './reports.store.ts';

export interface Report extends StatusReport {
  /** Our id of the sending. */
  id: string;
  /** What the carrier noticed on the way: `ported`, `roaming`. */
  note?: string;
}

export const TRIGGERS: Record<Trigger, number> = { status: 1, timeout: 2, incoming: 3 };
const FAILED = 5;
/** What a task counts its recipients as. */
const COUNTER = { delivered: 'completed', failed: 'errored', cancelled: 'cancelled' } as const;

/**
 * What reports do, wherever they come from: a carrier, the simulator, our own clock. The rows that really changed
 * decide the rest: refunds, what follows in the chain, counters, events. All of it is one transaction.
 */
@Injectable()
export class ReportsService {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
    private readonly events: Events,
    private readonly store: ReportsStore,
    private readonly billings: BillingsService,
    private readonly tasks: TasksService,
    private readonly metrics: Metrics,
  ) {}

  /** Ids of the sendings that changed. */
  apply(reports: Report[]): Promise<string[]> {
    return this.db.transaction(async () => {
      if (!reports.length) return [];
      const changed = await this.store.apply(merge(reports));
      if (!changed.length) return [];
      const late = changed.filter((c) => c.was === FAILED).map((c) => c.id);
      const superseded = late.length ? await this.store.findSuperseded(late) : [];
      const follow = await this.follow(changed.filter((c) => !c.isLast));
      const ends = this.ends(changed, follow);
      const ended = ends.size ? await this.store.endChains(ends) : [];
      await this.countOutcomes(changed, ended);
      const failed = changed.filter((c) => c.status === FAILED).map((c) => c.id);
      if (failed.length) await this.billings.refund(failed);
      this.tell(changed, ended);
      return [...changed.map((c) => c.id), ...(await this.supersede(superseded))];
    });
  }

  /** What is not handed over any more, because an attempt before it was delivered after all. */
  supersede(ids: string[]): Promise<string[]> {
    const at = this.clock.now();
    return this.apply(ids.map((id) => ({ id, status: 'failed', code: 'superseded', at })));
  }

  /** Asks the rules what follows a signal that reached some attempts, and keeps what is to start. Ids of those that nothing follows. */
  async ask(
    rows: AttemptRow[],
    signalOf: (row: AttemptRow) => TriggerEvent,
  ): Promise<{ done: Set<string>; started: number }> {
    const now = this.clock.now();
    const done = new Set<string>();
    const signals: Parameters<ReportsStore['signal']>[0] = [];
    for (const row of rows) {
      const signal = signalOf(row);
      const step = nextStep(planOfAttempt(row).triggers, progressOf(row), signal, now);
      if (step.do === 'start')
        signals.push({
          id: row.id,
          taskId: row.taskId,
          trigger: TRIGGERS[step.trigger],
          dueAt: now,
        });
      else if (step.do === 'done' && !row.isSignalled && !row.hasSuccessor) done.add(row.id);
    }
    if (signals.length) {
      await this.store.signal(signals);
      this.jobs.enqueue('sendings.fallback', {});
    }
    return { done, started: signals.length };
  }

  /** One signal to many attempts. */
  async signalAll(
    ids: string[],
    signal: TriggerEvent,
  ): Promise<{ rows: AttemptRow[]; done: Set<string> }> {
    const rows = (await this.store.attempts(ids)).filter((r) => r.plan);
    const { done } = await this.ask(rows, () => signal);
    return { rows, done };
  }

  /** Chains that are over because nothing follows their last attempt, of those that failed. */
  async endFailed(rows: AttemptRow[]): Promise<void> {
    const failed = rows.filter((r) => r.status === FAILED);
    if (!failed.length) return;
    const ends = new Map(failed.map((r) => [r.chain, outcomeCode(outcomeOfFailure(r.error))]));
    const ended = await this.store.endChains(ends);
    await this.countOutcomes([], ended);
    this.tell([], ended);
  }

  /** Of attempts with fallbacks behind them, those that nothing follows. */
  private async follow(changed: Changed[]): Promise<Set<string>> {
    if (!changed.length) return new Set();
    const plans = await this.store.plans(changed.map((c) => c.batchId));
    const statuses = new Map<string, Status>();
    for (const { id, chainId, batchId, attempt, status } of changed) {
      const { taskId, plan } = plans.get(batchId)!;
      const { triggers } = planOf(taskId ?? chainId ?? id, plan);
      // Most fallbacks wait for a failure: what is delivered need not be asked about.
      const isAwaited = triggers[attempt]?.onStatus.some((awaited) => awaited !== 'failed');
      if (status === FAILED || isAwaited) statuses.set(id, statusOf(status));
    }
    if (!statuses.size) return new Set();
    const rows = await this.store.attempts([...statuses.keys()]);
    const { done } = await this.ask(rows, ({ id }) => ({
      kind: 'status',
      status: statuses.get(id)!,
    }));
    return done;
  }

  /** How chains end by these changes, where their first attempt's own row does not say it already. */
  private ends(changed: Changed[], done: Set<string>): Map<string, number> {
    const ends = new Map<string, number>();
    for (const c of changed) {
      const chain = c.chainId ?? c.id;
      if (c.status !== FAILED) {
        if (c.chainId && c.status >= 3) ends.set(chain, outcomeCode('delivered'));
      } else if ((c.isLast && c.chainId) || done.has(c.id)) {
        if (!ends.has(chain)) ends.set(chain, outcomeCode(outcomeOfFailure(c.error)));
      }
    }
    return ends;
  }

  private async countOutcomes(changed: Changed[], ended: End[]): Promise<void> {
    const counts = new Map<string, { id: string } & OutcomeCounts>();
    for (const { groupId, outcome, hadOutcome } of [...changed, ...ended]) {
      if (!groupId || outcome === hadOutcome) continue;
      let count = counts.get(groupId);
      if (!count)
        counts.set(groupId, (count = { id: groupId, completed: 0, errored: 0, cancelled: 0 }));
      const [to, from] = [outcomeOf(outcome), outcomeOf(hadOutcome)];
      if (to !== 'pending') count[COUNTER[to]]++;
      if (from !== 'pending') count[COUNTER[from]]--;
    }
    await this.tasks.outcomes([...counts.values()]);
  }

  private count(changed: Changed[]): void {
    const counts = new Map<string, { type: number; status: string; n: number }>();
    for (const { type, status: code, error } of changed) {
      // What its owner stopped is no failure of anybody.
      const status = code === FAILED && error === STOPPED ? 'cancelled' : statusOf(code);
      const key = `${type} ${status}`;
      const count = counts.get(key);
      if (count) count.n++;
      else counts.set(key, { type, status, n: 1 });
    }
    for (const { type, status, n } of counts.values())
      this.metrics.messages(typeOf(type), status, n);
    this.metrics.batch('reported', changed.length);
  }

  /** A chain's end changes what its first attempt shows. */
  private tell(reported: Changed[], ended: End[]): void {
    this.count(reported);
    const changed = [...reported, ...ended.filter((e) => e.outcome !== e.hadOutcome)];
    const tasks = new Map<string, string>();
    if (changed.length <= MAX_ENTITIES)
      for (const c of changed) this.events.changed('sendings', 'updated', c.OwnerId, c.id);
    const counts = new Map<string, { OwnerId: string; groupId: string | null; n: number }>();
    for (const { OwnerId, groupId } of changed) {
      if (groupId) tasks.set(groupId, OwnerId);
      const key = `${OwnerId} ${groupId}`;
      const count = counts.get(key);
      if (count) count.n++;
      else counts.set(key, { OwnerId, groupId, n: 1 });
    }
    if (changed.length > MAX_ENTITIES)
      for (const { OwnerId, groupId, n } of counts.values())
        this.events.counted('sendings', 'updated', OwnerId, groupId, n);
    for (const [id, OwnerId] of tasks) this.events.changed('tasks', 'updated', OwnerId, id);
  }
}

function merge(reports: Report[]): Map<string, Net> {
  const byId = new Map<string, Report[]>();
  for (const report of reports) {
    const known = byId.get(report.id);
    if (known) known.push(report);
    else byId.set(report.id, [report]);
  }
  return new Map(
    [...byId].map(([id, some]) => {
      const note = some.find((report) => report.note)?.note ?? null;
      return [id, { ...mergeReports(some)!, note }];
    }),
  );
}

export function planOfAttempt(row: AttemptRow): ChainPlan {
  return planOf(row.taskId ?? row.chain, row.plan);
}

export function progressOf(row: AttemptRow) {
  return {
    attempt: row.attempt,
    status: statusOf(row.status) as Status,
    submittedAt: row.submittedAt,
    deliveredAt: row.deliveredAt,
    successorStarted: row.hasSuccessor || row.isSignalled,
    stopped: row.isStopped,
    paused: false,
  };
}
