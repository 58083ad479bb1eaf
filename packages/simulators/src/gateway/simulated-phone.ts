import { carrierProfile } from '../carrier/profile.ts';
import { planReports } from '../carrier/simulated-carrier.ts';

export type SimulatedState = 'notAuthorized' | 'authorized' | 'sleepMode';

/** An event that the gateway keeps until the platform has received it, in the format of its API. */
export interface SimulatedEvent {
  receiptId: number;
  /** Milliseconds; it is delivered from then on. */
  dueAt: number;
  body: Record<string, unknown>;
}

export interface SimulatedMessage {
  at: number;
  isIncoming: boolean;
  /** The other side, in digits. */
  phone: string;
  text: string;
}

/** An instance of the simulated gateway with the phone that is linked to it. */
export interface SimulatedInstance {
  id: string;
  token: string;
  /** Reaches the page of the phone. */
  key: string;
  name: string;
  state: SimulatedState;
  phone: string | null;
  code: string | null;
  codeUntil: number;
  /** The next phone that scans is in the beta of linked devices. */
  isBeta: boolean;
  messages: SimulatedMessage[];
  events: SimulatedEvent[];
  lastReceipt: number;
}

const MAX_MESSAGES = 50;
const MAX_EVENTS = 500;
const SIMULATED_CODE_MS = 20_000;
const SEED = 'gateway';
const STATUSES = { sent: 'sent', delivered: 'delivered', seen: 'read', failed: 'failed' } as const;

export function newSimulatedInstance(
  ids: Pick<SimulatedInstance, 'id' | 'token' | 'key' | 'name'>,
): SimulatedInstance {
  return {
    ...ids,
    state: 'notAuthorized',
    phone: null,
    code: null,
    codeUntil: 0,
    isBeta: false,
    messages: [],
    events: [],
    lastReceipt: 0,
  };
}

/** Adds an event; null if too many wait. */
function withEvent(
  of: SimulatedInstance,
  dueAt: number,
  body: Record<string, unknown>,
): SimulatedInstance {
  if (of.events.length >= MAX_EVENTS) return of;
  const receiptId = of.lastReceipt + 1;
  const event = { receiptId, dueAt, body: { ...body, timestamp: Math.floor(dueAt / 1000) } };
  return { ...of, lastReceipt: receiptId, events: [...of.events, event] };
}

const withMessage = (of: SimulatedInstance, message: SimulatedMessage): SimulatedInstance => ({
  ...of,
  messages: [...of.messages, message].slice(-MAX_MESSAGES),
});

function withState(of: SimulatedInstance, state: SimulatedState, now: number): SimulatedInstance {
  const changed = { ...of, state, code: null };
  return withEvent(changed, now, { typeWebhook: 'stateInstanceChanged', stateInstance: state });
}

/** The code to be scanned; another one when the former is no longer valid. */
export function withCode(of: SimulatedInstance, code: string, now: number): SimulatedInstance {
  return of.code !== null && now < of.codeUntil
    ? of
    : { ...of, code, codeUntil: now + SIMULATED_CODE_MS };
}

/** A phone scans a code. Null if the code is not valid any more, or a phone is linked. */
export function scanCode(
  of: SimulatedInstance,
  { code, phone, isBeta }: { code: string; phone: string; isBeta: boolean },
  now: number,
): SimulatedInstance | null {
  if (of.state !== 'notAuthorized' || of.code === null || code !== of.code || now >= of.codeUntil)
    return null;
  if (isBeta) return { ...of, isBeta: true, code: null };
  return withState({ ...of, phone, isBeta: false }, 'authorized', now);
}

export function sleepPhone(of: SimulatedInstance, now: number): SimulatedInstance | null {
  return of.state === 'authorized' ? withState(of, 'sleepMode', now) : null;
}

export function wakePhone(of: SimulatedInstance, now: number): SimulatedInstance | null {
  return of.state === 'sleepMode' ? withState(of, 'authorized', now) : null;
}

export function unlinkPhone(of: SimulatedInstance, now: number): SimulatedInstance | null {
  return of.state === 'notAuthorized'
    ? null
    : withState({ ...of, phone: null }, 'notAuthorized', now);
}

/** Somebody writes to the phone. */
export function writeToPhone(
  of: SimulatedInstance,
  message: { id: string; from: string; text: string },
  at: number,
): SimulatedInstance | null {
  if (of.state !== 'authorized') return null;
  const { id, from, text } = message;
  const kept = withMessage(of, { at, isIncoming: true, phone: from, text });
  return withEvent(kept, at, {
    typeWebhook: 'incomingMessageReceived',
    idMessage: id,
    senderData: { chatId: `${from}@c.us`, sender: `${from}@c.us` },
    messageData: { typeMessage: 'textMessage', textMessageData: { textMessage: text } },
  });
}

/** The phone sends; reports and the reply follow as those of the simulated carrier do. Null if it has no link. */
export function sendFromPhone(
  of: SimulatedInstance,
  message: { id: string; to: string; text: string },
  now: number,
): SimulatedInstance | null {
  if (of.state !== 'authorized') return null;
  const { id, to, text } = message;
  const recipient = `+${to}`;
  const plan = planReports(
    { reference: id, type: 'wapi', recipient },
    carrierProfile({ profile: 'healthy' }),
    SEED,
    new Date(now),
  );
  let next = withMessage(of, { at: now, isIncoming: false, phone: to, text });
  for (const { status, due, code } of plan.reports) {
    if (status === 'processing') continue;
    const name = code === 'not_a_user' ? 'noAccount' : STATUSES[status as keyof typeof STATUSES];
    if (name)
      next = withEvent(next, due.getTime(), {
        typeWebhook: 'outgoingMessageStatus',
        idMessage: id,
        status: name,
      });
  }
  const { reply } = plan;
  if (!reply) return next;
  const said = { id: `${id}-reply`, from: to, text: reply.text };
  return writeToPhone(next, said, reply.at.getTime());
}

/** The earliest event that is due. */
export function dueEvent(of: SimulatedInstance, now: number): SimulatedEvent | undefined {
  return of.events
    .filter(({ dueAt }) => dueAt <= now)
    .sort((a, b) => a.dueAt - b.dueAt || a.receiptId - b.receiptId)[0];
}

export const withoutEvent = (of: SimulatedInstance, receiptId: number): SimulatedInstance => ({
  ...of,
  events: of.events.filter((event) => event.receiptId !== receiptId),
});
