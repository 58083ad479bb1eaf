import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Task, tasks } from '@heliograph/contract';
import { isTaskRemovable, taskTransition } from '@heliograph/domain';
import { systemScope, type Actor } from '../../core/auth/actor.ts';
import { Owners } from '../../core/auth/owners.ts';
import { Clock } from '../../core/clock.ts';
import { Config } from '../../core/config.ts';
import { Db } from '../../core/db/db.ts';
import { AppError } from '../../core/errors.ts';
import { Events } from '../../core/events/events.ts';
import type { In } from '../../core/http/endpoint.ts';
import { Sweeps } from '../../core/jobs/handlers.ts';
import { Jobs } from '../../core/jobs/queue.ts';
import { Log } from '../../core/log.ts';
import { Notifications } from '../../core/notifications.ts';
import { Retention } from '../../core/retention.ts';
import { presentTask } from './task.row.ts';
import { TasksStore } from './tasks.store.ts';
import type {
  ChunkCounts,
  CounterChange,
  FinishedTask,
  NewTask,
  OpenTask,
  Place,
} from './tasks.types.ts';

export type { NewTask, OpenTask, OutcomeCounts, TaskData } from './tasks.types.ts';

type Changes = In<typeof tasks.update>['body'];

/** Tasks that one look completes. */
const FINISHED_AT_MOST = 100;
/** Tasks that one look empties: each may name many thousand phones. */
const EMPTIED_AT_MOST = 10;
const ACTIONS = { paused: 'pause', stopped: 'stop', scheduled: 'resume' } as const;

