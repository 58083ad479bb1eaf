import { ConcurrentIndexes } from './concurrently.ts';

/** Entries of statuses and sources that few entries have, in the order of amounts. A charge is written to neither of them. */
export class RareAmounts1763700000091 extends ConcurrentIndexes {
  protected readonly indexes = {
    billings_owner_rare_status:
      'on billings (owner_id, status, amount, id) include (source) where status <> 1',
    billings_owner_manual:
      'on billings (owner_id, source, amount, id) include (status) where source < 0',
  };
}
