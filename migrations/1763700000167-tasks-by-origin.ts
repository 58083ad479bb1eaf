import { ConcurrentIndexes } from './concurrently.ts';

export class TasksByOrigin1763700000167 extends ConcurrentIndexes {
  protected readonly indexes = {
    tasks_origin: 'on tasks (origin_id) where origin_id is not null',
  };
}
