import { Injectable } from '@nestjs/common';
import type { SpendCap } from '@heliograph/contract';
import { formatMoney, parseMoney, type Money } from '@heliograph/domain';
import { scopeSql, type AccessScope } from '../../core/auth/actor.ts';
import { Db } from '../../core/db/db.ts';
import { uuidFloorSql } from '../../core/uuid.ts';
import { BILLING_STATUS_CODES, restSql, restsSql } from './billing.codes.ts';

/** A cap in one of its periods. */
export interface CapPeriod {
  id: string;
  OwnerId: string;
  TokenId: string | null;
  period: SpendCap['period'];
  limit: Money;
  spent: Money;
  timeZone: string;
  startsAt: Date;
  resetsAt: Date;
  /** The share in percent that the owner was notified of. */
  notified: number;
}

/** A cap of an account. */
export interface AccountCap extends Pick<CapPeriod, 'OwnerId' | 'period' | 'timeZone'> {
  limit: number;
}

type CapRow = Omit<CapPeriod, 'limit' | 'spent'> & Record<'limit' | 'spent', string>;

/** Whether an entry `b` is a charge that counts for a cap `p`. A manual entry has an author. */
const COUNTS = `b.owner_id = p.owner_id and (p.token_id is null or b.token_id = p.token_id) and b.source > 0 and b.created_by is null`;

/** What an entry `b` counts for a cap `p` before something is given back of it. Units of packages are no money; a token, which could use them up, has their price counted. */
const COUNTED = `case when p.token_id is not null and b.package_id is not null then b.price[1] * b.multiplier else -b.amount end`;

const [FIRST, LAST] = ['t.starts_at', 't.ends_at'].map(uuidFloorSql) as [string, string];
/** What the ledger says of a cap `p` in the period `t`: its charges, less what was given back of its calls. */
const LEDGER_SUM = `((select coalesce(sum(${COUNTED}), 0) from billings b
    where ${COUNTS} and b.status = ${BILLING_STATUS_CODES.complete} and b.id >= ${FIRST} and b.id < ${LAST})
  - (select coalesce(sum(r.amount), 0) from ${restsSql('p.owner_id', FIRST, LAST)}
      and (p.token_id is null or exists (select 1 from billings b where b.id = r.origin_id and b.token_id = p.token_id))))`;

/** When a day of a cap `p` begins: the first midnight, where clocks that are put back show it twice. Postgres takes the second one. */
const startSql = (day: string) =>
  `(select case when (m - interval '1 hour') at time zone p.time_zone >= ${day} then m - interval '1 hour' else m end
      from (values (${day} at time zone p.time_zone)) v (m))`;

/** The periods `t` of caps `p` that contain one of the times $2. Midnight is that of the time zone, also where a day has 23 or 25 hours. */
const PERIODS = `spend_caps p
  cross join lateral (select distinct date_trunc(p.period, moment at time zone p.time_zone) as day from unnest($2::timestamptz[]) moment) l
  cross join lateral (select ${startSql('l.day')} as starts_at,
                             ${startSql(`(l.day + ('1 ' || p.period)::interval)`)} as ends_at) t
  left join spend_counters c on c.cap_id = p.id and c.starts_at = t.starts_at`;

/** Counters older than this many days before the current period are deleted: no refund arrives so late. */
const KEPT_DAYS = 62;

/** Caps and what was spent of them. Everything that writes a counter holds the lock of the balance. */
@Injectable()
export class SpendCapsStore {
  constructor(private readonly db: Db) {}

  /** The caps of accounts in the periods of some times. What has no counter yet is summed from the ledger. */
  async at(owners: string[], times: Date[]): Promise<CapPeriod[]> {
    const rows = await this.db.query<CapRow>(
      `select p.id, p.owner_id as "OwnerId", p.token_id as "TokenId", p.period, p.amount::text as limit, p.time_zone as "timeZone",
              t.starts_at as "startsAt", t.ends_at as "resetsAt", coalesce(c.notified, 0) as notified,
              coalesce(c.spent, ${LEDGER_SUM})::text as spent
         from ${PERIODS} where p.owner_id = any($1) order by p.owner_id, p.token_id nulls first, p.period, t.starts_at`,
      [owners, times],
    );
    return rows.map((row) => ({
      ...row,
      limit: parseMoney(row.limit),
      spent: parseMoney(row.spent),
    }));
  }

  /** The caps of accounts, without those of their tokens. */
  ofAccounts(owners: string[]): Promise<AccountCap[]> {
    return this.db.query<AccountCap>(
      `select owner_id as "OwnerId", period, amount::float8 as limit, time_zone as "timeZone"
         from spend_caps where owner_id = any($1) and token_id is null`,
      [owners],
    );
  }

  /** Adds entries to the counters of their periods, and sums the ledger for periods without one. `sign` is -1 for refunds. */
  async add(owners: string[], entryIds: string[], times: Date[], sign: 1 | -1): Promise<void> {
    await this.change(owners, entryIds, `${sign} * (${COUNTED})`);
    if (sign > 0) await this.open(owners, times);
  }

