import { Injectable } from '@nestjs/common';
import { parseMoney, type Money } from '@heliograph/domain';
import { Clock } from '../../core/clock.ts';
import { Db, violated } from '../../core/db/db.ts';
import { Events } from '../../core/events/events.ts';
import { Metrics } from '../../core/metrics/metrics.ts';
import { BalancesStore } from './balances.store.ts';
import { EntriesStore } from './entries.store.ts';
import { Funds } from './funds.ts';
import { CapExceeded, SpendCapsService } from './spend-caps.service.ts';

export { chargesSql } from './charges.store.ts';
export { presentReached, type Funds } from './funds.ts';

/** What messages cost: what accounts may spend, the charge and its refund. */
@Injectable()
export class ChargesService {
  constructor(
    private readonly db: Db,
    private readonly balances: BalancesStore,
    private readonly entries: EntriesStore,
    private readonly caps: SpendCapsService,
    private readonly events: Events,
    private readonly metrics: Metrics,
    private readonly clock: Clock,
  ) {}

  balanceOf(OwnerId: string): Promise<{ balance: Money; overdraft: Money }> {
    return this.balances.balanceOf(OwnerId);
  }

  /**
   * What owners may spend at some times. Another transaction may spend it before this one charges; the charge then fails with
   * `isUncovered`, and the caller repeats its work with `isLocked`, behind the locks of the balances.
   */
  async funds(owners: string[], times: () => Date[], isLocked: boolean): Promise<Funds> {
    const { available, capped } = await this.balances.available(owners, isLocked);
    return new Funds(available, capped.length ? await this.caps.at(capped, times()) : []);
  }

  /** Notifies of the caps that refused something. At the end of the transaction of the refusal. */
  async notifyReached(funds: Funds): Promise<void> {
    if (funds.reached.size) await this.caps.notifyReached(funds);
  }

  /**
   * Subtracts charges, whose entries `chargesSql` wrote, from the balances: one statement, and a lock before it when there are several
   * owners. Balances are the last locks of a transaction, taken in the order of owners. Throws `isUncovered`.
   */
  async charge(created: { id: string; OwnerId: string; amount: string }[]): Promise<void> {
    const totals = new Map<string, { amount: Money; entries: number }>();
    for (const { OwnerId, amount } of created) {
      const charged = parseMoney(amount);
      if (charged <= 0n) continue;
      const total = totals.get(OwnerId) ?? { amount: 0n, entries: 0 };
      totals.set(OwnerId, { amount: total.amount + charged, entries: total.entries + 1 });
    }
    if (!totals.size) return;
    const charges = [...totals]
      .map(([OwnerId, total]) => ({ OwnerId, ...total }))
      .sort((a, b) => (a.OwnerId < b.OwnerId ? -1 : 1));
    if (charges.length > 1) await this.balances.available([...totals.keys()], true);
    const capped = await this.balances.subtract(charges);
    if (capped.length) {
      const counted = created.filter(({ OwnerId }) => capped.includes(OwnerId));
      await this.caps.charge(
        capped,
        counted.map(({ id }) => id),
      );
    }
    for (const { OwnerId, entries } of charges) {
      this.events.counted('billings', 'created', OwnerId, null, entries);
      this.metrics.entries('charge', entries);
    }
  }

  /**
   * Refunds the charges of sendings, each once: entries that are not complete are skipped, so a repeated call changes nothing.
   * Returns the amount by owner. Balances are the last locks of a transaction, taken in the order of owners.
   */
  refund(sendingIds: string[]): Promise<{ OwnerId: string; amount: Money }[]> {
    return this.db.transaction(async () => {
      const owners = await this.entries.refund(sendingIds, this.clock.now());
      for (const { OwnerId, amount, entries } of owners) {
        const { hasCaps } = await this.balances.move(OwnerId, amount);
        if (hasCaps) await this.caps.refund([OwnerId], entries);
        this.events.counted('billings', 'updated', OwnerId, null, entries.length);
        this.metrics.entries('refund', entries.length);
      }
      return owners.map(({ OwnerId, amount }) => ({ OwnerId, amount: parseMoney(amount) }));
    });
  }
}

/** Whether a charge failed because balance and overdraft, or a spend cap, do not cover it. */
export const isUncovered = (error: unknown): boolean =>
  violated(error) === 'balance_covers' || error instanceof CapExceeded;
