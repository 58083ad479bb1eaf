import type { Billing } from '@heliograph/contract';

const PAGES = {
  payment: '/balance/payments?id=',
  invoice: '/balance/invoices?id=',
} as const;

/** Where what caused an entry is shown; null for manual entries and what has no page of its own. */
export function causeOf({ id, data, meta }: Billing) {
  if (data.params) return { kind: 'message' as const, to: `/messages/outgoing?id=${id}` };
  const { origin, TaskId } = meta;
  if (TaskId) return { kind: 'task' as const, to: `/messages/tasks?id=${TaskId}` };
  if (origin?.PaymentId) return { kind: 'payment' as const, to: PAGES.payment + origin.PaymentId };
  if (origin?.type === 'payment' || origin?.type === 'invoice')
    return { kind: origin.type, to: PAGES[origin.type] + origin.id };
  return null;
}
