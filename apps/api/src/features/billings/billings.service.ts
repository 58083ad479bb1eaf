import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  MAX_MONEY,
  MAX_TOTALLED,
  type BillingOrigin,
  type billings,
  type ResponseOf,
} from '@heliograph/contract';
import {
  coveredEntries,
  formatMoney,
  moneyToNumber,
  parseMoney,
  type Money,
} from '@heliograph/domain';
import { systemScope, type AccessScope, type Actor } from '../../core/auth/actor.ts';
import { Owners } from '../../core/auth/owners.ts';
import type { In } from '../../core/http/endpoint.ts';
import { Config } from '../../core/config.ts';
import { Clock } from '../../core/clock.ts';
import { Db } from '../../core/db/db.ts';
import { AppError, invalid } from '../../core/errors.ts';
import { Events } from '../../core/events/events.ts';
import { Metrics } from '../../core/metrics/metrics.ts';
import { Notifications } from '../../core/notifications.ts';
import { Outbox } from '../../core/outbox.ts';
import { uuidv7 } from '../../core/uuid.ts';
import { SettingsService } from '../settings/settings.service.ts';
import { UsersService } from '../users/users.service.ts';
import { ORIGIN_SIGNS, sourceCode, type Source } from './billing.codes.ts';
import { present, type Billing } from './billing.entity.ts';
import { BalancesStore, type DayOf, type DaySum } from './balances.store.ts';
import { hasEntries, setOverdraft } from './commands.store.ts';
import { BillingsStore, type BillingsReport } from './billings.store.ts';
import { EntriesStore } from './entries.store.ts';
import { isUncovered } from './charges.service.ts';
import type { Bind } from '../../core/db/find-page.ts';

export {
  BILLING_STATUS_CODES,
  callSql,
  isCoveredSql,
  isRestSql,
  MANUAL_SOURCES,
  ORIGIN_CODES,
  restSql,
  secondsSql,
  restsSql,
  volumeStepSql,
} from './billing.codes.ts';
export type { CallChargeRow } from './billing.codes.ts';
export type { BillingsReport } from './billings.store.ts';

/** An entry with a cause. */
export interface Posting {
  OwnerId: string;
  /** Positive adds, negative takes. */
  amount: Money;
  origin: BillingOrigin;
  comment?: string | null;
  createdBy?: string;
}

/** An entry with a cause, and the currency of its account. */
export type CurrencyPosting = Posting & { currency: string };

/** An entry, and the balance after it. */
interface BalanceChange {
  OwnerId: string;
  id: string;
  amount: Money;
  balance: Money;
  currency: string;
}

/** An entry that a person makes, or free credit. */
export type Entry = Omit<Partial<Billing>, 'source'> & { OwnerId: string; source: Source };

