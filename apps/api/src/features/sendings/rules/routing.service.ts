import { Injectable } from '@nestjs/common';
import type { ChannelForRoute } from '@heliograph/contract';
import {
  channelOrder,
  chosenChannel,
  findOperator,
  hasPlaces,
  isAvoided,
  shareOf,
  unmetByPlace,
  unmetByTraffic,
  type RouteConditions,
  type RoutedChannel,
  type RoutedPlace,
  type RoutedTraffic,
  type RoutePlan,
  type SendingType,
} from '@heliograph/domain';
import { Clock } from '../../../core/clock.ts';
import { AppError } from '../../../core/errors.ts';
import { ChannelsService } from '../../channels/channels.service.ts';
import { RoutesService, type RouteTable } from '../../routes/routes.service.ts';
import { SettingsService } from '../../settings/settings.service.ts';
import { operators } from '../pricing/operators.ts';
import type { StoredSending } from '../plan.ts';
import { NO_ROUTE, TEST_ROUTING, type Routing } from '../routing.ts';

/** Undefined when no active channel takes the type. */
export type RouteOf = (message: { id: string; address: string }) => Routing | undefined;

/** What messages have in common for which a channel is chosen. */
export type Traffic = Omit<RoutedTraffic, 'GroupIds'> & Pick<StoredSending, 'live'>;

/** A route that is for some traffic, with those of its channels that take it. */
interface Candidate extends RoutePlan {
  unmetBy: ReturnType<typeof unmetByPlace>;
}

export interface Explained {
  place: RoutedPlace;
  route: { id: string; title: string } | null;
  channel: string | null;
  /** Routes before that one, with the first condition that the message does not meet; `channels`: none of them takes it. */
  passed: { id: string; title: string; unmet: keyof RouteConditions | 'channels' }[];
  /** The preferred first. */
  channels: { name: string; weight: number | null; state: ChannelForRoute }[];
}

/** How often a process gives a channel that is down a message, to find out whether it works again. */
const PROBE_MS = 1000;
/** A code is given to it only if nothing else was for so long. */
const CODE_PROBE_MS = 60_000;
const NO_PLACE: RoutedPlace = { country: null, mccmnc: null };

/**
 * Chooses the channels of messages: when these are written, and again for those that wait when what it depends on has changed. Routes,
 * groups and channels are cached for a second; messages cost no query.
 */
@Injectable()
export class RoutingService {
  /** By channel: when a message was last given to it although it is down. */
  private readonly probes = new Map<string, number>();

  constructor(
    private readonly clock: Clock,
    private readonly settings: SettingsService,
    private readonly channels: ChannelsService,
    private readonly routes: RoutesService,
  ) {}

  /** Throws `unavailable` when no active channel takes the type. */
  async requireChannel(OwnerId: string, type: SendingType): Promise<void> {
    const { routes } = await this.settings.sendingRules(OwnerId);
    await this.channels.channelFor(type, routes);
  }

  async hasChannel(OwnerId: string, type: SendingType): Promise<boolean> {
    const { routes } = await this.settings.sendingRules(OwnerId);
    return (await this.channels.activeChannel(type, routes)) !== undefined;
  }

  /** The version by which messages are routed now. */
  async version(): Promise<number> {
    return (await this.routes.table()).version;
  }

  /** Chooses for each message to be written. */
  async of(traffic: Traffic): Promise<RouteOf> {
    if (traffic.live === false) return () => TEST_ROUTING;
    return this.routeOf(traffic, await this.routes.table(), true);
  }

  /** As `of`, but throws `unavailable` for a message that no active channel takes. */
  async forNew(traffic: Traffic): Promise<(...message: Parameters<RouteOf>) => Routing> {
    const routeOf = await this.of(traffic);
    return (message) => {
      const routing = routeOf(message);
      if (routing) return routing;
      throw new AppError('unavailable', `No channel takes ${traffic.type} right now`);
    };
  }

  /** Chooses for messages that wait: none of them is to find out whether a channel works again. */
  async ofWaiting(traffic: Traffic): Promise<RouteOf> {
    return this.routeOf(traffic, await this.routes.table(), false);
  }

