import type { Change, EventBody, Page } from '@heliograph/contract';
import type { QueryClient } from '@tanstack/react-query';
import type { ListAsk } from '../list-ask.ts';
import { dropItems, fresher, mergeItems } from './merge.ts';
import type { Row } from './placing.ts';

const EVENT = /^(\w+)\.(created|updated|removed|sent|read)$/;
/** A notification that was sent is one more, one that was read is one changed. */
const TOLD: Record<string, Change> = { sent: 'created', read: 'updated' };

export interface Incoming {
  resource: string;
  change: Change;
}

export function parseEvent(name: string): Incoming | null {
  const found = EVENT.exec(name);
  return found && { resource: found[1]!, change: TOLD[found[2]!] ?? (found[2] as Change) };
}

/**
 * Brings one socket event into every cached list and entity of its resource. Keys are `[resource, 'find', ask]` and
 * `[resource, 'get', id]`. Answers whether the server must be asked again.
 */
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
  resource: string,
  change: 'created' | 'updated',
  items: Row[],
  now: number,
): boolean {
  let stale = false;
  for (const item of items) {
    client.setQueryData<Row>([resource, 'get', item.id], (old) => old && fresher(old, item));
    client.setQueryData<Row>([resource, 'me'], (old) =>
      old?.id === item.id ? fresher(old, item) : old,
    );
  }
  for (const [key, page] of client.getQueriesData<Page<Row>>({ queryKey: [resource, 'find'] })) {
    if (!page) continue;
    const merged = mergeItems(page, key[2] as ListAsk, change, items, now);
    if (merged.page !== page) client.setQueryData(key, merged.page);
    stale ||= merged.stale;
  }
  return stale;
}

function remove(client: QueryClient, resource: string, ids: string[]): void {
  for (const [key, page] of client.getQueriesData<Page<Row>>({ queryKey: [resource, 'find'] })) {
    if (page) client.setQueryData(key, dropItems(page, ids).page);
  }
}
