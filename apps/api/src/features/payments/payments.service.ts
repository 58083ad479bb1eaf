import { Injectable, type OnModuleInit } from '@nestjs/common';
import type {
  Payment as Wire,
  PaymentDetails,
  PaymentInput,
  PaymentMethod,
} from '@heliograph/contract';
import { commissionOf, formatMoney, isUuid, parseMoney, type Money } from '@heliograph/domain';
import { AcquirerRefused, type AcquirerState } from '../../acquirers/acquirer.ts';
import { systemScope, type Actor } from '../../core/auth/actor.ts';
import { Audit } from '../../core/audit/audit.ts';
import { Owners } from '../../core/auth/owners.ts';
import { Clock } from '../../core/clock.ts';
import { Config } from '../../core/config.ts';
import { Db } from '../../core/db/db.ts';
import { AppError, invalid, notFound } from '../../core/errors.ts';
import { Events } from '../../core/events/events.ts';
import { KeyedEffects } from '../../core/keyed-effects.ts';
import { Log } from '../../core/log.ts';
import { Quotas } from '../../core/quotas.ts';
import { uuidv7 } from '../../core/uuid.ts';
import { SettingsService } from '../settings/settings.service.ts';
import { AcquirersService } from './acquirers.service.ts';
import { present, presentRefund, type Payment } from './payment.entity.ts';
import { OPEN_PAYMENTS_QUOTA, PaymentsStore } from './payments.store.ts';
import { logReturned } from './refunds.service.ts';
import { RefundsStore } from './refunds.store.ts';
import { returnUrl } from './return-urls.ts';
import { SettlementService } from './settlement.service.ts';

export type { Payment } from './payment.entity.ts';

/** A payer has so long to pay. */
const LIFETIME_MS = 24 * 3_600_000;
const FIRST_QUERY_MS = 30_000;

export interface NewPayment {
  OwnerId: string;
  createdBy: string | null;
  input: Pick<PaymentInput, 'amount' | 'method' | 'urlSuccess' | 'urlFail'>;
  kind: Payment['kind'];
  RecurrentPaymentId: string | null;
}

/** A payment and where its payer pays. */
export interface Opened {
  payment: Payment;
  url: string;
}

@Injectable()
export class PaymentsService implements OnModuleInit {
  private findCard?: (payment: Payment) => Promise<string | null>;

  constructor(
    private readonly db: Db,
    private readonly store: PaymentsStore,
    private readonly refunds: RefundsStore,
    private readonly acquirers: AcquirersService,
    private readonly settlement: SettlementService,
    private readonly settings: SettingsService,
    private readonly owners: Owners,
    private readonly quotas: Quotas,
    private readonly effects: KeyedEffects,
    private readonly events: Events,
    private readonly clock: Clock,
    private readonly audit: Audit,
    private readonly config: Config,
    private readonly log: Log,
  ) {}

  onModuleInit(): void {
    this.events.present(
      'payments',
      async (ids) => this.owners.withOwners('manager', await this.store.byIds(systemScope, ids)),
      present,
    );
  }

  /** How the card of a charge is found again, when the charge was lost on its way. */
  useCards(findCard: (payment: Payment) => Promise<string | null>): void {
    this.findCard = findCard;
  }

  async currencyOf(OwnerId: string): Promise<string> {
    return (await this.settings.ofAccount(OwnerId)).currency;
  }

  /** The currency in which cards of the account are charged; refuses a method that cannot. */
  async chargeCurrency(OwnerId: string, method: string): Promise<string> {
    const currency = await this.currencyOf(OwnerId);
    const known = this.config.paymentMethods.find((name) => name === method);
    if (!known || !(await this.acquirers.find(known)).canChargeCards)
      throw invalid('method', 'invalid_value', 'The method cannot charge saved cards.');
    return currency;
  }

  /** For the account of a user. */
  async methods(actor: Actor, UserId: string = actor.OwnerId): Promise<PaymentMethod[]> {
    const OwnerId = await this.owners.accountOf(actor.scope, UserId);
    if (!OwnerId) throw notFound();
    const { currency } = await this.settings.ofAccount(OwnerId);
    const known = await Promise.all(
      this.config.paymentMethods.map(async (method) => {
        const { currencies, canChargeCards } = await this.acquirers.find(method);
        const commission = this.config.commissionOf(method);
        const isFor = !currencies || currencies.includes(currency);
        return isFor ? [{ id: method, method, commission, isRecurrent: canChargeCards }] : [];
      }),
    );
    return known.flat();
  }

