import { Injectable } from '@nestjs/common';
import type { TaskState } from '@heliograph/contract';
import { Clock } from '../../core/clock.ts';
import { Events } from '../../core/events/events.ts';
import { OtherTasksStore } from './other-tasks.store.ts';
import { TaskProgressStore } from './task-progress.store.ts';
import { TaskStatesService } from './task-states.service.ts';
import { TasksStore } from './tasks.store.ts';
import type { CounterChange, NewOtherTask, OpenTask, TaskKey } from './tasks.types.ts';

/** Tasks other than bulks. Another feature does their work and reports its progress. */
@Injectable()
export class OtherTasksService {
  constructor(
    private readonly store: OtherTasksStore,
    private readonly tasks: TasksStore,
    private readonly counters: TaskProgressStore,
    private readonly states: TaskStatesService,
    private readonly events: Events,
    private readonly clock: Clock,
  ) {}

  /** Opens a running task. In the caller's transaction. */
  async open(task: NewOtherTask): Promise<void> {
    await this.store.open(task, this.clock.now());
    this.events.changed('tasks', 'created', task.OwnerId, task.id);
  }

  /** A task, locked, if it is running. */
  lock(id: string, type: NewOtherTask['type']): Promise<OpenTask | undefined> {
    return this.tasks.lockRunning(id, type);
  }

  /** The state of a task, locked. Undefined when there is no such task. */
  lockState(id: string): Promise<TaskState | undefined> {
    return this.store.lockState(id);
  }

  /** Counters are locked before balances. */
  lockCounters(id: string): Promise<void> {
    return this.counters.lockCounters([id]);
  }

  /** Adds to the counters of a task: what is done is its total. */
  async progress({ id, OwnerId }: TaskKey, change: Omit<CounterChange, 'id'>): Promise<void> {
    await this.counters.outcomes([{ ...change, id }]);
    this.events.changed('tasks', 'updated', OwnerId, id);
  }

  /** The file with the result of a bulk operation. */
  async setReport({ id, OwnerId }: TaskKey, ReportId: string): Promise<void> {
    await this.store.setReport(id, ReportId, this.clock.now());
    this.events.changed('tasks', 'updated', OwnerId, id);
  }

  /** Ends a running task; false when it does not run any more. */
  async finish(
    task: TaskKey,
    state: 'completed' | 'failed',
    reason: string | null = null,
  ): Promise<boolean> {
    if (!(await this.states.move(task, 'running', state, this.clock.now(), reason))) return false;
    this.events.changed('tasks', 'updated', task.OwnerId, task.id);
    return true;
  }
}
