import {
  carrierPhone,
  composeText,
  cutText,
  type SendingErrorCode,
  type Status,
} from '@heliograph/domain';
import { z } from 'zod';
import { findInvalidText } from '../../core/http/invalid-text.ts';
import type { GatewayEvent, LinkState } from '../gateway.ts';

const MAX_TEXT = 65_536;
/** Of the year 9999. */
const MAX_SECONDS = 253_402_300_799;
/** States of the gateway; others, such as `starting`, are passed over. */
const STATES: Record<string, LinkState> = {
  authorized: 'authorized',
  notAuthorized: 'notAuthorized',
  blocked: 'notAuthorized',
  sleepMode: 'sleep',
};
const STATUSES: Record<string, [Status, SendingErrorCode | null]> = {
  sent: ['sent', null],
  delivered: ['delivered', null],
  read: ['seen', null],
  failed: ['failed', 'undeliverable'],
  noAccount: ['failed', 'not_a_user'],
  notInGroup: ['failed', 'invalid_recipient'],
};

export const linkState = (name: string): LinkState | null => STATES[name] ?? null;

const Envelope = z.object({
  receiptId: z.union([z.number(), z.string()]),
  body: z.record(z.string(), z.unknown()).nullable().catch(null),
});
const StateBody = z.object({ stateInstance: z.string() });
const StatusBody = z.object({
  idMessage: z.string(),
  status: z.string(),
  /** In seconds; one that is no time is that of the receipt. */
  timestamp: z.number().max(MAX_SECONDS).min(0).optional().catch(undefined),
});
const MessageBody = z.object({
  idMessage: z.string().max(200),
  senderData: z.object({ chatId: z.string().max(100), sender: z.string().max(100).optional() }),
  messageData: z.object({
    textMessageData: z.object({ textMessage: z.string() }).optional(),
    extendedTextMessageData: z.object({ text: z.string() }).optional(),
  }),
});

/** An answer of `receiveNotification`; null if there is none. What is not understood is an event that only needs its acknowledgement. */
export function eventOf(answer: unknown): GatewayEvent | null {
  const envelope = Envelope.safeParse(answer);
  if (!envelope.success) return null;
  const receipt = String(envelope.data.receiptId);
  const { body } = envelope.data;
  // Without its acknowledgement it would be received again for ever, and nothing after it.
  if (!body || findInvalidText(body) !== null) return { receipt, kind: 'unreadable' };
  const readers: Record<string, (body: unknown) => Omit<GatewayEvent, 'receipt'> | null> = {
    stateInstanceChanged: readState,
    outgoingMessageStatus: readStatus,
    incomingMessageReceived: readMessage,
  };
  const read = readers[String(body.typeWebhook)]?.(body) ?? { kind: 'other' as const };
  return { receipt, ...read } as GatewayEvent;
}

function readState(body: unknown) {
  const read = StateBody.safeParse(body);
  const state = read.success ? linkState(read.data.stateInstance) : null;
  return state && { kind: 'state' as const, state };
}

function readStatus(body: unknown) {
  const read = StatusBody.safeParse(body);
  const known = read.success ? STATUSES[read.data.status] : undefined;
  if (!read.success || !known) return null;
  const { idMessage: externalId, timestamp } = read.data;
  const at = timestamp === undefined ? null : new Date(timestamp * 1000);
  const [status, code] = known;
  return { kind: 'status' as const, externalId, status, code, at };
}

/** Messages of groups and those without a text are no replies. */
function readMessage(body: unknown) {
  const read = MessageBody.safeParse(body);
  if (!read.success) return null;
  const { idMessage: id, senderData, messageData } = read.data;
  const digits = /^(\d{5,20})@c\.us$/.exec(senderData.chatId)?.[1];
  const from = digits ? carrierPhone(digits) : null;
  const text =
    messageData.textMessageData?.textMessage ?? messageData.extendedTextMessageData?.text;
  return from && text
    ? { kind: 'message' as const, id, from, text: cutText(composeText(text), MAX_TEXT) }
    : null;
}
