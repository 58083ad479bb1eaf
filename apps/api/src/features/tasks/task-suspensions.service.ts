import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock.ts';
import { Events } from '../../core/events/events.ts';
import { Jobs } from '../../core/jobs/queue.ts';
import { TaskStatesService } from './task-states.service.ts';
import { TasksStore } from './tasks.store.ts';

/** The reason of bulks that a suspension has paused, and of those that start while it lasts. */
export const SUSPENDED = 'account_inactive';

/** Bulks of a suspended account: they pause with it, and go on when it is active again. In the caller's transaction. */
@Injectable()
export class TaskSuspensionsService {
  constructor(
    private readonly store: TasksStore,
    private readonly states: TaskStatesService,
    private readonly clock: Clock,
    private readonly events: Events,
    private readonly jobs: Jobs,
  ) {}

  /** Pauses scheduled and running bulks. A submit that has begun ends; no other begins. */
  async suspend(OwnerId: string): Promise<void> {
    const ids = await this.store.suspend(OwnerId, SUSPENDED, this.clock.now());
    await this.moved(OwnerId, ids, 'paused', SUSPENDED);
  }

  /** Bulks go on that had begun, or whose time is still to come. Those that missed it wait for their owner. */
  async resume(OwnerId: string): Promise<void> {
    const ids = await this.store.endSuspension(OwnerId, SUSPENDED, this.clock.now());
    await this.moved(OwnerId, ids, 'scheduled', null);
    if (ids.length) this.jobs.enqueue('sendings.fallback', {});
  }

  /** Stops all open bulks of an account that is closed. What is not submitted is refunded by `task.drop`. Returns how many. */
  async stop(OwnerId: string): Promise<number> {
    const ids = await this.store.stopAll(OwnerId, this.clock.now());
    await this.moved(OwnerId, ids, 'stopped', null);
    for (const taskId of ids) this.jobs.enqueue('task.drop', { taskId });
    return ids.length;
  }

  private async moved(
    OwnerId: string,
    ids: string[],
    state: 'paused' | 'scheduled' | 'stopped',
    reason: string | null,
  ): Promise<void> {
    await this.states.reportAll(OwnerId, ids, state, reason);
    if (ids.length) this.events.counted('tasks', 'updated', OwnerId, null, ids.length);
  }
}
