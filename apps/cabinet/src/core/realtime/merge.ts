import type { Change, Page } from '@heliograph/contract';
import type { ListRequest } from '../list-request.ts';
import { belongs, newestFirst, type Row } from './row-placement.ts';

export interface Merged<T> {
  page: Page<T>;
  /** Only the server can place the rows: the list has to be refetched. */
  stale: boolean;
  /** It is open whether a row has its latest state (`isUndecided`). */
  undecided: boolean;
}

/** Events may arrive out of order: an older state never replaces a newer one. */
export function fresher<T extends Row>(old: T, next: T): T {
  if (old.updatedAt && next.updatedAt && next.updatedAt < old.updatedAt) return old;
  // Fields that the list requested in addition (an owner, a payload) are not in every event.
  return { ...old, ...next };
}

/**
 * Whether two states of a row differ and nothing tells which one is newer: what is counted for a row changes without its time, and the
 * events of two processes may overtake each other.
 */
export function isUndecided<T extends Row>(old: T, next: T): boolean {
  if (old.updatedAt && next.updatedAt && next.updatedAt !== old.updatedAt) return false;
  return Object.entries(next).some(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(old[field as keyof T]),
  );
}

/** Merges one event's rows into one cached page. Returns the same page object when nothing changed. */
export function mergeItems<T extends Row>(
  page: Page<T>,
  request: ListRequest,
  change: Exclude<Change, 'removed'>,
  items: T[],
  now: number,
): Merged<T> {
  let { data, total } = page;
  let stale = false;
  let undecided = false;
  for (const item of items) {
    const index = data.findIndex((row) => row.id === item.id);
    const place = belongs(item, request, now);
    if (index >= 0) {
      const old = data[index]!;
      const next = fresher(old, item);
      if (next !== old) data = data.with(index, next);
      undecided ||= isUndecided(old, item);
      // A row that no longer matches the filter stays until the next fetch, so that rows do not move under the pointer.
      // One whose place in the order has changed has its new place after it.
      if (place !== true || isMoved(old, item, request)) stale = true;
    } else if (place === false) {
      continue;
    } else if (change === 'created' && place === true && !request.offset && newestFirst(request)) {
      data = insert(data, item).slice(0, page.limit);
      // A count that is not known beyond its cap does not grow.
      if (!page.totalIsCapped) total += 1;
    } else if (change === 'created' || hasFilter(request) || isByLastMessage(request)) {
      // On a later page, in another order, or an update that brings the row under the filter or to the front.
      stale = true;
    }
  }
  return {
    page: data === page.data && total === page.total ? page : { ...page, data, total },
    stale,
    undecided,
  };
}

/** Ids grow with time (UUIDv7), so equal times still have one order. */
function insert<T extends Row>(rows: T[], item: T): T[] {
  const key = (row: T) => `${row.createdAt ?? ''} ${row.id}`;
  const at = rows.findIndex((row) => key(row) < key(item));
  return at < 0 ? [...rows, item] : rows.toSpliced(at, 0, item);
}

const LAST = 'lastMessageAt';
const isByLastMessage = ({ order }: ListRequest): boolean => order[0]?.field === LAST;

/** A new message moves its conversation to the front. */
function isMoved(old: Row, next: Row, request: ListRequest): boolean {
  const timeOf = (row: Row) => (row as { [LAST]?: string })[LAST];
  return isByLastMessage(request) && timeOf(old) !== timeOf(next);
}

function hasFilter(request: ListRequest): boolean {
  return !!request.search || Object.values(request.filter).some((v) => v !== undefined);
}

/** Drops removed rows; the page has to be refetched, because a row of the next page moves up. */
export function dropItems<T extends Row>(page: Page<T>, ids: string[]): Merged<T> {
  const data = page.data.filter((row) => !ids.includes(row.id));
  const gone = page.data.length - data.length;
  return gone
    ? { page: { ...page, data, total: page.total - gone }, stale: true, undecided: false }
    : { page, stale: true, undecided: false };
}
