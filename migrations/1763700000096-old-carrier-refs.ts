import { ConcurrentIndexes } from './concurrently.ts';

/** Ids of carriers by the time of their message, to delete the oldest. */
export class OldCarrierRefs1763700000096 extends ConcurrentIndexes {
  protected readonly indexes = {
    carrier_refs_sending: 'on carrier_refs (sending_id)',
  };
}
