import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  CHARGE_RETRY_SECONDS,
  MAX_FAILED_CHARGES,
  moneyToNumber,
  nextChargeAt,
  parseMoney,
  recurrentTransition,
} from '@heliograph/domain';
import { systemScope } from '../../core/auth/actor.ts';
import { SecretBox } from '../../core/auth/secret-box.ts';
import { Clock } from '../../core/clock.ts';
import { Db, violated } from '../../core/db/db.ts';
import { AppError } from '../../core/errors.ts';
import { Events } from '../../core/events/events.ts';
import { Sweeps } from '../../core/jobs/handlers.ts';
import { Log } from '../../core/log.ts';
import { Notifications } from '../../core/notifications.ts';
import { PaymentsService, type Payment } from '../payments/payments.service.ts';
import { SettlementService, type Settlement } from '../payments/settlement.service.ts';
import { SettingsService } from '../settings/settings.service.ts';
import { OtherTasksService } from '../tasks/other-tasks.service.ts';
import type { RecurrentPayment } from './recurrent-payment.entity.ts';
import { RecurrentPaymentsStore } from './recurrent-payments.store.ts';

const BATCH_SIZE = 10;

/**
 * Charges what is due. The payment of a charge is added in the transaction that moves the date, or ends the crossing, of its recurring
 * payment: there is one for each, whichever worker comes first and whatever is killed afterwards.
 */
