import * as z from 'zod';
import { ConversationUser } from './conversations.ts';
import { ById, endpoint, Removed } from './endpoint.ts';
import { Time, written } from './fields.ts';
import { listQuery, page } from './list.ts';

export const MAX_ACCOUNT_NOTE_LENGTH = 2000;
/** Notes of one account. */
export const MAX_ACCOUNT_NOTES = 500;

/** What those who run an account write about it. Neither the account nor its members ever get it. */
export const AccountNote = z.object({
  id: z.guid(),
  text: z.string(),
  Author: ConversationUser,
  /** Whether the caller has written it, and may change it. */
  isOwn: z.boolean(),
  /** Whether the caller may remove it: its author, or an administrator. */
  mayRemove: z.boolean(),
  createdAt: Time,
  /** When its author changed it last. */
  changedAt: Time.nullable(),
});
export type AccountNote = z.infer<typeof AccountNote>;

export const AccountNoteInput = z.strictObject({ text: written(MAX_ACCOUNT_NOTE_LENGTH) });

const OneNote = ById.extend({ noteId: z.guid() });

export const accountNotes = {
  find: endpoint('GET', '/users/:id/notes', {
    params: ById,
    query: listQuery({ order: ['createdAt'], limit: 20 }),
    response: page(AccountNote),
    can: 'accountNotes.get',
    accept: 'resellerUp',
    summary: 'List the notes about an account',
  }),
  create: endpoint('POST', '/users/:id/notes', {
    params: ById,
    body: AccountNoteInput,
    response: AccountNote,
    status: 201,
    can: 'accountNotes.create',
    accept: 'resellerUp',
    audit: 'accountNotes.create',
    idempotent: true,
    quota: 'accountNotes',
    summary: 'Add a note about an account, which the account does not see',
  }),
  update: endpoint('PUT', '/users/:id/notes/:noteId', {
    params: OneNote,
    body: AccountNoteInput,
    response: AccountNote,
    can: 'accountNotes.update',
    accept: 'resellerUp',
    audit: 'accountNotes.update',
    alias: 'PATCH',
    summary: 'Change a note about an account: its author',
  }),
  remove: endpoint('DELETE', '/users/:id/notes/:noteId', {
    params: OneNote,
    response: Removed,
    can: 'accountNotes.remove',
    accept: 'resellerUp',
    audit: 'accountNotes.remove',
    summary: 'Remove a note about an account: its author, or an administrator',
  }),
};
