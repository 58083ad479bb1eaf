import { Injectable } from '@nestjs/common';
import type { payments, Page } from '@heliograph/contract';
import type { AccessScope } from '../../core/auth/actor.ts';
import { alongIds } from '../../core/db/along-ids.ts';
import { Db } from '../../core/db/db.ts';
import {
  conditions,
  equals,
  findByTimeOrAmount,
  idTime,
  type Bind,
  type ListSql,
} from '../../core/db/find-page.ts';
import { searchIn } from '../../core/db/search.ts';
import { Store } from '../../core/db/store.ts';
import type { In } from '../../core/http/endpoint.ts';
import type { Quota } from '../../core/quotas.ts';
import { Payment } from './payment.entity.ts';

type Query = In<typeof payments.find>['query'];

/** Payments of an account that wait for their payer. */
const MAX_OPEN_PAYMENTS = 100;
export const OPEN_PAYMENTS_QUOTA: Quota = {
  name: 'openPayments',
  isUnfinished: true,
  limit: () => MAX_OPEN_PAYMENTS,
  used: `select count(*)::float8 as used from payments where owner_id = $1 and status = 'init'`,
};

@Injectable()
export class PaymentsStore extends Store<Payment, Query> {
  protected readonly list: ListSql<Query> = {
    order: { createdAt: 'p.id', amount: 'p.amount' },
    filter: {
      status: equals('p.status'),
      method: equals('p.method'),
      id: equals('p.id'),
      OwnerId: equals('p.owner_id'),
      RecurrentPaymentId: equals('p.recurrent_payment_id'),
    },
    range: { createdAt: idTime('p.id') },
    search: searchIn({
      ids: ['p.id', 'p.recurrent_payment_id'],
      sums: ['p.amount'],
      texts: ['p.card_number'],
      wholes: ['p.external_id'],
    }),
  };

  constructor(db: Db) {
    super(db, Payment, 'p');
  }

  override find(scope: AccessScope, query: Query): Promise<Page<Payment>> {
    return findByTimeOrAmount(this.db, query, {
      isTimeInId: true,
      isLasting: !query.filter.status && !query.search,
      along: (by, bind, take) =>
        this.along(scope, query, bind, take, by === 'amount' ? 'p.amount' : undefined),
      load: (ids) => this.byIds(scope, ids),
    });
  }

  /**
   * Each status of each method has an index by time; `by` names another order, which has one without them, for one owner and for all: of
   * several owners, Postgres knows which is the shorter way.
   */
  private along(scope: AccessScope, query: Query, bind: Bind, take: string, by?: string): string {
    const { OwnerId, status, method, ...filter } = query.filter;
    const others = by ? { ...filter, status, method } : filter;
    const where = conditions(this.list, { ...query, filter: others }, bind);
    const isWhole = scope.kind === 'all' && !OwnerId;
    const isByRow = by || filter.id || filter.RecurrentPaymentId || query.search || isWhole;
    const along = isByRow ? 'rows' : 'owners';
    const each = (column: string, names: string[] = []) =>
      names.map((name) => `${column} = ${bind(name)}`);
    const parts = by ? [null] : eachWithEach(each('p.method', method), each('p.status', status));
    const owner = { scope, OwnerId, along } as const;
    const rows = { from: 'payments p', alias: 'p', columns: 'p.id, p.amount as value', by };
    const { direction } = query.order[0]!;
    return alongIds({ ...owner, ...rows, parts, where, direction, take }, bind);
  }

  /** The last payments of a recurring payment, newest first. */
  lastOf(scope: AccessScope, RecurrentPaymentId: string, limit: number): Promise<Payment[]> {
    return this.rows(scope)
      .andWhere('p.recurrent_payment_id = :RecurrentPaymentId', { RecurrentPaymentId })
      .orderBy('p.id', 'DESC')
      .limit(limit)
      .getMany();
  }

  /** Marks payments that are due for a query, each until `until` for its number of queries, and returns them. */
  takeDue(now: Date, seconds: number[], limit: number): Promise<{ id: string }[]> {
    return this.db.query<{ id: string }>(
      `update payments p set queries = p.queries + 1,
              next_query_at = $1::timestamptz + make_interval(secs => ($2::int[])[least(p.queries + 1, cardinality($2::int[]))])
        where p.id in (select id from payments where next_query_at <= $1 order by next_query_at limit $3 for update skip locked)
       returning p.id`,
      [now, seconds, limit],
    );
  }
}

/** All pairs of a method and a status; if one of the filters is not given, the conditions of the other. */
function eachWithEach(methods: string[], statuses: string[]): (string | null)[] {
  if (!methods.length && !statuses.length) return [null];
  if (!methods.length) return statuses;
  if (!statuses.length) return methods;
  return methods.flatMap((method) => statuses.map((status) => `${method} and ${status}`));
}
