import { ConcurrentIndexes } from './concurrently.ts';

/** A chat that is unlinked drops what waits for its user: many chats may turn out to be blocked while a message to all accounts is sent. */
export class QueuedOfUsers1763700000098 extends ConcurrentIndexes {
  protected readonly indexes = {
    notification_queue_user: 'on notification_queue (user_id, channel)',
  };
}
