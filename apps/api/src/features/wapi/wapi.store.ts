import { Injectable } from '@nestjs/common';
import type { wapi } from '@heliograph/contract';
import { formatMoney, WAPI_GRACE_SECONDS, type Money, type WapiPeriod } from '@heliograph/domain';
import { systemScope } from '../../core/auth/actor.ts';
import { Db } from '../../core/db/db.ts';
import { contains, equals, idTime, type ListSql } from '../../core/db/find-page.ts';
import { Store } from '../../core/db/store.ts';
import type { In } from '../../core/http/endpoint.ts';
import type { Quota } from '../../core/quotas.ts';
import { WapiInstance } from './wapi-instance.entity.ts';

type Query = In<typeof wapi.find>['query'];

export const WAPI_QUOTA: Quota = {
  name: 'wapi',
  limit: (config) => config.QUOTA_WAPI,
  used: `select count(*)::float8 as used from wapi_instances where owner_id = $1 and state <> 'deleted'`,
};

const GRACE = `${WAPI_GRACE_SECONDS} * interval '1 second'`;
/** Instances `w` of accounts `u` whose renewal is due at `$1`. */
const RENEWABLE = `w.state <> 'deleted' and not w.is_canceled and w.is_active and u.is_active
  and w.expired_at <= $1 and w.expired_at > $1::timestamptz - ${GRACE} and (w.retry_at is null or w.retry_at <= $1)`;

type Changed = Pick<WapiInstance, 'id' | 'OwnerId' | 'phone' | 'state' | 'isPaid' | 'expiredAt'>;
const CHANGED = `id, owner_id as "OwnerId", phone, state, is_paid as "isPaid", expired_at as "expiredAt"`;

@Injectable()
export class WapiStore extends Store<WapiInstance, Query> {
  protected readonly list: ListSql<Query> = {
    order: { createdAt: 'w.id', expiredAt: 'w.expiredAt' },
    filter: {
      OwnerId: equals('w.owner_id'),
      state: equals('w.state'),
      isPaid: equals('w.is_paid'),
      id: equals('w.id'),
    },
    range: { createdAt: idTime('w.id') },
    search: contains('w.phone'),
  };

  constructor(db: Db) {
    super(db, WapiInstance, 'w');
  }

  async due(now: Date, limit: number): Promise<string[]> {
    const rows = await this.db.query<{ id: string }>(
      `select w.id from wapi_instances w join users u on u.id = w.owner_id where ${RENEWABLE} order by w.expired_at limit $2`,
      [now, limit],
    );
    return rows.map(({ id }) => id);
  }

  /** Locks an instance whose renewal is still due, in the caller's transaction. */
  async lockDue(id: string, now: Date): Promise<WapiInstance | null> {
    const rows = await this.db.query(
      `select 1 from wapi_instances w join users u on u.id = w.owner_id where w.id = $2 and ${RENEWABLE} for update of w`,
      [now, id],
    );
    return rows.length ? this.lock(systemScope, id) : null;
  }

  async addPeriod(
    { id, OwnerId }: Pick<WapiInstance, 'id' | 'OwnerId'>,
    { startsAt, endsAt }: WapiPeriod,
    amount: Money,
    createdBy: string | null,
  ): Promise<string> {
    const [row] = await this.db.query<{ id: string }>(
      `insert into wapi_periods (instance_id, owner_id, starts_at, ends_at, amount, created_by) values ($1, $2, $3, $4, $5, $6) returning id`,
      [id, OwnerId, startsAt, endsAt, formatMoney(amount), createdBy],
    );
    return row!.id;
  }

  cancelAll(OwnerId: string): Promise<number> {
    return this.db.execute(
      `update wapi_instances set is_canceled = true, retry_at = null, updated_at = now()
        where owner_id = $1 and state <> 'deleted' and not is_canceled`,
      [OwnerId],
    );
  }

  /** Ends the paid time of instances that are not renewed. */
  lapse(now: Date, limit: number): Promise<Changed[]> {
    return this.db.query<Changed>(
      `update wapi_instances set is_paid = false, qr = null, watched_until = null, updated_at = $1 where id in (
         select w.id from wapi_instances w join users u on u.id = w.owner_id
          where w.state <> 'deleted' and w.is_paid and w.expired_at <= $1 and (w.is_canceled or not w.is_active or not u.is_active)
          order by w.expired_at limit $2 for update of w skip locked)
       returning ${CHANGED}`,
      [now, limit],
    );
  }

  /** Removes instances whose grace is over; also those that could not be renewed in time. */
  expire(now: Date, limit: number): Promise<Changed[]> {
    return this.db.query<Changed>(
      `update wapi_instances set state = 'deleted', is_paid = false, qr = null, watched_until = null, problem = null, poll_at = $1, updated_at = $1
        where id in (
         select id from wapi_instances where state <> 'deleted' and expired_at <= $1::timestamptz - ${GRACE}
          order by expired_at limit $2 for update skip locked)
       returning ${CHANGED}`,
      [now, limit],
    );
  }

  /** Another instance that a phone is linked to. */
  async isLinkedElsewhere(id: string, phone: string): Promise<boolean> {
    const rows = await this.db.query(
      `select 1 from wapi_instances where phone = $2 and id <> $1 and state in ('authorized', 'sleep')`,
      [id, phone],
    );
    return rows.length > 0;
  }
}
