import {
  CHANNEL_ALARMS,
  limitKey,
  MAX_CALL_SECONDS,
  MAX_EMAIL_LENGTH,
  MAX_MESSAGE_LIMITS,
} from '@heliograph/domain';
import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import {
  arrayOf,
  Country,
  Id,
  many,
  NetworkCode,
  QueryBoolean,
  queryInt,
  QueryToken,
  recordOf,
  text,
  Time,
  trimmed,
  lines,
} from './fields.ts';
import { listQuery, page } from './list.ts';
import { checkPayload, Payload } from './payload.ts';
import { CarrierIncoming } from './sendings-incoming.ts';
import { SendingReceipt } from './sendings.ts';
import { SendingType } from './types.ts';

const MAX_REPORTS = 1000;
/** In bytes: `MAX_REPORTS` reports with fields of maximum length. */
const REPORTS_BODY_LIMIT = 1024 * 1024;
/** In bytes: carriers put many events into a call, Meta up to 3 MB. */
const CALLBACK_BODY_LIMIT = 3 * 1024 * 1024;
/** Length of ids assigned by carriers. */
export const MAX_EXTERNAL_ID = 255;
/** The channel of messages of test tokens. It is part of the installation and in no list. */
export const TEST_CHANNEL = '__test__';
export const channelName = text(40)
  .regex(/^[a-z0-9_-]+$/)
  .refine((name) => name !== TEST_CHANNEL, {
    message: 'The name is reserved.',
    params: { rule: 'reserved' },
  });
const name = z.object({ channel: channelName });

export const CarrierReport = z
  .object({
    /** Id of the message; `externalId` is the carrier's id of it. */
    reference: text(100).optional(),
    externalId: text(MAX_EXTERNAL_ID).optional(),
    status: z.enum(['processing', 'sent', 'delivered', 'seen', 'failed']),
    /** With `failed`: an error code of messages, or the carrier's own. */
    code: z.union([text(60), z.number()]).nullish(),
    /** With `failed`: the carrier's reason. Managers see the first 500 characters, and a code of its own. */
    text: lines(10_000).nullish(),
    /** Of a look-up (`hlr`): what it says of the number. Networks are MCC and MNC; a value that cannot be read is not known. */
    lookup: z
      .object({
        network: z.union([text(10), z.number()]).nullish(),
        origin: z.union([text(10), z.number()]).nullish(),
        ported: z.union([z.boolean(), text(10)]).nullish(),
        roaming: z.union([z.boolean(), text(10)]).nullish(),
      })
      .nullish(),
    /** Of a call, with `delivered` or `seen`: for how long it was answered. The first one decides what the call costs. */
    seconds: z.int().min(0).max(MAX_CALL_SECONDS).nullish(),
    at: Time.optional(),
  })
  .refine((r) => r.reference || r.externalId, {
    path: ['reference'],
    message: 'A reference or an externalId is required.',
  });
export type CarrierReport = z.infer<typeof CarrierReport>;

/** Result of one report of a request. */
export const ReportResult = z.object({
  /** Index of the report in the request, from 0. */
  index: z.int(),
  /** From the report; null when it has none. */
  reference: z.string().nullable(),
  result: z.enum(['applied', 'ignored', 'unmatched', 'invalid']),
  /** With `invalid` only. */
  reason: z.string().optional(),
});
export type ReportResult = z.infer<typeof ReportResult>;
/** An option of a driver. Secret options are write-only. */
export const ChannelOption = z.object({
  name: z.string(),
  /** `json` and `lines` are texts of several lines. */
  kind: z.enum(['text', 'url', 'integer', 'number', 'boolean', 'choice', 'range', 'json', 'lines']),
  isSecret: z.boolean(),
  isRequired: z.boolean(),
  default: z.unknown().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  choices: z.array(z.string()).optional(),
});
export type ChannelOption = z.infer<typeof ChannelOption>;

/** Options of a known carrier to begin with. */
export const ChannelPreset = z.object({
  name: z.string(),
  title: z.string(),
  types: z.array(SendingType),
  options: z.record(z.string(), z.unknown()),
});
export type ChannelPreset = z.infer<typeof ChannelPreset>;

