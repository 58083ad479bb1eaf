import { Injectable } from '@nestjs/common';
import {
  MAX_MARGIN_ROWS,
  type MarginRow,
  type margins,
  type ResponseOf,
} from '@heliograph/contract';
import { typeCode, typeOf } from '@heliograph/domain';
import type { Actor } from '../../../core/auth/actor.ts';
import { Clock } from '../../../core/clock.ts';
import { Config } from '../../../core/config.ts';
import { Db } from '../../../core/db/db.ts';
import type { In } from '../../../core/http/endpoint.ts';
import { Sweeps } from '../../../core/jobs/handlers.ts';
import { operatorByCode, operators } from '../pricing/operators.ts';
import { MarginsStore, type MarginSums } from './margins.store.ts';

const HOUR_MS = 3_600_000;
/** Submits of a day are recorded by then. */
const SETTLED_MS = HOUR_MS;
/** Days that one sweep keeps: the first one after an upgrade has many. */
const DAYS_AT_ONCE = 20;

/** What messages were charged and cost, for managers. */
@Injectable()
export class MarginsService {
  constructor(
    private readonly store: MarginsStore,
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  async get(
    { scope }: Actor,
    { by, country, mccmnc, type, ...query }: In<typeof margins.get>['query'],
  ): Promise<ResponseOf<typeof margins.get>> {
    const table = operators();
    const filter = {
      ...query,
      ...(type && { type: typeCode(type) }),
      ...((country || mccmnc) && { networks: networksOf(country, mccmnc) }),
    };
    const { CURRENCY } = this.config;
    // One statement after the other: a report takes one connection.
    const sums = await this.store.sums(scope, by, filter, table, CURRENCY);
    const totals = await this.store.sums(scope, null, filter, table, CURRENCY);
    const named = sums.map((row) => ({ ...row, ...NAMES[by](row) }));
    const rows = by === 'country' ? joined(named) : named;
    return { data: rows.slice(0, MAX_MARGIN_ROWS).map(present), totals: totals.map(present) };
  }

  /** Keeps the sums of ended days, so that a report of a year does not read its messages. */
  @Sweeps(HOUR_MS)
  async keepEndedDays(): Promise<boolean> {
    const until = new Date(this.clock.now().getTime() - SETTLED_MS).toISOString().slice(0, 10);
    for (let n = 0; n < DAYS_AT_ONCE; n++) {
      const day = await this.store.firstOpenDay();
      if (!day || day >= until) return false;
      await this.db.transaction(async () => {
        await this.db.setStatementTimeout(this.config.DATABASE_JOB_SECONDS);
        await this.store.keep(day, operators());
      });
    }
    return true;
  }
}

type Names = Pick<MarginSums, 'key' | 'name'>;
const NAMES: Record<In<typeof margins.get>['query']['by'], (row: MarginSums) => Names> = {
  account: (row) => row,
  channel: (row) => row,
  day: (row) => row,
  type: ({ key }) => ({ key: key && typeOf(Number(key)), name: null }),
  country: ({ key }) => ({ key: (key && operatorByCode(key)?.country) || null, name: null }),
  operator: ({ key }) => ({ key, name: (key && operatorByCode(key)?.name) || null }),
};

function networksOf(country: string | undefined, mccmnc: string | undefined): string[] {
  if (!country) return [mccmnc!];
  const all = operators().operators.flatMap((one) => (one?.country === country ? one.mccmnc : []));
  return [...new Set(all)].filter((code) => !mccmnc || code === mccmnc);
}

/** Rows of the same key and currencies as one. */
function joined(rows: MarginSums[]): MarginSums[] {
  const byKey = new Map<string, MarginSums>();
  for (const row of rows) {
    const key = `${row.key} ${row.currency} ${row.costCurrency}`;
    const known = byKey.get(key);
    if (!known) byKey.set(key, { ...row });
    else {
      for (const name of ['messages', 'units', 'amount', 'refunded'] as const)
        known[name] += row[name];
      if (row.cost !== null) known.cost = (known.cost ?? 0) + row.cost;
    }
  }
  return [...byKey.values()].toSorted((a, b) => b.amount - a.amount);
}

function present({ amount, refunded, cost, ...row }: MarginSums): MarginRow {
  const isComparable = cost !== null && row.costCurrency === row.currency;
  return {
    ...row,
    amount: rounded(amount),
    refunded: rounded(refunded),
    cost: cost === null ? null : rounded(cost),
    margin: isComparable ? rounded(amount - refunded - cost) : null,
  };
}

/** Sums of the database are exact; adding two of them as numbers is not. */
const rounded = (sum: number): number => Number(sum.toFixed(6));
