import { keysOf, type Noun } from '../query-keys.ts';
import { queryClient } from '../query.ts';
import { applyEvent } from './apply-event.ts';
import type { Row } from './placing.ts';

/** The answer of a call goes where a socket's event would, and may no more than that replace what is newer. */
export function put(resource: Noun, row: Row): void {
  const event = { resource, change: 'updated' } as const;
  if (applyEvent(queryClient, event, { items: [row] } as never, Date.now())) {
    void queryClient.invalidateQueries({ queryKey: keysOf(resource).all });
  }
}
