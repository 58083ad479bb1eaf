import { ConcurrentIndexes } from './concurrently.ts';

/** Contacts without tags are not in it, so that their import writes nothing there. */
export class ContactsByTag1763700000371 extends ConcurrentIndexes {
  protected readonly indexes = {
    contacts_tags: `on contacts using gin (contact_tags(list_id, tags)) where tags <> '{}'`,
  };
}
