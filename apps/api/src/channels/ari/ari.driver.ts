import { LRUCache } from 'lru-cache';
import type { WebSocket } from 'undici';

import { currentTime } from '../../core/time.ts';
import {
  type CarrierMessage,
  type CarrierReport,
  ChannelDown,
  defineDriver,
  type Driver,
  type DriverContext,
  type OpenContext,
  type OutgoingMessage,
  type SubmitResult,
} from '../channel.ts';
import { carrierAgent } from '../http-call.ts';
import { AriClient, type AriEvent } from './ari-client.ts';
import { Call, type CallName, type CallParts, SCRIPT_VARIABLE } from './call.ts';
import { AriOptions } from './options.ts';
import { type Placed, placedOf, shownBody } from './placing.ts';

const MAX_BATCH = 10;
/** While calls of a bulk are placed, a code waits for none of them. */
const CONCURRENCY = 2;
/** A call may last so long after it has rung. */
const MAX_CALL_SECONDS = 3_600;
/** Another application of the same name would take the events away again. */
const REPLACED_MS = 60_000;
const RETRY_MS = 5_000;
const CLOSE_MS = 3_000;
const LINK_MS = 5 * 60_000;
const ECHO = 'heliograph';

/** Calls over an Asterisk of the operator, by its REST interface (ARI). */
export const ariDriver = defineDriver({
  name: 'ari',
  types: ['voice', 'flashcall'],
  options: AriOptions,
  describe: ({ lines, ringSeconds }) => ({
    deduplicates: false,
    maxBatch: Math.min(lines, MAX_BATCH),
    concurrency: CONCURRENCY,
    isQueried: false,
    sessions: { binds: 1 },
    expiresAfter: (type) => ringSeconds + (type === 'voice' ? MAX_CALL_SECONDS : ringSeconds),
  }),
  open: (options, context) => new AriChannel(options, context),
});

class AriChannel implements Driver {
  private readonly agent;
  private readonly client: AriClient;
  private readonly calls = new Map<string, Call>();
  private readonly parts: CallParts;
  private readonly over = new AbortController();
  private readonly links = new LRUCache<string, string>({ max: 100, ttl: LINK_MS });
  /** What could not be stored. */
  private unstored: (() => Promise<void>)[] = [];
  private events: WebSocket | undefined;
  private opening: Promise<void> | undefined;
  /** While the list of calls is read, those that have ended since. */
  private ended: Set<string> | undefined;
  private held = { until: 0, reason: '' };
  private heardAt = 0;
  private askedAt: number | undefined;

  constructor(
    private readonly options: AriOptions,
    private readonly context: OpenContext,
  ) {
    this.agent = carrierAgent(context.outbound, options);
    this.client = new AriClient(options, this.agent);
    this.parts = {
      client: this.client,
      signal: this.over.signal,
      answerMs: options.answerSeconds * 1000,
      linkOf: (file) => this.linkOf(file),
      report: (report: CarrierReport) => this.store(() => context.inbox.reports([report])),
      receive: (message: CarrierMessage) => this.store(() => context.inbox.messages([message])),
    };
  }

  async connect(signal: AbortSignal): Promise<void> {
    await this.storeAgain();
    if (this.events) return this.check(signal);
    this.opening ??= this.listen(signal).finally(() => (this.opening = undefined));
    await this.opening;
  }

  async send(batch: OutgoingMessage[], context: DriverContext): Promise<SubmitResult[]> {
    if (!this.events) await this.connect(context.signal);
    const results: SubmitResult[] = [];
    for (const [i, message] of batch.entries()) {
      if (this.calls.size >= this.options.lines) return [...results, ...batch.slice(i).map(unsent)];
      try {
        results.push(await this.place(message, context));
      } catch (error) {
        const isDown = error instanceof ChannelDown;
        if ((isDown && i === 0) || batch.length === 1) throw error;
        // Nothing more is dialled for now. Of a call whose outcome is not known nothing is said.
        return [...results, ...batch.slice(isDown ? i : i + 1).map(unsent)];
      } finally {
        context.progress();
      }
    }
    return results;
  }

  /** Calls go on; the next worker finds them. */
  async close(): Promise<void> {
    const handled = Promise.all([...this.calls.values()].map((call) => call.handled));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise((resolve) => (timer = setTimeout(resolve, CLOSE_MS)));
    await Promise.race([handled, late]);
    clearTimeout(timer);
    for (const call of this.calls.values()) call.leave();
    this.over.abort();
    this.events?.close();
    this.events = undefined;
    await this.agent.destroy();
  }

  /** Throws ChannelDown or UnknownOutcome of this call. */
  private async place(message: OutgoingMessage, context: DriverContext): Promise<SubmitResult> {
    const { reference } = message;
    if (context.signal.aborted) throw new ChannelDown('stopped before the submit', 0);
    const placed = placedOf(message, this.options);
    if ('code' in placed) return { reference, result: 'rejected', ...placed };
    const id = this.idOf(placed);
    if (this.calls.has(id)) return { reference, result: 'accepted' };
    // Events may come before the answer.
    const call = new Call(id, placed.name, this.parts, placed.script);
    this.calls.set(id, call);
    try {
      await this.client.call('POST', `channels/${id}`, context, {
        body: this.bodyOf(placed),
        shown: shownBody(this.options, placed),
        // There is such a call already: a former submit of the message that was not known to have arrived.
        expected: [409],
      });
      call.isPlaced = true;
      return { reference, result: 'accepted' };
    } catch (error) {
      // Events of a call that was placed all the same find it by its id.
      if (!call.isPlaced) this.calls.delete(id);
      throw error;
    }
  }

