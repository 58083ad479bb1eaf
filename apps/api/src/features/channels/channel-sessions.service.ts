import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import {
  ChannelDown,
  type ChannelFacts,
  type ChannelSettings,
  type OpenDriver,
} from '../../channels/channel.ts';
import { Clock, secondsAfter } from '../../core/clock.ts';
import { Config } from '../../core/config.ts';
import { Log } from '../../core/log.ts';
import { Shutdown } from '../../core/shutdown.ts';
import { ChannelSessionsStore, type SessionLease } from './channel-sessions.store.ts';
import { ChannelStatesService } from './channel-states.service.ts';
import { ChannelsService } from './channels.service.ts';
import { HeldSession } from './held-session.ts';

const MAX_TICK_MS = 1000;
/** Leases are renewed after this part of them. */
const RENEW_SHARE = 0.25;
/** A channel that is switched off is open so long for its tests. */
const TEST_SECONDS = 30;

/** A channel with the number of sessions that it may have. */
interface Exclusive {
  settings: ChannelSettings;
  binds: number;
}

/**
 * The sessions that this worker has open, of channels whose sessions are exclusive. Each is leased with a fencing token and stays open
 * as long as its channel is active, because the carrier sends reports over it; when the worker is gone, another takes it over.
 */
@Injectable()
export class ChannelSessions implements OnApplicationShutdown {
  private readonly held = new Map<HeldSession, { since: number }>();
  /** Channels that are switched off and have a test, and until when. */
  private readonly tested = new Map<string, Date>();
  /** In a container each process has the same number. */
  private readonly worker = `${hostname()}:${process.pid}:${randomUUID().slice(0, 4)}`;
  private readonly leaseMs: number;
  private open?: (channel: ChannelSettings) => OpenDriver;
  private timer?: NodeJS.Timeout;
  private ticking = Promise.resolve();
  private isStopped = false;

  constructor(
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly shutdown: Shutdown,
    private readonly channels: ChannelsService,
    private readonly states: ChannelStatesService,
    private readonly store: ChannelSessionsStore,
    config: Config,
  ) {
    this.leaseMs = config.LEASE_SECONDS * 1000;
  }

  /** From here on this worker takes sessions. `open` throws ChannelDown. */
  start(open: (channel: ChannelSettings) => OpenDriver): void {
    this.open = open;
    this.schedule();
  }

  /** Whether this worker submits on a channel: any worker does on one whose sessions are not exclusive. */
  async serves(channel: string): Promise<boolean> {
    const facts = await this.channels.factsOf(channel);
    if (!facts?.sessions) return true;
    const own = this.ownOf(channel);
    if (own.some(({ state }) => state === 'connected')) return true;
    // Otherwise it would say that the channel is down, while another worker has it connected.
    if (own.length) return !(await this.store.isConnected(channel, this.clock.now()));
    const settings = await this.channels.settings(channel);
    if (settings && !settings.isActive)
      this.tested.set(channel, secondsAfter(this.clock.now(), TEST_SECONDS));
    return false;
  }

  /** Channels of which this worker has sessions. */
  names(): string[] {
    return [...new Set([...this.held.keys()].map(({ channel }) => channel))];
  }

  /** How many sessions of the channel submit. */
  count(channel: string): number {
    return this.ownOf(channel).filter(({ state }) => state === 'connected').length;
  }

  /** The session that has the fewest running calls. Throws ChannelDown when none can be connected. */
  async submitter(channel: string, facts: ChannelFacts): Promise<OpenDriver> {
    // Others end, and are replaced.
    const current = () => this.ownOf(channel).filter((own) => own.revision === facts.revision);
    await Promise.all(current().map(({ attempted }) => attempted));
    const own = current();
    const connected = own.filter(({ state }) => state === 'connected');
    const [best] = connected.toSorted((a, b) => a.running - b.running);
    if (best) return best.submitter;
    const down = own.find(({ state }) => state instanceof ChannelDown);
    if (down) throw down.state as ChannelDown;
    // It has lost its sessions since it leased the messages.
    return {
      facts,
      send: (batch) =>
        Promise.resolve(batch.map(({ reference }) => ({ reference, result: 'unsent' }))),
    };
  }

