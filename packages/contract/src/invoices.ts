import * as z from 'zod';
import { INVOICE_STATUSES, INVOICE_TYPES } from '@heliograph/domain';
import { ById, endpoint } from './endpoint.ts';
import { Amount, Email, Id, many, Owner, Time, trimmed, trimmedLines } from './fields.ts';
import { listQuery, page, Scoped } from './list.ts';

export const InvoiceStatus = z.enum(INVOICE_STATUSES);
export const InvoiceType = z.enum(INVOICE_TYPES);
export const INVOICE_SOURCES = ['user', 'system'] as const;
export const InvoiceSource = z.enum(INVOICE_SOURCES);

/** The sum that a form offers, in the currency of the account. */
export const DEFAULT_INVOICE_AMOUNT = 1000;
/** What fits the columns of a printed document. */
export const MAX_INVOICE_AMOUNT = 999_999_999.99;
/** Unpaid invoices of an account. */
export const MAX_PENDING_INVOICES = 200;

/** An amount of a document: positive, with at most two decimals. */
export const DocumentAmount = Amount.max(MAX_INVOICE_AMOUNT);

const Named = z.object({ id: Id, title: z.string() });

export const Invoice = z.object({
  id: Id,
  type: InvoiceType,
  amount: z.number(),
  currency: z.string(),
  /** In percent; null without VAT. */
  vatRate: z.number().nullable(),
  vatAmount: z.number(),
  source: InvoiceSource,
  status: InvoiceStatus,
  docNumber: z.string(),
  companyId: Id,
  requisiteId: Id.nullable(),
  company: Named,
  requisite: Named.nullable(),
  customerId: Id,
  documentId: Id,
  /** The month of an act, `2026-11`. */
  period: z.string().nullable(),
  validUntil: Time.nullable(),
  reason: z.string().nullable(),
  paidAt: Time.nullable(),
  rejectedAt: Time.nullable(),
  email: z
    .object({
      to: z.string(),
      status: z.enum(['pending', 'sent', 'failed']),
      attempts: z.int(),
      sentAt: Time.nullable(),
    })
    .nullable(),
  OwnerId: Id,
  Owner: Owner.optional(),
  createdAt: Time,
  updatedAt: Time,
});
export type Invoice = z.infer<typeof Invoice>;

export const InvoiceInput = z.strictObject({
  amount: DocumentAmount,
  requisiteId: Id,
  companyId: Id,
  /** The account that pays; by default that of the caller. */
  customerId: Id.optional(),
});
export type InvoiceInput = z.infer<typeof InvoiceInput>;

const one = '/n/invoices/:id';
export const invoices = {
  find: endpoint('GET', '/n/invoices', {
    query: listQuery({
      order: ['createdAt', 'amount'],
      filter: {
        id: many(Id),
        type: many(InvoiceType),
        status: many(InvoiceStatus),
        companyId: many(Id),
        docNumber: trimmed(20),
        OwnerId: Id,
      },
      range: ['createdAt'],
      search: true,
    }),
    response: page(Invoice),
    refusedInRestrictedMode: true,
    can: 'invoices.get',
    owner: 'read',
  }),
  get: endpoint('GET', one, {
    params: ById,
    response: Invoice,
    can: 'invoices.get',
    refusedInRestrictedMode: true,
  }),
  create: endpoint('POST', '/n/invoices', {
    /** The document exists when the answer arrives, whether `awaitDocument` asks for it or not, unless the storage fails: then it follows. */
    query: Scoped,
    body: InvoiceInput,
    response: Invoice,
    status: 201,
    refusedInRestrictedMode: true,
    can: 'invoices.create',
    sessionOnly: true,
    idempotent: 'calls',
    cost: 'file',
    summary: 'Issue an invoice and make its document',
  }),
  /** Makes the document again if its file was deleted. */
  document: endpoint('POST', `${one}/document`, {
    params: ById,
    response: z.object({ documentId: Id }),
    refusedInRestrictedMode: true,
    can: 'invoices.get',
    sessionOnly: true,
    cost: 'file',
    summary: 'Retrieve the id of the document of an invoice',
  }),
  pay: endpoint('POST', `${one}/pay`, {
    params: ById,
    response: Invoice,
    refusedInRestrictedMode: true,
    can: 'invoices.update',
    accept: 'managerUp',
    sessionOnly: true,
    audit: 'invoices.pay',
    summary: 'Mark an invoice as paid and credit its amount',
  }),
  reject: endpoint('POST', `${one}/reject`, {
    params: ById,
    body: z.strictObject({ reason: trimmedLines(500).optional() }),
    response: Invoice,
    refusedInRestrictedMode: true,
    can: 'invoices.update',
    accept: 'managerUp',
    sessionOnly: true,
    audit: 'invoices.reject',
    summary: 'Reject an invoice',
  }),
  send: endpoint('POST', `${one}/send`, {
    cost: 'setting',
    params: ById,
    body: z.strictObject({ to: Email }),
    response: Invoice,
    refusedInRestrictedMode: true,
    can: 'invoices.get',
    sessionOnly: true,
    summary: 'Send an invoice by e-mail',
  }),
};
