import { Injectable } from '@nestjs/common';
import { can } from '@heliograph/contract';
import { parseMoney, uncoveredReason, type OperationReason } from '@heliograph/domain';
import { rightsOf, type AccessScope } from '../../core/auth/actor.ts';
import { Owners } from '../../core/auth/owners.ts';
import { Clock } from '../../core/clock.ts';
import { Db } from '../../core/db/db.ts';
import { HandlesJob, Sweeps } from '../../core/jobs/handlers.ts';
import { Jobs } from '../../core/jobs/queue.ts';
import { Log } from '../../core/log.ts';
import { Notifications } from '../../core/notifications.ts';
import { Shutdown } from '../../core/shutdown.ts';
import { BillingsService, type CurrencyPosting } from '../billings/billings.service.ts';
import { SettingsService } from '../settings/settings.service.ts';
import { OtherTasksService } from '../tasks/other-tasks.service.ts';
import { BillingOperationsStore, type Claimed } from './billing-operations.store.ts';
import { OperationReport } from './operation-report.ts';
import { OperationRowsStore, type OpenRow } from './operation-rows.store.ts';

/** Rows of one transaction: short enough that a message of an account in it hardly waits for the balance. */
const BATCH_SIZE = 500;

/** `entered`: there may be more rows. `waiting`: the task is paused. */
type Step = 'entered' | 'finished' | 'waiting' | 'superseded';

/**
 * Enters the rows of started operations. A batch is one transaction of entries, balances, outcomes and counters, so a worker that is
 * killed leaves whole batches, and the next one continues behind them. The lease keeps two workers from the same operation; the token
 * in `renew` and the origin of each entry make it safe if they meet.
 */
@Injectable()
export class OperationWorker {
  constructor(
    private readonly db: Db,
    private readonly store: BillingOperationsStore,
    private readonly rows: OperationRowsStore,
    private readonly report: OperationReport,
    private readonly billings: BillingsService,
    private readonly tasks: OtherTasksService,
    private readonly settings: SettingsService,
    private readonly owners: Owners,
    private readonly notifications: Notifications,
    private readonly jobs: Jobs,
    private readonly shutdown: Shutdown,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  @HandlesJob('billings.operate')
  async run(): Promise<void> {
    while (!this.shutdown.isStopping) {
      const claimed = await this.store.claim();
      if (!claimed) return;
      try {
        await this.process(claimed);
      } catch (error) {
        // The lease ends by itself, so that an operation that fails at once is not repeated without a pause.
        this.log.error(
          { err: error, taskId: claimed.id },
          'A bulk operation failed; it will be continued.',
        );
        return;
      }
    }
  }

  @Sweeps(1000)
  async sweepOperations(): Promise<void> {
    if (await this.store.isWaiting()) this.jobs.enqueueOnce('billings.operate', {});
  }

  /** Continues an operation until its end, a pause or the shutdown. Does nothing when its lease was taken over. */
  async process(claimed: Claimed): Promise<void> {
    let step: Step = 'entered';
    while (step === 'entered' && !this.shutdown.isStopping) step = await this.enterBatch(claimed);
    if (step === 'finished') await this.finish(claimed);
    else if (step !== 'superseded') await this.store.release(claimed);
  }

  private enterBatch(claimed: Claimed): Promise<Step> {
    const { id, OwnerId, UserId } = claimed;
    return this.db.transaction(async () => {
      const state = await this.tasks.lockState(id);
      if (!(await this.store.renew(claimed))) return 'superseded';
      if (state === 'paused') return 'waiting';
      if (state !== 'running') return this.close(claimed, 'stopped');
      const scope = await this.scopeOf(claimed);
      if (!scope) return this.close(claimed, 'forbidden');
      const open = await this.rows.open(id, scope, BATCH_SIZE);
      if (!open.length) return 'finished';
      // Counters are locked before balances.
      await this.tasks.lockCounters(id);
      const outcomes = await this.enter(open, UserId);
      await this.rows.setOutcomes(outcomes);
      const errored = outcomes.filter(({ reason }) => reason).length;
      await this.tasks.progress({ id, OwnerId }, { completed: open.length - errored, errored });
      return 'entered';
    });
  }

  private async enter(
    open: OpenRow[],
    createdBy: string,
  ): Promise<{ id: string; reason: OperationReason | null }[]> {
    const postings = new Map<string, CurrencyPosting>();
    for (const { id, accountId, currency, amount, comment, isWithin, hasCurrency } of open) {
      if (!isWithin || !hasCurrency) continue;
      const origin = { type: 'operation' as const, id };
      postings.set(id, {
        OwnerId: accountId,
        currency,
        amount: parseMoney(amount),
        origin,
        comment,
        createdBy,
      });
    }
    const posted = await this.billings.postAll([...postings.values()]);
    return open.map(({ id, amount, isWithin }) => {
      const posting = postings.get(id);
      if (posting)
        return { id, reason: posted.has(posting) ? null : uncoveredReason(parseMoney(amount)) };
      return {
        id,
        reason: isWithin ? ('currency_changed' as const) : ('unknown_account' as const),
      };
    });
  }

  /** The rows that are left are not entered. */
  private async close({ id, OwnerId }: Claimed, reason: 'stopped' | 'forbidden'): Promise<Step> {
    const outcome = reason === 'stopped' ? 'cancelled' : 'refused';
    const errored = await this.rows.close(id, outcome, reason);
    if (reason === 'forbidden') await this.tasks.progress({ id, OwnerId }, { errored });
    return 'finished';
  }

  /** What the user may change now. Null if it may no longer change balances. */
  private async scopeOf({ UserId }: Claimed): Promise<AccessScope | null> {
    const holder = await this.owners.holder(UserId);
    if (!holder) return null;
    const { permissions, scope } = rightsOf(holder);
    const { processChildrenOperations } = await this.settings.ofAccount(holder.OwnerId);
    const isPermitted =
      can(permissions, 'billings.generate', 'managerUp') && processChildrenOperations;
    return isPermitted ? scope : null;
  }

  /** Stores the report outside of a transaction, then its row and the end of the task in one. */
  private async finish(claimed: Claimed): Promise<void> {
    const { id, OwnerId, filename } = claimed;
    const file = await this.report.store(claimed);
    try {
      await this.db.transaction(async () => {
        await this.tasks.lockState(id);
        if (!(await this.store.renew(claimed)))
          throw new Error('Another worker has taken over the operation');
        await this.report.add(file);
        const { applied, refused, cancelled, isForbidden } = await this.rows.counts(id);
        await this.tasks.setReport(claimed, file.id);
        await this.tasks.finish(
          claimed,
          isForbidden ? 'failed' : 'completed',
          isForbidden ? 'forbidden' : null,
        );
        await this.store.finish(claimed, file.id, this.clock.now());
        const data = { id, file: filename, applied, refused, cancelled: cancelled || null };
        await this.notifications.notify(OwnerId, 'OperationsCompleted', data, claimed.UserId);
      });
    } catch (error) {
      await this.report.discard(file);
      throw error;
    }
  }
}
