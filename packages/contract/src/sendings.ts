import * as z from 'zod';
import {
  FALLBACK_STATUSES,
  isTriggerActive,
  MAX_EMAIL_LENGTH,
  MAX_FALLBACKS,
  STATUSES,
  type AllowedVariables,
  type FallbackItem,
  MAX_VALID_SECONDS,
  MIN_VALID_SECONDS,
} from '@heliograph/domain';
import type { FieldRule } from './descriptions/errors.ts';
import { eachRecipients, Locale, MAX_CALLBACK_DATA, MAX_EACH_FIELDS, Values } from './each.ts';
import { ReachedCap } from './spend-caps.ts';
import { endpoint, ById } from './endpoint.ts';
import {
  aliasConflict,
  areSame,
  arrayOf,
  Assumed,
  Cursor,
  Id,
  many,
  orNull,
  QueryToken,
  textArray,
  Owner,
  QueryBoolean,
  text,
  Time,
  trimmed,
  lines,
} from './fields.ts';
import { listQuery, page, Scoped } from './list.ts';
import { CallIntervals, VolumeStep } from './tariffs.ts';
import { Outcome, SendingType, Status, TrafficGroup } from './types.ts';
import { checkPayload, Payload } from './payload.ts';
import { Task } from './tasks.ts';
import { checkVariants, VariantsInput } from './variants.ts';

/** Maximum number of lists and addresses in one request. Larger audiences need contact lists. */
export const MAX_RECIPIENTS = 50_000;
export const MAX_RECEIPTS = 100;
/** In bytes: `MAX_RECIPIENTS` included and as many excluded addresses, and texts of maximum length. */
export const SENDING_BODY_LIMIT = 4 * 1024 * 1024;

const statuses = arrayOf(Status, { max: STATUSES.length });
const FallbackStatus = z.enum(FALLBACK_STATUSES, {
  error: `The status cannot start a fallback. Allowed: ${FALLBACK_STATUSES.join(', ')}.`,
});
export const FallbackOptions = z.strictObject({
  onStatus: arrayOf(FallbackStatus, { max: FALLBACK_STATUSES.length }).default([]),
  onTimeout: z
    .strictObject({ timeout: z.int().min(0).max(86_400).default(50), except: statuses.default([]) })
    .nullish(),
  onIncomingPayload: z.strictObject({ text: lines(200).default('') }).nullish(),
});
export const FallbackInput = z.strictObject({
  type: SendingType,
  payload: Payload,
  options: FallbackOptions,
});
/**
 * Accepts `$options` of older clients as well as `options`. Responses contain both, so rows are put back with both; they must
 * be equal then.
 */
export const Fallback = z.preprocess((v, ctx) => {
  if (typeof v !== 'object' || v === null || !('$options' in v)) return v;
  const { $options, ...rest } = v;
  if ('options' in rest && !areSame(FallbackOptions, rest.options, $options))
    ctx.addIssue(aliasConflict('options'));
  return { options: $options, ...rest };
}, FallbackInput);
export type Fallback = z.output<typeof Fallback>;

/** Converts the options of a fallback for the rules of the domain. */
export function triggersOf(options: z.output<typeof FallbackOptions>): FallbackItem {
  const { onStatus, onTimeout = null, onIncomingPayload = null } = options;
  return { onStatus, onTimeout, onIncomingPayload };
}

/** E-mail addresses are the longest recipients. */
const entry = trimmed(MAX_EMAIL_LENGTH).min(1);
/** Invalid addresses are counted and skipped, not refused: one invalid line must not reject a whole column. */
const entries = (min: number) =>
  textArray({ min, max: MAX_RECIPIENTS, maxLength: MAX_EMAIL_LENGTH });
export const RecipientSet = z.strictObject({
  /** Ids of contact lists and segments, phone numbers in any format, or e-mail addresses. */
  include: entries(0),
  exclude: entries(0).default([]),
});

/** Recipients of a bulk, by the id of its task. Those who have opted out or were reached since are left out. */
export const FailedRecipients = z.strictObject({
  failedOf: Id,
  exclude: entries(0).default([]),
});
/** Of a bulk that tells who clicked: those whom it reached and who did not click. */
export const UnclickedRecipients = z.strictObject({
  unclickedOf: Id,
  exclude: entries(0).default([]),
});
/** Those whom it reached and who did not open it, as far as the channel tells. */
export const UnseenRecipients = z.strictObject({
  unseenOf: Id,
  exclude: entries(0).default([]),
});

