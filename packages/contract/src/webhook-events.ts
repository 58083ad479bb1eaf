import {
  WAPI_STATES,
  WEBHOOK_EVENT_NAMES,
  WEBHOOK_STATUSES,
  type WebhookEvent,
} from '@heliograph/domain';
import * as z from 'zod';
import { Id, Time } from './fields.ts';
import { SendernameType } from './sendernames.ts';
import { LookupFacts } from './sendings.ts';
import { OtpChannelType } from './otp-settings.ts';
import { TaskState, TaskType } from './tasks.ts';
import { Moderation, SendingType } from './types.ts';

const incoming = {
  id: Id,
  type: SendingType,
  from: z.string(),
  to: z.string(),
  text: z.string().nullable(),
  /** The message to which it is a reply. */
  SendingId: Id.nullable(),
};

/** The `data` of each event, as it is delivered. */
export const WEBHOOK_DATA = {
  'sendings.status': z.object({
    id: Id,
    chainId: Id,
    groupId: Id.nullable(),
    type: SendingType,
    recipient: z.string(),
    sender: z.string(),
    status: z.enum(WEBHOOK_STATUSES),
    error: z.object({ code: z.string().nullable(), message: z.string().nullable() }),
    segments: z.int(),
    price: z.number(),
    currency: z.string(),
    operator: z.object({
      mcc: z.string().nullable(),
      mnc: z.string().nullable(),
      name: z.string().nullable(),
    }),
    /** Of a look-up (`hlr`) that was answered. */
    lookup: LookupFacts.optional(),
    callbackData: z.string().nullable(),
    sentAt: Time.nullable(),
    deliveredAt: Time.nullable(),
    seenAt: Time.nullable(),
  }),
  'sendingsIncoming.created': z.object(incoming),
  'inboundRules.matched': z.object({
    ...incoming,
    rule: z.object({ id: Id, title: z.string() }),
  }),
  'tasks.state': z.object({
    id: Id,
    title: z.string().nullable(),
    type: TaskType,
    state: TaskState,
    reason: z.string().nullable(),
  }),
  'sendernames.moderation': z.object({
    id: Id,
    name: z.string(),
    type: SendernameType,
    moderation: Moderation,
    comment: z.string().nullable(),
  }),
  'templates.moderation': z.object({
    id: Id,
    title: z.string(),
    moderation: Moderation,
    comment: z.string().nullable(),
  }),
  'otpSessions.state': z.object({
    id: Id,
    widgetId: Id,
    recipient: z.string(),
    state: z.enum(['confirmed', 'failed']),
    channel: OtpChannelType.nullable(),
    reason: z.enum(['closed', 'expired']).nullable(),
  }),
  'wapi.state': z.object({
    id: Id,
    phone: z.string().nullable(),
    state: z.enum(WAPI_STATES),
    isPaid: z.boolean(),
    expiredAt: Time,
  }),
  'billings.balance': z.object({
    id: Id,
    amount: z.number(),
    balance: z.number(),
    currency: z.string(),
  }),
} as const satisfies Record<WebhookEvent, z.ZodObject>;

/** `sendings.status` is `SendingsStatusEvent` in the description of the API. */
export const webhookSchemaName = (event: WebhookEvent): string =>
  `${event.replaceAll(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())}Event`;

/** The standard body of an event. In a batch `data` is an array, and each event has its own time. */
function bodyOf(event: WebhookEvent) {
  const data: z.ZodObject = WEBHOOK_DATA[event];
  const name = webhookSchemaName(event);
  const one = data.meta({ id: `${name}Data` });
  const body = z.object({
    type: z.literal(event),
    timestamp: Time,
    data: z.union([one, z.array(z.intersection(one, z.object({ timestamp: Time })))]),
  });
  return body.meta({ id: name });
}
export const WEBHOOK_BODIES = Object.fromEntries(
  WEBHOOK_EVENT_NAMES.map((event) => [event, bodyOf(event)]),
) as Record<WebhookEvent, ReturnType<typeof bodyOf>>;
