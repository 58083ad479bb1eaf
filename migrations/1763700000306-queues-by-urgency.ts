import { ConcurrentIndexes } from './concurrently.ts';

const QUEUES = '00000000-0000-0000-0000-00000000000';

/** Batches without a task have a queue for each urgency. */
export class QueuesByUrgency1763700000306 extends ConcurrentIndexes {
  protected readonly indexes = {
    batches_in_queues: `on batches (channel, priority, (coalesce(task_id, case urgency when 1 then '${QUEUES}1'::uuid when -1 then '${QUEUES}2'::uuid else '${QUEUES}0'::uuid end)), due_at, id) where stage = 0`,
  };
  protected override readonly replaced = {
    batches_queued: `on batches (channel, priority, (coalesce(task_id, '${QUEUES}0'::uuid)), due_at, id) where stage = 0`,
  };
}
