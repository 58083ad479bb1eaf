import { Injectable } from '@nestjs/common';
import {
  MAX_TOTALLED,
  type billings,
  type BillingsWhere,
  type BillingTotals,
  type Page,
  type Range,
} from '@heliograph/contract';
import { isUuid } from '@heliograph/domain';
import type * as z from 'zod';
import type { AccessScope } from '../../core/auth/actor.ts';
import { alongIds } from '../../core/db/along-ids.ts';
import { Db } from '../../core/db/db.ts';
import {
  conditions,
  equals,
  findByTimeOrAmount,
  idTime,
  contains,
  type Bind,
  type Fragment,
  type ListSql,
} from '../../core/db/find-page.ts';
import { sumIn } from '../../core/db/search.ts';
import { Store } from '../../core/db/store.ts';
import type { In } from '../../core/http/endpoint.ts';
import {
  BILLING_STATUS_CODES,
  BILLING_STATUS_NAMES,
  isRestSql,
  ORIGIN_CODES,
  sourceCode,
  type BillingStatus,
  type Source,
} from './billing.codes.ts';
import { Billing } from './billing.entity.ts';

type Query = In<typeof billings.find>['query'];
type TotalsQuery = In<typeof billings.totals>['query'];

export type BillingsReport = BillingsWhere & { createdAt: Range };

const source: Fragment<Source[]> = (values, bind) =>
  equals('b.source')(values.map(sourceCode), bind);
const status: Fragment<BillingStatus[]> = (values, bind) =>
  equals('b.status')(
    values.map((name) => BILLING_STATUS_CODES[name]),
    bind,
  );

const isManual = (name: Source) => sourceCode(name) < 0;

/** Conditions that exclude each other, and the filters that they stand for. */
interface Parts {
  parts: (string | null)[];
  omitted: ('source' | 'status')[];
}
const WHOLE: Parts = { parts: [null], omitted: [] };

const sourceIs = (name: Source) => `b.source = ${sourceCode(name)}`;
const statusIs = (name: BillingStatus) => `b.status = ${BILLING_STATUS_CODES[name]}`;

const bySource = (names: Source[]): Parts => ({ parts: names.map(sourceIs), omitted: ['source'] });
const byStatus = (names: BillingStatus[]): Parts => ({
  parts: names.map(statusIs),
  omitted: ['status'],
});

/** Manual entries that are not complete are few, and have an index of both. */
function rarePairs({ filter }: Query): Parts | undefined {
  const { source: sources, status: statuses } = filter;
  if (!sources?.every(isManual) || !statuses || statuses.includes('complete')) return undefined;
  const parts = sources.flatMap((name) =>
    statuses.map((state) => `${sourceIs(name)} and ${statusIs(state)}`),
  );
  return { parts, omitted: ['source', 'status'] };
}

/** The parts of a search, which exclude each other. */
interface SearchParts {
  /** By an index of their own. */
  rows: string[];
  /** By an index that begins with the owner. */
  owners: string[];
}

/** An entry is searched by its id or that of its cause, by its sum, and by its comment for managers, who alone see all comments. */
function searched(text: string, scope: AccessScope, bind: Bind): SearchParts {
  if (isUuid(text)) {
    const id = bind(text);
    const ofCause = `b.origin = any(${bind(Object.values(ORIGIN_CODES))}) and b.origin_id = ${id}`;
    return { rows: [`b.id = ${id}`, ofCause], owners: [] };
  }
  const seesComments = scope.kind === 'all' || scope.kind === 'manager';
  const isCommented =
    seesComments &&
    `(b.source < 0 and b.comment is not null and ${contains('b.comment')(text, bind)})`;
  const sum = sumIn(text);
  const amounts = !sum ? [] : Number(sum) ? [sum, `-${sum}`] : [sum];
  const owners = amounts.map(
    (amount) => `b.amount = ${bind(amount)}${isCommented ? ` and ${isCommented} is not true` : ''}`,
  );
  return { rows: isCommented ? [isCommented] : [], owners };
}