export const Schedule = z.strictObject({
  /** 0 starts immediately. */
  delay: z.union([z.literal(0), Time]).default(0),
  /** Spreads the submissions over this many hours, or until this time. */
  until: z.union([z.number().min(0).max(12), Time]).default(0),
  /** Seconds from the time at which a message is due, or a time. What waits longer is not sent. */
  validUntil: z.union([z.int().min(MIN_VALID_SECONDS).max(MAX_VALID_SECONDS), Time]).optional(),
});

export const SendingOptions = z.strictObject({
  title: trimmed(100).optional(),
  /** Of a bulk: its short links are separate for each recipient. */
  tellsWhoClicked: z.boolean().optional(),
});

/** Of single messages that wait for the same channel. */
export const SENDING_PRIORITIES = ['high', 'normal', 'low'] as const;

/** Some clients send several recipients in one string. Its length is limited by the body, that of each recipient by `entries`. */
const SEPARATORS = /[,;\n]/;
/** Not before one to four digits: `+62 21 5551234,5` has an extension, and is invalid as a whole. */
const BETWEEN_RECIPIENTS = /\n|[,;](?![ \t]{0,8}\d{1,4}[ \t]{0,8}(?:[,;\n]|$))/;
const Recipient = z.union([
  entry,
  entries(1),
  RecipientSet,
  FailedRecipients,
  UnclickedRecipients,
  UnseenRecipients,
]);
const recipient = z.preprocess((given) => {
  if (typeof given !== 'string' || !SEPARATORS.test(given)) return given;
  // One more than the maximum is refused for the count; the rest need not be split.
  const listed = given.split(BETWEEN_RECIPIENTS, MAX_RECIPIENTS + 1);
  if (listed.length > MAX_RECIPIENTS) return listed;
  const recipients = listed.filter((one) => one.trim());
  return recipients.length === 1 ? recipients[0] : recipients;
}, Recipient) as unknown as z.ZodType<z.output<typeof Recipient>, z.input<typeof Recipient>>;

/** When a single message is sent, and before which others: not of bulks, which have a `schedule`. */
const OfSingles = z.strictObject({
  /** Stored and charged at once. */
  sendAt: Time.optional(),
  priority: z.enum(SENDING_PRIORITIES).optional(),
});

const body = z.strictObject({
  type: SendingType,
  recipient,
  payload: Payload,
  fallbacks: arrayOf(Fallback, { max: MAX_FALLBACKS }).default([]),
  ...OfSingles.shape,
  schedule: orNull(Schedule),
  options: orNull(SendingOptions),
  /** Only of bulks. */
  variants: VariantsInput.optional(),
  /** Returned with every message of the request. */
  callbackData: lines(MAX_CALLBACK_DATA).optional(),
  OwnerId: Id.optional(),
});

/** Checks the texts, files and triggers of a message and its fallbacks. */
export function checkContent(
  s: Pick<z.output<typeof body>, 'type' | 'payload' | 'fallbacks'>,
  ctx: z.core.$RefinementCtx<unknown>,
  allowed?: AllowedVariables,
): void {
  checkPayload(s.type, s.payload, ctx, ['payload'], allowed);
  s.fallbacks.forEach((f, i) => {
    checkPayload(f.type, f.payload, ctx, ['fallbacks', i, 'payload'], allowed);
    if (isTriggerActive(triggersOf(f.options))) return;
    if (f.options.onTimeout?.timeout) {
      ctx.addIssue({
        code: 'custom',
        path: ['fallbacks', i, 'options', 'onTimeout', 'except'],
        message: 'A timeout requires statuses after which the fallback does not start.',
        params: { rule: 'trigger_except' },
      });
      return;
    }
    ctx.addIssue({
      code: 'custom',
      path: ['fallbacks', i, 'options'],
      message: 'A fallback requires a trigger: a status, a timeout or a reply.',
      params: { rule: 'trigger' },
    });
  });
}

/** What is included is not excluded, too. */
export function checkRecipient(
  recipient: z.output<typeof Recipient>,
  ctx: z.core.$RefinementCtx<unknown>,
): void {
  if (typeof recipient !== 'object' || !('include' in recipient) || !recipient.exclude.length)
    return;
  const excluded = new Set(recipient.exclude);
  if (!recipient.include.some((x) => excluded.has(x))) return;
  ctx.addIssue({
    code: 'custom',
    path: ['recipient', 'exclude'],
    message: 'An entry cannot be both included and excluded.',
    params: { rule: 'both' },
  });
}

export const SendingInput = body.superRefine((s, ctx) => {
  checkContent(s, ctx);
  checkRecipient(s.recipient, ctx);
  checkVariants(s, ctx);
});
export type SendingInput = z.output<typeof SendingInput>;

