import { Injectable } from '@nestjs/common';
import type { ChannelForRoute } from '@heliograph/contract';
import {
  carriesSender,
  channelOrder,
  chosenChannel,
  dependsOnNetwork,
  findOperator,
  hasPlaces,
  isAvoided,
  isSuppressible,
  shareOf,
  unmetByPlace,
  unmetByTraffic,
  type RegisteredAt,
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
import { operatorByCode, operators } from '../pricing/operators.ts';
import type { StoredSending } from '../plan.ts';
import { refused } from '../refusals.ts';
import { NO_ROUTE, TEST_ROUTING, type Routing } from '../routing.ts';
import { FoundNetworksService } from '../found-networks.service.ts';

/** Undefined when no active channel takes the message. */
export type RouteOf = (message: { id: string; address: string }) => Routing | undefined;

/** The addresses of all messages that are routed; asked for only if it matters. */
export type Addresses = () => (string | null)[];

/** What messages have in common for which a channel is chosen. */
export type Traffic = Omit<RoutedTraffic, 'GroupIds'> & Pick<StoredSending, 'live'>;
/** From whom they are. */
type SentFrom = Pick<Traffic, 'OwnerId' | 'type' | 'sender'>;

/** Why no channel takes messages: none that is active takes their type, or none of these has their sender name registered. */
export type Lack = 'channel_down' | 'sender_not_registered';

/** A route that is for some traffic, with those of its channels that take it. */
interface Candidate extends RoutePlan {
  unmetBy: ReturnType<typeof unmetByPlace>;
}

/** Where a number is, by its prefix or, later, a look-up. */
interface KnownPlace extends RoutedPlace {
  /** Whether the account has looked it up, also if that did not say the network. */
  isAsked: boolean;
  /** When the account has looked it up; null if the place is that of the prefix. */
  lookedUpAt: Date | null;
}

export interface Explained {
  place: KnownPlace;
  route: { id: string; title: string } | null;
  channel: string | null;
  /**
   * Routes before that one, with the first condition that the message does not meet. `channels`: none of theirs takes it; `registration`: none
   * that does has its sender name registered.
   */
  passed: {
    id: string;
    title: string;
    unmet: keyof RouteConditions | 'channels' | 'registration';
  }[];
  /** The preferred first. */
  channels: { name: string; weight: number | null; share: number | null; state: ChannelForRoute }[];
}

/** How often a process gives a channel that is down a message, to find out whether it works again. */
const PROBE_MS = 1000;
/** A code is given to it only if nothing else was for so long. */
const CODE_PROBE_MS = 60_000;
const NO_NAMES: RegisteredAt = new Map();
const NO_PLACE: KnownPlace = { country: null, mccmnc: null, isAsked: false, lookedUpAt: null };
const countryOf = (network: string) => operatorByCode(network)?.country ?? null;

/**
 * Chooses the channels of messages: when these are written, and again for those that wait when what it depends on has changed. Routes,
 * groups and channels are cached for a second; messages cost no query. Where routes ask for a network and the account's look-ups count, those
 * of all `addresses` are read at once.
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
    private readonly found: FoundNetworksService,
  ) {}

  /**
   * Throws `unavailable` when no active channel takes the type, `sender_not_registered` when none has the sender name. Of messages that are
   * refused anyway the name is not asked for.
   */
  async requireChannel(traffic: SentFrom, isRefused = false): Promise<void> {
    const lack = await this.lackOf(traffic);
    if (lack && !(isRefused && lack === 'sender_not_registered'))
      throw noChannel(lack, traffic.type);
  }

  /** Why no channel takes such messages now; null when one does. */
  async lackOf(traffic: SentFrom): Promise<Lack | null> {
    const { routes } = await this.settings.sendingRules(traffic.OwnerId);
    const carries = this.carrying(traffic, await this.routes.table());
    if (await this.channels.activeChannel(traffic.type, routes, carries)) return null;
    const any = await this.channels.activeChannel(traffic.type, routes);
    return any ? 'sender_not_registered' : 'channel_down';
  }

  /** Whether a channel carries the sender name of messages now, as far as it needs a registration. */
  async carriers(traffic: SentFrom): Promise<(channel: string) => boolean> {
    return this.carrying(traffic, await this.routes.table());
  }

  /** The version by which messages are routed now. */
  async version(): Promise<number> {
    return (await this.routes.table()).version;
  }

  /** Chooses for each message to be written. */
  async of(traffic: Traffic, addresses: Addresses): Promise<RouteOf> {
    if (traffic.live === false) return () => TEST_ROUTING;
    return this.routeOf(traffic, await this.routes.table(), addresses, { mayProbe: true });
  }

  /** As `of`, but throws for a message that no active channel takes, as `requireChannel` does. */
  async forNew(
    traffic: Traffic,
    addresses: Addresses,
    isRefused = false,
  ): Promise<(...message: Parameters<RouteOf>) => Routing> {
    if (traffic.live === false) return () => TEST_ROUTING;
    const table = await this.routes.table();
    const asked = isRefused ? { ...table, registered: NO_NAMES } : table;
    const { lookupFirst } = await this.settings.sendingRules(traffic.OwnerId);
    // Nobody waits longer for a code, and checks of a number are sent as they are.
    const isAsking = lookupFirst && traffic.kind !== 'code' && isSuppressible(traffic.type);
    const routeOf = await this.routeOf(traffic, asked, addresses, { mayProbe: true, isAsking });
    const lack = (!isRefused && (await this.lackOf(traffic))) || 'channel_down';
    return (message) => {
      const routing = routeOf(message);
      if (routing) return routing;
      throw noChannel(lack, traffic.type);
    };
  }

  /** Chooses for messages that wait: none of them is to find out whether a channel works again. */
  async ofWaiting(traffic: Traffic, addresses: Addresses): Promise<RouteOf> {
    return this.routeOf(traffic, await this.routes.table(), addresses, { mayProbe: false });
  }

  /** Which route and channel a message would take now, and why none of the routes before. */
  async explain(traffic: Traffic, message: { id: string; address: string }): Promise<Explained> {
    const table = await this.routes.table();
    const addresses = () => [message.address];
    const routing = (await this.ofWaiting(traffic, addresses))(message);
    const { GroupIds } = await this.settings.sendingRules(traffic.OwnerId);
    const ofType = await this.ofType(traffic.type);
    const carries = this.carrying(traffic, table);
    const place = (await this.placesOf(traffic.OwnerId, addresses))(message.address);
    const passed: Explained['passed'] = [];
    for (const route of table.routes) {
      if (route.id === routing?.routeId) break;
      const takers = route.channels.filter(({ ChannelId }) => ofType.has(ChannelId));
      const unmet =
        unmetByTraffic(route, { ...traffic, GroupIds }) ??
        unmetByPlace(route)(place) ??
        (takers.length && !takers.some(({ ChannelId }) => carries(ChannelId))
          ? 'registration'
          : 'channels');
      passed.push({ id: route.id, title: table.titles.get(route.id)!, unmet });
    }
    const channelOf = await this.channelsOf(table);
    const chosen = table.routes.find(({ id }) => id === routing?.routeId);
    const ofRoute = new Map(chosen?.channels.map((one) => [one.ChannelId, one]));
    // Without a route all channels of the type might have been chosen.
    const possible = chosen ? [...ofRoute.keys()] : [...ofType].filter((name) => !carries(name));
    const isTaker = (name: string) => ofType.has(name) && carries(name);
    const names = [
      ...(routing?.routeChannels ?? (routing ? [routing.channel] : [])),
      ...possible.filter((name) => !isTaker(name)),
    ];
    return {
      place,
      route: chosen ? { id: chosen.id, title: table.titles.get(chosen.id)! } : null,
      channel: routing?.channel ?? null,
      passed,
      channels: names.map((name) => ({
        name,
        weight: chosen?.isWeighted ? (ofRoute.get(name)?.weight ?? null) : null,
        share: ofRoute.get(name)?.share ?? null,
        state: stateOf(channelOf(name), ofType.has(name), carries(name)),
      })),
    };
  }

  private async routeOf(
    traffic: Traffic,
    table: RouteTable,
    addresses: Addresses,
    { mayProbe, isAsking = false }: { mayProbe: boolean; isAsking?: boolean },
  ): Promise<RouteOf> {
    const { routes, GroupIds } = await this.settings.sendingRules(traffic.OwnerId);
    const carries = this.carrying(traffic, table);
    const other = (await this.channels.activeChannel(traffic.type, routes, carries))?.name;
    const { version: routeVersion } = table;
    const byDefault = other ? { ...NO_ROUTE, channel: other, routeVersion } : undefined;
    const candidates = await this.candidates({ ...traffic, GroupIds }, table);
    if (!candidates.length) return () => byDefault;
    const now = this.clock.now();
    const channelOf = await this.channelsOf(table);
    const placeOf = candidates.some(hasPlaces)
      ? await this.placesOf(traffic.OwnerId, addresses)
      : () => NO_PLACE;
    const choose = (id: string, place: KnownPlace): Routing | undefined => {
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
    return ({ id, address }) => {
      const place = placeOf(address);
      const routing = choose(id, place);
      const isOpen =
        isAsking &&
        address.startsWith('+') &&
        !place.isAsked &&
        dependsOnNetwork(candidates, place.country, countryOf);
      return routing && isOpen ? { ...routing, isOpen } : routing;
    };
  }

  /** The channel that looks numbers up for an account, with the sender name of its messages; undefined when none works. */
  async forLookups(OwnerId: string, sender: string, addresses: Addresses): Promise<RouteOf> {
    const traffic = { OwnerId, sender, type: 'hlr', kind: 'single' } as const;
    const table = await this.routes.table();
    const routeOf = await this.routeOf(traffic, table, addresses, { mayProbe: true });
    const now = this.clock.now();
    return (message) => {
      const routing = routeOf(message);
      const until = routing && table.down.get(routing.channel)?.until;
      return until && until > now ? undefined : routing;
    };
  }

  /** Where addresses are: by what the account has looked up, or else by their prefix. */
  private async placesOf(
    OwnerId: string,
    addresses: Addresses,
  ): Promise<(address: string) => KnownPlace> {
    const found = await this.found.of(OwnerId, addresses);
    const countries = new Map<string, string | null>();
    return (address) => {
      const place = placeOf(address);
      const lookup = found.get(address);
      if (!lookup) return place;
      const { network: mccmnc, at: lookedUpAt } = lookup;
      if (mccmnc === null) return { ...place, isAsked: true };
      const known = countries.get(mccmnc);
      const country = known === undefined ? countryOf(mccmnc) : known;
      countries.set(mccmnc, country);
      return { country: country ?? place.country, mccmnc, isAsked: true, lookedUpAt };
    };
  }

  private async candidates(traffic: RoutedTraffic, table: RouteTable): Promise<Candidate[]> {
    const matching = table.routes.filter((route) => !unmetByTraffic(route, traffic));
    if (!matching.length) return [];
    const ofType = await this.ofType(traffic.type);
    const carries = this.carrying(traffic, table);
    return matching.flatMap((route) => {
      const channels = route.channels.filter(
        ({ ChannelId }) => ofType.has(ChannelId) && carries(ChannelId),
      );
      return channels.length ? [{ ...route, channels, unmetBy: unmetByPlace(route) }] : [];
    });
  }

  /** Channels that take a type, also those that are off. */
  private async ofType(type: SendingType): Promise<ReadonlySet<string>> {
    const all = await this.channels.list();
    return new Set(all.filter(({ types }) => types.includes(type)).map(({ name }) => name));
  }

  /** Whether a channel carries the sender name of messages now. */
  private carrying(
    { type, sender }: SentFrom,
    { registered }: RouteTable,
  ): (channel: string) => boolean {
    const now = this.clock.now();
    return (channel) => carriesSender(registered, channel, { type, sender }, now);
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

const noChannel = (lack: Lack, type: SendingType): AppError =>
  lack === 'channel_down'
    ? new AppError('unavailable', `No channel takes ${type} right now`)
    : refused(lack);

function stateOf(
  channel: RoutedChannel | undefined,
  takesType: boolean,
  carriesName: boolean,
): ChannelForRoute {
  if (!channel) return 'removed';
  if (!takesType) return 'otherType';
  if (!carriesName) return 'notRegistered';
  if (!channel.isActive) return 'off';
  return channel.downSince ? 'down' : 'working';
}

function placeOf(address: string): KnownPlace {
  const operator = address.startsWith('+') ? findOperator(operators(), address) : null;
  return operator ? { ...NO_PLACE, country: operator.country, mccmnc: operator.mccmnc } : NO_PLACE;
}
