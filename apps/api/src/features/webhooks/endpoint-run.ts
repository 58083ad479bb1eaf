import type { KeyObject } from 'node:crypto';
import {
  nextWebhookTry,
  WEBHOOK_BROKEN_AFTER,
  webhookBackoff,
  type WebhookReport,
} from '@heliograph/domain';
import type { Clock } from '../../core/clock.ts';
import type { Outbox } from '../../core/outbox.ts';
import { secondsAfter } from '../../core/clock.ts';
import { uuidv7 } from '../../core/uuid.ts';
import {
  EVENT_STATES,
  type DeliveryQueueStore,
  type EventResult,
  type LeasedWebhook,
  type QueuedEvent,
} from './delivery-queue.store.ts';
import { signatureHeaders } from './signature.ts';
import type { CallResult, WebhookCaller } from './webhook-caller.ts';
import type { IntegrationReportsService } from './integration-reports.service.ts';
import { requestOf, type WebhookRequest } from './webhook-request.ts';
import type { HeaderValues } from './webhook-secrets.ts';

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
const GONE = 410;
const THROTTLING = [429, 502, 503, 504];

interface Call {
  id: string;
  events: QueuedEvent[];
}
/** A call with the data of its events; those of removed objects are absent. */
interface LoadedCall extends Call {
  reports: WebhookReport[];
}

/** A webhook with what its calls need, as of the beginning of a turn. */
export interface Turn {
  webhook: LeasedWebhook;
  keys: KeyObject[];
  headers: HeaderValues;
}

export interface RunParts {
  clock: Clock;
  store: DeliveryQueueStore;
  caller: WebhookCaller;
  outbox: Outbox;
  /** Composes the calls of webhooks that belong to an integration. */
  compose: IntegrationReportsService['compose'];
  leaseSeconds: number;
  pauseSeconds: number;
  isStopping: () => boolean;
  /** Null when this run has to end: others wait for a turn, or the webhook is not served any more. */
  nextTurn: (webhook: LeasedWebhook) => Promise<Turn | null>;
  /** Ends running calls; they are repeated later. */
  halt: AbortSignal;
  /** The webhook ends its own deliveries: a 410, or nothing but failures for long. */
  end: (webhook: LeasedWebhook, run: EndpointRun, reason: 'failing' | 'gone') => Promise<void>;
}

