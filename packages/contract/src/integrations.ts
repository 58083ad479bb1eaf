import { isInboundField, webhookUrlError } from '@heliograph/domain';
import * as z from 'zod';
import { ById, endpoint } from './endpoint.ts';
import { ErrorCode } from './errors.ts';
import { Id, many, OwnerRef, text, Time, Title, trimmed, lines } from './fields.ts';
import { crud, listQuery } from './list.ts';
import { Status } from './types.ts';
import { WEBHOOK_STATES } from './webhooks.ts';

/** `bitrix24`: a message service of a Bitrix24 portal. `crm`: a URL that any program calls. */
export const INTEGRATION_KINDS = ['bitrix24', 'crm'] as const;
/** Types of messages with a sender and a text. */
export const INTEGRATION_TYPES = ['sms', 'viber', 'whatsapp', 'telegram'] as const;
/** `waiting`: the other side has not called yet. `failing`: its last calls, or ours to it, failed. */
export const INTEGRATION_STATES = ['waiting', 'working', 'failing', 'off'] as const;
export const MAX_INBOUND_TEXT = 2000;
const MAX_URL = 500;
/** Secrets in the paths of inbound URLs. */
export const INTEGRATION_SECRET = /^[\w-]{43}$/;

const Kind = z.enum(INTEGRATION_KINDS);
const MessageType = z.enum(INTEGRATION_TYPES);
const Field = text(100).refine(isInboundField, {
  params: { rule: 'inbound_field' },
  error: 'The name of a field has letters, digits and . _ - $ only, such as order.phone.',
});
/** Scheme and host of a portal; a path is dropped. */
const Portal = trimmed(MAX_URL)
  .refine((url) => !webhookUrlError(url) && URL.canParse(url), {
    params: { rule: 'url' },
    error: 'An http or https URL is required.',
  })
  .overwrite((url) => (URL.canParse(url) ? new URL(url).origin : url));

const fields = {
  title: Title,
  type: MessageType.default('sms'),
  sender: trimmed(150).min(1),
  portal: Portal.nullish(),
  /** Credentials of the local application of the portal, with which access is renewed. */
  clientId: trimmed(200).min(1).nullish(),
  clientSecret: trimmed(200).min(1).nullish(),
  /** The field with the phone number. */
  recipient: Field.nullish(),
  /** Text of the message; `{{ order.number }}` is the value of a field. */
  text: lines(MAX_INBOUND_TEXT).min(1).nullish(),
  /** The field that identifies a call: a repeated one sends nothing. */
  key: Field.nullish(),
};
const NEEDED = { bitrix24: ['portal'], crm: ['recipient', 'text'] } as const;
export const IntegrationInput = z
  .strictObject({ kind: Kind, ...fields })
  .superRefine((input, ctx) => {
    for (const field of NEEDED[input.kind])
      if (!input[field])
        ctx.addIssue({
          code: 'custom',
          path: [field],
          message: 'This field is required.',
          params: { rule: 'required' },
        });
  });
/** Kind and portal cannot be changed: only those of the row are accepted. */
export const IntegrationUpdate = z
  .strictObject({ ...fields, kind: Kind, type: MessageType, isActive: z.boolean() })
  .partial();

/** Of a call; the cabinet translates it as the error of a response. */
export const IntegrationRefusal = z.object({
  code: ErrorCode,
  fields: z.array(z.object({ field: z.string(), rule: z.string(), message: z.string() })),
  /** What the portal said. */
  reason: z.string().nullable(),
});
export type IntegrationRefusal = z.infer<typeof IntegrationRefusal>;

export const Integration = z.object({
  id: Id,
  kind: Kind,
  title: z.string(),
  type: MessageType,
  sender: z.string(),
  portal: z.string().nullable(),
  clientId: z.string().nullable(),
  /** Whether the secret of the local application is stored. */
  hasClientSecret: z.boolean(),
  recipient: z.string().nullable(),
  text: z.string().nullable(),
  key: z.string().nullable(),
  isActive: z.boolean(),
  state: z.enum(INTEGRATION_STATES),
  /** Why the last call was refused, in English. */
  error: z.string().nullable(),
  /** Null as well if the call was refused by an earlier version. */
  refusal: IntegrationRefusal.nullable(),
  errorAt: Time.nullable(),
  lastMessageAt: Time.nullable(),
  /** State of the reports of statuses; null if there are none. */
  statuses: z.enum(WEBHOOK_STATES).nullable(),
  OwnerId: Id,
  Owner: OwnerRef.optional(),
  createdAt: Time,
  updatedAt: Time,
});
export type Integration = z.infer<typeof Integration>;
/** The only responses that contain the URL with its secret. */
export const IntegrationWithUrl = Integration.extend({ url: z.string() });
export type IntegrationWithUrl = z.infer<typeof IntegrationWithUrl>;

const Inbound = z.object({ id: z.guid(), secret: text(43).regex(INTEGRATION_SECRET) });

export const integrations = {
  ...crud('integrations', {
    lasting: 'announced',
    item: Integration,
    input: IntegrationInput,
    update: IntegrationUpdate,
    audit: true,
    sessionOnly: true,
    query: listQuery({
      order: ['createdAt', 'title'],
      filter: { OwnerId: Id, kind: many(Kind) },
      range: ['createdAt'],
      search: true,
      limit: 20,
    }),
  }),
  create: endpoint('POST', '/integrations', {
    lasting: 'refused',
    summary: 'Create an integration; only this response contains its URL',
    body: IntegrationInput,
    response: IntegrationWithUrl,
    status: 201,
    can: 'integrations.create',
    idempotent: 'calls',
    showsSecret: true,
    audit: 'integrations.create',
    sessionOnly: true,
  }),
  rotate: endpoint('POST', '/integrations/:id/rotate', {
    lasting: 'refused',
    summary: 'Replace the URL of an integration; only this response contains the new one',
    params: ById,
    response: IntegrationWithUrl,
    can: 'integrations.update',
    idempotent: true,
    showsSecret: true,
    audit: 'integrations.rotate',
    sessionOnly: true,
  }),
  /** The secret in the path authenticates. Any JSON object or form; its fields are those of the integration's settings. */
  receive: endpoint('POST', '/integrations/:id/messages/:secret', {
    bound: 'message',
    summary: 'Send a message from the fields of any program',
    params: Inbound,
    body: z.looseObject({}),
    form: true,
    response: z.object({
      /** Null for a test call of a program that checks the URL. */
      id: Id.nullable(),
      status: Status.nullable(),
      error: z.string().nullable(),
      /** The key was known: nothing was sent. */
      isRepeated: z.boolean(),
    }),
    can: 'public',
    cost: 'inbound',
    anyQuery: true,
  }),
  /** Events and messages of a Bitrix24 portal. */
  bitrix24: endpoint('POST', '/integrations/:id/bitrix24/:secret', {
    bound: 'message',
    summary: 'Receive an installation or a message of a Bitrix24 portal',
    params: Inbound,
    body: z.looseObject({}),
    form: true,
    response: z.object({ result: z.boolean() }),
    can: 'public',
    cost: 'inbound',
    anyQuery: true,
  }),
};
