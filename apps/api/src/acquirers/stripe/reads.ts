import type Stripe from 'stripe';
import type { AcquirerState, PaymentRef } from '../acquirer.ts';
import { failed } from './client.ts';
import { stateOfIntent } from './states.ts';

const MAX_REFUNDS = 1000;
/** Of a dispute in these the money has been withdrawn. */
const WITHDRAWN = new Set(['needs_response', 'under_review', 'lost']);
export const EXPAND = ['latest_charge'];

/** What is read from Stripe. An error of a read is never a refusal: it says nothing of the payment. */
export class StripeReads {
  constructor(private readonly stripe: Stripe) {}

  /** The payment intent of a payment, also of one whose id was lost with an answer. */
  async intentOf({ reference, externalId }: PaymentRef): Promise<Stripe.PaymentIntent | null> {
    if (externalId?.startsWith('pi_')) return this.intent(externalId);
    if (externalId?.startsWith('cs_')) return intentIn(await this.session(externalId));
    const query = `metadata['reference']:'${reference}'`;
    const { data } = await this.stripe.paymentIntents
      .search({ query, limit: 1, expand: ['data.latest_charge'] })
      .catch(failed);
    return data[0] ?? null;
  }

  intent(id: string): Promise<Stripe.PaymentIntent | null> {
    return this.stripe.paymentIntents.retrieve(id, { expand: EXPAND }).catch(nullIfMissing);
  }

  session(id: string): Promise<Stripe.Checkout.Session | null> {
    const expand = ['payment_intent.latest_charge'];
    return this.stripe.checkout.sessions.retrieve(id, { expand }).catch(nullIfMissing);
  }

  async stateOf(intent: Stripe.PaymentIntent, externalId: string): Promise<AcquirerState> {
    const charge = intent.latest_charge as Stripe.Charge | null;
    const hasChanged = charge && (charge.amount_refunded > 0 || charge.disputed);
    const refunded = hasChanged ? await this.refundedOf(intent.id) : 0;
    return { ...stateOfIntent(intent, refunded), externalId };
  }

  refundsOf(payment_intent: string): Promise<Stripe.Refund[]> {
    return this.stripe.refunds
      .list({ payment_intent, limit: 100 })
      .autoPagingToArray({ limit: MAX_REFUNDS })
      .catch(failed);
  }

  /** Refunds that have succeeded, and what disputes have withdrawn. */
  private async refundedOf(payment_intent: string): Promise<number> {
    const refunds = await this.refundsOf(payment_intent);
    const disputes = await this.stripe.disputes.list({ payment_intent, limit: 100 }).catch(failed);
    const counted = [
      ...refunds.filter(({ status }) => status === 'succeeded'),
      ...disputes.data.filter(({ status }) => WITHDRAWN.has(status)),
    ];
    return counted.reduce((sum, { amount }) => sum + amount, 0);
  }
}

/** Of a session that was read with it. */
export const intentIn = (session: Stripe.Checkout.Session | null): Stripe.PaymentIntent | null =>
  (session?.payment_intent ?? null) as Stripe.PaymentIntent | null;

function nullIfMissing(error: unknown): null {
  if ((error as { code?: string }).code === 'resource_missing') return null;
  return failed(error);
}
