import { createHmac } from 'node:crypto';
import { MAX_EXTERNAL_ID } from '@heliograph/contract';
import { isUuid } from '@heliograph/domain';
import { z } from 'zod';

import { isSameSecret } from '../../core/http/same-secret.ts';
import type {
  CallbackDoor,
  CarrierCallback,
  CarrierMessage,
  CarrierReport,
  IncomingCallback,
} from '../channel.ts';
import { reasonOf } from './errors.ts';
import type { WhatsappOptions } from './options.ts';

/** Meta puts up to 1,000 events into a call. */
const MAX_EVENTS = 3_000;
const MAX_TEXT = 10_000;
const MAX_WORDS = 500;

export const doorOf = (options: WhatsappOptions): CallbackDoor => ({
  isGenuine: (call) => (call.body.length ? isSigned(options, call) : isChallenge(options, call)),
  read: (fields, now) => readEvents(options, fields, now),
});

/** Over the received bytes, with the secret of the app. */
function isSigned({ appSecret }: WhatsappOptions, { headers, body }: IncomingCallback): boolean {
  const given = headers['x-hub-signature-256'];
  if (typeof given !== 'string') return false;
  const digest = createHmac('sha256', appSecret).update(body).digest('hex');
  return isSameSecret(given.toLowerCase(), `sha256=${digest}`);
}

/** Meta asks whether the address is ours; such a call says nothing of messages. */
function isChallenge({ verifyToken }: WhatsappOptions, { search }: IncomingCallback): boolean {
  const query = new URLSearchParams(search);
  return (
    [...query.keys()].every((name) => name.startsWith('hub.')) &&
    query.get('hub.mode') === 'subscribe' &&
    query.has('hub.challenge') &&
    isSameSecret(query.get('hub.verify_token'), verifyToken)
  );
}

const Text = z.object({ body: z.string() });
const Caption = z.object({ caption: z.string() });
const Title = z.object({ title: z.string() });
const Button = z.object({ text: z.string() });
const Time = z.union([z.string().regex(/^\d{10}$/), z.int().min(1e9).max(9_999_999_999)]);

const Status = z.object({
  id: z.string().min(1).max(MAX_EXTERNAL_ID),
  status: z.string(),
  timestamp: z.unknown().optional(),
  biz_opaque_callback_data: z.unknown().optional(),
  errors: z
    .array(
      z.object({
        code: z.int(),
        title: z.string().optional(),
        message: z.string().optional(),
        error_data: z.object({ details: z.string().optional() }).optional(),
      }),
    )
    .optional()
    .catch(undefined),
});
const Message = z.looseObject({
  id: z.string().min(1).max(MAX_EXTERNAL_ID),
  from: z.string().min(1).max(30),
  type: z.string().max(40),
  timestamp: z.unknown().optional(),
});
const Change = z.object({
  field: z.literal('messages'),
  value: z.object({
    metadata: z.object({ phone_number_id: z.string() }),
    statuses: z.array(z.unknown()).default([]),
    messages: z.array(z.unknown()).default([]),
  }),
});
const Call = z.object({ entry: z.array(z.object({ changes: z.array(z.unknown()) })) });
const Challenge = z.object({ 'hub.challenge': z.string() });

/** Reports and messages of a genuine call. What is of another number, or of templates and accounts, is ignored. */
function readEvents(
  { phoneNumberId }: WhatsappOptions,
  fields: unknown,
  now: Date,
): CarrierCallback {
  const read: CarrierCallback = { reports: [], messages: [], ignored: 0, answer: 'OK' };
  const asked = Challenge.safeParse(fields).data?.['hub.challenge'];
  // No text that a browser could run.
  if (asked !== undefined) return { ...read, answer: /^\w{1,100}$/.test(asked) ? asked : 'OK' };
  const changes = Call.safeParse(fields).data?.entry.flatMap((entry) => entry.changes) ?? [];
  if (!changes.length) read.ignored++;
  for (const one of changes) {
    const value = Change.safeParse(one).data?.value;
    if (value?.metadata.phone_number_id !== phoneNumberId) {
      read.ignored++;
      continue;
    }
    for (const status of value.statuses.slice(0, MAX_EVENTS)) {
      const report = reportOf(status, now);
      if (report) read.reports.push(report);
      else read.ignored++;
    }
    for (const message of value.messages.slice(0, MAX_EVENTS)) {
      const received = messageOf(message, now);
      if (received) read.messages.push(received);
      else read.ignored++;
    }
  }
  return read;
}

const STATUSES: Readonly<Record<string, CarrierReport['status']>> = {
  sent: 'sent',
  delivered: 'delivered',
  read: 'seen',
  /** A voice message. */
  played: 'seen',
  failed: 'failed',
};

function reportOf(given: unknown, now: Date): CarrierReport | undefined {
  const { data } = Status.safeParse(given);
  if (!data || !Object.hasOwn(STATUSES, data.status)) return undefined;
  const status = STATUSES[data.status]!;
  const reference = data.biz_opaque_callback_data;
  // Ours finds the message before the answer to its submit, and if that was lost.
  const message =
    typeof reference === 'string' && isUuid(reference) ? { reference } : { externalId: data.id };
  const at = timeOf(data.timestamp) ?? now;
  const [error] = data.errors ?? [];
  if (status !== 'failed' || !error) return { ...message, status, at };
  const text = (error.error_data?.details ?? error.message ?? error.title)?.slice(0, MAX_WORDS);
  return {
    ...message,
    status,
    code: reasonOf(error),
    carrierCode: error.code,
    ...(text && { text }),
    at,
  };
}

/** What a person has sent beside texts and buttons is named: files are not fetched. */
const NOTED: ReadonlySet<string> = new Set([
  'image',
  'video',
  'audio',
  'document',
  'sticker',
  'location',
  'contacts',
  'order',
  'unsupported',
]);

function messageOf(given: unknown, now: Date): CarrierMessage | undefined {
  const { data } = Message.safeParse(given);
  const text = data && textOf(data.type, data[data.type]);
  if (!data || !text) return undefined;
  return {
    id: data.id,
    from: data.from,
    text: text.slice(0, MAX_TEXT).toWellFormed().replaceAll('\0', ''),
    at: timeOf(data.timestamp) ?? now,
  };
}

function textOf(type: string, content: unknown): string | undefined {
  switch (type) {
    case 'text':
      return Text.safeParse(content).data?.body;
    case 'button':
      return Button.safeParse(content).data?.text;
    case 'interactive': {
      const { button_reply, list_reply } = (content ?? {}) as Record<string, unknown>;
      return Title.safeParse(button_reply ?? list_reply).data?.title;
    }
  }
  if (!NOTED.has(type)) return undefined;
  const caption = Caption.safeParse(content).data?.caption;
  return caption ? `[${type}] ${caption}` : `[${type}]`;
}

function timeOf(given: unknown): Date | undefined {
  const { data } = Time.safeParse(given);
  return data === undefined ? undefined : new Date(Number(data) * 1000);
}