/** What is sent to each recipient of `EachInput`, with variables of any names. */
export const EachContent = body
  .pick({ type: true, payload: true, fallbacks: true })
  .superRefine((s, ctx) => checkContent(s, ctx, 'any'));
export type EachContent = z.output<typeof EachContent>;

/** Messages of one call with values of their own for each recipient: a template, or a message as in `SendingInput`. */
export const EachInput = z
  .strictObject({
    /** Needs the permission `templates.get`. */
    templateId: Id.optional(),
    /** An earlier version of the template instead of the present one. */
    templateVersion: z.int().min(1).max(2_147_483_647).optional(),
    /** Of all recipients, unless they have their own: chooses among the translations of the template. */
    locale: Locale.optional(),
    /** Required without a template. */
    type: SendingType.optional(),
    /** Of a template: fields that take the place of its own. */
    payload: Payload.partial().optional(),
    /** Of a template: instead of its own. */
    fallbacks: arrayOf(Fallback, { max: MAX_FALLBACKS }).optional(),
    /** Values of all recipients, unless they have their own. */
    values: Values.optional(),
    recipients: eachRecipients,
    ...OfSingles.shape,
    schedule: orNull(Schedule.pick({ validUntil: true })),
    options: orNull(SendingOptions.pick({ title: true })),
    callbackData: lines(MAX_CALLBACK_DATA).optional(),
    OwnerId: Id.optional(),
  })
  .superRefine(({ templateId, templateVersion, type, payload }, ctx) => {
    const issue = (field: string, rule: FieldRule, message: string) =>
      ctx.addIssue({ code: 'custom', path: [field], message, params: { rule } });
    if (templateId && type) issue('type', 'unsupported', 'The type is that of the template.');
    if (!templateId && templateVersion)
      issue('templateId', 'required', 'A version is that of a template.');
    if (!templateId && !type) issue('type', 'required', 'A type or a template is required.');
    if (!templateId && !payload)
      issue('payload', 'required', 'A payload or a template is required.');
  });
export type EachInput = z.output<typeof EachInput>;

/** Response to a single message, in the format of existing clients. */
export const SendingReceipt = z.object({
  id: Id,
  recipient: z.string(),
  status: Status,
  error: z.string().nullable(),
  code: z.string().nullish(),
  groupId: Id.nullish(),
  /** Only with the code `spend_cap_reached`. */
  cap: ReachedCap.optional(),
  /** The page about the code, where the whole call is refused. */
  docs: z.string().optional(),
});
export type SendingReceipt = z.infer<typeof SendingReceipt>;

/** Result of a recipient of `EachInput`. A message that is refused is not kept. */
export const EachReceipt = SendingReceipt.omit({ groupId: true, docs: true }).extend({
  /** Null for a message that is refused. */
  id: Id.nullable(),
  /** Only with the code `no_value`: the variables without a value. */
  missing: z.array(z.string()).optional(),
});
export type EachReceipt = z.infer<typeof EachReceipt>;

export const TimelineEvent = z.object({
  id: Id,
  attempt: z.int(),
  type: SendingType,
  event: z.enum([
    'created',
    'charged',
    'sent',
    'delivered',
    'seen',
    'clicked',
    'failed',
    'refunded',
    'settled',
    'fallback',
  ]),
  at: Time,
  detail: z.string().nullable(),
  /** Error code of a failure. */
  code: z.string().nullable(),
  amount: z.number().nullable(),
  /** Of `settled`: for how long the call was answered, which decided its price. The amount is what was given back of the charge. */
  seconds: z.int().optional(),
  /** Of `charged` and `refunded`: title of the package that covers the message, whose amount is zero then. */
  package: z.string().optional(),
  /** Only for managers: what the carrier said about a failure in its own words. */
  carrier: z.object({ code: z.string().nullable(), text: z.string().nullable() }).optional(),
  /** Only for managers, of `sent`, or of the beginning of an attempt that is not sent yet. */
  way: z
    .object({
      channel: z.string(),
      /** Title of the route; null without one, or if it was removed. */
      route: z.string().nullable(),
    })
    .optional(),
});

const Network = z.object({ mcc: z.string(), mnc: z.string(), name: z.string().nullable() });
/** What a look-up found out. Null: the carrier did not say. */
export const LookupFacts = z.object({
  /** The network that serves the number now, and that to which it was given first. */
  network: Network.nullable(),
  origin: Network.nullable(),
  ported: z.boolean().nullable(),
  roaming: z.boolean().nullable(),
});
export type LookupFacts = z.infer<typeof LookupFacts>;