/** The row of a bulk, its states and counters. Reading its audience and delivering is the sendings' work. */
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
  ) {}

  onModuleInit(): void {
    this.events.present(
      'tasks',
      async (ids) => this.owners.withOwners('manager', await this.store.byIds(systemScope, ids)),
      presentTask,
    );
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

  update(actor: Actor, id: string, { state, title }: Changes): Promise<Task> {
    return this.db.transaction(async () => {
      const task = await this.store.lock(actor.scope, id);
      const now = this.clock.now();
      if (title !== undefined) await this.store.rename(id, title, now);
      if (state) await this.act(task, ACTIONS[state], now);
      this.events.changed('tasks', 'updated', task.OwnerId, id);
      return this.get(actor, id);
    });
  }

  /** Ends it from every state in which there is something to end. What it sent stays, and goes on. */
  cancel(actor: Actor, id: string): Promise<Task> {
    return this.db.transaction(async () => {
      const task = await this.store.lock(actor.scope, id);
      await this.act(task, 'cancel', this.clock.now());
      this.events.changed('tasks', 'updated', task.OwnerId, id);
      return this.get(actor, id);
    });
  }

  /** Refused while it runs. What it sent stays. */
  remove(actor: Actor, id: string): Promise<{ id: string }> {
    return this.db.transaction(async () => {
      const task = await this.store.lock(actor.scope, id);
      if (!isTaskRemovable(task.state))
        throw new AppError('conflict', 'A running task cannot be removed; stop it first');
      await this.store.remove(id, this.clock.now());
      this.jobs.enqueue('task.drop', { taskId: id });
      this.events.changed('tasks', 'removed', task.OwnerId, id);
      return { id };
    });
  }

  /** The task, locked, if it is running. */
  lockRunning(id: string): Promise<OpenTask | undefined> {
    return this.store.lockRunning(id);
  }

  advance(id: string, place: Place, counts: ChunkCounts, now: Date): Promise<void> {
    return this.store.advance(id, place, counts, now);
  }

  holdCounters(ids: string[]): Promise<void> {
    return ids.length ? this.store.holdCounters(ids) : Promise.resolve();
  }

  outcomes(changes: CounterChange[]): Promise<void> {
    return changes.length ? this.store.outcomes(changes) : Promise.resolve();
  }

  /** By itself: it goes on exactly here when it is resumed. */
  async pauseFor(task: OpenTask, reason: string, now: Date): Promise<void> {
    await this.store.move(task.id, ['running'], 'paused', now, reason);
    await this.notifications.notify(task.OwnerId, 'SendingsBulkPaused', {
      id: task.id,
      title: task.title,
      reason,
    });
    this.events.changed('tasks', 'updated', task.OwnerId, task.id);
  }

  /**
   * Completes tasks none of whose chains is live, each for itself; true when there may be more. `blame` finds the one system
   * reason of a total failure.
   */
  async complete(blame: (taskId: string) => Promise<string | null>): Promise<boolean> {
    const now = this.clock.now();
    const finished = await this.store.finished(FINISHED_AT_MOST);
    const completed = await this.each(finished, (task) =>
      this.db.transaction(async () => {
        const reason = await failureOf(task, blame);
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
        await this.notifications.notify(task.OwnerId, 'SendingsBulkCompleted', {
          id: task.id,
          title: task.title,
          total: task.total,
          completed: task.completed,
        });
        this.events.changed('tasks', 'updated', task.OwnerId, task.id);
      }),
    );
    return completed === FINISHED_AT_MOST;
  }

  /** Starts what is due, and rings for what nobody reads. */
  @Sweeps(500)
  async sweep(): Promise<void> {
    await this.each(await this.store.due(this.clock.now()), async ({ id, state }) => {
      if (state === 'running') this.jobs.enqueueOnce('task.expand', { taskId: id });
      else await this.db.transaction(() => this.start(id));
    });
  }

  /** What bulks said, and whom they named one by one, goes as what each of their messages said does. */
  @Sweeps(60_000)
  async dropTexts(): Promise<boolean> {
    const before = this.retention.before(this.config.RETENTION_TEXTS_DAYS);
    if (!before) return false;
    const dropped = await this.db.transaction(() => this.store.dropTexts(before, EMPTIED_AT_MOST));
    return dropped === EMPTIED_AT_MOST;
  }

  /** One that fails does not keep the others from their turn. Answers with how many did not. */
  private async each<T extends { id: string }>(
    tasks: T[],
    work: (task: T) => Promise<void>,
  ): Promise<number> {
    let done = 0;
    for (const task of tasks) {
      try {
        await work(task);
        done++;
      } catch (error) {
        this.log.error({ err: error, taskId: task.id }, 'a task could not be moved on');
      }
    }
    return done;
  }

  /** Guarded by the state: the one that a task has already is refused, as the request was made for another. */
  private async act(
    task: OpenTask,
    action: 'pause' | 'stop' | 'cancel' | 'resume',
    now: Date,
  ): Promise<void> {
    const to = taskTransition(task.state, action);
    if (!to) throw new AppError('conflict', `A ${task.state} task cannot ${action}`);
    await this.store.move(task.id, [task.state], to, now);
    const { id, OwnerId, title } = task;
    if (action === 'pause')
      await this.notifications.notify(OwnerId, 'SendingsBulkPaused', { id, title, reason: null });
    if (to === 'stopped') this.jobs.enqueue('task.drop', { taskId: task.id });
    if (action === 'resume') {
      await this.notifications.notify(OwnerId, 'SendingsBulkResumed', { id, title });
      if (!task.startsAt || task.startsAt <= now) await this.start(task.id);
    }
  }

  /** scheduled -> running, once: the audience is what the lists hold at this moment. */
  private async start(id: string): Promise<void> {
    const now = this.clock.now();
    const task = await this.store.lock(systemScope, id);
    if (task.state !== 'scheduled') return;
    if (!task.startedAt) await this.store.holdLists(id);
    await this.store.start(id, now);
    this.events.changed('tasks', 'updated', task.OwnerId, id);
    this.jobs.enqueue('task.expand', { taskId: id });
    this.jobs.enqueue('sendings.dispatch', {});
    this.jobs.enqueue('sendings.fallback', {});
  }
}

/** Why a task failed altogether: nobody was there to send to, or every chain failed for one reason of ours. */
async function failureOf(
  { id, total, completed, skipped }: FinishedTask,
  blame: (taskId: string) => Promise<string | null>,
): Promise<string | null> {
  if (total === 0) return skipped.noPrice ? 'no_price' : 'no_recipients';
  return completed === 0 ? blame(id) : null;
}
