import { ConcurrentIndexes } from './concurrently.ts';

/**
 * Where the latest changes are, for those who follow them. Rows change soon after they were created, so recent changes are in few
 * ranges of blocks; an index of ranges leaves updates HOT.
 */
export class ChangedRows1763700000173 extends ConcurrentIndexes {
  protected readonly indexes = {
    sendings_changed: `on sendings using brin ((coalesce(changed_at, greatest(sent_at, delivered_at, seen_at, failed_at)))) ${RANGES}`,
    batches_changed: `on batches using brin (updated_at) ${RANGES}`,
  };
}

const RANGES = 'with (pages_per_range = 32, autosummarize = on)';
