import { Injectable } from '@nestjs/common';
import { MAX_MONEY, type BillingInput } from '@heliograph/contract';
import {
  moneyToNumber,
  parseMoney,
  returnableAmount,
  transferableAmount,
  type Money,
} from '@heliograph/domain';
import { Audit } from '../../core/audit/audit.ts';
import type { Actor } from '../../core/auth/actor.ts';
import { Db } from '../../core/db/db.ts';
import { AppError, invalid } from '../../core/errors.ts';
import { uuidv7 } from '../../core/uuid.ts';
import { SettingsService, type AccountSettings } from '../settings/settings.service.ts';
import { UsersService } from '../users/users.service.ts';
import { BalancesStore } from './balances.store.ts';
import type { Billing } from './billing.entity.ts';
import { asRefusal, BillingsService, type Entry } from './billings.service.ts';

/** Entries that managers and resellers make on the accounts of their customers. */
@Injectable()
export class ManualEntriesService {
  constructor(
    private readonly db: Db,
    private readonly billings: BillingsService,
    private readonly balances: BalancesStore,
    private readonly settings: SettingsService,
    private readonly users: UsersService,
    private readonly audit: Audit,
  ) {}

  /** An accrual adds, every other source subtracts. For a reseller it is a transfer from, or to, its own balance. */
  async create(actor: Actor, input: BillingInput): Promise<Billing> {
    if (input.OwnerId === actor.OwnerId)
      throw new AppError('forbidden', 'You cannot change your own balance');
    const payer = await this.settings.requireOperations(actor.OwnerId);
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
          : this.billings.addEntry(entry, signed, currency));
        // The customer can read the audit log, so the hidden comment is left out.
        const after = { source: input.source, amount: moneyToNumber(amount), currency };
        await this.audit.record({ OwnerId: row.OwnerId, target: ['billings', row.id], after });
        return row;
      });
    } catch (error) {
      throw asRefusal(error);
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
    const balances = await this.balances.lockBalances([payerId, entry.OwnerId]);
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
    await this.billings.addEntry(
      { ...side, id: counterpartId, counterpartId: id },
      -amount,
      currency,
    );
    return this.billings.addEntry({ ...entry, id, counterpartId }, amount, currency);
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
