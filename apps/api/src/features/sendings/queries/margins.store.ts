import { Injectable } from '@nestjs/common';
import type { MarginGroup } from '@heliograph/contract';
import type { OperatorTable } from '@heliograph/domain';
import { scopeSql, type AccessScope } from '../../../core/auth/actor.ts';
import { Db } from '../../../core/db/db.ts';
import { BILLING_STATUS_CODES, ORIGIN_CODES } from '../../billings/billings.service.ts';
import { NOT_SUBMITTED } from './task-outcome.store.ts';

export interface MarginFilter {
  /** Days of UTC, both inclusive. */
  from: string;
  to: string;
  OwnerId?: string;
  ChannelId?: string;
  type?: number;
  /** Network codes. */
  networks?: string[];
}

export interface MarginSums {
  key: string | null;
  name: string | null;
  messages: number;
  units: number;
  currency: string;
  amount: number;
  refunded: number;
  costCurrency: string | null;
  cost: number | null;
}

/** A country is what its networks are. */
const KEYS: Record<MarginGroup, string> = {
  account: 'f.owner_id::text',
  channel: 'f.channel',
  type: 'f.type::text',
  country: 'f.mccmnc',
  operator: 'f.mccmnc',
  day: 'f.day::text',
};
/** Networks of the world in several currencies; accounts of an installation. The first ones by amount. */
const MAX_GROUPS = 10_000;

const refunded = BILLING_STATUS_CODES.refunded;

/** Of the number of a message `s`. */
const networkSql = (starts: string, codes: string) =>
  `case when s.phone like '+%' then (${codes}::text[])[width_bucket(rpad(substr(s.phone, 2, 15), 15, '0')::float8, ${starts}::float8[])] end`;

/**
 * What was charged, refunded and paid for messages, by the time of the submit or the refund. A refund counts for the network of its
 * number. `$from` and `$to` are times; `$starts` are the starts of the ranges of operators and `$codes` their networks.
 */
const factsBetween = (from: string, to: string, starts: string, codes: string, never: string) => `
  select (c.submitted_at at time zone 'UTC')::date as day, c.owner_id, c.channel, c.type, c.mccmnc, c.currency,
         c.messages, c.units, c.amount, 0::numeric as refunded, c.price * c.units / c.price_units as cost
    from message_costs c where c.submitted_at >= ${from} and c.submitted_at < ${to}
  union all
  select (r.refunded_at at time zone 'UTC')::date, r.owner_id, r.channel, r.type, r.mccmnc, c.currency, 0, 0, 0, r.amount,
         case when c.currency is not null then 0 end
    from (select l.refunded_at, -l.amount as amount, s.owner_id, b.channel, s.type, s.batch_id,
                 ${networkSql(starts, codes)} as mccmnc
            from billings l join sendings s on s.id = l.id join batches b on b.id = s.batch_id
           where l.status = ${refunded} and l.refunded_at >= ${from} and l.refunded_at < ${to}
             and (s.error is null or s.error <> all(${never}::text[]))
          union all
          -- What calls cost less than their reserves.
          select k.settled_at, l.amount, s.owner_id, b.channel, s.type, s.batch_id,
                 ${networkSql(starts, codes)}
            from call_charges k join billings l on l.origin = ${ORIGIN_CODES.call} and l.origin_id = k.sending_id
            join sendings s on s.id = k.sending_id join batches b on b.id = s.batch_id
           where k.settled_at >= ${from} and k.settled_at < ${to}) r
    -- What no carrier has had is in neither of the sums.
    join lateral (select c.currency from message_costs c where c.batch_id = r.batch_id
                   order by (c.mccmnc is not distinct from r.mccmnc) desc limit 1) c on true`;

/** Sums of ended days are rows of `margins`; those of other days are made of the messages. */
@Injectable()
export class MarginsStore {
  constructor(private readonly db: Db) {}

  async sums(
    scope: AccessScope,
    by: MarginGroup | null,
    filter: MarginFilter,
    table: OperatorTable,
    currency: string,
  ): Promise<MarginSums[]> {
    const values: unknown[] = [];
    const bind = (value: unknown) => `$${values.push(value)}`;
    const [from, to] = [bind(filter.from), bind(filter.to)];
    const [starts, codes, never] = [
      bind([...table.starts]),
      bind(codesOf(table)),
      bind(NOT_SUBMITTED),
    ];
    const key = by ? KEYS[by] : 'null::text';
    const where = [
      scopeSql(scope, 'f.owner_id', bind),
      ...(filter.OwnerId ? [`f.owner_id = ${bind(filter.OwnerId)}`] : []),
      ...(filter.ChannelId ? [`f.channel = ${bind(filter.ChannelId)}`] : []),
      ...(filter.type ? [`f.type = ${bind(filter.type)}`] : []),
      ...(filter.networks ? [`f.mccmnc = any(${bind(filter.networks)})`] : []),
    ];
    return this.db.queryUnprepared<MarginSums>(
      `with open as materialized (
         select greatest(${from}::date, coalesce((select max(day) + 1 from margin_days), ${from}::date)) as day),
       facts as (
         select day, owner_id, channel, type, mccmnc, currency, messages, units, amount, refunded, cost
           from margins where day between ${from}::date and ${to}::date
         union all
         ${factsBetween(`(select day from open)::timestamp at time zone 'UTC'`, `(${to}::date + 1)::timestamp at time zone 'UTC'`, starts, codes, never)})
       select ${key} as key, ${by === 'account' ? 'min(u.username)' : 'null::text'} as name,
              sum(f.messages)::float8 as messages, sum(f.units)::float8 as units,
              coalesce(u.settings #>> '{billings,currency}', ${bind(currency)}) as currency,
              sum(f.amount)::float8 as amount, sum(f.refunded)::float8 as refunded,
              f.currency as "costCurrency", sum(f.cost)::float8 as cost
         from facts f join users u on u.id = f.owner_id
        where ${where.join(' and ')} group by 1, 5, 8 order by 6 desc, 1 limit ${MAX_GROUPS}`,
      values,
    );
  }

  /** The first day whose sums are not kept; null when nothing was submitted yet. */
  async firstOpenDay(): Promise<string | null> {
    const [row] = await this.db.query<{ day: string | null }>(
      `select coalesce((select max(day) + 1 from margin_days),
                       (select min(submitted_at at time zone 'UTC')::date from message_costs))::text as day`,
    );
    return row!.day;
  }

  /** Keeps the sums of an ended day, once. In the caller's transaction. */
  async keep(day: string, table: OperatorTable): Promise<void> {
    const added = await this.db.execute(
      `insert into margin_days (day) values ($1) on conflict (day) do nothing`,
      [day],
    );
    if (!added) return;
    await this.db.query(
      `insert into margins (day, owner_id, channel, type, mccmnc, currency, messages, units, amount, refunded, cost)
       select $1::date, owner_id, channel, type, mccmnc, currency, sum(messages), sum(units), sum(amount), sum(refunded), sum(cost)
         from (${factsBetween(`$1::date::timestamp at time zone 'UTC'`, `($1::date + 1)::timestamp at time zone 'UTC'`, '$2', '$3', '$4')}) f
        group by owner_id, channel, type, mccmnc, currency`,
      [day, [...table.starts], codesOf(table), NOT_SUBMITTED],
    );
  }
}

const codesOf = (table: OperatorTable) => table.operators.map((one) => one?.mccmnc ?? null);
