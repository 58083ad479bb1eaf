import { ConcurrentIndexes } from './concurrently.ts';

/**
 * What the other lists are searched along: files, contact lists and sender names within an account, users by all that they
 * are found by at once.
 */
export class MoreWords1763700000041 extends ConcurrentIndexes {
  protected readonly indexes = {
    files_words: 'on files using gin (owner_id, title gin_trgm_ops, filename gin_trgm_ops)',
    contact_lists_words: 'on contact_lists using gin (owner_id, title gin_trgm_ops)',
    sendernames_words:
      'on sendernames using gin (owner_id, name gin_trgm_ops, comment gin_trgm_ops)',
    users_words: `on users using gin ((username || E'\\n' || coalesce(data->>'email', '') || E'\\n' || coalesce(data->>'phone', '')
      || E'\\n' || coalesce(data->>'firstName', '') || ' ' || coalesce(data->>'lastName', '')) gin_trgm_ops)`,
  };
}
