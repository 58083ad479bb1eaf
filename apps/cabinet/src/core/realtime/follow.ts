import type { EventBody } from '@heliograph/contract';
import type { QueryClient } from '@tanstack/react-query';
import { applyEvent, parseEvent, type Incoming } from './apply-event.ts';
import { throttleByKey } from './throttle.ts';

/** Keeps what a client has cached as a fresh load would show it, by what a socket tells. */
export function follow(client: QueryClient) {
  const refetch = throttleByKey(
    (resource) => void client.invalidateQueries({ queryKey: [resource] }),
    2000,
  );
  return {
    /** Events may have been missed: what is on the screen is asked for again. */
    resync(): void {
      void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'settings' });
    },
    /** Answers the event, or null when this is none of rows. */
    receive(name: string, body: EventBody): Incoming | null {
      const event = parseEvent(name);
      if (!event || !body) return null;
      // An answer that is on its way may be older than the event, and would undo it.
      const isAsked = client.isFetching({ queryKey: [event.resource] }) > 0;
      if (applyEvent(client, event, body, Date.now()) || isAsked) refetch(event.resource);
      return event;
    },
  };
}
