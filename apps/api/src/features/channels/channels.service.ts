import { Injectable } from '@nestjs/common';
import type { Channel, ChannelDriver, channels, Page, GroupRoute } from '@heliograph/contract';
import {
  isLimited,
  segmentsAtOnce,
  SENDING_TYPES,
  type CertificateFacts,
  type ChannelLimits,
  type SendingType,
} from '@heliograph/domain';
import {
  InvalidOptions,
  type ChannelFacts,
  type ChannelSettings,
  type DriverDefinition,
} from '../../channels/channel.ts';
import { certificatesOf, isCertificate } from '../../channels/certificates.ts';
import { addressesOf, optionsOf, replacedOptions } from '../../channels/options.ts';
import { describeChannel, drivers, findDriver } from '../../channels/registry.ts';
import { Audit } from '../../core/audit/audit.ts';
import { TtlCache } from '../../core/ttl-cache.ts';
import { Config } from '../../core/config.ts';
import { Db } from '../../core/db/db.ts';
import { totals } from '../../core/db/find-page.ts';
import { AppError, invalid, notFound } from '../../core/errors.ts';
import type { In } from '../../core/http/endpoint.ts';
import { AddressRefused, Outbound } from '../../core/http/outbound.ts';
import { Sweeps } from '../../core/jobs/handlers.ts';
import { ChannelsStore, type ChannelRow } from './channels.store.ts';
import { auditedChannel, presentChannel } from './present.ts';

const ALL = 'all';
const HOUR_MS = 3_600_000;

export { LimitTable } from './limit-table.ts';

/** What a channel may submit: in all, and of some senders and destinations. */
export type LimitedChannel = ChannelLimits & Pick<ChannelRow, 'name' | 'limits'>;

/** Channels by type, their settings, and what follows from these. */
@Injectable()
export class ChannelsService {
  /** How channels connect. */
  readonly outbound: Outbound;
  private readonly cache = new TtlCache(() => this.store.all());
  /** By the cached row; null when its settings are not valid. */
  private readonly described = new WeakMap<ChannelRow, ChannelFacts | null>();

  constructor(
    private readonly db: Db,
    private readonly store: ChannelsStore,
    private readonly audit: Audit,
    config: Config,
  ) {
    this.outbound = new Outbound(config.CHANNEL_ALLOWED_HOSTS, 'CHANNEL_ALLOWED_HOSTS');
  }

  /**
   * Of the channels that `takes` says yes to: the first active channel among the routes of a type; else the active one of highest priority that
   * takes the type.
   */
  async activeChannel(
    type: SendingType,
    routes: readonly GroupRoute[],
    takes: (channel: string) => boolean = () => true,
  ): Promise<ChannelRow | undefined> {
    const candidates = (await this.all()).filter(
      (c) => c.isActive && c.types.includes(type) && takes(c.name),
    );
    for (const route of routes) {
      const routed = route.type === type && candidates.find((c) => c.name === route.ChannelId);
      if (routed) return routed;
    }
    return candidates[0];
  }

  /** Whether the channel exists and takes the type, active or not. */
  async takes({ type, ChannelId }: GroupRoute): Promise<boolean> {
    const channel = (await this.store.all()).find((c) => c.name === ChannelId);
    return channel?.types.includes(type) ?? false;
  }

  /** What holds of a channel; undefined when its settings are not valid in this version of the product. Throws 404 if there is none. */
  async facts(name: string): Promise<ChannelFacts | undefined> {
    return this.describe(await this.get(name));
  }

  /** The same of a channel that may have been removed. */
  async factsOf(name: string): Promise<ChannelFacts | undefined> {
    const channel = await this.settings(name);
    return channel && this.describe(channel);
  }

  /** How much its carrier takes; null if there is no limit. */
  async limitsOf(name: string): Promise<LimitedChannel | null> {
    const channel = await this.settings(name);
    return channel && (isLimited(channel) || channel.limits.length) ? channel : null;
  }

  /** The channel; undefined when it was removed. A name that is not cached may be that of a new channel, so the cache is reloaded. */
  async settings(name: string, isFresh = false): Promise<ChannelRow | undefined> {
    if (isFresh) this.forget();
    const channel = (await this.all()).find((c) => c.name === name);
    return channel ?? (isFresh ? undefined : this.settings(name, true));
  }

  /** A former revision of a channel's settings, kept while batches are polled with it. */
  formerSettings(revision: number): Promise<ChannelSettings | undefined> {
    return this.store.former(revision);
  }

  /** All channels, also those that are switched off. */
  list(): Promise<ChannelRow[]> {
    return this.all();
  }

  /** Those that active channels trust. */
  async certificates(): Promise<(CertificateFacts & { channel: string })[]> {
    const active = (await this.store.all()).filter(({ isActive }) => isActive);
    return active.flatMap(({ name, options }) =>
      Object.values(options)
        .filter((value) => typeof value === 'string' && isCertificate(value))
        .flatMap((pem) => certificatesOf(pem as string).map((one) => ({ ...one, channel: name }))),
    );
  }

  async get(name: string): Promise<ChannelRow> {
    const channel = (await this.all()).find((c) => c.name === name);
    if (!channel) throw notFound();
    return channel;
  }

  async find(query: In<typeof channels.find>['query']): Promise<Page<Channel>> {
    const rows = await this.store.find(query);
    const data = rows.slice(query.offset, query.offset + query.limit).map(presentChannel);
    return { data, ...totals(rows.length, query) };
  }

