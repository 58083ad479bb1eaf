import { ConcurrentIndexes } from './concurrently.ts';

/** Incoming messages in the order in which they became visible. */
export class FollowedIncoming1763700000175 extends ConcurrentIndexes {
  protected readonly indexes = {
    sendings_incoming_changed:
      'on sendings_incoming (owner_id, (coalesce(changed_at, uuid_extract_timestamp(id))), id)',
  };
}