  /** Takes what was given back of charges, which are calls, from the counters of their periods. */
  async addRests(owners: string[], entryIds: string[]): Promise<void> {
    await this.change(owners, entryIds, `-${restSql('b')}`);
  }

  private async change(owners: string[], entryIds: string[], amount: string): Promise<void> {
    await this.db.query(
      `update spend_counters c set spent = c.spent + d.amount
         from (select c.cap_id, c.starts_at, sum(${amount}) as amount
                 from billings b join spend_caps p on ${COUNTS}
                 join spend_counters c on c.cap_id = p.id
                  and uuid_extract_timestamp(b.id) >= c.starts_at and uuid_extract_timestamp(b.id) < c.ends_at
                where b.id = any($1) and b.owner_id = any($2) group by c.cap_id, c.starts_at) d
        where c.cap_id = d.cap_id and c.starts_at = d.starts_at`,
      [entryIds, owners],
    );
  }

  /** Makes the missing counters of the periods of some times. */
  async open(owners: string[], times: Date[]): Promise<void> {
    await this.db.query(
      `with opened as (
         insert into spend_counters (cap_id, starts_at, ends_at, spent)
         select p.id, t.starts_at, t.ends_at, ${LEDGER_SUM} from ${PERIODS} where p.owner_id = any($1) and c.cap_id is null
         on conflict do nothing returning cap_id, starts_at
       )
       delete from spend_counters c using opened o
        where c.cap_id = o.cap_id and c.ends_at < o.starts_at - interval '${KEPT_DAYS} days'`,
      [owners, times],
    );
  }

  /** Whether one of the entries counts for a cap in its period. */
  async counts({ id, startsAt, resetsAt }: CapPeriod, entryIds: string[]): Promise<boolean> {
    const rows = await this.db.query(
      `select 1 from billings b join spend_caps p on ${COUNTS}
        where p.id = $1 and b.id = any($2) and ${COUNTED} > 0
          and uuid_extract_timestamp(b.id) >= $3 and uuid_extract_timestamp(b.id) < $4 limit 1`,
      [id, entryIds, startsAt, resetsAt],
    );
    return rows.length > 0;
  }

  async setNotified({ id, startsAt }: CapPeriod, percent: number): Promise<void> {
    await this.db.query(
      `update spend_counters set notified = $3 where cap_id = $1 and starts_at = $2`,
      [id, startsAt, percent],
    );
  }

  /** Sets or removes one cap. The counters of another time zone have other periods, so they are summed anew. */
  async set(
    cap: Pick<CapPeriod, 'OwnerId' | 'TokenId' | 'period' | 'timeZone'>,
    limit: Money | null,
  ): Promise<void> {
    const key = [cap.OwnerId, cap.TokenId, cap.period];
    if (limit === null) {
      await this.db.query(
        `delete from spend_caps where owner_id = $1 and token_id is not distinct from $2 and period = $3`,
        key,
      );
      return;
    }
    await this.db.query(
      `delete from spend_counters c using spend_caps p
        where c.cap_id = p.id and p.owner_id = $1 and p.token_id is not distinct from $2 and p.period = $3 and p.time_zone <> $4`,
      [...key, cap.timeZone],
    );
    await this.db.query(
      `insert into spend_caps (owner_id, token_id, period, amount, time_zone) values ($1, $2, $3, $4, $5)
       on conflict (owner_id, token_id, period) do update
         set amount = excluded.amount, time_zone = excluded.time_zone, updated_at = now()`,
      [...key, formatMoney(limit), cap.timeZone],
    );
    // The owner is notified anew of a share that the new limit leaves behind.
    await this.db.query(
      `update spend_counters c set notified = case when c.spent >= p.amount then c.notified
              when c.spent >= p.amount * 0.8 then least(c.notified, 80) else 0 end
         from spend_caps p
        where c.cap_id = p.id and p.owner_id = $1 and p.token_id is not distinct from $2 and p.period = $3`,
      key,
    );
  }

  /** Locks the balance and notes on it whether the account has caps. */
  async mark(OwnerId: string): Promise<boolean> {
    const marked = await this.db.execute(
      `update balances set has_caps = exists (select 1 from spend_caps where owner_id = $1) where owner_id = $1`,
      [OwnerId],
    );
    return marked > 0;
  }

  async isWithin(scope: AccessScope, OwnerId: string): Promise<boolean> {
    const values: unknown[] = [OwnerId];
    const within = scopeSql(scope, 'u.id', (value) => `$${values.push(value)}`);
    const rows = await this.db.query(
      `select 1 from users u where u.id = $1 and u.owner_id = u.id and ${within}`,
      values,
    );
    return rows.length > 0;
  }

  async ownsToken(OwnerId: string, TokenId: string): Promise<boolean> {
    const rows = await this.db.query(`select 1 from tokens where id = $1 and owner_id = $2`, [
      TokenId,
      OwnerId,
    ]);
    return rows.length > 0;
  }
}
