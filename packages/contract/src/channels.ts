import { MAX_EMAIL_LENGTH } from '@heliograph/domain';
import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { arrayOf, Id, many, QueryBoolean, recordOf, text, Time, trimmed } from './fields.ts';
import { listQuery, page } from './list.ts';
import { checkPayload, Payload } from './payload.ts';
import { SendingIncomingInput } from './sendings-incoming.ts';
import { SendingReceipt } from './sendings.ts';
import { SendingType } from './types.ts';

const MAX_REPORTS = 1000;
/** So many reports, each with the longest of everything. */
const REPORTS_BODY_LIMIT = 1024 * 1024;
/** Ids that carriers give. */
export const MAX_EXTERNAL_ID = 255;
export const channelName = text(40).regex(/^[a-z0-9_-]+$/);
const name = z.object({ channel: channelName });

export const CarrierReport = z
  .object({
    /** Our id of the sending, or the carrier's own. */
    reference: text(100).optional(),
    externalId: text(MAX_EXTERNAL_ID).optional(),
    status: z.enum(['processing', 'sent', 'delivered', 'seen', 'failed']),
    code: text(60).optional(),
    at: Time.optional(),
  })
  .refine((r) => r.reference || r.externalId, {
    path: ['reference'],
    message: 'A reference or an externalId is required.',
  });
export type CarrierReport = z.infer<typeof CarrierReport>;

/** What became of one report of a call. */
export const ReportResult = z.object({
  /** Its place in the call, from 0. */
  index: z.int(),
  /** As it was given; null when there was none. */
  reference: z.string().nullable(),
  result: z.enum(['applied', 'ignored', 'unmatched', 'invalid']),
  /** Why it is invalid. */
  reason: z.string().optional(),
});
export type ReportResult = z.infer<typeof ReportResult>;
/** One option of a driver, as a form needs it. What is secret goes in and is never shown again. */
export const ChannelOption = z.object({
  name: z.string(),
  kind: z.enum(['text', 'url', 'integer', 'number', 'boolean', 'choice', 'range']),
  isSecret: z.boolean(),
  isRequired: z.boolean(),
  default: z.unknown().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  choices: z.array(z.string()).optional(),
});
export type ChannelOption = z.infer<typeof ChannelOption>;

export const ChannelDriver = z.object({ name: z.string(), options: z.array(ChannelOption) });
export type ChannelDriver = z.infer<typeof ChannelDriver>;

/** `off`: switched off; `idle`: nothing was handed over yet. */
export const CHANNEL_STATUSES = ['working', 'failing', 'idle', 'off'] as const;
export const ChannelState = z.object({
  status: z.enum(CHANNEL_STATUSES),
  /** Since when no handover has succeeded; null when the last one did. */
  failingSince: Time.nullable(),
  /** Why the last handover failed that did. */
  error: z.string().nullable(),
  errorAt: Time.nullable(),
  /** Messages that its driver took, and when it took the last one. */
  submitted: z.int(),
  submittedAt: Time.nullable(),
  /** When the last delivery report came. */
  reportedAt: Time.nullable(),
});
export type ChannelState = z.infer<typeof ChannelState>;

export const Channel = z.object({
  /** Its name, which never changes. */
  id: z.string(),
  name: z.string(),
  driver: z.string(),
  types: z.array(SendingType),
  isActive: z.boolean(),
  priority: z.int(),
  /** Those that the driver declares public. */
  options: z.record(z.string(), z.unknown()),
  /** Names of the others that are set. */
  secrets: z.array(z.string()),
  state: ChannelState,
  updatedAt: Time,
});
export type Channel = z.infer<typeof Channel>;

