import { Injectable } from '@nestjs/common';
import {
  MAX_PRICE_DIFFERENCES,
  MAX_PURCHASE_PRICES,
  PRICE_DIFFERENCES,
  type PurchasePriceList as PriceListShape,
  type PurchasePriceListInput,
  type PurchasePriceListPreview,
  type purchasePrices,
  type ResponseOf,
} from '@heliograph/contract';
import {
  compilePurchasePrices,
  costToNumber,
  isSameIntervals,
  parseCost,
  type PriceList,
  type PurchaseBook,
  type PurchasePrice,
} from '@heliograph/domain';
import { Audit } from '../../core/audit/audit.ts';
import type { Actor } from '../../core/auth/actor.ts';
import { Clock } from '../../core/clock.ts';
import { Db } from '../../core/db/db.ts';
import { AppError, invalid } from '../../core/errors.ts';
import type { In } from '../../core/http/endpoint.ts';
import { TtlCache } from '../../core/ttl-cache.ts';
import { ChannelsService } from '../channels/channels.service.ts';
import { SheetFilesService } from '../storage/sheet-files.service.ts';
import { readPriceList } from './price-list-file.ts';
import { beginsAlready, PurchasePricesStore, type PriceListRow } from './purchase-prices.store.ts';

/** Lists of a channel: one a day for years. */
const MAX_LISTS = 2000;

interface CachedBook {
  lists: PriceList[];
  book: PurchaseBook;
}

/** What carriers take for messages. Submits and routes ask `bookOf`. */
@Injectable()
export class PurchasePricesService {
  private readonly books = new TtlCache((channel: string, last?: CachedBook) =>
    this.compile(channel, last),
  );

  constructor(
    private readonly db: Db,
    private readonly store: PurchasePricesStore,
    private readonly channels: ChannelsService,
    private readonly files: SheetFilesService,
    private readonly audit: Audit,
    private readonly clock: Clock,
  ) {}

  /** The prices of a channel around now. Changes apply within a second. */
  async bookOf(channel: string): Promise<PurchaseBook> {
    return (await this.books.get(channel)).book;
  }

  async find(channel: string, query: In<typeof purchasePrices.find>['query']) {
    await this.channels.get(channel);
    const page = await this.store.find(channel, query, this.clock.now());
    return { ...page, data: page.data.map(present) };
  }

  async get(channel: string, id: string): Promise<ResponseOf<typeof purchasePrices.get>> {
    const row = await this.store.get(channel, id, this.clock.now());
    const prices = (await this.store.pricesOf([id])).get(id) ?? [];
    return { ...present(row), prices: prices.map(onWire) };
  }

  async preview(
    actor: Actor,
    channel: string,
    {
      from,
      sheet,
      type,
      currency,
      validFrom,
      isPartial,
    }: In<typeof purchasePrices.preview>['body'],
  ): Promise<PurchasePriceListPreview> {
    await this.channels.get(channel);
    const former = await this.listAt(channel, validFrom ? new Date(validFrom) : this.clock.now());
    if (validFrom && former?.validFrom.getTime() === Date.parse(validFrom)) throw beginsAlready();
    const kept = isPartial ? pricesIn(former, currency) : [];
    const read = await this.files.withBook(actor, from.key, (book) =>
      readPriceList(book, sheet, { type, currency }),
    );
    // Amounts of another currency are no former prices of these.
    const before = former?.currency === currency ? former.prices : [];
    const prices = fitting(merged(kept, read.prices));
    return {
      ...read,
      prices: prices.map(onWire),
      fromFile: read.prices.map(onWire),
      ...compared(before, prices),
    };
  }

  async create(
    actor: Actor,
    channel: string,
    input: PurchasePriceListInput,
  ): Promise<PriceListShape> {
    await this.channels.get(channel);
    const { currency, isPartial } = input;
    const given = input.prices.map((one) => ({ ...one, price: parseCost(one.price)! }));
    return this.db.transaction(async () => {
      await this.store.lock(channel);
      // Not of before the lock: a list that begins at once is the last one that has begun.
      const now = this.clock.now();
      const validFrom = input.validFrom ? new Date(input.validFrom) : now;
      if ((await this.store.count(channel)) >= MAX_LISTS)
        throw new AppError('conflict', `A channel has up to ${MAX_LISTS} price lists`);
      const kept = isPartial ? pricesIn(await this.listAt(channel, validFrom), currency) : [];
      const prices = fitting(merged(kept, given));
      const createdBy = actor.userId;
      const id = await this.store.create({ channel, currency, validFrom, createdBy, prices });
      const row = present(await this.store.get(channel, id, now));
      await this.audit.record({ target: ['channels', channel], after: audited(row) });
      this.db.afterCommit(() => this.books.invalidate(channel));
      return row;
    });
  }