  async details(actor: Actor, id: string): Promise<PaymentDetails> {
    const row = await this.owners.withOwner(actor.level, await this.store.get(actor.scope, id));
    const refunds = await this.refunds.of(id);
    const shown: Wire = present(row, actor.level);
    return { ...shown, refunds: refunds.map((refund) => presentRefund(refund, actor.level)) };
  }

  /** The last payments of a recurring payment, newest first. */
  async lastOf(actor: Actor, RecurrentPaymentId: string, limit: number): Promise<Wire[]> {
    const rows = await this.store.lastOf(actor.scope, RecurrentPaymentId, limit);
    const shown = await this.owners.withOwners(actor.level, rows);
    return shown.map((row) => present(row, actor.level));
  }

  create(actor: Actor, input: PaymentInput): Promise<Opened> {
    const { OwnerId, userId: createdBy } = actor;
    const add = async () => {
      const row = await this.add({
        OwnerId,
        createdBy,
        input,
        kind: 'single',
        RecurrentPaymentId: null,
      });
      const { amount, method } = input;
      await this.audit.record({ OwnerId, target: ['payments', row.id], after: { amount, method } });
      return row.id;
    };
    return this.effects.run(add, (id) => this.open(id));
  }

  /** Adds a payment without calling the acquirer. In the caller's transaction. */
  async add({ OwnerId, createdBy, input, kind, RecurrentPaymentId }: NewPayment): Promise<Payment> {
    const { currency } = await this.settings.ofAccount(OwnerId);
    const { method } = input;
    const amount = parseMoney(input.amount);
    const unit = await this.check(method, input.amount, currency);
    const now = this.clock.now();
    const row = await this.store.create({
      id: uuidv7(now),
      createdAt: now,
      OwnerId,
      createdBy,
      method,
      amount: formatMoney(amount),
      commission: formatMoney(commissionOf(amount, this.config.commissionOf(method), unit)),
      currency,
      urlSuccess: returnUrl(this.config, 'urlSuccess', input.urlSuccess, { method, kind }),
      urlFail: returnUrl(this.config, 'urlFail', input.urlFail, { method, kind }),
      kind,
      RecurrentPaymentId,
      nextQueryAt: new Date(now.getTime() + FIRST_QUERY_MS),
      expiresAt: new Date(now.getTime() + LIFETIME_MS),
    });
    if (kind !== 'charge') await this.quotas.check(OPEN_PAYMENTS_QUOTA, OwnerId);
    this.events.changed('payments', 'created', OwnerId, row.id);
    return row;
  }

  /** Opens a committed payment at its acquirer, unless a call before has opened it. */
  async open(id: string): Promise<Opened> {
    const payment = (await this.store.byIds(systemScope, [id]))[0]!;
    if (payment.url) return { payment, url: payment.url };
    // Refused or expired before anybody could pay.
    if (payment.status === 'error') throw refused();
    const acquirer = await this.acquirers.find(payment.method);
    try {
      const page = await acquirer.create(await this.acquirers.orderOf(payment));
      return { payment, url: await this.settlement.opened(id, page) };
    } catch (error) {
      if (error instanceof AcquirerRefused) {
        this.log.warn({ err: error, payment: payment.id }, 'the acquirer refused a payment');
        await this.fail(payment.id, 'refused');
        throw refused();
      }
      this.log.warn({ err: error, payment: payment.id }, 'a payment could not be opened');
      throw new AppError('unavailable', undefined, { cause: (error as Error).message });
    }
  }

