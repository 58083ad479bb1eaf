import { ConcurrentIndexes } from './concurrently.ts';

/** Manual entries that are not complete: an account has few, among many manual entries and many that are not complete. */
export class RarePairs1763700000092 extends ConcurrentIndexes {
  protected readonly indexes = {
    billings_owner_manual_rare_status:
      'on billings (owner_id, source, status, id) include (amount) where source < 0 and status <> 1',
  };
}
