import {
  afterEndpointCall,
  endpointHealth,
  isEndpointBroken,
  isEndpointGone,
  isEndpointServable,
  nextWebhookTry,
  endpointPausedUntil,
  type EndpointHealth,
} from '@heliograph/domain';
import { secondsAfter, type Clock } from '../../core/clock.ts';
import {
  EVENT_STATES,
  type DeliveryQueueStore,
  type EventResult,
  type LeasedWebhook,
} from './delivery-queue.store.ts';
import type { Call, Turn, WebhookCallsService } from './webhook-calls.service.ts';
import type { CallResult } from './webhook-caller.ts';

/** Events read at a time. */
const MIN_WINDOW = 200;
const MAX_WINDOW = 5000;
const WINDOW_CALLS = 40;
/** Results are stored at least so often while calls are running. */
const FLUSH_MS = 250;
const FLUSH_SIZE = 200;
/** How often new events are looked for while calls are running. */
const POLL_MS = 500;
/** After this time the settings of the webhook are read again, or other webhooks get a turn. */
const TURN_SECONDS = 10;
const RENEW_SHARE = 1 / 3;
/** Characters of an answer that are stored with each event of a batch. */
const MAX_BATCH_RESPONSE = 200;

export interface RunOptions {
  leaseSeconds: number;
  /** Null when this run has to end: others wait for a turn, or the webhook is not served any more. */
  nextTurn: (webhook: LeasedWebhook) => Promise<Turn | null>;
  /** No further calls. */
  stopping: AbortSignal;
  /** Ends running calls; they are repeated later. */
  halt: AbortSignal;
}

/** Delivers the due events of one webhook, as long as it has the lease. */
export class EndpointRun {
  private health: EndpointHealth;
  private hasChanged = false;
  private isOver = false;
  private readonly lost = new AbortController();
  private readonly stop: AbortSignal;
  private results: EventResult[] = [];
  /** Events of running calls, and those whose results are not stored yet. */
  private readonly open = new Set<string>();
  private flushedAt = performance.now();
  private flushing: Promise<void> = Promise.resolve();

  constructor(
    private turn: Turn,
    private readonly calls: WebhookCallsService,
    private readonly store: DeliveryQueueStore,
    private readonly clock: Clock,
    private readonly options: RunOptions,
  ) {
    this.health = endpointHealth(turn.webhook);
    this.stop = AbortSignal.any([this.lost.signal, options.halt]);
  }

  /** Resolves with the health of the endpoint when there is nothing more to do, or to be done by this worker. The lease is kept. */
  async run(): Promise<EndpointHealth> {
    const { leaseSeconds } = this.options;
    const renewal = setInterval(
      () => {
        const until = secondsAfter(this.clock.now(), leaseSeconds);
        void this.store.renew(this.webhook, until).then(
          (isHeld) => isHeld || this.lost.abort(),
          () => undefined,
        );
      },
      leaseSeconds * 1000 * RENEW_SHARE,
    );
    try {
      if (isEndpointBroken(this.health)) await this.probe();
      await this.serve();
    } finally {
      clearInterval(renewal);
    }
    return this.health;
  }

  private get webhook(): LeasedWebhook {
    return this.turn.webhook;
  }

  private goesOn(): boolean {
    const isStopped = this.isOver || this.stop.aborted || this.options.stopping.aborted;
    return !isStopped && isEndpointServable(this.health);
  }

  /** A single call to an endpoint that fails. */
  private async probe(): Promise<void> {
    const [call] = await this.nextCalls();
    if (!call) return;
    await this.deliver(call);
    await this.flush();
    if (!isEndpointBroken(this.health)) await this.store.recovered(this.webhook, this.clock.now());
  }

  /** Keeps up to `maxConnections` calls running; as soon as one has ended, the next one starts. */
  private async serve(): Promise<void> {
    const running = new Set<Promise<void>>();
    let ready: Call[] = [];
    let ended = Promise.withResolvers<void>();
    let turnEnd = this.turnEnd();
    const mayStart = () => running.size < this.webhook.maxConnections && this.goesOn();
    const start = (call: Call) => {
      const made = this.deliver(call).then(() => this.flushIfDue());
      running.add(made);
      void made
        .then(
          () => running.delete(made),
          () => this.lost.abort(),
        )
        .finally(() => ended.resolve());
    };
    try {
      while (!this.stop.aborted) {
        ended = Promise.withResolvers();
        if (this.clock.now() > turnEnd && this.goesOn()) {
          await this.takeTurn();
          turnEnd = this.turnEnd();
          ready = [];
        }
        while (ready.length && mayStart()) start(ready.shift()!);
        const isIdle = !running.size;
        const isFree = mayStart();
        if (isFree) {
          ready = await this.nextCalls();
          if (ready.length) continue;
        }
        if (isIdle) break;
        const timer = isFree ? setTimeout(ended.resolve, POLL_MS) : undefined;
        await ended.promise;
        clearTimeout(timer);
      }
      await Promise.all(running);
    } catch (error) {
      this.lost.abort();
      await Promise.allSettled(running);
      throw error;
    }
    await this.flush();
  }

