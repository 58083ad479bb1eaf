import {
  WEBHOOK_ERRORS,
  WEBHOOK_EVENT_NAMES,
  WEBHOOK_STATUSES,
  webhookHeaderError,
  webhookUrlError,
  type WebhookEvent,
} from '@heliograph/domain';
import * as z from 'zod';
import { ById, endpoint } from './endpoint.ts';
import { arrayOf, Id, many, OwnerRef, recordOf, text, Time, Title, lines } from './fields.ts';
import { crud, listQuery, page } from './list.ts';

export const MAX_WEBHOOK_HEADERS = 20;
export const MAX_WEBHOOK_BODY = 10_000;
export const MAX_WEBHOOK_BATCH = 100;
export const MAX_WEBHOOK_CONNECTIONS = 50;
const MAX_URL = 2000;
const MAX_PATTERN = 200;

export const WEBHOOK_STATES = ['active', 'paused', 'disabled'] as const;
/** Why a webhook is not active: by a person, by failures of the endpoint, by its 410, or since the token that configured it may no longer read what it reports. */
export const WEBHOOK_REASONS = ['manual', 'failing', 'gone', 'forbidden'] as const;
/** States of a delivery. `waiting` includes those that are repeated later. */
export const DELIVERY_STATES = ['waiting', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export const WebhookEventName = z.enum(WEBHOOK_EVENT_NAMES);
const State = z.enum(WEBHOOK_STATES);
const Method = z.enum(['GET', 'POST']);
const Status = z.enum(WEBHOOK_STATUSES);
const ErrorName = z.enum(WEBHOOK_ERRORS);

const URL_MESSAGES = {
  url: 'An http or https URL is required.',
  webhook_credentials: 'The URL must not contain a user name or password; use a header.',
  webhook_variable: 'Variables are possible in the path and the query only.',
};
const Url = text(MAX_URL).superRefine((url, ctx) => {
  const rule = webhookUrlError(url);
  if (rule)
    ctx.addIssue({
      code: 'custom',
      message: URL_MESSAGES[rule],
      params: { rule },
    });
});

const HEADER_MESSAGES = {
  header_name: 'The name of the header is invalid.',
  header_value: 'The value of the header must be visible ASCII characters.',
  header_reserved: 'This header is set by the connection or by the signature.',
};
/** A header without a value keeps the stored value of that name. */
const Header = z
  .strictObject({ name: text(64), value: text(1000).nullish() })
  .superRefine(({ name, value }, ctx) => {
    const rule = webhookHeaderError(name, value ?? null);
    if (rule)
      ctx.addIssue({
        code: 'custom',
        path: [rule === 'header_value' ? 'value' : 'name'],
        message: HEADER_MESSAGES[rule],
        params: { rule },
      });
  });
const Pattern = text(MAX_PATTERN).min(1);
/** Regular expressions that the answer must match; without them, any 2xx is a success. */
const SuccessOn = z.strictObject({ status: Pattern.nullish(), body: Pattern.nullish() });

const fields = {
  title: Title,
  url: Url,
  method: Method.default('POST'),
  headers: arrayOf(Header, { max: MAX_WEBHOOK_HEADERS }).default([]),
  /** Template of the body; null for the standard body. */
  body: lines(MAX_WEBHOOK_BODY).nullish(),
  /** Statuses of `sendings.status` that are reported. */
  statuses: arrayOf(Status, { min: 1, max: WEBHOOK_STATUSES.length }).nullish(),
  /** Maximum number of events of one call. */
  batchSize: z.int().min(1).max(MAX_WEBHOOK_BATCH).default(1),
  maxConnections: z.int().min(1).max(MAX_WEBHOOK_CONNECTIONS).default(5),
  successOn: SuccessOn.nullish(),
};
export const WebhookInput = z.strictObject({ event: WebhookEventName, ...fields });
/** The event cannot be changed: only that of the row is accepted. */
export const WebhookUpdate = z
  .strictObject({
    ...fields,
    event: WebhookEventName,
    method: Method,
    headers: arrayOf(Header, { max: MAX_WEBHOOK_HEADERS }),
    batchSize: z.int().min(1).max(MAX_WEBHOOK_BATCH),
    maxConnections: z.int().min(1).max(MAX_WEBHOOK_CONNECTIONS),
    /** `active` resumes; events that waited are delivered. `disabled` records no more events. */
    state: State,
  })
  .partial();
/** The names of events among the settings of a user, and those under which other clients of this API family know them. */
export const WEBHOOK_SETTINGS = {
  onStatusChange: 'sendings.status',
  ...(Object.fromEntries(WEBHOOK_EVENT_NAMES.map((event) => [event, event])) as {
    [E in WebhookEvent]: E;
  }),
} as const;
export type WebhookSettingKey = `webhooks.${keyof typeof WEBHOOK_SETTINGS}`;
export const WEBHOOK_SETTING_KEYS = Object.keys(WEBHOOK_SETTINGS).map(
  (name) => `webhooks.${name}`,
) as [WebhookSettingKey, ...WebhookSettingKey[]];

const HeadersByName = recordOf(text(64), text(1000), MAX_WEBHOOK_HEADERS)
  .transform((headers): z.output<typeof Header>[] =>
    Object.entries(headers).map(([name, value]) => ({ name, value })),
  )
  .pipe(arrayOf(Header, { max: MAX_WEBHOOK_HEADERS }));
const StatusesByName = z
  .strictObject({
    ...(Object.fromEntries(WEBHOOK_STATUSES.map((status) => [status, z.boolean().optional()])) as {
      [S in (typeof WEBHOOK_STATUSES)[number]]: z.ZodOptional<z.ZodBoolean>;
    }),
    /** The status of messages of a paused task, which is not reported. */
    paused: z.literal(false).optional(),
  })
  .transform((flags) => WEBHOOK_STATUSES.filter((status) => flags[status]))
  .pipe(arrayOf(Status, { min: 1, max: WEBHOOK_STATUSES.length }));
/** A webhook among the settings of a user: another spelling of the webhook of that event which was created first. */
export const WebhookSettingInput = z.strictObject({
  url: fields.url,
  method: fields.method,
  headers: z.union([arrayOf(Header, { max: MAX_WEBHOOK_HEADERS }), HeadersByName]).default([]),
  body: fields.body,
  maxConnections: fields.maxConnections,
  successOn: fields.successOn,
  extras: z.strictObject({ statuses: z.union([fields.statuses, StatusesByName]) }).nullish(),
});
export type WebhookSettingInput = z.output<typeof WebhookSettingInput>;

export const WebhookRotation = z.strictObject({
  /** For so long calls are signed with the former secret, too. */
  overlapHours: z.int().min(0).max(168).default(24),
});

export const Webhook = z.object({
  id: Id,
  title: z.string(),
  event: WebhookEventName,
  url: z.string(),
  method: Method,
  /** Values that may be secret are not shown. */
  headers: z.array(z.object({ name: z.string(), value: z.string().nullable() })),
  body: z.string().nullable(),
  statuses: z.array(Status).nullable(),
  batchSize: z.int(),
  maxConnections: z.int(),
  successOn: z.object({ status: z.string().nullable(), body: z.string().nullable() }).nullable(),
  state: State,
  reason: z.enum(WEBHOOK_REASONS).nullable(),
  /** Calls that failed in a row. */
  failures: z.int(),
  failingSince: Time.nullable(),
  /** No call is made before this time. */
  blockedUntil: Time.nullable(),
  lastSuccessAt: Time.nullable(),
  previousSecretUntil: Time.nullable(),
  OwnerId: Id,
  Owner: OwnerRef.optional(),
  createdAt: Time,
  updatedAt: Time,
});
export type Webhook = z.infer<typeof Webhook>;
export const WebhookSetting = Webhook.pick({
  url: true,
  method: true,
  headers: true,
  body: true,
  maxConnections: true,
  successOn: true,
}).extend({ extras: z.object({ statuses: z.array(Status).nullable() }) });
export type WebhookSetting = z.infer<typeof WebhookSetting>;
/** The only responses that contain the secret. */
export const WebhookWithSecret = Webhook.extend({ secret: z.string() });
export type WebhookWithSecret = z.infer<typeof WebhookWithSecret>;

const Answer = z.object({
  status: z.int().nullable(),
  error: ErrorName.nullable(),
  /** Duration in milliseconds. */
  ms: z.int(),
});
export const WebhookDelivery = z.object({
  id: Id,
  WebhookId: Id,
  event: WebhookEventName,
  /** Id of the object that the event is about. */
  key: Id,
  state: z.enum(DELIVERY_STATES),
  tries: z.int(),
  status: z.int().nullable(),
  error: ErrorName.nullable(),
  ms: z.int().nullable(),
  isBatch: z.boolean(),
  isTest: z.boolean(),
  attemptedAt: Time.nullable(),
  nextAt: Time.nullable(),
  createdAt: Time,
});
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;
export const WebhookDeliveryDetails = WebhookDelivery.extend({
  /** The `webhook-id` of its calls. */
  callId: Id,
  request: z.object({
    method: Method,
    url: z.string(),
    headers: z.array(z.object({ name: z.string(), value: z.string().nullable() })),
    body: z.string().nullable(),
  }),
  /** The beginning of the last answer. */
  response: z.string().nullable(),
  attempts: z.array(Answer.extend({ at: Time })),
});
export type WebhookDeliveryDetails = z.infer<typeof WebhookDeliveryDetails>;

const DeliveryPath = z.object({ id: z.guid(), deliveryId: z.guid() });
/** Replay of single deliveries, or of those of a time. */
const Replay = z
  .strictObject({
    ids: arrayOf(Id, { min: 1, max: 100 }).optional(),
    from: Time.optional(),
    to: Time.optional(),
    state: z.enum(['delivered', 'failed']).optional(),
  })
  .refine(({ ids, from }) => ids !== undefined || from !== undefined, {
    path: ['ids'],
    message: 'ids or from is required.',
    params: { rule: 'required' },
  });

export const webhooks = {
  ...crud('webhooks', {
    lasting: 'announced',
    item: Webhook,
    input: WebhookInput,
    update: WebhookUpdate,
    audit: true,
    query: listQuery({
      order: ['createdAt', 'title'],
      filter: { OwnerId: Id, event: many(WebhookEventName), state: many(State) },
      range: ['createdAt'],
      search: true,
      limit: 20,
    }),
  }),
  create: endpoint('POST', '/webhooks', {
    lasting: 'refused',
    summary: 'Create a webhook; only this response contains its secret',
    body: WebhookInput,
    response: WebhookWithSecret,
    status: 201,
    can: 'webhooks.create',
    idempotent: 'calls',
    showsSecret: true,
    audit: 'webhooks.create',
  }),
  rotate: endpoint('POST', '/webhooks/:id/rotate', {
    lasting: 'refused',
    summary: 'Replace the secret of a webhook; only this response contains the new one',
    params: ById,
    body: WebhookRotation,
    response: WebhookWithSecret,
    can: 'webhooks.update',
    idempotent: true,
    showsSecret: true,
    audit: 'webhooks.rotate',
  }),
  test: endpoint('POST', '/webhooks/:id/test', {
    summary: 'Call a webhook with an example and return the answer',
    params: ById,
    response: WebhookDeliveryDetails,
    can: 'webhooks.update',
    cost: 'estimate',
  }),
  replay: endpoint('POST', '/webhooks/:id/replay', {
    summary: 'Deliver events of a webhook again',
    params: ById,
    body: Replay,
    response: z.object({ count: z.int(), isMore: z.boolean() }),
    can: 'webhooks.update',
    cost: 'estimate',
  }),
  deliveries: endpoint('GET', '/webhooks/:id/deliveries', {
    summary: 'List the deliveries of a webhook',
    params: ById,
    query: listQuery({
      order: ['createdAt'],
      filter: { state: z.enum(DELIVERY_STATES), key: Id },
      range: ['createdAt'],
      limit: 20,
    }),
    response: page(WebhookDelivery),
    can: 'webhooks.get',
  }),
  delivery: endpoint('GET', '/webhooks/:id/deliveries/:deliveryId', {
    summary: 'Get a delivery with its request and answers',
    params: DeliveryPath,
    response: WebhookDeliveryDetails,
    can: 'webhooks.get',
  }),
};