const MAX_PRIORITY = 1_000_000;
/** Which options there are is for the driver to say. */
const OptionValue = z.union([text(4096), z.number().min(-1e9).max(1e9), z.boolean(), z.null()]);
const Options = recordOf(text(60), z.union([OptionValue, arrayOf(OptionValue, { max: 100 })]), 100);
export const ChannelInput = z.strictObject({
  name: channelName,
  driver: text(40),
  types: arrayOf(SendingType, { max: SendingType.options.length }),
  isActive: z.boolean().default(false),
  priority: z.int().min(-MAX_PRIORITY).max(MAX_PRIORITY).default(0),
  options: Options.default({}),
});

/** A message that shows whether a channel works: it needs no tariff and costs nothing. */
export const ChannelTest = z
  .strictObject({
    type: SendingType,
    recipient: trimmed(MAX_EMAIL_LENGTH).min(1),
    payload: Payload.pick({ sender: true, subject: true, text: true, tts: true }),
  })
  .superRefine(({ type, payload }, ctx) => checkPayload(type, payload, ctx, ['payload']));

export const channels = {
  find: endpoint('GET', '/channels', {
    query: listQuery({
      order: ['priority', 'name'],
      filter: { type: many(SendingType), isActive: QueryBoolean },
      search: true,
      limit: 20,
    }),
    response: page(Channel),
    can: 'channels.get',
    accept: 'managerUp',
  }),
  drivers: endpoint('GET', '/channels/drivers', {
    summary: 'Drivers that a channel may have, with their options',
    response: z.object({ data: z.array(ChannelDriver) }),
    can: 'channels.get',
    accept: 'managerUp',
  }),
  get: endpoint('GET', '/channels/:channel', {
    params: name,
    response: Channel,
    can: 'channels.get',
    accept: 'managerUp',
    summary: 'One channel with its settings and its state',
  }),
  create: endpoint('POST', '/channels', {
    body: ChannelInput,
    response: Channel,
    status: 201,
    can: 'channels.create',
    audit: 'channels.create',
    accept: 'managerUp',
  }),
  /** `options` replaces all of them; a secret stays unless it is given, or null, or an address among them changes. */
  update: endpoint('PUT', '/channels/:channel', {
    params: name,
    body: z
      .strictObject({
        types: ChannelInput.shape.types,
        isActive: z.boolean(),
        priority: ChannelInput.shape.priority.unwrap(),
        options: Options,
      })
      .partial(),
    response: Channel,
    can: 'channels.update',
    audit: 'channels.update',
    accept: 'managerUp',
    alias: 'PATCH',
  }),
  /** Only when it is switched off and nothing waits for it or its reports. Its name is not given again. */
  remove: endpoint('DELETE', '/channels/:channel', {
    params: name,
    response: z.object({ id: z.string() }),
    can: 'channels.remove',
    audit: 'channels.remove',
    accept: 'managerUp',
    summary: 'Remove a channel that is switched off and that nothing waits for',
  }),
  /** Sends one message through this channel, switched on or off, as a message of the caller's account. */
  test: endpoint('POST', '/channels/:channel/test', {
    params: name,
    body: ChannelTest,
    response: SendingReceipt,
    cost: 'message',
    can: 'channels.update',
    audit: 'channels.test',
    accept: 'managerUp',
    summary: 'Send one message through a channel, free of charge, though it is switched off',
  }),
  /** Signed as Standard Webhooks; durable before it answers. Each report is a `CarrierReport`; a wrong one spoils no other. */
  statuses: endpoint('POST', '/channels/:channel/statuses', {
    summary: 'Delivery reports of a carrier',
    params: name,
    body: z.strictObject({ statuses: arrayOf(z.unknown(), { max: MAX_REPORTS }) }),
    bodyLimit: REPORTS_BODY_LIMIT,
    response: z.object({ results: z.array(ReportResult) }),
    can: 'carrier',
    perItemResults: true,
  }),
  incoming: endpoint('POST', '/channels/:channel/incoming', {
    summary: 'An incoming message from a carrier',
    params: name,
    body: SendingIncomingInput,
    response: z.object({ id: Id.nullable() }),
    can: 'carrier',
  }),
};
