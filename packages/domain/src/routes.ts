import { mccmncTest } from './pricing-conditions.ts';
import type { SendingType } from './types.ts';

/** A code is what a person waits for; the others are messages to one recipient, and those of a task. */
export const TRAFFIC_KINDS = ['code', 'single', 'bulk'] as const;
export type TrafficKind = (typeof TRAFFIC_KINDS)[number];

/** For which messages a route is. An empty list admits all; otherwise one of its values must match. */
export interface RouteConditions {
  types: readonly SendingType[];
  /** ISO 3166-1 alpha-2, of the recipient's number. */
  countries: readonly string[];
  /** As in tariffs: `25001` is a network, `401*` all of a country. */
  operators: readonly string[];
  senders: readonly string[];
  OwnerIds: readonly string[];
  /** Routing groups of the account. */
  GroupIds: readonly string[];
  kinds: readonly TrafficKind[];
}

export interface RouteChannel {
  ChannelId: string;
  /** Its share of the messages of a weighted route. */
  weight: number;
}

/** A channel by which a route chooses. */
export interface PlannedChannel extends RouteChannel {
  /** What it gets instead of its weight, in parts of a thousand, of a route that shifts shares. */
  share?: number;
}

export interface RoutePlan extends RouteConditions {
  id: string;
  channels: readonly PlannedChannel[];
  isWeighted: boolean;
  /** After how many seconds waiting messages leave a channel that is down; null: never. */
  failoverAfter: number | null;
}

/** What messages of one request have in common. */
export interface RoutedTraffic {
  type: SendingType;
  sender: string;
  kind: TrafficKind;
  OwnerId: string;
  /** Routing groups of the account. */
  GroupIds: readonly string[];
}

/** Where the number of a recipient is; null if that is not known. */
export interface RoutedPlace {
  country: string | null;
  mccmnc: string | null;
}

const admits = <T>(values: readonly T[], value: T) => !values.length || values.includes(value);

/** The first condition of a route that such messages do not meet, wherever their recipients are; null if it is for them. */
export function unmetByTraffic(
  route: RouteConditions,
  traffic: RoutedTraffic,
): keyof RouteConditions | null {
  const { senders, GroupIds } = route;
  const sender = traffic.sender.toLowerCase();
  if (!admits(route.types, traffic.type)) return 'types';
  if (!admits(route.kinds, traffic.kind)) return 'kinds';
  if (!admits(route.OwnerIds, traffic.OwnerId)) return 'OwnerIds';
  if (GroupIds.length && !GroupIds.some((id) => traffic.GroupIds.includes(id))) return 'GroupIds';
  if (senders.length && !senders.some((one) => one.toLowerCase() === sender)) return 'senders';
  return null;
}

/** Whether the place of a recipient matters to a route. */
export const hasPlaces = ({ countries, operators }: RouteConditions): boolean =>
  countries.length + operators.length > 0;

/**
 * Whether the network of a number may decide which of these routes a message takes, given that of the country of its prefix: one that asks for
 * networks of that country comes before the first that admits all of its numbers. Where numbers are ported they stay in their country.
 * `countryOf` is that of a network, `25001` or `250*`; null if it is not known.
 */
export function dependsOnNetwork(
  routes: readonly Pick<RouteConditions, 'countries' | 'operators'>[],
  country: string | null,
  countryOf: (network: string) => string | null,
): boolean {
  const isHere = (network: string) => (countryOf(network) ?? country) === country;
  for (const { countries, operators } of routes) {
    if (countries.length && (country === null || !countries.includes(country))) continue;
    if (!operators.length) return false;
    if (country === null || operators.some(isHere)) return true;
  }
  return false;
}

/** For how long messages wait for look-ups of their numbers; then they go without, and what is not submitted by then is not looked up. */
export const LOOKUP_WAIT_SECONDS = { single: 20, bulk: 120 } as const;

/** The same of the place of a recipient. */
export function unmetByPlace({
  countries,
  operators,
}: Pick<RouteConditions, 'countries' | 'operators'>): (
  place: RoutedPlace,
) => 'countries' | 'operators' | null {
  const isOperator = mccmncTest(operators);
  return (place) => {
    if (countries.length && (place.country === null || !countries.includes(place.country)))
      return 'countries';
    return !operators.length || isOperator(place) ? null : 'operators';
  };
}

/**
 * The channels of a route for one message, the preferred first. Of a weighted route that is the one at `share` (from 0 to 1) of the sum of
 * the weights, or of the shares instead; the others follow by these.
 */
export function channelOrder(
  { channels, isWeighted }: Pick<RoutePlan, 'channels' | 'isWeighted'>,
  share: number,
): string[] {
  const names = channels.map(({ ChannelId }) => ChannelId);
  if (!isWeighted) return names;
  const partOf = (channel: PlannedChannel) => channel.share ?? channel.weight;
  const weighted = channels.filter((channel) => partOf(channel) > 0);
  let left = share * weighted.reduce((sum, channel) => sum + partOf(channel), 0);
  const first = weighted.find((channel) => (left -= partOf(channel)) < 0) ?? weighted.at(-1);
  if (!first) return names;
  const others = channels.filter((channel) => channel !== first);
  return [first, ...others.toSorted((a, b) => partOf(b) - partOf(a))].map((c) => c.ChannelId);
}

/** A number from 0 to 1 that stays with a message: the random end of its id, a UUID. */
export const shareOf = (id: string): number =>
  parseInt(id.replaceAll('-', '').slice(-12), 16) / 2 ** 48;

/** A channel as routes see it. */
export interface RoutedChannel {
  isActive: boolean;
  /** Since when it is down; null while it works. */
  downSince: Date | null;
}

/** Whether messages of a route wait for another channel than this one. */
export function isAvoided(
  { failoverAfter }: Pick<RoutePlan, 'failoverAfter'>,
  channel: RoutedChannel | undefined,
  now: Date,
): boolean {
  if (!channel?.isActive) return true;
  if (failoverAfter === null || !channel.downSince) return false;
  return now.getTime() - channel.downSince.getTime() >= failoverAfter * 1000;
}

/** The first channel that is not avoided, or else the first active one; undefined if none is active. */
export function chosenChannel(
  route: Pick<RoutePlan, 'failoverAfter'>,
  order: readonly string[],
  channelOf: (name: string) => RoutedChannel | undefined,
  now: Date,
): string | undefined {
  return (
    order.find((name) => !isAvoided(route, channelOf(name), now)) ??
    order.find((name) => channelOf(name)?.isActive)
  );
}
