import { Injectable } from '@nestjs/common';
import {
  CREDITED_STATUSES,
  formatMoney,
  moneyToNumber,
  parseMoney,
  type Money,
} from '@heliograph/domain';
import { AcquirerRefused } from '../../acquirers/acquirer.ts';
import { systemScope, type Actor } from '../../core/auth/actor.ts';
import { Audit } from '../../core/audit/audit.ts';
import { Owners } from '../../core/auth/owners.ts';
import { Clock } from '../../core/clock.ts';
import { Db } from '../../core/db/db.ts';
import { AppError, invalid } from '../../core/errors.ts';
import { Events } from '../../core/events/events.ts';
import { KeyedEffects } from '../../core/keyed-effects.ts';
import { Log } from '../../core/log.ts';
import { Notifications } from '../../core/notifications.ts';
import { uuidv7 } from '../../core/uuid.ts';
import { BillingsService } from '../billings/billings.service.ts';
import { ReferralsService } from '../referrals/referrals.service.ts';
import { AcquirersService } from './acquirers.service.ts';
import { transition, type Payment, type Refund } from './payment.entity.ts';
import { PaymentsStore } from './payments.store.ts';
import { RefundsStore } from './refunds.store.ts';

interface Wanted {
  amount?: number;
  /** As the caller knows it. */
  refunded: number;
}

/** The acquirer is asked at once; the sweep continues from here if that fails. */
const FIRST_QUERY_MS = 30_000;

/** Takes the money from the balance first, so that it cannot be spent and refunded; gives it back if the acquirer refuses. */
@Injectable()
export class RefundsService {
  constructor(
    private readonly db: Db,
    private readonly store: PaymentsStore,
    private readonly refunds: RefundsStore,
    private readonly acquirers: AcquirersService,
    private readonly billings: BillingsService,
    private readonly effects: KeyedEffects,
    private readonly referrals: ReferralsService,
    private readonly owners: Owners,
    private readonly events: Events,
    private readonly notifications: Notifications,
    private readonly clock: Clock,
    private readonly audit: Audit,
    private readonly log: Log,
  ) {}

  /** Refunds `amount`, or what is not refunded yet. Committed before the acquirer is called. */
  async request(actor: Actor, paymentId: string, wanted: Wanted): Promise<void> {
    await this.effects.run(
      () => this.begin(actor, paymentId, wanted),
      async (id) => {
        await this.attempt(paymentId);
        if (await this.refunds.hasFailed(id))
          throw new AppError('payment_refused', 'The acquirer refused the refund');
      },
    );
  }

  private async begin(
    actor: Actor,
    paymentId: string,
    { amount: given, refunded }: Wanted,
  ): Promise<string> {
    const payment = await this.store.lock(actor.scope, paymentId);
    const left = parseMoney(payment.amount) - parseMoney(payment.refunded);
    const amount = given === undefined ? left : parseMoney(given);
    const status = transition(payment, 'refundRequested', 0n, true);
    if (!status) throw new AppError('conflict', 'The payment cannot be refunded in this status');
    if (parseMoney(refunded) !== parseMoney(payment.refunded))
      throw new AppError('conflict', `${payment.refunded} of the payment are refunded already`);
    const unit = (await this.acquirers.find(payment.method)).smallestUnit(payment.currency);
    if (amount % unit !== 0n)
      throw invalid('amount', 'precision', 'The currency has no such fraction.');
    if (amount > left) throw invalid('amount', 'too_big', 'More than was paid cannot be refunded.');
    const id = uuidv7(this.clock.now());
    await this.add(payment, { id, amount, status: 'requested', createdBy: actor.userId });
    const nextQueryAt = new Date(this.clock.now().getTime() + FIRST_QUERY_MS);
    await this.change(payment, { status, nextQueryAt, queries: 0 });
    const { OwnerId } = payment;
    const after = { amount: moneyToNumber(amount), currency: payment.currency };
    await this.audit.record({ OwnerId, target: ['payments', paymentId], after });
    await this.billings.post({ OwnerId, amount: -amount, origin: { type: 'refund', id } });
    return id;
  }

  /**
   * Asks the acquirer for the open refund. May be repeated: the acquirer knows the refund by its id. `open`: the outcome is not known
   * yet, and the sweep continues.
   */
  async attempt(paymentId: string): Promise<'done' | 'refused' | 'open'> {
    const refund = await this.refunds.open(paymentId);
    if (!refund) return 'done';
    const [payment] = await this.store.byIds(systemScope, [paymentId]);
    try {
      return await this.ask(payment!, refund);
    } catch (error) {
      this.log.warn({ err: error, payment: paymentId }, 'the outcome of a refund is unknown');
      return 'open';
    }
  }

