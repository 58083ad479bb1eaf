import { Injectable, type OnModuleInit } from '@nestjs/common';
import { MAX_MONEY, type BillingInput } from '@heliograph/contract';
import {
  formatMoney,
  moneyToNumber,
  parseMoney,
  returnableAmount,
  transferableAmount,
  type Money,
} from '@heliograph/domain';
import { systemScope, type Actor } from '../../core/auth/actor.ts';
import { Audit } from '../../core/audit/audit.ts';
import { Owners } from '../../core/auth/owners.ts';
import { Clock } from '../../core/clock.ts';
import { Db, violated } from '../../core/db/db.ts';
import { AppError, invalid } from '../../core/errors.ts';
import { Events } from '../../core/events/events.ts';
import { Metrics } from '../../core/metrics/metrics.ts';
import { Notifications } from '../../core/notifications.ts';
import { uuidv7 } from '../../core/uuid.ts';
import { SettingsService, type AccountSettings } from '../settings/settings.service.ts';
import { UsersService } from '../users/users.service.ts';
import { sourceCode, type Source } from './billing.codes.ts';
import { present, type Billing } from './billing.entity.ts';
import { BillingsStore, type BillingsReport } from './billings.store.ts';
import type { Bind } from '../../core/db/find-page.ts';

export { BILLING_STATUS_CODES } from './billing.codes.ts';
export type { BillingsReport } from './billings.store.ts';
export { chargesSql } from './charges.store.ts';

type Entry = Omit<Partial<Billing>, 'source'> & { OwnerId: string; source: Source };

@Injectable()
export class BillingsService implements OnModuleInit {
  constructor(
    private readonly db: Db,
    private readonly store: BillingsStore,
    private readonly settings: SettingsService,
    private readonly owners: Owners,
    private readonly users: UsersService,
    private readonly events: Events,
    private readonly notifications: Notifications,
    private readonly clock: Clock,
    private readonly metrics: Metrics,
    private readonly audit: Audit,
  ) {}

  onModuleInit(): void {
    this.events.present(
      'billings',
      async (ids) => this.owners.withOwners('manager', await this.store.byIds(systemScope, ids)),
      (row, level) => present(row, level, level === 'manager'),
      { isBatched: true },
    );
  }

  /**
   * A manual entry on a customer's account: an accrual adds, every other source subtracts. For a reseller it is a transfer from, or
   * to, its own balance.
   */
  async create(actor: Actor, input: BillingInput): Promise<Billing> {
    if (input.OwnerId === actor.OwnerId)
      throw new AppError('forbidden', 'You cannot change your own balance');
    const payer = await this.settings.ofAccount(actor.OwnerId);
    if (!payer.processChildrenOperations) throw new AppError('forbidden');
    const { currency } = await this.settings.ofAccount(input.OwnerId);
    const isTransfer = actor.level === 'reseller';
    if (isTransfer && currency !== payer.currency)
      throw new AppError(
        'currency_mismatch',
        'Money is transferred between accounts of one currency',
      );
    const amount = totalOf(input);
    const signed = input.source === 'accrual' ? amount : -amount;
    try {
      return await this.db.transaction(async () => {
        if (input.source === 'accrual') await this.users.leaveTest(input.OwnerId);
        const entry = entryOf(actor, input);
        const row = await (isTransfer
          ? this.transfer(actor.OwnerId, payer, entry, signed)
          : this.addEntry(entry, signed, currency));
        // The customer can read the audit log, so the hidden comment is left out.
        const after = { source: input.source, amount: moneyToNumber(amount), currency };
        await this.audit.record({ OwnerId: row.OwnerId, target: ['billings', row.id], after });
        return row;
      });
    } catch (error) {
      throw asRefusal(error);
    }
  }

  /** Creates the balance of a new account with its free credit. A phone receives it once, also when two accounts open at the same time. */
  async open(OwnerId: string, credit: number, phone: string | null): Promise<void> {
    await this.store.openBalance(OwnerId);
    if (!credit || !phone || !(await this.store.takeFreeCredit(phone, OwnerId, credit))) return;
    const { currency } = await this.settings.ofAccount(OwnerId);
    await this.addEntry(
      { OwnerId, source: 'accrual', comment: 'Starting credit' },
      parseMoney(credit),
      currency,
    );
  }

  /** Whether a test account received its free credit for another phone, and another account received that of this phone. */
  isFreeCreditOfAnother(OwnerId: string, phone: string): Promise<boolean> {
    return this.store.isFreeCreditOfAnother(OwnerId, phone);
  }

  /**
   * Binds the free credit of a test account to the phone that it confirms. False when that phone already has a credit. In the caller's
   * transaction.
   */
  async moveFreeCredit(OwnerId: string, phone: string): Promise<boolean> {
    if (await this.store.isFreeCreditOfAnother(OwnerId, phone)) return false;
    await this.store.moveFreeCredit(OwnerId, phone);
    return true;
  }

