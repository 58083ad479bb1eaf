import { Injectable } from '@nestjs/common';
import type { WebhookEvent, WebhookStatus } from '@heliograph/domain';
import { LRUCache } from 'lru-cache';
import { Clock, secondsAfter } from '../../core/clock.ts';
import { Config } from '../../core/config.ts';
import { Sweeps } from '../../core/jobs/handlers.ts';
import { Outbox } from '../../core/outbox.ts';
import {
  DeliveryQueueStore,
  type EventResult,
  type LeasedWebhook,
  type QueuedEvent,
} from './delivery-queue.store.ts';
import { ReceiverQueuesStore } from './receiver-queues.store.ts';

export { EVENT_STATES } from './delivery-queue.store.ts';
export type { EventResult, QueuedEvent } from './delivery-queue.store.ts';

export type ReceiverQueue = Pick<LeasedWebhook, 'id' | 'OwnerId' | 'event'>;

/** What delivers from queues. */
export interface QueueServer {
  /** Whether it can deliver from the queue at all. */
  isReady(queue: ReceiverQueue): boolean;
  /** The results of the events that it could begin, in their order. */
  deliver(queue: ReceiverQueue, events: QueuedEvent[]): Promise<EventResult[]>;
}

export const RECEIPTS = 'sendings.status';
export const MESSAGES = 'sendingsIncoming.created';
const STATUSES: WebhookStatus[] = ['delivered', 'failed'];

/** Events read at a time. */
const TAKEN = 200;
const RENEW_SHARE = 1 / 3;
const OPEN_MS = 3_600_000;
const MAX_OPEN = 10_000;
const DAY_MS = 86_400_000;

/**
 * Events for the receivers of accounts over SMPP. They are queued as those of webhooks are, and delivered by the process that has a session
 * of the account and the lease of the queue.
 */
@Injectable()
export class ReceiverQueues {
  /** Queues that were made, or were said to be in use, lately. */
  private readonly opened = new LRUCache<string, true>({ max: MAX_OPEN, ttl: OPEN_MS });

  constructor(
    private readonly store: ReceiverQueuesStore,
    private readonly queue: DeliveryQueueStore,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** From now on, receipts of the account wait for its receivers, and messages of people if it has one. */
  async open(OwnerId: string, events: readonly WebhookEvent[]): Promise<void> {
    const now = this.clock.now();
    for (const event of events) {
      const key = `${OwnerId} ${event}`;
      if (this.opened.has(key)) continue;
      await this.store.ensure(OwnerId, event, event === RECEIPTS ? STATUSES : null, now);
      this.opened.set(key, true);
    }
  }

  /** The failure of what is no message, for its receivers alone. In the transaction of the caller. */
  async addFailure(OwnerId: string, key: string, error: string): Promise<void> {
    const WebhookId = await this.store.idOf(OwnerId, RECEIPTS);
    if (!WebhookId) return;
    const data = { status: 'failed', error };
    await this.outbox.add(RECEIPTS, [{ OwnerId, key, tag: 'failed', WebhookId, data }]);
  }

  /** An account that uses SMPP no more has no queues. */
  @Sweeps(3_600_000)
  async removeUnused(): Promise<void> {
    const { RETENTION_WEBHOOKS_DAYS } = this.config;
    const before = this.clock.now().getTime() - RETENTION_WEBHOOKS_DAYS * DAY_MS;
    await this.store.removeUnused(new Date(before));
  }

  /** Leases the queues of accounts in which something is due, and serves each: their runs by the id of the queue. */
  async serveDue(owners: string[], server: QueueServer): Promise<Promise<void>[]> {
    const now = this.clock.now();
    const until = secondsAfter(now, this.config.LEASE_SECONDS);
    const leased = await this.queue.leaseReceivers(owners, now, until);
    return leased.map((queue) => this.serve(queue, server));
  }

  private async serve(queue: LeasedWebhook, server: QueueServer): Promise<void> {
    const { LEASE_SECONDS } = this.config;
    let isHeld = true;
    const renewal = setInterval(
      () => {
        const until = secondsAfter(this.clock.now(), LEASE_SECONDS);
        void this.queue.renew(queue, until).then(
          (held) => (isHeld &&= held),
          () => undefined,
        );
      },
      LEASE_SECONDS * 1000 * RENEW_SHARE,
    );
    try {
      while (isHeld && server.isReady(queue)) {
        const now = this.clock.now();
        const events = await this.queue.take(queue.id, now, TAKEN);
        if (!events.length) {
          // Those behind events that wait for their next try.
          await this.queue.postpone(queue.id, now);
          break;
        }
        const results = await server.deliver(queue, events);
        if (results.length) isHeld &&= await this.queue.record(queue, results);
      }
    } finally {
      clearInterval(renewal);
    }
    if (isHeld) await this.queue.release(queue);
  }
}
