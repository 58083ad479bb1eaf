import { Injectable } from '@nestjs/common';
import { compileTariffs, isSendingType, type PriceBook } from '@heliograph/domain';
import { presentHeld, type HeldTariff } from './tariff.entity.ts';
import { TariffsStore } from './tariffs.store.ts';

/** How long a price book is believed before its rules are read again. */
const BELIEVED_MS = 1000;
const MAX_BOOKS = 5000;

interface Shelved {
  book: PriceBook;
  rules: string;
  until: number;
}

@Injectable()
export class TariffsService {
  private readonly books = new Map<string, Shelved>();

  constructor(private readonly store: TariffsStore) {}

  /**
   * The prices of an owner. Rules are read again every second at most; a book whose rules are the same stays,
   * with the prices that it remembers.
   */
  async priceBook(OwnerId: string): Promise<PriceBook> {
    const known = this.books.get(OwnerId);
    if (known && known.until > performance.now()) return known.book;
    const held = await this.store.held(OwnerId);
    const rules = JSON.stringify(held);
    const book = known?.rules === rules ? known.book : compileTariffs(held.map(compilable));
    if (this.books.size >= MAX_BOOKS) this.books.clear();
    this.books.set(OwnerId, { book, rules, until: performance.now() + BELIEVED_MS });
    return book;
  }

  /** What every new account pays by. */
  giveDefaults(OwnerId: string): Promise<void> {
    return this.store.giveDefaults(OwnerId);
  }

  /** The tariffs of an owner, presented. */
  async ofOwner(OwnerId: string): Promise<ReturnType<typeof presentHeld>[]> {
    return (await this.store.held(OwnerId)).map(presentHeld);
  }
}

/** A source that is no sending type leaves it to the conditions. */
function compilable(tariff: HeldTariff) {
  return { ...tariff, source: isSendingType(tariff.source) ? tariff.source : null };
}
