import * as z from 'zod';
import {
  senderCommentErrors,
  senderNameErrors,
  type CommentError,
  type SenderNameError,
} from '@heliograph/domain';
import { endpoint, ById } from './endpoint.ts';
import { Id, many, OwnerRef, QueryBoolean, text, Time, trimmedLines } from './fields.ts';
import { crud, listQuery } from './list.ts';
import { Moderation } from './types.ts';

export const SendernameType = z.enum(['sms', 'voice']);

const comment = trimmedLines(1000);
const SendernameMeta = z.strictObject({
  /** Contains the company and its tax id. */
  comment,
  adminComment: comment.nullable(),
  resellerComment: comment.nullable(),
  /** Visible to managers only, and to resellers and managers. */
  adminPrivateComment: comment.nullable().optional(),
  resellerPrivateComment: comment.nullable().optional(),
});

export const Sendername = z.object({
  id: Id,
  name: z.string(),
  type: SendernameType,
  moderation: Moderation,
  meta: SendernameMeta,
  isActive: z.boolean(),
  OwnerId: Id,
  Owner: OwnerRef.optional(),
  createdAt: Time,
  updatedAt: Time,
});
export type Sendername = z.infer<typeof Sendername>;

const COMMENT_RULES: Record<CommentError, string> = {
  company: 'The comment must contain the name of the company.',
  tax_id: 'The comment must contain the tax id of the company.',
  inn: 'The INN is invalid: it must have 10 or 12 digits with correct check digits.',
};
function checkComment(text: string, ctx: z.core.$RefinementCtx<unknown>, path: string[] = []) {
  for (const rule of senderCommentErrors(text))
    ctx.addIssue({ code: 'custom', path, message: COMMENT_RULES[rule], params: { rule } });
}
/** A comment that must identify the owner of the name. */
const checkedComment = comment.superRefine((text, ctx) => checkComment(text, ctx));
const NAME_RULES: Record<SenderNameError, string> = {
  required: 'A name is required.',
  length: 'A name for SMS must have 4 to 11 characters, a number for calls 6 to 15.',
  characters:
    'A name for SMS can contain only Latin letters, digits and ! ? - _ . ( ), a number for calls only digits.',
};
const fields = z.strictObject({
  name: text(15),
  type: SendernameType,
  /** Older clients send the comment outside `meta`. */
  comment: comment.optional(),
  meta: z.strictObject({ comment }).optional(),
  isActive: z.boolean().default(true),
});
export const SendernameInput = fields.superRefine((s, ctx) => {
  for (const rule of senderNameErrors(s.type, s.name)) {
    ctx.addIssue({ code: 'custom', path: ['name'], message: NAME_RULES[rule], params: { rule } });
  }
  checkComment(s.meta?.comment || s.comment || '', ctx, ['meta', 'comment']);
});
/** Name and type cannot be changed: only those that the row has are accepted. */
export const SendernameUpdate = z
  .strictObject({
    name: fields.shape.name,
    type: fields.shape.type,
    comment: checkedComment,
    meta: z.strictObject({ comment: checkedComment }).partial(),
    isActive: z.boolean(),
  })
  .partial();

export const SendernameModeration = z.strictObject({
  moderation: z.enum(['approved', 'rejected']),
  comment: comment.optional(),
  privateComment: comment.optional(),
});

/** A channel where a name is registered, or one that needs it to be. */
export const SendernameChannel = z.object({
  ChannelId: z.string(),
  isActive: z.boolean(),
  /** Whether it carries only registered names. */
  needsRegistration: z.boolean(),
  /** Time since which the name is registered there; null if it is not. */
  since: Time.nullable(),
  note: z.string().nullable(),
});
export type SendernameChannel = z.infer<typeof SendernameChannel>;

const base = crud('sendernames', {
  item: Sendername,
  input: fields,
  update: SendernameUpdate,
  query: listQuery({
    order: ['createdAt', 'name', 'updatedAt'],
    filter: {
      type: many(SendernameType),
      moderation: many(Moderation),
      isActive: QueryBoolean,
      OwnerId: Id,
    },
    range: ['createdAt'],
    /** `attached`: active names of the caller's account, or of `OwnerId`. `meta` is always included. */
    scope: ['attached', 'meta'],
    search: true,
  }),
});

export const sendernames = {
  ...base,
  create: endpoint('POST', '/sendernames', {
    quota: 'sendernames',
    body: SendernameInput,
    response: Sendername,
    status: 201,
    can: 'sendernames.create',
    idempotent: true,
  }),
  moderate: endpoint('POST', '/sendernames/:id/moderation', {
    summary: 'Approve or reject a sender name',
    params: ById,
    body: SendernameModeration,
    response: Sendername,
    can: 'sendernames.moderate',
    audit: 'sendernames.moderate',
    accept: 'resellerUp',
  }),
  channels: endpoint('GET', '/sendernames/:id/channels', {
    summary: 'List the channels where a sender name is registered, and those that need it to be',
    params: ById,
    response: z.object({ data: z.array(SendernameChannel) }),
    can: 'channels.get',
    accept: 'managerUp',
  }),
};
