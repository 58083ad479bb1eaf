import { ConcurrentIndexes } from './concurrently.ts';

/**
 * The earliest waiting event of a key. All events of a webhook for the balance have one key, so the index of all events has a month of
 * delivered ones before it. The condition is that of the queries, and not the one of `webhook_events_due`.
 */
export class WaitingEvents1763700000087 extends ConcurrentIndexes {
  protected readonly indexes = {
    webhook_events_waiting: 'on webhook_events (webhook_id, key, seq) where state < 1',
  };
}
