import { Injectable } from '@nestjs/common';
import type { Page, referrals, ReferralStatistics } from '@heliograph/contract';
import { scopeSql, type AccessScope } from '../../core/auth/actor.ts';
import { Db } from '../../core/db/db.ts';
import { conditions, isWhole, totals, type Bind, type ListSql } from '../../core/db/find-page.ts';
import type { In } from '../../core/http/endpoint.ts';
import { uuidFloor } from '../../core/uuid.ts';
import { ORIGIN_CODES } from '../billings/billings.service.ts';

type Query = In<typeof referrals.find>['query'];

export interface ReferredAccount {
  id: string;
  username: string;
  currency: string | null;
  bonus: number;
  payments: number;
  createdAt: Date;
}

export type ReferralSums = Pick<
  ReferralStatistics,
  'code' | 'accounts' | 'paid' | 'active' | 'bonus' | 'monthBonus'
> & { currency: string | null; oldestActive: Date | null };

/** Beyond it the referred accounts of an account are not counted. */
const MAX_COUNTED = 10_000;
const IS_ACTIVE = 'u.created_at > ';

/** Reads the accounts that an account referred, which it must not see otherwise. */
@Injectable()
export class ReferredAccountsStore {
  constructor(private readonly db: Db) {}

  /** `since`: accounts that registered after it are within their bonus period. The scope applies to the referrer. */
  async find(scope: AccessScope, query: Query, since: Date): Promise<Page<ReferredAccount>> {
    const list: ListSql<Query> = {
      order: { createdAt: 'u.created_at', bonus: 'coalesce(b.bonus, 0)' },
      filter: {
        state: (states, bind) =>
          states.length > 1
            ? 'true'
            : `(${IS_ACTIVE}${bind(since)}) = ${String(states[0] === 'active')}`,
        OwnerId: (OwnerId, bind) => `u.referrer_id = ${bind(OwnerId)}`,
      },
      range: { createdAt: 'u.created_at' },
    };
    const from = (bind: Bind) =>
      `users u left join lateral (
         select sum(n.amount - n.returned) as bonus, count(*) as payments from referral_bonuses n
          where n.owner_id = u.referrer_id and n.referred_id = u.id) b on true
        where u.referrer_id is not null and u.id = u.owner_id and ${[
          scopeSql(scope, 'u.referrer_id', bind),
          ...conditions(list, query, bind),
        ].join(' and ')}`;
    const values: unknown[] = [];
    const bind: Bind = (value) => `$${values.push(value)}`;
    const order = query.order.map((o) => `${list.order[o.field]} ${o.direction}`).join(', ');
    const data = await this.db.queryUnprepared<ReferredAccount>(
      `select u.id, u.username, (select r.settings #>> '{billings,currency}' from users r where r.id = u.referrer_id) as currency,
              coalesce(b.bonus, 0)::float8 as bonus, coalesce(b.payments, 0)::int as payments, u.created_at as "createdAt"
         from ${from(bind)}
        order by ${order}, u.id ${query.order[0]!.direction} limit ${query.limit} offset ${query.offset}`,
      values,
    );
    if (isWhole(data, query)) return { data, ...totals(data.length, query) };
    const counted: unknown[] = [];
    const [count] = await this.db.queryUnprepared<{ n: number }>(
      `select count(*)::int as n from (
         select 1 from ${from((value) => `$${counted.push(value)}`)} limit ${MAX_COUNTED + 1}) c`,
      counted,
    );
    return { data, ...totals(count!.n, query) };
  }

  /** Undefined when the account is not within the scope. */
  async sums(
    scope: AccessScope,
    OwnerId: string,
    since: Date,
    month: Date,
  ): Promise<ReferralSums | undefined> {
    const values: unknown[] = [OwnerId, since, uuidFloor(month)];
    const within = scopeSql(scope, 'r.id', (value) => `$${values.push(value)}`);
    const [row] = await this.db.query<ReferralSums>(
      `select r.referral_code as code, r.settings #>> '{billings,currency}' as currency,
              c.accounts, c.paid, c.active, c.oldest as "oldestActive", e.bonus, e.month as "monthBonus"
         from users r,
              lateral (select count(*)::int as accounts, count(*) filter (where ${IS_ACTIVE}$2)::int as active,
                              min(u.created_at) filter (where ${IS_ACTIVE}$2) as oldest,
                              count(*) filter (where exists (select 1 from referral_bonuses n
                                where n.owner_id = r.id and n.referred_id = u.id))::int as paid
                         from users u where u.referrer_id = r.id and u.id = u.owner_id) c,
              lateral (select coalesce(sum(b.amount), 0)::float8 as bonus,
                              coalesce(sum(b.amount) filter (where b.id >= $3), 0)::float8 as month
                         from billings b where b.owner_id = r.id and b.origin = ${ORIGIN_CODES.referral}) e
        where r.id = $1 and ${within}`,
      values,
    );
    return row;
  }
}
