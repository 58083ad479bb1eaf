import { RECEIPT_SECONDS, SHARE_TOTAL, TRAFFIC_KINDS } from '@heliograph/domain';
import * as z from 'zod';
import { GroupRef } from './account-groups.ts';
import { channelName } from './channels.ts';
import { endpoint } from './endpoint.ts';
import {
  arrayOf,
  Country,
  Id,
  many,
  NetworkCode,
  OwnerRef,
  QueryBoolean,
  text,
  Time,
  Title,
  trimmed,
} from './fields.ts';
import { crud, listQuery } from './list.ts';
import { SendingType } from './types.ts';

/** Values of one condition of a route. */
const MAX_VALUES = 200;
const MAX_CHANNELS = 20;
const MAX_PRIORITY = 1_000_000;
const MAX_WEIGHT = 1000;
const DAY_SECONDS = 24 * 3600;

const TrafficKind = z.enum(TRAFFIC_KINDS);

const conditions = {
  types: arrayOf(SendingType, { max: SendingType.options.length }),
  countries: arrayOf(Country, { max: MAX_VALUES }),
  operators: arrayOf(NetworkCode, { max: MAX_VALUES }),
  senders: arrayOf(trimmed(150).min(1), { max: MAX_VALUES }),
  OwnerIds: arrayOf(Id, { max: MAX_VALUES }),
  GroupIds: arrayOf(Id, { max: MAX_VALUES }),
  kinds: arrayOf(TrafficKind, { max: TRAFFIC_KINDS.length }),
};

export const RouteChannel = z.strictObject({
  ChannelId: channelName,
  weight: z.int().min(0).max(MAX_WEIGHT).default(1),
});
export type RouteChannel = z.infer<typeof RouteChannel>;

const fields = z.strictObject({
  title: Title,
  isActive: z.boolean(),
  priority: z.int().min(-MAX_PRIORITY).max(MAX_PRIORITY),
  ...conditions,
  channels: arrayOf(RouteChannel, { min: 1, max: MAX_CHANNELS }).refine(
    (channels) => new Set(channels.map(({ ChannelId }) => ChannelId)).size === channels.length,
    { message: 'A channel is listed twice.', params: { rule: 'unique' } },
  ),
  isWeighted: z.boolean(),
  failoverAfter: z.int().min(0).max(DAY_SECONDS).nullable(),
  /** Its channels get more and fewer messages than by their weights, by how well they deliver. */
  shiftsShares: z.boolean(),
  /** From how many seconds a receipt is late. */
  lateAfter: z.literal(RECEIPT_SECONDS),
});

export const RouteInput = fields.extend({
  isActive: fields.shape.isActive.default(true),
  priority: fields.shape.priority.default(0),
  types: conditions.types.default([]),
  countries: conditions.countries.default([]),
  operators: conditions.operators.default([]),
  senders: conditions.senders.default([]),
  OwnerIds: conditions.OwnerIds.default([]),
  GroupIds: conditions.GroupIds.default([]),
  kinds: conditions.kinds.default([]),
  isWeighted: fields.shape.isWeighted.default(false),
  failoverAfter: fields.shape.failoverAfter.default(60),
  shiftsShares: fields.shape.shiftsShares.default(false),
  lateAfter: fields.shape.lateAfter.default(300),
});
export type RouteInput = z.output<typeof RouteInput>;

/** What a channel gets now of the messages of a route that shifts shares. */
export const RouteShare = z.object({ ChannelId: z.string(), share: z.int().max(SHARE_TOTAL) });
export type RouteShare = z.infer<typeof RouteShare>;

export const Route = z.object({
  id: Id,
  ...fields.shape,
  /** In parts of a thousand; empty if the route does not shift shares. */
  shares: z.array(RouteShare),
  /** The accounts and groups of its conditions that still exist. */
  Owners: z.array(OwnerRef),
  Groups: z.array(GroupRef),
  createdAt: Time,
  updatedAt: Time,
});
export type Route = z.infer<typeof Route>;

/** Of a route for one message. `notRegistered`: the channel needs registered sender names, and that of the message is none. */
export const CHANNELS_FOR_ROUTE = [
  'working',
  'down',
  'off',
  'otherType',
  'notRegistered',
  'removed',
] as const;
export type ChannelForRoute = (typeof CHANNELS_FOR_ROUTE)[number];
export const UNMET = [
  ...(Object.keys(conditions) as (keyof typeof conditions)[]),
  'channels',
  'registration',
] as const;

export const RouteRef = z.object({ id: Id, title: z.string() });
export const RouteProbeInput = z.strictObject({
  OwnerId: Id.optional(),
  type: SendingType,
  kind: TrafficKind.default('single'),
  sender: text(100),
  recipient: text(100).min(1),
  text: text(2000).default(''),
});
/** Which way a message would go now, and why. */
export const RouteProbe = z.object({
  recipient: z.string(),
  country: z.string().nullable(),
  mccmnc: z.string().nullable(),
  operator: z.string().nullable(),
  /** When the account has looked the network up; null if it is that of the prefix. */
  lookedUpAt: Time.nullable(),
  /** Null without a matching one: then the channel is that of the account's groups, or of the type. */
  route: RouteRef.nullable(),
  /** Null when no channel takes the type. */
  channel: z.string().nullable(),
  channels: z.array(
    z.object({
      name: z.string(),
      /** Null if the route is not weighted. */
      weight: z.int().nullable(),
      /** Null if the route does not shift shares. */
      share: z.int().nullable(),
      state: z.enum(CHANNELS_FOR_ROUTE),
    }),
  ),
  /** Routes with a higher priority, and the first condition that the message does not meet. */
  passed: z.array(RouteRef.extend({ unmet: z.enum(UNMET) })),
  amount: z.number().nullable(),
  currency: z.string(),
});
export type RouteProbe = z.infer<typeof RouteProbe>;

const rules = crud('routes', {
  item: Route,
  input: RouteInput,
  update: fields.partial(),
  query: listQuery({
    order: ['priority', 'title', 'createdAt'],
    filter: { isActive: QueryBoolean, channel: many(channelName) },
    search: true,
    limit: 20,
  }),
  audit: true,
  isShared: true,
  accept: 'managerUp',
});

export const routes = {
  ...rules,
  probe: endpoint('POST', '/routes/probe', {
    bound: 'nothing',
    body: RouteProbeInput,
    response: RouteProbe,
    can: 'routes.get',
    accept: 'managerUp',
    owner: 'write',
    cost: 'estimate',
    summary: 'Show which route and channel a message would take, and why',
  }),
};