  private turnEnd(): Date {
    return secondsAfter(this.clock.now(), TURN_SECONDS);
  }

  private async takeTurn(): Promise<void> {
    const turn = await this.options.nextTurn(this.webhook);
    if (turn) this.turn = turn;
    else this.isOver = true;
  }

  /** What is due, in calls. An endpoint that fails gets a single one. */
  private async nextCalls(): Promise<Call[]> {
    // The next events of objects follow the stored results of those before.
    await this.flush();
    const { id, batchSize, maxConnections } = this.webhook;
    const now = this.clock.now();
    const window = Math.min(
      Math.max(batchSize * maxConnections * WINDOW_CALLS, MIN_WINDOW),
      MAX_WINDOW,
    );
    const open = [...this.open];
    const isProbe = isEndpointBroken(this.health);
    const rows = await this.store.take(id, now, isProbe ? batchSize : window, open);
    // Those behind running calls follow them at once.
    if (!rows.length && !open.length) await this.store.postpone(id, now);
    if (!rows.length) return [];
    const calls = await this.calls.form(this.webhook, rows, isProbe ? 1 : rows.length);
    if (!calls) this.lost.abort();
    return calls ?? [];
  }

  private async deliver(call: Call): Promise<void> {
    for (const { id } of call.events) this.open.add(id);
    const isRepeated = this.health.failures > 0;
    const result = await this.calls.make(this.turn, call, isRepeated, this.stop);
    if (!result) return this.note(call, GIVEN_UP, EVENT_STATES.failed);
    // The next holder of the lease repeats the call.
    if (this.stop.aborted) return;
    this.count(result);
    if (!result.error) return this.note(call, result, EVENT_STATES.delivered);
    this.note(call, result, isEndpointGone(result) ? EVENT_STATES.failed : EVENT_STATES.waiting);
  }

  private count(result: CallResult): void {
    const { failures, succeededAt } = this.health;
    // Further successes tell nothing new.
    this.hasChanged ||= result.error !== null || failures > 0 || !succeededAt;
    this.health = afterEndpointCall(this.health, result, this.clock.now());
  }

  private note(call: Call, result: CallResult, outcome: EventResult['state']): void {
    const at = this.clock.now();
    const tries = call.events[0]!.tries + 1;
    const firstAt = call.events[0]!.firstAt ?? at;
    const retry = outcome === EVENT_STATES.waiting ? nextWebhookTry(firstAt, tries, at) : null;
    const state = outcome === EVENT_STATES.waiting && !retry ? EVENT_STATES.failed : outcome;
    const wait = secondsAfter(at, (result.retryAfterMs ?? 0) / 1000);
    const dueAt = retry && retry > wait ? retry : wait;
    const length = call.events.length > 1 ? MAX_BATCH_RESPONSE : undefined;
    const response = result.response?.slice(0, length) ?? null;
    const { status, error, ms } = result;
    for (const { id } of call.events)
      this.results.push({ id, state, tries, dueAt, at, status, error, ms, response });
  }

  private async flushIfDue(): Promise<void> {
    const isDue =
      this.results.length >= FLUSH_SIZE || performance.now() - this.flushedAt > FLUSH_MS;
    if (isDue) await this.flush();
  }

  /** One at a time, so that results are stored in the order of the calls. */
  private flush(): Promise<void> {
    const results = this.results;
    this.results = [];
    this.flushedAt = performance.now();
    this.flushing = this.flushing.then(() => this.record(results));
    return this.flushing;
  }

  private async record(results: EventResult[]): Promise<void> {
    if (results.length && !(await this.store.record(this.webhook, results)))
      return this.lost.abort();
    for (const { id } of results) this.open.delete(id);
    if (!this.hasChanged) return;
    this.hasChanged = false;
    const { failures, failingSince, succeededAt } = this.health;
    const blockedUntil = endpointPausedUntil(this.health);
    const stored = { failures, failingSince, blockedUntil, succeededAt, end: null };
    await this.store.health(this.webhook, stored);
  }
}

const GIVEN_UP: CallResult = {
  error: 'object_removed',
  status: null,
  ms: 0,
  response: null,
  retryAfterMs: null,
};
