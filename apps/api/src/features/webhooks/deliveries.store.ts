import { Injectable } from '@nestjs/common';
import { COUNT_CAP, type Page, type webhooks } from '@heliograph/contract';
import type { WebhookError } from '@heliograph/domain';
import { Db } from '../../core/db/db.ts';
import {
  conditions,
  equals,
  idTime,
  isWhole,
  totals,
  type ListSql,
} from '../../core/db/find-page.ts';
import { notFound } from '../../core/errors.ts';
import type { In } from '../../core/http/endpoint.ts';
import { uuidFloor } from '../../core/uuid.ts';
import { EVENT_STATES } from './delivery-queue.store.ts';

type Query = In<typeof webhooks.deliveries>['query'];

export interface DeliveryRow {
  id: string;
  WebhookId: string;
  OwnerId: string;
  key: string;
  data: Record<string, unknown> | null;
  state: number;
  tries: number;
  status: number | null;
  error: WebhookError | null;
  ms: number | null;
  callId: string | null;
  isTest: boolean;
  attemptedAt: Date | null;
  dueAt: Date;
  at: Date;
}
export interface DeliveryDetailsRow extends DeliveryRow {
  response: string | null;
  attempts: { at: string; status: number | null; error: WebhookError | null; ms: number }[] | null;
}

/** A test that was made, or an event to store as delivered. */
export interface NewDelivery {
  id: string;
  WebhookId: string;
  OwnerId: string;
  key: string;
  data: Record<string, unknown>;
  isDelivered: boolean;
  status: number | null;
  error: WebhookError | null;
  ms: number;
  response: string | null;
  at: Date;
}

const COLUMNS = `e.id, e.webhook_id as "WebhookId", e.owner_id as "OwnerId", e.key, e.data, e.state, e.tries, e.status, e.error, e.ms,
  e.call_id as "callId", e.is_test as "isTest", e.attempted_at as "attemptedAt", e.due_at as "dueAt", e.at`;
/** Rows that one call replays. */
export const MAX_REPLAYED = 10_000;

/** The log of a webhook's deliveries. The caller has checked that the webhook is the actor's. */
@Injectable()
export class DeliveriesStore {
  private readonly list: ListSql<Query> = {
    order: { createdAt: 'e.id' },
    filter: {
      state: (state) => `e.state = ${EVENT_STATES[state]}`,
      key: equals('e.key'),
    },
    range: { createdAt: idTime('e.id') },
  };

  constructor(private readonly db: Db) {}

  async find(webhookId: string, query: Query): Promise<Page<DeliveryRow>> {
    const values: unknown[] = [webhookId];
    const where = [
      'e.webhook_id = $1',
      ...conditions(this.list, query, (value) => `$${values.push(value)}`),
    ].join(' and ');
    const { direction } = query.order[0]!;
    const data = await this.db.queryUnprepared<DeliveryRow>(
      `select ${COLUMNS} from webhook_events e where ${where} order by e.id ${direction} limit ${query.limit} offset ${query.offset}`,
      values,
    );
    if (isWhole(data, query)) return { data, ...totals(data.length, query) };
    const [count] = await this.db.queryUnprepared<{ n: number }>(
      `select count(*)::int as n from (select 1 from webhook_events e where ${where} limit ${COUNT_CAP + 1}) c`,
      values,
    );
    return { data, ...totals(count!.n, query) };
  }

  async get(webhookId: string, id: string): Promise<DeliveryDetailsRow> {
    const [row] = await this.db.query<DeliveryDetailsRow>(
      `select ${COLUMNS}, e.attempts, e.response
         from webhook_events e where e.webhook_id = $1 and e.id = $2`,
      [webhookId, id],
    );
    if (!row) throw notFound();
    return row;
  }

  async add(row: NewDelivery): Promise<void> {
    await this.db.query(
      `insert into webhook_events (id, webhook_id, owner_id, key, data, state, tries, due_at, is_test, first_at, attempted_at, status, error, ms, response, at)
       values ($1, $2, $3, $4, $5, $6, 1, $7, true, $7, $7, $8, $9, $10, $11, $7)`,
      [
        row.id,
        row.WebhookId,
        row.OwnerId,
        row.key,
        row.data,
        row.isDelivered ? EVENT_STATES.delivered : EVENT_STATES.failed,
        row.at,
        row.status,
        row.error,
        row.ms,
        row.response,
      ],
    );
  }

  /** Makes delivered and failed events due again, as events of their own call. */
  replay(webhookId: string, ids: string[], now: Date): Promise<number> {
    return this.db.execute(
      `update webhook_events set state = ${EVENT_STATES.waiting}, tries = 0, due_at = $3, first_at = null, call_id = null
        where webhook_id = $1 and id = any($2) and state <> ${EVENT_STATES.waiting} and not is_test`,
      [webhookId, ids, now],
    );
  }

  /** The oldest of a range first, at most `MAX_REPLAYED`. */
  replayRange(
    webhookId: string,
    { from, to, state }: { from: string; to: string; state?: 'delivered' | 'failed' },
    now: Date,
  ): Promise<number> {
    const condition = state ? `state = ${EVENT_STATES[state]}` : `state <> ${EVENT_STATES.waiting}`;
    return this.db.execute(
      `update webhook_events set state = ${EVENT_STATES.waiting}, tries = 0, due_at = $4, first_at = null, call_id = null
        where id in (select id from webhook_events where webhook_id = $1 and id >= $2 and id < $3 and ${condition} and not is_test
                      order by id limit ${MAX_REPLAYED})`,
      [webhookId, uuidFloor(from), uuidFloor(new Date(Date.parse(to) + 1)), now],
    );
  }
}
