import * as z from 'zod';
import { FREQUENCIES, RECURRENT_STATUSES, RECURRENT_TYPES } from '@heliograph/domain';
import { endpoint, ById, Removed } from './endpoint.ts';
import { Amount, Id, many, Money, Owner, Time } from './fields.ts';
import { listQuery, page } from './list.ts';
import { Payment, PaymentMethodInput } from './payments.ts';

export const RecurrentStatus = z.enum(RECURRENT_STATUSES);

export const RecurrentPayment = z.object({
  id: Id,
  type: z.enum(RECURRENT_TYPES),
  /** The balance below which the card is charged; only of the type `threshold`. */
  threshold: z.number().nullable(),
  frequency: z.enum(FREQUENCIES).nullable(),
  method: z.string(),
  amount: z.number(),
  currency: z.string(),
  status: RecurrentStatus,
  /** Whether the card is charged now. */
  isActive: z.boolean(),
  isOfferAccepted: z.boolean(),
  /** Failed charges in a row. */
  failures: z.int(),
  /** The next charge, or the earliest repetition of a failed one. */
  nextAt: Time.nullable(),
  meta: z.object({ bankData: z.object({ cardNumber: z.string() }).nullable() }),
  OwnerId: Id,
  Owner: Owner.optional(),
  createdAt: Time,
  updatedAt: Time,
});
export type RecurrentPayment = z.infer<typeof RecurrentPayment>;

/** Payments of a recurring payment that are shown with it. */
export const MAX_SHOWN_PAYMENTS = 10;

export const RecurrentPaymentDetails = RecurrentPayment.extend({
  /** The last ones, newest first; only with `payments.get`. */
  Payments: z.array(Payment).optional(),
});
export type RecurrentPaymentDetails = z.infer<typeof RecurrentPaymentDetails>;

const common = {
  method: PaymentMethodInput,
  amount: Amount,
  /** The payer allows charges of the card. */
  isOfferAccepted: z.literal(true),
};
export const ThresholdPaymentInput = z.strictObject({
  type: z.literal('threshold'),
  threshold: Money.min(0),
  ...common,
});
export const FrequencyPaymentInput = z.strictObject({
  type: z.literal('frequency'),
  frequency: z.enum(FREQUENCIES),
  ...common,
});
export const RecurrentPaymentInput = z.discriminatedUnion('type', [
  ThresholdPaymentInput,
  FrequencyPaymentInput,
]);
export type RecurrentPaymentInput = z.infer<typeof RecurrentPaymentInput>;

const PayUrl = z.object({ url: z.string() });
const ReInit = z.strictObject({ method: PaymentMethodInput.optional() });

export const recurrentPayments = {
  find: endpoint('GET', '/recurrentPayments', {
    query: listQuery({
      order: ['createdAt', 'amount'],
      filter: {
        type: many(z.enum(RECURRENT_TYPES)),
        status: many(RecurrentStatus),
        OwnerId: Id,
        id: many(Id),
      },
      range: ['createdAt'],
      search: true,
    }),
    response: page(RecurrentPayment),
    can: 'recurrentPayments.get',
    owner: 'read',
  }),
  get: endpoint('GET', '/recurrentPayments/:id', {
    params: ById,
    response: RecurrentPaymentDetails,
    can: 'recurrentPayments.get',
  }),
  create: endpoint('POST', '/recurrentPayments', {
    charges: true,
    body: RecurrentPaymentInput,
    response: RecurrentPayment.extend({ url: z.string() }),
    status: 201,
    can: 'recurrentPayments.create',
    sessionOnly: true,
    idempotent: 'calls',
    audit: 'recurrentPayments.create',
    summary: 'Create a recurring payment; the first payment at `url` saves the card',
  }),
  update: endpoint('PUT', '/recurrentPayments/:id', {
    params: ById,
    /** `ready` or `pause`; the status that it has changes nothing. */
    body: z.strictObject({ status: RecurrentStatus }),
    response: RecurrentPaymentDetails,
    can: 'recurrentPayments.update',
    sessionOnly: true,
    audit: 'recurrentPayments.update',
    alias: 'PATCH',
    summary: 'Pause or resume a recurring payment',
  }),
  reInit: endpoint('GET', '/recurrentPayments/:id/reInit', {
    charges: true,
    params: ById,
    query: ReInit,
    response: PayUrl,
    can: 'recurrentPayments.update',
    sessionOnly: true,
    audit: 'recurrentPayments.reInit',
    mutates: true,
    summary: 'Confirm a card again, for older clients',
  }),
  confirm: endpoint('POST', '/recurrentPayments/:id/reInit', {
    charges: true,
    params: ById,
    body: ReInit,
    response: PayUrl,
    can: 'recurrentPayments.update',
    sessionOnly: true,
    idempotent: 'calls',
    audit: 'recurrentPayments.reInit',
    summary: 'Confirm a card again by another first payment',
  }),
  block: endpoint('POST', '/recurrentPayments/:id/block', {
    params: ById,
    body: z.strictObject({ isBlocked: z.boolean() }),
    response: RecurrentPayment,
    can: 'recurrentPayments.block',
    accept: 'managerUp',
    sessionOnly: true,
    audit: 'recurrentPayments.block',
    summary: 'Block a recurring payment, or unblock it into a pause',
  }),
  remove: endpoint('DELETE', '/recurrentPayments/:id', {
    params: ById,
    response: Removed,
    can: 'recurrentPayments.remove',
    sessionOnly: true,
    audit: 'recurrentPayments.remove',
  }),
};
