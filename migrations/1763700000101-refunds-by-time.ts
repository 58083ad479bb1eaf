import { ConcurrentIndexes } from './concurrently.ts';

/** An act reads what was refunded in a month to an account whose entries may have been refunded by millions. */
export class RefundsByTime1763700000101 extends ConcurrentIndexes {
  protected readonly indexes = {
    billings_owner_refunded: 'on billings (owner_id, refunded_at) where status = 2',
  };
}