  /**
   * Refunds the charges of sendings, each once: entries that are not complete are skipped, so a repeated call changes nothing.
   * Returns the amount by owner. Balances are the last locks of a transaction, taken in the order of owners.
   */
  refund(sendingIds: string[]): Promise<{ OwnerId: string; amount: Money }[]> {
    return this.db.transaction(async () => {
      const owners = await this.store.refund(sendingIds, this.clock.now());
      for (const { OwnerId, amount, entries } of owners) {
        await this.store.move(OwnerId, amount);
        this.events.counted('billings', 'updated', OwnerId, null, entries);
        this.metrics.entries('refund', entries);
      }
      return owners.map(({ OwnerId, amount }) => ({ OwnerId, amount: parseMoney(amount) }));
    });
  }

  /**
   * Funds by owner. Another transaction may spend them before this one charges; the charge then fails with `isUncovered`, and the
   * caller repeats its work with `isLocked`, behind the locks of the balances.
   */
  /** The conditions of a report on entries `b`, without those of the access scope. */
  reportConditions(where: BillingsReport, bind: Bind): string[] {
    return this.store.reportConditions(where, bind);
  }

  available(owners: string[], isLocked: boolean): Promise<Map<string, Money>> {
    return this.store.available(owners, isLocked);
  }

  balanceOf(OwnerId: string): Promise<{ balance: Money; overdraft: Money }> {
    return this.store.balanceOf(OwnerId);
  }

  /**
   * Subtracts charges, whose entries `chargesSql` wrote, from the balances: one statement, and a lock before it when there are several
   * owners. Balances are the last locks of a transaction, taken in the order of owners. Throws `isUncovered`.
   */
  async charge(created: { OwnerId: string; amount: string }[]): Promise<void> {
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
    if (charges.length > 1) await this.store.available([...totals.keys()], true);
    await this.store.subtract(charges);
    for (const { OwnerId, entries } of charges) {
      this.events.counted('billings', 'created', OwnerId, null, entries);
      this.metrics.entries('charge', entries);
    }
  }

  /** Two entries that name each other and sum to zero. */
  private async transfer(
    payerId: string,
    { creditLine, currency }: AccountSettings,
    entry: Entry,
    amount: Money,
  ): Promise<Billing> {
    const [id, counterpartId] = [uuidv7(), uuidv7()];
    const balances = await this.store.lockBalances([payerId, entry.OwnerId]);
    const own = { ...balances.get(payerId)!, creditLine: parseMoney(creditLine) };
    if (amount > 0n && amount > transferableAmount(own))
      throw new AppError('insufficient_funds', 'Your own balance does not cover this amount');
    if (-amount > returnableAmount(balances.get(entry.OwnerId)!))
      throw new AppError(
        'insufficient_funds',
        'The balance without its free credit does not cover this amount',
      );
    const { comment, createdBy } = entry;
    const side = { OwnerId: payerId, source: 'transfer' as const, comment, createdBy };
    await this.addEntry({ ...side, id: counterpartId, counterpartId: id }, -amount, currency);
    return this.addEntry({ ...entry, id, counterpartId }, amount, currency);
  }

  private async addEntry(
    { source, ...entry }: Entry,
    amount: Money,
    currency: string,
  ): Promise<Billing> {
    const { OwnerId } = entry;
    const row = await this.store.create({
      ...entry,
      source: sourceCode(source),
      amount: formatMoney(amount),
    });
    const { balance } = await this.store.move(OwnerId, row.amount);
    if (source === 'accrual') {
      await this.notifications.notify(OwnerId, 'BalanceAccrual', {
        amount: moneyToNumber(amount),
        balance: Number(balance),
        currency,
      });
    }
    this.events.changed('billings', 'created', OwnerId, row.id);
    this.metrics.entries('manual', 1);
    return row;
  }
}

function entryOf(actor: Actor, { OwnerId, source, amount, data }: BillingInput): Entry {
  const { comment, noRef } = data?.hidden ?? {};
  const { multiplier } = data ?? {};
  const price = multiplier === undefined ? null : [amount];
  return { OwnerId, source, price, multiplier, comment, noRef, createdBy: actor.userId };
}

/** The total of an entry: `amount` is the price of one of `multiplier` units. */
function totalOf({ amount, data }: BillingInput): Money {
  const total = parseMoney(amount) * BigInt(data?.multiplier ?? 1);
  if (total > parseMoney(MAX_MONEY))
    throw invalid('data.multiplier', 'too_big', `One entry is at most ${MAX_MONEY}.`);
  return total;
}

const NUMERIC_OVERFLOW = '22003';

/** Whether a charge failed because balance and overdraft do not cover it. */
export const isUncovered = (error: unknown): boolean => violated(error) === 'balance_covers';

function asRefusal(error: unknown): unknown {
  if (isUncovered(error))
    return new AppError('insufficient_funds', 'The balance does not cover this amount');
  if ((error as { code?: string }).code === NUMERIC_OVERFLOW)
    return invalid(
      'amount',
      'too_big',
      `The balance would be too large; one entry is at most ${MAX_MONEY}.`,
    );
  return error;
}
