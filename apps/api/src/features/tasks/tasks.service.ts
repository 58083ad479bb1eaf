import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  EFFECTS,
  type ResendOf,
  type Task,
  type tasks,
  type TaskState,
} from '@heliograph/contract';
import { isTaskRemovable, isTaskSteerable, taskTransition } from '@heliograph/domain';
import { requireAll, requirePermission, systemScope, type Actor } from '../../core/auth/actor.ts';
import { Owners } from '../../core/auth/owners.ts';
import { Clock } from '../../core/clock.ts';
import { Db } from '../../core/db/db.ts';
import { AppError, invalid, notFound } from '../../core/errors.ts';
import { Events } from '../../core/events/events.ts';
import type { In } from '../../core/http/endpoint.ts';
import { Jobs } from '../../core/jobs/queue.ts';
import { Notifications } from '../../core/notifications.ts';
import {
  ResendRecipientsStore,
  type Meanwhile,
  type ResendCounts,
  type ResendRecipients,
  type ResendTo,
} from './resend-recipients.store.ts';
import { TaskProgressStore } from './task-progress.store.ts';
import { TaskStatesService } from './task-states.service.ts';
import { presentTask, type TaskRow } from './task.row.ts';
import { TasksStore } from './tasks.store.ts';
import { VariantsService } from './variants.service.ts';
import {
  BULK,
  type ChunkCounts,
  type CounterChange,
  type ExpansionPosition,
  type NewTask,
  type OpenTask,
} from './tasks.types.ts';

export { respondedSql } from './resend-recipients.store.ts';
export type {
  Meanwhile,
  ResendCounts,
  ResendRecipients,
  ResendTo,
} from './resend-recipients.store.ts';
export type { AudienceSegment, AudienceSlice, OpenTask, OutcomeCounts } from './tasks.types.ts';

type Changes = In<typeof tasks.update>['body'];

const ACTIONS = { paused: 'pause', stopped: 'stop', scheduled: 'resume' } as const;
type Settable = keyof typeof ACTIONS;
const isSettable = (state: TaskState): state is Settable => state in ACTIONS;

/** States and counters of bulks. Features/sendings expands their audience and submits their messages. */
@Injectable()
export class TasksService implements OnModuleInit {
  constructor(
    private readonly db: Db,
    private readonly store: TasksStore,
    private readonly progress: TaskProgressStore,
    private readonly resends: ResendRecipientsStore,
    private readonly states: TaskStatesService,
    private readonly variants: VariantsService,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
    private readonly events: Events,
    private readonly notifications: Notifications,
    private readonly owners: Owners,
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
    // Two calls that send to the same people follow one another: the second finds those of the first.
    if (task.resendTo) await this.resends.lockFamily(task.resendTo.taskId);
    await this.store.create(task);
    if (task.resendTo) await this.freeze(task.id, task.resendTo);
    if (task.told !== null)
      await this.notifications.notify(task.OwnerId, 'SendingsBulkCreated', {
        id: task.id,
        title: task.title,
        count: task.told,
      });
    this.events.changed('tasks', 'created', task.OwnerId, task.id);
    const isNow = !task.startsAt || task.startsAt <= task.now;
    if (isNow) await this.start(task.id);
    return presentTask(await this.store.get(systemScope, task.id), 'me');
  }

  async getBulk({ scope }: Actor, id: string): Promise<TaskRow> {
    const row = await this.store.get(scope, id);
    if (row.type !== BULK) throw notFound();
    return row;
  }

  /** The bulk of an account to whose recipients the actor wants to send. */
  async getOrigin(actor: Actor, { taskId, audience }: ResendOf, OwnerId: string): Promise<TaskRow> {
    requirePermission(actor, 'tasks.get');
    const row = await this.getBulk(actor, taskId);
    if (row.OwnerId !== OwnerId) throw notFound();
    if ((row.data.sending?.live === false) !== !!actor.isTest)
      throw invalid(
        `recipient.${audience}Of`,
        'unsupported',
        'A bulk of a test token reached nobody: only a test token can send to its recipients, and to no others.',
      );
    if (audience === 'unclicked' && !row.data.sending?.clicks)
      throw invalid(
        'recipient.unclickedOf',
        'unsupported',
        'The bulk does not tell who clicked: it needs `tellsWhoClicked` and a short link.',
      );
    return row;
  }

  /** Recipients of a bulk, at most `limit` with their addresses. The caller has checked that the actor may send to them. */
  resendRecipients(to: ResendTo, limit: number): Promise<ResendRecipients> {
    return this.resends.read(to, limit);
  }

  countResendable(to: ResendTo): Promise<ResendCounts> {
    return this.resends.count(to);
  }

