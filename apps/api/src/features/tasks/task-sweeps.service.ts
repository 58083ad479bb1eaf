import { Injectable } from '@nestjs/common';
import { emptyReason, type SendingErrorCode } from '@heliograph/domain';
import { Clock } from '../../core/clock.ts';
import { Config } from '../../core/config.ts';
import { Db } from '../../core/db/db.ts';
import { Events } from '../../core/events/events.ts';
import { Sweeps } from '../../core/jobs/handlers.ts';
import { Jobs } from '../../core/jobs/queue.ts';
import { Log } from '../../core/log.ts';
import { Notifications } from '../../core/notifications.ts';
import { Retention } from '../../core/retention.ts';
import { TaskProgressStore } from './task-progress.store.ts';
import { TaskStatesService } from './task-states.service.ts';
import { TasksService } from './tasks.service.ts';
import { TasksStore } from './tasks.store.ts';
import type { FinishedTask } from './tasks.types.ts';

const COMPLETE_BATCH_SIZE = 100;
/** Small, because a task may have many thousand typed phones. */
const CLEANUP_BATCH_SIZE = 10;
/** Failures caused by the platform or the account: a task all of whose messages failed for one of them has failed itself. */
const SYSTEM_FAILURES: readonly SendingErrorCode[] = [
  'channel_down',
  'insufficient_funds',
  'spend_cap_reached',
  'no_price',
];

/** What becomes of bulks with time: due ones start, finished ones are completed, texts of old ones are deleted. */
@Injectable()
export class TaskSweepsService {
  constructor(
    private readonly db: Db,
    private readonly store: TasksStore,
    private readonly progress: TaskProgressStore,
    private readonly tasks: TasksService,
    private readonly states: TaskStatesService,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
    private readonly events: Events,
    private readonly notifications: Notifications,
    private readonly log: Log,
    private readonly config: Config,
    private readonly retention: Retention,
  ) {}

  /** Starts due tasks, and enqueues running ones whose expansion was interrupted. */
  @Sweeps(500)
  async startDue(): Promise<void> {
    await this.forEach(await this.store.due(this.clock.now()), async ({ id, state }) => {
      if (state === 'running') this.jobs.enqueueOnce('task.expand', { taskId: id });
      else await this.db.transaction(() => this.tasks.start(id));
    });
  }

  /** Completes tasks without open chains, each in its own transaction. */
  @Sweeps(1000)
  async completeFinished(): Promise<boolean> {
    const now = this.clock.now();
    const finished = await this.progress.finished(COMPLETE_BATCH_SIZE);
    const completed = await this.forEach(finished, (task) =>
      this.db.transaction(async () => {
        const reason = await this.failureReason(task);
        const state = reason ? 'failed' : 'completed';
        if (!(await this.states.move(task, 'running', state, now, reason))) return;
        await this.notifications.notify(task.OwnerId, 'SendingsBulkCompleted', {
          id: task.id,
          title: task.title,
          total: task.total,
          completed: task.completed,
        });
        this.events.changed('tasks', 'updated', task.OwnerId, task.id);
      }),
    );
    return completed === COMPLETE_BATCH_SIZE;
  }

  /** Deletes texts and typed recipients of tasks after the retention period, like the texts of their messages. */
  @Sweeps(60_000)
  async dropTexts(): Promise<boolean> {
    const before = this.retention.before(this.config.RETENTION_TEXTS_DAYS);
    if (!before) return false;
    const dropped = await this.db.transaction(() =>
      this.store.dropTexts(before, CLEANUP_BATCH_SIZE),
    );
    return dropped === CLEANUP_BATCH_SIZE;
  }

  /** Continues after a failure. Returns how many succeeded. */
  private async forEach<T extends { id: string }>(
    tasks: T[],
    work: (task: T) => Promise<void>,
  ): Promise<number> {
    let succeeded = 0;
    for (const task of tasks) {
      try {
        await work(task);
        succeeded++;
      } catch (error) {
        this.log.error(
          { err: error, taskId: task.id },
          'Processing a task failed; it will be retried.',
        );
      }
    }
    return succeeded;
  }

  /** Why a task has failed as a whole: it had no recipients, or all messages failed for the same system reason. Else null. */
  private async failureReason({
    id,
    total,
    completed,
    skipped,
  }: FinishedTask): Promise<string | null> {
    if (total === 0) return emptyReason(skipped);
    if (completed > 0) return null;
    const errors = await this.progress.errorsOfTask(id, 2);
    const systemFailure = SYSTEM_FAILURES.find((code) => code === errors[0]);
    return errors.length === 1 && systemFailure ? systemFailure : null;
  }
}
