import { ConcurrentIndexes } from './concurrently.ts';

/** What waits longer than it is valid. */
export class ValidBatches1763700000186 extends ConcurrentIndexes {
  protected readonly indexes = {
    batches_valid: 'on batches (valid_until) where stage = 0 and valid_until is not null',
  };
}
