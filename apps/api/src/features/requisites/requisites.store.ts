import { Injectable } from '@nestjs/common';
import type { requisites } from '@heliograph/contract';
import { Db } from '../../core/db/db.ts';
import { contains, equals, type ListSql } from '../../core/db/find-page.ts';
import { Store } from '../../core/db/store.ts';
import type { In } from '../../core/http/endpoint.ts';
import { countOf, type Quota } from '../../core/quotas.ts';
import { Requisite } from './requisite.entity.ts';

type Query = In<typeof requisites.find>['query'];

export const REQUISITES_QUOTA: Quota = {
  name: 'requisites',
  limit: (config) => config.QUOTA_REQUISITES,
  used: countOf('requisites'),
};

@Injectable()
export class RequisitesStore extends Store<Requisite, Query> {
  protected readonly list: ListSql<Query> = {
    order: { createdAt: 'r.createdAt', title: 'r.title', updatedAt: 'r.updatedAt' },
    filter: {
      id: equals('r.id'),
      isActive: equals('r.is_active'),
      OwnerId: equals('r.owner_id'),
    },
    range: { createdAt: 'r.created_at' },
    search: contains('r.title', `r.data #>> '{legal,inn}'`, `r.data #>> '{legal,name}'`),
  };

  constructor(db: Db) {
    super(db, Requisite, 'r');
  }
}
