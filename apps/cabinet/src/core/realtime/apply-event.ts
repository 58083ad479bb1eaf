import type { Change, EventBody, Page } from '@heliograph/contract';
import type { QueryClient } from '@tanstack/react-query';
import { requestOfKey, keysOf, type Noun } from '../query-keys.ts';
import { dropItems, fresher, mergeItems } from './merge.ts';
import type { Row } from './row-placement.ts';

const EVENT = /^(\w+)\.(created|updated|removed|sent|read)$/;
/** A sent notification is a created row, a read one an updated row. */
const CHANGES: Record<string, Change> = { sent: 'created', read: 'updated' };

export interface Incoming {
  resource: Noun;
  change: Change;
}

export function parseEvent(name: string): Incoming | null {
  const found = EVENT.exec(name);
  return (
    found && { resource: found[1] as Noun, change: CHANGES[found[2]!] ?? (found[2] as Change) }
  );
}

/** Merges a socket event into every cached list and row of its resource. Returns whether they have to be refetched. */
export function applyEvent(
  client: QueryClient,
  event: Incoming,
  body: EventBody,
  now: number,
): boolean {
  if (event.change === 'removed' || !('items' in body)) {
    const ids = 'items' in body ? body.items.map((i) => i.id) : 'ids' in body ? body.ids : [];
    if (event.change === 'removed') remove(client, event.resource, ids);
    return true;
  }
  return put(client, event.resource, event.change, body.items as Row[], now);
}

function put(
  client: QueryClient,
  resource: Noun,
  change: 'created' | 'updated',
  items: Row[],
  now: number,
): boolean {
  let stale = false;
  const keys = keysOf(resource);
  for (const item of items) {
    client.setQueryData<Row>(keys.get(item.id), (old) => old && fresher(old, item));
    client.setQueryData<Row>(keys.me, (old) => (old?.id === item.id ? fresher(old, item) : old));
  }
  for (const [key, page] of client.getQueriesData<Page<Row>>({ queryKey: keys.lists })) {
    if (!page) continue;
    const merged = mergeItems(page, requestOfKey(key), change, items, now);
    if (merged.page !== page) client.setQueryData(key, merged.page);
    stale ||= merged.stale;
  }
  return stale;
}

function remove(client: QueryClient, resource: Noun, ids: string[]): void {
  for (const [key, page] of client.getQueriesData<Page<Row>>({
    queryKey: keysOf(resource).lists,
  })) {
    if (page) client.setQueryData(key, dropItems(page, ids).page);
  }
}
