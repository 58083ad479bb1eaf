import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Task, tasks, TaskState } from '@heliograph/contract';
import {
  isTaskRemovable,
  isTaskSteerable,
  taskTransition,
  type SendingErrorCode,
} from '@heliograph/domain';
import { may, systemScope, type Actor } from '../../core/auth/actor.ts';
import { Owners } from '../../core/auth/owners.ts';
import { Clock } from '../../core/clock.ts';
import { Config } from '../../core/config.ts';
import { Db } from '../../core/db/db.ts';
import { AppError, invalid } from '../../core/errors.ts';
import { Events } from '../../core/events/events.ts';
import type { In } from '../../core/http/endpoint.ts';
import { Sweeps } from '../../core/jobs/handlers.ts';
import { Jobs } from '../../core/jobs/queue.ts';
import { Log } from '../../core/log.ts';
import { Notifications } from '../../core/notifications.ts';
import { Outbox, type StoredEvent } from '../../core/outbox.ts';
import { Retention } from '../../core/retention.ts';
import { presentTask } from './task.row.ts';
import { TasksStore } from './tasks.store.ts';
import type {
  ChunkCounts,
  CounterChange,
  FinishedTask,
  NewTask,
  OpenTask,
  NewOtherTask,
  ExpansionPosition,
} from './tasks.types.ts';

export type { NewOtherTask, NewTask, OpenTask, OutcomeCounts, TaskData } from './tasks.types.ts';

type Changes = In<typeof tasks.update>['body'];

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
const ACTIONS = { paused: 'pause', stopped: 'stop', scheduled: 'resume' } as const;
type Settable = keyof typeof ACTIONS;
const isSettable = (state: TaskState): state is Settable => state in ACTIONS;

/** States and counters of bulks. Features/sendings expands their audience and submits their messages. */
@Injectable()
export class TasksService implements OnModuleInit {
  constructor(
    private readonly db: Db,
    private readonly store: TasksStore,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
    private readonly events: Events,
    private readonly notifications: Notifications,
    private readonly owners: Owners,
    private readonly log: Log,
    private readonly config: Config,
    private readonly retention: Retention,
    private readonly outbox: Outbox,
  ) {}

  onModuleInit(): void {
    this.events.present(
      'tasks',
      async (ids) => this.owners.withOwners('manager', await this.store.byIds(systemScope, ids)),
      presentTask,
    );
    this.outbox.complete('tasks.state', (_, events) => this.eventData(events));
  }

  async get({ scope, level }: Actor, id: string): Promise<Task> {
    const row = await this.owners.withOwner(level, await this.store.get(scope, id));
    return presentTask(row, level);
  }

  async create(task: NewTask): Promise<Task> {
    await this.store.create(task);
    await this.notifications.notify(task.OwnerId, 'SendingsBulkCreated', {
      id: task.id,
      title: task.title,
      count: task.expected,
    });
    this.events.changed('tasks', 'created', task.OwnerId, task.id);
    const isNow = !task.startsAt || task.startsAt <= task.now;
    if (isNow) await this.start(task.id);
    return presentTask(await this.store.get(systemScope, task.id), 'me');
  }

  /** A row can be put back as it was read: the state that the task has is no change. */
  update(actor: Actor, id: string, { state, title }: Changes): Promise<Task> {
    return this.db.transaction(async () => {
      const task = await this.store.lock(actor.scope, id);
      const now = this.clock.now();
      const action = state && state !== task.state ? actionOf(state) : null;
      if (action) checkSteers(actor, task);
      if (title !== undefined) await this.store.rename(id, title, now);
      if (action) await this.act(task, action, now);
      this.events.changed('tasks', 'updated', task.OwnerId, id);
      return this.get(actor, id);
    });
  }

  /** Stops the task in any open state. Submitted messages are not affected. */
  cancel(actor: Actor, id: string): Promise<Task> {
    return this.db.transaction(async () => {
      const task = await this.store.lock(actor.scope, id);
      checkSteers(actor, task);
      await this.act(task, 'cancel', this.clock.now());
      this.events.changed('tasks', 'updated', task.OwnerId, id);
      return this.get(actor, id);
    });
  }

