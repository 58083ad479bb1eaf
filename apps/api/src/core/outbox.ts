import { Injectable } from '@nestjs/common';
import { WEBHOOK_DATA } from '@heliograph/contract';
import type { WebhookEvent } from '@heliograph/domain';
import { Clock } from './clock.ts';
import { Config } from './config.ts';
import { Jobs } from './jobs/queue.ts';
import { OutboxStore, type OutboxRow, type Subscription } from './outbox.store.ts';

/** A row to deliver, with what was stored of it. */
export interface StoredEvent {
  key: string;
  data: Record<string, unknown> | null;
}
/** Completes stored events to the `data` that is delivered, in their order; null if the object does not exist any more. */
export type EventLoader = (
  OwnerId: string,
  events: StoredEvent[],
) => Promise<(Record<string, unknown> | null)[]>;

/**
 * Events for the webhooks of an account, written in the transaction of the fact: of many accounts by one statement, after one that
 * finds those that have a webhook.
 */
@Injectable()
export class Outbox {
  private readonly loaders = new Map<WebhookEvent, EventLoader>();

  constructor(
    private readonly clock: Clock,
    private readonly jobs: Jobs,
    private readonly store: OutboxStore,
    private readonly config: Config,
  ) {}

  /** Events of this kind are completed by `load` when they are delivered; others are delivered as stored. */
  complete(event: WebhookEvent, load: EventLoader): void {
    this.loaders.set(event, load);
  }

  /** The `data` of stored events. */
  async load(
    event: WebhookEvent,
    OwnerId: string,
    events: StoredEvent[],
  ): Promise<(Record<string, unknown> | null)[]> {
    const load = this.loaders.get(event);
    const loaded = load ? await load(OwnerId, events) : events.map(({ data }) => data);
    if (this.config.checksResponses) for (const data of loaded) if (data) check(event, data);
    return loaded;
  }

  /** Whether the account has a webhook for the event. */
  async isWanted(event: WebhookEvent, OwnerId: string): Promise<boolean> {
    return (await this.wanted(event, [{ OwnerId }])).length > 0;
  }

  /** Those of the rows that a webhook wants. */
  async wanted<R extends { OwnerId: string; tag?: string }>(
    event: WebhookEvent,
    rows: R[],
  ): Promise<R[]> {
    const owners = [...new Set(rows.map(({ OwnerId }) => OwnerId))];
    const byOwner = Map.groupBy(
      await this.store.subscriptions(event, owners),
      ({ OwnerId }) => OwnerId,
    );
    return rows.filter(({ OwnerId, tag }) => byOwner.get(OwnerId)?.some(includes(tag)));
  }

  /** Writes events in the caller's transaction. */
  async add(event: WebhookEvent, rows: OutboxRow[]): Promise<void> {
    const wanted = await this.wanted(event, rows);
    if (!wanted.length) return;
    if (await this.store.add(event, wanted, this.clock.now())) this.wake();
  }

  /** Writes an event for the webhook of one integration. */
  async addFor(IntegrationId: string, event: WebhookEvent, row: OutboxRow): Promise<void> {
    if (await this.store.add(event, [row], this.clock.now(), IntegrationId)) this.wake();
  }

  /** Delivers what is due, after the commit. */
  wake(): void {
    this.jobs.enqueue('webhooks.deliver', {});
  }
}

const includes =
  (tag: string | undefined) =>
  ({ tags }: Subscription): boolean =>
    tag === undefined || !tags || tags.includes(tag);

/** Programs are generated from the schemas of the events: outside of production, what is delivered must be as they say. */
function check(event: WebhookEvent, data: Record<string, unknown>): void {
  const parsed = WEBHOOK_DATA[event].strict().safeParse(data);
  if (!parsed.success)
    throw new Error(`${event}: the event violates the contract: ${parsed.error.message}`);
}
