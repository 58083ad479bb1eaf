import { Injectable } from '@nestjs/common';
import type { recurrentPayments } from '@heliograph/contract';
import { Db } from '../../core/db/db.ts';
import { equals, idTime, type ListSql } from '../../core/db/find-page.ts';
import { searchIn } from '../../core/db/search.ts';
import { Store } from '../../core/db/store.ts';
import type { In } from '../../core/http/endpoint.ts';
import { countOf, type Quota } from '../../core/quotas.ts';
import { RecurrentPayment } from './recurrent-payment.entity.ts';

type Query = In<typeof recurrentPayments.find>['query'];

const MAX_RECURRENT_PAYMENTS = 20;
export const RECURRENT_QUOTA: Quota = {
  name: 'recurrentPayments',
  limit: () => MAX_RECURRENT_PAYMENTS,
  used: countOf('recurrent_payments'),
};

/** One charge in flight per account. */
const NO_CHARGE = `not exists (select 1 from payments p where p.owner_id = r.owner_id and p.kind = 'charge' and p.status = 'init')`;
/** Nobody of a deactivated account can end its charges. */
const MAY_CHARGE = `${NO_CHARGE} and exists (select 1 from users o where o.id = r.owner_id and o.is_active)`;

@Injectable()
export class RecurrentPaymentsStore extends Store<RecurrentPayment, Query> {
  protected readonly list: ListSql<Query> = {
    order: { createdAt: 'r.id', amount: 'r.amount' },
    filter: {
      type: equals('r.type'),
      status: equals('r.status'),
      OwnerId: equals('r.owner_id'),
      id: equals('r.id'),
    },
    range: { createdAt: idTime('r.id') },
    search: searchIn({
      ids: ['r.id'],
      sums: ['r.amount', 'r.threshold'],
      texts: ['r.card_number'],
    }),
  };

  constructor(db: Db) {
    super(db, RecurrentPayment, 'r');
  }

  /** Recurring payments with a date that has come, or a balance that has fallen below their threshold. */
  async due(now: Date, limit: number): Promise<string[]> {
    const rows = await this.db.query<{ id: string }>(
      `(select r.id from recurrent_payments r
         where r.status = 'ready' and r.type = 'frequency' and r.next_at <= $1 and ${MAY_CHARGE} order by r.next_at limit $2)
       union all
       (select r.id from recurrent_payments r join balances b on b.owner_id = r.owner_id
         where r.status = 'ready' and r.type = 'threshold' and r.is_armed and b.balance < r.threshold
           and (r.next_at is null or r.next_at <= $1) and ${MAY_CHARGE} limit $2)`,
      [now, limit],
    );
    return rows.map(({ id }) => id);
  }

  /** The balance has risen to the threshold: the next fall below it is another crossing. */
  async arm(): Promise<void> {
    await this.db.query(
      `update recurrent_payments r set is_armed = true from balances b
        where r.status = 'ready' and r.type = 'threshold' and not r.is_armed and b.owner_id = r.owner_id and b.balance >= r.threshold and ${NO_CHARGE}`,
    );
  }

  /** As `arm`, for a payment of the account that is being credited: the balance may fall again before the next sweep. */
  async armBy(OwnerId: string, amount: string): Promise<void> {
    await this.db.query(
      `update recurrent_payments r set is_armed = true from balances b
        where r.owner_id = $1 and r.status = 'ready' and r.type = 'threshold' and not r.is_armed
          and b.owner_id = r.owner_id and b.balance + $2 >= r.threshold`,
      [OwnerId, amount],
    );
  }

  /** Locks a recurring payment that is still due, in the caller's transaction. */
  async lockDue(id: string, now: Date): Promise<RecurrentPayment | null> {
    const rows = await this.db.query<{ id: string }>(
      `select r.id from recurrent_payments r left join balances b on b.owner_id = r.owner_id
        where r.id = $1 and r.status = 'ready' and (r.next_at is null or r.next_at <= $2) and ${MAY_CHARGE}
          and (r.type = 'frequency' or r.is_armed and b.balance < r.threshold)
        for update of r`,
      [id, now],
    );
    return rows.length ? this.lock({ kind: 'all' }, id) : null;
  }

  removeAll(OwnerId: string): Promise<number> {
    return this.db.execute(`delete from recurrent_payments where owner_id = $1`, [OwnerId]);
  }

  /** Null when it was removed. */
  async lockExisting(id: string): Promise<RecurrentPayment | null> {
    const rows = await this.db.query(`select 1 from recurrent_payments where id = $1 for update`, [
      id,
    ]);
    return rows.length ? this.lock({ kind: 'all' }, id) : null;
  }

  async cardToken(id: string): Promise<Buffer | null> {
    const [row] = await this.db.query<{ token: Buffer | null }>(
      `select card_token as token from recurrent_payments where id = $1`,
      [id],
    );
    return row?.token ?? null;
  }
}
