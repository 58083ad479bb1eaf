import { Injectable } from '@nestjs/common';
import type { WebhookError } from '@heliograph/domain';
import { Db } from '../../core/db/db.ts';
import type { Webhook } from './webhook.entity.ts';

export const EVENT_STATES = { waiting: 0, delivered: 1, failed: 2 } as const;
const { waiting } = EVENT_STATES;

/** A webhook that this worker delivers to. */
export type LeasedWebhook = Pick<
  Webhook,
  | 'id'
  | 'OwnerId'
  | 'TokenId'
  | 'IntegrationId'
  | 'callbackApi'
  | 'title'
  | 'event'
  | 'url'
  | 'method'
  | 'headers'
  | 'headerValues'
  | 'body'
  | 'batchSize'
  | 'maxConnections'
  | 'successOn'
  | 'secret'
  | 'previousSecret'
  | 'previousUntil'
  | 'failures'
  | 'failingSince'
  | 'lease'
>;

export interface QueuedEvent {
  id: string;
  key: string;
  data: Record<string, unknown> | null;
  at: Date;
  tries: number;
  firstAt: Date | null;
  callId: string | null;
}

export interface EventResult {
  id: string;
  state: (typeof EVENT_STATES)[keyof typeof EVENT_STATES];
  tries: number;
  dueAt: Date;
  at: Date;
  status: number | null;
  error: WebhookError | null;
  ms: number;
  response: string | null;
}

const LEASED = `w.id, w.owner_id as "OwnerId", w.token_id as "TokenId", w.integration_id as "IntegrationId", w.callback_api as "callbackApi", w.title, w.event, w.url, w.method, w.headers, w.header_values as "headerValues", w.body,
  w.batch_size as "batchSize", w.max_connections as "maxConnections", w.success_on as "successOn", w.secret,
  w.previous_secret as "previousSecret", w.previous_until as "previousUntil", w.failures, w.failing_since as "failingSince", w.lease`;
const QUEUED = `e.id, e.key, e.data, e.at, e.tries, e.first_at as "firstAt", e.call_id as "callId"`;
/** Webhooks, or queues of receivers over SMPP, with something to deliver at `$1`: of each, one row of the index is read. */
const dueWebhooks = (kind: 'not w.is_smpp' | 'w.is_smpp') => `webhooks w
  cross join lateral (select 1 from webhook_events e where e.webhook_id = w.id and e.state = ${waiting} and e.due_at <= $1 limit 1) e
  where ${kind} and w.state = 'active' and (w.blocked_until is null or w.blocked_until <= $1) and (w.lease_until is null or w.lease_until < $1)`;
const DUE_WEBHOOKS = dueWebhooks('not w.is_smpp');
/** As `p.state = waiting`, by `webhook_events_waiting` and never by the index of due events: to the planner, a queue that has just filled up is empty. */
const STILL_WAITING = `p.state < ${EVENT_STATES.delivered}`;

/**
 * The queues of events, one per webhook. A webhook is delivered to by one worker at a time, which has its lease. Queues grow
 * by a bulk at a time, before the statistics of the table do, so that queries on two rows of a queue leave the planner no choice
 * that reads the queue for each of its rows.
 */
@Injectable()
export class DeliveryQueueStore {
  constructor(private readonly db: Db) {}

  async isDue(now: Date): Promise<boolean> {
    const rows = await this.db.query(`select 1 from ${DUE_WEBHOOKS} limit 1`, [now]);
    return rows.length > 0;
  }

  /** Leases the webhooks that have waited longest for a turn. */
  lease(now: Date, until: Date, limit: number): Promise<LeasedWebhook[]> {
    return this.db.query<LeasedWebhook>(
      `with due as (
         select w.id from ${DUE_WEBHOOKS} order by w.served_at nulls first, w.id limit $3 for update of w skip locked)
       update webhooks w set lease = lease + 1, lease_until = $2, served_at = $1 from due where w.id = due.id returning ${LEASED}`,
      [now, until, limit],
    );
  }

  /** Leases the queues of receivers over SMPP of these accounts in which something is due. */
  leaseReceivers(owners: string[], now: Date, until: Date): Promise<LeasedWebhook[]> {
    return this.db.query<LeasedWebhook>(
      `with due as (
         select w.id from ${dueWebhooks('w.is_smpp')} and w.owner_id = any($3) order by w.id for update of w skip locked)
       update webhooks w set lease = lease + 1, lease_until = $2, served_at = $1 from due where w.id = due.id returning ${LEASED}`,
      [now, until, owners],
    );
  }

  /** False when the webhook was paused or removed, or another worker has the lease. */
  async renew({ id, lease }: LeasedWebhook, until: Date): Promise<boolean> {
    const changed = await this.db.execute(
      `update webhooks set lease_until = $3 where id = $1 and lease = $2 and state = 'active'`,
      [id, lease, until],
    );
    return changed > 0;
  }

  /** Begins another turn of a webhook that is leased already, with its settings of now. None when the lease is lost or it is not active. */
  async nextTurn({ id, lease }: LeasedWebhook, now: Date): Promise<LeasedWebhook | undefined> {
    const [webhook] = await this.db.query<LeasedWebhook>(
      `update webhooks w set served_at = $3 where w.id = $1 and w.lease = $2 and w.state = 'active' returning ${LEASED}`,
      [id, lease, now],
    );
    return webhook;
  }

  async release({ id, lease }: LeasedWebhook): Promise<void> {
    await this.db.query(`update webhooks set lease_until = null where id = $1 and lease = $2`, [
      id,
      lease,
    ]);
  }

