import { MAX_TAG_LENGTH } from '@heliograph/domain';
import * as z from 'zod';
import { ById, endpoint, Removed } from './endpoint.ts';
import {
  arrayOf,
  Cursor,
  Id,
  many,
  OwnerRef,
  queryInt,
  QueryBoolean,
  QueryToken,
  Time,
  trimmed,
  written,
} from './fields.ts';
import { listQuery, page } from './list.ts';
import { SendingIncoming } from './sendings-incoming.ts';
import { Sending, SendingReceipt } from './sendings.ts';
import { SendingType } from './types.ts';

export const ConversationState = z.enum(['waiting', 'answered', 'closed']);
export type ConversationState = z.infer<typeof ConversationState>;

/** Messages of a page of a conversation. */
export const MAX_THREAD_LIMIT = 100;
export const MAX_REPLY_LENGTH = 10_000;
export const MAX_NOTE_LENGTH = 2000;
/** Of one conversation. */
export const MAX_LABELS = 10;

/** Whose conversations a list has: those of the caller, or those that nobody has been given. */
export const ConversationAssigned = z.enum(['me', 'nobody']);
export type ConversationAssigned = z.infer<typeof ConversationAssigned>;

/** A user who answers or has written. */
export const ConversationUser = z.object({
  id: Id,
  /** The username of one who has none. */
  name: z.string(),
});
export type ConversationUser = z.infer<typeof ConversationUser>;

/** The messages of an account with a person. It begins with the person's first message. */
export const Conversation = z.object({
  id: Id,
  /** As incoming messages name the person: a phone number or an e-mail address, or what the carrier gave. */
  address: z.string(),
  /** The name in a contact list of the account. Absent for callers who may not read contacts. */
  contact: z.string().nullable().optional(),
  state: ConversationState,
  unread: z.int(),
  /** Who answers; null is nobody in particular. */
  Assignee: ConversationUser.nullable(),
  /** By which the team sorts its conversations. */
  labels: z.array(z.string()),
  /** The last incoming message or reply. */
  lastMessage: z.object({
    id: Id,
    direction: z.enum(['incoming', 'outgoing']),
    /** The beginning of it. */
    text: z.string().nullable(),
    attachment: z.enum(['image', 'file']).nullable(),
  }),
  /** To which the person wrote last. */
  type: SendingType,
  sender: z.string(),
  /** Only when one conversation is retrieved: to which the person wrote, the last first. */
  channels: z.array(z.object({ type: SendingType, sender: z.string() })).optional(),
  /** Only when one conversation is retrieved: the types of messages that the person gets none of; null is all types. */
  optOuts: z.array(SendingType.nullable()).optional(),
  OwnerId: Id,
  Owner: OwnerRef.optional(),
  createdAt: Time,
  lastMessageAt: Time,
});
export type Conversation = z.infer<typeof Conversation>;

/** What a team writes beside the messages. The person never gets it. */
export const ConversationNote = z.object({
  id: Id,
  text: z.string(),
  Author: ConversationUser,
  /** Whether the caller may remove it: its author, or an owner of the account. */
  mayRemove: z.boolean(),
  createdAt: Time,
});
export type ConversationNote = z.infer<typeof ConversationNote>;

/** One of them is not null. */
export const ConversationMessage = z.object({
  id: Id,
  incoming: SendingIncoming.nullable(),
  sending: Sending.nullable(),
  /** Only for callers who ask for notes. */
  note: ConversationNote.nullable(),
});
export type ConversationMessage = z.infer<typeof ConversationMessage>;

/** Later messages have not been seen: they stay unread, and the conversation waits for an answer. */
const messageId = Id.optional();
export const ConversationRead = z.strictObject({ messageId });
export const ConversationAssignment = z.strictObject({ AssigneeId: Id.nullable() });
/** Replaces those before. Of labels that differ only in case or accents the first is kept. */
export const ConversationLabels = z.strictObject({
  labels: arrayOf(trimmed(MAX_TAG_LENGTH).min(1), { max: MAX_LABELS }),
});
export const NoteInput = z.strictObject({ text: written(MAX_NOTE_LENGTH) });
export const ReplyInput = z.strictObject({
  text: written(MAX_REPLY_LENGTH),
  /** By default those to which the person wrote last. */
  type: SendingType.optional(),
  sender: trimmed(150).optional(),
  messageId,
});

