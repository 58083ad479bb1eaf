import { COUNT_CAP, type ListQuery, type Page, type Range } from '@heliograph/contract';
import type { Db } from './db.ts';
import { countUpTo, totals, type Bind } from './find-page.ts';

/**
 * Changes before this time are committed, so that statements that begin later see them. One that a running transaction has not
 * committed is left out until then with all later ones: who follows the greatest time misses none.
 */
export async function changeHorizon(db: Db): Promise<Date> {
  // By locks.
  db.requirePrimary();
  const [row] = await db.query<{ at: Date }>(`select change_horizon() as at`);
  return row!.at;
}

/** A range of changes that ends at the horizon. */
export const changesBefore = (horizon: Date, range: Range = {}): Range & { $lt: string } => ({
  ...range,
  $lt: range.$lt && new Date(range.$lt) < horizon ? range.$lt : horizon.toISOString(),
});

/** The first portion of a page by change covers the usual time between two polls; each further one eight times as much. */
const FIRST_PORTION_MS = 5_000;
const PORTION_GROWTH = 8;

type Ids = (changed: Required<Range>, bind: Bind, take: string, isPage: boolean) => string;

/**
 * The ids of a page in the order of changes, and all that changed in the same millisecond as its last. `ids` selects the columns `id` and
 * `updated_at`. The next page is what changed after `until`, so there is no offset. Changes are read by portions of time: a program that
 * has much to catch up with sorts what is on its page, not all that is after it.
 */
export async function findIdsByChange(
  db: Db,
  query: Pick<ListQuery, 'limit' | 'offset'>,
  changed: Required<Range>,
  ids: Ids,
): Promise<Omit<Page<never>, 'data'> & { page: string[]; until: Date | undefined }> {
  const [start, end] = [Date.parse(changed.$gt), Date.parse(changed.$lt)];
  let rows: { id: string; at: Date }[] = [];
  let isAll = false;
  for (let span = FIRST_PORTION_MS; rows.length < query.limit && !isAll; span *= PORTION_GROWTH) {
    isAll = start + span >= end;
    const portion = isAll ? changed : { ...changed, $lt: new Date(start + span).toISOString() };
    rows = await portionOf(db, query.limit, portion, ids);
  }
  const page = rows.map((r) => r.id);
  const until = rows.at(-1)?.at;
  if (page.length < query.limit) return { page, until, ...totals(page.length, query) };
  const all = (bind: Bind) => ids(changed, bind, String(COUNT_CAP + 1), false);
  return { page, until, ...totals(await countUpTo(db, all, false), query) };
}

function portionOf(
  db: Db,
  size: number,
  changed: Required<Range>,
  ids: Ids,
): Promise<{ id: string; at: Date }[]> {
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const limit = `${bind(size)}::int`;
  return db.queryUnprepared<{ id: string; at: Date }>(
    `select s.id, s.updated_at as at from (select * from (${ids(changed, bind, limit, true)}) a order by updated_at fetch first (${limit}) rows with ties) s
      order by s.updated_at, s.id`,
    values,
  );
}
