import type { EventBody } from '@heliograph/contract';
import type { Query, QueryClient } from '@tanstack/react-query';
import { applyEvent, parseEvent, type Incoming } from './apply-event.ts';
import { keysOf, type Noun } from '../query-keys.ts';
import { throttleByKey } from './throttle.ts';

/** Keeps what a client has cached as a fresh load would show it, by what a socket tells. */
export function follow(client: QueryClient) {
  const refetch = throttleByKey(
    (noun: Noun) => void client.invalidateQueries({ queryKey: keysOf(noun).all }),
    2000,
  );
  return {
    /**
     * Events may have been missed: what is on the screen is asked for again. `freshMs`: what was answered so shortly ago
     * is not, but counts as old, so that it is when it is looked at next.
     */
    resync(freshMs = 0): void {
      const isAsked = (query: Query): boolean =>
        query.state.fetchStatus === 'fetching' || Date.now() - query.state.dataUpdatedAt < freshMs;
      const isRow = ({ queryKey }: Query): boolean => queryKey[0] !== 'settings';
      void client.invalidateQueries({
        predicate: (query) => isRow(query) && !(freshMs && isAsked(query)),
      });
      if (freshMs)
        void client.invalidateQueries({
          predicate: (query) => isRow(query) && isAsked(query),
          refetchType: 'none',
        });
    },
    /** Answers the event, or null when this is none of rows. */
    receive(name: string, body: EventBody): Incoming | null {
      const event = parseEvent(name);
      if (!event || !body) return null;
      // An answer that is on its way may be older than the event, and would undo it.
      const isAsked = client.isFetching({ queryKey: keysOf(event.resource).all }) > 0;
      if (applyEvent(client, event, body, Date.now()) || isAsked) refetch(event.resource);
      return event;
    },
  };
}
