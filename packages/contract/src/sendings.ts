import * as z from 'zod';
import {
  FALLBACK_STATUSES,
  isTriggerActive,
  MAX_EMAIL_LENGTH,
  MAX_FALLBACKS,
  STATUSES,
  type FallbackItem,
} from '@heliograph/domain';
import { endpoint, ById } from './endpoint.ts';
import {
  arrayOf,
  Assumed,
  Cursor,
  Id,
  many,
  textArray,
  Owner,
  text,
  Time,
  trimmed,
} from './fields.ts';
import { listQuery, page, Scoped } from './list.ts';
import { Outcome, SendingType, Status, TrafficGroup } from './types.ts';
import { checkPayload, Payload } from './payload.ts';
import { Task } from './tasks.ts';

/** One call names at most this many lists and phones; larger audiences are contact lists. */
export const MAX_RECIPIENTS = 50_000;
export const MAX_RECEIPTS = 100;
/** `MAX_RECIPIENTS` included and as many excluded, with room for the longest texts. */
export const SENDING_BODY_LIMIT = 4 * 1024 * 1024;

const statuses = arrayOf(Status, { max: STATUSES.length });
const FallbackStatus = z.enum(FALLBACK_STATUSES, {
  error: `starts no fallback: one of ${FALLBACK_STATUSES.join(', ')} is expected`,
});
export const FallbackOptions = z.strictObject({
  onStatus: arrayOf(FallbackStatus, { max: FALLBACK_STATUSES.length }).default([]),
  onTimeout: z
    .strictObject({ timeout: z.int().min(0).max(86_400).default(50), except: statuses.default([]) })
    .nullish(),
  onIncomingPayload: z.strictObject({ text: text(200).default('') }).nullish(),
});
/** `$options` as older clients send it, or `options`; the answer has both spellings. */
export const Fallback = z.preprocess(
  (v) => {
    if (typeof v !== 'object' || v === null || !('$options' in v)) return v;
    const { $options, ...rest } = v;
    return { options: $options, ...rest };
  },
  z.strictObject({ type: SendingType, payload: Payload, options: FallbackOptions }),
);
export type Fallback = z.output<typeof Fallback>;

/** A fallback's options as the domain's rules take them. */
export function triggersOf(options: z.output<typeof FallbackOptions>): FallbackItem {
  const { onStatus, onTimeout = null, onIncomingPayload = null } = options;
  return { onStatus, onTimeout, onIncomingPayload };
}

/** The longest address is an e-mail's. */
const entry = trimmed(MAX_EMAIL_LENGTH).min(1);
/** What is no address is counted as invalid, not refused: one bad line does not spoil a pasted column. */
const entries = (min: number) =>
  textArray({ min, max: MAX_RECIPIENTS, maxLength: MAX_EMAIL_LENGTH });
export const RecipientSet = z.strictObject({
  /** Ids of contact lists, phones in any format, or e-mails. */
  include: entries(0),
  exclude: entries(0).default([]),
});

export const Schedule = z.strictObject({
  /** 0: now. */
  delay: z.union([z.literal(0), Time]).default(0),
  /** Spread the handovers over this many hours, or until this time. */
  until: z.union([z.number().min(0).max(12), Time]).default(0),
});

export const SendingOptions = z.strictObject({ title: trimmed(100).optional() });

/** Some clients name several recipients in one text. It is bounded by the body, each of them by `entries`. */
const SEPARATORS = /[,;\n]/;
const Recipient = z.union([entry, entries(1), RecipientSet]);
const recipient = z.preprocess((given) => {
  if (typeof given !== 'string' || !SEPARATORS.test(given)) return given;
  // One more than there may be is refused by its number, whatever stands behind it.
  const listed = given.split(SEPARATORS, MAX_RECIPIENTS + 1);
  if (listed.length > MAX_RECIPIENTS) return listed;
  const named = listed.filter((one) => one.trim());
  return named.length === 1 ? named[0] : named;
}, Recipient) as unknown as z.ZodType<z.output<typeof Recipient>, z.input<typeof Recipient>>;

const body = z.strictObject({
  type: SendingType,
  recipient,
  payload: Payload,
  fallbacks: arrayOf(Fallback, { max: MAX_FALLBACKS }).default([]),
  schedule: Schedule.optional(),
  options: SendingOptions.optional(),
  /** Comes back with every sending that this call makes. */
  callbackData: text(4000).optional(),
  OwnerId: Id.optional(),
});
export const SendingInput = body.superRefine((s, ctx) => {
  checkPayload(s.type, s.payload, ctx, ['payload']);
  s.fallbacks.forEach((f, i) => {
    checkPayload(f.type, f.payload, ctx, ['fallbacks', i, 'payload']);
    if (!isTriggerActive(triggersOf(f.options))) {
      ctx.addIssue({
        code: 'custom',
        path: ['fallbacks', i, 'options'],
        message: 'A fallback needs a status, a timeout or a reply to start it.',
        params: { rule: 'trigger' },
      });
    }
  });
  const { recipient } = s;
  if (typeof recipient === 'object' && !Array.isArray(recipient) && recipient.exclude.length) {
    const excluded = new Set(recipient.exclude);
    if (recipient.include.some((x) => excluded.has(x))) {
      ctx.addIssue({
        code: 'custom',
        path: ['recipient', 'exclude'],
        message: 'An entry cannot be both included and excluded.',
        params: { rule: 'both' },
      });
    }
  }
});
export type SendingInput = z.output<typeof SendingInput>;

