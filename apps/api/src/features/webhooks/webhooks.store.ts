import { Injectable } from '@nestjs/common';
import type { webhooks } from '@heliograph/contract';
import { Db } from '../../core/db/db.ts';
import { contains, equals, type ListSql } from '../../core/db/find-page.ts';
import { Store } from '../../core/db/store.ts';
import type { In } from '../../core/http/endpoint.ts';
import { countOf, type Quota } from '../../core/quotas.ts';
import { Webhook } from './webhook.entity.ts';

type Query = In<typeof webhooks.find>['query'];

export const WEBHOOKS_QUOTA: Quota = {
  name: 'webhooks',
  limit: (config) => config.QUOTA_WEBHOOKS,
  used: countOf('webhooks'),
};

@Injectable()
export class WebhooksStore extends Store<Webhook, Query> {
  protected readonly list: ListSql<Query> = {
    order: { createdAt: 'w.createdAt', title: 'w.title' },
    filter: {
      OwnerId: equals('w.owner_id'),
      event: equals('w.event'),
      state: equals('w.state'),
    },
    range: {},
    search: contains('w.title', 'w.url'),
  };

  constructor(db: Db) {
    super(db, Webhook, 'w');
  }
}
