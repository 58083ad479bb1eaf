import { ConcurrentIndexes } from './concurrently.ts';

/** A cause is entered once. Charges have no origin, so their insertion does not write this index. */
export class OneEntryPerOrigin1763700000062 extends ConcurrentIndexes {
  protected readonly indexes = {
    billings_origin: 'unique on billings (origin, origin_id) where origin is not null',
  };
}