  private bodyOf({ endpoint, callerId, script }: Placed) {
    const { app, ringSeconds } = this.options;
    const variables = { [SCRIPT_VARIABLE]: JSON.stringify(script) };
    // Never with an extension, which would take the call to the dialplan.
    return { endpoint, app, callerId, timeout: ringSeconds, variables };
  }

  private idOf({ name: { type, reference } }: Placed): string {
    return `${this.options.app}.${type}.${reference}`;
  }

  private nameIn(id: string): CallName | undefined {
    const { app } = this.options;
    if (!id.startsWith(`${app}.`)) return undefined;
    const [, type, reference] =
      /^(voice|flashcall)\.([\w-]{1,64})$/.exec(id.slice(app.length + 1)) ?? [];
    return type ? { type: type as CallName['type'], reference: reference! } : undefined;
  }

  /** The call of an id, also one that was placed by another worker. */
  private callOf(id: string): Call | undefined {
    const name = this.nameIn(id);
    const known = this.calls.get(id);
    if (known || !name) return known;
    const call = new Call(id, name, this.parts);
    call.isPlaced = true;
    this.calls.set(id, call);
    return call;
  }

  private async listen(signal: AbortSignal): Promise<void> {
    this.assertFree();
    // Says why, where the connection for events would not.
    await this.client.legs(signal);
    const socket: WebSocket = await this.client.listen(signal, {
      event: (event) => this.hear(event),
      end: () => {
        if (this.events === socket) this.events = undefined;
      },
    });
    try {
      this.heardAt = currentTime();
      this.askedAt = undefined;
      await this.takeStock(signal);
      // In the meantime.
      this.assertFree();
      if (socket.readyState !== socket.OPEN)
        throw new ChannelDown('the connection for events was closed', RETRY_MS);
    } catch (error) {
      socket.close();
      throw error;
    }
    this.events = socket;
  }

  /** Throws ChannelDown while the application is left to others, and once the channel is closed. */
  private assertFree(): void {
    if (this.over.signal.aborted) throw new ChannelDown('the channel is closed', 0);
    const { until, reason } = this.held;
    const waitMs = until - currentTime();
    if (waitMs > 0) throw new ChannelDown(reason, waitMs, { isAsked: true });
  }

  /** Events are lost while nobody listens: what there is now is what counts. */
  private async takeStock(signal: AbortSignal): Promise<void> {
    const before = [...this.calls.values()].filter((call) => call.isPlaced);
    this.ended = new Set();
    try {
      const legs = await this.client.legs(signal);
      const now = new Date(currentTime());
      const there = new Set(legs.map(({ id }) => id));
      for (const call of before) {
        if (there.has(call.id)) continue;
        call.vanish(now);
        this.calls.delete(call.id);
      }
      for (const leg of legs) if (!this.ended.has(leg.id)) this.callOf(leg.id)?.resume(leg, now);
    } finally {
      this.ended = undefined;
    }
  }

  private hear(event: AriEvent): void {
    this.heardAt = currentTime();
    this.askedAt = undefined;
    if (event.type === 'ApplicationReplaced')
      return this.lose(`another application is called ${this.options.app}`, REPLACED_MS);
    const id = event.channel?.id ?? event.playback?.target_uri.replace(/^channel:/, '');
    if (!id) return;
    const call = BEGINNINGS.has(event.type) ? this.callOf(id) : this.calls.get(id);
    call?.handle(event);
    if (event.type !== 'ChannelDestroyed') return;
    this.ended?.add(id);
    this.calls.delete(id);
  }

  private lose(reason: string, waitMs: number): void {
    this.held = { until: currentTime() + waitMs, reason };
    this.events?.close();
    this.events = undefined;
  }

  /** Whether events still arrive: of an application that asks for one. */
  private async check(signal: AbortSignal): Promise<void> {
    await Promise.all(
      [...this.calls.values()].filter((call) => call.isOver).map((call) => call.hangUp()),
    );
    const now = currentTime();
    const waitMs = this.options.checkSeconds * 1000;
    if (this.askedAt !== undefined && now - this.askedAt >= waitMs) {
      this.lose('no events arrive', 0);
      return this.connect(signal);
    }
    if (this.askedAt !== undefined || now - this.heardAt < waitMs) return;
    this.askedAt = now;
    const path = `events/user/${ECHO}?application=${this.options.app}`;
    try {
      await this.client.call('POST', path, { signal });
    } catch (error) {
      this.lose((error as Error).message, 0);
      throw error instanceof ChannelDown
        ? error
        : new ChannelDown((error as Error).message, RETRY_MS);
    }
  }

  private async linkOf(file: string): Promise<string> {
    const link = this.links.get(file) ?? (await this.context.files.link(file));
    this.links.set(file, link);
    return link;
  }

  /** What cannot be stored now is stored later, before anything more is sent. */
  private async store(task: () => Promise<void>): Promise<void> {
    await task().catch(() => void this.unstored.push(task));
  }

  private async storeAgain(): Promise<void> {
    const tasks = this.unstored;
    this.unstored = [];
    for (const [i, task] of tasks.entries()) {
      try {
        await task();
      } catch (cause) {
        this.unstored.unshift(...tasks.slice(i));
        throw new ChannelDown('reports cannot be stored', RETRY_MS, { cause });
      }
    }
  }
}

/** Events by which a call is known that another worker has placed. */
const BEGINNINGS = new Set(['StasisStart', 'ChannelStateChange', 'ChannelDestroyed']);

const unsent = ({ reference }: OutgoingMessage) => ({ reference, result: 'unsent' as const });
