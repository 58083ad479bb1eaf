import { keysOf, type Noun } from '../query-keys.ts';
import { queryClient } from '../query.ts';
import { applyEvent, refetchInvalidated } from './apply-event.ts';
import type { Row } from './row-placement.ts';

/** Merges the response of a call into the cache as a socket event would be: it never replaces a newer state. */
export function applyResponse(resource: Noun, row: Row): void {
  const event = { resource, change: 'updated' } as const;
  if (applyEvent(queryClient, event, { items: [row] } as never, Date.now())) {
    void queryClient.invalidateQueries({ queryKey: keysOf(resource).all });
  } else refetchInvalidated(queryClient, resource);
}
