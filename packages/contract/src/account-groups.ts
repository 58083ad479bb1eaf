import { SENDING_TYPES } from '@heliograph/domain';
import * as z from 'zod';
import type { AuditAction } from './audit-actions.ts';
import { channelName } from './channels.ts';
import { ById, endpoint, Removed } from './endpoint.ts';
import { arrayOf, Id, Time, Title } from './fields.ts';
import { listQuery, page } from './list.ts';
import type { Permission } from './permissions.ts';
import { SendingType } from './types.ts';

/** So many groups of a kind an account is in. */
export const MAX_GROUPS = 20;

/** A group by name: all that an account is told of those it is in. */
export const GroupRef = z.object({ id: Id, title: z.string() });
export type GroupRef = z.infer<typeof GroupRef>;

const item = z.object({
  ...GroupRef.shape,
  /** Accounts that are in it. */
  accounts: z.int(),
  createdAt: Time,
  updatedAt: Time,
});

/** Groups that who administers the installation keeps, and the accounts that are in them. */
function accountGroups<I extends z.ZodType, F extends z.ZodRawShape>(
  name: 'routingGroups' | 'messageRuleGroups',
  group: I,
  fields: z.ZodObject<F, z.core.$strict>,
) {
  const of = (action: 'create' | 'update' | 'remove' | 'assign') => ({
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
      ...of('create'),
    }),
    update: endpoint('PUT', `/${name}/:id`, {
      params: ById,
      body: fields.partial(),
      response: group,
      alias: 'PATCH',
      ...of('update'),
    }),
    remove: endpoint('DELETE', `/${name}/:id`, {
      params: ById,
      response: Removed,
      ...of('remove'),
    }),
    /** Into these groups and no others, in this order. */
    assign: endpoint('PUT', `/users/:id/${name}`, {
      summary: 'Put an account into these groups and take it out of all others',
      params: ById,
      body: z.strictObject({ ids: arrayOf(Id, { max: MAX_GROUPS }) }),
      response: z.object({ data: z.array(group) }),
      ...of('assign'),
    }),
  };
}

/** Routes that a routing group may hold. */
export const MAX_ROUTES = 100;

/** Messages of a type are sent through this channel while it is switched on. */
export const Route = z.strictObject({ type: SendingType, ChannelId: channelName });
export type Route = z.infer<typeof Route>;

export const RoutingGroup = item.extend({
  /** The first that can be followed is. */
  routes: z.array(z.object({ type: SendingType, ChannelId: z.string() })),
});
export type RoutingGroup = z.infer<typeof RoutingGroup>;
export const RoutingGroupInput = z.strictObject({
  title: Title,
  routes: arrayOf(Route, { min: 1, max: MAX_ROUTES }),
});

const types = arrayOf(SendingType, { max: SENDING_TYPES.length });
/** As in the settings of an account; absent: nothing beside those. */
export const MessageRules = z.strictObject({
  types: types.optional(),
  sendernamesCheck: types.optional(),
});
export type MessageRules = z.infer<typeof MessageRules>;

export const MessageRuleGroup = item.extend({ rules: MessageRules });
export type MessageRuleGroup = z.infer<typeof MessageRuleGroup>;
export const MessageRuleGroupInput = z.strictObject({ title: Title, rules: MessageRules });

export const routingGroups = accountGroups('routingGroups', RoutingGroup, RoutingGroupInput);
export const messageRuleGroups = accountGroups(
  'messageRuleGroups',
  MessageRuleGroup,
  MessageRuleGroupInput,
);
