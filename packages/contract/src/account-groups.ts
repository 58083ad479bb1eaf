import { SENDING_TYPES } from '@heliograph/domain';
import * as z from 'zod';
import type { AuditAction } from './audit-actions.ts';
import { channelName } from './channels.ts';
import { ById, endpoint, Removed } from './endpoint.ts';
import { arrayOf, Id, Time, Title } from './fields.ts';
import { listQuery, page } from './list.ts';
import type { Permission } from './permissions.ts';
import { SendingType } from './types.ts';

/** Maximum number of groups of one kind per account. */
export const MAX_GROUPS = 20;

/** Reference to a group. Accounts see only this of the groups they belong to. */
export const GroupRef = z.object({ id: Id, title: z.string() });
export type GroupRef = z.infer<typeof GroupRef>;

const item = z.object({
  ...GroupRef.shape,
  /** Number of accounts in the group. */
  accounts: z.int(),
  createdAt: Time,
  updatedAt: Time,
});

/** Endpoints of groups of accounts, which administrators maintain. */
function accountGroups<I extends z.ZodType, F extends z.ZodRawShape>(
  name: 'routingGroups' | 'messageRuleGroups',
  group: I,
  fields: z.ZodObject<F, z.core.$strict>,
) {
  /** Common options of the endpoints that change groups. */
  const changing = (action: 'create' | 'update' | 'remove' | 'assign') => ({
    can: `${name}.${action === 'assign' ? 'update' : action}` as Permission,
    audit: `${name}.${action}` as AuditAction,
    accept: 'managerUp' as const,
  });
  const reading = { can: `${name}.get` as Permission, accept: 'managerUp' as const };
  return {
    find: endpoint('GET', `/${name}`, {
      query: listQuery({ order: ['createdAt', 'title'], search: true, limit: 20 }),
      response: page(group),
      ...reading,
    }),
    get: endpoint('GET', `/${name}/:id`, { params: ById, response: group, ...reading }),
    create: endpoint('POST', `/${name}`, {
      body: fields,
      response: group,
      status: 201,
      ...changing('create'),
    }),
    update: endpoint('PUT', `/${name}/:id`, {
      params: ById,
      body: fields.partial(),
      response: group,
      alias: 'PATCH',
      ...changing('update'),
    }),
    remove: endpoint('DELETE', `/${name}/:id`, {
      params: ById,
      response: Removed,
      ...changing('remove'),
    }),
    assign: endpoint('PUT', `/users/:id/${name}`, {
      summary: 'Replace the groups of an account',
      params: ById,
      body: z.strictObject({ ids: arrayOf(Id, { max: MAX_GROUPS }) }),
      response: z.object({ data: z.array(group) }),
      ...changing('assign'),
    }),
  };
}

/** Routes that a routing group may hold. */
export const MAX_ROUTES = 100;

/** The channel for messages of a type, used while it is active. */
export const GroupRoute = z.strictObject({ type: SendingType, ChannelId: channelName });
export type GroupRoute = z.infer<typeof GroupRoute>;

export const RoutingGroup = item.extend({
  /** In order of precedence. */
  routes: z.array(z.object({ type: SendingType, ChannelId: z.string() })),
});
export type RoutingGroup = z.infer<typeof RoutingGroup>;
export const RoutingGroupInput = z.strictObject({
  title: Title,
  routes: arrayOf(GroupRoute, { min: 1, max: MAX_ROUTES }),
});

const types = arrayOf(SendingType, { max: SENDING_TYPES.length });
/** The same rules as in the settings of an account. An absent rule adds no restriction. */
export const MessageRules = z.strictObject({
  types: types.optional(),
  sendernamesCheck: types.optional(),
});
export type MessageRules = z.infer<typeof MessageRules>;

export const MessageRuleGroup = item.extend({ rules: MessageRules });
export type MessageRuleGroup = z.infer<typeof MessageRuleGroup>;
/** In a change an absent rule stays as it is; null removes it. */
const rules = z.strictObject({ types: types.nullish(), sendernamesCheck: types.nullish() });
export const MessageRuleGroupInput = z.strictObject({ title: Title, rules });

export const routingGroups = accountGroups('routingGroups', RoutingGroup, RoutingGroupInput);
export const messageRuleGroups = accountGroups(
  'messageRuleGroups',
  MessageRuleGroup,
  MessageRuleGroupInput,
);