  private async ask(payment: Payment, refund: Refund): Promise<'done' | 'refused'> {
    const ref = this.acquirers.refOf(payment);
    const acquirer = await this.acquirers.find(payment.method);
    const receipt = await this.acquirers.contactOf(payment);
    try {
      await acquirer.refund(ref, {
        id: refund.id,
        amount: parseMoney(refund.amount),
        ...receipt,
      });
    } catch (error) {
      if (!(error instanceof AcquirerRefused)) throw error;
      this.log.warn({ err: error, payment: payment.id }, 'the acquirer refused a refund');
      // Refunds at the acquirer itself may be the reason: they are taken in the place of what is given back.
      const { refunded } = await acquirer.query(ref);
      logReturned(this.log, payment, refunded);
      await this.refused(payment.id, refund.id, refunded);
      return 'refused';
    }
    await this.finish(payment.id, refund.id, 'done');
    return 'done';
  }

  private refused(paymentId: string, refundId: string, total: Money | undefined): Promise<void> {
    return this.db.transaction(async () => {
      await this.finish(paymentId, refundId, 'failed');
      if (total !== undefined) await this.applyTotal(paymentId, total);
    });
  }

  async hasAny(paymentId: string): Promise<boolean> {
    return (await this.refunds.of(paymentId)).length > 0;
  }

  /** The acquirer says how much of a payment is refunded in all. In a transaction that has locked the payment. */
  async applyTotal(paymentId: string, total: Money): Promise<void> {
    let payment = await this.store.lock(systemScope, paymentId);
    if (!CREDITED_STATUSES.includes(payment.status)) return;
    let open = await this.refunds.open(paymentId);
    if (open && total >= parseMoney(payment.refunded) + parseMoney(open.amount)) {
      await this.finish(paymentId, open.id, 'done');
      open = undefined;
      payment = await this.store.lock(systemScope, paymentId);
    }
    // The commission is not credited, so it is not taken either; what is requested here is taken already.
    const most = parseMoney(payment.amount) - parseMoney(open?.amount ?? '0');
    const extra = (total < most ? total : most) - parseMoney(payment.refunded);
    if (extra > 0n) await this.takeExternal(payment, extra);
  }

  /** A refund or chargeback at the acquirer has happened: what the balance does not cover is stored and told to the manager. */
  private async takeExternal(payment: Payment, amount: Money): Promise<void> {
    const { OwnerId, currency } = payment;
    const isOpen = (await this.refunds.open(payment.id)) !== undefined;
    const refunded = parseMoney(payment.refunded) + amount;
    const status = transition(payment, 'refunded', amount, isOpen)!;
    const id = uuidv7(this.clock.now());
    await this.change(payment, { status, refunded: formatMoney(refunded) });
    const taken = await this.billings.takeCovered({
      OwnerId,
      amount,
      origin: { type: 'refund', id },
    });
    await this.referrals.onRefund({ type: 'payment', id: payment.id }, refunded);
    const shortfall = amount + (taken?.amount ?? 0n);
    await this.add(payment, { id, amount, status: 'done', createdBy: null, shortfall });
    const { managerId } = await this.owners.managersOf(OwnerId);
    if (managerId)
      await this.notifications.notify(managerId, 'PaymentsRefundedAtAcquirer', {
        id: payment.id,
        amount: moneyToNumber(amount),
        currency,
        shortfall: shortfall > 0n ? moneyToNumber(shortfall) : null,
      });
  }

  private async finish(
    paymentId: string,
    refundId: string,
    outcome: 'done' | 'failed',
  ): Promise<void> {
    await this.db.transaction(async () => {
      const payment = await this.store.lock(systemScope, paymentId);
      const refund = await this.refunds.open(paymentId);
      if (refund?.id !== refundId) return;
      const amount = outcome === 'done' ? parseMoney(refund.amount) : 0n;
      const event = outcome === 'done' ? 'refunded' : 'refundFailed';
      const status = transition(payment, event, amount, false)!;
      const refunded = formatMoney(parseMoney(payment.refunded) + amount);
      await this.refunds.finish(refundId, outcome, this.clock.now());
      await this.change(payment, { status, refunded, nextQueryAt: null });
      if (outcome === 'failed') await this.billings.revoke({ type: 'refund', id: refundId });
      else await this.referrals.onRefund({ type: 'payment', id: paymentId }, parseMoney(refunded));
    });
  }

  private async change(payment: Payment, changes: Partial<Payment>): Promise<void> {
    await this.store.update(systemScope, payment.id, changes);
    this.events.changed('payments', 'updated', payment.OwnerId, payment.id);
  }

  private async add(
    { id: paymentId }: Payment,
    refund: {
      id: string;
      amount: Money;
      status: Refund['status'];
      createdBy: string | null;
      shortfall?: Money;
    },
  ): Promise<void> {
    await this.refunds.create({
      ...refund,
      paymentId,
      isExternal: refund.createdBy === null,
      amount: formatMoney(refund.amount),
      shortfall: formatMoney(refund.shortfall ?? 0n),
    });
  }
}

/**
 * Logs a refund that the bank has returned. `payment` was read before the acquirer was asked for the total: what is refunded since
 * then may be missing in it.
 */
export function logReturned(log: Log, { id, refunded }: Payment, total: Money | undefined): void {
  if (total === undefined || total >= parseMoney(refunded)) return;
  const fields = { payment: id, refunded: formatMoney(total) };
  log.error(fields, 'the acquirer has refunded less than was recorded');
}
