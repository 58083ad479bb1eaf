import { Injectable } from '@nestjs/common';
import { formatMoney, moneyToNumber, parseMoney } from '@heliograph/domain';
import type { AcquirerState } from '../../acquirers/acquirer.ts';
import { systemScope } from '../../core/auth/actor.ts';
import { Owners } from '../../core/auth/owners.ts';
import { Clock } from '../../core/clock.ts';
import { Db } from '../../core/db/db.ts';
import { Events } from '../../core/events/events.ts';
import { Log } from '../../core/log.ts';
import { Notifications } from '../../core/notifications.ts';
import { BillingsService } from '../billings/billings.service.ts';
import { ReferralsService } from '../referrals/referrals.service.ts';
import { sumOf } from './acquirers.service.ts';
import { transition, type Payment } from './payment.entity.ts';
import { PaymentsStore } from './payments.store.ts';
import { RefundsService } from './refunds.service.ts';

/** Of a paid payment with what the acquirer says of its card. */
export interface Settlement {
  isPaid: boolean;
  cardNumber?: string;
  cardToken?: string;
}
/** Called in the transaction in which a payment is completed or fails. */
export type SettlementListener = (payment: Payment, settlement: Settlement) => Promise<void>;

/** Applies what acquirers say of payments. Nothing else credits a payment. */
@Injectable()
export class SettlementService {
  private readonly listeners: SettlementListener[] = [];

  constructor(
    private readonly db: Db,
    private readonly store: PaymentsStore,
    private readonly refunds: RefundsService,
    private readonly billings: BillingsService,
    private readonly referrals: ReferralsService,
    private readonly notifications: Notifications,
    private readonly owners: Owners,
    private readonly events: Events,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** Calls `listener` in the transaction in which a payment is completed or fails. */
  onSettled(listener: SettlementListener): void {
    this.listeners.push(listener);
  }

  /** Whatever arrives twice, late or in another order has the same result. */
  apply(id: string, state: AcquirerState): Promise<void> {
    return this.db.transaction(async () => {
      let payment = await this.store.lock(systemScope, id);
      if (isOfAnother(payment, state)) return;
      if (state.externalId && !payment.externalId)
        payment = await this.store.update(systemScope, id, { externalId: state.externalId });
      if (state.status === 'paid') await this.complete(payment, state);
      if (state.status === 'failed') await this.fail(payment, 'declined');
      if (state.refunded !== undefined) await this.refunds.applyTotal(id, state.refunded);
      if (state.isPartRefunded && !(await this.refunds.hasAny(id)))
        this.log.error(
          { payment: id },
          'a part was refunded at the acquirer, which does not tell how much',
        );
    });
  }

  /** Stores the page of a payment, unless it has one: a payer is never shown two. Returns the one that counts. */
  opened(
    id: string,
    { url, externalId }: { url: string; externalId: string | null },
  ): Promise<string> {
    return this.db.transaction(async () => {
      const payment = await this.store.lock(systemScope, id);
      if (payment.url) return payment.url;
      await this.store.update(systemScope, id, {
        url,
        externalId: payment.externalId ?? externalId,
      });
      return url;
    });
  }

  /** Stores the id of a payment at the acquirer, unless it has one. Returns the one that counts. */
  bind(id: string, externalId: string): Promise<string> {
    return this.db.transaction(async () => {
      const payment = await this.store.lock(systemScope, id);
      if (payment.externalId) return payment.externalId;
      await this.store.update(systemScope, id, { externalId });
      return externalId;
    });
  }

  /** In a transaction that has locked the payment. */
  async fail(payment: Payment, reason: NonNullable<Payment['reason']>): Promise<void> {
    const status = transition(payment, 'failed');
    if (!status) return;
    const failed = await this.change(payment, { status, reason, nextQueryAt: null });
    await this.notifications.notify(payment.OwnerId, 'PaymentsFailed', {
      id: payment.id,
      amount: moneyToNumber(parseMoney(payment.amount)),
      method: payment.method,
      reason,
    });
    for (const listener of this.listeners) await listener(failed, { isPaid: false });
  }

  private async complete(payment: Payment, state: AcquirerState): Promise<void> {
    const status = transition(payment, 'paid');
    if (!status) return;
    if (state.sum !== sumOf(payment)) return this.refuse(payment, state, 'amount_mismatch');
    if (state.currency !== payment.currency)
      return this.refuse(payment, state, 'currency_mismatch');
    const completed = await this.change(payment, {
      status,
      reason: null,
      cardNumber: state.cardNumber ?? payment.cardNumber,
      completedAt: this.clock.now(),
      nextQueryAt: null,
    });
    const { cardNumber, cardToken } = state;
    for (const listener of this.listeners)
      await listener(completed, { isPaid: true, cardNumber, cardToken });
    // The balance is the last lock. The origin is unique: the entry is made once.
    const { OwnerId } = payment;
    const amount = parseMoney(payment.amount);
    const origin = { type: 'payment' as const, id: payment.id };
    await this.billings.post({ OwnerId, amount, origin });
    await this.referrals.onPayment(OwnerId, amount, origin);
  }

  /** Something else was paid than was asked for: nothing is credited, and managers decide. */
  private async refuse(
    payment: Payment,
    { sum, currency }: AcquirerState,
    reason: 'amount_mismatch' | 'currency_mismatch',
  ): Promise<void> {
    if (payment.reason === reason) return;
    const { id, OwnerId, method } = payment;
    const paid = sum === undefined ? null : formatMoney(sum);
    this.log.error({ payment: id, paid, currency }, 'another sum was paid than requested');
    if (payment.status === 'init') await this.fail(payment, reason);
    else await this.change(payment, { reason });
    const { managerId } = await this.owners.managersOf(OwnerId);
    if (managerId)
      await this.notifications.notify(managerId, 'PaymentsMismatchFailed', {
        id,
        method,
        paid: sum === undefined ? null : moneyToNumber(sum),
        currency,
        amount: moneyToNumber(sumOf(payment)),
        requestedCurrency: payment.currency,
      });
  }

  private async change(payment: Payment, changes: Partial<Payment>): Promise<Payment> {
    const changed = await this.store.update(systemScope, payment.id, changes);
    this.events.changed('payments', 'updated', payment.OwnerId, payment.id);
    return changed;
  }
}

/** Of an abandoned attempt at the acquirer: only that money came counts. */
const isOfAnother = (payment: Payment, { externalId, status }: AcquirerState) =>
  status !== 'paid' && !!externalId && !!payment.externalId && externalId !== payment.externalId;
