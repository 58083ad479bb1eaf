import * as z from 'zod';
import { PAYMENT_STATUSES } from '@heliograph/domain';
import { endpoint, ById } from './endpoint.ts';
import { Amount, Id, Money, Owner, Time, many, text } from './fields.ts';
import { listQuery, page } from './list.ts';

/** Names of payment methods, also of those that the installation does not have now. */
export const PAYMENT_METHODS = ['sandbox', 'stripe', 'tinkoff', 'mandarin'] as const;
const PaymentMethodName = z.enum(PAYMENT_METHODS);
/** Clients of this API family write `v1.tinkoff`. */
const withoutVersion = (value: unknown) =>
  typeof value === 'string' && value.length <= 40 ? value.replace(/^v\d{1,3}\./, '') : value;
export const PaymentMethodInput = z.preprocess(withoutVersion, PaymentMethodName);
export const PaymentStatus = z.enum(PAYMENT_STATUSES);

export const REFUND_STATUSES = ['requested', 'done', 'failed'] as const;
export const PaymentRefund = z.object({
  id: Id,
  amount: z.number(),
  status: z.enum(REFUND_STATUSES),
  /** Made at the acquirer, not here. */
  isExternal: z.boolean(),
  /** The part that the balance did not cover, of a refund made at the acquirer. For managers. */
  shortfall: z.number().optional(),
  createdAt: Time,
});

/** Why a payment is in `error`. */
export const PAYMENT_REASONS = [
  'declined',
  'refused',
  'expired',
  'not_charged',
  'amount_mismatch',
  'currency_mismatch',
] as const;

export const Payment = z.object({
  id: Id,
  method: z.string(),
  /** Credited to the balance. */
  amount: z.number(),
  /** Paid in addition. */
  commission: z.number(),
  currency: z.string(),
  status: PaymentStatus,
  reason: z.enum(PAYMENT_REASONS).nullable(),
  refunded: z.number(),
  meta: z.object({
    /** The last digits of the card. */
    bankData: z.object({ cardNumber: z.string() }).nullable(),
    /** Id at the acquirer, for managers. */
    externalId: z.string().nullable().optional(),
  }),
  RecurrentPaymentId: Id.nullable(),
  OwnerId: Id,
  Owner: Owner.optional(),
  completedAt: Time.nullable(),
  createdAt: Time,
  updatedAt: Time,
});
export type Payment = z.infer<typeof Payment>;

export const PaymentDetails = Payment.extend({ refunds: z.array(PaymentRefund) });
export type PaymentDetails = z.infer<typeof PaymentDetails>;

export const PaymentInput = z.strictObject({
  amount: Amount,
  method: PaymentMethodInput,
  /** Where the browser returns to; an allowed origin. */
  urlSuccess: text(2000).optional(),
  urlFail: text(2000).optional(),
});
export type PaymentInput = z.infer<typeof PaymentInput>;

export const PaymentMethod = z.object({
  id: z.string(),
  method: z.string(),
  /** In percent, added to the amount. */
  commission: z.number(),
  /** Whether it can charge saved cards. */
  isRecurrent: z.boolean(),
});
export type PaymentMethod = z.infer<typeof PaymentMethod>;

export const payments = {
  find: endpoint('GET', '/payments', {
    query: listQuery({
      order: ['createdAt', 'amount'],
      filter: {
        status: many(PaymentStatus),
        method: many(PaymentMethodName),
        id: many(Id),
        OwnerId: Id,
        RecurrentPaymentId: Id,
      },
      range: ['createdAt'],
      search: true,
    }),
    response: page(Payment),
    can: 'payments.get',
    owner: 'read',
  }),
  methods: endpoint('GET', '/payments/methods', {
    query: z.strictObject({ UserId: Id.optional() }),
    response: z.array(PaymentMethod),
    can: 'payments.get',
    summary: 'List the payment methods for an account',
  }),
  get: endpoint('GET', '/payments/:id', {
    params: ById,
    response: PaymentDetails,
    can: 'payments.get',
  }),
  create: endpoint('POST', '/payments', {
    charges: true,
    body: PaymentInput,
    response: z.object({ id: Id, status: PaymentStatus, url: z.string() }),
    status: 201,
    can: 'payments.create',
    sessionOnly: true,
    idempotent: 'calls',
    audit: 'payments.create',
    summary: 'Start a payment; the payer continues at `url`',
  }),
  refund: endpoint('POST', '/payments/:id/refund', {
    charges: true,
    params: ById,
    body: z.strictObject({
      amount: Amount.optional(),
      /** As the caller knows it, so that a repeated call does not refund another part. */
      refunded: Money.min(0),
    }),
    response: PaymentDetails,
    can: 'payments.refund',
    accept: 'managerUp',
    sessionOnly: true,
    idempotent: 'calls',
    audit: 'payments.refund',
    summary: 'Refund a payment or a part of it',
  }),
  notify: endpoint('POST', '/payments/webhook/:method', {
    params: z.object({ method: text(40) }),
    body: z.looseObject({}),
    form: true,
    response: z.literal('OK'),
    can: 'carrier',
    anyQuery: true,
    summary: 'Receive a notification of an acquirer',
  }),
};