export interface ReferralOfEntry {
  username: string;
  paid: number;
  isReturn: boolean;
}

@Injectable()
export class BillingsStore extends Store<Billing, Query> {
  protected readonly list: ListSql<Query> = {
    order: { createdAt: 'b.id', amount: 'b.amount' },
    cursor: 'b.id',
    filter: {
      status,
      source,
      id: equals('b.id'),
      OwnerId: equals('b.owner_id'),
      TariffId: equals('b.tariff_id'),
    },
    range: { createdAt: idTime('b.id') },
  };

  constructor(db: Db) {
    super(db, Billing, 'b');
  }

  override find(scope: AccessScope, query: Query): Promise<Page<Billing>> {
    const columns = query.order[0]!.field === 'amount' ? 'b.id, b.amount as value' : 'b.id';
    return findByTimeOrAmount(this.db, query, {
      isTimeInId: true,
      // A refunded or invalid entry stays one.
      isLasting: !query.filter.status?.some((name) => name === 'pending' || name === 'complete'),
      along: (by, bind, take) =>
        by === 'amount'
          ? this.alongAmounts(scope, query, bind, take)
          : this.alongIds(scope, query, bind, take, columns),
      load: (ids) => this.byIds(scope, ids),
    });
  }

  /**
   * Sums by currency over the newest entries that match, one more than is totalled at most: `count` tells whether there are more. What was
   * given back of the charges of calls counts as refunds do.
   */
  async totals(
    scope: AccessScope,
    query: TotalsQuery,
    currency: string,
  ): Promise<(z.infer<typeof BillingTotals> & { count: number })[]> {
    const values: unknown[] = [currency];
    const bind: Bind = (value) => `$${values.push(value)}`;
    const limit = MAX_TOTALLED + 1;
    const newest = { ...query, order: [{ field: 'createdAt', direction: 'desc' }] } as Query;
    const columns = 'b.id, b.owner_id, b.status, b.amount, b.origin';
    const valid = `b.status in (${BILLING_STATUS_CODES.pending}, ${BILLING_STATUS_CODES.complete})`;
    return this.db.queryUnprepared(
      `with newest as (select * from (${this.alongIds(scope, newest, bind, String(limit), columns)}) b order by b.id desc limit ${limit}),
            numbered as (select b.*, ${isRestSql('b')} as is_rest, row_number() over (order by b.id desc) as n from newest b)
       select coalesce(u.settings #>> '{billings,currency}', $1) as currency, count(*)::int as count,
              coalesce(sum(b.amount) filter (where ${valid} and b.amount > 0 and not is_rest and n < ${limit}), 0)::float8 as credits,
              coalesce(-sum(b.amount) filter (where ${valid} and (b.amount < 0 or is_rest) and n < ${limit}), 0)::float8 as charges,
              coalesce(sum(abs(b.amount)) filter (where (b.status = ${BILLING_STATUS_CODES.refunded} or is_rest) and n < ${limit}), 0)::float8 as refunds
         from numbered b join users u on u.id = b.owner_id group by 1 order by 2 desc, 1`,
      values,
    );
  }

  /**
   * Each status, or each source, is read along its own index and the results are merged, so that a rare one does not scan the others.
   * Nearly all entries are complete: with them the source is the rarer one.
   */
  private alongIds(
    scope: AccessScope,
    query: Query,
    bind: Bind,
    take: string,
    columns: string,
  ): string {
    if (query.search) return this.alongSearch(scope, query, query.search, { columns, take }, bind);
    const { OwnerId, source: sources, status: statuses = BILLING_STATUS_NAMES } = query.filter;
    const isReferral = query.scope.includes('referral');
    const isBySource = !isReferral && sources && statuses.includes('complete');
    const isWhole = scope.kind === 'all' && !isReferral && !Object.keys(query.filter).length;
    const { parts, omitted } = isWhole
      ? WHOLE
      : (rarePairs(query) ?? (isBySource ? bySource(sources) : byStatus(statuses)));
    const where = this.whereOf(query, bind, omitted);
    const { direction } = query.order[0]!;
    const along = query.filter.id || isWhole ? 'rows' : 'owners';
    const owner = { scope, OwnerId, along } as const;
    const rows = { from: 'billings b', alias: 'b', columns, parts, where, direction, take };
    return alongIds({ ...owner, ...rows }, bind);
  }

