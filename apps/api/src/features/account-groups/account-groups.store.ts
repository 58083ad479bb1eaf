import { Injectable } from '@nestjs/common';
import type { routingGroups } from '@heliograph/contract';
import type { EntityTarget, SelectQueryBuilder } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import { systemScope, type AccessScope } from '../../core/auth/actor.ts';
import { Db } from '../../core/db/db.ts';
import { contains, type ListSql } from '../../core/db/find-page.ts';
import { Store } from '../../core/db/store.ts';
import { notFound } from '../../core/errors.ts';
import type { In } from '../../core/http/endpoint.ts';
import { MessageRuleGroup, RoutingGroup, type AccountGroup } from './account-group.entity.ts';

type Query = In<typeof routingGroups.find>['query'];

/** Groups of one kind and their members. */
export abstract class AccountGroupsStore<E extends AccountGroup> extends Store<E, Query> {
  protected readonly list: ListSql<Query> = {
    order: { createdAt: 'g.createdAt', title: 'g.title' },
    filter: {},
    range: {},
    search: contains('g.title'),
  };

  constructor(
    db: Db,
    private readonly kind: EntityTarget<E>,
    /** The membership table. */
    private readonly members: string,
  ) {
    super(db, kind, 'g');
  }

  /** The groups of an account in their order. */
  async ofOwner(OwnerId: string): Promise<E[]> {
    const ids = await this.db.query<{ id: string }>(
      `select group_id as id from ${this.members} where owner_id = $1 order by position`,
      [OwnerId],
    );
    if (!ids.length) return [];
    const found = await this.byIds(
      systemScope,
      ids.map(({ id }) => id),
    );
    const byId = new Map(found.map((row) => [row.id, row]));
    return ids.flatMap(({ id }) => byId.get(id) ?? []);
  }

  /** Replaces the groups of an account. Throws `not_found` if one of them does not exist. */
  async assign(OwnerId: string, groups: string[]): Promise<void> {
    const ids = [...new Set(groups)];
    await this.db.transaction(async () => {
      await this.db.query(`select 1 from users where id = $1 for update`, [OwnerId]);
      await this.db.query(`delete from ${this.members} where owner_id = $1`, [OwnerId]);
      const found = await this.byIds(systemScope, ids);
      if (found.length < ids.length) throw notFound();
      await this.db.query(
        `insert into ${this.members} (owner_id, group_id, position) select $1, id, place from unnest($2::uuid[]) with ordinality g(id, place)`,
        [OwnerId, ids],
      );
    });
  }

  /** Replaces the values. TypeORM's `merge` would merge JSON columns. */
  async replace(id: string, values: QueryDeepPartialEntity<E>): Promise<void> {
    const now = { ...values, updatedAt: () => 'now()' } as QueryDeepPartialEntity<E>;
    await this.db.manager.getRepository(this.kind).update(id, now);
  }

  /** Groups have no owner, so only the permission restricts access. */
  protected override rows(_scope: AccessScope): SelectQueryBuilder<E> {
    return this.db.manager.getRepository(this.kind).createQueryBuilder(this.alias).where('true');
  }
}

@Injectable()
export class RoutingGroupsStore extends AccountGroupsStore<RoutingGroup> {
  constructor(db: Db) {
    super(db, RoutingGroup, 'users_routing_groups');
  }
}

@Injectable()
export class MessageRuleGroupsStore extends AccountGroupsStore<MessageRuleGroup> {
  constructor(db: Db) {
    super(db, MessageRuleGroup, 'users_message_rule_groups');
  }
}
