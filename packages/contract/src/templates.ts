import * as z from 'zod';
import { DEFAULT_GROUP, MAX_FALLBACKS } from '@heliograph/domain';
import { endpoint, ById } from './endpoint.ts';
import { arrayOf, Id, many, OwnerRef, QueryBoolean, Time, Title, trimmedLines } from './fields.ts';
import { crud, listQuery } from './list.ts';
import { Fallback, RecipientSet, SENDING_BODY_LIMIT } from './sendings.ts';
import { Payload } from './payload.ts';
import { Moderation, SendingType, TrafficGroup } from './types.ts';

const fields = z.strictObject({
  title: Title,
  type: SendingType,
  payload: Payload.partial(),
  recipient: RecipientSet.nullish(),
  fallbacks: arrayOf(Fallback, { max: MAX_FALLBACKS }),
  /** Applies to messages that match the text once the template is approved. */
  group: TrafficGroup,
  isActive: z.boolean(),
});
export const TemplateInput = fields.extend({
  fallbacks: fields.shape.fallbacks.default([]),
  group: TrafficGroup.default(DEFAULT_GROUP),
  isActive: fields.shape.isActive.default(true),
  OwnerId: Id.optional(),
});
export const Template = z.object({
  id: Id,
  title: Title,
  type: SendingType,
  payload: Payload.partial(),
  recipient: RecipientSet.nullable(),
  /** Number of entries in `recipient`. */
  recipients: z.object({ include: z.int(), exclude: z.int() }).nullable(),
  fallbacks: z.array(z.looseObject({ type: SendingType })),
  group: TrafficGroup,
  isActive: z.boolean(),
  moderation: Moderation,
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
