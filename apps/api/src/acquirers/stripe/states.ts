import type Stripe from 'stripe';
import type { AcquirerState } from '../acquirer.ts';
import { fromMinor } from '../amounts.ts';
import { decimalsOf } from './currencies.ts';

/** In the metadata of a payment intent that charges a saved card. */
export const CHARGE = 'charge';

/** What a payment intent with its expanded latest charge says. `refunded` is in the minor units of its currency. */
export function stateOfIntent(intent: Stripe.PaymentIntent, refunded: number): AcquirerState {
  const currency = intent.currency.toUpperCase();
  const decimals = decimalsOf(currency);
  const charge = typeof intent.latest_charge === 'object' ? intent.latest_charge : null;
  return {
    status: statusOf(intent),
    isProcessing: intent.status === 'processing',
    sum: fromMinor(intent.amount_received, decimals),
    currency,
    refunded: fromMinor(refunded, decimals),
    cardNumber: charge?.payment_method_details?.card?.last4 ?? undefined,
    cardToken: cardTokenOf(intent),
  };
}

/** A payer may try another card on the same page; a charge is tried once. */
function statusOf({ status, metadata }: Stripe.PaymentIntent): AcquirerState['status'] {
  if (status === 'succeeded') return 'paid';
  if (status === 'canceled') return 'failed';
  const isLost = status === 'requires_payment_method' || status === 'requires_action';
  return isLost && metadata.kind === CHARGE ? 'failed' : 'pending';
}

/** `cus_1/pm_1`: a saved card is charged by its customer and its payment method. */
function cardTokenOf({ customer, payment_method, setup_future_usage }: Stripe.PaymentIntent) {
  if (setup_future_usage !== 'off_session' || !customer || !payment_method) return undefined;
  return `${idOf(customer)}/${idOf(payment_method)}`;
}

export const idOf = (object: string | { id: string }): string =>
  typeof object === 'string' ? object : object.id;
