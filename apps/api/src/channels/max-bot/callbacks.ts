import { createHmac } from 'node:crypto';
import { carrierPhone } from '@heliograph/domain';
import { z } from 'zod';

import { isSameSecret } from '../../core/http/same-secret.ts';
import { chatCall, type Heard, notAfter, notedText } from '../bots.ts';
import type { CallbackDoor, CarrierCallback, ChatCall } from '../channel.ts';
import type { MaxBotOptions } from './options.ts';

/** What MAX has to show with each call: nobody who sees it learns the token. */
export const secretOf = (token: string): string =>
  createHmac('sha256', token).update('webhook').digest('hex');

/** The updates that the driver reads. */
export const UPDATES = ['message_created', 'bot_started', 'bot_stopped'] as const;

export function doorOf(options: MaxBotOptions): CallbackDoor {
  const secret = secretOf(options.token);
  return {
    isGenuine: ({ headers }) => {
      const given = headers['x-max-bot-api-secret'];
      return typeof given === 'string' && isSameSecret(given, secret);
    },
    read: (fields, now) => readUpdate(options, fields, now),
    isAnsweredLater: true,
  };
}

const Milliseconds = z.int().min(1e12).max(9_999_999_999_999);
/** Examples of MAX leave `is_bot` out of people. */
const Person = z.object({ user_id: z.int().positive(), is_bot: z.literal(false).optional() });
const Language = z.string().max(35).optional().catch(undefined);

/** The person has opened the bot, or stopped it. `chat_id` is not that of messages: a person is written to by its own id. */
const Opened = z.object({
  update_type: z.enum(['bot_started', 'bot_stopped']),
  timestamp: Milliseconds,
  user: Person,
  user_locale: Language,
});
const Attachments = z
  .array(z.looseObject({ type: z.string().max(40), payload: z.unknown().optional() }))
  .nullish()
  .catch(undefined);
const Content = z.object({ text: z.string().nullish(), attachments: Attachments });
const Written = z.object({
  update_type: z.literal('message_created'),
  message: z.object({
    sender: Person,
    recipient: z.object({ chat_type: z.literal('dialog') }),
    timestamp: Milliseconds,
    body: Content.extend({ mid: z.string().min(1).max(120) }),
    /** What was forwarded is in here, and not in the body. */
    link: z.object({ type: z.string(), message: Content }).nullish().catch(undefined),
  }),
  user_locale: Language,
});
type Written = z.output<typeof Written>;

/** A call has one update. Those of groups and channels are ignored: a phone number is of one person. */
function readUpdate(options: MaxBotOptions, fields: unknown, now: Date): CarrierCallback {
  const chat = chatOf(options, fields, now);
  return { reports: [], messages: [], ignored: chat ? 0 : 1, answer: '', ...(chat && { chat }) };
}

function chatOf(options: MaxBotOptions, fields: unknown, now: Date): ChatCall | undefined {
  const { data: opened } = Opened.safeParse(fields);
  const chat = opened && { chat: String(opened.user.user_id), at: notAfter(opened.timestamp, now) };
  if (opened?.update_type === 'bot_stopped') return { ...chat!, hasEnded: true, answer: () => '' };
  const { data: written } = Written.safeParse(fields);
  const heard = opened
    ? { ...chat!, language: opened.user_locale, isStart: true }
    : written && heardIn(written, options, now);
  return heard && chatCall(heard, options.greeting, answerOf);
}

/** The body of a message, which a worker sends. */
const answerOf = (text: string, button: string | undefined): string =>
  JSON.stringify({
    text,
    ...(button && {
      attachments: [
        {
          type: 'inline_keyboard',
          payload: { buttons: [[{ type: 'request_contact', text: button }]] },
        },
      ],
    }),
  });

function heardIn({ message, user_locale }: Written, { token }: MaxBotOptions, now: Date): Heard {
  const { sender, body, timestamp } = message;
  const forwarded = message.link?.type === 'forward' ? message.link.message : undefined;
  const text = body.text || forwarded?.text || undefined;
  const attachments = [...(body.attachments ?? []), ...(forwarded?.attachments ?? [])];
  const isContact = ({ type }: { type: string }) => type === 'contact';
  const noted = notedText(
    NOTED.find((one) => attachments.some(({ type }) => type === one)),
    text,
  );
  return {
    chat: String(sender.user_id),
    at: notAfter(timestamp, now),
    language: user_locale,
    isStart: /^\/start\b/.test(body.text ?? ''),
    ...(attachments.some(isContact) && {
      phone: forwarded ? null : ownPhone(attachments.find(isContact)!.payload, sender, token),
    }),
    ...(noted && { written: { id: body.mid, text: noted } }),
  };
}

const Contact = z.object({
  vcf_info: z.string().max(10_000),
  hash: z.string().max(100),
  max_info: z.object({ user_id: z.int() }),
});
const NUMBER = /^TEL(?:;[^:\r\n]{0,100})?:([^\r\n]{1,60})$/gm;

/**
 * The number of the person who writes. Anybody can send the contact of somebody else, who would then lose what is sent to the number:
 * that of the person itself is signed with the token of the bot, over the card with its ends of lines.
 */
function ownPhone(payload: unknown, sender: { user_id: number }, token: string): string | null {
  const { data: contact } = Contact.safeParse(payload);
  if (contact?.max_info.user_id !== sender.user_id) return null;
  // Some clients of MAX have escaped the ends of lines twice.
  const card = contact.vcf_info.replaceAll(String.raw`\r\n`, '\r\n');
  const hash = createHmac('sha256', token).update(card).digest('hex');
  if (!isSameSecret(contact.hash.toLowerCase(), hash)) return null;
  const [number, other] = [...card.matchAll(NUMBER)].map(([, one]) => one!.replace(/;$/, ''));
  return number !== undefined && other === undefined ? carrierPhone(number) : null;
}

/** What a person has sent beside texts. */
const NOTED = ['image', 'video', 'audio', 'file', 'sticker', 'location'] as const;
