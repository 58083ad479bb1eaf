import { isBlank, type SendingErrorCode } from '@heliograph/domain';

import { assumedDelivered, expiryAfter } from './assumed-delivery.ts';
import { textsFor } from './bot-texts.ts';
import {
  ChannelDown,
  type ChatCall,
  type Chats,
  type DriverContext,
  type OutgoingMessage,
  type QueryContext,
  type QueryResult,
  type SubmitResult,
  type SubmittedMessage,
  UnknownOutcome,
} from './channel.ts';
import { sendOneByOne } from './one-by-one.ts';

/** The store of the chats, or of the files, is away. */
export const STORE_RETRY_MS = 10_000;
/** Messages of one call, which go one by one. */
const MAX_BATCH = 20;
/** What a messenger has taken is in the chat. */
const DELIVERED_AFTER_SECONDS = 0;
const MAX_WAIT_MS = 3_600_000;
const MAX_WRITTEN = 10_000;

/** What holds of a bot: its messenger recognizes no repeats, says nothing of what arrives, and is told where to post. */
export const BOT_FACTS = {
  deduplicates: false,
  maxBatch: MAX_BATCH,
  isQueried: true,
  isAnnounced: true,
  expiresAfter: () => expiryAfter(DELIVERED_AFTER_SECONDS),
} as const;

/** Nobody tells what has arrived. */
export const deliveredAtOnce = (
  messages: SubmittedMessage[],
  context: QueryContext,
): Promise<QueryResult> =>
  Promise.resolve(assumedDelivered(messages, context, DELIVERED_AFTER_SECONDS));

/** Why a message was refused. `hasEnded`: the person takes nothing more in the chat. */
export interface Refused {
  code: SendingErrorCode;
  carrierCode?: string | number;
  /** In the words of the messenger, or ours. */
  text?: string;
  hasEnded?: boolean;
}

/** What a messenger has done, or why it has not. */
export type Reply = { result: unknown } | { refused: Refused };

export const refusal = (
  { reference }: OutgoingMessage,
  { code, carrierCode, text }: Refused,
): SubmitResult => ({
  reference,
  result: 'rejected',
  code,
  ...(carrierCode !== undefined && { carrierCode }),
  ...(text && { text }),
});

/** The result of a message that the messenger has refused. */
export async function refusedIn(
  chat: string,
  message: OutgoingMessage,
  refused: Refused,
  chats: Chats,
): Promise<SubmitResult> {
  // A chat that stays by accident is found closed again.
  if (refused.hasEnded) await chats.end(chat).catch(() => undefined);
  return refusal(message, refused);
}

/**
 * Waits until the messenger has taken the address it posts to. `reasonIn`: why it has not, of a result; null if it has. Throws
 * ChannelDown.
 */
export async function announced(
  telling: Promise<Reply>,
  reasonIn: (result: unknown) => string | null = () => null,
): Promise<void> {
  const reply = await telling.catch((cause: unknown) => {
    // It is said again whether or not it was heard.
    if (!(cause instanceof UnknownOutcome)) throw cause;
    throw new ChannelDown(cause.message, STORE_RETRY_MS, { cause });
  });
  const why = 'refused' in reply ? (reply.refused.text ?? '') : reasonIn(reply.result);
  if (why !== null)
    throw new ChannelDown(`the address for callbacks is refused: ${why}`, STORE_RETRY_MS);
}

const NO_CHAT: Refused = { code: 'not_a_user', text: 'The person has not opened the bot.' };
const ONE_FILE: Refused = {
  code: 'invalid_payload',
  text: 'A message has an image or a file, not both.',
};
const NO_TEXT: Refused = { code: 'invalid_payload', text: 'There is no text.' };

/**
 * Sends each message to the chat of its number. A recipient who has not opened the bot is `not_a_user`: the number is right, and a
 * fallback by another type reaches it.
 */
