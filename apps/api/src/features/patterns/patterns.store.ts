import { Injectable } from '@nestjs/common';
import type { patterns } from '@heliograph/contract';
import { Db } from '../../core/db/db.ts';
import { contains, equals, type ListSql } from '../../core/db/find-page.ts';
import { Store } from '../../core/db/store.ts';
import type { In } from '../../core/http/endpoint.ts';
import { countOf, type Quota } from '../../core/quotas.ts';
import { Pattern } from './pattern.entity.ts';

type Query = In<typeof patterns.find>['query'];

/** A text is compared with every pattern, so their number is bounded. */
export const PATTERNS_QUOTA: Quota = {
  name: 'patterns',
  limit: () => 500,
  used: countOf('patterns'),
};

@Injectable()
export class PatternsStore extends Store<Pattern, Query> {
  protected readonly list: ListSql<Query> = {
    order: { createdAt: 'p.createdAt', title: 'p.title', updatedAt: 'p.updatedAt' },
    filter: {
      type: equals('p.type'),
      group: equals('p.group'),
      OwnerId: equals('p.owner_id'),
    },
    range: { createdAt: 'p.created_at' },
    search: contains('p.title', 'p.text'),
  };

  constructor(db: Db) {
    super(db, Pattern, 'p');
  }

  /** The patterns of an account in the order of comparison. */
  ofOwner(OwnerId: string): Promise<Pattern[]> {
    const rows = this.rows({ kind: 'own', OwnerId });
    return rows.orderBy('p.id').getMany();
  }
}
