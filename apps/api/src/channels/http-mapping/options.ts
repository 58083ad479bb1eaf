import { carrierFailure, SENDING_ERRORS } from '@heliograph/domain';
import { z } from 'zod';

import { CarrierUrl, httpLimits } from '../http-options.ts';
import { publicOption } from '../options.ts';
import { faultOf, hasEach, textFault, type Template } from './templates.ts';
import { PLACEHOLDER } from './values.ts';

const MAX_TABLE = 200;
const Pointer = z
  .string()
  .max(200)
  .regex(/^(\/[^/]*)*$/, 'A pointer is written as /name/name.');
const Pointers = z.union([Pointer, z.array(Pointer).min(1).max(5)]);
const table = <S extends z.ZodType>(value: S) =>
  z
    .record(z.string().max(100), value)
    .refine((entries) => Object.keys(entries).length <= MAX_TABLE, `At most ${MAX_TABLE} entries.`);

const codes = Object.keys(SENDING_ERRORS).filter((code) => carrierFailure({ code }).code === code);
const ErrorCode = z.enum(codes as [string, ...string[]], 'This is no error code of a message.');

/** What an answer means for a message: an error code is that of a rejection; `down`: nothing is taken for now; `unknown`: it may have been. */
const Outcome = z.union([z.enum(['accepted', 'throttled', 'down', 'unknown']), ErrorCode]);
export type Outcome = z.output<typeof Outcome>;

const TextPattern = z
  .string()
  .max(200)
  .refine((pattern) => pattern.split(PLACEHOLDER).length <= 21, 'A pattern has at most ten names.');

/** How the answer to a submit is read. */
const AnswerMapping = z.strictObject({
  /** Patterns of a plain text answer, the first that fits; without them it is JSON. */
  text: z.array(TextPattern).min(1).max(20).optional(),
  /** HTTP statuses besides 2xx whose body says what became of the messages. */
  statuses: z.array(z.int().min(400).max(499)).max(20).default([]),
  /** A list of results, or an object of results by number; without it the whole answer is the result of one message. */
  items: Pointer.optional(),
  /** Our reference in a result; without it results are in the order of the messages. */
  reference: Pointers.optional(),
  /** The carrier's id of the message. */
  id: Pointers.optional(),
  /** The value that `results` knows. */
  code: Pointers.optional(),
  /** Outcomes by code; `*` ends a prefix, or stands for all others. A result without a code is accepted if it has an id. */
  results: table(Outcome).optional(),
  /** The carrier's words about an error. */
  message: Pointers.optional(),
});
export type AnswerMapping = z.output<typeof AnswerMapping>;

/** How a callback shows that it comes from the carrier. */
const Proof = z.discriminatedUnion('kind', [
  /** A parameter of the URL, or a header, has the secret. */
  z.strictObject({ kind: z.literal('query'), name: z.string().min(1).max(60) }),
  z.strictObject({ kind: z.literal('header'), name: z.string().min(1).max(60) }),
  /** The secret is `name:password`. */
  z.strictObject({ kind: z.literal('basic') }),
  /** A header has the HMAC of the signed text in hexadecimal or base64; `{body}` and `{header-name}` are replaced. */
  z.strictObject({
    kind: z.enum(['hmac-sha256', 'hmac-sha1']),
    name: z.string().min(1).max(60),
    signed: z
      .string()
      .max(200)
      .refine((text) => text.includes('{body}'), 'The body has to be signed: {body}.')
      .default('{body}'),
    /** The key is the secret, or its hash. */
    key: z.enum(['plain', 'sha256']).default('plain'),
  }),
  /** X-Twilio-Signature: over the address and the sorted fields. */
  z.strictObject({ kind: z.literal('twilio') }),
]);
export type Proof = z.output<typeof Proof>;

const ReportStatus = z.union([
  z.enum(['processing', 'sent', 'delivered', 'seen', 'failed', 'ignored']),
  ErrorCode,
]);

/** MCC and MNC in one value, or in two. */
const NetworkPlace = z.union([Pointers, z.strictObject({ mcc: Pointer, mnc: Pointer })]);
export type NetworkPlace = z.output<typeof NetworkPlace>;