export const Sending = z.object({
  id: Id,
  type: SendingType,
  recipient: z.string(),
  /** In scope `full` with the recipient again, which some clients expect here. */
  payload: Payload.extend({ recipient: z.string().optional() }),
  fallbacks: z.array(z.looseObject({ type: SendingType })).optional(),
  /** In scope `full`: the values of the request. Recipients only when a single message is retrieved. */
  recipients: RecipientSet.optional(),
  schedule: Schedule.optional(),
  options: SendingOptions.optional(),
  state: z.object({
    /** Of this attempt. */
    status: Status,
    /** Of the recipient, from all attempts of the chain. */
    outcome: Outcome,
    error: z.string().nullable(),
    code: z.string().nullable(),
  }),
  chainId: Id,
  groupId: Id.nullable(),
  attempt: z.int(),
  /** False for a message of a test token, which reaches nobody and costs nothing. */
  live: z.boolean(),
  OwnerId: Id,
  Owner: Owner.optional(),
  meta: z.object({
    billings: z.object({ ids: z.array(Id) }),
    billing: z
      .object({
        id: Id,
        amount: z.number(),
        refunded: z.boolean(),
        /** Price of one unit; of a call, per call and per second. The amount is the price times the multiplier. */
        price: z.union([z.number(), z.array(z.number())]).nullable(),
        multiplier: z.int(),
        /** Title of the package that covers the message, whose amount is zero then. */
        package: z.string().optional(),
        /** The volume step of the tariff that the price has. */
        volumeStep: VolumeStep.optional(),
        /** Of a call that is charged by its length. */
        call: CallIntervals.extend({
          /** What was charged when it was accepted; the amount is never more. */
          reserved: z.number(),
          /** For how long it was answered. Null until the carrier has said so; amount and multiplier are those of the reserve then. */
          seconds: z.int().nullable(),
        }).optional(),
      })
      .nullable(),
    stats: z.object({
      segments: z.int(),
      characters: z.int(),
      encoding: z.enum(['ascii', 'unicode']),
    }),
    /** Traffic group, from the template that the text matched on creation. */
    recipientGroup: TrafficGroup,
    operator: z
      .object({ mcc: z.string(), mnc: z.string(), name: z.string().nullable() })
      .nullable()
      .optional(),
    /** Only for the id of a group: results of its recipients. */
    counters: Task.shape.meta.shape.counters.optional(),
  }),
  /** Of a look-up (`hlr`) that was answered. */
  lookup: LookupFacts.optional(),
  timeline: z.array(TimelineEvent).optional(),
  /** All attempts of the chain in order, only when a single message is retrieved. */
  attempts: z
    .array(z.object({ id: Id, type: SendingType, status: Status, code: z.string().nullable() }))
    .optional(),
  callbackData: z.string().nullish(),
  createdAt: Time,
  updatedAt: Time,
  /** When it is sent at the earliest: the start of a schedule, or the end of quiet hours. Null once it is submitted. */
  dueAt: Time.nullable(),
  /** Whether `cancel` takes it: a single message that waits, and no one-time code. */
  cancellable: z.boolean(),
  sentAt: Time.nullable(),
  deliveredAt: Time.nullable(),
  seenAt: Time.nullable(),
  failedAt: Time.nullable(),
});
export type Sending = z.infer<typeof Sending>;

/** Messages with the same price: `amount` is `count` × `multiplier` × `price`. The price of a call is [per call, per second]. */
export const EstimateLine = z.object({
  count: z.int(),
  multiplier: z.int(),
  price: z.union([z.number(), z.array(z.number())]),
  amount: z.number(),
});
export type EstimateLine = z.infer<typeof EstimateLine>;

