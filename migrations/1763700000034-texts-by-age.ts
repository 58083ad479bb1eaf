import { ConcurrentIndexes } from './concurrently.ts';

/** What is over and still has its texts, the oldest first. */
export class TextsByAge1763700000034 extends ConcurrentIndexes {
  protected readonly indexes = {
    batches_texts: 'on batches (closed_at, id) where has_texts and closed_at is not null',
    tasks_texts: 'on tasks (finished_at, id) where has_texts and finished_at is not null',
  };
}
