import { Injectable } from '@nestjs/common';
import type { WebhookEvent } from '@heliograph/domain';
import { Db } from './db/db.ts';

/** What an account has subscribed to of an event. */
export interface Subscription {
  OwnerId: string;
  /** Null for all. */
  tags: string[] | null;
}

export interface OutboxRow {
  OwnerId: string;
  /** Id of the object: events of one object are delivered in their order. */
  key: string;
  /** Compared with the statuses of the webhook. */
  tag?: string;
  /** Only for this webhook. */
  WebhookId?: string;
  /** Null if everything is read when the event is delivered. */
  data: Record<string, unknown> | null;
}

@Injectable()
export class OutboxStore {
  constructor(private readonly db: Db) {}

  /** What some accounts have subscribed to of an event. */
  subscriptions(event: WebhookEvent, owners: string[]): Promise<Subscription[]> {
    return this.db.query<Subscription>(
      `select owner_id as "OwnerId", statuses as tags from webhooks where owner_id = any($2) and event = $1 and state <> 'disabled'`,
      [event, owners],
    );
  }

  /**
   * A row for each webhook that reports the event, or for those of one integration only, in the order of `rows`. Webhooks of
   * integrations report the messages of these only, receivers over SMPP get the receipts that were asked for there, and callbacks
   * are of the messages that name them, with the statuses that they ask for. Returns how many.
   */
  add(
    event: WebhookEvent,
    rows: OutboxRow[],
    at: Date,
    IntegrationId: string | null = null,
  ): Promise<number> {
    return this.db.execute(
      `insert into webhook_events (webhook_id, owner_id, key, data, due_at, at)
       select w.id, r.owner_id, r.key, r.data, $6, $6
         from unnest($2::uuid[], $3::uuid[], $4::text[], $5::jsonb[], $8::uuid[])
              with ordinality r (owner_id, key, tag, data, webhook_id, n)
         join webhooks w on w.owner_id = r.owner_id and w.event = $1 and w.state <> 'disabled'
          and (w.statuses is null or r.tag is null or r.tag = any(w.statuses))
          and (r.webhook_id is null or w.id = r.webhook_id)
          and ($7::uuid is null or w.integration_id = $7)
          and (w.integration_id is null or exists (
                select 1 from integration_messages m where m.sending_id = r.key and m.integration_id = w.integration_id))
          and (not w.is_smpp or $1 <> 'sendings.status' or r.webhook_id is not null or exists (
                select 1 from sendings s left join tasks t on t.id = s.group_id
                 where s.id = r.key and (s.data ? 'smpp' or t.data->'sending' ? 'smpp')))
          and (w.callback_api is null or exists (
                select 1 from sendings s left join tasks t on t.id = s.group_id
                         cross join lateral (select coalesce(s.data->'callback', t.data->'sending'->'callback') as callback) c
                 where s.id = r.key and c.callback->>'WebhookId' = w.id::text and c.callback->'statuses' ? r.tag))
        order by r.n`,
      [
        event,
        rows.map((row) => row.OwnerId),
        rows.map((row) => row.key),
        rows.map((row) => row.tag ?? null),
        rows.map((row) => row.data && JSON.stringify(row.data)),
        at,
        IntegrationId,
        rows.map((row) => row.WebhookId ?? null),
      ],
    );
  }
}
