import { Injectable } from '@nestjs/common';
import { ownScope, type Actor } from '../../core/auth/actor.ts';
import type { In } from '../../core/http/endpoint.ts';
import { MAX_LIMIT, type Page, type sendernames } from '@heliograph/contract';
import { Db } from '../../core/db/db.ts';
import { contains, equals, findPage, type ListSql } from '../../core/db/find-page.ts';
import { Store } from '../../core/db/store.ts';
import { countOf, type Quota } from '../../core/quotas.ts';
import { Sendername } from './sendername.entity.ts';

type Query = In<typeof sendernames.find>['query'];

export const SENDERNAMES_QUOTA: Quota = {
  name: 'sendernames',
  limit: (config) => config.QUOTA_SENDERNAMES,
  used: countOf('sendernames'),
};

@Injectable()
export class SendernamesStore extends Store<Sendername, Query> {
  protected readonly list: ListSql<Query> = {
    order: { createdAt: 's.createdAt', updatedAt: 's.updatedAt', name: 's.name' },
    filter: {
      type: equals('s.type'),
      moderation: equals('s.moderation'),
      isActive: equals('s.is_active'),
      OwnerId: equals('s.owner_id'),
    },
    range: { createdAt: 's.created_at' },
    search: contains('s.name', 's.comment'),
  };

  constructor(db: Db) {
    super(db, Sendername, 's');
  }

  /** The scope `attached` returns the active names of the actor's account, or of that of the filter. */
  findFor(actor: Actor, query: Query): Promise<Page<Sendername>> {
    if (!query.scope.includes('attached')) return this.find(actor.scope, query);
    const account = ownScope(query.filter.OwnerId ?? actor.OwnerId);
    return findPage(this.db, this.rows(account).andWhere('s.is_active'), this.list, query);
  }

  ofOwner(OwnerId: string): Promise<Sendername[]> {
    return this.rows(ownScope(OwnerId)).orderBy('s.name').limit(MAX_LIMIT).getMany();
  }

  async isRegistered(OwnerId: string, type: Sendername['type'], name: string): Promise<boolean> {
    const rows = await this.db.query(
      `select 1 from sendernames where owner_id = $1 and type = $2 and lower(name) = lower($3)`,
      [OwnerId, type, name],
    );
    return rows.length > 0;
  }
}
