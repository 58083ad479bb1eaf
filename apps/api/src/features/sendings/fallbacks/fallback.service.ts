import { Injectable } from '@nestjs/common';
import { statusOf, type Money } from '@heliograph/domain';
import { Clock } from '../../../core/clock.ts';
import { Db, violated } from '../../../core/db/db.ts';
import { Events } from '../../../core/events/events.ts';
import { HandlesJob, Sweeps } from '../../../core/jobs/handlers.ts';
import { Jobs } from '../../../core/jobs/queue.ts';
import { Log } from '../../../core/log.ts';
import { Shutdown } from '../../../core/shutdown.ts';
import { TasksService } from '../../tasks/tasks.service.ts';
import { InsertStore, isUncovered } from '../insert.store.ts';
import { planOfAttempt, ReportsService, TRIGGERS } from '../reports/reports.service.ts';
import { ReportsStore, type AttemptRow } from '../reports/reports.store.ts';
import { batchesOf, SuccessorsService, type Successor } from './successors.service.ts';

const SOME = 1000;
/** Until a signal is looked at again that could not be worked off. */
const LATER_MS = 60_000;

/** Signals whose time has come, the oldest first. A paused task's wait; a stopped one's are dropped with it. */
const DUE = `select f.sending_id from fallback_triggers f left join tasks t on t.id = f.task_id
  where f.due_at <= $1 and (f.task_id is null or t.state in ('running', 'completed')) order by f.due_at`;

/** Starts the next attempts of chains: new sendings with the same chainId, charged like any other. */
@Injectable()
export class FallbackService {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly jobs: Jobs,
    private readonly events: Events,
    private readonly store: ReportsStore,
    private readonly reports: ReportsService,
    private readonly inserts: InsertStore,
    private readonly successors: SuccessorsService,
    private readonly tasks: TasksService,
    private readonly shutdown: Shutdown,
  ) {}

  @HandlesJob('sendings.fallback')
  async start(): Promise<void> {
    while (!this.shutdown.isStopping) if (!(await this.turn())) return;
    this.jobs.enqueue('sendings.fallback', {});
  }

  @Sweeps(500)
  async sweep(): Promise<void> {
    const due = await this.db.query(`${DUE} limit 1`, [this.clock.now()]);
    if (due.length) this.jobs.enqueue('sendings.fallback', {});
  }

  private async turn(): Promise<boolean> {
    try {
      return await this.take(SOME);
    } catch (error) {
      this.log.error({ err: error }, 'fallbacks could not be started together');
      return this.eachForItself();
    }
  }

  /** One that cannot be started must not hold back the others: it waits, and is tried again. */
  private async eachForItself(): Promise<boolean> {
    for (let i = 0; i < SOME && !this.shutdown.isStopping; i++) {
      try {
        if (!(await this.take(1))) return false;
      } catch (error) {
        const now = this.clock.now();
        const [late] = await this.db.query<{ id: string }>(
          `update fallback_triggers set due_at = $2 where sending_id in (${DUE} limit 1)
           returning sending_id as id`,
          [now, new Date(now.getTime() + LATER_MS)],
        );
        this.log.error({ err: error, sendingId: late?.id }, 'a fallback could not be started');
      }
    }
    return true;
  }

  private async take(limit: number): Promise<boolean> {
    try {
      return await this.db.transaction(() => this.some(limit, false));
    } catch (error) {
      if (!isUncovered(error) && !isRepeated(error)) throw error;
      return this.db.transaction(() => this.some(limit, true));
    }
  }

  /** First in the hope that money and chains are nobody else's now; where they were (`pessimistic`), behind locks and passing repeats over. */
  private async some(limit: number, pessimistic: boolean): Promise<boolean> {
    const now = this.clock.now();
    const due = await this.db.query<{ id: string; trigger: number }>(
      `delete from fallback_triggers where sending_id in (${DUE} limit $2 for update of f skip locked)
       returning sending_id as id, trigger`,
      [now, limit],
    );
    if (!due.length) return false;
    const triggers = new Map(due.map((d) => [d.id, d.trigger]));
    const rows = await this.store.attempts(due.map((d) => d.id));
    const stands = rows.filter(
      (row) => !row.hasSuccessor && !isSuperseded(row, triggers.get(row.id)!),
    );
    // Counters come before balances: whoever holds these all the time needs those first.
    if (pessimistic)
      await this.tasks.holdCounters([...new Set(stands.flatMap((row) => row.taskId ?? []))]);
    const starts = await this.successors.prepare(stands, now, pessimistic);
    const paid = starts.filter((s) => !s.refusal);
    const refused = starts.filter((s) => s.refusal);
    const created = await this.inserts.insert(
      [...batchesOf(paid, now, false), ...batchesOf(refused, now, true)],
      now,
      !pessimistic,
    );
    const there = new Set(created.map((c) => c.id));
    await this.reports.apply(
      refused
        .filter((s) => there.has(s.row.id))
        .map((s) => ({ id: s.row.id, status: 'failed', code: s.refusal!, at: now })),
    );
    await this.addAmounts(starts, there);
    await this.inserts.charge(created);
    for (const { from, row } of starts)
      this.events.counted('sendings', 'created', row.OwnerId, from.groupId, 1);
    this.jobs.enqueue('sendings.dispatch', {});
    return due.length === limit;
  }

  private async addAmounts(starts: Successor[], there: Set<string>): Promise<void> {
    const amounts = new Map<string, Money>();
    for (const { from, row } of starts) {
      if (from.taskId && there.has(row.id))
        amounts.set(from.taskId, (amounts.get(from.taskId) ?? 0n) + row.quote.amount!);
    }
    await this.tasks.outcomes([...amounts].map(([id, amount]) => ({ id, amount })));
  }
}

/** The successor exists: another signal of its forerunner was quicker. */
const isRepeated = (error: unknown): boolean => violated(error) === 'sendings_chain';

/** A failure that a late delivery has overtaken starts nothing any more. */
function isSuperseded(row: AttemptRow, trigger: number): boolean {
  const status = statusOf(row.status);
  return (
    trigger === TRIGGERS.status &&
    (status === 'delivered' || status === 'seen') &&
    !isWanted(row, status)
  );
}

function isWanted(row: AttemptRow, status: 'delivered' | 'seen'): boolean {
  const statuses = planOfAttempt(row).triggers[row.attempt]?.onStatus ?? [];
  return statuses.some(
    (s) => s === 'sent' || s === 'processing' || s === 'delivered' || s === status,
  );
}
