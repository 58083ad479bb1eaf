import { Injectable } from '@nestjs/common';
import type { TariffInput, TariffProbe } from '@heliograph/contract';
import { compileTariffs, isSendingType, withFloor, type PriceBook } from '@heliograph/domain';
import { SYSTEM_OWNER } from '../../core/auth/actor.ts';
import { TtlCache } from '../../core/ttl-cache.ts';
import { Events } from '../../core/events/events.ts';
import {
  presentAccountTariff,
  presentRule,
  type AccountTariff,
  type AccountTariffRule,
} from './tariff.entity.ts';
import { TariffsStore } from './tariffs.store.ts';

export { holdersSql } from './rules-sql.ts';

/** A tariff with the rules of one version, or with a draft of them. */
export type ComparedTariff = Omit<AccountTariff, 'priority'>;

/** Prices of messages that the installation itself sends. */
const FREE: PriceBook = {
  price: () => ({ price: [0n], ruleIds: [], tariffIds: [] }),
  dependsOnLists: () => false,
  hasPerSecondPrice: false,
  hasSteps: false,
  tagsFor: () => new Set(),
  tags: new Set(),
  digits: 0,
};

interface CachedBook {
  book: PriceBook;
  held: AccountTariff[];
  rules: string;
}

/** Of one moment: the rules are those that the book is made of. */
interface NamedBook {
  book: PriceBook;
  rules: ReadonlyMap<string, TariffProbe['rules'][number]>;
}

@Injectable()
export class TariffsService {
  private readonly books = new TtlCache((OwnerId: string, last?: CachedBook) =>
    this.compile(OwnerId, last),
  );

  constructor(
    private readonly store: TariffsStore,
    private readonly events: Events,
  ) {}

  /**
   * The price book of an account. Rules are reloaded every second; if they are unchanged, the compiled book is kept with its
   * cached prices.
   */
  async priceBook(OwnerId: string): Promise<PriceBook> {
    return OwnerId === SYSTEM_OWNER ? FREE : (await this.books.get(OwnerId)).book;
  }

  /** What prices the messages of an account, and the rules of it by their ids. */
  async namedOf(OwnerId: string): Promise<NamedBook> {
    const { book, held } = await this.books.get(OwnerId);
    return { book, rules: named(held) };
  }

  /** What rules that are not stored would price. Those of a list go in its order where their priorities are equal. */
  ofDraft({
    source,
    rules,
    volumeSteps = [],
  }: Pick<TariffInput, 'source' | 'rules' | 'volumeSteps'>): NamedBook {
    const draft: AccountTariff = {
      id: '',
      title: '',
      source,
      priority: 0,
      version: 0,
      ResellerId: null,
      rules: draftRules(rules),
      volumeSteps,
    };
    return { book: compileTariffs([compilable(draft)]), rules: named([draft]) };
  }

  /**
   * What would price the messages of an account with each of two tariffs in the place of the first, with the priority that it has there.
   * The other tariffs of the account stay beside it. Null if the account does not have the first one.
   */
  async booksWith(
    OwnerId: string,
    [first, second]: readonly [ComparedTariff, ComparedTariff],
  ): Promise<[PriceBook, PriceBook] | null> {
    const held = await this.store.held(OwnerId);
    const place = held.find(({ id }) => id === first.id);
    if (!place) return null;
    const others = held.filter(({ id }) => id !== first.id && id !== second.id);
    const bookWith = async (tariff: ComparedTariff) => {
      const all = [...others, { ...tariff, priority: place.priority }];
      return bookOf(all, await this.costOf(all));
    };
    return [await bookWith(first), await bookWith(second)];
  }

  /** Assigns the default tariffs to a new account. */
  async giveDefaults(OwnerId: string): Promise<void> {
    const given = await this.store.giveDefaults(OwnerId);
    if (given) this.events.counted('tariffs', 'created', OwnerId, null, given);
  }

  /** The presented tariffs of an account. */
  async ofOwner(OwnerId: string): Promise<ReturnType<typeof presentAccountTariff>[]> {
    return (await this.store.held(OwnerId)).map(presentAccountTariff);
  }

  private async compile(OwnerId: string, last?: CachedBook): Promise<CachedBook> {
    const held = await this.store.held(OwnerId);
    const cost = await this.costOf(held);
    const rules = JSON.stringify([held, cost]);
    if (last?.rules === rules) return last;
    return { book: bookOf(held, cost), held, rules };
  }

  /** What a reseller pays whose tariffs an account has, unless it may sell for less. */
  private async costOf(held: AccountTariff[]): Promise<AccountTariff[] | null> {
    const ResellerId = held.find((tariff) => tariff.ResellerId)?.ResellerId;
    if (!ResellerId || (await this.store.maySellBelowCost(ResellerId))) return null;
    return this.store.held(ResellerId);
  }
}

/** `cost` is what the reseller pays that made some of the tariffs; null if it may sell for less. */
function bookOf(held: AccountTariff[], cost: AccountTariff[] | null): PriceBook {
  const book = compileTariffs(held.map(compilable));
  if (!cost) return book;
  const own = new Set(held.filter(({ ResellerId }) => ResellerId).map(({ id }) => id));
  return withFloor(book, compileTariffs(cost.map(compilable)), own);
}

/**
 * Rules that are not stored, in the order of their list where priorities are equal, and before those of other tariffs: as they would be if
 * they were stored now.
 */
export const draftRules = (rules: TariffInput['rules']): AccountTariffRule[] =>
  rules.map((rule, i) => ({
    ...rule,
    price: [rule.price].flat(),
    id: `~${String(rules.length - i).padStart(4, '0')}`,
  }));

function named(held: AccountTariff[]): NamedBook['rules'] {
  return new Map(
    held.flatMap(({ id, title: tariff, version, rules }) =>
      rules.map((rule) => [
        rule.id,
        { ...presentRule(rule), TariffId: id || null, tariff, version },
      ]),
    ),
  );
}

/** A source that is not a sending type does not restrict the rules. */
function compilable(tariff: AccountTariff) {
  return {
    ...tariff,
    source: isSendingType(tariff.source) ? tariff.source : null,
    steps: tariff.volumeSteps,
  };
}