/** Delivers the due events of one webhook, as long as it has the lease. */
export class EndpointRun {
  failures: number;
  failingSince: Date | null;
  private blockedUntil: Date | null = null;
  /** By a `Retry-After` of the endpoint. */
  private throttledUntil: Date | null = null;
  private succeededAt: Date | null = null;
  private isGone = false;
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
    private readonly parts: RunParts,
  ) {
    this.failures = turn.webhook.failures;
    this.failingSince = turn.webhook.failingSince;
    this.stop = AbortSignal.any([this.lost.signal, parts.halt]);
  }

  async run(): Promise<void> {
    const { leaseSeconds, store, clock } = this.parts;
    const renewal = setInterval(
      () => {
        const until = secondsAfter(clock.now(), leaseSeconds);
        void store.renew(this.webhook, until).then(
          (isHeld) => isHeld || this.lost.abort(),
          () => undefined,
        );
      },
      leaseSeconds * 1000 * RENEW_SHARE,
    );
    try {
      if (this.isBroken) await this.probe();
      await this.serve();
    } finally {
      clearInterval(renewal);
    }
    await store.release(this.webhook);
  }

  private get webhook(): LeasedWebhook {
    return this.turn.webhook;
  }

  private get isBroken(): boolean {
    return this.failures >= WEBHOOK_BROKEN_AFTER;
  }

  private goesOn(): boolean {
    return (
      !this.isBroken &&
      !this.blockedUntil &&
      !this.throttledUntil &&
      !this.isGone &&
      !this.isOver &&
      !this.stop.aborted &&
      !this.parts.isStopping()
    );
  }

  /** A single call to an endpoint that fails. */
  private async probe(): Promise<void> {
    const [call] = await this.nextCalls();
    if (!call) return;
    await this.deliver(call);
    await this.flush();
    if (!this.isBroken) await this.parts.store.recovered(this.webhook, this.parts.clock.now());
  }

  /** Keeps up to `maxConnections` calls running; as soon as one has ended, the next one starts. */
  private async serve(): Promise<void> {
    const running = new Set<Promise<void>>();
    let ready: LoadedCall[] = [];
    let ended = Promise.withResolvers<void>();
    let turnEnd = this.turnEnd();
    const mayStart = () => running.size < this.webhook.maxConnections && this.goesOn();
    const start = (call: LoadedCall) => {
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
        if (this.parts.clock.now() > turnEnd && this.goesOn()) {
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
    return secondsAfter(this.parts.clock.now(), TURN_SECONDS);
  }

  private async takeTurn(): Promise<void> {
    const turn = await this.parts.nextTurn(this.webhook);
    if (turn) this.turn = turn;
    else this.isOver = true;
  }

  /** What is due, in calls. An endpoint that fails gets a single one. */
  private async nextCalls(): Promise<LoadedCall[]> {
    // The next events of objects follow the stored results of those before.
    await this.flush();
    const { store, clock } = this.parts;
    const { id, batchSize, maxConnections } = this.webhook;
    const now = clock.now();
    const window = Math.min(
      Math.max(batchSize * maxConnections * WINDOW_CALLS, MIN_WINDOW),
      MAX_WINDOW,
    );
    const open = [...this.open];
    const rows = await store.take(id, now, this.isBroken ? batchSize : window, open);
    // Those behind running calls follow them at once.
    if (!rows.length && !open.length) await store.postpone(id, now);
    if (!rows.length) return [];
    const calls = batchSize === 1 ? await this.singleCalls(rows) : await this.batchCalls(rows);
    return this.load(this.isBroken ? calls.slice(0, 1) : calls);
  }

  private async batchCalls(rows: QueuedEvent[]): Promise<Call[]> {
    const { store } = this.parts;
    const { id } = this.webhook;
    const known = [...new Set(rows.flatMap(({ callId }) => callId ?? []))];
    const repeated = known.length ? await store.ofCalls(id, known) : [];
    return [
      ...known.map((callId) => ({
        id: callId,
        events: repeated.filter((event) => event.callId === callId),
      })),
      ...(await this.newCalls(rows.filter(({ callId }) => !callId))),
    ].filter(({ events }) => events.length);
  }

  /** Events of batches that were sent before the webhook was changed have calls of their own: a template reports one event only. */
  private async singleCalls(rows: QueuedEvent[]): Promise<Call[]> {
    const batched = rows.flatMap(({ id, callId }) => (callId ? [{ id, callId: null }] : []));
    if (batched.length && !(await this.parts.store.assign(this.webhook, batched))) {
      this.lost.abort();
      return [];
    }
    return rows.map((row) => ({ id: row.id, events: [row] }));
  }

  private async newCalls(rows: QueuedEvent[]): Promise<Call[]> {
    const { batchSize } = this.webhook;
    const calls: Call[] = [];
    for (let i = 0; i < rows.length; i += batchSize)
      calls.push({ id: uuidv7(), events: rows.slice(i, i + batchSize) });
    const assigned = calls.flatMap(({ id, events }) =>
      events.map((e) => ({ id: e.id, callId: id })),
    );
    if (!assigned.length || (await this.parts.store.assign(this.webhook, assigned))) return calls;
    this.lost.abort();
    return [];
  }

  private async load(calls: Call[]): Promise<LoadedCall[]> {
    const { OwnerId, event } = this.webhook;
    const events = calls.flatMap((call) => call.events);
    const loaded = await this.parts.outbox.load(event, OwnerId, events);
    const dataById = new Map(events.map(({ id }, i) => [id, loaded[i] ?? null]));
    return calls.map((call) => ({
      ...call,
      reports: call.events.flatMap(({ id, at }) => {
        const data = dataById.get(id);
        return data ? [{ event, id, at, data }] : [];
      }),
    }));
  }

  private async deliver(call: LoadedCall): Promise<void> {
    const { reports } = call;
    for (const { id } of call.events) this.open.add(id);
    // The object was removed: there is nothing to report.
    if (!reports.length) return this.note(call, GIVEN_UP, EVENT_STATES.failed);
    const { IntegrationId, batchSize } = this.webhook;
    const isBatch = batchSize > 1;
    const request = IntegrationId
      ? await this.parts.compose(IntegrationId, reports[0]!, this.failures > 0)
      : requestOf(this.webhook, reports, isBatch);
    if (!request) return this.note(call, GIVEN_UP, EVENT_STATES.failed);
    const result = 'url' in request ? await this.request(call, request) : request;
    // The next holder of the lease repeats the call.
    if (this.stop.aborted) return;
    this.count(result);
    if (!result.error) return this.note(call, result, EVENT_STATES.delivered);
    this.note(call, result, result.status === GONE ? EVENT_STATES.failed : EVENT_STATES.waiting);
  }

  private request(call: Call, request: WebhookRequest): Promise<CallResult> {
    const headers = {
      ...(request.body !== null && { 'content-type': 'application/json' }),
      ...this.turn.headers,
      ...signatureHeaders(this.turn.keys, call.id, this.parts.clock.now(), request.body ?? ''),
    };
    return this.parts.caller.call(request, headers, this.webhook.successOn, this.stop);
  }

  /** Counts a call for the state of the endpoint. */
  private count({ error, status, retryAfterMs }: CallResult): void {
    const now = this.parts.clock.now();
    this.hasChanged ||= error !== null || this.failures > 0 || !this.succeededAt;
    if (!error) {
      this.failures = 0;
      this.failingSince = null;
      this.blockedUntil = null;
      this.succeededAt = now;
      return;
    }
    this.failures++;
    this.failingSince ??= now;
    if (status === GONE) this.isGone = true;
    const isThrottled = retryAfterMs !== null && THROTTLING.includes(status ?? 0);
    if (isThrottled) this.throttledUntil = secondsAfter(now, Math.max(retryAfterMs / 1000, 1));
    if (this.isBroken) this.blockedUntil = secondsAfter(now, webhookBackoff(this.failures));
  }

  private note(call: Call, result: CallResult, outcome: EventResult['state']): void {
    const at = this.parts.clock.now();
    const tries = call.events[0]!.tries + 1;
    const firstAt = call.events[0]!.firstAt ?? at;
    const retry = outcome === EVENT_STATES.waiting ? nextWebhookTry(firstAt, tries, at) : null;
    const state = outcome === EVENT_STATES.waiting && !retry ? EVENT_STATES.failed : outcome;
    const wait = secondsAfter(at, (result.retryAfterMs ?? 0) / 1000);
    const dueAt = retry && retry > wait ? retry : wait;
    for (const { id } of call.events)
      this.results.push({
        id,
        state,
        tries,
        dueAt,
        at,
        status: result.status,
        error: result.error,
        ms: result.ms,
        response:
          result.response?.slice(0, call.events.length > 1 ? MAX_BATCH_RESPONSE : undefined) ??
          null,
      });
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
    this.flushing = this.flushing.then(() => this.store(results));
    return this.flushing;
  }

  private async store(results: EventResult[]): Promise<void> {
    if (results.length && !(await this.parts.store.record(this.webhook, results)))
      return this.lost.abort();
    for (const { id } of results) this.open.delete(id);
    if (!this.hasChanged) return;
    this.hasChanged = false;
    if (this.isGone) return this.parts.end(this.webhook, this, 'gone');
    const { failingSince, failures, succeededAt } = this;
    const blockedUntil = later(this.blockedUntil, this.throttledUntil);
    const failingMs = failingSince ? this.parts.clock.now().getTime() - failingSince.getTime() : 0;
    if (this.isBroken && failingMs >= this.parts.pauseSeconds * 1000)
      return this.parts.end(this.webhook, this, 'failing');
    const health = { failures, failingSince, blockedUntil, succeededAt, end: null };
    await this.parts.store.health(this.webhook, health);
  }
}

const later = (a: Date | null, b: Date | null) => (a && b ? (a > b ? a : b) : (a ?? b));

const GIVEN_UP: CallResult = {
  error: 'object_removed',
  status: null,
  ms: 0,
  response: null,
  retryAfterMs: null,
};
