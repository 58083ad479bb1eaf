import { Injectable } from '@nestjs/common';
import { BATCH_STAGES, isAvoided, typeOf, type TrafficKind } from '@heliograph/domain';
import { Clock } from '../../../core/clock.ts';
import { Db } from '../../../core/db/db.ts';
import { Sweeps } from '../../../core/jobs/handlers.ts';
import { Jobs } from '../../../core/jobs/queue.ts';
import { ChannelsService } from '../../channels/channels.service.ts';
import { RoutesService, type RouteTable } from '../../routes/routes.service.ts';
import { PRIORITIES } from '../priorities.ts';
import { routingKey, type Routing } from '../routing.ts';
import { RoutingService, type RouteOf } from '../rules/routing.service.ts';
import { DispatchStore, type DueRow, type LeasedBatch } from './dispatch.store.ts';
import { RoutedBatchesStore, type Avoided } from './routed-batches.store.ts';

/** Batches of a sweep, and about how many messages. */
const BATCH_LIMIT = 500;
const MESSAGE_LIMIT = 5000;
const MOVE_LIMIT = 2000;

/**
 * Decides again about messages that wait: by which channel they go when routes have changed, and for another one while theirs is down.
 * Nothing that a carrier may have is moved.
 */
@Injectable()
export class RoutedBatchesService {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
    private readonly store: RoutedBatchesStore,
    private readonly dispatch: DispatchStore,
    private readonly routing: RoutingService,
    private readonly routes: RoutesService,
    private readonly channels: ChannelsService,
  ) {}

  /** Of leased batches those that still go by this channel; the others wait for the call of theirs. */
  async keepCurrent(batches: LeasedBatch[]): Promise<LeasedBatch[]> {
    const version = await this.routing.version();
    const outdated = batches.filter(
      (batch) =>
        batch.routeVersion < version &&
        batch.unknownOutcomes === 0 &&
        batch.priority > PRIORITIES.test,
    );
    if (!outdated.length) return batches;
    const moved = await this.db.transaction(async () => {
      const ours = await this.store.lockLeased(outdated);
      return this.route(outdated.filter(({ id }) => ours.has(id)));
    });
    if (moved.size) this.jobs.enqueue('sendings.dispatch', {});
    return batches.filter(({ id }) => !moved.has(id));
  }

  /** Routes anew what waits since before the last change. */
  @Sweeps(500)
  async routeOutdated(): Promise<boolean> {
    const version = await this.routing.version();
    if (!version) return false;
    const { count, moved } = await this.db.transaction(async () => {
      const batches = await this.store.lockOutdated(version, BATCH_LIMIT, MESSAGE_LIMIT);
      return { count: batches.length, moved: await this.route(batches) };
    });
    if (moved.size) this.jobs.enqueue('sendings.dispatch', {});
    return count > 0;
  }

  /** While a channel is down or switched off, what waits for it goes by the next of its route, and back again when it works. */
  @Sweeps(1000)
  async failover(): Promise<boolean> {
    const table = await this.routes.table();
    if (!table.routes.length) return false;
    const now = this.clock.now();
    const avoided = await this.avoided(table, now);
    const away = await this.store.moveAway(avoided, now, MOVE_LIMIT);
    const back = await this.store.moveBack(avoided, now, MOVE_LIMIT);
    let probes = 0;
    for (const { channel, until } of table.down.values()) {
      const ids = avoided.flatMap((one) => (one.channel === channel ? [one.routeId] : []));
      if (ids.length && until <= now && (await this.store.moveProbe(channel, ids, now))) probes++;
    }
    if (away + back + probes) this.jobs.enqueue('sendings.dispatch', {});
    return away === MOVE_LIMIT || back === MOVE_LIMIT;
  }

  private async avoided({ routes, down }: RouteTable, now: Date): Promise<Avoided[]> {
    const active = new Map((await this.channels.list()).map((c) => [c.name, c.isActive]));
    return routes.flatMap((route) =>
      route.channels.flatMap(({ ChannelId: channel }) => {
        const state = {
          isActive: active.get(channel) ?? false,
          downSince: down.get(channel)?.since ?? null,
        };
        return isAvoided(route, state, now) ? [{ routeId: route.id, channel }] : [];
      }),
    );
  }

  /** Decides about locked batches. Returns the ids of those that go by another channel now. */
  private async route(batches: LeasedBatch[]): Promise<Set<string>> {
    const rows = await this.dispatch.rowsOf(batches);
    const now = this.clock.now();
    const version = await this.routing.version();
    const decisions: { id: string; routing: Routing }[] = [];
    const moved = new Set<string>();
    for (const batch of batches) {
      const groups = await this.groupsOf(batch, rows.get(batch.id) ?? [], version);
      const [kept, ...others] = groups;
      for (const { routing, ids } of others)
        await this.dispatch.split(batch, ids, {
          stage: BATCH_STAGES.pending,
          tries: batch.tries,
          dueAt: routing.channel === batch.channel ? batch.dueAt : dueElsewhere(batch, now),
          postponedFrom: batch.postponedFrom ?? undefined,
          routing,
        });
      const routing = kept?.routing ?? { ...batch, routeVersion: version };
      decisions.push({ id: batch.id, routing });
      if (routing.channel !== batch.channel) moved.add(batch.id);
    }
    await this.store.route(decisions, now);
    return moved;
  }

  /** The messages of a batch by the way that they go, most of them first. */
  private async groupsOf(
    batch: LeasedBatch,
    rows: DueRow[],
    routeVersion: number,
  ): Promise<{ routing: Routing; ids: string[] }[]> {
    const keyOf = ({ OwnerId, sender }: DueRow) => `${OwnerId} ${sender}`;
    const byKey = Map.groupBy(rows, keyOf);
    const ways = new Map<string, Way>();
    const groups = new Map<string, { routing: Routing; ids: string[] }>();
    for (const row of rows) {
      const { id, OwnerId, phone, sender } = row;
      const traffic = { OwnerId, sender, type: typeOf(batch.type), kind: kindOf(batch) };
      const key = keyOf(row);
      const way = ways.get(key) ?? {
        routeOf: await this.routing.ofWaiting(traffic, () =>
          byKey.get(key)!.map((one) => one.phone),
        ),
        carries: await this.routing.carriers(traffic),
      };
      ways.set(key, way);
      const found = way.routeOf({ id, address: phone });
      // Without a route a message stays with the channel that it was given, as long as this carries its sender name.
      const stays =
        !found || (found.routeId === null && batch.routeId === null && way.carries(batch.channel));
      const routing = stays ? { ...routingOf(batch), routeVersion } : found;
      const group = groups.get(routingKey(routing));
      if (group) group.ids.push(id);
      else groups.set(routingKey(routing), { routing, ids: [id] });
    }
    return [...groups.values()].toSorted((a, b) => b.ids.length - a.ids.length);
  }
}

/** How messages of an account and a sender name go. */
interface Way {
  routeOf: RouteOf;
  carries: (channel: string) => boolean;
}

/** When a batch is due by another channel: one that was refused it is not waited for any more. */
const dueElsewhere = ({ dueAt, downSince, postponedFrom }: LeasedBatch, now: Date): Date =>
  downSince && !postponedFrom && dueAt > now ? now : dueAt;

const routingOf = ({ channel, routeId, routeChannels, routeVersion }: LeasedBatch): Routing => ({
  channel,
  routeId,
  routeChannels,
  routeVersion,
});

function kindOf({ taskId, priority }: LeasedBatch): TrafficKind {
  if (taskId) return 'bulk';
  return priority === PRIORITIES.code ? 'code' : 'single';
}
