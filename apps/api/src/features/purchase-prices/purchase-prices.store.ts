import { Injectable } from '@nestjs/common';
import type { purchasePrices } from '@heliograph/contract';
import { formatCost, parseCost, typeCode, typeOf, type PurchasePrice } from '@heliograph/domain';
import { Db, violated } from '../../core/db/db.ts';
import { conditions, totals, type ListSql } from '../../core/db/find-page.ts';
import { invalid, notFound, type AppError } from '../../core/errors.ts';
import type { In } from '../../core/http/endpoint.ts';

type Query = In<typeof purchasePrices.find>['query'];

export interface PriceListRow {
  id: string;
  ChannelId: string;
  currency: string;
  validFrom: Date;
  isInForce: boolean;
  count: number;
  createdAt: Date;
}

export const beginsAlready = (): AppError =>
  invalid('validFrom', 'unique', 'Another list of this channel begins then.');

export interface NewPriceList {
  channel: string;
  currency: string;
  validFrom: Date;
  createdBy: string;
  prices: readonly PurchasePrice[];
}

/** `$1` is the channel, `$2` the time at which a list is in force or not. */
const HEAD = `l.id, l.channel as "ChannelId", l.currency, l.valid_from as "validFrom", l.created_at as "createdAt",
  l.id is not distinct from (select f.id from price_lists f where f.channel = $1 and f.valid_from <= $2 order by f.valid_from desc limit 1) as "isInForce",
  (select count(*)::int from purchase_prices p where p.list_id = l.id) as count`;

const LIST: ListSql<Query> = {
  order: { validFrom: 'l.valid_from' },
  filter: {},
  range: { validFrom: 'l.valid_from' },
};

/** Lists before the one in force that are read with it, as a submit may have begun before it, and those after it. */
const NEARBY = 2;

@Injectable()
export class PurchasePricesStore {
  constructor(private readonly db: Db) {}

  async find(channel: string, query: Query, now: Date) {
    const direction = query.order[0]?.direction === 'asc' ? 'asc' : 'desc';
    const bindTo = (values: unknown[]) => (value: unknown) => `$${values.push(value)}`;
    const where = (values: unknown[]) =>
      ['l.channel = $1', ...conditions(LIST, query, bindTo(values))].join(' and ');
    const listed: unknown[] = [channel, now, query.limit, query.offset];
    const data = await this.db.query<PriceListRow>(
      `select ${HEAD} from price_lists l where ${where(listed)} order by l.valid_from ${direction} limit $3 offset $4`,
      listed,
    );
    const counted: unknown[] = [channel];
    const [{ count }] = (await this.db.query<{ count: number }>(
      `select count(*)::int as count from price_lists l where ${where(counted)}`,
      counted,
    )) as [{ count: number }];
    return { data, ...totals(count, query) };
  }

  async get(channel: string, id: string, now: Date): Promise<PriceListRow> {
    const [row] = await this.db.query<PriceListRow>(
      `select ${HEAD} from price_lists l where l.channel = $1 and l.id = $3`,
      [channel, now, id],
    );
    if (!row) throw notFound();
    return row;
  }

  /** In the caller's transaction: changes of the lists of a channel come one after the other. */
  async lock(channel: string): Promise<void> {
    await this.db.query(`select pg_advisory_xact_lock(hashtextextended($1, 113))`, [channel]);
  }

  /** The lists around a time, without their prices. */
  near(channel: string, at: Date): Promise<Pick<PriceListRow, 'id' | 'currency' | 'validFrom'>[]> {
    const some = (condition: string, direction: string) =>
      `(select id, currency, valid_from as "validFrom" from price_lists where channel = $1 and ${condition} order by valid_from ${direction} limit ${NEARBY})`;
    return this.db.query(
      `${some('valid_from <= $2', 'desc')} union all ${some('valid_from > $2', 'asc')}`,
      [channel, at],
    );
  }

  async pricesOf(ids: string[]): Promise<Map<string, PurchasePrice[]>> {
    if (!ids.length) return new Map();
    const rows = await this.db.query<{
      listId: string;
      type: number;
      destination: string;
      price: string;
      first: number | null;
      interval: number | null;
    }>(
      `select list_id as "listId", type, destination, price::text, first, interval from purchase_prices where list_id = any($1) order by type, destination`,
      [ids],
    );
    const prices = rows.map(({ listId, type, destination, price, first, interval }) => ({
      listId,
      price: {
        type: typeOf(type),
        destination,
        price: parseCost(price)!,
        ...(first !== null && interval !== null && { byLength: { first, interval } }),
      },
    }));
    return new Map(
      [...Map.groupBy(prices, ({ listId }) => listId)].map(([id, own]) => [
        id,
        own.map(({ price }) => price),
      ]),
    );
  }

  async count(channel: string): Promise<number> {
    const [row] = await this.db.query<{ count: number }>(
      `select count(*)::int as count from price_lists where channel = $1`,
      [channel],
    );
    return row!.count;
  }

  /** In the caller's transaction. */
  async create({ channel, currency, validFrom, createdBy, prices }: NewPriceList): Promise<string> {
    const [row] = await this.db
      .query<{ id: string }>(
        `insert into price_lists (channel, currency, valid_from, created_by) values ($1, $2, $3, $4) returning id`,
        [channel, currency, validFrom, createdBy],
      )
      .catch((error: unknown) => {
        if (violated(error) === 'price_lists_channel_valid_from_key') throw beginsAlready();
        throw error;
      });
    await this.db.query(
      `insert into purchase_prices (list_id, type, destination, price, first, interval)
       select $1, * from unnest($2::smallint[], $3::text[], $4::numeric[], $5::smallint[], $6::smallint[])`,
      [
        row!.id,
        prices.map(({ type }) => typeCode(type)),
        prices.map(({ destination }) => destination),
        prices.map(({ price }) => formatCost(price)),
        prices.map(({ byLength }) => byLength?.first ?? null),
        prices.map(({ byLength }) => byLength?.interval ?? null),
      ],
    );
    return row!.id;
  }

  async remove(id: string): Promise<void> {
    await this.db.query(`delete from price_lists where id = $1`, [id]);
  }
}
