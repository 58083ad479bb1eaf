import { Injectable } from '@nestjs/common';
import type { RouteShare, shareShifts } from '@heliograph/contract';
import {
  RECEIPT_SECONDS,
  restingShares,
  type JudgedChannel,
  type ShareChange,
} from '@heliograph/domain';
import type { SelectQueryBuilder } from 'typeorm';
import type { AccessScope } from '../../core/auth/actor.ts';
import { Db } from '../../core/db/db.ts';
import { equals, idTime, type ListSql } from '../../core/db/find-page.ts';
import { Store } from '../../core/db/store.ts';
import type { In } from '../../core/http/endpoint.ts';
import { uuidv7 } from '../../core/uuid.ts';
import type { Route } from './route.entity.ts';
import { ShareShift } from './share-shift.entity.ts';

type Query = In<typeof shareShifts.find>['query'];
/** What is judged of a channel but its place in a route. */
type Facts = Omit<JudgedChannel, keyof KeptShare | 'weight'>;

interface KeptShare {
  ChannelId: string;
  share: number;
  poorAt: Date | null;
}

/** Receipts are counted by ten minutes. */
export const STEP_MS = 600_000;
/** Changes that are kept of a route. */
const MAX_SHIFTS = 500;

const isShifting = ({ isWeighted, shiftsShares }: Route) => isWeighted && shiftsShares;

/** Shares of channels in weighted routes, and how they have changed. */
@Injectable()
export class ShareShiftsStore extends Store<ShareShift, Query> {
  protected readonly list: ListSql<Query> = {
    order: { createdAt: 's.id' },
    filter: { RouteId: equals('s.route_id'), ChannelId: equals('s.channel') },
    range: { createdAt: idTime('s.id') },
  };

  constructor(db: Db) {
    super(db, ShareShift, 's');
  }

  /** The shares of routes now, by route and in the order of their channels; empty of those that do not shift. */
  async of(routes: readonly Route[]): Promise<(route: Route) => RouteShare[]> {
    const shifting = routes.filter(isShifting);
    const kept = shifting.length ? await this.kept(shifting) : new Map<string, KeptShare[]>();
    return (route) =>
      isShifting(route)
        ? sharesOf(route, kept).map(({ ChannelId, share }) => ({ ChannelId, share }))
        : [];
  }

  /** The shares of a route are those of its weights again. */
  async reset(routeId: string): Promise<void> {
    await this.db.query(`delete from route_shares where route_id = $1`, [routeId]);
  }

  /** False if the receipts before a time have shifted shares already. */
  async claim(until: Date): Promise<boolean> {
    const claimed = await this.db.execute(
      `update route_version set shares_judged_until = $1 where shares_judged_until is null or shares_judged_until < $1`,
      [until],
    );
    return claimed > 0;
  }

  /** The channels of a route with what the ten minutes before a time say about them. */
  async judged(route: Route, until: Date): Promise<JudgedChannel[]> {
    const facts = await this.facts(route, until);
    const shares = new Map(
      sharesOf(route, await this.kept([route])).map((one) => [one.ChannelId, one]),
    );
    return route.channels.map((channel) => ({
      ...channel,
      ...shares.get(channel.ChannelId)!,
      ...(facts.get(channel.ChannelId) ?? REMOVED),
    }));
  }

