import { Injectable } from '@nestjs/common';
import type { WebhookReport } from '@heliograph/domain';
import type { KeyObject } from 'node:crypto';
import { Clock } from '../../core/clock.ts';
import { signatureHeaders } from '../../core/http/standard-webhooks.ts';
import { Outbox } from '../../core/outbox.ts';
import { uuidv7 } from '../../core/uuid.ts';
import {
  DeliveryQueueStore,
  type LeasedWebhook,
  type QueuedEvent,
} from './delivery-queue.store.ts';
import { MessageCallbacks } from './message-callbacks.service.ts';
import { IntegrationReportsService } from './integration-reports.service.ts';
import { WebhookCaller, type CallResult } from './webhook-caller.ts';
import { requestOf } from './webhook-request.ts';
import type { HeaderValues } from './webhook-secrets.ts';

/** A webhook with what its calls need, as of the beginning of a turn. */
export interface Turn {
  webhook: LeasedWebhook;
  keys: KeyObject[];
  headers: HeaderValues;
}

/** One call with the data of its events; those of removed objects are absent. */
export interface Call {
  id: string;
  events: QueuedEvent[];
  reports: WebhookReport[];
}
type CallOfEvents = Omit<Call, 'reports'>;

/** Forms calls of queued events, and makes them. */
@Injectable()
export class WebhookCallsService {
  constructor(
    private readonly clock: Clock,
    private readonly store: DeliveryQueueStore,
    private readonly outbox: Outbox,
    private readonly integrations: IntegrationReportsService,
    private readonly callbacks: MessageCallbacks,
    private readonly caller: WebhookCaller,
  ) {}

  /** The calls that report these events, at most `limit`. Null if another worker has the lease. */
  async form(webhook: LeasedWebhook, rows: QueuedEvent[], limit: number): Promise<Call[] | null> {
    const calls = await (webhook.batchSize === 1
      ? this.singleCalls(webhook, rows)
      : this.batchCalls(webhook, rows));
    return calls && this.load(webhook, calls.slice(0, limit));
  }

  /** Null if there is nothing to report any more. */
  async make(
    { webhook, keys, headers }: Turn,
    { id, reports }: Call,
    isRepeated: boolean,
    stop: AbortSignal,
  ): Promise<CallResult | null> {
    // The object was removed.
    if (!reports.length) return null;
    if (webhook.callbackApi !== null) {
      const callback = await this.callbacks.compose(webhook, reports[0]!);
      if (!callback) return null;
      return this.caller.call(callback, callback.headers, webhook.successOn, stop);
    }
    const request = webhook.IntegrationId
      ? await this.integrations.compose(webhook.IntegrationId, reports[0]!, isRepeated)
      : requestOf(webhook, reports, webhook.batchSize > 1);
    if (!request || !('url' in request)) return request;
    const { body } = request;
    const sent = {
      ...(body !== null && { 'content-type': 'application/json' }),
      ...headers,
      ...signatureHeaders(keys, id, this.clock.now(), body ?? ''),
    };
    return this.caller.call(request, sent, webhook.successOn, stop);
  }

  private async batchCalls(
    webhook: LeasedWebhook,
    rows: QueuedEvent[],
  ): Promise<CallOfEvents[] | null> {
    const known = [...new Set(rows.flatMap(({ callId }) => callId ?? []))];
    const repeated = known.length ? await this.store.ofCalls(webhook.id, known) : [];
    const fresh = await this.newCalls(
      webhook,
      rows.filter(({ callId }) => !callId),
    );
    if (!fresh) return null;
    const calls = known.map((id) => ({ id, events: repeated.filter((e) => e.callId === id) }));
    return [...calls, ...fresh].filter(({ events }) => events.length);
  }

  /** Events of batches that were sent before the webhook was changed have calls of their own: a template reports one event only. */
  private async singleCalls(
    webhook: LeasedWebhook,
    rows: QueuedEvent[],
  ): Promise<CallOfEvents[] | null> {
    const batched = rows.flatMap(({ id, callId }) => (callId ? [{ id, callId: null }] : []));
    if (batched.length && !(await this.store.assign(webhook, batched))) return null;
    return rows.map((row) => ({ id: row.id, events: [row] }));
  }

  private async newCalls(
    webhook: LeasedWebhook,
    rows: QueuedEvent[],
  ): Promise<CallOfEvents[] | null> {
    const { batchSize } = webhook;
    const calls: CallOfEvents[] = [];
    for (let i = 0; i < rows.length; i += batchSize)
      calls.push({ id: uuidv7(), events: rows.slice(i, i + batchSize) });
    const assigned = calls.flatMap(({ id, events }) =>
      events.map((e) => ({ id: e.id, callId: id })),
    );
    if (!assigned.length || (await this.store.assign(webhook, assigned))) return calls;
    return null;
  }

  private async load({ OwnerId, event }: LeasedWebhook, calls: CallOfEvents[]): Promise<Call[]> {
    const events = calls.flatMap((call) => call.events);
    const loaded = await this.outbox.load(event, OwnerId, events);
    const dataById = new Map(events.map(({ id }, i) => [id, loaded[i] ?? null]));
    return calls.map((call) => ({
      ...call,
      reports: call.events.flatMap(({ id, at }) => {
        const data = dataById.get(id);
        return data ? [{ event, id, at, data }] : [];
      }),
    }));
  }
}
