import { Injectable } from '@nestjs/common';
import { MAX_ENTITIES } from '@heliograph/contract';
import {
  isFinal,
  mergeReports,
  nextStep,
  OUTCOME_CODES,
  outcomeCode,
  outcomeOf,
  outcomeOfFailure,
  STATUS_CODES,
  statusOf,
  STOPPED,
  typeOf,
  type Status,
  type NumberLookup,
  type StatusReport,
  type TriggerEvent,
} from '@heliograph/domain';
import { Clock } from '../../../core/clock.ts';
import { Db } from '../../../core/db/db.ts';
import { Events } from '../../../core/events/events.ts';
import { Jobs } from '../../../core/jobs/queue.ts';
import { Metrics } from '../../../core/metrics/metrics.ts';
import { ChargesService, type SettledCall } from '../../billings/charges.service.ts';
import { TasksService, type OutcomeCounts } from '../../tasks/tasks.service.ts';
import { planOf } from '../plan.ts';
import { planOfAttempt, progressOf, type AttemptRow } from './attempt.ts';
import { ClosingStore } from './closing.store.ts';
import {
  ReportsStore,
  type ChangedOutcome,
  type ChangedSending,
  type MergedSendingReport,
} from './reports.store.ts';
import { CallCostsService } from '../call-costs.service.ts';
import { AwaitedLookupsService } from '../awaited-lookups.service.ts';
import { FoundNetworksService } from '../found-networks.service.ts';
import { ChannelReceipts } from '../channel-receipts.ts';
import { SealedChanges } from '../sealed-changes.service.ts';
import { StatusEvents } from '../status-events.ts';
import { TRIGGER_CODES } from './trigger-codes.ts';

export interface Report extends StatusReport {
  /** Our id of the sending. */
  id: string;
  /** The carrier's remark: `ported`, `roaming`. */
  note?: string;
  /** What a look-up says of the number. */
  lookup?: NumberLookup | null;
  /** Of a call that was delivered and has ended: for how long it was answered. */
  seconds?: number | null;
}

/** An incoming text that answers an attempt. */
export interface Reply {
  id: string;
  text: string;
  at: Date;
}

type SettledSending = SettledCall & Pick<ChangedSending, 'groupId'>;

const FAILED = STATUS_CODES.failed;
const isOver = ({ status }: ChangedSending) => status >= STATUS_CODES.delivered;
/** Task counters by the outcome of a chain. */
const COUNTERS = { delivered: 'completed', failed: 'errored', cancelled: 'cancelled' } as const;

/**
 * Applies reports of any source: a carrier, the simulator, a deadline. The rows that changed decide about refunds, fallbacks,
 * counters and events. All of it is one transaction.
 */