  /** Due events except the given ones, of each key the earliest only: the next one follows when it is delivered or given up. */
  take(webhookId: string, now: Date, limit: number, except: string[] = []): Promise<QueuedEvent[]> {
    return this.db.query<QueuedEvent>(
      `select ${QUEUED} from webhook_events e
        where e.webhook_id = $1 and e.state = ${waiting} and e.due_at <= $2 and e.id <> all($4::uuid[])
          and e.seq = (select min(p.seq) from webhook_events p
                        where p.webhook_id = $1 and p.key = e.key and ${STILL_WAITING})
        order by e.due_at, e.seq limit $3`,
      [webhookId, now, limit, except],
    );
  }

  /** All waiting events of batches that were sent before. */
  ofCalls(webhookId: string, callIds: string[]): Promise<QueuedEvent[]> {
    return this.db.query<QueuedEvent>(
      `select ${QUEUED} from webhook_events e
        where e.webhook_id = $1 and e.call_id = any($2) and e.state = ${waiting} order by e.seq`,
      [webhookId, callIds],
    );
  }

  /** Events that wait for an earlier one of their key become due with it. */
  async postpone(webhookId: string, now: Date): Promise<void> {
    await this.db.query(
      `update webhook_events e
          set due_at = coalesce((select p.due_at from webhook_events p
                                  where p.webhook_id = $1 and p.key = e.key and p.seq < e.seq and ${STILL_WAITING} order by p.seq limit 1), e.due_at)
        where e.webhook_id = $1 and e.state = ${waiting} and e.due_at <= $2`,
      [webhookId, now],
    );
  }

  /** Stores what a batch consists of, before it is sent; null takes an event out of its batch. False when another worker has the lease. */
  async assign(
    { id, lease }: LeasedWebhook,
    events: { id: string; callId: string | null }[],
  ): Promise<boolean> {
    const changed = await this.db.execute(
      `update webhook_events e set call_id = r.call_id
         from unnest($3::uuid[], $4::uuid[]) r (id, call_id)
        where e.id = r.id and e.state = ${waiting}
          and exists (select 1 from webhooks w where w.id = $1 and w.lease = $2)`,
      [id, lease, events.map((e) => e.id), events.map((e) => e.callId)],
    );
    return changed > 0;
  }

  /**
   * Stores results. False if another worker has the lease: the results are dropped, and it repeats the calls with the same
   * ids.
   */
  async record({ id, lease }: LeasedWebhook, results: EventResult[]): Promise<boolean> {
    const changed = await this.db.execute(
      `update webhook_events e set state = r.state, tries = r.tries, due_at = r.due_at, first_at = coalesce(e.first_at, r.at),
              attempted_at = r.at, status = r.status, error = r.error, ms = r.ms, response = r.response,
              attempts = case when e.attempted_at is null then e.attempts
                              else (case when jsonb_array_length(e.attempts) >= 20 then e.attempts - 0 else coalesce(e.attempts, '[]') end)
                                   || jsonb_build_object('at', to_char(e.attempted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'status', e.status, 'error', e.error, 'ms', e.ms) end
         from unnest($3::uuid[], $4::smallint[], $5::smallint[], $6::timestamptz[], $7::timestamptz[], $8::smallint[], $9::text[], $10::integer[], $11::text[])
              r (id, state, tries, due_at, at, status, error, ms, response)
        where e.id = r.id and e.state = ${waiting}
          and exists (select 1 from webhooks w where w.id = $1 and w.lease = $2)`,
      [
        id,
        lease,
        results.map((r) => r.id),
        results.map((r) => r.state),
        results.map((r) => r.tries),
        results.map((r) => r.dueAt),
        results.map((r) => r.at),
        results.map((r) => r.status),
        results.map((r) => r.error),
        results.map((r) => r.ms),
        results.map((r) => r.response),
      ],
    );
    return changed > 0;
  }

  /** The endpoint works again: what failed while it did not is repeated now. */
  async recovered({ id, lease }: LeasedWebhook, now: Date): Promise<void> {
    await this.db.query(
      `update webhook_events e set due_at = $3 where e.webhook_id = $1 and e.state = ${waiting} and e.tries > 0 and e.due_at > $3
          and exists (select 1 from webhooks w where w.id = $1 and w.lease = $2)`,
      [id, lease, now],
    );
  }

  /** What failed before is repeated now: the webhook was resumed. */
  async hasten(webhookId: string, now: Date): Promise<void> {
    await this.db.query(
      `update webhook_events set due_at = $2
        where webhook_id = $1 and state = ${waiting} and tries > 0 and due_at > $2`,
      [webhookId, now],
    );
  }

  /** Counts successes and failures. False when another worker has the lease. */
  async health(
    { id, lease }: LeasedWebhook,
    health: {
      failures: number;
      failingSince: Date | null;
      blockedUntil: Date | null;
      succeededAt: Date | null;
      end: { state: 'paused' | 'disabled'; reason: 'failing' | 'gone' | 'forbidden' } | null;
    },
  ): Promise<boolean> {
    const changed = await this.db.execute(
      `update webhooks set failures = $3, failing_since = $4, blocked_until = $5, last_success_at = coalesce($6, last_success_at),
              state = coalesce($7, state), reason = coalesce($8, reason)
        where id = $1 and lease = $2 and state = 'active'`,
      [
        id,
        lease,
        health.failures,
        health.failingSince,
        health.blockedUntil,
        health.succeededAt,
        health.end?.state ?? null,
        health.end?.reason ?? null,
      ],
    );
    return changed > 0;
  }
}
