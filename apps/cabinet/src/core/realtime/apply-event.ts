import type { Change, EventBody, Page } from '@heliograph/contract';
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { requestOfKey, keysOf, type Noun } from '../query-keys.ts';
import { dropItems, fresher, isUndecided, mergeItems } from './merge.ts';
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
    if (merged.page !== page) setData(client, key, merged.page, merged.undecided);
    stale ||= merged.stale;
  }
  return stale;
}

/**
 * Sets what a query shows. One whose fetch failed, or that is to be fetched again, may lack what other events said, and so remains to be
 * fetched; so does one of which it is open whether this is the latest state.
 */
function setData(client: QueryClient, queryKey: QueryKey, data: object, isOpen: boolean): void {
  const isAwaited = client.getQueryState(queryKey)?.isInvalidated;
  client.setQueryData(queryKey, data);
  if (isOpen || isAwaited)
    void client.invalidateQueries({ queryKey, exact: true, refetchType: 'none' });
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
  const isCovered = Object.keys(old).every((field) => field in item);
  setData(client, queryKey, next, !isCovered || isUndecided(old, item));
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
    if (page) setData(client, key, dropItems(page, ids).page, false);
  }
}