  private alongSearch(
    scope: AccessScope,
    query: Query,
    text: string,
    page: { columns: string; by?: string; take: string },
    bind: Bind,
  ): string {
    const { rows, owners } = searched(text, scope, bind);
    const where = this.whereOf(query, bind, []);
    const { direction } = query.order[0]!;
    const from = { from: 'billings b', alias: 'b', scope, OwnerId: query.filter.OwnerId } as const;
    const read = (along: 'rows' | 'owners', parts: string[]) =>
      parts.length ? [alongIds({ ...from, ...page, along, parts, where, direction }, bind)] : [];
    const found = [...read('rows', rows), ...read('owners', owners)];
    return found.join(' union all ') || `select ${page.columns} from billings b where false`;
  }

  /**
   * Statuses other than complete, and sources other than messages, have an index each that begins with them: most accounts have none or few
   * of them, and their amounts would be read to the end.
   */
  private alongAmounts(scope: AccessScope, query: Query, bind: Bind, take: string): string {
    const columns = 'b.id, b.amount as value';
    const by = 'b.amount';
    if (query.search)
      return this.alongSearch(scope, query, query.search, { columns, by, take }, bind);
    const { OwnerId, source: sources, status: statuses } = query.filter;
    const ofRare = statuses && !statuses.includes('complete') && byStatus(statuses);
    const ofManual = sources?.every(isManual) && bySource(sources);
    const { parts, omitted } = rarePairs(query) ?? (ofRare || ofManual || WHOLE);
    const where = this.whereOf(query, bind, omitted);
    // The index of all amounts begins where charges do.
    if (sources && !sources.some(isManual)) where.push('b.amount <= 0');
    const { direction } = query.order[0]!;
    const owner = { scope, OwnerId, along: 'owners' } as const;
    const rows = { from: 'billings b', alias: 'b', columns, by, where, direction };
    return alongIds({ ...owner, ...rows, parts, take }, bind);
  }

  /** The conditions of a list without those of its parts. */
  private whereOf(query: Query, bind: Bind, omitted: Parts['omitted']): string[] {
    const { OwnerId: _, ...filter } = query.filter;
    for (const name of omitted) delete filter[name];
    const where = conditions(this.list, { ...query, filter }, bind);
    if (query.scope.includes('referral')) where.push(`b.origin = ${ORIGIN_CODES.referral}`);
    return where;
  }

  /** The conditions of a report on entries `b`, without those of the access scope. */
  reportConditions(
    scope: AccessScope,
    { createdAt, search, ...filter }: BillingsReport,
    bind: Bind,
  ): string[] {
    const query = { filter, range: { createdAt } };
    const where = conditions(this.list, query as Query, bind);
    if (!search) return where;
    const { rows, owners } = searched(search, scope, bind);
    return [...where, `(${[...rows, ...owners].join(' or ') || 'false'})`];
  }

  /** Of entries of referral bonuses: whose payment it was a share of. By the id of the entry. */
  async referralsOf(ids: string[]): Promise<Map<string, ReferralOfEntry>> {
    const rows = await this.db.query<ReferralOfEntry & { id: string }>(
      `select b.id, u.username, n.paid::float8 as paid, t.id is not null as "isReturn"
         from billings b
         left join referral_returns t on t.id = b.origin_id
         join referral_bonuses n on n.id = coalesce(t.bonus_id, b.origin_id)
         join users u on u.id = n.referred_id
        where b.id = any($1) and b.origin = ${ORIGIN_CODES.referral}`,
      [ids],
    );
    return new Map(rows.map(({ id, ...referral }) => [id, referral]));
  }
}