export const Estimate = z.object({
  /** False when based on a sample. */
  exact: z.boolean(),
  recipients: z.int(),
  skipped: z.record(z.string(), z.int()),
  assumed: Assumed,
  segments: z.int(),
  /** Total price of the first attempts. */
  amount: z.number(),
  /** Total price if all fallbacks start. */
  max: z.number(),
  /** Present and true if calls that are charged by their length are among the first attempts: the amount is what they cost at most. */
  byLength: z.boolean().optional(),
  /** What prepaid packages cover of the first attempts; absent when nothing. */
  covered: z
    .object({
      /** Number of messages. */
      count: z.int(),
      units: z.int(),
      /** What they would cost. */
      amount: z.number(),
      /** What remains of the total price of the first attempts. */
      toPay: z.number(),
    })
    .optional(),
  currency: z.string(),
  /** Only for those who may read the balance (`billings.find`). */
  balanceAfter: z.number().optional(),
  enough: z.boolean(),
  /** Messages that wait for the end of the quiet hours, and the time at which the last of them is sent. Null if none waits. */
  quiet: z.object({ count: z.int(), until: Time }).nullable(),
  /** The spend cap that the total price exceeds. */
  cap: ReachedCap.nullable(),
  /** By the operator template, or own template, that the texts match; empty for an account without any. */
  templates: z.array(
    z.object({
      /** Null for texts that match none. */
      title: z.string().nullable(),
      group: TrafficGroup,
      count: z.int(),
      amount: z.number(),
    }),
  ),
  operators: z.array(
    z.object({
      mccmnc: z.string().nullable(),
      name: z.string().nullable(),
      count: z.int(),
      amount: z.number(),
      /** Total price if all fallbacks start. */
      max: z.number(),
      lines: z.array(EstimateLine),
    }),
  ),
});
export type Estimate = z.infer<typeof Estimate>;

/** Task of a bulk, with its `groupId`. */
export const SendingTask = Task.extend({ groupId: Id });

/** Of what messages are, besides their channel; '' for an unknown operator. */
export const MESSAGE_FILTERS = {
  mccmnc: text(7).regex(/^(\d{3,6})?$/),
  country: text(2).regex(/^([A-Z]{2})?$/),
  sender: text(100),
  TokenId: Id,
};

export const sendings = {
  find: endpoint('GET', '/sendings', {
    query: listQuery({
      order: ['createdAt', 'updatedAt'],
      followed: 'updatedAt',
      filter: {
        status: many(Status),
        /** Returns first attempts only, one for each matching recipient. */
        outcome: many(Outcome),
        type: many(SendingType),
        groupId: Id,
        chainId: Id,
        /** Returns first attempts only, as clicks are those of recipients. */
        clicked: QueryBoolean,
        ...MESSAGE_FILTERS,
        live: QueryBoolean,
        recipient: text(MAX_EMAIL_LENGTH),
        id: many(Id),
        OwnerId: Id,
        cursor: Cursor,
      },
      range: ['createdAt', 'updatedAt'],
      // Accepted as in the specification; every response contains both.
      scope: ['payload', 'Owner'],
      search: true,
    }),
    response: page(Sending),
    can: 'sendings.get',
    owner: 'read',
  }),
  estimate: endpoint('POST', '/sendings/estimate', {
    summary:
      'Estimate the price of a message. Errors are those of the sending, except insufficient funds (see `enough`)',
    body: SendingInput,
    bodyLimit: SENDING_BODY_LIMIT,
    response: Estimate,
    forTests: true,
    cost: 'estimate',
    can: 'sendings.generate',
    owner: 'write',
  }),
  /** Also accepts the id of a group: a group with one message returns that message, a larger one its totals. */
  get: endpoint('GET', '/sendings/:id', {
    params: ById,
    query: Scoped,
    response: Sending,
    can: 'sendings.get',
  }),
  create: endpoint('POST', '/sendings', {
    forTests: true,
    charges: true,
    query: z.strictObject({ return: z.enum(['each']).optional(), token: QueryToken }),
    body: SendingInput,
    bodyLimit: SENDING_BODY_LIMIT,
    response: z.union([SendingReceipt, SendingTask, z.array(SendingReceipt)]),
    responses: {
      200: z.union([SendingReceipt, z.array(SendingReceipt)]),
      201: SendingTask,
      400: SendingReceipt,
    },
    can: 'sendings.generate',
    owner: 'write',
    idempotent: true,
    cost: 'message',
    summary:
      'Send one message (200 with a receipt, 400 with one that is refused) or a bulk (201 with a task)',
  }),
  /** A message that was to be sent later, or waits for the end of quiet hours or for its channel. Needs `sendings.get` as well. */
  cancel: endpoint('POST', '/sendings/:id/cancel', {
    cost: 'cancelled',
    forTests: true,
    params: ById,
    response: Sending,
    can: 'sendings.generate',
    summary:
      'Cancel a single message that is not submitted yet, and refund it. A token needs `sendings.get` as well',
  }),
  each: endpoint('POST', '/sendings/each', {
    forTests: true,
    charges: true,
    body: EachInput,
    bodyLimit: SENDING_BODY_LIMIT,
    maxFields: MAX_EACH_FIELDS,
    response: z.array(EachReceipt),
    can: 'sendings.generate',
    owner: 'write',
    idempotent: true,
    cost: 'message',
    summary:
      'Send a message or a template to many recipients with values of their own. All that are not refused are sent, or after an error none',
  }),
};
