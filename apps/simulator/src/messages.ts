import type { SendingErrorCode, SendingType } from '@heliograph/domain';

/** A message of `POST /messages`. Other fields are ignored. */
export interface SubmittedMessage {
  reference: string;
  type: SendingType;
  sender: string;
  recipient: string;
  tries: number;
}

/** Result of a submission. `repeat`: the reference had been accepted before. */
export type SubmitOutcome = 'accepted' | 'lost' | 'rejected' | 'throttled' | 'repeat';

/** Result of one message in the response. */
export type SubmitResult = { reference: string } & (
  | { result: 'accepted' }
  | { result: 'rejected'; code: SendingErrorCode }
  | { result: 'throttled'; retryAfter: number }
);

/** An invalid request, answered with status 400 and the message. */
export class BadRequest extends Error {}

export const MAX_BATCH = 10_000;

/** Parses the body of `POST /messages`, `{ messages: [...] }`. Throws BadRequest. */
export function parseMessages(body: unknown): SubmittedMessage[] {
  const messages = (body as { messages?: unknown } | null)?.messages;
  if (!Array.isArray(messages)) throw new BadRequest('messages: must be an array');
  if (messages.length > MAX_BATCH)
    throw new BadRequest(`messages: must have at most ${MAX_BATCH} items`);
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
    throw new BadRequest(`${field}: must be a string of 1 to 255 characters`);
  }
  return value;
}