  /** Running submits have ended. */
  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.ticking;
    await Promise.all([...this.held.keys()].map((session) => this.end(session)));
  }

  private schedule(): void {
    if (this.isStopped) return;
    const ms = Math.min(MAX_TICK_MS, this.leaseMs * RENEW_SHARE);
    this.timer = setTimeout(() => {
      this.ticking = this.tick()
        .catch((error: unknown) =>
          this.log.warn({ err: error }, 'Leasing sessions of channels failed; it is tried again.'),
        )
        .finally(() => this.schedule());
    }, ms);
    this.timer.unref();
  }

  private async tick(): Promise<void> {
    this.endExpired();
    const channels = await this.exclusive();
    for (const session of this.held.keys()) {
      const channel = channels.get(session.channel);
      const isKept =
        channel?.settings.revision === session.revision && session.lease.slot <= channel.binds;
      if (!isKept && !session.isOver) void this.end(session);
    }
    await this.renew();
    if (this.shutdown.isStopping) return;
    for (const channel of channels.values()) await this.acquire(channel);
  }

  /** Channels with exclusive sessions that are to be open. */
  private async exclusive(): Promise<Map<string, Exclusive>> {
    const now = this.clock.now();
    for (const [channel, until] of this.tested) if (until < now) this.tested.delete(channel);
    const channels = new Map<string, Exclusive>();
    for (const settings of await this.channels.list()) {
      const { name, isActive } = settings;
      if (!isActive && !this.tested.has(name)) continue;
      const facts = await this.channels.factsOf(name);
      if (facts?.sessions) channels.set(name, { settings, binds: facts.sessions.binds });
    }
    return channels;
  }

  /**
   * One session of a channel at a time, so that workers share them; more only of those that nobody else takes. A worker that gets
   * none asks the one that has most of them.
   */
  private async acquire({ settings, binds }: Exclusive): Promise<void> {
    const own = [...this.held.keys()].filter(({ channel }) => channel === settings.name);
    if (own.length >= binds || own.some(({ isOver }) => isOver)) return;
    const began = performance.now();
    const now = this.clock.now();
    if (!own.length) await this.store.ensure(settings.name, binds, now);
    const lease = await this.store.acquire(settings.name, {
      binds,
      now,
      since: own.length ? secondsAfter(now, -this.leaseMs / 1000) : now,
      until: secondsAfter(now, this.leaseMs / 1000),
      worker: this.worker,
    });
    if (lease) this.hold(lease, settings, began);
    else await this.store.want(settings.name, own.length, this.worker, now);
  }

  private hold(lease: SessionLease, settings: ChannelSettings, since: number): void {
    const session: HeldSession = new HeldSession(lease, {
      revision: settings.revision,
      open: () => this.open!(settings),
      onState: (error) => this.onState(session, error),
    });
    this.held.set(session, { since });
  }

  private async renew(): Promise<void> {
    const began = performance.now();
    const due = [...this.held].filter(
      ([, { since }]) => began - since >= this.leaseMs * RENEW_SHARE,
    );
    if (!due.length) return;
    const leases = due.map(([{ lease }]) => lease);
    const until = secondsAfter(this.clock.now(), this.leaseMs / 1000);
    const renewed = new Map((await this.store.renew(leases, until)).map((r) => [keyOf(r), r]));
    for (const [session, state] of due) {
      const lease = renewed.get(keyOf(session.lease));
      if (lease) state.since = began;
      else this.lose(session);
      // Of a worker that has come later: its running calls end, and it is free for that one.
      if (lease?.isWanted && !session.isOver) void this.end(session);
    }
  }

  /** After a pause of the process, or without the database, others may have what it holds. */
  private endExpired(): void {
    const now = performance.now();
    for (const [session, { since }] of this.held)
      if (now - since >= this.leaseMs) this.lose(session);
  }

  private lose(session: HeldSession): void {
    if (!this.held.delete(session)) return;
    this.log.warn({ channel: session.channel }, 'A session of a channel is lost to others.');
    void session.end(true);
  }

  private async end(session: HeldSession): Promise<void> {
    await session.end(false);
    if (!this.held.delete(session)) return;
    await this.store
      .release(session.lease, this.clock.now())
      .catch((error: unknown) =>
        this.log.warn({ err: error }, 'A session of a channel is free when its lease ends.'),
      );
  }

  private async onState(session: HeldSession, error: ChannelDown | null): Promise<void> {
    const { channel, lease } = session;
    const now = this.clock.now();
    await this.store.setState(lease, error ? null : now, error?.message ?? null);
    if (!error) await this.states.up(channel);
    else if (!(await this.store.isConnected(channel, now)))
      await this.states.down(channel, error, true);
  }

  /** Those that take further calls. */
  private ownOf(channel: string): HeldSession[] {
    const now = performance.now();
    return [...this.held].flatMap(([session, { since }]) =>
      session.channel === channel && !session.isOver && now - since < this.leaseMs ? [session] : [],
    );
  }
}

const keyOf = ({ channel, slot, lease }: SessionLease) => `${channel} ${slot} ${lease}`;
