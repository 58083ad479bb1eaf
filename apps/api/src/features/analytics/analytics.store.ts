import { Injectable } from '@nestjs/common';
import type { analytics, AnalyticsDimension } from '@heliograph/contract';
import { typeCode } from '@heliograph/domain';
import { scopeSql, type AccessScope } from '../../core/auth/actor.ts';
import { isTestSql } from '../../core/auth/test-tokens.ts';
import { Db } from '../../core/db/db.ts';
import type { In } from '../../core/http/endpoint.ts';
import { AMOUNTS, COUNTS, TIMES } from './figures-sql.ts';

type Query = In<typeof analytics.get>['query'];

/** Sums of one group in one of the periods. */
export interface GroupFigures {
  isCurrent: boolean;
  /** Null of the sum of all groups. */
  key: string | null;
  counts: number[];
  times: number[];
  cost: string;
}

/** Filters by messages, resolved: network codes of a country, and the number of a type. */
export interface RollupFilter extends Pick<Query, 'mccmnc' | 'sender' | 'groupId' | 'TokenId'> {
  type?: Query['type'];
  /** Mobile country codes. */
  countries?: string[];
}

/** The groups of a dimension; days of the other period are those of this one, in their order. */
const KEY_SQL: Record<
  AnalyticsDimension,
  (local: (time: string) => string, from: string, start: string) => string
> = {
  day: (local, from, start) =>
    `(${local(from)}::date + (${local('r.at')}::date - ${local(start)}::date))::text`,
  hour: (local) => `extract(hour from ${local('r.at')})::int::text`,
  type: () => 'r.type::text',
  operator: () => 'r.mccmnc',
  country: () => 'left(r.mccmnc, 3)',
  sender: () => 'r.sender',
  task: () => `coalesce(r.task_id::text, '')`,
  token: () => `coalesce(r.token_id::text, '')`,
  account: () => 'r.owner_id::text',
};

const array = (names: readonly string[]) =>
  `array[${names.map((name) => `sum(r.${name})`).join(', ')}]::float8[]`;
const [charged, refunded] = AMOUNTS;

@Injectable()
export class AnalyticsStore {
  constructor(private readonly db: Db) {}

  /** Sums of all messages and of the groups that have most of them, in one or two periods. */
  figures(
    scope: AccessScope,
    { by, from, to, beforeFrom, beforeTo, timeZone, OwnerId }: Query,
    filter: RollupFilter,
    limit: number,
  ): Promise<GroupFigures[]> {
    const parameters: unknown[] = [];
    const bind = (value: unknown) => `$${parameters.push(value)}`;
    const [start, end] = [`${bind(from)}::timestamptz`, `${bind(to)}::timestamptz`];
    const periods = [`r.at >= ${start} and r.at < ${end}`];
    let first = start;
    if (beforeFrom && beforeTo) {
      const before = `${bind(beforeFrom)}::timestamptz`;
      periods.push(`r.at >= ${before} and r.at < ${bind(beforeTo)}::timestamptz`);
      first = `case when r.at >= ${start} then ${start} else ${before} end`;
    }
    const conditions = [
      OwnerId
        ? `r.owner_id = ${bind(OwnerId)}::uuid and ${scopeSql(scope, `${bind(OwnerId)}::uuid`, bind)}`
        : scopeSql(scope, 'r.owner_id', bind),
      ...this.conditions(filter, bind),
      ...(hasClicks(by, filter) ? [] : ['r.type > 0']),
    ];
    const local = (time: string) => `(${time} at time zone ${bind(timeZone ?? 'UTC')}::text)`;
    const key = KEY_SQL[by](local, start, first);
    const rows = periods
      .map((period) => `select * from rollups r where ${period} and ${conditions.join(' and ')}`)
      .join(' union all ');
    return this.db.queryUnprepared<GroupFigures>(
      `with figures as materialized (
         select r.at >= ${start} as "isCurrent", ${key} as key, grouping(${key}) = 1 as is_total,
                ${array(COUNTS)} as counts, ${array(TIMES)} as times, sum(r.${charged} - r.${refunded}) as cost
           from (${rows}) r group by grouping sets ((1, 2), (1)))
       select "isCurrent", case when not is_total then key end as key, counts, times, cost::text from figures
        where is_total or key in (
          select key from figures where not is_total group by key
           order by sum(counts[1]) filter (where "isCurrent") desc nulls last, sum(counts[1]) desc, key limit ${bind(limit)})`,
      parameters,
    );
  }

  private conditions(
    { type, mccmnc, sender, groupId, TokenId, countries }: RollupFilter,
    bind: (value: unknown) => string,
  ): string[] {
    const out: string[] = [];
    if (type !== undefined) out.push(`r.type = ${bind(typeCode(type))}`);
    if (mccmnc !== undefined) out.push(`r.mccmnc = ${bind(mccmnc)}`);
    if (sender !== undefined) out.push(`r.sender = ${bind(sender)}`);
    if (groupId !== undefined) out.push(`r.task_id = ${bind(groupId)}`);
    if (TokenId !== undefined) out.push(`r.token_id = ${bind(TokenId)}`);
    // Messages of test tokens reach nobody: their figures are those of the token, or of its bulk.
    else if (groupId === undefined) out.push(`not ${isTestSql('r.token_id')}`);
    if (countries !== undefined) out.push(`left(r.mccmnc, 3) = any(${bind(countries)})`);
    return out;
  }

  async titles(by: 'task' | 'token' | 'account', ids: string[]): Promise<Map<string, string>> {
    const rows = await this.db.query<{ id: string; title: string }>(TITLES[by], [ids]);
    return new Map(rows.map(({ id, title }) => [id, title]));
  }
}

const TITLES = {
  task: `select id, title from tasks where id = any($1::uuid[])`,
  token: `select id, description as title from tokens where id = any($1::uuid[])`,
  account: `select id, username as title from users where id = any($1::uuid[])`,
};

/** Clicks are those of an account: nothing says which message a link was followed from. */
export const hasClicks = (by: AnalyticsDimension, filter: RollupFilter): boolean =>
  ['day', 'hour', 'account'].includes(by) &&
  Object.values(filter).every((value) => value === undefined);