export const ChannelDriver = z.object({
  name: z.string(),
  options: z.array(ChannelOption),
  presets: z.array(ChannelPreset),
  /** What it carries. */
  types: z.array(SendingType),
  /** Whether options can be tried without a connection (`POST /channels/rehearsal`). */
  canRehearse: z.boolean(),
});
export type ChannelDriver = z.infer<typeof ChannelDriver>;

/** `off`: inactive; `idle`: no submissions yet. */
export const CHANNEL_STATUSES = ['working', 'failing', 'idle', 'off'] as const;
export const ChannelState = z.object({
  status: z.enum(CHANNEL_STATUSES),
  /** Time since which all submissions have failed; null when the last one succeeded. */
  failingSince: Time.nullable(),
  /** Error of the last failed submission. */
  error: z.string().nullable(),
  errorAt: Time.nullable(),
  /** Number of submitted messages, and the time of the last submission. */
  submitted: z.int(),
  submittedAt: Time.nullable(),
  /** Time of the last delivery report. */
  reportedAt: Time.nullable(),
  /** The sessions that the carrier allows, of a channel whose driver keeps such open. */
  sessions: z
    .array(
      z.object({
        /** The worker that has it; null while none has. */
        worker: z.string().nullable(),
        /** Time since which it is connected. */
        connectedAt: Time.nullable(),
        /** Why it is not. */
        error: z.string().nullable(),
      }),
    )
    .optional(),
});
export type ChannelState = z.infer<typeof ChannelState>;

const MAX_RATE = 100_000;
const MAX_PER_DAY = 1_000_000_000;
/** What the carrier takes, in segments; null: without a limit. */
const limits = {
  /** A second; below one for a segment in several seconds. */
  rate: z.number().min(0.001).max(MAX_RATE).nullable(),
  /** At once after a pause; null: as many as in a second. */
  burst: z.int().min(1).max(MAX_RATE).nullable(),
  /** A day of UTC. */
  perDay: z.int().min(1).max(MAX_PER_DAY).nullable(),
  /** Of a new channel: on its first day of use, and twice as many on each later one. */
  warmUp: z.int().min(1).max(MAX_PER_DAY).nullable(),
};

const conditions = {
  sender: trimmed(150).min(1).nullable(),
  country: Country.nullable(),
  mccmnc: NetworkCode.nullable(),
};
const CONDITIONS = ['sender', 'country', 'mccmnc'] as const;
/** What the carrier takes of a sender name, to a destination, or of both; null: any, or without a limit. */
export const ChannelLimit = z.object({
  ...conditions,
  rate: limits.rate,
  burst: limits.burst,
  perDay: limits.perDay,
});
export type ChannelLimit = z.infer<typeof ChannelLimit>;

const ChannelLimitInput = z
  .strictObject({
    sender: conditions.sender.default(null),
    country: conditions.country.default(null),
    mccmnc: conditions.mccmnc.default(null),
    rate: limits.rate.default(null),
    burst: limits.burst.default(null),
    perDay: limits.perDay.default(null),
  })
  .superRefine(({ sender, country, mccmnc, rate, perDay }, ctx) => {
    if (sender === null && country === null && mccmnc === null)
      ctx.addIssue({
        code: 'custom',
        path: ['sender'],
        message: 'Give a sender name, a country or a network.',
        params: { rule: 'one_condition' },
      });
    if (rate === null && perDay === null)
      ctx.addIssue({
        code: 'custom',
        path: ['rate'],
        message: 'Give a rate or a number per day.',
        params: { rule: 'one_limit' },
      });
  });
const ChannelLimits = arrayOf(ChannelLimitInput, { min: 0, max: MAX_MESSAGE_LIMITS }).superRefine(
  (given, ctx) => {
    const keys = given.map(limitKey);
    for (const [i, key] of keys.entries())
      if (keys.indexOf(key) < i)
        ctx.addIssue({
          code: 'custom',
          path: [i, CONDITIONS.find((name) => given[i]![name]) ?? 'sender'],
          message: 'There is a limit with the same conditions already.',
          params: { rule: 'same_conditions' },
        });
  },
);