  async getOne(name: string): Promise<Channel> {
    return presentChannel(await this.store.getWithState(name));
  }

  drivers(): { data: ChannelDriver[] } {
    const data = drivers.map((driver) => ({
      name: driver.name,
      options: optionsOf(driver),
      presets: [...(driver.presets ?? [])],
      types: [...(driver.types ?? SENDING_TYPES)],
      canRehearse: driver.rehearse !== undefined,
    }));
    return { data };
  }

  async create(input: In<typeof channels.create>['body']): Promise<Channel> {
    const definition = findDriver(input.driver);
    if (!definition) throw invalid('driver', 'unknown', 'No driver has this name.');
    const options = replacedOptions(definition, {}, input.options);
    assertValid({ ...input, options, revision: 0 });
    assertCarried(definition, input.types);
    await this.checkAddresses(definition, options);
    await this.db.transaction(async () => {
      const rate = input.rate ?? definition.rate ?? null;
      await this.record(undefined, await this.store.create({ ...input, rate, options }));
    });
    this.forget();
    return this.getOne(input.name);
  }

  async update(name: string, changes: In<typeof channels.update>['body']): Promise<Channel> {
    const before = await this.store.get(name);
    const definition = findDriver(before.driver);
    if (definition && changes.types) assertCarried(definition, changes.types, before.types);
    const next = (row: ChannelRow): ChannelRow => {
      if (!changes.options) return { ...row, ...changes };
      if (!definition) throw new AppError('conflict', 'This build has no such driver');
      const options = replacedOptions(definition, row.options, changes.options);
      const changed = { ...row, ...changes, options };
      assertValid(changed);
      return changed;
    };
    const { options } = next(before);
    if (definition && changes.options) await this.checkAddresses(definition, options);
    await this.db.transaction(async () => {
      const locked = await this.store.get(name, 'for update');
      await this.record(locked, await this.store.update(name, next));
    });
    this.forget();
    return this.getOne(name);
  }

  /**
   * The channel must be inactive, so that it gets no new messages, and unused: without its secret the reports that batches wait for
   * could not be verified.
   */
  async remove(name: string): Promise<{ id: string }> {
    await this.db.transaction(async () => {
      const channel = await this.store.get(name, 'for update');
      if (channel.isActive) throw new AppError('conflict', 'Switch the channel off first');
      if (await this.store.isInUse(name))
        throw new AppError(
          'in_use',
          'Messages still wait for this channel or for its delivery reports',
        );
      await this.store.remove(name);
      await this.audit.record({
        target: ['channels', name],
        before: auditedChannel(channel),
      });
    });
    this.forget();
    return { id: name };
  }

  /** Deletes former settings, which contain secrets, that no batch is polled with. */
  @Sweeps(HOUR_MS)
  forgetFormer(): Promise<boolean> {
    return this.store.removeFormer();
  }

  /** Adds a channel for a type, in the caller's transaction, unless there is one of this name. */
  async ensure(name: string, type: SendingType): Promise<void> {
    if (await this.store.addMissing(name, type)) this.db.afterCommit(() => this.forget());
  }

  /** The next use reloads the channels. */
  forget(): void {
    this.cache.invalidate(ALL);
  }

  private all(): Promise<ChannelRow[]> {
    return this.cache.get(ALL);
  }

  private describe(channel: ChannelRow): ChannelFacts | undefined {
    const known = this.described.get(channel);
    if (known !== undefined) return known ?? undefined;
    const facts = factsOrNull(channel);
    this.described.set(channel, facts);
    return facts ?? undefined;
  }

  private record(before: ChannelRow | undefined, after: ChannelRow): Promise<void> {
    const target = ['channels', after.name] as const;
    return this.audit.record({
      target,
      before: before && auditedChannel(before),
      after: auditedChannel(after, before),
    });
  }

  /** Resolves host names; never inside a transaction. */
  private async checkAddresses(
    definition: DriverDefinition,
    options: Record<string, unknown>,
  ): Promise<void> {
    for (const [name, url] of addressesOf(definition, options)) {
      await this.outbound.check(url).catch((error: unknown) => {
        if (!(error instanceof AddressRefused)) throw error;
        throw invalid(`options.${name}`, 'address', error.message);
      });
    }
  }
}

function factsOrNull(channel: ChannelRow): ChannelFacts | null {
  try {
    const facts = describeChannel(channel);
    return isLimited(channel) ? { ...facts, maxSegments: segmentsAtOnce(channel) } : facts;
  } catch (error) {
    if (!(error instanceof InvalidOptions)) throw error;
    return null;
  }
}

function assertValid(channel: ChannelSettings): void {
  try {
    describeChannel(channel);
  } catch (error) {
    throw optionsRefusal(error);
  }
}

/** Refuses types that the driver does not carry; those that the channel has already may stay. */
function assertCarried(
  { name, types: carried }: DriverDefinition,
  types: readonly SendingType[],
  before: readonly SendingType[] = [],
): void {
  const wrong = types.filter(
    (type) => carried && !carried.includes(type) && !before.includes(type),
  );
  if (wrong.length)
    throw invalid('types', 'unsupported', `${name} does not carry ${wrong.join(', ')}.`);
}

/** The error of an endpoint for options that are not those of their driver; other errors as they are. */
export function optionsRefusal(error: unknown): unknown {
  if (!(error instanceof InvalidOptions)) return error;
  const issues = error.issues.map(({ field, message }) => ({
    field: `options.${field}`,
    rule: 'option' as const,
    message,
  }));
  return new AppError('validation', error.message, { issues });
}
