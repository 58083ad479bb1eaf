import { Injectable } from '@nestjs/common';
import {
  EFFECTS,
  type Page,
  type ResponseOf,
  type WebhookDelivery,
  type webhooks,
} from '@heliograph/contract';
import { webhookExample, type WebhookReport } from '@heliograph/domain';
import { requireAll, type Actor } from '../../core/auth/actor.ts';
import { Clock } from '../../core/clock.ts';
import { Config } from '../../core/config.ts';
import { Db } from '../../core/db/db.ts';
import type { In } from '../../core/http/endpoint.ts';
import { Sweeps } from '../../core/jobs/handlers.ts';
import { Outbox } from '../../core/outbox.ts';
import { Retention } from '../../core/retention.ts';
import { uuidTime, uuidv7 } from '../../core/uuid.ts';
import {
  DeliveriesStore,
  MAX_REPLAYED,
  type DeliveryDetailsRow,
  type DeliveryRow,
} from './deliveries.store.ts';
import { EVENT_STATES } from './delivery-queue.store.ts';
import { signatureHeaders } from '../../core/http/standard-webhooks.ts';
import { WebhookCaller } from './webhook-caller.ts';
import type { Webhook } from './webhook.entity.ts';
import { requestOf } from './webhook-request.ts';
import { WebhookSecrets } from './webhook-secrets.ts';
import { WebhooksStore } from './webhooks.store.ts';

type Details = ResponseOf<typeof webhooks.delivery>;

const STATES = ['waiting', 'delivered', 'failed'] as const;

/** The log of deliveries, tests and replays. */
@Injectable()
export class DeliveriesService {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly retention: Retention,
    private readonly outbox: Outbox,
    private readonly store: WebhooksStore,
    private readonly deliveries: DeliveriesStore,
    private readonly secrets: WebhookSecrets,
    private readonly caller: WebhookCaller,
  ) {}

  @Sweeps(60_000)
  deleteOld(): Promise<boolean> {
    return this.retention.deleteOlder('webhook_events', this.config.RETENTION_WEBHOOKS_DAYS);
  }

  async find(
    { scope }: Actor,
    id: string,
    query: In<typeof webhooks.deliveries>['query'],
  ): Promise<Page<WebhookDelivery>> {
    const webhook = await this.store.get(scope, id);
    const page = await this.deliveries.find(id, query);
    return { ...page, data: page.data.map((row) => presentDelivery(row, webhook)) };
  }

  /** With the request: for who may read what it reports. */
  async get(actor: Actor, id: string, deliveryId: string): Promise<Details> {
    const webhook = await this.store.get(actor.scope, id);
    requireAll(actor, EFFECTS.webhook[webhook.event]);
    return this.details(webhook, await this.deliveries.get(id, deliveryId));
  }

  /** Calls the endpoint with the example of the event, whatever the state of the webhook. */
  async test({ scope }: Actor, id: string): Promise<Details> {
    const webhook = await this.store.get(scope, id);
    const at = this.clock.now();
    const report = webhookExample(webhook.event, at, uuidv7(at));
    const request = requestOf(webhook, [report], webhook.batchSize > 1);
    const keys = await this.secrets.signing(webhook, at);
    const headers = {
      ...(request.body !== null && { 'content-type': 'application/json' }),
      ...(await this.secrets.headers(webhook)),
      ...signatureHeaders(keys, report.id, at, request.body ?? ''),
    };
    const result = await this.caller.call(request, headers, webhook.successOn);
    const { OwnerId } = webhook;
    await this.deliveries.add({
      id: report.id,
      WebhookId: id,
      OwnerId,
      key: report.id,
      data: report.data,
      isDelivered: !result.error,
      ...result,
      at,
    });
    return this.details(webhook, await this.deliveries.get(id, report.id));
  }

  async replay(
    actor: Actor,
    id: string,
    { ids, from, to, state }: In<typeof webhooks.replay>['body'],
  ): Promise<ResponseOf<typeof webhooks.replay>> {
    const { event } = await this.store.get(actor.scope, id);
    requireAll(actor, EFFECTS.webhook[event]);
    const now = this.clock.now();
    const until = to ?? now.toISOString();
    const count = await this.db.transaction(() =>
      ids
        ? this.deliveries.replay(id, ids, now)
        : this.deliveries.replayRange(id, { from: from!, to: until, state }, now),
    );
    if (count) this.outbox.wake();
    return { count, isMore: count === MAX_REPLAYED };
  }

  /** The request is composed anew, so it shows the fields of the object as they are now. */
  private async details(webhook: Webhook, row: DeliveryDetailsRow): Promise<Details> {
    const [loaded] = row.isTest
      ? [row.data]
      : await this.outbox.load(webhook.event, webhook.OwnerId, [row]);
    const { event, headers, batchSize } = webhook;
    const reports: WebhookReport[] = loaded
      ? [{ event, id: row.id, at: row.at, data: loaded }]
      : [];
    const isBatch = batchSize > 1 || row.callId !== null;
    const request = reports.length
      ? requestOf(webhook, reports, isBatch)
      : { method: webhook.method, url: webhook.url, body: null };
    const { status, error, ms, attemptedAt } = row;
    const last = attemptedAt ? [{ at: attemptedAt.toISOString(), status, error, ms: ms ?? 0 }] : [];
    return {
      ...presentDelivery(row, webhook),
      callId: row.callId ?? row.id,
      request: { ...request, headers },
      response: row.response,
      attempts: [...(row.attempts ?? []), ...last],
    };
  }
}

function presentDelivery(row: DeliveryRow, webhook: Webhook): WebhookDelivery {
  const { attemptedAt, dueAt, state } = row;
  return {
    id: row.id,
    WebhookId: row.WebhookId,
    event: webhook.event,
    key: row.key,
    state: STATES[state]!,
    tries: row.tries,
    status: row.status,
    error: row.error,
    ms: row.ms,
    isBatch: row.callId !== null,
    isTest: row.isTest,
    attemptedAt: attemptedAt?.toISOString() ?? null,
    nextAt: state === EVENT_STATES.waiting ? nextAt(dueAt, webhook) : null,
    createdAt: uuidTime(row.id).toISOString(),
  };
}

/** An event that is due waits for its webhook. */
function nextAt(dueAt: Date, { state, blockedUntil }: Webhook): string | null {
  if (state !== 'active') return null;
  return (blockedUntil && blockedUntil > dueAt ? blockedUntil : dueAt).toISOString();
}
