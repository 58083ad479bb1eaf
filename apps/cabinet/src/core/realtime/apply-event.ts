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
    putDetails(client, keys.get(item.id), item);
    putDetails(client, keys.me, item);
  }
  for (const [key, page] of client.getQueriesData<Page<Row>>({ queryKey: keys.lists })) {
    if (!page) continue;
    const merged = mergeItems(page, requestOfKey(key), change, items, now);
    if (merged.page !== page) client.setQueryData(key, merged.page);
    stale ||= merged.stale;
  }
  return stale;
}

/**
 * An event has the fields of a list. An answer with further ones (the refunds of a payment, the course of a message) keeps them, and is
 * fetched again, as they may have changed with the row.
 */
function putDetails(client: QueryClient, queryKey: readonly unknown[], item: Row): void {
  const old = client.getQueryData<Row>(queryKey);
  if (old?.id !== item.id) return;
  const next = fresher(old, item);
  if (next === old) return;
  client.setQueryData(queryKey, next);
  const isCovered = Object.keys(old).every((field) => field in item);
  if (!isCovered) void client.invalidateQueries({ queryKey, exact: true, refetchType: 'none' });
}

/** Fetches the shown answers that an event did not cover. */
export function refetchInvalidated(client: QueryClient, resource: Noun): void {
  void client.refetchQueries({
    queryKey: keysOf(resource).all,
    type: 'active',
    predicate: ({ state }) => state.isInvalidated,
  });
}

function remove(client: QueryClient, resource: Noun, ids: string[]): void {
  for (const [key, page] of client.getQueriesData<Page<Row>>({
    queryKey: keysOf(resource).lists,
  })) {
    if (page) client.setQueryData(key, dropItems(page, ids).page);
  }
}