@Injectable()
export class ReportsService {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
    private readonly events: Events,
    private readonly store: ReportsStore,
    private readonly charges: ChargesService,
    private readonly tasks: TasksService,
    private readonly metrics: Metrics,
    private readonly statusEvents: StatusEvents,
    private readonly sealed: SealedChanges,
    private readonly closing: ClosingStore,
    private readonly receipts: ChannelReceipts,
    private readonly foundNetworks: FoundNetworksService,
    private readonly callCosts: CallCostsService,
    private readonly awaited: AwaitedLookupsService,
  ) {}

  /** Returns the ids of the sendings that changed. */
  apply(reports: Report[]): Promise<string[]> {
    return this.db.transaction(async () => {
      if (!reports.length) return [];
      const changed = await this.store.apply(mergeById(reports));
      const settled = await this.settle(reports, changed);
      if (!changed.length && !settled.length) return [];
      await this.keepLookups(reports, changed);
      await this.awaited.end(changed.filter((c) => c.isAwaited && isOver(c)).map(({ id }) => id));
      await this.statusEvents.reported(changed);
      this.closing.note(changed.filter(isOver).map((c) => c.batchId));
      this.receipts.reported(changed);
      const lateDeliveries = changed.filter((c) => c.previousStatus === FAILED).map((c) => c.id);
      const superseded = lateDeliveries.length
        ? await this.store.cancelFallbacks(lateDeliveries)
        : [];
      const finished = await this.triggerByStatus(changed.filter((c) => !c.isLast));
      const outcomes = this.outcomesOf(changed, finished);
      const changedOutcomes = outcomes.size ? await this.store.setOutcomes(outcomes) : [];
      const failed = changed.filter((c) => c.status === FAILED).map((c) => c.id);
      // All reports of a task wait for its one row of counters, so it is locked behind the entries.
      await this.charges.refund(failed, settled, () =>
        this.countOutcomes(changed, changedOutcomes),
      );
      this.emit(changed, changedOutcomes, settled);
      await this.sealed.changed(changed.filter((c) => c.isSealed));
      const ids = new Set([...changed, ...settled].map(({ id }) => id));
      return [...ids, ...(await this.supersede(superseded))];
    });
  }

  /**
   * Calls that are charged by their length cost what it says, once they are delivered; what failed is refunded as a whole. What their carrier takes
   * is noted by the same length.
   */
  private async settle(reports: Report[], changed: ChangedSending[]): Promise<SettledSending[]> {
    const calls = changed.filter((c) => typeOf(c.type) === 'voice');
    const failed = calls.filter((c) => c.status === FAILED);
    const lengths = lengthsOf(reports);
    const revived = calls.filter((c) => c.previousStatus === FAILED && !lengths.has(c.id));
    await this.callCosts.revived(revived.map(({ id }) => id));
    if (!lengths.size && !failed.length) return [];
    const delivered = new Set(
      lengths.size ? await this.store.deliveredOf([...lengths.keys()]) : [],
    );
    const answered = new Map([...lengths].filter(([id]) => delivered.has(id)));
    await this.callCosts.reported(
      new Map<string, number | null>([...failed.map(({ id }) => [id, null] as const), ...answered]),
    );
    const settled = answered.size ? await this.charges.settle(answered) : [];
    if (!settled.length) return [];
    const groups = new Map(
      (await this.store.setAmounts(settled)).map(({ id, groupId }) => [id, groupId]),
    );
    return settled.map((one) => ({ ...one, groupId: groups.get(one.id) ?? null }));
  }

  /** What look-ups have found out, with the reports that count. */
  private async keepLookups(reports: Report[], changed: ChangedSending[]): Promise<void> {
    const found = new Map(reports.flatMap(({ id, lookup }) => (lookup ? [[id, lookup]] : [])));
    const answered = changed.filter(
      ({ id, type, isAwaited }) => typeOf(type) === 'hlr' && (found.has(id) || isAwaited),
    );
    if (!answered.length) return;
    const said = answered.flatMap(({ id }) => {
      const lookup = found.get(id);
      return lookup ? [{ id, lookup }] : [];
    });
    if (said.length) await this.store.keepLookups(said);
    await this.foundNetworks.keep(
      answered.flatMap(({ id, OwnerId, phone, status }) => {
        const network = found.get(id)?.network;
        const isKnown = network || statusOf(status) === 'delivered' || statusOf(status) === 'seen';
        return isKnown ? [{ OwnerId, phone, network }] : [];
      }),
    );
  }

  /** Fails attempts that are not submitted any more, because an earlier attempt was delivered after all. */
  private supersede(ids: string[]): Promise<string[]> {
    const at = this.clock.now();
    return this.apply(ids.map((id) => ({ id, status: 'failed', code: 'superseded', at })));
  }

  /** The purpose of chains is reached, or others take their place: nothing of them is sent any more. */
  endChains(chainIds: string[]): Promise<void> {
    return this.db.transaction(async () => {
      const { last, unsubmitted } = await this.store.endChains(chainIds);
      await this.supersede(unsubmitted);
      await this.endFailed(await this.store.attempts(last));
    });
  }

  /** The same event for many attempts. `finished` are the ids of those that no fallback will follow. */
  async trigger(
    ids: string[],
    event: TriggerEvent,
  ): Promise<{ rows: AttemptRow[]; finished: Set<string> }> {
    const rows = (await this.store.attempts(ids)).filter((r) => r.plan);
    const finished = await this.triggerEach(rows, () => event);
    return { rows, finished };
  }

  /** Replies to attempts, in their order. An attempt of which several came together is looked at with each. */
  async triggerByReplies(replies: Reply[]): Promise<void> {
    const bySending = [...Map.groupBy(replies, ({ id }) => id).values()];
    for (let i = 0; bySending.some((own) => i < own.length); i++) {
      const events = new Map(bySending.flatMap((own) => own.slice(i, i + 1).map((r) => [r.id, r])));
      const rows = (await this.store.attempts([...events.keys()])).filter((r) => r.plan);
      await this.triggerEach(rows, ({ id }) => ({ kind: 'incoming', ...events.get(id)! }));
    }
  }

  /** Sets the outcome of chains whose attempt failed and has no fallback left. */
  async endFailed(rows: AttemptRow[]): Promise<void> {
    const failed = rows.filter((r) => r.status === FAILED);
    if (!failed.length) return;
    const outcomes = new Map(failed.map((r) => [r.chain, outcomeCode(outcomeOfFailure(r.error))]));
    const changedOutcomes = await this.store.setOutcomes(outcomes);
    await this.countOutcomes([], changedOutcomes);
    this.emit([], changedOutcomes);
  }

  /** Applies the fallback rules and stores the triggers of fallbacks that start. Returns the ids of attempts that none will follow. */
  private async triggerEach(
    rows: AttemptRow[],
    eventOf: (row: AttemptRow) => TriggerEvent,
  ): Promise<Set<string>> {
    const now = this.clock.now();
    const finished = new Set<string>();
    const triggers: Parameters<ReportsStore['addTriggers']>[0] = [];
    for (const row of rows) {
      const step = nextStep(planOfAttempt(row).triggers, progressOf(row), eventOf(row), now);
      if (step.do === 'start')
        triggers.push({
          id: row.id,
          taskId: row.taskId,
          trigger: TRIGGER_CODES[step.trigger],
          dueAt: now,
        });
      else if (step.do === 'done' && !row.isTriggered && !row.hasSuccessor) finished.add(row.id);
    }
    if (triggers.length) {
      await this.store.addTriggers(triggers);
      this.jobs.enqueue('sendings.fallback', {});
    }
    return finished;
  }

  /** Triggers the fallbacks of attempts that have some. Returns the ids of attempts that none will follow. */
  private async triggerByStatus(changed: ChangedSending[]): Promise<Set<string>> {
    if (!changed.length) return new Set();
    const plans = await this.store.plans(changed.map((c) => c.batchId));
    const statuses = new Map<string, Status>();
    for (const { id, chainId, batchId, attempt, status } of changed) {
      const { taskId, plan } = plans.get(batchId)!;
      const { triggers } = planOf(taskId ?? chainId ?? id, plan);
      // Most fallbacks wait for a failure only; delivered sendings of these need not be loaded.
      const isAwaited = triggers[attempt]?.onStatus.some((awaited) => awaited !== 'failed');
      if (status === FAILED || isAwaited) statuses.set(id, statusOf(status));
    }
    if (!statuses.size) return new Set();
    const rows = await this.store.attempts([...statuses.keys()]);
    return this.triggerEach(rows, ({ id }) => ({ kind: 'status', status: statuses.get(id)! }));
  }

  /** Outcomes by chain that these changes decide, where `ReportsStore.apply` did not set them with the status of a first attempt. */
  private outcomesOf(changed: ChangedSending[], finished: Set<string>): Map<string, number> {
    const outcomes = new Map<string, number>();
    for (const c of changed) {
      const chain = c.chainId ?? c.id;
      if (c.status !== FAILED) {
        if (c.chainId && isFinal(statusOf(c.status))) outcomes.set(chain, OUTCOME_CODES.delivered);
      } else if ((c.isLast && c.chainId) || finished.has(c.id)) {
        if (!outcomes.has(chain)) outcomes.set(chain, outcomeCode(outcomeOfFailure(c.error)));
      }
    }
    return outcomes;
  }

  private async countOutcomes(changed: ChangedSending[], ended: ChangedOutcome[]): Promise<void> {
    const byTask = new Map<string, { id: string } & OutcomeCounts>();
    for (const { groupId, outcome, previousOutcome } of [...changed, ...ended]) {
      if (!groupId || outcome === previousOutcome) continue;
      let counts = byTask.get(groupId);
      if (!counts)
        byTask.set(groupId, (counts = { id: groupId, completed: 0, errored: 0, cancelled: 0 }));
      const [to, from] = [outcomeOf(outcome), outcomeOf(previousOutcome)];
      if (to !== 'pending') counts[COUNTERS[to]]++;
      if (from !== 'pending') counts[COUNTERS[from]]--;
    }
    await this.tasks.outcomes([...byTask.values()]);
  }

  private countMetrics(changed: ChangedSending[]): void {
    const byStatus = new Map<string, { type: number; status: string; count: number }>();
    for (const { type, status: code, error } of changed) {
      // A message that its owner stopped is not a failure.
      const status = code === FAILED && error === STOPPED ? 'cancelled' : statusOf(code);
      const key = `${type} ${status}`;
      const known = byStatus.get(key);
      if (known) known.count++;
      else byStatus.set(key, { type, status, count: 1 });
    }
    for (const { type, status, count } of byStatus.values())
      this.metrics.messages(typeOf(type), status, count);
    this.metrics.batch('reported', changed.length);
  }

  /** Emits events and metrics. An outcome is shown on the first attempt, so that changes, too. */
  private emit(
    reported: ChangedSending[],
    ended: ChangedOutcome[],
    settled: SettledSending[] = [],
  ): void {
    this.countMetrics(reported);
    const known = new Set(reported.map(({ id }) => id));
    const changed = [
      ...reported,
      ...ended.filter((e) => e.outcome !== e.previousOutcome),
      ...settled.filter(({ id }) => !known.has(id)),
    ];
    const ownerByTask = new Map<string, string>();
    if (changed.length <= MAX_ENTITIES)
      for (const c of changed) this.events.changed('sendings', 'updated', c.OwnerId, c.id);
    const byGroup = new Map<string, { OwnerId: string; groupId: string | null; count: number }>();
    for (const { OwnerId, groupId } of changed) {
      if (groupId) ownerByTask.set(groupId, OwnerId);
      const key = `${OwnerId} ${groupId}`;
      const known = byGroup.get(key);
      if (known) known.count++;
      else byGroup.set(key, { OwnerId, groupId, count: 1 });
    }
    if (changed.length > MAX_ENTITIES)
      for (const { OwnerId, groupId, count } of byGroup.values())
        this.events.counted('sendings', 'updated', OwnerId, groupId, count);
    for (const [id, OwnerId] of ownerByTask) this.events.changed('tasks', 'updated', OwnerId, id);
  }
}

/** For how long calls were answered. Of several reports of one call the earliest counts. */
function lengthsOf(reports: Report[]): Map<string, number> {
  const told = reports.filter(
    ({ status, seconds }) => seconds != null && (status === 'delivered' || status === 'seen'),
  );
  const byTime = told.toSorted((a, b) => +b.at - +a.at || b.seconds! - a.seconds!);
  return new Map(byTime.map(({ id, seconds }) => [id, seconds!]));
}

function mergeById(reports: Report[]): Map<string, MergedSendingReport> {
  const byId = new Map<string, Report[]>();
  for (const report of reports) {
    const known = byId.get(report.id);
    if (known) known.push(report);
    else byId.set(report.id, [report]);
  }
  return new Map(
    [...byId].map(([id, group]) => {
      const note = group.find((report) => report.note)?.note ?? null;
      return [id, { ...mergeReports(group)!, note }];
    }),
  );
}