  /** Refused for a running task. Its sendings stay. */
  remove(actor: Actor, id: string): Promise<{ id: string }> {
    return this.db.transaction(async () => {
      const task = await this.store.lock(actor.scope, id);
      if (!isTaskRemovable(task.state))
        throw new AppError('conflict', 'A running task cannot be removed; stop it first');
      if (task.type !== 'sendings:bulk') checkSteers(actor, task, true);
      await this.store.remove(id, this.clock.now());
      if (task.type === 'sendings:bulk') this.jobs.enqueue('task.drop', { taskId: id });
      this.events.changed('tasks', 'removed', task.OwnerId, id);
      return { id };
    });
  }

  /** The bulk, locked, if it is running. */
  lockRunning(id: string): Promise<OpenTask | undefined> {
    return this.store.lockRunning(id, 'sendings:bulk');
  }

  /** Opens a running task of another type, whose feature does its work. In the caller's transaction. */
  async open(task: NewOtherTask): Promise<void> {
    await this.store.open(task, this.clock.now());
    this.events.changed('tasks', 'created', task.OwnerId, task.id);
  }

  /** A task of another type, locked, if it is running. */
  lockOther(id: string, type: NewOtherTask['type']): Promise<OpenTask | undefined> {
    return this.store.lockRunning(id, type);
  }

  /** The state of a task of another type, locked. Undefined when there is no such task. */
  lockState(id: string): Promise<TaskState | undefined> {
    return this.store.lockState(id);
  }

  /** Running tasks of another type, the oldest first. */
  running(type: NewOtherTask['type'], limit: number): Promise<string[]> {
    return this.store.running(type, limit);
  }

  /** Adds to the counters of a task of another type: what is done is its total. */
  async progress(
    { id, OwnerId }: Pick<OpenTask, 'id' | 'OwnerId'>,
    change: Omit<CounterChange, 'id'>,
  ): Promise<void> {
    await this.store.outcomes([{ ...change, id }]);
    this.events.changed('tasks', 'updated', OwnerId, id);
  }

  setData(id: string, data: NewOtherTask['data']): Promise<void> {
    return this.store.setData(id, data, this.clock.now());
  }

  /** The file with the result of a bulk operation. */
  async setReport(
    { id, OwnerId }: Pick<OpenTask, 'id' | 'OwnerId'>,
    ReportId: string,
  ): Promise<void> {
    await this.store.setReport(id, ReportId, this.clock.now());
    this.events.changed('tasks', 'updated', OwnerId, id);
  }

  /** Ends a running task of another type; false when it does not run any more. */
  async finish(
    { id, OwnerId }: Pick<OpenTask, 'id' | 'OwnerId'>,
    state: 'completed' | 'failed',
    reason: string | null = null,
  ): Promise<boolean> {
    if (!(await this.store.move(id, ['running'], state, this.clock.now(), reason))) return false;
    await this.report(id, OwnerId, state, reason);
    this.events.changed('tasks', 'updated', OwnerId, id);
    return true;
  }

  advance(id: string, position: ExpansionPosition, counts: ChunkCounts, now: Date): Promise<void> {
    return this.store.advance(id, position, counts, now);
  }

  lockCounters(ids: string[]): Promise<void> {
    return ids.length ? this.store.lockCounters(ids) : Promise.resolve();
  }

  outcomes(changes: CounterChange[]): Promise<void> {
    return changes.length ? this.store.outcomes(changes) : Promise.resolve();
  }

  /** Pauses the task for a system reason. Once resumed it continues at the same position. */
  async pauseFor(task: OpenTask, reason: string, now: Date): Promise<void> {
    await this.store.move(task.id, ['running'], 'paused', now, reason);
    await this.report(task.id, task.OwnerId, 'paused', reason);
    await this.notifications.notify(task.OwnerId, 'SendingsBulkPaused', {
      id: task.id,
      title: task.title,
      reason,
    });
    this.events.changed('tasks', 'updated', task.OwnerId, task.id);
  }