@Injectable()
export class BillingsService implements OnModuleInit {
  constructor(
    private readonly db: Db,
    private readonly store: BillingsStore,
    private readonly balances: BalancesStore,
    private readonly entries: EntriesStore,
    private readonly settings: SettingsService,
    private readonly owners: Owners,
    private readonly users: UsersService,
    private readonly events: Events,
    private readonly notifications: Notifications,
    private readonly clock: Clock,
    private readonly metrics: Metrics,
    private readonly config: Config,
    private readonly outbox: Outbox,
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
   * Enters the money of a payment, refund, invoice, bonus or operation in the caller's transaction, once: null when its origin has an
   * entry already. An account that pays is no test account any more. Refused with `insufficient_funds` when the balance does not cover what it takes.
   */
  async post(posting: Posting): Promise<{ id: string; amount: Money } | null> {
    const { OwnerId, amount, origin } = posting;
    const sign = ORIGIN_SIGNS[origin.type];
    if (sign && BigInt(sign) * amount < 0n)
      throw new RangeError(
        `An entry of a ${origin.type} cannot have the amount ${formatMoney(amount)}`,
      );
    return this.db.transaction(async () => {
      const id = uuidv7(this.clock.now());
      if (!(await this.entries.enter({ ...posting, id }))) return null;
      if (origin.type === 'payment' || origin.type === 'invoice')
        await this.users.leaveTest(OwnerId);
      const { currency } = await this.settings.ofAccount(OwnerId);
      // What is written off was not received.
      const isReceived = amount > 0n && origin.type !== 'settlement';
      await this.moveBalance(OwnerId, id, amount, isReceived ? currency : null);
      return { id, amount };
    });
  }

  /**
   * Enters many in the caller's transaction, in their order and each origin once. Returns those that are entered, now or before: the
   * others are not covered by their balances. Balances are locked first, so the caller holds all of its other locks.
   */
  async postAll(postings: CurrencyPosting[]): Promise<Set<CurrencyPosting>> {
    return this.db.transaction(async () => {
      const { available } = await this.balances.available(
        postings.map(({ OwnerId }) => OwnerId),
        true,
      );
      const covered = coveredEntries(postings, available);
      const entries = new Map(
        [...covered].map((posting) => [uuidv7(this.clock.now()), posting] as const),
      );
      const written = await this.entries.enterAll(
        [...entries].map(([id, posting]) => ({ ...posting, id })),
      );
      if (written.length < entries.size) throw new Error('An origin already has an entry');
      await this.moveAll(entries);
      return covered;
    });
  }

  /** An account has a new package of messages, in the caller's transaction: takes what it costs, if it was bought. */
  async addPackage(OwnerId: string, price: Posting | null): Promise<void> {
    if (price) await this.post(price);
    await this.balances.markPackages(OwnerId);
  }

  private async moveAll(entries: Map<string, CurrencyPosting>): Promise<void> {
    const sums = new Map<string, Money>();
    for (const { OwnerId, amount } of entries.values())
      sums.set(OwnerId, (sums.get(OwnerId) ?? 0n) + amount);
    const after = await this.balances.moveAll(
      [...sums].map(([OwnerId, amount]) => ({ OwnerId, amount })),
    );
    // One notification for all that an account receives.
    const received = new Map<string, { amount: Money; currency: string }>();
    const changes = [];
    for (const [id, { OwnerId, amount, currency }] of entries) {
      this.events.changed('billings', 'created', OwnerId, id);
      const left = sums.get(OwnerId)! - amount;
      sums.set(OwnerId, left);
      changes.push({ OwnerId, id, amount, balance: after.get(OwnerId)! - left, currency });
      if (amount <= 0n) continue;
      const before = received.get(OwnerId)?.amount ?? 0n;
      received.set(OwnerId, { amount: before + amount, currency });
    }
    await this.reportBalances(changes);
    const accruals = [...received].map(([OwnerId, { amount, currency }]) => ({
      OwnerId,
      data: {
        amount: moneyToNumber(amount),
        balance: moneyToNumber(after.get(OwnerId)!),
        currency,
      },
    }));
    await this.notifications.notifyAll('BalanceAccrual', accruals);
    this.metrics.entries('manual', entries.size);
  }

  /**
   * Takes what the balance covers of an amount, for what has happened elsewhere and cannot be refused. Returns what was taken, which may
   * be nothing; null when the origin has an entry already.
   */
  async takeCovered({
    amount,
    ...posting
  }: Posting): Promise<{ id: string; amount: Money } | null> {
    return this.db.transaction(async () => {
      const covered =
        (await this.balances.available([posting.OwnerId], true)).available.get(posting.OwnerId) ??
        0n;
      const taken = covered < amount ? covered : amount;
      return this.post({ ...posting, amount: taken > 0n ? -taken : 0n });
    });
  }

  /** Makes a subtraction invalid whose cause did not happen, and gives its money back, once. False when there is none. */
  async revoke(origin: BillingOrigin): Promise<boolean> {
    return this.db.transaction(async () => {
      const entry = await this.entries.invalidate(origin);
      if (!entry) return false;
      const { id, OwnerId, amount } = entry;
      const { balance } = await this.balances.move(OwnerId, amount);
      await this.reportBalance(OwnerId, id, parseMoney(amount), parseMoney(balance));
      this.events.changed('billings', 'updated', OwnerId, id);
      this.metrics.entries('refund', 1);
      return true;
    });
  }

  async totals(
    { scope }: Actor,
    query: In<typeof billings.totals>['query'],
  ): Promise<ResponseOf<typeof billings.totals>> {
    const rows = await this.store.totals(scope, query, this.config.CURRENCY);
    const count = rows.reduce((sum, row) => sum + row.count, 0);
    return {
      data: rows.map(({ count: _, ...sums }) => sums),
      count: Math.min(count, MAX_TOTALLED),
      isComplete: count <= MAX_TOTALLED,
    };
  }

  /** The conditions of a report on entries `b`, without those of the access scope. */
  reportConditions(scope: AccessScope, where: BillingsReport, bind: Bind): string[] {
    return this.store.reportConditions(scope, where, bind);
  }

  /** The balance of an account. */
  async balanceOf(OwnerId: string): Promise<number> {
    return moneyToNumber((await this.balances.balanceOf(OwnerId)).balance);
  }

  /** For users: the balance of the account, and the charges of a day. */
  daySums(days: DayOf[]): Promise<DaySum[]> {
    return this.balances.daySums(days);
  }

  /** Writes an entry without a cause and moves the balance, in the caller's transaction. An accrual is told to the owner. */
  async addEntry({ source, ...entry }: Entry, amount: Money, currency: string): Promise<Billing> {
    const { OwnerId } = entry;
    const row = await this.store.create({
      ...entry,
      source: sourceCode(source),
      amount: formatMoney(amount),
    });
    await this.moveBalance(OwnerId, row.id, amount, source === 'accrual' ? currency : null);
    return row;
  }

  /** Moves the balance by a new entry; with a currency it notifies the owner. */
  private async moveBalance(
    OwnerId: string,
    id: string,
    amount: Money,
    currency: string | null,
  ): Promise<void> {
    try {
      const { balance } = await this.balances.move(OwnerId, formatMoney(amount));
      await this.reportBalance(OwnerId, id, amount, parseMoney(balance));
      if (currency) {
        await this.notifications.notify(OwnerId, 'BalanceAccrual', {
          amount: moneyToNumber(amount),
          balance: Number(balance),
          currency,
        });
      }
    } catch (error) {
      throw asRefusal(error);
    }
    this.events.changed('billings', 'created', OwnerId, id);
    this.metrics.entries('manual', 1);
  }

  private async reportBalance(
    OwnerId: string,
    id: string,
    amount: Money,
    balance: Money,
  ): Promise<void> {
    if (!(await this.outbox.isWanted('billings.balance', OwnerId))) return;
    const { currency } = await this.settings.ofAccount(OwnerId);
    await this.reportBalances([{ OwnerId, id, amount, balance, currency }]);
  }

  /** Whether anything was ever booked in the account's currency. */
  hasEntries(OwnerId: string): Promise<boolean> {
    return hasEntries(this.db, OwnerId);
  }

  /** Fails on `balance_covers` if the balance is further below zero. */
  setOverdraft(OwnerId: string, overdraft: Money): Promise<void> {
    return setOverdraft(this.db, OwnerId, formatMoney(overdraft));
  }

  /**
   * Events for webhooks, of whatever moves a balance but charges and refunds of messages. Keyed by the account, so that balances arrive in
   * their order.
   */
  private reportBalances(changes: BalanceChange[]): Promise<void> {
    // Of a refund at the acquirer that no balance covered nothing is taken.
    const moved = changes.filter(({ amount }) => amount);
    const rows = moved.map(({ OwnerId, id, amount, balance, currency }) => ({
      OwnerId,
      key: OwnerId,
      data: { id, amount: moneyToNumber(amount), balance: moneyToNumber(balance), currency },
    }));
    return this.outbox.add('billings.balance', rows);
  }
}

const NUMERIC_OVERFLOW = '22003';

/** The refusal that an error of the database means, or the error. */
export function asRefusal(error: unknown): unknown {
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
