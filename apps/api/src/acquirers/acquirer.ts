import type { Money } from '@heliograph/domain';
import type { IncomingHttpHeaders } from 'node:http';

/** What an acquirer is asked to collect. */
export interface Order {
  /** Our id of the payment. The acquirer accepts each reference once. */
  reference: string;
  /** What the payer pays: the amount and the commission. */
  sum: Money;
  currency: string;
  description: string;
  successUrl: string;
  failUrl: string;
  notifyUrl: string;
  savesCard: boolean;
  /** Of the account, for the receipt. */
  contact: { email?: string; phone?: string };
  now: Date;
}

/** What an acquirer says of a payment, in a notification or an answer. */
export interface AcquirerState {
  /** `unknown`: the acquirer has no payment with this reference, or a charge of it that has not begun. */
  status: 'pending' | 'paid' | 'failed' | 'unknown';
  externalId?: string;
  /** Of a paid payment. */
  sum?: Money;
  currency?: string;
  /** Of a pending payment: the payer has paid, and the bank has not decided yet, which may take days. */
  isProcessing?: boolean;
  /** Refunded in all. */
  refunded?: Money;
  /** A part was refunded, and the acquirer does not tell how much. */
  isPartRefunded?: boolean;
  /** The last digits of the card. */
  cardNumber?: string;
  /** With it the card can be charged again. */
  cardToken?: string;
}

export interface PaymentRef {
  reference: string;
  externalId: string | null;
  sum: Money;
  currency: string;
  savesCard: boolean;
  /** Of a saved card, without the payer. */
  isCharge: boolean;
}

/** A notification that was verified and read. */
export interface Notification {
  reference: string;
  /** What the notification says. Without it the acquirer is queried, so that the order of notifications does not matter. */
  state?: AcquirerState;
  externalId?: string;
  cardToken?: string;
  cardNumber?: string;
}

/**
 * An acquirer. Its calls throw `AcquirerRefused` if it has certainly not done what it was asked; any other error leaves the outcome
 * unknown, and the payment is queried later.
 */
export interface Acquirer {
  canChargeCards: boolean;
  /** Null for all. */
  currencies: readonly string[] | null;
  /** The smallest amount of a currency, of which all amounts are multiples. */
  smallestUnit(currency: string): Money;
  /** Opens a payment. Called again with the same reference if the first answer was lost; only one page is shown to the payer. */
  create(order: Order): Promise<{ url: string; externalId: string | null }>;
  /** Whether a notification was sent by the acquirer, from its headers and received bytes. */
  verify(headers: IncomingHttpHeaders, body: Buffer): boolean;
  /** Reads a verified notification; null if it is about nothing of ours. */
  read(body: Record<string, unknown>): Promise<Notification | null>;
  query(payment: PaymentRef): Promise<AcquirerState>;
  /** Idempotent by the id of the refund, also after days. */
  refund(
    payment: PaymentRef,
    refund: { id: string; amount: Money; contact: Order['contact']; now: Date },
  ): Promise<void>;
  /**
   * Of an acquirer that accepts a reference more than once: opens a charge without charging, and returns its id there. One id is stored
   * for a payment before `charge` is called, also if another process opens one meanwhile.
   */
  openCharge?(order: Order): Promise<string>;
  /** Charges a saved card; idempotent by reference for a day, or by the id of `openCharge`. */
  charge(order: Order, cardToken: string, externalId: string | null): Promise<AcquirerState>;
}

export class AcquirerRefused extends Error {
  override readonly name = 'AcquirerRefused';
}

export interface StripeSettings {
  secretKey: string;
  webhookSecret: string;
  url: string;
  currencies: readonly string[];
}

export interface TinkoffSettings {
  terminalKey: string;
  password: string;
  url: string;
  /** Null: the terminal sends no receipts. */
  receipt: { taxation: string; tax: string } | null;
}

/** The settings of all acquirers, from the configuration. Those of one that is not configured are not read. */
export interface AcquirerSettings {
  sandbox: { url: string; secret: string };
  stripe: StripeSettings;
  tinkoff: TinkoffSettings;
}
