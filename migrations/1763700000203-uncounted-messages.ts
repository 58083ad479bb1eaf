import { ConcurrentIndexes } from './concurrently.ts';

/** Messages of versions without rollups, which a sweep counts. */
export class UncountedMessages1763700000203 extends ConcurrentIndexes {
  protected readonly indexes = {
    sendings_uncounted: 'on sendings (id) where mccmnc is null',
  };
}
