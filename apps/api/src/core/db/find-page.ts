import { COUNT_CAP, type ListQuery, type Page } from '@heliograph/contract';
import { foldText, HOME_COUNTRY } from '@heliograph/domain';
import { LRUCache } from 'lru-cache';
import { hash } from 'node:crypto';
import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { uuidFloor } from '../uuid.ts';
import type { Db } from './db.ts';

/** Takes a value, returns its placeholder. */
export type Bind = (value: unknown) => string;
/** `country` is the numbering plan of phone numbers without a calling code. */
export type Fragment<V> = (value: V, bind: Bind, country: string) => string;

/** The SQL of `field[$gt]` and `field[$lt]` if it is not a plain column comparison. */
export interface RangeSql {
  $gt: (at: string, bind: Bind) => string;
  $lt: (at: string, bind: Bind) => string;
}

/** The SQL of exactly those orders, filters and ranges that the list's contract declares. */
export interface ListSql<Q extends ListQuery> {
  order: Record<Q['order'][number]['field'], string>;
  filter: {
    [K in Exclude<keyof Q['filter'], 'cursor'>]-?: Fragment<NonNullable<Q['filter'][K]>>;
  };
  /** The id column that the filter `cursor` compares with, in the direction of the order. */
  cursor?: string;
  range: Record<keyof Q['range'], string | RangeSql>;
  search?: Fragment<string>;
}

/** Escapes `%`, `_` and `\\`. */
export function like(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}

export const equals =
  (column: string) =>
  (value: unknown, bind: Bind): string => {
    if (!Array.isArray(value)) return `${column} = ${bind(value)}`;
    // With `= any` the index would no longer yield the requested order.
    return value.length === 1 ? `${column} = ${bind(value[0])}` : `${column} = any(${bind(value)})`;
  };

/** Texts with a part, whatever its case and accents. An index on them has the same `folded(column)`. */
export const contains =
  (...columns: string[]) =>
  (value: string, bind: Bind): string => {
    const pattern = bind(like(foldText(value)));
    return `(${columns.map((c) => `folded(${c}) like ${pattern}`).join(' or ')})`;
  };

/** The next millisecond. Times are stored to the microsecond and shown to the millisecond: what is shown with a time is not after it. */
export const after = (at: string): Date => new Date(Date.parse(at) + 1);

const comparisons = (column: string): RangeSql => ({
  $gt: (at, bind) => `${column} >= ${bind(after(at))}`,
  $lt: (at, bind) => `${column} < ${bind(at)}`,
});

/** A range over the time in a UUIDv7 column, as bounds that its index can use. */
export function idTime(column: string): RangeSql {
  return {
    $gt: (at, bind) => `${column} >= ${bind(uuidFloor(after(at)))}`,
    $lt: (at, bind) => `${column} < ${bind(uuidFloor(at))}`,
  };
}

/** The conditions of a list as SQL, without those of the access scope. */
export function conditions<Q extends ListQuery>(
  sql: ListSql<Q>,
  query: Q,
  bind: Bind,
  country = HOME_COUNTRY,
): string[] {
  const out: string[] = [];
  const { cursor, ...filter } = query.filter as { cursor?: string };
  if (cursor && sql.cursor)
    out.push(`${sql.cursor} ${query.order[0]?.direction === 'asc' ? '>' : '<'} ${bind(cursor)}`);
  for (const [name, value] of Object.entries(filter)) {
    const fragment = sql.filter[name as Exclude<keyof Q['filter'], 'cursor'>];
    if (value !== undefined) out.push(fragment(value as never, bind, country));
  }
  for (const [name, range] of Object.entries(
    query.range as Record<string, { $gt?: string; $lt?: string }>,
  )) {
    const column = sql.range[name as keyof Q['range']];
    const { $gt, $lt } = typeof column === 'string' ? comparisons(column) : column;
    if (range.$gt) out.push($gt(range.$gt, bind));
    if (range.$lt) out.push($lt(range.$lt, bind));
  }
  if (query.search && sql.search) out.push(sql.search(query.search, bind, country));
  return out;
}

/** One page of `rows`: declared order with `id` as the tie-break, a count that stops at the cap. */
export async function findPage<E extends ObjectLiteral, Q extends ListQuery>(
  db: Db,
  rows: SelectQueryBuilder<E>,
  sql: ListSql<Q>,
  query: Q,
  country?: string,
): Promise<Page<E>> {
  for (const condition of conditions(sql, query, binder(rows), country)) rows.andWhere(condition);
  const [text, parameters] = rows
    .clone()
    .select('1', 'one')
    .limit(COUNT_CAP + 1)
    .getQueryAndParameters();
  for (const { field, direction } of query.order) {
    rows.addOrderBy(
      sql.order[field as Q['order'][number]['field']],
      direction === 'asc' ? 'ASC' : 'DESC',
    );
  }
  rows.addOrderBy(`${rows.alias}.id`, query.order[0]?.direction === 'asc' ? 'ASC' : 'DESC');
  const data = await rows.offset(query.offset).limit(query.limit).getMany();
  if (isWhole(data, query)) return { data, ...totals(data.length, query) };
  const [count] = await db.queryUnprepared<{ n: number }>(
    `select count(*)::int as n from (${text}) c`,
    parameters,
  );
  return { data, ...totals(count!.n, query) };
}

/**
 * The ids of a page ordered by id, with its totals, for lists that read several indexes. `ids` returns a select that
 * contains at least the first `take` ids in any order; if `isPage` is false (for the count) it may contain any of them.
 */
