import { Injectable } from '@nestjs/common';
import type { webhooks } from '@heliograph/contract';
import type { WebhookEvent } from '@heliograph/domain';
import type { SelectQueryBuilder } from 'typeorm';
import { ownScope, type AccessScope } from '../../core/auth/actor.ts';
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
  used: `${countOf('webhooks')} and integration_id is null and not is_smpp and callback_api is null`,
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
    range: { createdAt: 'w.created_at' },
    search: contains('w.title', 'w.url'),
  };

  constructor(db: Db) {
    super(db, Webhook, 'w');
  }

  /** Of each event the webhook of an account that was created first. */
  firsts(OwnerId: string): Promise<Webhook[]> {
    return this.rows(ownScope(OwnerId))
      .distinctOn(['w.event'])
      .orderBy('w.event')
      .addOrderBy('w.id')
      .getMany();
  }

  async first(OwnerId: string, event: WebhookEvent): Promise<Webhook | null> {
    return this.rows(ownScope(OwnerId))
      .andWhere('w.event = :event', { event })
      .orderBy('w.id')
      .limit(1)
      .getOne();
  }

  /** Held until the transaction ends. */
  async lockFirst(OwnerId: string, event: WebhookEvent): Promise<void> {
    await this.db.query(`select pg_advisory_xact_lock(hashtextextended($1, 0))`, [
      `webhook ${event} ${OwnerId}`,
    ]);
  }

  /** Disables all of an account, with the reports to its integrations. */
  disableAll(OwnerId: string): Promise<number> {
    return this.db.execute(
      `update webhooks set state = 'disabled', reason = 'manual', updated_at = now()
        where owner_id = $1 and state <> 'disabled' and not is_smpp and callback_api is null`,
      [OwnerId],
    );
  }

  /** Makes the reports to an integration active again. Returns the ids of those that were not. */
  async resumeOf(IntegrationId: string): Promise<string[]> {
    const rows = await this.db.query<{ id: string }>(
      `update webhooks set state = 'active', reason = null, failures = 0, failing_since = null, blocked_until = null, updated_at = now()
        where integration_id = $1 and (state <> 'active' or failures > 0) returning id`,
      [IntegrationId],
    );
    return rows.map(({ id }) => id);
  }

  /** Those of integrations are managed by them only, and the queues of receivers over SMPP and of callbacks by nobody. */
  protected override rows(scope: AccessScope): SelectQueryBuilder<Webhook> {
    return super
      .rows(scope)
      .andWhere('w.integration_id is null and not w.is_smpp and w.callback_api is null');
  }
}
