import { MAX_RICH_TEXT } from '@heliograph/domain';
import * as z from 'zod';
import { ById, endpoint } from './endpoint.ts';
import { arrayOf, Id, OwnerRef, Time, trimmed, trimmedLines } from './fields.ts';
import { listQuery, page } from './list.ts';
import { LEVELS } from './permissions.ts';

export const SYSTEM_MESSAGE_TYPES = ['SystemPlatformIssues', 'SystemRouteIssues'] as const;
export const MAX_SYSTEM_ACCOUNTS = 1000;

export const AudienceAll = z.strictObject({ to: z.literal('all') });
export const AudienceOwn = z.strictObject({ to: z.literal('own') });
export const AudienceLevel = z.strictObject({ to: z.literal('level'), level: z.enum(LEVELS) });
export const AudienceAccounts = z.strictObject({
  to: z.literal('accounts'),
  accounts: arrayOf(Id, { min: 1, max: MAX_SYSTEM_ACCOUNTS }),
});
/** `all`: every account, for administrators. `own`: the accounts of the manager. */
const Audience = z.discriminatedUnion('to', [
  AudienceAll,
  AudienceOwn,
  AudienceLevel,
  AudienceAccounts,
]);
export type SystemAudience = z.output<typeof Audience>;

export const SystemMessageInput = z.strictObject({
  type: z.enum(SYSTEM_MESSAGE_TYPES),
  title: trimmed(100).min(1),
  /** HTML: b, i, u, s, code, pre, a, p, br and li; other tags are left out. */
  text: trimmedLines(MAX_RICH_TEXT).min(1),
  operator: trimmed(100).nullish(),
  audience: Audience,
});
export type SystemMessageInput = z.output<typeof SystemMessageInput>;

export const SystemMessage = z.object({
  id: Id,
  type: z.enum(SYSTEM_MESSAGE_TYPES),
  title: z.string(),
  text: z.string(),
  operator: z.string().nullable(),
  audience: z.object({
    to: z.enum(['all', 'own', 'level', 'accounts']),
    level: z.enum(LEVELS).optional(),
    count: z.int().optional(),
  }),
  /** Accounts that were notified up to now. */
  notified: z.int(),
  state: z.enum(['running', 'completed']),
  OwnerId: Id,
  Owner: OwnerRef.optional(),
  createdAt: Time,
  updatedAt: Time,
});
export type SystemMessage = z.output<typeof SystemMessage>;

export const systemMessages = {
  find: endpoint('GET', '/systemMessages', {
    query: listQuery({
      order: ['createdAt'],
      filter: { type: z.enum(SYSTEM_MESSAGE_TYPES) },
      limit: 20,
    }),
    response: page(SystemMessage),
    can: 'systemMessages.get',
    accept: 'managerUp',
    summary: 'List the system messages that you can see',
  }),
  get: endpoint('GET', '/systemMessages/:id', {
    params: ById,
    response: SystemMessage,
    can: 'systemMessages.get',
    accept: 'managerUp',
  }),
  create: endpoint('POST', '/systemMessages', {
    body: SystemMessageInput,
    response: SystemMessage,
    status: 201,
    can: 'systemMessages.create',
    idempotent: true,
    accept: 'managerUp',
    sessionOnly: true,
    cost: 'estimate',
    audit: 'systemMessages.create',
    summary: 'Notify all accounts, or some of them',
  }),
};