export async function findIds(
  db: Db,
  query: Pick<ListQuery, 'order' | 'limit' | 'offset'>,
  ids: (bind: Bind, take: string, isPage: boolean) => string,
  isLasting = false,
): Promise<Omit<Page<never>, 'data'> & { page: string[] }> {
  const direction = query.order[0]!.direction;
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const limit = bind(query.limit);
  const offset = bind(query.offset);
  const rows = await db.queryUnprepared<{ id: string }>(
    `select s.id from (${ids(bind, `${limit}::int + ${offset}::int`, true)}) s order by s.id ${direction} limit ${limit} offset ${offset}`,
    values,
  );
  if (isWhole(rows, query)) return { page: rows.map((r) => r.id), ...totals(rows.length, query) };
  const count = await countUpTo(db, (bind) => ids(bind, String(COUNT_CAP + 1), false), isLasting);
  return { page: rows.map((r) => r.id), ...totals(count, query) };
}

/** Selects of the columns `id` and `value` in the order of `query`. */
export interface InOrder {
  /** Any `take` rows that match, along the indexes of their filters. */
  matching: (bind: Bind, take: string) => string;
  /** The first `take` rows, along an index that ends with the value and the id. */
  first: (bind: Bind, take: string) => string;
}

/**
 * As `findIds`, ordered by a value. Few rows are read by their filters and sorted. Of many, the index of the value has a page soon, since
 * a row in some hundreds matches.
 */
async function findIdsInOrder(
  db: Db,
  query: Pick<ListQuery, 'order' | 'limit' | 'offset'>,
  { matching, first }: InOrder,
  isLasting: boolean,
): Promise<Omit<Page<never>, 'data'> & { page: string[] }> {
  const count = await countUpTo(db, (bind) => matching(bind, String(COUNT_CAP + 1)), isLasting);
  if (!count) return { page: [], ...totals(count, query) };
  const { direction } = query.order[0]!;
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const limit = bind(query.limit);
  const offset = bind(query.offset);
  const rows =
    count > COUNT_CAP
      ? first(bind, `${limit}::int + ${offset}::int`)
      : matching(bind, `${COUNT_CAP}`);
  const page = await db.queryUnprepared<{ id: string }>(
    `select s.id from (${rows}) s order by s.value ${direction}, s.id ${direction} limit ${limit} offset ${offset}`,
    values,
  );
  return { page: page.map((r) => r.id), ...totals(count, query) };
}

type TimeOrAmount = 'createdAt' | 'amount';

/** A list in the order of time or of amounts. */
export interface TimeOrAmountList<E> {
  /** Whether the order of ids is that of time. */
  isTimeInId: boolean;
  /** Whether a row that matches the filters will always match, so that a list beyond the cap need not be counted again. */
  isLasting: boolean;
  /** Selects the columns `id` and `value`, along the indexes of the filters by time or along one of the amount. */
  along: (by: TimeOrAmount, bind: Bind, take: string) => string;
  load: (ids: string[]) => Promise<E[]>;
}

export async function findByTimeOrAmount<E extends { id: string }>(
  db: Db,
  query: Pick<ListQuery, 'limit' | 'offset'> & {
    order: { field: TimeOrAmount; direction: 'asc' | 'desc' }[];
  },
  { isTimeInId, isLasting, along, load }: TimeOrAmountList<E>,
): Promise<Page<E>> {
  const { field } = query.order[0]!;
  const byTime = (bind: Bind, take: string) => along('createdAt', bind, take);
  const { page, ...numbers } =
    isTimeInId && field === 'createdAt'
      ? await findIds(db, query, byTime, isLasting)
      : await findIdsInOrder(
          db,
          query,
          { matching: byTime, first: (bind, take) => along(field, bind, take) },
          isLasting,
        );
  return { data: inOrder(page, await load(page)), ...numbers };
}

/** Lists beyond the cap by their statement. Accounts may leave a scope, so they are counted again after a while. */
const beyondCap = new WeakMap<Db, LRUCache<string, true>>();
const BEYOND_CAP = { max: 10_000, ttl: 60_000 };

export async function countUpTo(
  db: Db,
  rows: (bind: Bind) => string,
  isLasting: boolean,
): Promise<number> {
  const values: unknown[] = [];
  const all = rows((value) => `$${values.push(value)}`);
  const known = beyondCap.get(db) ?? new LRUCache(BEYOND_CAP);
  beyondCap.set(db, known);
  const key = hash('sha256', JSON.stringify([all, values]));
  if (isLasting && known.has(key)) return COUNT_CAP + 1;
  const [count] = await db.queryUnprepared<{ n: number }>(
    `select count(*)::int as n from (select 1 from (${all}) s limit ${COUNT_CAP + 1}) c`,
    values,
  );
  if (isLasting && count!.n > COUNT_CAP) known.set(key, true);
  return count!.n;
}

/** A first page that is not full contains every row, so no count is needed. */
export function isWhole(rows: unknown[], query: { limit: number; offset: number }): boolean {
  return query.offset === 0 && rows.length < query.limit;
}

/** Sorts rows in the order of `ids`. */
export function inOrder<R extends { id: string }>(ids: string[], rows: R[]): R[] {
  const found = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** The totals of a page; `n` was counted up to one more than the cap. */
export function totals(
  n: number,
  query: { limit: number; offset: number },
): Omit<Page<never>, 'data'> {
  const numbers = { total: Math.min(n, COUNT_CAP), limit: query.limit, offset: query.offset };
  return n > COUNT_CAP ? { ...numbers, totalIsCapped: true } : numbers;
}

/** Placeholders of a query builder with names that are unique in it. */
export function binder(rows: SelectQueryBuilder<ObjectLiteral>): Bind {
  return (value) => {
    const name = `v${Object.keys(rows.getParameters()).length}`;
    rows.setParameter(name, value);
    return `:${name}`;
  };
}
