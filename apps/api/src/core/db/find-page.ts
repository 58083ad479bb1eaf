import { COUNT_CAP, type ListQuery, type Page } from '@heliograph/contract';
import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { uuidFloor } from '../uuid.ts';
import type { Db } from './db.ts';

export type Fragment<V> = (value: V, bind: (value: unknown) => string) => string;

/** The SQL of `field[$gt]` and `field[$lt]` where it is not a comparison of a column. */
export interface RangeSql {
  $gt: Fragment<string>;
  $lt: Fragment<string>;
}

/** The SQL of what a list declares: exactly its orders, filters and ranges, no more and no less. */
export interface ListSql<Q extends ListQuery> {
  order: Record<Q['order'][number]['field'], string>;
  filter: { [K in keyof Q['filter']]-?: Fragment<NonNullable<Q['filter'][K]>> };
  range: Record<keyof Q['range'], string | RangeSql>;
  search?: Fragment<string>;
}

/** `%` and `_` of a search mean themselves. */
export function like(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}

export const equals =
  (column: string): Fragment<unknown> =>
  (value, bind) =>
    Array.isArray(value) ? `${column} = any(${bind(value)})` : `${column} = ${bind(value)}`;

export const contains =
  (...columns: string[]): Fragment<string> =>
  (value, bind) => {
    const pattern = bind(like(value));
    return `(${columns.map((c) => `${c} ilike ${pattern}`).join(' or ')})`;
  };

const comparisons = (column: string): RangeSql => ({
  $gt: (at, bind) => `${column} > ${bind(at)}`,
  $lt: (at, bind) => `${column} < ${bind(at)}`,
});

/** A range over the time in a UUIDv7 column, as bounds that its index can use. */
export function idTime(column: string): RangeSql {
  return {
    $gt: (at, bind) => `${column} >= ${bind(uuidFloor(new Date(Date.parse(at) + 1)))}`,
    $lt: (at, bind) => `${column} < ${bind(uuidFloor(at))}`,
  };
}

/** The conditions of a list as SQL, without reach. */
export function conditions<Q extends ListQuery>(
  sql: ListSql<Q>,
  query: Q,
  bind: (value: unknown) => string,
): string[] {
  const out: string[] = [];
  for (const [name, value] of Object.entries(query.filter)) {
    if (value !== undefined) out.push(sql.filter[name as keyof Q['filter']](value as never, bind));
  }
  for (const [name, range] of Object.entries(
    query.range as Record<string, { $gt?: string; $lt?: string }>,
  )) {
    const column = sql.range[name as keyof Q['range']];
    const { $gt, $lt } = typeof column === 'string' ? comparisons(column) : column;
    if (range.$gt) out.push($gt(range.$gt, bind));
    if (range.$lt) out.push($lt(range.$lt, bind));
  }
  if (query.search && sql.search) out.push(sql.search(query.search, bind));
  return out;
}

/** One page of `rows`: declared order with `id` as the tie-break, a count that stops at the cap. */
export async function findPage<E extends ObjectLiteral, Q extends ListQuery>(
  db: Db,
  rows: SelectQueryBuilder<E>,
  sql: ListSql<Q>,
  query: Q,
): Promise<Page<E>> {
  for (const condition of conditions(sql, query, binder(rows))) rows.andWhere(condition);
  const [text, parameters] = rows
    .clone()
    .select('1', 'one')
    .limit(COUNT_CAP + 1)
    .getQueryAndParameters();
  const [count] = await db.ask<{ n: number }>(
    `select count(*)::int as n from (${text}) c`,
    parameters,
  );

  for (const { field, direction } of query.order) {
    rows.addOrderBy(
      sql.order[field as Q['order'][number]['field']],
      direction === 'asc' ? 'ASC' : 'DESC',
    );
  }
  rows.addOrderBy(`${rows.alias}.id`, query.order[0]?.direction === 'asc' ? 'ASC' : 'DESC');
  const data = await rows.offset(query.offset).limit(query.limit).getMany();
  return { data, ...totals(count?.n ?? 0, query) };
}

/** The numbers of a page; `n` was counted up to one more than the cap. */
export function totals(
  n: number,
  query: { limit: number; offset: number },
): Omit<Page<never>, 'data'> {
  const numbers = { total: Math.min(n, COUNT_CAP), limit: query.limit, offset: query.offset };
  return n > COUNT_CAP ? { ...numbers, totalIsCapped: true } : numbers;
}

/** Placeholders of a query builder, named so that they never meet others'. */
export function binder(rows: SelectQueryBuilder<ObjectLiteral>): (value: unknown) => string {
  return (value) => {
    const name = `v${Object.keys(rows.getParameters()).length}`;
    rows.setParameter(name, value);
    return `:${name}`;
  };
}