/** What a single call answers, in the shape that clients of this API family read. */
export const SendingReceipt = z.object({
  id: Id,
  recipient: z.string(),
  status: Status,
  error: z.string().nullable(),
  code: z.string().nullish(),
  groupId: Id.nullish(),
});
export type SendingReceipt = z.infer<typeof SendingReceipt>;

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
    'failed',
    'refunded',
    'fallback',
  ]),
  at: Time,
  detail: z.string().nullable(),
  /** Of a failure: its code. */
  code: z.string().nullable(),
  amount: z.number().nullable(),
});

export const Sending = z.object({
  id: Id,
  type: SendingType,
  recipient: z.string(),
  /** In the full scope with the address once more, where some clients look for it. */
  payload: Payload.extend({ recipient: z.string().optional() }),
  fallbacks: z.array(z.looseObject({ type: SendingType })).optional(),
  /** In the full scope: what the call asked for. Recipients only where one sending is asked for. */
  recipients: RecipientSet.optional(),
  schedule: Schedule.optional(),
  options: SendingOptions.optional(),
  state: z.object({
    /** Of this attempt. */
    status: Status,
    /** Of its recipient: that of the chain, which another attempt may have decided. */
    outcome: Outcome,
    error: z.string().nullable(),
    code: z.string().nullable(),
  }),
  chainId: Id,
  groupId: Id.nullable(),
  attempt: z.int(),
  OwnerId: Id,
  Owner: Owner.optional(),
  meta: z.object({
    billings: z.object({ ids: z.array(Id) }),
    billing: z
      .object({
        id: Id,
        amount: z.number(),
        refunded: z.boolean(),
        /** The amount is the price times the multiplier; a call's is per call and per second. */
        price: z.union([z.number(), z.array(z.number())]).nullable(),
        multiplier: z.int(),
      })
      .nullable(),
    stats: z.object({
      segments: z.int(),
      characters: z.int(),
      encoding: z.enum(['ascii', 'unicode']),
    }),
    /** What the message is for operators, by the template that its text matched when it was made. */
    recipientGroup: TrafficGroup,
    operator: z
      .object({ mcc: z.string(), mnc: z.string(), name: z.string().nullable() })
      .nullable()
      .optional(),
    /** Of a group, when its id is asked for: what became of its recipients. */
    counters: Task.shape.meta.shape.counters.optional(),
  }),
  timeline: z.array(TimelineEvent).optional(),
  /** All attempts of the chain in their order, when one is asked for by its id. */
  attempts: z
    .array(z.object({ id: Id, type: SendingType, status: Status, code: z.string().nullable() }))
    .optional(),
  callbackData: z.string().nullish(),
  createdAt: Time,
  updatedAt: Time,
  sentAt: Time.nullable(),
  deliveredAt: Time.nullable(),
  seenAt: Time.nullable(),
  failedAt: Time.nullable(),
});
export type Sending = z.infer<typeof Sending>;

/** So many messages of one price: `amount` is `count` times `multiplier` times `price`; of a call, times [per call, per second]. */
export const EstimateLine = z.object({
  count: z.int(),
  multiplier: z.int(),
  price: z.union([z.number(), z.array(z.number())]),
  amount: z.number(),
});
export type EstimateLine = z.infer<typeof EstimateLine>;

export const Estimate = z.object({
  /** False when computed from a sample. */
  exact: z.boolean(),
  recipients: z.int(),
  skipped: z.record(z.string(), z.int()),
  assumed: Assumed,
  segments: z.int(),
  /** First attempts, to the kopeck. */
  amount: z.number(),
  /** With every fallback that could start. */
  max: z.number(),
  currency: z.string(),
  balanceAfter: z.number(),
  enough: z.boolean(),
  operators: z.array(
    z.object({
      mccmnc: z.string().nullable(),
      name: z.string().nullable(),
      count: z.int(),
      amount: z.number(),
      /** With every fallback that could start. */
      max: z.number(),
      lines: z.array(EstimateLine),
    }),
  ),
});
export type Estimate = z.infer<typeof Estimate>;

/** The task of a bulk, with its group at the top. */
export const SendingTask = Task.extend({ groupId: Id });

export const sendings = {
  find: endpoint('GET', '/sendings', {
    query: listQuery({
      order: ['createdAt'],
      filter: {
        status: many(Status),
        /** Lists first attempts: one for each recipient of whom it is true. */
        outcome: many(Outcome),
        type: many(SendingType),
        groupId: Id,
        chainId: Id,
        recipient: text(MAX_EMAIL_LENGTH),
        id: many(Id),
        OwnerId: Id,
        cursor: Cursor,
      },
      range: ['createdAt', 'updatedAt'],
      // As the specification has the call; every answer holds both.
      scope: ['payload', 'Owner'],
      search: true,
    }),
    response: page(Sending),
    can: 'sendings.get',
    owner: 'read',
  }),
  estimate: endpoint('POST', '/sendings/estimate', {
    summary:
      'Price of a sending before it is made; refused as the sending would be, but for the money, of which `enough` tells',
    body: SendingInput,
    bodyLimit: SENDING_BODY_LIMIT,
    response: Estimate,
    cost: 'estimate',
    can: 'sendings.generate',
    owner: 'write',
  }),
  /** The id of a group is taken as well: a group of one answers its message, another answers as a whole. */
  get: endpoint('GET', '/sendings/:id', {
    params: ById,
    query: Scoped,
    response: Sending,
    can: 'sendings.get',
  }),
  create: endpoint('POST', '/sendings', {
    query: z.object({ return: z.enum(['each']).optional() }),
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
};