  /** Charges a saved card for a committed payment. What stays unknown is found by the sweep. */
  async charge(payment: Payment, cardToken: string): Promise<void> {
    try {
      const acquirer = await this.acquirers.find(payment.method);
      const order = await this.acquirers.orderOf(payment);
      let { externalId } = payment;
      if (!externalId && acquirer.openCharge)
        externalId = await this.settlement.bind(payment.id, await acquirer.openCharge(order));
      const state = await acquirer.charge(order, cardToken, externalId);
      await this.settlement.apply(payment.id, state);
    } catch (error) {
      const isRefused = error instanceof AcquirerRefused;
      const event = isRefused
        ? 'the acquirer refused a charge'
        : 'the outcome of a charge is unknown';
      this.log.warn({ err: error, payment: payment.id }, event);
      if (isRefused) await this.fail(payment.id, 'refused');
    }
  }

  /** A verified notification. One about a payment that is not of this method changes nothing. */
  async notify(method: string, body: Record<string, unknown>): Promise<void> {
    const acquirer = await this.acquirers.find(method);
    const notification = await acquirer.read(body).catch(unavailable);
    if (!notification || !isUuid(notification.reference)) return;
    const { reference, cardToken, cardNumber } = notification;
    const [payment] = await this.store.byIds(systemScope, [reference]);
    if (payment?.method !== method) return;
    const ref = this.acquirers.refOf(payment);
    ref.externalId ??= notification.externalId ?? null;
    const state = notification.state ?? (await acquirer.query(ref).catch(unavailable));
    // What a notification itself says may be old.
    if (!notification.state) logReturned(this.log, payment, state.refunded);
    await this.settlement.apply(reference, { cardToken, cardNumber, ...defined(state) });
  }

  /** Asks the acquirer about a payment in `init`. */
  async query(payment: Payment): Promise<void> {
    const acquirer = await this.acquirers.find(payment.method);
    // Compared with the time of the question: what is paid while the answer is on its way is not in it.
    const hasExpired = payment.expiresAt <= this.clock.now();
    const state = await acquirer.query(this.acquirers.refOf(payment));
    await this.settlement.apply(payment.id, state);
    const isOpen =
      (state.status === 'pending' && !state.isProcessing) || state.status === 'unknown';
    const isLost = payment.kind === 'charge' && state.status === 'unknown';
    // Acquirers forget references after a day: a charge that were repeated then could be a second one.
    if (isLost && !hasExpired) await this.recharge(payment);
    else if (isOpen && hasExpired) await this.fail(payment.id, isLost ? 'not_charged' : 'expired');
  }

  /** The acquirer does not know a charge: it was lost on its way. It accepts a reference once, so that a late first one is no second. */
  private async recharge(payment: Payment): Promise<void> {
    const token = await this.findCard?.(payment);
    if (token) await this.charge(payment, token);
    else await this.fail(payment.id, 'not_charged');
  }

  private fail(id: string, reason: NonNullable<Payment['reason']>): Promise<void> {
    return this.db.transaction(async () =>
      this.settlement.fail(await this.store.lock(systemScope, id), reason),
    );
  }

  /** Returns the smallest amount that the method collects in the currency. */
  private async check(method: string, amount: number, currency: string): Promise<Money> {
    const known = this.config.paymentMethods.find((name) => name === method);
    const acquirer = known && (await this.acquirers.find(known));
    if (!acquirer) throw invalid('method', 'invalid_value', 'There is no such payment method.');
    if (acquirer.currencies && !acquirer.currencies.includes(currency))
      throw invalid('method', 'invalid_value', `The method does not accept ${currency}.`);
    const { PAYMENT_MIN: min, PAYMENT_MAX: max } = this.config;
    if (amount < min) throw invalid('amount', 'too_small', `The minimum is ${min}.`);
    if (amount > max) throw invalid('amount', 'too_big', `The maximum is ${max}.`);
    const unit = acquirer.smallestUnit(currency);
    if (parseMoney(amount) % unit !== 0n)
      throw invalid('amount', 'precision', `${currency} has no such fraction.`);
    return unit;
  }
}

const refused = () => new AppError('payment_refused', 'The acquirer refused the payment');

/** The acquirer repeats a notification that was not answered. */
function unavailable(error: unknown): never {
  if (error instanceof AppError) throw error;
  throw new AppError('unavailable', undefined, { cause: (error as Error).message });
}

const defined = (state: AcquirerState): AcquirerState =>
  Object.fromEntries(
    Object.entries(state).filter(([, value]) => value !== undefined),
  ) as unknown as AcquirerState;