export const Channel = z.object({
  /** The name, which cannot be changed. */
  id: z.string(),
  name: z.string(),
  driver: z.string(),
  types: z.array(SendingType),
  isActive: z.boolean(),
  priority: z.int(),
  /** It carries only sender names that are registered there. */
  needsRegistration: z.boolean(),
  ...limits,
  /** Of some senders and destinations. A message counts against all that it meets. */
  limits: z.array(ChannelLimit),
  /** Options that the driver declares public. */
  options: z.record(z.string(), z.unknown()),
  /** Names of the secret options with a value. */
  secrets: z.array(z.string()),
  state: ChannelState,
  updatedAt: Time,
});
export type Channel = z.infer<typeof Channel>;

const MAX_PRIORITY = 1_000_000;
/** Drivers validate their own options. */
const OptionValue = z.union([lines(4096), z.number().min(-1e9).max(1e9), z.boolean(), z.null()]);
const Options = recordOf(text(60), z.union([OptionValue, arrayOf(OptionValue, { max: 100 })]), 100);
export const ChannelInput = z.strictObject({
  name: channelName,
  driver: text(40),
  types: arrayOf(SendingType, { max: SendingType.options.length }),
  isActive: z.boolean().default(false),
  priority: z.int().min(-MAX_PRIORITY).max(MAX_PRIORITY).default(0),
  needsRegistration: z.boolean().default(false),
  rate: limits.rate.default(null),
  burst: limits.burst.default(null),
  perDay: limits.perDay.default(null),
  warmUp: limits.warmUp.default(null),
  limits: ChannelLimits.default([]),
  options: Options.default({}),
});

/** A test message. It needs no tariff and is free of charge. */
export const ChannelTest = z
  .strictObject({
    type: SendingType,
    recipient: trimmed(MAX_EMAIL_LENGTH).min(1),
    payload: Payload.pick({ sender: true, subject: true, text: true, tts: true }),
  })
  .superRefine(({ type, payload }, ctx) => checkPayload(type, payload, ctx, ['payload']));

const MAX_CARRIER_TEXT = 20_000;
/** What the options of a driver make of a message, of an answer and of a callback. Nothing is sent. */
export const ChannelRehearsal = z.strictObject({
  driver: text(40),
  options: Options,
  type: SendingType,
  recipient: trimmed(MAX_EMAIL_LENGTH).min(1),
  payload: Payload.pick({ sender: true, subject: true, text: true }),
  answer: z
    .strictObject({ status: z.int().min(100).max(599), body: lines(MAX_CARRIER_TEXT) })
    .optional(),
  /** JSON, or fields in the form of a query. */
  callback: lines(MAX_CARRIER_TEXT).optional(),
});
export const ChannelRehearsed = z.object({
  request: z.object({
    method: z.string(),
    url: z.string(),
    headers: z.record(z.string(), z.string()),
    body: z.string().nullable(),
  }),
  /** Null without an answer. */
  result: z
    .object({
      result: z.enum(['accepted', 'rejected', 'throttled', 'unsent', 'down', 'unknown']),
      externalId: z.string().nullable(),
      code: z.string().nullable(),
      text: z.string().nullable(),
    })
    .nullable(),
  /** Null without a callback. */
  callback: z
    .object({
      reports: z.array(
        z.object({
          reference: z.string().nullable(),
          externalId: z.string().nullable(),
          status: z.string(),
          code: z.string().nullable(),
          at: Time,
        }),
      ),
      messages: z.array(
        z.object({
          id: z.string().nullable(),
          from: z.string(),
          to: z.string(),
          text: z.string(),
          at: Time,
        }),
      ),
      ignored: z.int(),
      answer: z.string(),
    })
    .nullable(),
});
export type ChannelRehearsed = z.infer<typeof ChannelRehearsed>;

