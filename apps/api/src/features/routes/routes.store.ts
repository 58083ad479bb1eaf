import { Injectable } from '@nestjs/common';
import type { GroupRef, OwnerRef, RouteInput, routes } from '@heliograph/contract';
import type { SelectQueryBuilder } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import type { AccessScope } from '../../core/auth/actor.ts';
import { Db } from '../../core/db/db.ts';
import { contains, equals, type ListSql } from '../../core/db/find-page.ts';
import { Store } from '../../core/db/store.ts';
import type { In } from '../../core/http/endpoint.ts';
import type { NamesHead } from '../channel-sendernames/channel-sendernames.service.ts';
import { Route, type RouteNames } from './route.entity.ts';

type Query = In<typeof routes.find>['query'];

/** A channel that is down. */
export interface DownChannel {
  channel: string;
  since: Date;
  /** Until when no call is made to find out whether it works again. */
  until: Date;
}

const SHIFTING = {
  where: { isActive: true, isWeighted: true, shiftsShares: true },
  order: { id: 'asc' },
} as const;

@Injectable()
export class RoutesStore extends Store<Route, Query> {
  protected readonly list: ListSql<Query> = {
    order: { priority: 'r.priority', title: 'r.title', createdAt: 'r.createdAt' },
    filter: {
      isActive: equals('r.is_active'),
      channel: (names, bind) =>
        `exists (select 1 from jsonb_array_elements(r.channels) c where c->>'ChannelId' = any(${bind(names)}))`,
    },
    range: {},
    search: contains('r.title'),
  };

  constructor(db: Db) {
    super(db, Route, 'r');
  }

  /** The active ones in their order. */
  active(): Promise<Route[]> {
    return this.db.manager.getRepository(Route).find({
      where: { isActive: true },
      order: { priority: 'desc', id: 'asc' },
    });
  }

  /** The active ones whose shares shift, in their order. */
  shifting(): Promise<Route[]> {
    return this.db.manager.getRepository(Route).find(SHIFTING);
  }

  /** The same, locked. */
  lockShifting(): Promise<Route[]> {
    const lock = { mode: 'pessimistic_write' } as const;
    return this.db.manager.getRepository(Route).find({ ...SHIFTING, lock });
  }

  /** Replaces the given fields. TypeORM's `merge` would merge the channels. */
  async replace(id: string, values: Partial<RouteInput>): Promise<void> {
    const now = { ...values, updatedAt: () => 'now()' } as QueryDeepPartialEntity<Route>;
    await this.db.manager.getRepository(Route).update(id, now);
  }

  /** Advances with every change on which the channels of messages depend; with it the channels that need registered sender names. */
  async version(): Promise<{ version: number; heads: NamesHead[] }> {
    const [row] = await this.db.query<{ version: number; heads: NamesHead[] }>(
      `select version, coalesce((
         select json_agg(json_build_object('channel', name, 'revision', sendernames_revision))
           from channels where needs_registration and removed_at is null), '[]') as heads from route_version`,
    );
    return row!;
  }

  count(): Promise<number> {
    return this.db.manager.getRepository(Route).count();
  }

  async namesOf(rows: readonly Route[]): Promise<RouteNames> {
    const owners = await this.db.query<OwnerRef>(
      `select id, username from users where id = any($1) order by username`,
      [rows.flatMap(({ OwnerIds }) => OwnerIds)],
    );
    const groups = await this.db.query<GroupRef>(
      `select id, title from routing_groups where id = any($1) order by title`,
      [rows.flatMap(({ GroupIds }) => GroupIds)],
    );
    return { owners, groups };
  }

  downChannels(): Promise<DownChannel[]> {
    return this.db.query<DownChannel>(
      `select channel, failing_since as since, open_until as until from channel_states
        where failures > 0 and failing_since is not null and open_until is not null`,
    );
  }

  /** Routes have no owner, so only the permission restricts access. */
  protected override rows(_scope: AccessScope): SelectQueryBuilder<Route> {
    return this.db.manager.getRepository(Route).createQueryBuilder(this.alias).where('true');
  }
}
