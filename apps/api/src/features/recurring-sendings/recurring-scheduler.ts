import { Injectable } from '@nestjs/common';
import { EFFECTS, ERRORS, MAX_FAILED_RUNS, type SendingTask } from '@heliograph/contract';
import { nextOccurrence } from '@heliograph/domain';
import type * as z from 'zod';
import { ActingUsers } from '../../core/auth/acting-users.ts';
import { Owners } from '../../core/auth/owners.ts';
import { Clock, secondsAfter } from '../../core/clock.ts';
import { Db, isUnavailable } from '../../core/db/db.ts';
import { AppError } from '../../core/errors.ts';
import { Events } from '../../core/events/events.ts';
import { Sweeps } from '../../core/jobs/handlers.ts';
import { Log } from '../../core/log.ts';
import { Notifications } from '../../core/notifications.ts';
import { Shutdown } from '../../core/shutdown.ts';
import { SendingsService } from '../sendings/sendings.service.ts';
import { recurrenceOf, type RecurringSending } from './recurring-sending.entity.ts';
import { requestOf } from './recurring-sendings.service.ts';
import { RecurringSendingsStore, type DueRun } from './recurring-sendings.store.ts';

const DUE_BATCH_SIZE = 50;
/** Until a run is tried again that failed for no reason of the account, such as a database that did not answer. */
const RETRY_SECONDS = 60;
/** After so many tries such a run has failed, too. */
const MAX_TRIES = 30;

/** Sends the bulks of recurring sendings, in workers. docs/decisions/147-recurring-sendings.md. */
@Injectable()
export class RecurringScheduler {
  constructor(
    private readonly db: Db,
    private readonly store: RecurringSendingsStore,
    private readonly sendings: SendingsService,
    private readonly users: ActingUsers,
    private readonly owners: Owners,
    private readonly notifications: Notifications,
    private readonly events: Events,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly shutdown: Shutdown,
  ) {}

  @Sweeps(5000)
  async runDue(): Promise<boolean> {
    for (let i = 0; i < DUE_BATCH_SIZE && !this.shutdown.isStopping; i++)
      if (!(await this.runNext())) return false;
    return true;
  }

  /**
   * The bulk, its run and the next due time are one transaction, so that a due time has one bulk, whatever happens to the worker. What is
   * refused is undone as a whole and noted in another transaction. One of which not even that can be noted, such as one whose time zone is no
   * longer known, waits and keeps no other one from its bulk.
   */
  private async runNext(): Promise<boolean> {
    let due: DueRun | null = null;
    try {
      return await this.db.transaction(async () => {
        const row = await this.store.lockDue(this.clock.now());
        due = row && { id: row.id, dueAt: row.nextRunAt! };
        if (row) await this.run(row);
        return row !== null;
      });
    } catch (error) {
      const failed = due as DueRun | null;
      // It is still due, and tried again as soon as the database can be used.
      if (!failed || isUnavailable(error)) throw error;
      await this.note(failed, error).catch(async (unnoted: unknown) => {
        this.log.error({ err: unnoted, recurringId: failed.id }, 'A run could not be noted.');
        await this.store.postpone(failed, secondsAfter(this.clock.now(), RETRY_SECONDS));
      });
      return true;
    }
  }

  private note(failed: DueRun, error: unknown): Promise<void> {
    return this.db.transaction(async () => {
      const row = await this.store.lockNext(failed);
      if (row) await this.fail(row, error);
    });
  }

  private async run(row: RecurringSending): Promise<void> {
    const { id, OwnerId } = row;
    const dueAt = row.nextRunAt!;
    if (!(await this.store.hasRun({ id, dueAt }))) {
      if (!(await this.owners.holder(OwnerId))) throw new AppError('account_inactive');
      const actor = await this.users.of(row, EFFECTS.recurringSending.messages);
      if (!actor) throw new AppError('forbidden');
      const task = await this.sendings.create(actor, requestOf(row, OwnerId), false);
      await this.store.addRun({ id, dueAt }, { TaskId: (task as z.infer<typeof SendingTask>).id });
      row.runs++;
      row.failures = 0;
    }
    await this.advance(row);
  }

  private async fail(row: RecurringSending, error: unknown): Promise<void> {
    const { id, OwnerId, title } = row;
    const refusal = error instanceof AppError && isOfAccount(error) ? error : null;
    if (!refusal) {
      this.log.error({ err: error, recurringId: id }, 'A recurring sending could not be run.');
      if (++row.tries < MAX_TRIES) {
        row.attemptAt = secondsAfter(this.clock.now(), RETRY_SECONDS);
        return this.store.replace(row);
      }
    }
    const { code, message } = refusal ?? new AppError('internal');
    await this.store.addRun({ id, dueAt: row.nextRunAt! }, { code, error: message });
    row.failures++;
    const isForbidden = code === 'forbidden';
    const isPaused = isForbidden || row.failures >= MAX_FAILED_RUNS;
    if (isPaused) row.reason = isForbidden ? 'forbidden' : 'failed';
    await this.advance(row, isPaused);
    await this.notifications.notify(OwnerId, 'RecurringSendingFailed', {
      id,
      title,
      reason: code,
      ...(isPaused && { failures: row.failures }),
    });
  }

  /** Times that were missed meanwhile are passed over. */
  private async advance(row: RecurringSending, isPaused = false): Promise<void> {
    const now = this.clock.now();
    const isLast = row.times !== null && row.runs >= row.times;
    const after = row.nextRunAt! > now ? row.nextRunAt! : now;
    const next = isPaused || isLast ? null : nextOccurrence(recurrenceOf(row), after);
    if (!next && !isPaused) row.reason = 'ended';
    row.isActive = next !== null;
    row.nextRunAt = row.attemptAt = next;
    row.tries = 0;
    await this.store.replace(row);
    this.events.changed('recurringSendings', 'updated', row.OwnerId, row.id);
  }
}

/** A refusal for a reason of the account, which another try would not change. */
const isOfAccount = ({ code }: AppError): boolean => ERRORS[code] < 500;
