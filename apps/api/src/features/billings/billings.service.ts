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
import { BillingsStore } from './billings.store.ts';

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
    );
  }

  /**
   * By hand, on a customer's account: an accrual adds, everything else takes. A manager brings the money in and takes it
   * out; a reseller pays it from its own balance and gets it back there.
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
          : this.enter(entry, signed, currency));
        // The customer reads it as well: nothing of the hidden comment.
        const after = { source: input.source, amount: moneyToNumber(amount), currency };
        await this.audit.record({ OwnerId: row.OwnerId, target: ['billings', row.id], after });
        return row;
      });
    } catch (error) {
      throw asRefusal(error);
    }
  }

  /** The balance of a new account, with the free credit for its first messages: once for a phone, whoever comes at once. */
  async open(OwnerId: string, credit: number, phone: string | null): Promise<void> {
    await this.store.openBalance(OwnerId);
    if (!credit || !phone || !(await this.store.takeFreeCredit(phone, OwnerId, credit))) return;
    const { currency } = await this.settings.ofAccount(OwnerId);
    await this.enter(
      { OwnerId, source: 'accrual', comment: 'Starting credit' },
      parseMoney(credit),
      currency,
    );
  }

  /** Whether a test account had its free credit for another phone, while another account had that of this one. */
  isFreeCreditOfAnother(OwnerId: string, phone: string): Promise<boolean> {
    return this.store.isFreeCreditOfAnother(OwnerId, phone);
  }

  /**
   * The free credit of a test account counts for the phone that it confirms: one phone confirms no second credit. False
   * when it did already. In the caller's transaction.
   */
  async moveFreeCredit(OwnerId: string, phone: string): Promise<boolean> {
    if (await this.store.isFreeCreditOfAnother(OwnerId, phone)) return false;
    await this.store.moveFreeCredit(OwnerId, phone);
    return true;
  }

  /**
   * Gives back what sendings were charged, each once: an entry that stands no longer is passed over, so asking again is
   * harmless. Says what each owner got. Balances are the last locks of a transaction, by owner.
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
    await this.enter({ ...side, id: counterpartId, counterpartId: id }, -amount, currency);
    return this.enter({ ...entry, id, counterpartId }, amount, currency);
  }

  private async enter(
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
      const told = { amount: moneyToNumber(amount), balance: Number(balance), currency };
      await this.notifications.notify(OwnerId, 'BalanceAccrual', told);
    }
    this.events.changed('billings', 'created', OwnerId, row.id);
    this.metrics.entries('by hand', 1);
    return row;
  }
}

function entryOf(actor: Actor, { OwnerId, source, amount, data }: BillingInput): Entry {
  const { comment, noRef } = data?.hidden ?? {};
  const { multiplier } = data ?? {};
  const price = multiplier === undefined ? null : [amount];
  return { OwnerId, source, price, multiplier, comment, noRef, createdBy: actor.userId };
}

/** What an entry comes to: `amount` is the price of one of `multiplier` units. */
function totalOf({ amount, data }: BillingInput): Money {
  const total = parseMoney(amount) * BigInt(data?.multiplier ?? 1);
  if (total > parseMoney(MAX_MONEY))
    throw invalid('data.multiplier', 'too_big', `One entry is at most ${MAX_MONEY}.`);
  return total;
}

const NUMERIC_OVERFLOW = '22003';

function asRefusal(error: unknown): unknown {
  if (violated(error) === 'balance_covers')
    return new AppError('insufficient_funds', 'The balance does not cover this amount');
  if ((error as { code?: string }).code === NUMERIC_OVERFLOW)
    return invalid(
      'amount',
      'too_big',
      `The balance would be too large; one entry is at most ${MAX_MONEY}.`,
    );
  return error;
}