/** How a callback is read: each of its items is a report if it has a status, else a message if it has a sender. */
const CallbackMapping = z.strictObject({
  /** `*` stands for every element of a list. Without it the call is one item. */
  items: z.union([Pointer.transform((one) => [one]), z.array(Pointer).min(1).max(5)]).optional(),
  /** An item is a text of lines: they become a list. */
  lines: z.boolean().default(false),
  id: Pointers.optional(),
  reference: Pointers.optional(),
  status: Pointers,
  /** By the carrier's status; an error code of ours is a failure with it. Unknown ones are ignored. */
  statuses: table(ReportStatus),
  /** The carrier's code of a failure, and ours by it. */
  code: Pointers.optional(),
  codes: table(ErrorCode).default({}),
  /** Of a look-up (`hlr`): what it says of the number. */
  lookup: z
    .strictObject({
      network: NetworkPlace.optional(),
      origin: NetworkPlace.optional(),
      ported: Pointers.optional(),
      roaming: Pointers.optional(),
    })
    .optional(),
  /** Of a call that was delivered: for how long it was answered, in seconds. What is no number is not known. */
  seconds: Pointers.optional(),
  /** ISO 8601, or seconds or milliseconds since 1970. */
  at: Pointers.optional(),
  /** Of an incoming message. */
  from: Pointers.optional(),
  /** In the item, or else in the call. */
  to: Pointers.optional(),
  text: Pointers.optional(),
  /** A parameter whose value is the answer to a GET that has it: the carrier asks whether the address is ours. */
  challenge: z.string().max(60).optional(),
  /** The body of our answer. */
  answer: z.string().max(100).default('OK'),
  proof: Proof,
});
export type CallbackMapping = z.output<typeof CallbackMapping>;

/** A text of JSON. */
const json = <S extends z.ZodType>(schema: S) =>
  z
    .string()
    .max(4096)
    .transform((text, ctx): unknown => {
      try {
        return JSON.parse(text);
      } catch (error) {
        ctx.addIssue(`This is not JSON: ${(error as Error).message}`);
        return z.NEVER;
      }
    })
    .pipe(schema);

const Request = z
  .record(z.string(), z.unknown())
  .transform((fields) => fields as Record<string, Template>);

export const Options = z
  .strictObject({
    url: publicOption(CarrierUrl),
    method: publicOption(z.enum(['POST', 'GET', 'PUT']).default('POST')),
    format: publicOption(z.enum(['json', 'form', 'query']).default('json')),
    /** One in a line. */
    headers: publicOption(z.string().max(2000).default(''), 'lines'),
    request: publicOption(json(Request), 'json'),
    response: publicOption(json(AnswerMapping), 'json'),
    callback: publicOption(json(CallbackMapping).optional(), 'json'),
    /** Where the carrier calls: `{{callback}}`. */
    callbackUrl: publicOption(z.string().max(500).optional()),
    callbackSecret: z.string().min(12, 'A secret has at least 12 characters.').max(200).optional(),
    username: publicOption(z.string().max(200).optional()),
    password: z.string().max(200).optional(),
    token: z.string().max(2000).optional(),
    ...httpLimits,
    maxBatch: publicOption(z.number().int().min(1).max(1_000).default(1)),
  })
  .superRefine(checkTogether);
export type MappingOptions = z.output<typeof Options>;

function checkTogether(options: MappingOptions, ctx: z.RefinementCtx): void {
  const issue = (field: string, message: string | undefined) => {
    if (message) ctx.addIssue({ code: 'custom', path: [field], message });
  };
  const { request, format, headers, method, maxBatch, callback } = options;
  issue('request', faultOf(request));
  for (const line of headers.split('\n').filter((one) => one.trim())) {
    const [, name, value] = HEADER.exec(line) ?? [];
    if (!name) issue('headers', 'A header is written as Name: value.');
    else if (/^(proxy-)?authorization$/i.test(name) && !value!.includes('{{'))
      issue(
        'headers',
        'Who reads channels sees headers: a secret is written as {{token}} or {{basic}}.',
      );
    else issue('headers', textFault(value!, true));
  }
  const isNested = Object.values(request).some(
    (value) => typeof value === 'object' && value !== null && !isListOfTexts(value),
  );
  if (format !== 'json' && isNested) issue('request', 'Forms and queries have no nested fields.');
  if (method === 'GET' && format !== 'query') issue('format', 'A GET has its fields in the query.');
  if (maxBatch > 1 && !hasEach(request)) issue('maxBatch', 'A batch needs "$each" in the request.');
  if (maxBatch > 1 && !options.response.items)
    issue('response', 'A batch needs "items" in the answer.');
  if (callback && !options.callbackSecret)
    issue('callbackSecret', 'A callback is known by its secret.');
  if (callback && !callback.id && !callback.reference)
    issue('callback', 'A report is matched by "id" or by "reference".');
  if (callback?.proof.kind === 'twilio' && !options.callbackUrl)
    issue('callbackUrl', 'The signature covers the address.');
}

export const HEADER = /^\s*([!#$%&'*+.^_`|~\w-]{1,100})\s*:\s*(.{0,1900})$/;
const isListOfTexts = (value: unknown) =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');
