import {
  isBlank,
  MAX_CONFIRMATION,
  MAX_EMAIL_LENGTH,
  MAX_OPT_OUT_WORD,
  MAX_OPT_OUT_WORDS,
  optOutWord,
  SENDING_TYPES,
  SUPPRESSION_REASONS,
} from '@heliograph/domain';
import * as z from 'zod';
import type { FieldRule } from './descriptions/errors.ts';
import { ById, endpoint, Removed } from './endpoint.ts';
import {
  arrayOf,
  Cursor,
  Id,
  many,
  OwnerRef,
  QueryToken,
  textArray,
  Time,
  trimmed,
  lines,
  trimmedLines,
} from './fields.ts';
import { listQuery, page } from './list.ts';
import { SendingType } from './types.ts';

export const SuppressionReason = z.enum(SUPPRESSION_REASONS);
/** What entries of the list are of: all types of messages, or one. */
export const SuppressedType = z.enum(['all', ...SENDING_TYPES]);
/** Maximum number of addresses of one import. */
export const MAX_SUPPRESSION_IMPORT = 10_000;
const IMPORT_BODY_LIMIT = 1024 * 1024;

/** A recipient to whom the account sends nothing. */
export const Suppression = z.object({
  id: Id,
  /** A phone number or an e-mail address. */
  address: z.string(),
  /** Null: all types of messages. */
  type: SendingType.nullable(),
  reason: SuppressionReason,
  /** What the person wrote, or a note of the account. */
  note: z.string().nullable(),
  /** The message that the person answered, or whose link the person followed. */
  SendingId: Id.nullable(),
  OwnerId: Id,
  Owner: OwnerRef.optional(),
  createdAt: Time,
});
export type Suppression = z.infer<typeof Suppression>;

export const SuppressionInput = z.strictObject({
  /** A phone number in any format, or an e-mail address. */
  address: trimmed(MAX_EMAIL_LENGTH).min(1),
  type: SendingType.nullish(),
  note: trimmedLines(200).nullish(),
});
export const SuppressionImport = z.strictObject({
  addresses: textArray({ min: 1, max: MAX_SUPPRESSION_IMPORT, maxLength: MAX_EMAIL_LENGTH }),
  type: SendingType.nullish(),
});

const Word = trimmed(MAX_OPT_OUT_WORD).refine((word) => optOutWord(word) !== '', {
  message: 'A word has letters or digits.',
  params: { rule: 'word' },
});
const words = arrayOf(Word, { max: MAX_OPT_OUT_WORDS });
const Confirmation = lines(MAX_CONFIRMATION);

/** How an account treats replies that ask to end its messages. */
export const OptOutSettings = z.object({
  OwnerId: Id,
  stopWords: z.array(z.string()),
  startWords: z.array(z.string()),
  /** Whether an opt-out covers all types of messages, or only the type that was answered. */
  covers: z.enum(['all', 'channel']),
  isConfirmed: z.boolean(),
  stopText: z.string(),
  startText: z.string(),
  /** Type and sender of confirmations; null: as the message that was answered. */
  type: SendingType.nullable(),
  sender: z.string().nullable(),
});
export type OptOutSettings = z.infer<typeof OptOutSettings>;

export const OptOutSettingsInput = z
  .strictObject({
    stopWords: words,
    startWords: words,
    covers: z.enum(['all', 'channel']),
    isConfirmed: z.boolean(),
    stopText: Confirmation,
    startText: Confirmation,
    type: SendingType.nullable(),
    sender: trimmed(150).nullable(),
  })
  .superRefine((given, ctx) => {
    const issue = (field: string, rule: FieldRule, message: string) =>
      ctx.addIssue({ code: 'custom', path: [field], message, params: { rule } });
    const stops = new Set(given.stopWords.map(optOutWord));
    if (given.startWords.some((word) => stops.has(optOutWord(word))))
      issue('startWords', 'both_words', 'A word cannot end messages and start them again.');
    if (given.isConfirmed && isBlank(given.stopText))
      issue('stopText', 'required', 'A text is required.');
    if (given.isConfirmed && isBlank(given.startText))
      issue('startText', 'required', 'A text is required.');
    if (given.type && !given.sender) issue('sender', 'required', 'A sender is required.');
  });

const Account = z.strictObject({ OwnerId: Id.optional(), token: QueryToken });

export const suppressions = {
  find: endpoint('GET', '/suppressions', {
    query: listQuery({
      order: ['createdAt'],
      filter: {
        OwnerId: Id,
        reason: many(SuppressionReason),
        type: many(SuppressedType),
        cursor: Cursor,
      },
      range: ['createdAt'],
      search: true,
      limit: 20,
    }),
    response: page(Suppression),
    can: 'suppressions.get',
    owner: 'read',
    summary: 'List the recipients who get no messages',
  }),
  create: endpoint('POST', '/suppressions', {
    quota: 'suppressions',
    body: SuppressionInput,
    response: Suppression,
    status: 201,
    can: 'suppressions.create',
    idempotent: true,
    summary: 'End the messages to a recipient',
  }),
  import: endpoint('POST', '/suppressions/import', {
    quota: 'suppressions',
    body: SuppressionImport,
    bodyLimit: IMPORT_BODY_LIMIT,
    response: z.object({
      added: z.int(),
      known: z.int(),
      invalid: z.int(),
      refused: z.array(z.string()),
    }),
    can: 'suppressions.create',
    cost: 'estimate',
    summary: 'End the messages to many recipients',
  }),
  remove: endpoint('DELETE', '/suppressions/:id', {
    params: ById,
    response: Removed,
    can: 'suppressions.remove',
    audit: 'suppressions.remove',
    summary: 'Allow messages to a recipient again',
  }),
  settings: endpoint('GET', '/suppressions/settings', {
    query: Account,
    response: OptOutSettings,
    can: 'suppressions.get',
    owner: 'read',
    summary: 'Get the words that end messages and their confirmations',
  }),
  configure: endpoint('PUT', '/suppressions/settings', {
    lasting: 'announced',
    body: OptOutSettingsInput,
    response: OptOutSettings,
    can: 'suppressions.update',
    audit: 'suppressions.configure',
    summary: 'Change the words that end messages and their confirmations',
  }),
};
