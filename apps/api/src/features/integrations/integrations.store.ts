import { Injectable } from '@nestjs/common';
import type { IntegrationRefusal, integrations, Level } from '@heliograph/contract';
import { Db } from '../../core/db/db.ts';
import { contains, equals, type ListSql } from '../../core/db/find-page.ts';
import { Store } from '../../core/db/store.ts';
import type { In } from '../../core/http/endpoint.ts';
import { countOf, type Quota } from '../../core/quotas.ts';
import { Integration, type Reports } from './integration.entity.ts';

type Query = In<typeof integrations.find>['query'];

export const INTEGRATIONS_QUOTA: Quota = {
  name: 'integrations',
  limit: (config) => config.QUOTA_INTEGRATIONS,
  used: countOf('integrations'),
};
/** The time of the last message is written at most so often. */
const SEEN_SECONDS = 10;

/** The user in whose name an integration sends. */
export interface AccountHolder {
  username: string;
  level: Level;
  grants: object;
}

@Injectable()
export class IntegrationsStore extends Store<Integration, Query> {
  protected readonly list: ListSql<Query> = {
    order: { createdAt: 'i.createdAt', title: 'i.title' },
    filter: { OwnerId: equals('i.owner_id'), kind: equals('i.kind') },
    range: { createdAt: 'i.created_at' },
    search: contains('i.title'),
  };

  constructor(db: Db) {
    super(db, Integration, 'i');
  }

  /** The webhooks that report to integrations. */
  async reportsOf(ids: string[]): Promise<Map<string, Reports>> {
    const rows = await this.db.query<Reports & { id: string }>(
      `select integration_id as id, state, failures from webhooks where integration_id = any($1)`,
      [ids],
    );
    return new Map(rows.map(({ id, ...reports }) => [id, reports]));
  }

  /** Null if the account is closed. */
  async holderOf(OwnerId: string): Promise<AccountHolder | null> {
    const [row] = await this.db.query<AccountHolder>(
      `select username, level, grants from users where id = $1 and is_active`,
      [OwnerId],
    );
    return row ?? null;
  }

  /** False if a message with this id was accepted before. A call that runs at the same time is waited for. */
  async claim(id: string, externalId: string): Promise<boolean> {
    const added = await this.db.execute(
      `insert into integration_messages (integration_id, external_id) values ($1, $2) on conflict do nothing`,
      [id, externalId],
    );
    return added > 0;
  }

  async setSending(id: string, externalId: string, sendingId: string): Promise<void> {
    await this.db.query(
      `update integration_messages set sending_id = $3 where integration_id = $1 and external_id = $2`,
      [id, externalId, sendingId],
    );
  }

  /** Locks the id of the other side, so that of calls at the same time one sends again what was refused. */
  async sendingOf(id: string, externalId: string): Promise<string> {
    const [row] = await this.db.query<{ sendingId: string }>(
      `select sending_id as "sendingId" from integration_messages where integration_id = $1 and external_id = $2 for update`,
      [id, externalId],
    );
    return row!.sendingId;
  }

  async externalIdOf(id: string, sendingId: string): Promise<string | null> {
    const [row] = await this.db.query<{ externalId: string }>(
      `select external_id as "externalId" from integration_messages where integration_id = $1 and sending_id = $2`,
      [id, sendingId],
    );
    return row?.externalId ?? null;
  }

  async accepted(id: string, now: Date): Promise<void> {
    await this.db.query(
      `update integrations set last_message_at = $2, error = null, refusal = null, error_at = null
        where id = $1 and (error is not null or last_message_at is null or last_message_at < $2::timestamptz - make_interval(secs => ${SEEN_SECONDS}))`,
      [id, now],
    );
  }

  async refused(id: string, error: string, refusal: IntegrationRefusal, now: Date): Promise<void> {
    await this.db.query(
      `update integrations set error = $2, refusal = $3, error_at = $4
        where id = $1 and (error is distinct from $2 or error_at < $4::timestamptz - make_interval(secs => ${SEEN_SECONDS}))`,
      [id, error, JSON.stringify(refusal), now],
    );
  }

  async setAccess(id: string, access: Buffer | null, applicationToken?: Buffer): Promise<void> {
    await this.db.query(
      `update integrations set access = $2, application_token = coalesce($3, application_token), error = null, refusal = null, error_at = null where id = $1`,
      [id, access, applicationToken ?? null],
    );
  }
}
