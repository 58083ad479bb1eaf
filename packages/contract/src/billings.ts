import * as z from 'zod';
import { SENDING_TYPES } from '@heliograph/domain';
import { endpoint, ById } from './endpoint.ts';
import { Cursor, Id, many, Money, Owner, OwnerRef, Time, lines } from './fields.ts';
import { listQuery, page } from './list.ts';
import { VolumeStep } from './tariffs.ts';
import { SendingType } from './types.ts';

/** Sources of manual entries. */
export const MANUAL_SOURCES = [
  'accrual',
  'subtract',
  ...SENDING_TYPES.map((t) => `sendings.${t}` as const),
] as const;
/** `transfer` is the reseller's side of a manual entry on a customer's account. */
export const BILLING_SOURCES = [...MANUAL_SOURCES, 'transfer'] as const;
/** A sending type without a prefix means `sendings.{type}`. */
const withPrefix = (v: unknown) => (SENDING_TYPES.includes(v as never) ? `sendings.${v}` : v);
export const BillingSource = z.preprocess(withPrefix, z.enum(BILLING_SOURCES));
export const BILLING_STATUSES = ['pending', 'complete', 'refunded', 'invalid'] as const;
export const BillingStatus = z.enum(BILLING_STATUSES);
/** What causes an entry other than a charge or a manual entry. */
export const BILLING_ORIGINS = [
  'payment',
  'refund',
  'invoice',
  'referral',
  'operation',
  'wapi',
  'package',
  'minimum',
  'settlement',
  'call',
] as const;
export const BillingOrigin = z.object({
  type: z.enum(BILLING_ORIGINS),
  id: Id,
  /** Of a refund: the payment that was refunded. */
  PaymentId: Id.optional(),
});
export type BillingOrigin = z.infer<typeof BillingOrigin>;

export const Billing = z.object({
  id: Id,
  source: z.enum(BILLING_SOURCES),
  /** Change of the balance. Charges are negative. */
  amount: z.number(),
  status: BillingStatus,
  data: z.object({
    price: z.union([z.number(), z.array(z.number())]).nullable(),
    multiplier: z.number(),
    /** The charged message; null for manual entries and when the message is no longer stored. */
    params: z
      .object({
        type: SendingType,
        segments: z.int(),
        attempt: z.int(),
        groupId: Id.nullable(),
      })
      .nullable(),
    hidden: z.object({ comment: z.string().nullable(), noRef: z.boolean() }).optional(),
  }),
  meta: z.object({
    /** This entry and, for readers with access to other accounts, the other side of a transfer. */
    billings: z.object({ ids: z.array(Id) }),
    /** Null for charges and manual entries. */
    origin: BillingOrigin.nullable(),
    /** The task of a bulk operation, for managers. */
    TaskId: Id.optional(),
    /** Of a referral bonus, in the list with the scope `referral`. */
    referral: z
      .object({
        /** Masked username of the referred account. */
        name: z.string(),
        /** The payment that the bonus is a share of. */
        paid: z.number(),
        /** The entry takes a bonus back, because the payment was refunded. */
        isReturn: z.boolean(),
      })
      .optional(),
  }),
  TariffId: Id.nullable(),
  /** The prepaid package that covers the message, whose amount is zero then; absent for others. */
  PackageId: Id.optional(),
  /** Title of that package. */
  package: z.string().optional(),
  /** Of the rules of this tariff. */
  tariffVersion: z.int().nullable(),
  /** The volume step that its price has; absent for others. */
  volumeStep: VolumeStep.optional(),
  OwnerId: Id,
  Owner: Owner.optional(),
  /** The other account of a transfer, for readers with access to other accounts. */
  Counterpart: OwnerRef.optional(),
  refundedAt: Time.nullable(),
  createdAt: Time,
  updatedAt: Time,
});
export type Billing = z.infer<typeof Billing>;

export const BillingInput = z.strictObject({
  source: z.preprocess(withPrefix, z.enum(MANUAL_SOURCES)),
  /** The amount of one unit: with `data.multiplier` 3, an amount of 5 is 15 in total. */
  amount: Money.positive(),
  OwnerId: Id,
  data: z
    .strictObject({
      multiplier: z.int32().min(1).optional(),
      hidden: z
        .strictObject({ comment: lines(500).optional(), noRef: z.boolean().optional() })
        .optional(),
    })
    .optional(),
});
export type BillingInput = z.infer<typeof BillingInput>;

/** Totals are summed over at most so many entries, the newest. */
export const MAX_TOTALLED = 10_000;

/** Sums of the entries that match a filter, in one currency. */
export const BillingTotals = z.object({
  currency: z.string(),
  credits: z.number(),
  /** Positive; without what was refunded or given back of calls. */
  charges: z.number(),
  refunds: z.number(),
});

const FILTER = {
  status: many(BillingStatus),
  source: many(BillingSource),
  id: many(Id),
  OwnerId: Id,
  TariffId: Id,
  cursor: Cursor,
};

export const billings = {
  find: endpoint('GET', '/billings', {
    query: listQuery({
      order: ['createdAt', 'amount'],
      filter: FILTER,
      range: ['createdAt'],
      search: true,
      scope: ['referral'],
    }),
    response: page(Billing),
    can: 'billings.find',
    owner: 'read',
  }),
  totals: endpoint('GET', '/billings/totals', {
    summary: 'Sum the ledger entries that match a filter',
    query: listQuery({
      order: ['createdAt'],
      filter: FILTER,
      range: ['createdAt'],
      search: true,
    }),
    response: z.object({
      data: z.array(BillingTotals),
      count: z.int(),
      /** False when more entries match than are summed: the newest 10,000. */
      isComplete: z.boolean(),
    }),
    can: 'billings.find',
    owner: 'read',
    cost: 'list',
  }),
  balance: endpoint('GET', '/billings/balance/:id', {
    summary: 'Retrieve balance and overdraft of an account',
    params: ById,
    response: z.object({ result: z.number(), balance: z.number(), overdraft: z.number() }),
    can: 'billings.find',
  }),
  get: endpoint('GET', '/billings/:id', { params: ById, response: Billing, can: 'billings.find' }),
  create: endpoint('POST', '/billings', {
    charges: true,
    body: BillingInput,
    response: Billing,
    status: 201,
    can: 'billings.generate',
    sessionOnly: true,
    audit: 'billings.create',
    accept: 'resellerUp',
    owner: 'write',
    idempotent: true,
    summary: 'Create a manual ledger entry; for a reseller, its own balance is the other side',
  }),
};