  /** Which route and channel a message would take now, and why none of the routes before. */
  async explain(traffic: Traffic, message: { id: string; address: string }): Promise<Explained> {
    const table = await this.routes.table();
    const routing = (await this.ofWaiting(traffic))(message);
    const { GroupIds } = await this.settings.sendingRules(traffic.OwnerId);
    const takers = await this.takers(traffic.type);
    const place = placeOf(message.address);
    const passed: Explained['passed'] = [];
    for (const route of table.routes) {
      if (route.id === routing?.routeId) break;
      const unmet =
        unmetByTraffic(route, { ...traffic, GroupIds }) ?? unmetByPlace(route)(place) ?? 'channels';
      passed.push({ id: route.id, title: table.titles.get(route.id)!, unmet });
    }
    const channelOf = await this.channelsOf(table);
    const chosen = table.routes.find(({ id }) => id === routing?.routeId);
    const weights = new Map(chosen?.channels.map((one) => [one.ChannelId, one.weight]));
    const names = [
      ...(routing?.routeChannels ?? (routing ? [routing.channel] : [])),
      ...[...weights.keys()].filter((name) => !takers.has(name)),
    ];
    return {
      place,
      route: chosen ? { id: chosen.id, title: table.titles.get(chosen.id)! } : null,
      channel: routing?.channel ?? null,
      passed,
      channels: names.map((name) => ({
        name,
        weight: chosen?.isWeighted ? (weights.get(name) ?? null) : null,
        state: stateOf(channelOf(name), takers.has(name)),
      })),
    };
  }

  private async routeOf(traffic: Traffic, table: RouteTable, mayProbe: boolean): Promise<RouteOf> {
    const { routes, GroupIds } = await this.settings.sendingRules(traffic.OwnerId);
    const other = (await this.channels.activeChannel(traffic.type, routes))?.name;
    const { version: routeVersion } = table;
    const byDefault = other ? { ...NO_ROUTE, channel: other, routeVersion } : undefined;
    const candidates = await this.candidates({ ...traffic, GroupIds }, table);
    if (!candidates.length) return () => byDefault;
    const now = this.clock.now();
    const channelOf = await this.channelsOf(table);
    const needsPlace = candidates.some(hasPlaces);
    return ({ id, address }) => {
      const place = needsPlace ? placeOf(address) : NO_PLACE;
      for (const route of candidates) {
        if (route.unmetBy(place)) continue;
        const order = channelOrder(route, shareOf(id));
        const [first] = order;
        const isProbe =
          mayProbe &&
          isAvoided(route, channelOf(first!), now) &&
          this.takeProbe(first!, traffic, table, now);
        const channel = isProbe ? first : chosenChannel(route, order, channelOf, now);
        if (channel) return { channel, routeId: route.id, routeChannels: order, routeVersion };
      }
      return byDefault;
    };
  }

  private async candidates(traffic: RoutedTraffic, { routes }: RouteTable): Promise<Candidate[]> {
    const matching = routes.filter((route) => !unmetByTraffic(route, traffic));
    if (!matching.length) return [];
    const takers = await this.takers(traffic.type);
    return matching.flatMap((route) => {
      const channels = route.channels.filter(({ ChannelId }) => takers.has(ChannelId));
      return channels.length ? [{ ...route, channels, unmetBy: unmetByPlace(route) }] : [];
    });
  }

  /** Channels that take a type, also those that are off. */
  private async takers(type: SendingType): Promise<ReadonlySet<string>> {
    const all = await this.channels.list();
    return new Set(all.filter(({ types }) => types.includes(type)).map(({ name }) => name));
  }

  private async channelsOf({
    down,
  }: RouteTable): Promise<(name: string) => RoutedChannel | undefined> {
    const byName = new Map(
      (await this.channels.list()).map(({ name, isActive }) => [
        name,
        { isActive, downSince: down.get(name)?.since ?? null },
      ]),
    );
    return (name) => byName.get(name);
  }

  /** Whether a message goes to a channel that is down: without any it would not be found out that it works again. */
  private takeProbe(channel: string, { kind }: Traffic, { down }: RouteTable, now: Date): boolean {
    const until = down.get(channel)?.until;
    if (!until) return false;
    const overdue = now.getTime() - until.getTime() - (kind === 'code' ? CODE_PROBE_MS : 0);
    const last = this.probes.get(channel);
    if (overdue < 0 || (last !== undefined && now.getTime() - last < PROBE_MS)) return false;
    this.probes.set(channel, now.getTime());
    return true;
  }
}

function stateOf(channel: RoutedChannel | undefined, takesType: boolean): ChannelForRoute {
  if (!channel) return 'removed';
  if (!takesType) return 'otherType';
  if (!channel.isActive) return 'off';
  return channel.downSince ? 'down' : 'working';
}

function placeOf(address: string): RoutedPlace {
  const operator = address.startsWith('+') ? findOperator(operators(), address) : null;
  return operator ? { country: operator.country, mccmnc: operator.mccmnc } : NO_PLACE;
}
