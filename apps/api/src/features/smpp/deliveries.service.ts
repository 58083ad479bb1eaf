import { Injectable } from '@nestjs/common';
import { canAll, EFFECTS } from '@heliograph/contract';
import type { WebhookEvent } from '@heliograph/domain';
import { PduError, STATUS, type Session } from '@heliograph/smpp';
import type { Actor } from '../../core/auth/actor.ts';
import { Clock, secondsAfter } from '../../core/clock.ts';
import { Log } from '../../core/log.ts';
import {
  EVENT_STATES,
  ReceiverQueues,
  type EventResult,
  type QueuedEvent,
  type QueueServer,
  type ReceiverQueue,
} from '../webhooks/receiver-queues.service.ts';
import { DeliverablesService, type Delivery } from './deliverables.service.ts';

/** A session over which an account receives. */
export interface Receiver {
  session: Session;
  /** With its present rights. */
  actor: Actor;
  /** Whether it takes optional parameters, which are of SMPP 3.4. */
  takesTlvs: boolean;
}

/** How often what is due is looked for. */
const POLL_MS = 250;
/** Deliveries of a session without an answer. */
const WINDOW = 10;
/** What is refused for now comes again after this time, and twice as late each time. */
const RETRY_SECONDS = 5;
const MAX_RETRY_SECONDS = 300;
const MAX_TRIES = 30_000;
/** The program refuses the message for ever. */
const REJECTED: number[] = [STATUS.ESME_RX_R_APPN, STATUS.ESME_RX_P_APPN];

type Outcome = 'acknowledged' | 'rejected' | 'refused' | 'lost';

/**
 * Delivers receipts and messages to the receivers of accounts that are bound to this process. An event stays in the database until all of
 * its PDUs are acknowledged; the queue of an account is served by one process at a time, which has its lease.
 */
@Injectable()
export class SmppDeliveries implements QueueServer {
  private readonly receivers = new Map<string, Set<Receiver>>();
  private readonly inFlight = new Map<Receiver, number>();
  private readonly running = new Set<Promise<void>>();
  private timer: NodeJS.Timeout | undefined;
  private isStopping = false;
  /** Told when a session has room again, or has ended. */
  private freed = Promise.withResolvers<void>();

  constructor(
    private readonly queues: ReceiverQueues,
    private readonly deliverables: DeliverablesService,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  attach(receiver: Receiver): void {
    const { OwnerId } = receiver.actor;
    const all = this.receivers.get(OwnerId) ?? new Set();
    this.receivers.set(OwnerId, all.add(receiver));
    this.inFlight.set(receiver, 0);
    void receiver.session.closed.then(() => {
      all.delete(receiver);
      if (!all.size) this.receivers.delete(OwnerId);
      this.inFlight.delete(receiver);
      this.wake();
    });
    this.schedule(0);
  }

  /** Begins nothing more; what is under way is acknowledged or comes again. */
  async stop(): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.timer);
    this.wake();
    await Promise.all(this.running);
  }

  private schedule(ms: number): void {
    clearTimeout(this.timer);
    if (this.isStopping || !this.receivers.size) return;
    this.timer = setTimeout(() => {
      void this.look().finally(() => this.schedule(POLL_MS));
    }, ms);
  }

  private async look(): Promise<void> {
    try {
      for (const run of await this.queues.serveDue([...this.receivers.keys()], this)) {
        const handled = run
          .catch((error: unknown) =>
            this.log.error({ err: error }, 'Delivering over SMPP failed; the lease expires.'),
          )
          .finally(() => this.running.delete(handled));
        this.running.add(handled);
      }
    } catch (error) {
      this.log.warn({ err: error }, 'Looking for deliveries over SMPP failed.');
    }
  }

  isReady(queue: ReceiverQueue): boolean {
    return !this.isStopping && this.receiverOf(queue) !== undefined;
  }

  /** The events in their order, over sessions with room. Those for which there is no session any more have no result. */
  async deliver(queue: ReceiverQueue, events: QueuedEvent[]): Promise<EventResult[]> {
    const pdus = await this.deliverables.pdusOf(queue.event, queue.OwnerId, events);
    const results: Promise<EventResult | null>[] = [];
    for (const [i, event] of events.entries()) {
      const began = performance.now();
      const outcomes: Promise<Outcome>[] = [];
      for (const pdu of pdus[i]!) {
        const receiver = await this.free(queue);
        if (!receiver) break;
        outcomes.push(this.send(receiver, pdu));
      }
      const isWhole = outcomes.length === pdus[i]!.length;
      results.push(
        Promise.all(outcomes).then((all) =>
          isWhole ? this.resultOf(event, all, performance.now() - began) : null,
        ),
      );
      if (!isWhole) break;
    }
    return (await Promise.all(results)).filter((result) => result !== null);
  }

  private async send(receiver: Receiver, { tlvs, ...pdu }: Delivery): Promise<Outcome> {
    this.count(receiver, 1);
    try {
      const { status } = await receiver.session.request('deliver_sm', {
        ...pdu,
        ...(receiver.takesTlvs && { tlvs }),
      });
      if (status === STATUS.ESME_ROK) return 'acknowledged';
      return REJECTED.includes(status) ? 'rejected' : 'refused';
    } catch (error) {
      // What has no form on the wire has none the next time. Whether the rest was stored is not known: it comes again.
      return error instanceof PduError ? 'rejected' : 'lost';
    } finally {
      this.count(receiver, -1);
      this.wake();
    }
  }

  private resultOf(event: QueuedEvent, outcomes: Outcome[], ms: number): EventResult {
    const at = this.clock.now();
    const isOpen = outcomes.includes('refused') || outcomes.includes('lost');
    const isRejected = outcomes.includes('rejected');
    const tries = Math.min(event.tries + 1, MAX_TRIES);
    const wait = outcomes.includes('refused')
      ? Math.min(RETRY_SECONDS * 2 ** Math.min(event.tries, 10), MAX_RETRY_SECONDS)
      : 0;
    return {
      id: event.id,
      state: isOpen
        ? EVENT_STATES.waiting
        : isRejected
          ? EVENT_STATES.failed
          : EVENT_STATES.delivered,
      tries,
      dueAt: secondsAfter(at, wait),
      at,
      status: null,
      error: null,
      ms: Math.round(ms),
      response: null,
    };
  }

  /** The session of the account with most room; waits for one. Undefined if none is left that may receive these events. */
  private async free(queue: ReceiverQueue): Promise<Receiver | undefined> {
    for (;;) {
      const receiver = this.isStopping ? undefined : this.receiverOf(queue);
      if (!receiver || this.inFlight.get(receiver)! < WINDOW) return receiver;
      await this.freed.promise;
    }
  }

  private receiverOf({ OwnerId, event }: ReceiverQueue): Receiver | undefined {
    let best: Receiver | undefined;
    for (const receiver of this.receivers.get(OwnerId) ?? []) {
      if (!receiver.session.isOpen || !mayReceive(receiver, event)) continue;
      if (!best || this.inFlight.get(receiver)! < this.inFlight.get(best)!) best = receiver;
    }
    return best;
  }

  private count(receiver: Receiver, change: 1 | -1): void {
    const count = this.inFlight.get(receiver);
    if (count !== undefined) this.inFlight.set(receiver, count + change);
  }

  private wake(): void {
    const { resolve } = this.freed;
    this.freed = Promise.withResolvers();
    resolve();
  }
}

const mayReceive = ({ actor }: Receiver, event: WebhookEvent): boolean =>
  canAll(actor.permissions, EFFECTS.webhook[event]);