@Injectable()
export class RecurrentChargesService implements OnModuleInit {
  constructor(
    private readonly db: Db,
    private readonly store: RecurrentPaymentsStore,
    private readonly payments: PaymentsService,
    private readonly settlement: SettlementService,
    private readonly tasks: OtherTasksService,
    private readonly settings: SettingsService,
    private readonly box: SecretBox,
    private readonly notifications: Notifications,
    private readonly events: Events,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  onModuleInit(): void {
    this.settlement.onSettled((payment, settlement) => this.settled(payment, settlement));
    this.payments.useCards(async ({ RecurrentPaymentId }) => this.cardToken(RecurrentPaymentId!));
  }

  @Sweeps(5000)
  async chargeDue(): Promise<boolean> {
    await this.store.arm();
    const due = await this.store.due(this.clock.now(), BATCH_SIZE);
    for (const id of due) {
      try {
        await this.charge(id);
      } catch (error) {
        this.log.warn({ err: error, recurrentPayment: id }, 'a recurring payment was not charged');
      }
    }
    return due.length >= BATCH_SIZE;
  }

  async charge(id: string): Promise<void> {
    const payment = await this.db.transaction(() => this.begin(id)).catch(unlessInFlight);
    const token = payment && (await this.cardToken(id));
    if (payment && token) await this.payments.charge(payment, token);
  }

  private async begin(id: string): Promise<Payment | null> {
    const now = this.clock.now();
    const row = await this.store.lockDue(id, now);
    if (!row) return null;
    const { OwnerId, createdBy, amount, method, currency } = row;
    // The number stands for what its owner agreed to in that currency.
    if (currency !== (await this.payments.currencyOf(OwnerId))) return this.withdraw(row);
    const input = { amount: moneyToNumber(parseMoney(amount)), method: method as 'sandbox' };
    const payment = await this.payments
      .add({ OwnerId, createdBy, input, kind: 'charge', RecurrentPaymentId: id })
      .catch((error: unknown) => this.withdrawn(row, error));
    if (!payment) return null;
    await this.change(row, { isArmed: false, nextAt: nextAfter(row, now) });
    await this.tasks.open({
      id: payment.id,
      OwnerId,
      userId: createdBy,
      type: 'payments:recurrent',
      title: method,
      data: { recurrent: { RecurrentPaymentId: id, PaymentId: payment.id } },
      expected: 1,
    });
    return payment;
  }

  /** The installation no longer has the method, or no longer allows the amount: the owner has to set it up anew. */
  private async withdrawn(row: RecurrentPayment, error: unknown): Promise<null> {
    if (!(error instanceof AppError)) throw error;
    return this.withdraw(row);
  }

  private async withdraw(row: RecurrentPayment): Promise<null> {
    await this.stop(row);
    return null;
  }

  /** In the transaction in which a payment is completed or fails. */
  private async settled(payment: Payment, settlement: Settlement): Promise<void> {
    await this.settle(payment, settlement);
    // Last: what the payment lifts above its threshold is charged at the next fall.
    if (settlement.isPaid) await this.store.armBy(payment.OwnerId, payment.amount);
  }

  private async settle(payment: Payment, settlement: Settlement): Promise<void> {
    if (payment.kind === 'single') return;
    if (payment.kind === 'charge') await this.endTask(payment, settlement.isPaid);
    const row = await this.store.lockExisting(payment.RecurrentPaymentId!);
    if (!row) return;
    if (payment.kind === 'first')
      return settlement.isPaid ? this.confirm(row, payment, settlement) : undefined;
    return settlement.isPaid ? this.paid(row) : this.failed(row, payment);
  }

  private async confirm(
    row: RecurrentPayment,
    { method, currency }: Payment,
    { cardToken, cardNumber }: Settlement,
  ): Promise<void> {
    const status = recurrentTransition(row, 'confirm');
    if (!status) return;
    if (!cardToken)
      return this.log.warn({ recurrentPayment: row.id }, 'the acquirer has not saved the card');
    const anchor = this.clock.now();
    const timeZone = await this.settings.timeZoneOf(row.OwnerId);
    await this.change(row, {
      status,
      // Another method may have been chosen since this payment began; the card is saved at its own.
      method,
      currency,
      cardToken: await this.box.seal(cardToken, purposeOf(row.id)),
      cardNumber: cardNumber ?? '····',
      failures: 0,
      isArmed: true,
      anchor,
      timeZone,
      nextAt: nextAfter({ ...row, anchor, timeZone }, anchor),
    });
  }

  /** A charge that had failed here may be paid after all: it is not repeated then. */
  private paid(row: RecurrentPayment): Promise<void> {
    if (!row.failures) return this.change(row, { failures: 0 });
    const nextAt = nextAfter(row, this.clock.now());
    return this.change(row, { failures: 0, isArmed: false, nextAt });
  }

  private async failed(row: RecurrentPayment, { reason }: Payment): Promise<void> {
    // A charge that never reached the acquirer says nothing of the card.
    const failures = row.failures + (reason === 'not_charged' ? 0 : 1);
    if (failures >= MAX_FAILED_CHARGES) return this.stop(row, failures);
    const nextAt = new Date(this.clock.now().getTime() + CHARGE_RETRY_SECONDS * 1000);
    await this.change(row, { failures, isArmed: true, nextAt });
  }

  private async stop(row: RecurrentPayment, failures = row.failures): Promise<void> {
    const status = recurrentTransition(row, 'fail');
    await this.change(row, { failures, ...(status && { status }) });
    if (!status) return;
    const { id, OwnerId, amount, currency } = row;
    await this.notifications.notify(OwnerId, 'RecurrentPaymentFailed', {
      id,
      amount: moneyToNumber(parseMoney(amount)),
      currency,
    });
  }

  private async endTask({ id, OwnerId }: Payment, isPaid: boolean): Promise<void> {
    if (!(await this.tasks.lock(id, 'payments:recurrent'))) return;
    await this.tasks.progress({ id, OwnerId }, isPaid ? { completed: 1 } : { errored: 1 });
    await this.tasks.finish(
      { id, OwnerId },
      isPaid ? 'completed' : 'failed',
      isPaid ? undefined : 'payment_refused',
    );
  }

  private async cardToken(id: string): Promise<string | null> {
    const sealed = await this.store.cardToken(id);
    return sealed && this.box.open(sealed, purposeOf(id));
  }

  private async change(row: RecurrentPayment, changes: Partial<RecurrentPayment>): Promise<void> {
    await this.store.update(systemScope, row.id, changes);
    this.events.changed('recurrentPayments', 'updated', row.OwnerId, row.id);
  }
}

function nextAfter({ frequency, anchor, timeZone }: RecurrentPayment, now: Date): Date | null {
  return frequency ? nextChargeAt({ anchor: anchor!, timeZone }, frequency, now) : null;
}

const purposeOf = (id: string) => `recurrent payment ${id}`;

function unlessInFlight(error: unknown): null {
  if (violated(error) === 'payments_charge') return null;
  throw error;
}
