import { createHmac } from 'node:crypto';
import { carrierPhone } from '@heliograph/domain';
import { z } from 'zod';

import { isSameSecret } from '../../core/http/same-secret.ts';
import { chatCall, type Heard, notAfter, notedText } from '../bots.ts';
import type { CallbackDoor, CarrierCallback, ChatCall } from '../channel.ts';
import type { TelegramBotOptions } from './options.ts';

/** What Telegram has to show with each call: nobody who sees it learns the token. */
export const secretOf = (token: string): string =>
  createHmac('sha256', token).update('webhook').digest('hex');

/** The updates that the driver reads. */
export const UPDATES = ['message', 'my_chat_member'] as const;

export function doorOf(options: TelegramBotOptions): CallbackDoor {
  const secret = secretOf(options.token);
  return {
    isGenuine: ({ headers }) => {
      const given = headers['x-telegram-bot-api-secret-token'];
      return typeof given === 'string' && isSameSecret(given, secret);
    },
    read: (fields, now) => readUpdate(options, fields, now),
    answerType: 'application/json',
  };
}

const Chat = z.object({ id: z.int().positive(), type: z.literal('private') });
const From = z.object({
  id: z.int().positive(),
  is_bot: z.literal(false),
  language_code: z.string().max(35).optional().catch(undefined),
});
const Seconds = z.int().min(1e9).max(9_999_999_999);

const Message = z.looseObject({
  message_id: z.int().positive(),
  date: Seconds,
  chat: Chat,
  from: From,
  text: z.string().optional(),
  caption: z.string().optional(),
  contact: z
    .object({ phone_number: z.string().max(40), user_id: z.unknown().optional() })
    .optional(),
});
type Message = z.output<typeof Message>;
const Member = z.object({
  date: Seconds,
  chat: Chat,
  new_chat_member: z.object({ status: z.literal('kicked') }),
});
const Update = z.object({
  message: z.unknown().optional(),
  my_chat_member: z.unknown().optional(),
});

/** A call has one update. Those of groups and channels are ignored: a phone number is of one person. */
function readUpdate(options: TelegramBotOptions, fields: unknown, now: Date): CarrierCallback {
  const chat = chatOf(options, fields, now);
  return { reports: [], messages: [], ignored: chat ? 0 : 1, answer: '', ...(chat && { chat }) };
}

function chatOf(options: TelegramBotOptions, fields: unknown, now: Date): ChatCall | undefined {
  const { data: update } = Update.safeParse(fields);
  const { data: member } = Member.safeParse(update?.my_chat_member);
  if (member)
    return {
      chat: String(member.chat.id),
      at: notAfter(member.date * 1000, now),
      hasEnded: true,
      answer: () => '',
    };
  const { data: message } = Message.safeParse(update?.message);
  // A private chat has the id of its person.
  if (!message || message.chat.id !== message.from.id) return undefined;
  return chatCall(heardIn(message, options, now), options.greeting, (text, share) =>
    JSON.stringify({
      method: 'sendMessage',
      chat_id: message.chat.id,
      text,
      reply_markup: share
        ? {
            keyboard: [[{ text: share, request_contact: true }]],
            resize_keyboard: true,
            one_time_keyboard: true,
          }
        : { remove_keyboard: true },
    }),
  );
}

function heardIn(message: Message, { token }: TelegramBotOptions, now: Date): Heard {
  const [bot] = token.split(':');
  const text = textOf(message);
  return {
    chat: String(message.chat.id),
    at: notAfter(message.date * 1000, now),
    language: message.from.language_code,
    isStart: /^\/start\b/.test(message.text ?? ''),
    ...(message.contact && { phone: ownPhone(message) }),
    // Numbers of messages are those of a bot, and the channel may get another.
    ...(text && { written: { id: `${bot}:${message.chat.id}:${message.message_id}`, text } }),
  };
}

/**
 * The number of the person who writes. Anybody can send, forward or write by another bot the contact of somebody else, who would then
 * lose what is sent to the number: only that of the person itself counts.
 */
function ownPhone({ contact, from, forward_origin, via_bot }: Message): string | null {
  if (contact!.user_id !== from.id || forward_origin !== undefined || via_bot !== undefined)
    return null;
  return carrierPhone(contact!.phone_number);
}

/** What a person has sent beside texts. */
const NOTED = [
  'photo',
  'video',
  'animation',
  'audio',
  'voice',
  'video_note',
  'document',
  'sticker',
  'location',
  'poll',
] as const;

function textOf(message: Message): string | undefined {
  if (message.text !== undefined) return message.text;
  const kind = NOTED.find((one) => message[one] !== undefined);
  return notedText(kind, message.caption);
}
