/** Where the reference of an event is found: in its object, or by the payment intent that the object names. */
export interface EventRef {
  reference?: string;
  intentId?: string;
  sessionId?: string;
}

/** Kinds of objects whose events change a payment. */
const OBJECTS = new Set(['checkout.session', 'payment_intent', 'charge', 'refund', 'dispute']);
const ID = /^[a-z]{2,8}_\w{1,200}$/;

/** What an event is about; null if it is of no interest. The body is signed, but its shape is not trusted. */
export function readEvent(body: Record<string, unknown>): EventRef | null {
  const object = record(record(body.data).object);
  if (body.object !== 'event' || !OBJECTS.has(String(object.object))) return null;
  const isIntent = object.object === 'payment_intent';
  const isSession = object.object === 'checkout.session';
  return {
    reference: text(record(object.metadata).reference),
    intentId: id(isIntent ? object.id : object.payment_intent),
    ...(isSession && { sessionId: id(object.id) }),
  };
}

const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
const text = (value: unknown) => (typeof value === 'string' && value ? value : undefined);
const id = (value: unknown) => (typeof value === 'string' && ID.test(value) ? value : undefined);
