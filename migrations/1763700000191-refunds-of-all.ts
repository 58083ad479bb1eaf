import { ConcurrentIndexes } from './concurrently.ts';

/** Margins of a day read what was refunded on it, of all accounts. */
export class RefundsOfAll1763700000191 extends ConcurrentIndexes {
  protected readonly indexes = {
    billings_refunded: 'on billings (refunded_at) where status = 2',
  };
}