export const DNS_STATES = ['right', 'missing', 'wrong', 'unknown'] as const;
/** What the DNS says of the senders of a channel. */
export const ChannelDomain = z.object({
  records: z.array(
    z.object({
      kind: z.enum(['spf', 'dkim', 'dmarc', 'bounces']),
      type: z.enum(['TXT', 'MX']),
      name: z.string(),
      /** A record that would do. */
      wanted: z.string(),
      found: z.array(z.string()),
      /** `unknown`: it could not be looked up. */
      state: z.enum(DNS_STATES),
    }),
  ),
});
export type ChannelDomain = z.infer<typeof ChannelDomain>;
const Results = z.object({
  accepted: z.int(),
  rejected: z.int(),
  throttled: z.int(),
  unsent: z.int(),
  unknown: z.int(),
});
const Share = z.object({ delivered: z.int(), failed: z.int() });
/** What a channel does now. */
export const ChannelLive = z.object({
  /** Messages that are due, and those that are being submitted. */
  waiting: z.int(),
  inFlight: z.int(),
  /** Messages that the carrier has accepted a second, in the last whole minute. */
  rateNow: z.number(),
  /** Segments a second that it takes; null without a limit. */
  rateAllowed: z.number().nullable(),
  /** Failed calls in a row, and until when the channel is left alone. */
  failures: z.int(),
  pausedUntil: Time.nullable(),
  /** Of each limit of some senders and destinations, in their order. */
  limits: z.array(
    ChannelLimit.extend({
      /** Segments that may be submitted now. */
      allowedNow: z.int(),
      /** Segments submitted today (UTC). */
      usedToday: z.int(),
      /** Messages that are due and count against it. */
      waiting: z.int(),
    }),
  ),
  /** Results of the last hour by minute, the oldest first. Minutes without any are missing. */
  minutes: z.array(Results.extend({ at: Time })),
  /** Time from the submit to the final receipt, in seconds, of the last hour; null without receipts. */
  receipts: z.object({
    count: z.int(),
    p50: z.number().nullable(),
    p95: z.number().nullable(),
  }),
  /** Final receipts by network, in the last hour and the last day, those with the most first. */
  networks: z.array(z.object({ mccmnc: z.string().nullable(), hour: Share, day: Share })),
  /** What is or was wrong with it, the newest first. */
  alarms: z.array(
    z.object({
      kind: z.enum(CHANNEL_ALARMS),
      mccmnc: z.string().nullable(),
      since: Time,
      endedAt: Time.nullable(),
    }),
  ),
});
export type ChannelLive = z.infer<typeof ChannelLive>;

export const EXCHANGE_OUTCOMES = [
  'accepted',
  'rejected',
  'throttled',
  'unsent',
  'down',
  'unknown',
] as const;
/** A call of a carrier and its answer, without texts and secrets, and of numbers the end. */
export const ChannelExchange = z.object({
  id: Id,
  at: Time,
  outcome: z.enum(EXCHANGE_OUTCOMES),
  /** Of the first messages of the call. */
  SendingIds: z.array(Id),
  /** The last four digits of their numbers. */
  tails: z.array(z.string()),
  messages: z.int(),
  request: z.string(),
  answer: z.string(),
  /** How long it took, in milliseconds. */
  ms: z.int(),
});
export type ChannelExchange = z.infer<typeof ChannelExchange>;

