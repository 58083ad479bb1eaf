import * as z from 'zod';
import { DEFAULT_GROUP, LANGUAGE_TAG, MAX_FALLBACKS, MAX_LANGUAGE_TAG } from '@heliograph/domain';
import { endpoint, ById } from './endpoint.ts';
import {
  arrayOf,
  Id,
  many,
  OwnerRef,
  QueryBoolean,
  text,
  Time,
  Title,
  trimmedLines,
} from './fields.ts';
import { crud, listQuery } from './list.ts';
import { Fallback, RecipientSet, SENDING_BODY_LIMIT } from './sendings.ts';
import { Payload } from './payload.ts';
import { Moderation, SendingType, TrafficGroup } from './types.ts';

export const MAX_TRANSLATIONS = 10;
/** Of the translations of a template together, in characters of JSON: lists contain them. */
const MAX_TRANSLATIONS_LENGTH = 200_000;

const Texts = Payload.pick({ subject: true, text: true, button: true, buttons: true }).partial();

/** Texts in another language, which take the place of those of the template. What is absent stays. */
export const Translation = z.strictObject({
  locale: text(MAX_LANGUAGE_TAG).regex(LANGUAGE_TAG),
  payload: Texts,
  /** Of the fallbacks, in their order. */
  fallbacks: arrayOf(Texts, { max: MAX_FALLBACKS }).default([]),
});
export type Translation = z.infer<typeof Translation>;

const Translations = arrayOf(Translation, { max: MAX_TRANSLATIONS }).superRefine((all, ctx) => {
  const seen = new Set<string>();
  for (const [i, { locale }] of all.entries()) {
    if (seen.has(locale))
      ctx.addIssue({
        code: 'custom',
        path: [i, 'locale'],
        message: 'There is another translation into this language.',
        params: { rule: 'unique' },
      });
    seen.add(locale);
  }
  if (JSON.stringify(all).length > MAX_TRANSLATIONS_LENGTH)
    ctx.addIssue({
      code: 'custom',
      message: `The translations together have at most ${MAX_TRANSLATIONS_LENGTH} characters.`,
      params: { rule: 'too_long' },
    });
});

const fields = z.strictObject({
  title: Title,
  type: SendingType,
  payload: Payload.partial(),
  recipient: RecipientSet.nullish(),
  fallbacks: arrayOf(Fallback, { max: MAX_FALLBACKS }),
  translations: Translations,
  /** Applies to messages that match the text once the template is approved. */
  group: TrafficGroup,
  isActive: z.boolean(),
});
export const TemplateInput = fields.extend({
  fallbacks: fields.shape.fallbacks.default([]),
  translations: Translations.default([]),
  group: TrafficGroup.default(DEFAULT_GROUP),
  isActive: fields.shape.isActive.default(true),
  OwnerId: Id.optional(),
});
/** What a template says in one version. */
const content = {
  type: SendingType,
  payload: Payload.partial(),
  fallbacks: z.array(z.looseObject({ type: SendingType })),
  translations: z.array(Translation),
  /** 1 for the first. A changed message is a new version. */
  version: z.int(),
  moderation: Moderation,
};
export const Template = z.object({
  id: Id,
  title: Title,
  ...content,
  recipient: RecipientSet.nullable(),
  /** Number of entries in `recipient`. */
  recipients: z.object({ include: z.int(), exclude: z.int() }).nullable(),
  group: TrafficGroup,
  isActive: z.boolean(),
  /** Comment of the moderator. */
  comment: z.string().nullable(),
  OwnerId: Id,
  Owner: OwnerRef.optional(),
  createdAt: Time,
  updatedAt: Time,
});
export type Template = z.infer<typeof Template>;

/** For lists and events, without the recipients, of which there can be many. */
export const TemplateRow = Template.omit({ recipient: true });
export type TemplateRow = z.infer<typeof TemplateRow>;

export const TemplateVersion = z.object({
  ...content,
  /** Null if it was somebody outside of the account, or is not known. */
  Author: OwnerRef.nullable(),
  writtenAt: Time,
});
export type TemplateVersion = z.infer<typeof TemplateVersion>;

/** Draft of a message from a template. */
export const SendingDraft = Template.pick({
  type: true,
  payload: true,
  recipient: true,
  fallbacks: true,
});

export const TemplateModeration = z.strictObject({
  moderation: z.enum(['approved', 'rejected']),
  comment: trimmedLines(1000).optional(),
  /** Approved group, if it differs from the requested one. Only managers can approve a group other than advertising. */
  group: TrafficGroup.optional(),
});

export const templates = {
  ...crud('templates', {
    quota: 'templates',
    item: Template,
    row: TemplateRow,
    input: TemplateInput,
    update: fields.partial(),
    owner: 'write',
    bodyLimit: SENDING_BODY_LIMIT,
    query: listQuery({
      order: ['createdAt', 'title', 'updatedAt'],
      filter: {
        type: many(SendingType),
        isActive: QueryBoolean,
        moderation: many(Moderation),
        OwnerId: Id,
      },
      range: ['createdAt'],
      search: true,
    }),
  }),
  apply: endpoint('POST', '/templates/:id/apply', {
    bound: 'nothing',
    forTests: true,
    summary: 'Create a draft of a message from a template',
    params: ById,
    response: SendingDraft,
    can: 'templates.get',
  }),
  versions: endpoint('GET', '/templates/:id/versions', {
    summary:
      'List the versions of a template: the present one, then earlier ones, the latest first',
    params: ById,
    response: z.array(TemplateVersion),
    can: 'templates.get',
  }),
  moderate: endpoint('POST', '/templates/:id/moderation', {
    summary: 'Approve or reject a template',
    params: ById,
    body: TemplateModeration,
    response: Template,
    can: 'templates.moderate',
    audit: 'templates.moderate',
    accept: 'resellerUp',
  }),
};
