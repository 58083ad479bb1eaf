import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { TaskState } from '@heliograph/contract';
import { systemScope } from '../../core/auth/actor.ts';
import { Outbox, type StoredEvent } from '../../core/outbox.ts';
import { TasksStore } from './tasks.store.ts';
import type { OpenTask, TaskKey } from './tasks.types.ts';

/** Changes of the states of tasks, each with its event for webhooks. In the caller's transaction. */
@Injectable()
export class TaskStatesService implements OnModuleInit {
  constructor(
    private readonly store: TasksStore,
    private readonly outbox: Outbox,
  ) {}

  onModuleInit(): void {
    this.outbox.complete('tasks.state', (_, events) => this.eventData(events));
  }

  /** False when the task is not in the state `from` any more; then nothing changes. */
  async move(
    task: TaskKey,
    from: TaskState,
    to: TaskState,
    now: Date,
    reason: string | null = null,
  ): Promise<boolean> {
    if (!(await this.store.move(task.id, from, to, now, reason))) return false;
    await this.report(task, to, reason);
    return true;
  }

  /** scheduled -> running, of a locked bulk. The first start fixes the audience to the current contents of the lists. */
  async start(task: OpenTask, now: Date): Promise<void> {
    if (!task.startedAt) await this.store.lockLists(task.id);
    await this.store.start(task.id, now);
    await this.report(task, 'running', null);
  }

  private report({ id, OwnerId }: TaskKey, state: TaskState, reason: string | null): Promise<void> {
    return this.reportAll(OwnerId, [id], state, reason);
  }

  /** The events of tasks that have moved together. */
  async reportAll(
    OwnerId: string,
    ids: string[],
    state: TaskState,
    reason: string | null,
  ): Promise<void> {
    const data = { state, reason };
    await this.outbox.add(
      'tasks.state',
      ids.map((key) => ({ OwnerId, key, data })),
    );
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
}