  /** Writes the shares of a route after `changes`, and these. */
  async write(
    routeId: string,
    kept: KeptShare[],
    changes: ShareChange[],
    now: Date,
  ): Promise<void> {
    await this.db.query(
      `insert into route_shares (route_id, channel, share, poor_at)
       select $1, * from unnest($2::text[], $3::int[], $4::timestamptz[])
       on conflict (route_id, channel) do update set share = excluded.share, poor_at = excluded.poor_at`,
      [
        routeId,
        kept.map(({ ChannelId }) => ChannelId),
        kept.map(({ share }) => share),
        kept.map(({ poorAt }) => poorAt),
      ],
    );
    if (!changes.length) return;
    const rows = changes.map((change) => ({ id: uuidv7(now), ...change }));
    await this.db.query(
      `insert into share_shifts (id, route_id, channel, before, after, reason, figures)
       select id, $1, "ChannelId", before, after, reason, figures from jsonb_to_recordset($2::jsonb)
         c (id uuid, "ChannelId" text, before integer, after integer, reason text, figures jsonb)`,
      [routeId, JSON.stringify(rows)],
    );
    await this.db.query(
      `delete from share_shifts where route_id = $1
          and id <= (select id from share_shifts where route_id = $1 order by id desc offset ${MAX_SHIFTS} limit 1)`,
      [routeId],
    );
    // What waits is routed by the new shares.
    await this.db.query(`update route_version set version = version + 1`);
  }

  protected override rows(_scope: AccessScope): SelectQueryBuilder<ShareShift> {
    return this.db.manager
      .getRepository(ShareShift)
      .createQueryBuilder(this.alias)
      .innerJoinAndSelect('s.Route', 'r')
      .where('true');
  }

  private async kept(routes: readonly Route[]): Promise<Map<string, KeptShare[]>> {
    const rows = await this.db.query<KeptShare & { routeId: string }>(
      `select route_id as "routeId", channel as "ChannelId", share, poor_at as "poorAt" from route_shares where route_id = any($1)`,
      [routes.map(({ id }) => id)],
    );
    return Map.groupBy(rows, ({ routeId }) => routeId);
  }

  /**
   * Receipts of ten minutes. Those of messages that were accepted in ten minutes are missed when they are late, so receipts are
   * counted from these on.
   */
  private async facts({ channels, lateAfter }: Route, until: Date): Promise<Map<string, Facts>> {
    const before = (steps: number) => new Date(until.getTime() - steps * STEP_MS);
    const awaited = Math.ceil((lateAfter * 1000) / STEP_MS);
    const rows = await this.db.query<Facts & { ChannelId: string }>(
      `select c.name as "ChannelId", c.is_active and coalesce(s.failures, 0) = 0 as "isWorking", s.reported_at is not null as "hasReports",
              (select coalesce(sum(m.accepted), 0)::float8 from channel_minutes m where m.channel = c.name and m.at >= $2 and m.at < $3) as accepted,
              (select coalesce(sum(r.delivered + r.failed), 0)::float8 from channel_receipts r
                where r.channel = c.name and r.at >= $2 and r.at < $5) as reported,
              (select coalesce(json_agg(json_build_object('mccmnc', nullif(r.mccmnc, ''), 'delivered', r.delivered, 'failed', r.failed,
                        'late', (select coalesce(sum(n), 0) from unnest(r.times[$6:]) n))), '[]')
                 from channel_receipts r where r.channel = c.name and r.at = $4) as networks
         from channels c left join channel_states s on s.channel = c.name where c.name = any($1) and c.removed_at is null`,
      [
        channels.map(({ ChannelId }) => ChannelId),
        before(awaited + 1),
        before(awaited),
        before(1),
        until,
        // From the first bucket, which is 1, whose receipts came later.
        RECEIPT_SECONDS.indexOf(lateAfter) + 2,
      ],
    );
    return new Map(rows.map(({ ChannelId, ...facts }) => [ChannelId, facts]));
  }
}

/** Of a channel that is no more. */
const REMOVED: Facts = {
  isWorking: false,
  hasReports: false,
  accepted: 0,
  reported: 0,
  networks: [],
};

/** In the order of the channels. Those that have never changed are those of the weights. */
function sharesOf(
  { id, channels }: Route,
  kept: ReadonlyMap<string, readonly KeptShare[]>,
): KeptShare[] {
  const resting = restingShares(channels);
  return channels.map(
    ({ ChannelId }) =>
      kept.get(id)?.find((one) => one.ChannelId === ChannelId) ?? {
        ChannelId,
        share: resting.get(ChannelId) ?? 0,
        poorAt: null,
      },
  );
}