  meanwhile(of: ResendOf): Promise<Meanwhile> {
    return this.resends.meanwhile(of);
  }

  private async freeze(id: string, to: ResendTo): Promise<void> {
    const { count, skipped } = await this.resends.freeze(id, to);
    if (!count) throw new AppError('no_recipients', undefined, { payload: { skipped } });
    await this.store.setFrozen(id, count, skipped);
  }

  /** The caller that resumes a bulk sends it: with its own permission, and for its token. */
  private async take(actor: Actor, task: OpenTask): Promise<void> {
    requireAll(actor, EFFECTS.task.messages);
    if (actor.OwnerId === task.OwnerId) await this.store.setToken(task.id, actor.tokenId);
  }

  /** Starts a bulk that is scheduled. In the caller's transaction, as is the choice of the text if it is the rest of one with two. */
  async start(id: string): Promise<void> {
    const now = this.clock.now();
    const task = await this.store.lock(systemScope, id);
    if (task.state !== 'scheduled') return;
    if (!(await this.variants.choose(task, now))) {
      await this.states.move(task, 'scheduled', 'stopped', now);
      this.events.changed('tasks', 'updated', task.OwnerId, id);
      return;
    }
    await this.states.start(task, now);
    this.events.changed('tasks', 'updated', task.OwnerId, id);
    this.jobs.enqueue('task.expand', { taskId: id });
    this.jobs.enqueue('sendings.dispatch', {});
    this.jobs.enqueue('sendings.fallback', {});
  }

  /** A row can be put back as it was read: the state that the task has is no change. */
  update(actor: Actor, id: string, { state, title }: Changes): Promise<Task> {
    return this.db.transaction(async () => {
      const task = await this.store.lock(actor.scope, id);
      const now = this.clock.now();
      const action = state && state !== task.state ? actionOf(state) : null;
      if (action) checkSteers(actor, task);
      if (action === 'resume' && !(await this.owners.holder(task.OwnerId)))
        throw new AppError('account_inactive');
      if (action === 'resume' && task.type === BULK) await this.take(actor, task);
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
      if (task.type !== BULK) checkSteers(actor, task, true);
      await this.store.remove(id, this.clock.now());
      if (task.type === BULK) this.jobs.enqueue('task.drop', { taskId: id });
      this.events.changed('tasks', 'removed', task.OwnerId, id);
      return { id };
    });
  }

  /** The bulk, locked, if it is running. */
  lockRunning(id: string): Promise<OpenTask | undefined> {
    return this.store.lockRunning(id, BULK);
  }

  advance(id: string, position: ExpansionPosition, counts: ChunkCounts, now: Date): Promise<void> {
    return this.progress.advance(id, position, counts, now);
  }

  lockCounters(ids: string[]): Promise<void> {
    return ids.length ? this.progress.lockCounters(ids) : Promise.resolve();
  }

  outcomes(changes: CounterChange[]): Promise<void> {
    return changes.length ? this.progress.outcomes(changes) : Promise.resolve();
  }

  /** Pauses the task for a system reason. Once resumed it continues at the same position. */
  async pauseFor(task: OpenTask, reason: string, now: Date): Promise<void> {
    await this.states.move(task, 'running', 'paused', now, reason);
    await this.notifications.notify(task.OwnerId, 'SendingsBulkPaused', {
      id: task.id,
      title: task.title,
      reason,
    });
    this.events.changed('tasks', 'updated', task.OwnerId, task.id);
  }

  /** An action that the state of the task does not allow is a conflict. Setting the state that a task has is no action. */
  private async act(
    task: OpenTask,
    action: 'pause' | 'stop' | 'cancel' | 'resume',
    now: Date,
  ): Promise<void> {
    const to = taskTransition(task.state, action);
    if (!to) throw new AppError('conflict', `A ${task.state} task cannot ${action}`);
    await this.states.move(task, task.state, to, now);
    const { id, OwnerId, title } = task;
    if (task.type !== BULK) {
      if (action === 'resume') await this.states.move(task, to, 'running', now);
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
}

function actionOf(state: TaskState): (typeof ACTIONS)[Settable] {
  if (isSettable(state)) return ACTIONS[state];
  const states = Object.keys(ACTIONS).join(', ');
  throw invalid('state', 'invalid_value', `The field state must be one of ${states}.`);
}

/** A task that moves money is steered by who may move it, in a session. */
function checkSteers(actor: Actor, { type }: OpenTask, isRemoval = false): void {
  if (type === BULK) return;
  if (actor.tokenId) throw new AppError('session_required');
  if (type === 'billings:operations') requirePermission(actor, 'billings.generate');
  if (!isRemoval && !isTaskSteerable(type))
    throw new AppError('conflict', 'The charge of a recurrent payment cannot be paused or stopped');
}
