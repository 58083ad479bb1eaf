import type { SendingErrorCode, SendingType } from '@heliograph/domain';

/** A message as `POST /messages` brings it; what else comes with it does not matter here. */
export interface IncomingMessage {
  reference: string;
  type: SendingType;
  sender: string;
  recipient: string;
  tries: number;
}

/** What became of a handover: `repeat` is a reference that had been taken before. */
export type SubmitOutcome = 'accepted' | 'lost' | 'rejected' | 'throttled' | 'repeat';

export type Answer = { reference: string } & (
  | { result: 'accepted' }
  | { result: 'rejected'; code: SendingErrorCode }
  | { result: 'throttled'; retryAfter: number }
);

/** What comes in over HTTP and makes no sense: answered with 4xx and this message. */
export class BadRequest extends Error {}

export const MAX_BATCH = 10_000;

/** Reads the body of `POST /messages`, `{ messages: [...] }`; throws BadRequest. */
export function readMessages(body: unknown): IncomingMessage[] {
  const messages = (body as { messages?: unknown } | null)?.messages;
  if (!Array.isArray(messages)) throw new BadRequest('messages: not an array');
  if (messages.length > MAX_BATCH) throw new BadRequest(`messages: more than ${MAX_BATCH}`);
  return messages.map((message: Record<string, unknown> | null, i) => ({
    reference: text(message?.reference, `messages.${i}.reference`),
    type: text(message?.type, `messages.${i}.type`) as SendingType,
    recipient: text(message?.recipient, `messages.${i}.recipient`),
    sender: typeof message?.sender === 'string' ? message.sender : '',
    tries: Number.isInteger(message?.tries) ? Math.max(0, message!.tries as number) : 0,
  }));
}

function text(value: unknown, field: string): string {
  if (typeof value !== 'string' || !value || value.length > 255) {
    throw new BadRequest(`${field}: not a text of 1 to 255 characters`);
  }
  return value;
}
