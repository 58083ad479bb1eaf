import type Stripe from 'stripe';
import {
  AcquirerRefused,
  type Acquirer,
  type AcquirerState,
  type Order,
  type PaymentRef,
  type StripeSettings,
} from '../acquirer.ts';
import { toMinor } from '../amounts.ts';
import { rethrown, stripeClient } from './client.ts';
import { decimalsOf, smallestUnit } from './currencies.ts';
import { readEvent } from './events.ts';
import { EXPAND, intentIn, StripeReads } from './reads.ts';
import { CHARGE } from './states.ts';

/** Stripe, by Checkout. https://docs.stripe.com/api */
export function openStripe(settings: StripeSettings): Acquirer {
  return new StripeAcquirer(settings, stripeClient(settings));
}

class StripeAcquirer implements Acquirer {
  readonly canChargeCards = true;
  readonly currencies: readonly string[];
  readonly smallestUnit = smallestUnit;
  private readonly reads: StripeReads;

  constructor(
    private readonly settings: StripeSettings,
    private readonly stripe: Stripe,
  ) {
    this.currencies = settings.currencies;
    this.reads = new StripeReads(stripe);
  }

  async create(order: Order) {
    const metadata = { reference: order.reference };
    const { currency, amount: unit_amount } = this.amountOf(order);
    const session = await this.stripe.checkout.sessions
      .create(
        {
          mode: 'payment',
          client_reference_id: order.reference,
          success_url: order.successUrl,
          cancel_url: order.failUrl,
          metadata,
          line_items: [
            {
              quantity: 1,
              price_data: { currency, unit_amount, product_data: { name: order.description } },
            },
          ],
          payment_intent_data: {
            metadata,
            description: order.description,
            ...(order.savesCard && { setup_future_usage: 'off_session' as const }),
          },
          ...(order.savesCard && { customer_creation: 'always' as const }),
        },
        { idempotencyKey: `payment-${order.reference}` },
      )
      .catch(rethrown);
    if (!session.url) throw new Error('Stripe: the session has no address');
    return { url: session.url, externalId: session.id };
  }

  /** Within five minutes of its signature, in constant time, over the received bytes. */
  verify(headers: Record<string, string | string[] | undefined>, body: Buffer): boolean {
    const signature = headers['stripe-signature'];
    if (typeof signature !== 'string') return false;
    try {
      this.stripe.webhooks.constructEvent(body, signature, this.settings.webhookSecret);
      return true;
    } catch {
      return false;
    }
  }

  async read(body: Record<string, unknown>) {
    const event = readEvent(body);
    if (!event) return null;
    const { reference, intentId, sessionId: externalId } = event;
    if (reference) return { reference, externalId };
    const intent = intentId && (await this.reads.intent(intentId));
    return intent && intent.metadata.reference ? { reference: intent.metadata.reference } : null;
  }

  async query(payment: PaymentRef): Promise<AcquirerState> {
    const { externalId } = payment;
    if (!externalId?.startsWith('cs_')) {
      const intent = await this.reads.intentOf(payment);
      return intent ? this.reads.stateOf(intent, intent.id) : { status: 'unknown' };
    }
    const session = await this.reads.session(externalId);
    if (!session) return { status: 'unknown' };
    const intent = intentIn(session);
    const state = intent && (await this.reads.stateOf(intent, externalId));
    // A page that is complete takes no other card: a payment of the kind that banks decide on later was refused.
    const isRefused = session.status === 'complete' && intent?.status === 'requires_payment_method';
    const isOver = session.status === 'expired' || isRefused;
    if (isOver && state?.status !== 'paid') return { status: 'failed', externalId };
    return state ?? { status: 'pending', externalId };
  }

  /** Found again by its id before it is made: Stripe forgets idempotency keys after a day. */
  async refund(payment: PaymentRef, { id, amount }: { id: string; amount: bigint }) {
    const intent = await this.reads.intentOf(payment);
    if (!intent) throw new AcquirerRefused('the payment is unknown');
    const known = await this.reads.refundsOf(intent.id);
    const refund =
      known.find(({ metadata }) => metadata?.refund === id) ??
      (await this.stripe.refunds
        .create(
          {
            payment_intent: intent.id,
            amount: toMinor(amount, decimalsOf(payment.currency)),
            metadata: { refund: id, reference: payment.reference },
          },
          { idempotencyKey: `refund-${id}` },
        )
        .catch(rethrown));
    if (refund.status === 'failed' || refund.status === 'canceled')
      throw new AcquirerRefused(`the refund is ${refund.status}`);
    if (refund.status !== 'succeeded') throw new Error(`Stripe: the refund is ${refund.status}`);
  }

  async charge(order: Order, cardToken: string): Promise<AcquirerState> {
    const [customer, payment_method] = cardToken.split('/') as [string, string];
    const intent = await this.stripe.paymentIntents
      .create(
        {
          ...this.amountOf(order),
          customer,
          payment_method,
          description: order.description,
          metadata: { reference: order.reference, kind: CHARGE },
          off_session: true,
          confirm: true,
          expand: EXPAND,
        },
        { idempotencyKey: `payment-${order.reference}` },
      )
      .catch(declined);
    // Declined, or the bank asks for 3-D Secure, which nobody is there to pass.
    if (typeof intent === 'string') return { status: 'failed', externalId: intent };
    return this.reads.stateOf(intent, intent.id);
  }

  private amountOf({ sum, currency }: Order) {
    return { currency: currency.toLowerCase(), amount: toMinor(sum, decimalsOf(currency)) };
  }
}

/** The id of the payment intent that a card error has left. */
function declined(error: unknown): string {
  const { type, payment_intent } = error as { type?: string; payment_intent?: { id: string } };
  return type === 'StripeCardError' && payment_intent ? payment_intent.id : rethrown(error);
}
