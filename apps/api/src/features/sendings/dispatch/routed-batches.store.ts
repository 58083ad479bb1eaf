import { Injectable } from '@nestjs/common';
import { BATCH_STAGES } from '@heliograph/domain';
import { Db } from '../../../core/db/db.ts';
import { textArray } from '../insert.store.ts';
import { PRIORITIES } from '../priorities.ts';
import type { Routing } from '../routing.ts';
import { BATCH, type LeasedBatch } from './dispatch.store.ts';

const { pending, leased } = BATCH_STAGES;

/** Nothing of the batch can be at a carrier: it is pending, and no submit of it has had an unknown outcome. */
const MAY_MOVE = `b.stage = ${pending} and b.unknown_outcomes = 0 and b.priority > ${PRIORITIES.test}`;

/** A carrier that was refused them is not waited for any more. */
const MOVED = `down_since = null, updated_at = (select change_time()),
  due_at = case when b.down_since is not null and b.postponed_from is null then least(b.due_at, $1) else b.due_at end`;

/** A channel for which messages of a route do not wait. */
export interface Avoided {
  routeId: string;
  channel: string;
}

const AVOIDED = `avoided as (select * from unnest($2::uuid[], $3::text[]) a (route_id, channel))`;
const isAvoided = (channel: string) =>
  `exists (select 1 from avoided a where a.route_id = b.route_id and a.channel = ${channel})`;
/** The first channel of a batch's route that is not avoided; null if all are. */
const BEST = `(select o.channel from unnest(b.route_channels) with ordinality o (channel, place)
  where not ${isAvoided('o.channel')} order by o.place limit 1)`;

/** The channels of batches that wait. */
@Injectable()
export class RoutedBatchesStore {
  constructor(private readonly db: Db) {}

  /** Batches that were routed by an older version, locked; up to about `messages` messages. */
  lockOutdated(version: number, limit: number, messages: number): Promise<LeasedBatch[]> {
    return this.db.query<LeasedBatch>(
      `with outdated as (
         select b.id, sum(b.size) over (order by b.id) - b.size as before from (
           select b.id, b.size from batches b where ${MAY_MOVE} and b.route_version < $1 order by b.route_version limit $2) b)
       select ${BATCH} from batches b where b.id in (select id from outdated where before < $3) and ${MAY_MOVE} and b.route_version < $1
        order by b.id for update of b skip locked`,
      [version, limit, messages],
    );
  }

  /** Batches that this worker has leased and not begun to submit, locked. */
  async lockLeased(batches: LeasedBatch[]): Promise<Set<string>> {
    const rows = await this.db.query<{ id: string }>(
      `select b.id from batches b join unnest($1::bigint[], $2::int[]) g (id, lease) on g.id = b.id and g.lease = b.lease
        where b.stage = ${leased} order by b.id for update of b`,
      [batches.map(({ id }) => id), batches.map(({ lease }) => lease)],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Writes the decisions about locked batches. Those that another channel is to submit are pending. */
  async route(routed: { id: string; routing: Routing }[], now: Date): Promise<void> {
    if (!routed.length) return;
    await this.db.query(
      `with given as (
         select * from unnest($2::bigint[], $3::text[], $4::uuid[], $5::text[], $6::int[]) g (id, channel, route_id, route_channels, version)),
       moved as (
         update batches b set channel = g.channel, stage = ${pending}, lease_until = null, ${MOVED},
                route_id = g.route_id, route_channels = g.route_channels::text[], route_version = g.version
           from given g where b.id = g.id and b.channel <> g.channel)
       update batches b set route_id = g.route_id, route_channels = g.route_channels::text[], route_version = g.version
         from given g where b.id = g.id and b.channel = g.channel`,
      [
        now,
        routed.map(({ id }) => id),
        routed.map(({ routing }) => routing.channel),
        routed.map(({ routing }) => routing.routeId),
        routed.map(({ routing: { routeChannels } }) => routeChannels && textArray(routeChannels)),
        routed.map(({ routing }) => routing.routeVersion),
      ],
    );
  }

  /** Moves batches that wait for a channel that their route avoids to the next one. Returns how many. */
  moveAway(avoided: Avoided[], now: Date, limit: number): Promise<number> {
    return this.db.execute(
      `with ${AVOIDED},
       waiting as (
         select b.id from (select distinct channel from avoided) c join batches b on b.channel = c.channel
          where ${MAY_MOVE} and ${isAvoided('b.channel')} and ${BEST} is not null order by b.id limit $4 for update of b skip locked)
       update batches b set channel = ${BEST}, ${MOVED} from waiting where b.id = waiting.id`,
      [now, ...columnsOf(avoided), limit],
    );
  }

  /** Moves batches back whose first channel is not avoided any more. Returns how many. */
  moveBack(avoided: Avoided[], now: Date, limit: number): Promise<number> {
    return this.db.execute(
      `with ${AVOIDED},
       waiting as (
         select b.id from batches b
          where ${MAY_MOVE} and b.route_channels[1] <> b.channel and not ${isAvoided('b.route_channels[1]')}
          order by b.id limit $4 for update of b skip locked)
       update batches b set channel = b.route_channels[1], ${MOVED} from waiting where b.id = waiting.id`,
      [now, ...columnsOf(avoided), limit],
    );
  }

  /**
   * Gives a channel that is down one batch of those that wait for another: its call finds out whether the channel works again. False when
   * there is none.
   */
  async moveProbe(channel: string, routes: string[], now: Date): Promise<boolean> {
    const moved = await this.db.execute(
      `with waiting as (
         select b.id from batches b
          where ${MAY_MOVE} and b.priority > ${PRIORITIES.code} and b.route_id = any($3) and b.route_channels[1] = $2 and b.channel <> $2 and b.due_at <= $1
          order by b.id limit 1 for update of b skip locked)
       update batches b set channel = $2, ${MOVED} from waiting where b.id = waiting.id`,
      [now, channel, routes],
    );
    return moved > 0;
  }
}

const columnsOf = (avoided: Avoided[]) => [
  avoided.map(({ routeId }) => routeId),
  avoided.map(({ channel }) => channel),
];
