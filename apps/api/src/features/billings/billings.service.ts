import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { BillingInput } from '@heliograph/contract';
import { formatMoney, moneyToNumber, parseMoney, type Money } from '@heliograph/domain';
import { system, type Actor } from '../../core/auth/actor.ts';
import { Clock } from '../../core/clock.ts';
import { Db, violated } from '../../core/db/db.ts';
import { AppError } from '../../core/errors.ts';
import { Events } from '../../core/events/events.ts';
import { Metrics } from '../../core/metrics/metrics.ts';
import { Notifications } from '../../core/notifications.ts';
import { SettingsService } from '../settings/settings.service.ts';
import { UsersService } from '../users/users.service.ts';
import { sourceCode, type Source } from './billing.codes.ts';
import { present, type Billing } from './billing.entity.ts';
import { BillingsStore } from './billings.store.ts';

@Injectable()
export class BillingsService implements OnModuleInit {
  constructor(
    private readonly db: Db,
    private readonly store: BillingsStore,
    private readonly settings: SettingsService,
    private readonly users: UsersService,
    private readonly events: Events,
    private readonly notifications: Notifications,
    private readonly clock: Clock,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.events.present(
      'billings',
      (ids) => this.store.byIds(system, ids),
      (row, level) => present(row, level === 'manager', this.settings.ownerOf(row, level)),
    );
  }

  /** By hand, on a customer's account: an accrual adds, everything else takes. */
  async create(actor: Actor, input: BillingInput): Promise<Billing> {
    if (input.OwnerId === actor.OwnerId)
      throw new AppError('forbidden', 'Nobody changes its own balance');
    const { processChildrenOperations } = await this.settings.ofAccount(actor.OwnerId);
    if (!processChildrenOperations) throw new AppError('forbidden');
    const { currency } = await this.settings.ofAccount(input.OwnerId);
    const amount = parseMoney(input.amount);
    const signed = input.source === 'accrual' ? amount : -amount;
    try {
      return await this.db.transaction(() => this.byHand(actor, input, signed, currency));
    } catch (error) {
      throw asRefusal(error);
    }
  }

  /** The balance of a new account, with a credit when there is one. */
  async open(OwnerId: string, credit: number): Promise<void> {
    await this.store.openBalance(OwnerId);
    if (!credit) return;
    const { currency } = await this.settings.ofAccount(OwnerId);
    await this.enter(
      { OwnerId, source: 'accrual', comment: 'Starting credit' },
      parseMoney(credit),
      currency,
    );
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

  private async byHand(
    actor: Actor,
    { OwnerId, source, data }: BillingInput,
    amount: Money,
    currency: string,
  ): Promise<Billing> {
    const { comment, noRef } = data?.hidden ?? {};
    const entry = {
      OwnerId,
      source,
      multiplier: data?.multiplier,
      comment,
      noRef,
      createdBy: actor.userId,
    };
    if (source === 'accrual') await this.users.leaveTest(OwnerId);
    return this.enter(entry, amount, currency);
  }

  private async enter(
    { source, ...entry }: Omit<Partial<Billing>, 'source'> & { OwnerId: string; source: Source },
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
      await this.notifications.tell(OwnerId, 'BalanceAccrual', told);
    }
    this.events.changed('billings', 'created', OwnerId, row.id);
    this.metrics.entries('by hand', 1);
    return row;
  }
}

function asRefusal(error: unknown): unknown {
  return violated(error) === 'balance_covers'
    ? new AppError('insufficient_funds', 'The balance does not cover this amount')
    : error;
}