  async remove(channel: string, id: string): Promise<{ id: string }> {
    await this.db.transaction(async () => {
      await this.store.lock(channel);
      const row = present(await this.store.get(channel, id, this.clock.now()));
      await this.store.remove(id);
      await this.audit.record({ target: ['channels', channel], before: audited(row) });
      this.db.afterCommit(() => this.books.invalidate(channel));
    });
    return { id };
  }

  /** The list that is in force at a time. */
  private async listAt(channel: string, at: Date): Promise<PriceList | undefined> {
    const [head] = (await this.store.near(channel, at))
      .filter(({ validFrom }) => validFrom <= at)
      .toSorted((a, b) => b.validFrom.getTime() - a.validFrom.getTime());
    return head && { ...head, prices: (await this.store.pricesOf([head.id])).get(head.id) ?? [] };
  }

  /** Lists do not change: only those that are new are read. */
  private async compile(channel: string, last?: CachedBook): Promise<CachedBook> {
    const heads = await this.store.near(channel, this.clock.now());
    const known = new Map(last?.lists.map((list) => [list.id, list]));
    const missing = heads.filter(({ id }) => !known.has(id));
    if (last && !missing.length && heads.length === last.lists.length) return last;
    const prices = await this.store.pricesOf(missing.map(({ id }) => id));
    const lists = heads.map(
      (head) => known.get(head.id) ?? { ...head, prices: prices.get(head.id) ?? [] },
    );
    return { lists, book: compilePurchasePrices(lists) };
  }
}

const present = ({ validFrom, createdAt, ...row }: PriceListRow): PriceListShape => ({
  ...row,
  validFrom: validFrom.toISOString(),
  createdAt: createdAt.toISOString(),
});
const audited = ({ id, currency, validFrom, count }: PriceListShape) => ({
  priceList: id,
  currency,
  validFrom,
  prices: count,
});
const onWire = (one: PurchasePrice) => ({ ...one, price: costToNumber(one.price) });

/** The prices of a list, to be kept in one of this currency. */
function pricesIn(list: PriceList | undefined, currency: string): readonly PurchasePrice[] {
  if (list && list.currency !== currency)
    throw invalid('currency', 'unknown', `The prices that are kept are in ${list.currency}.`);
  return list?.prices ?? [];
}

const keyOf = ({ type, destination }: PurchasePrice) => `${type} ${destination}`;

function fitting(prices: PurchasePrice[]): PurchasePrice[] {
  if (prices.length <= MAX_PURCHASE_PRICES) return prices;
  throw new AppError('too_large', `A price list has up to ${MAX_PURCHASE_PRICES} prices.`);
}

/** Prices of before, with the others in their place. */
function merged(
  before: readonly PurchasePrice[],
  changes: readonly PurchasePrice[],
): PurchasePrice[] {
  return [...new Map([...before, ...changes].map((one) => [keyOf(one), one])).values()];
}

/** How many prices change in which way, and those that differ one by one. */
function compared(
  before: readonly PurchasePrice[],
  after: readonly PurchasePrice[],
): Pick<PurchasePriceListPreview, 'changes' | 'differences'> {
  const former = new Map(before.map((one) => [keyOf(one), one]));
  const kept = new Set(after.map(keyOf));
  const pairs = [
    ...after.map((one) => [former.get(keyOf(one)) ?? null, one] as const),
    ...before.filter((one) => !kept.has(keyOf(one))).map((one) => [one, null] as const),
  ];
  const byKind = Map.groupBy(pairs, ([old, one]) => kindOf(old, one));
  const count = (kind: Kind) => byKind.get(kind)?.length ?? 0;
  return {
    changes: {
      added: count('added'),
      removed: count('removed'),
      raised: count('raised'),
      lowered: count('lowered'),
      intervals: count('intervals'),
      unchanged: count('unchanged'),
    },
    differences: PRICE_DIFFERENCES.flatMap((kind) =>
      (byKind.get(kind) ?? []).map(([old, one]) => {
        const { type, destination } = (one ?? old)!;
        return { kind, type, destination, before: old && priced(old), after: one && priced(one) };
      }),
    ).slice(0, MAX_PRICE_DIFFERENCES),
  };
}

type Kind = keyof PurchasePriceListPreview['changes'];

function kindOf(old: PurchasePrice | null, one: PurchasePrice | null): Kind {
  if (!one) return 'removed';
  if (!old) return 'added';
  if (one.price !== old.price) return one.price > old.price ? 'raised' : 'lowered';
  return isSameIntervals(one.byLength, old.byLength) ? 'unchanged' : 'intervals';
}

const priced = ({ price, byLength }: PurchasePrice) => ({
  price: costToNumber(price),
  ...(byLength && { byLength }),
});
