import { Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import type { Page, Route as Wire, RouteInput, routes } from '@heliograph/contract';
import type { RegisteredAt, RoutePlan } from '@heliograph/domain';
import { Audit } from '../../core/audit/audit.ts';
import { systemScope } from '../../core/auth/actor.ts';
import { Db } from '../../core/db/db.ts';
import { AppError, invalid } from '../../core/errors.ts';
import type { In } from '../../core/http/endpoint.ts';
import { TtlCache } from '../../core/ttl-cache.ts';
import { ChannelSendernamesService } from '../channel-sendernames/channel-sendernames.service.ts';
import { ChannelsService } from '../channels/channels.service.ts';
import { auditedRoute, planOfRoute, presentRoute, type Route } from './route.entity.ts';
import { RoutesStore, type DownChannel } from './routes.store.ts';
import { ShareShiftsStore } from './share-shifts.store.ts';

/** Every message is compared with all of them. */
const MAX_ROUTES = 200;
const ALL = 'all';
/** With another of these, shares are those of the weights again. */
const BEGIN_ANEW = ['channels', 'isWeighted', 'shiftsShares', 'isActive'] as const;

/** All by which channels are chosen. */
export interface RouteTable {
  version: number;
  /** The active routes; the first that matches decides. */
  routes: readonly RoutePlan[];
  titles: ReadonlyMap<string, string>;
  /** Channels that are down, by name. */
  down: ReadonlyMap<string, DownChannel>;
  /** Sender names of the channels that need a registration. */
  registered: RegisteredAt;
}

/** The routes of an installation. How they choose channels: `packages/domain/src/routes.ts`. */
@Injectable()
export class RoutesService {
  private readonly cache = new TtlCache(() => this.load());

  constructor(
    private readonly db: Db,
    private readonly store: RoutesStore,
    private readonly shares: ShareShiftsStore,
    private readonly channels: ChannelsService,
    private readonly sendernames: ChannelSendernamesService,
    private readonly audit: Audit,
  ) {}

  /** Cached, so a change takes effect within a second. */
  table(): Promise<RouteTable> {
    return this.cache.get(ALL);
  }

  /** The next use reloads it. */
  forget(): void {
    this.cache.invalidate(ALL);
  }

  async find(query: In<typeof routes.find>['query']): Promise<Page<Wire>> {
    const page = await this.store.find(systemScope, query);
    return { ...page, data: await this.presentAll(page.data) };
  }

  async get(id: string): Promise<Wire> {
    return this.present(await this.store.get(systemScope, id));
  }

  create(input: RouteInput): Promise<Wire> {
    return this.change(async () => {
      await this.checkChannels(input);
      const row = await this.store.create(input);
      if ((await this.store.count()) > MAX_ROUTES)
        throw new AppError('conflict', `An installation has at most ${MAX_ROUTES} routes.`);
      await this.record(row.id, { after: auditedRoute(row) });
      return this.present(row);
    });
  }

  update(id: string, changes: Partial<RouteInput>): Promise<Wire> {
    return this.change(async () => {
      const before = auditedRoute(await this.store.lock(systemScope, id));
      await this.checkChannels(changes, before);
      await this.store.replace(id, changes);
      const row = await this.store.get(systemScope, id);
      const after = auditedRoute(row);
      if (BEGIN_ANEW.some((field) => !isDeepStrictEqual(before[field], after[field])))
        await this.shares.reset(id);
      await this.record(id, { before, after });
      return this.present(row);
    });
  }

  remove(id: string): Promise<{ id: string }> {
    return this.change(async () => {
      const row = await this.store.remove(systemScope, id);
      await this.record(id, { before: auditedRoute(row) });
      return { id };
    });
  }

  private async present(row: Route): Promise<Wire> {
    const [presented] = await this.presentAll([row]);
    return presented!;
  }

  private async presentAll(rows: readonly Route[]): Promise<Wire[]> {
    const names = await this.store.namesOf(rows);
    const sharesOf = await this.shares.of(rows);
    return rows.map((row) => presentRoute(row, names, sharesOf(row)));
  }

  private change<T>(make: () => Promise<T>): Promise<T> {
    return this.db.transaction(() => {
      this.db.afterCommit(() => this.forget());
      return make();
    });
  }

  private async load(): Promise<RouteTable> {
    // Read first: routes and names that are newer than their version are only compared once more.
    const { version, heads } = await this.store.version();
    const rows = version ? await this.store.active() : [];
    const down = rows.length ? await this.store.downChannels() : [];
    const sharesOf = await this.shares.of(rows);
    return {
      version,
      routes: rows.map((row) => planOfRoute(row, sharesOf(row))),
      titles: new Map(rows.map(({ id, title }) => [id, title])),
      down: new Map(down.map((one) => [one.channel, one])),
      registered: await this.sendernames.registered(heads),
    };
  }

  /** A channel that is gone may stay, but not be added. */
  private async checkChannels(
    { channels = [] }: Partial<RouteInput>,
    before?: RouteInput,
  ): Promise<void> {
    const former = new Set(before?.channels.map(({ ChannelId }) => ChannelId));
    const known = new Set((await this.channels.list()).map(({ name }) => name));
    for (const [i, { ChannelId }] of channels.entries())
      if (!known.has(ChannelId) && !former.has(ChannelId))
        throw invalid(`channels.${i}.ChannelId`, 'unknown', 'No channel has this name.');
  }

  private record(id: string, states: { before?: object; after?: object }): Promise<void> {
    return this.audit.record({ target: ['routes', id], ...states });
  }
}
