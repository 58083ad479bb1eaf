import type { EventBody } from '@heliograph/contract';
import type { InvalidateQueryFilters, QueryClient } from '@tanstack/react-query';
import { applyEvent, parseEvent, refetchInvalidated, type Incoming } from './apply-event.ts';
import { keysOf, type Noun } from '../query-keys.ts';
import { throttleByKey } from './throttle.ts';

/**
 * Refetches what is shown. A first answer on its way may be older than what has happened, and a refetch only joins it: it is followed by
 * a second one.
 */
function refetchShown(client: QueryClient, filters: InvalidateQueryFilters = {}): void {
  const first = client
    .getQueryCache()
    .findAll({ ...filters, type: 'active', fetchStatus: 'fetching' })
    .filter(({ state }) => state.data === undefined);
  void client.invalidateQueries(filters);
  for (const { queryKey } of first) {
    const again = () => client.invalidateQueries({ queryKey, exact: true });
    void again().then(again);
  }
}

/** Keeps a client's cache up to date by socket events. */
export function follow(client: QueryClient) {
  const refetch = throttleByKey(
    (noun: Noun) => refetchShown(client, { queryKey: keysOf(noun).all }),
    2000,
  );
  const complete = throttleByKey((noun: Noun) => refetchInvalidated(client, noun), 2000);
  return {
    /**
     * Events may have been missed, so shown queries are refetched, and the settings: permissions may have changed, which the
     * server says by the same event.
     */
    resync(): void {
      refetchShown(client);
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