  /** Completes tasks without open chains, each in its own transaction. */
  @Sweeps(1000)
  async completeFinished(): Promise<boolean> {
    const now = this.clock.now();
    const finished = await this.store.finished(COMPLETE_BATCH_SIZE);
    const completed = await this.forEach(finished, (task) =>
      this.db.transaction(async () => {
        const reason = await this.failureReason(task);
        if (
          !(await this.store.move(
            task.id,
            ['running'],
            reason ? 'failed' : 'completed',
            now,
            reason,
          ))
        )
          return;
        await this.report(task.id, task.OwnerId, reason ? 'failed' : 'completed', reason);
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

  /** Starts due tasks, and enqueues running ones whose expansion was interrupted. */
  @Sweeps(500)
  async sweep(): Promise<void> {
    await this.forEach(await this.store.due(this.clock.now()), async ({ id, state }) => {
      if (state === 'running') this.jobs.enqueueOnce('task.expand', { taskId: id });
      else await this.db.transaction(() => this.start(id));
    });
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

  /** A transition to the current state is a conflict as well: the client assumed another state. */
  private async act(
    task: OpenTask,
    action: 'pause' | 'stop' | 'cancel' | 'resume',
    now: Date,
  ): Promise<void> {
    const to = taskTransition(task.state, action);
    if (!to) throw new AppError('conflict', `A ${task.state} task cannot ${action}`);
    await this.store.move(task.id, [task.state], to, now);
    const { id, OwnerId, title } = task;
    await this.report(id, OwnerId, to, null);
    if (task.type !== 'sendings:bulk') {
      if (action !== 'resume') return;
      await this.store.move(id, [to], 'running', now);
      await this.report(id, OwnerId, 'running', null);
      return;
    }
    if (action === 'pause')
      await this.notifications.notify(OwnerId, 'SendingsBulkPaused', { id, title, reason: null });
    if (to === 'stopped') this.jobs.enqueue('task.drop', { taskId: task.id });
    if (action === 'resume') {
      await this.notifications.notify(OwnerId, 'SendingsBulkResumed', { id, title });
      if (!task.startsAt || task.startsAt <= now) await this.start(task.id);
    }
  }

  /** scheduled -> running. The first start fixes the audience to the current contents of the lists. */
  private async start(id: string): Promise<void> {
    const now = this.clock.now();
    const task = await this.store.lock(systemScope, id);
    if (task.state !== 'scheduled') return;
    if (!task.startedAt) await this.store.lockLists(id);
    await this.store.start(id, now);
    await this.report(id, task.OwnerId, 'running', null);
    this.events.changed('tasks', 'updated', task.OwnerId, id);
    this.jobs.enqueue('task.expand', { taskId: id });
    this.jobs.enqueue('sendings.dispatch', {});
    this.jobs.enqueue('sendings.fallback', {});
  }

  /** An event for webhooks. */
  private report(
    id: string,
    OwnerId: string,
    state: Task['state'],
    reason: string | null,
  ): Promise<void> {
    return this.outbox.add('tasks.state', [{ OwnerId, key: id, data: { state, reason } }]);
  }

  private async eventData(events: StoredEvent[]): Promise<(Record<string, unknown> | null)[]> {
    const rows = await this.store.byIds(
      systemScope,
      events.map(({ key }) => key),
    );
    const byId = new Map(rows.map((row) => [row.id, row]));
    return events.map(({ key, data }) => {
      const row = byId.get(key);
      return row ? { id: key, title: row.title, type: row.type, ...data } : null;
    });
  }

  /** Why a task has failed as a whole: it had no recipients, or all messages failed for the same system reason. Else null. */
  private async failureReason({
    id,
    total,
    completed,
    skipped,
  }: FinishedTask): Promise<string | null> {
    if (total === 0) return skipped.noPrice ? 'no_price' : 'no_recipients';
    if (completed > 0) return null;
    const errors = await this.store.errorsOfTask(id, 2);
    const systemFailure = SYSTEM_FAILURES.find((code) => code === errors[0]);
    return errors.length === 1 && systemFailure ? systemFailure : null;
  }
}

function actionOf(state: TaskState): (typeof ACTIONS)[Settable] {
  if (isSettable(state)) return ACTIONS[state];
  const states = Object.keys(ACTIONS).join(', ');
  throw invalid('state', 'invalid_value', `The field state must be one of ${states}.`);
}

/** A task that moves money is steered by who may move it, in a session. */
function checkSteers(actor: Actor, { type }: OpenTask, isRemoval = false): void {
  if (type === 'sendings:bulk') return;
  if (actor.tokenId) throw new AppError('session_required');
  if (type === 'billings:operations' && !may(actor, 'billings.generate'))
    throw new AppError('forbidden');
  if (!isRemoval && !isTaskSteerable(type))
    throw new AppError('conflict', 'The charge of a recurrent payment cannot be paused or stopped');
}
