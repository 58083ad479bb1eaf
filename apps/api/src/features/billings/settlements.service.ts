import { Injectable } from '@nestjs/common';
import {
  moneyToNumber,
  parseMoney,
  returnableAmount,
  transferableAmount,
  type Money,
} from '@heliograph/domain';
import type { Actor } from '../../core/auth/actor.ts';
import { Db } from '../../core/db/db.ts';
import { AppError } from '../../core/errors.ts';
import { SettingsService } from '../settings/settings.service.ts';
import { BalancesStore, type LockedBalance } from './balances.store.ts';
import { BillingsService } from './billings.service.ts';
import { PackageUnitsStore } from './package-units.store.ts';
import { SettlementsStore } from './settlements.store.ts';

export interface Settled {
  /** What was settled: positive was paid out, negative was owed. */
  amount: Money;
  currency: string;
  /** What has ended with it. */
  packages: number;
  units: number;
}

/** Brings the balance of a closed account to 0, by a ledger entry. */
@Injectable()
export class SettlementsService {
  constructor(
    private readonly db: Db,
    private readonly store: SettlementsStore,
    private readonly balances: BalancesStore,
    private readonly packages: PackageUnitsStore,
    private readonly billings: BillingsService,
    private readonly settings: SettingsService,
  ) {}

  /**
   * Settles the balance that the actor was shown; with another one by now nothing is done (`conflict`). Packages end behind the same lock.
   * A reseller settles against its own balance, as its transfers do: what is left returns to it, without free credit, and it pays what is
   * owed. In the caller's transaction, whose last locks are those of the balances.
   */
  async settle(
    actor: Actor,
    OwnerId: string,
    { balance: shown, note }: { balance: number; note?: string },
    now: Date,
  ): Promise<Settled> {
    const { currency } = await this.settings.ofAccount(OwnerId);
    const payerId = actor.level === 'reseller' ? actor.OwnerId : null;
    return this.db.transaction(async () => {
      const locked = await this.balances.lockBalances(payerId ? [payerId, OwnerId] : [OwnerId]);
      const own = locked.get(OwnerId)!;
      const amount = own.balance;
      if (amount !== parseMoney(shown))
        throw new AppError('conflict', 'The balance has changed meanwhile', {
          payload: { balance: moneyToNumber(amount) },
        });
      const ended = await this.packages.end(OwnerId, now);
      const settled = { amount, currency, ...ended };
      if (!amount) return settled;
      const part = payerId
        ? await this.partOf(payerId, locked.get(payerId)!, { OwnerId, currency, own })
        : 0n;
      await this.enter(actor, OwnerId, OwnerId, -amount, note);
      if (payerId && part) await this.enter(actor, payerId, OwnerId, part, note);
      return settled;
    });
  }

  /** What the balance of a reseller changes by. */
  private async partOf(
    payerId: string,
    payer: LockedBalance,
    { OwnerId, currency, own }: { OwnerId: string; currency: string; own: LockedBalance },
  ): Promise<Money> {
    const account = await this.settings.requireOperations(payerId);
    if (account.currency !== currency)
      throw new AppError(
        'currency_mismatch',
        'Money is transferred between accounts of one currency',
      );
    if (own.balance < 0n) {
      const creditLine = parseMoney(account.creditLine);
      if (-own.balance > transferableAmount({ ...payer, creditLine }))
        throw new AppError('insufficient_funds', 'Your own balance does not cover what is owed');
      return own.balance;
    }
    // Free credit that an earlier settlement took is not taken again.
    const left = own.freeCredit + (await this.store.net(OwnerId));
    return returnableAmount({ balance: own.balance, freeCredit: left > 0n ? left : 0n });
  }

  private async enter(
    { userId }: Actor,
    OwnerId: string,
    AccountId: string,
    amount: Money,
    comment?: string,
  ): Promise<void> {
    const id = await this.store.add({ OwnerId, AccountId, amount });
    const origin = { type: 'settlement' as const, id };
    await this.billings.post({ OwnerId, amount, origin, comment, createdBy: userId });
  }
}