export async function sendToChats(
  batch: OutgoingMessage[],
  context: DriverContext,
  known: Chats,
  sendTo: (chat: string, message: OutgoingMessage) => Promise<SubmitResult>,
): Promise<SubmitResult[]> {
  const chats = await known.of(batch.map(({ recipient }) => recipient)).catch((cause: unknown) => {
    throw new ChannelDown('the chats cannot be read', STORE_RETRY_MS, { cause });
  });
  return sendOneByOne(batch, context, (message) => {
    const chat = chats.get(message.recipient);
    return chat === undefined ? Promise.resolve(refusal(message, NO_CHAT)) : sendTo(chat, message);
  });
}

/** The text of a message, empty if there is none, and its file. Limits are in units of UTF-16. */
export function contentOf(
  { payload }: OutgoingMessage,
  limits: { text: number; caption: number },
): { text: string; file?: { id: string; isImage: boolean } } | Refused {
  const given = payload.text ?? '';
  const text = isBlank(given) ? '' : given.toWellFormed();
  const { image, file } = payload;
  if (image && file) return ONE_FILE;
  const id = [image, file].find((one) => typeof one === 'string');
  if (!text && !id) return NO_TEXT;
  if (text.length > (id ? limits.caption : limits.text)) return { code: 'too_long' };
  return { text, ...(id && { file: { id, isImage: id === image } }) };
}

/** A time for which a messenger has asked to be left alone, with the whole bot, by the monotonic clock. */
export class Hold {
  private until = 0;

  constructor(private readonly words: string) {}

  /** Throws ChannelDown while the time lasts. */
  heed(): void {
    const ms = Math.ceil(this.until - performance.now());
    if (ms > 0) throw new ChannelDown(this.words, ms, { isAsked: true });
  }

  /** What to throw; the time begins, of an hour at most. */
  begin(askedMs: number): ChannelDown {
    const ms = Math.min(askedMs, MAX_WAIT_MS);
    this.until = performance.now() + ms;
    return new ChannelDown(this.words, ms, { isAsked: true });
  }
}

/** Calls are repeated and late, but do not come from the future. */
export function notAfter(ms: number, now: Date): Date {
  const at = new Date(ms);
  return at < now ? at : now;
}

/** What a person has written; of files only the kind, as they are not fetched. */
export const notedText = (kind: string | undefined, text: string | undefined): string | undefined =>
  kind ? (text ? `[${kind}] ${text}` : `[${kind}]`) : text;

/** What a person has done in the chat with a bot. */
export interface Heard {
  chat: string;
  at: Date;
  /** A code such as `pt-br`. */
  language: string | undefined;
  /** The person has opened the bot. */
  isStart: boolean;
  /** The number of a contact; null if it is not the person's own by the word of the messenger. */
  phone?: string | null;
  /** What the person has written, under an id that the channel knows it by. */
  written?: { id: string; text: string };
}

/**
 * What becomes of it. A bot asks for the number, by a button, until it has it, and says that it has it; what people write later is not
 * answered. `write` makes the answer, with the button if it has words.
 */
export function chatCall(
  { chat, at, language, isStart, phone, written }: Heard,
  greeting: string | undefined,
  write: (text: string, button: string | undefined) => string,
): ChatCall {
  const { ask, share, linked, foreign } = textsFor(language ?? '');
  const asking = () => write(greeting ?? ask, share);
  const answerLinked = (isKnown: boolean) => (isKnown ? write(linked, undefined) : asking());
  if (phone === null) return { chat, at, answer: () => write(foreign, share) };
  if (phone !== undefined) return { chat, at, phone, answer: answerLinked };
  if (isStart) return { chat, at, answer: answerLinked };
  return {
    chat,
    at,
    ...(written && {
      message: {
        id: written.id,
        text: written.text.slice(0, MAX_WRITTEN).toWellFormed().replaceAll('\0', ''),
        at,
      },
    }),
    answer: (isKnown) => (isKnown ? '' : asking()),
  };
}