export const conversations = {
  find: endpoint('GET', '/conversations', {
    query: listQuery({
      order: ['lastMessageAt'],
      filter: {
        state: many(ConversationState),
        type: many(SendingType),
        assigned: ConversationAssigned,
        label: trimmed(MAX_TAG_LENGTH),
        OwnerId: Id,
        cursor: Cursor,
      },
      search: true,
    }),
    response: page(Conversation),
    can: 'sendingsIncoming.get',
    owner: 'read',
    summary: 'List conversations, the last message first',
  }),
  /** Of the last 1000 conversations that have any, at most 100. */
  labels: endpoint('GET', '/conversations/labels', {
    query: z.strictObject({ OwnerId: Id.optional(), token: QueryToken }),
    response: z.object({ data: z.array(z.string()) }),
    can: 'sendingsIncoming.get',
    owner: 'read',
    summary: 'List the labels of the conversations of an account, the most frequent first',
  }),
  get: endpoint('GET', '/conversations/:id', {
    params: ById,
    response: Conversation,
    can: 'sendingsIncoming.get',
  }),
  messages: endpoint('GET', '/conversations/:id/messages', {
    params: ById,
    query: z.strictObject({
      cursor: Id.optional(),
      $limit: queryInt(1, MAX_THREAD_LIMIT).default(30),
      /** With the notes of the team in their places. */
      notes: QueryBoolean.optional(),
      token: QueryToken,
    }),
    response: z.object({ data: z.array(ConversationMessage), hasMore: z.boolean() }),
    can: 'sendingsIncoming.get',
    summary: 'List the messages of a conversation in both directions, newest first',
  }),
  reply: endpoint('POST', '/conversations/:id/replies', {
    charges: true,
    params: ById,
    body: ReplyInput,
    response: SendingReceipt,
    responses: { 200: SendingReceipt, 400: SendingReceipt },
    can: 'sendings.generate',
    idempotent: true,
    cost: 'message',
    summary: 'Answer a person (200 with a receipt, 400 with one that is refused)',
  }),
  note: endpoint('POST', '/conversations/:id/notes', {
    params: ById,
    body: NoteInput,
    response: ConversationNote,
    status: 201,
    can: 'sendingsIncoming.update',
    idempotent: true,
    quota: 'conversationNotes',
    summary: 'Add a note for the team to a conversation. It is not sent',
  }),
  removeNote: endpoint('DELETE', '/conversations/:id/notes/:noteId', {
    params: ById.extend({ noteId: z.guid() }),
    response: Removed,
    can: 'sendingsIncoming.update',
    summary: 'Remove a note: its author, or an owner of the account',
  }),
  read: endpoint('POST', '/conversations/:id/read', {
    bound: 'nothing',
    params: ById,
    body: ConversationRead,
    response: Conversation,
    can: 'sendingsIncoming.update',
    summary: 'Mark the messages of a conversation as read',
  }),
  readAll: endpoint('POST', '/conversations/read', {
    bound: 'nothing',
    response: z.object({ read: z.int(), hasMore: z.boolean() }),
    can: 'sendingsIncoming.update',
    summary: 'Mark the messages of all conversations of the account as read',
  }),
  /** All of them: a team is small. */
  assignees: endpoint('GET', '/conversations/:id/assignees', {
    params: ById,
    response: z.object({ data: z.array(ConversationUser) }),
    can: 'sendingsIncoming.update',
    summary: 'List the users to whom a conversation can be assigned',
  }),
  /** 429 `rate_limited` above 600 assignments to others an hour, by an account. */
  assign: endpoint('PUT', '/conversations/:id/assignee', {
    bound: 'limiter',
    params: ById,
    body: ConversationAssignment,
    response: Conversation,
    can: 'sendingsIncoming.update',
    summary: 'Assign a conversation to a user of its account, or to nobody',
  }),
  label: endpoint('PUT', '/conversations/:id/labels', {
    bound: 'nothing',
    params: ById,
    body: ConversationLabels,
    response: Conversation,
    can: 'sendingsIncoming.update',
    summary: 'Replace the labels of a conversation',
  }),
  close: endpoint('POST', '/conversations/:id/close', {
    bound: 'nothing',
    params: ById,
    response: Conversation,
    can: 'sendingsIncoming.update',
    summary: 'Close a conversation',
  }),
  reopen: endpoint('POST', '/conversations/:id/reopen', {
    bound: 'nothing',
    params: ById,
    response: Conversation,
    can: 'sendingsIncoming.update',
    summary: 'Make a conversation wait for an answer again',
  }),
};
