import type { EventBody } from '@heliograph/contract';
import type { Query, QueryClient } from '@tanstack/react-query';
import { applyEvent, parseEvent, refetchInvalidated, type Incoming } from './apply-event.ts';
import { keysOf, type Noun } from '../query-keys.ts';
import { throttleByKey } from './throttle.ts';

/** Keeps a client's cache up to date by socket events. */
export function follow(client: QueryClient) {
  const refetch = throttleByKey(
    (noun: Noun) => void client.invalidateQueries({ queryKey: keysOf(noun).all }),
    2000,
  );
  const complete = throttleByKey((noun: Noun) => refetchInvalidated(client, noun), 2000);
  return {
    /**
     * Events may have been missed, so shown queries are refetched, and the settings: permissions may have changed, which the
     * server says by the same event. With `freshMs` the page has just loaded: younger answers are not refetched but marked
     * stale, so that they are when they are shown again, and the settings are left alone.
     */
    resync(freshMs = 0): void {
      const isFresh = (query: Query): boolean =>
        query.state.fetchStatus === 'fetching' || Date.now() - query.state.dataUpdatedAt < freshMs;
      const isRow = ({ queryKey }: Query): boolean => queryKey[0] !== 'settings';
      if (!freshMs) return void client.invalidateQueries();
      void client.invalidateQueries({ predicate: (query) => isRow(query) && !isFresh(query) });
      void client.invalidateQueries({
        predicate: (query) => isRow(query) && isFresh(query),
        refetchType: 'none',
      });
    },
    /** Returns the event, or null when it is not about rows. */
    receive(name: string, body: EventBody): Incoming | null {
      const event = parseEvent(name);
      if (!event || !body) return null;
      // The answer of a running request may be older than the event, and would undo it.
      const isFetching = client.isFetching({ queryKey: keysOf(event.resource).all }) > 0;
      if (applyEvent(client, event, body, Date.now()) || isFetching) refetch(event.resource);
      else complete(event.resource);
      return event;
    },
  };
}
