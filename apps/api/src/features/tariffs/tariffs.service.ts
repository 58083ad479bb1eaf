import { Injectable } from '@nestjs/common';
import { compileTariffs, isSendingType, type PriceBook } from '@heliograph/domain';
import { SYSTEM_OWNER } from '../../core/auth/actor.ts';
import { TtlCache } from '../../core/ttl-cache.ts';
import { Events } from '../../core/events/events.ts';
import { presentAccountTariff, type AccountTariff } from './tariff.entity.ts';
import { TariffsStore } from './tariffs.store.ts';

/** What the installation itself sends is charged to nobody. */
const FREE: PriceBook = {
  price: () => ({ price: [0n], ruleIds: [], tariffIds: [] }),
  dependsOnLists: () => false,
  hasPerSecondPrice: false,
};

interface Shelved {
  book: PriceBook;
  rules: string;
}

@Injectable()
export class TariffsService {
  private readonly books = new TtlCache((OwnerId: string, last?: Shelved) =>
    this.shelve(OwnerId, last),
  );

  constructor(
    private readonly store: TariffsStore,
    private readonly events: Events,
  ) {}

  /**
   * The prices of an owner. Rules are read again every second at most; a book whose rules are the same stays,
   * with the prices that it remembers.
   */
  async priceBook(OwnerId: string): Promise<PriceBook> {
    return OwnerId === SYSTEM_OWNER ? FREE : (await this.books.get(OwnerId)).book;
  }

  /** What every new account pays by. */
  async giveDefaults(OwnerId: string): Promise<void> {
    const given = await this.store.giveDefaults(OwnerId);
    if (given) this.events.counted('tariffs', 'created', OwnerId, null, given);
  }

  /** The tariffs of an owner, presented. */
  async ofOwner(OwnerId: string): Promise<ReturnType<typeof presentAccountTariff>[]> {
    return (await this.store.held(OwnerId)).map(presentAccountTariff);
  }

  private async shelve(OwnerId: string, last?: Shelved): Promise<Shelved> {
    const held = await this.store.held(OwnerId);
    const rules = JSON.stringify(held);
    if (last?.rules === rules) return last;
    return { book: compileTariffs(held.map(compilable)), rules };
  }
}

/** A source that is no sending type leaves it to the conditions. */
function compilable(tariff: AccountTariff) {
  return { ...tariff, source: isSendingType(tariff.source) ? tariff.source : null };
}
