import { ConcurrentIndexes } from './concurrently.ts';

/** Each channel has a queue of its own, in it each task; batches without a task share one by priority. */
export class QueuesOfChannels1763700000142 extends ConcurrentIndexes {
  protected readonly indexes = {
    batches_queued: `on batches (channel, priority, (coalesce(task_id, '00000000-0000-0000-0000-000000000000'::uuid)), due_at, id) where stage = 0`,
  };
  protected override readonly replaced = {
    batches_due: 'on batches (priority, due_at, id) where stage = 0',
  };
}
