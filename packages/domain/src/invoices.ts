export const INVOICE_STATUSES = ['pending', 'paid', 'rejected'] as const;
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number];

/** An act states the charges of a month; it is paid from the balance, so it is `paid` from the start. */
export const INVOICE_TYPES = ['invoice', 'act'] as const;
export type InvoiceType = (typeof INVOICE_TYPES)[number];

export type InvoiceAction = 'pay' | 'reject';

/** The next status, or null if the action is not possible. Paid and rejected are final: the money of a paid invoice is on the balance. */
export function invoiceTransition(
  status: InvoiceStatus,
  action: InvoiceAction,
): InvoiceStatus | null {
  if (status !== 'pending') return null;
  return action === 'pay' ? 'paid' : 'rejected';
}

const NUMBER_DIGITS = 5;
/** Letters and digits before the year of a number. */
export const NUMBER_PREFIX = /^[\p{L}\d]{0,8}$/u;

/** The number that a document shows: `invoiceNumber({ prefix: 'MT', year: 2026, number: 17 })` is 'MT-2026-00017'. */
export function invoiceNumber({
  prefix,
  year,
  number,
}: {
  prefix: string;
  year: number;
  number: number;
}): string {
  const digits = String(number).padStart(NUMBER_DIGITS, '0');
  return prefix ? `${prefix}-${year}-${digits}` : `${year}-${digits}`;
}
