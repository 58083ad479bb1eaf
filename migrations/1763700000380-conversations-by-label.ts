import { ConcurrentIndexes } from './concurrently.ts';

/** Conversations without labels are not in them. The function makes a key of an owner and a word as well as of a contact list and a tag. */
export class ConversationsByLabel1763700000380 extends ConcurrentIndexes {
  protected readonly indexes = {
    conversations_labels: `on conversations using gin (contact_tags(owner_id, labels)) where labels <> '{}'`,
    conversations_labelled: `on conversations (owner_id, last_id) where labels <> '{}'`,
  };
}