const carrier = z.object({ carrier: channelName });
/** The text that the carrier expects. */
const Answered = z.string().meta({ examples: ['OK'] });

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
    summary: 'List channel drivers and their options',
    response: z.object({ data: z.array(ChannelDriver) }),
    can: 'channels.get',
    accept: 'managerUp',
  }),
  get: endpoint('GET', '/channels/:channel', {
    params: name,
    response: Channel,
    can: 'channels.get',
    accept: 'managerUp',
    summary: 'Retrieve a channel with its settings and state',
  }),
  domain: endpoint('GET', '/channels/:channel/domain', {
    params: name,
    response: ChannelDomain,
    can: 'channels.get',
    accept: 'managerUp',
    cost: 'estimate',
    summary: 'Look up the DNS records by which receivers trust the senders of a channel',
  }),
  live: endpoint('GET', '/channels/:channel/live', {
    params: name,
    response: ChannelLive,
    can: 'channels.get',
    accept: 'managerUp',
    summary: 'Show what a channel does now, and did in the last hour',
  }),
  exchanges: endpoint('GET', '/channels/:channel/exchanges', {
    params: name,
    query: z.strictObject({
      SendingId: Id.optional(),
      /** The last four digits of a number. */
      tail: text(4)
        .regex(/^\S{4}$/)
        .optional(),
      /** Only those that were not accepted. */
      isFailed: QueryBoolean.optional(),
      /** Only those before this one. */
      cursor: Id.optional(),
      $limit: queryInt(1, 100).optional(),
      /** The same: its first name. */
      limit: queryInt(1, 100).optional(),
      token: QueryToken,
    }),
    response: z.object({ data: z.array(ChannelExchange) }),
    can: 'channels.get',
    accept: 'managerUp',
    cost: 'list',
    summary: 'List what was said to the carrier and what it answered, without texts and secrets',
  }),
  create: endpoint('POST', '/channels', {
    body: ChannelInput,
    response: Channel,
    status: 201,
    can: 'channels.create',
    audit: 'channels.create',
    accept: 'managerUp',
  }),
  /** `options` replaces all options. Omitted secrets are kept, unless a URL among the options changes; null removes a secret. */
  update: endpoint('PUT', '/channels/:channel', {
    params: name,
    body: z
      .strictObject({
        types: ChannelInput.shape.types,
        isActive: z.boolean(),
        priority: ChannelInput.shape.priority.unwrap(),
        needsRegistration: z.boolean(),
        ...limits,
        limits: ChannelLimits,
        options: Options,
      })
      .partial(),
    response: Channel,
    can: 'channels.update',
    audit: 'channels.update',
    accept: 'managerUp',
    alias: 'PATCH',
  }),
  /** The channel must be inactive, without pending messages or reports. Its name cannot be reused. */
  remove: endpoint('DELETE', '/channels/:channel', {
    params: name,
    response: z.object({ id: z.string() }),
    can: 'channels.remove',
    audit: 'channels.remove',
    accept: 'managerUp',
    summary: 'Remove an inactive channel without pending messages',
  }),
  /** Sends one message of the caller's account through this channel, whether it is active or not. */
  test: endpoint('POST', '/channels/:channel/test', {
    params: name,
    body: ChannelTest,
    response: SendingReceipt,
    can: 'channels.update',
    audit: 'channels.test',
    accept: 'managerUp',
    summary: 'Send a test message through a channel, free of charge, even if it is inactive',
  }),
  rehearse: endpoint('POST', '/channels/rehearsal', {
    body: ChannelRehearsal,
    response: ChannelRehearsed,
    can: 'channels.update',
    accept: 'managerUp',
    bound: 'nothing',
    summary:
      'Try the options of a driver on a message, an answer and a callback, without a connection',
  }),
  /** Signed according to Standard Webhooks. Reports are stored before the response. Each is validated separately as a `CarrierReport`. */
  statuses: endpoint('POST', '/channels/:channel/statuses', {
    summary: 'Submit delivery reports of a carrier',
    params: name,
    body: z.strictObject({ statuses: arrayOf(z.unknown(), { max: MAX_REPORTS }) }),
    bodyLimit: REPORTS_BODY_LIMIT,
    response: z.object({ results: z.array(ReportResult) }),
    can: 'carrier',
    anyQuery: true,
    perItemResults: true,
  }),
  incoming: endpoint('POST', '/channels/:channel/incoming', {
    summary: 'Submit an incoming message from a carrier',
    params: name,
    body: CarrierIncoming,
    response: z.object({
      id: Id.nullable(),
      /** Names of the fields that were ignored, up to 20. */
      ignored: z.array(z.string()),
    }),
    can: 'carrier',
    anyQuery: true,
  }),
  /** In the carrier's own words, which the options of the channel explain, and with a proof of its own. */
  callback: endpoint('POST', '/callbacks/:carrier', {
    summary: 'Receive reports and messages in the form of a carrier',
    params: carrier,
    query: z.looseObject({}),
    body: z.union([z.looseObject({}), z.array(z.unknown())]),
    bodyLimit: CALLBACK_BODY_LIMIT,
    form: true,
    foreign: true,
    response: Answered,
    can: 'carrier',
    anyQuery: true,
    perItemResults: true,
  }),
  callbackByGet: endpoint('GET', '/callbacks/:carrier', {
    summary: 'Receive a report or a message of a carrier in the query',
    params: carrier,
    query: z.looseObject({}),
    response: Answered,
    can: 'carrier',
    anyQuery: true,
    mutates: true,
  }),
};
