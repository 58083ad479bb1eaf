import { Injectable } from '@nestjs/common';
import { statusOf, typeCode, type Money } from '@heliograph/domain';
import { Clock } from '../../../core/clock.ts';
import { Db, violated } from '../../../core/db/db.ts';
import { Events } from '../../../core/events/events.ts';
import { DueRows } from '../../../core/jobs/due-rows.ts';
import { HandlesJob, Sweeps } from '../../../core/jobs/handlers.ts';
import { Jobs } from '../../../core/jobs/queue.ts';
import { Shutdown } from '../../../core/shutdown.ts';
import { TasksService } from '../../tasks/tasks.service.ts';
import { ChargesService, isUncovered } from '../../billings/charges.service.ts';
import { InsertStore } from '../insert.store.ts';
import { planOfAttempt, type AttemptRow } from '../reports/attempt.ts';
import { ReportsService } from '../reports/reports.service.ts';
import { ReportsStore } from '../reports/reports.store.ts';
import { TRIGGER_CODES } from '../reports/trigger-codes.ts';
import { SealedChanges, type SealedChange } from '../sealed-changes.service.ts';
import { FallbackStore } from './fallback.store.ts';
import { batchesOfFallbacks, SuccessorsService, type Successor } from './successors.service.ts';

const BATCH_SIZE = 1000;

/** Starts the next attempts of chains: new sendings with the same chainId, charged like any other. */
@Injectable()
export class FallbackService {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
    private readonly rows: DueRows,
    private readonly events: Events,
    private readonly store: FallbackStore,
    private readonly sendings: ReportsStore,
    private readonly reports: ReportsService,
    private readonly inserts: InsertStore,
    private readonly charges: ChargesService,
    private readonly successors: SuccessorsService,
    private readonly tasks: TasksService,
    private readonly shutdown: Shutdown,
    private readonly sealed: SealedChanges,
  ) {}

  @HandlesJob('sendings.fallback')
  async start(): Promise<void> {
    while (!this.shutdown.isStopping) if (!(await this.startBatch())) return;
    this.jobs.enqueue('sendings.fallback', {});
  }

  @Sweeps(500)
  async sweep(): Promise<void> {
    if (await this.store.isDue(this.clock.now())) this.jobs.enqueue('sendings.fallback', {});
  }

  private startBatch(): Promise<boolean> {
    return this.rows.process({
      what: 'starting fallbacks',
      limit: BATCH_SIZE,
      take: (limit) => this.startUpTo(limit),
      postpone: (ms) => this.store.postponeFirst(this.clock.now(), ms),
    });
  }

  /** True when more may be due. */
  private async startUpTo(limit: number): Promise<boolean> {
    try {
      return await this.db.transaction(() => this.startDue(limit, false));
    } catch (error) {
      if (!isUncovered(error) && !isDuplicate(error)) throw error;
      return this.db.transaction(() => this.startDue(limit, true));
    }
  }

  /** Optimistic at first. After a conflict over a balance or a chain `pessimistic`: with locks, and skipping successors that exist. */
  private async startDue(limit: number, pessimistic: boolean): Promise<boolean> {
    const due = await this.store.takeDue(this.clock.now(), limit);
    if (!due.length) return false;
    // After what was read: no attempt is older than the end of the one before it.
    const now = this.clock.now();
    const triggers = new Map(due.map((d) => [d.id, d.trigger]));
    const rows = await this.sendings.attempts(due.map((d) => d.id));
    const open = rows.filter(
      (row) => !row.hasSuccessor && !isSuperseded(row, triggers.get(row.id)!),
    );
    // Counters are locked before balances everywhere; the other order could deadlock.
    if (pessimistic)
      await this.tasks.lockCounters([...new Set(open.flatMap((row) => row.taskId ?? []))]);
    const { starts, funds } = await this.successors.prepare(open, now, pessimistic);
    const paid = starts.filter((s) => !s.refusal);
    const refused = starts.filter((s) => s.refusal);
    const created = await this.inserts.insert(
      [...batchesOfFallbacks(paid, now, false), ...batchesOfFallbacks(refused, now, true)],
      now,
      !pessimistic,
    );
    const createdIds = new Set(created.map((c) => c.id));
    await this.reports.apply(
      refused
        .filter((s) => createdIds.has(s.row.id))
        .map((s) => ({ id: s.row.id, status: 'failed', code: s.refusal!, at: now })),
    );
    await this.addAmounts(starts, createdIds);
    await this.charges.charge(created);
    await this.charges.notifyReached(funds);
    const sealed = starts.filter(({ from, row }) => from.plan.isSealed && createdIds.has(row.id));
    await this.sealed.changed(sealed.map((start) => sealedStart(start)));
    for (const { from, row } of starts)
      this.events.counted('sendings', 'created', row.OwnerId, from.groupId, 1);
    this.jobs.enqueue('sendings.dispatch', {});
    return due.length === limit;
  }

  private async addAmounts(starts: Successor[], createdIds: Set<string>): Promise<void> {
    const amounts = new Map<string, Money>();
    for (const { from, row } of starts) {
      if (from.taskId && createdIds.has(row.id))
        amounts.set(from.taskId, (amounts.get(from.taskId) ?? 0n) + row.quote.amount!);
    }
    await this.tasks.outcomes([...amounts].map(([id, amount]) => ({ id, amount })));
  }
}

const sealedStart = ({ from, row, refusal }: Successor): SealedChange => ({
  id: row.id,
  chainId: from.chain,
  type: typeCode(planOfAttempt(from).attempts[from.attempt + 1]!.type),
  status: null,
  isSent: refusal === null,
});

/** The successor exists: another trigger of the same attempt has started it. */
const isDuplicate = (error: unknown): boolean => violated(error) === 'sendings_chain';

/** Whether the failure that triggered the fallback was followed by a late delivery. */
function isSuperseded(row: AttemptRow, trigger: number): boolean {
  const status = statusOf(row.status);
  return (
    trigger === TRIGGER_CODES.status &&
    (status === 'delivered' || status === 'seen') &&
    !isTriggeredBy(row, status)
  );
}

/** Whether the plan starts the fallback by this status or by one that precedes it. */
function isTriggeredBy(row: AttemptRow, status: 'delivered' | 'seen'): boolean {
  const statuses = planOfAttempt(row).triggers[row.attempt]?.onStatus ?? [];
  return statuses.some(
    (s) => s === 'sent' || s === 'processing' || s === 'delivered' || s === status,
  );
}
