import { setTimeout as sleep } from 'node:timers/promises';
import { ChannelDown, type OpenDriver, type SubmitResult } from '../../channels/channel.ts';
import type { SessionLease } from './channel-sessions.store.ts';

/** An attempt to connect takes no longer; a connection is looked at so often. */
const CONNECT_MS = 20_000;
const LOOK_MS = 5_000;
const MIN_RETRY_MS = 1_000;
const MAX_RETRY_MS = 60_000;

export interface SessionParts {
  revision: number;
  /** Throws ChannelDown. */
  open: () => OpenDriver;
  /** The session is connected now, or it is not for a reason. */
  onState: (error: ChannelDown | null) => Promise<void>;
}

/** A session of a channel of which this worker has the lease: it is connected, and connected again, until it ends. */
export class HeldSession {
  readonly lease: SessionLease;
  readonly revision: number;
  state: 'connecting' | 'connected' | ChannelDown = 'connecting';
  /** Calls of the driver that are running. */
  running = 0;
  private driver?: OpenDriver;
  private readonly over = new AbortController();
  private readonly parts: SessionParts;
  private readonly idle = Promise.withResolvers<void>();
  private readonly first = Promise.withResolvers<void>();
  private readonly kept: Promise<void>;

  constructor(lease: SessionLease, parts: SessionParts) {
    this.lease = lease;
    this.parts = parts;
    this.revision = parts.revision;
    this.kept = this.keep();
  }

  get channel(): string {
    return this.lease.channel;
  }

  get isOver(): boolean {
    return this.over.signal.aborted;
  }

  /** Resolves when it is known whether the session can be connected. */
  get attempted(): Promise<void> {
    return this.first.promise;
  }

  /** What submits over this session. */
  get submitter(): OpenDriver {
    const driver = this.driver!;
    return {
      facts: driver.facts,
      send: async (...call): Promise<SubmitResult[]> => {
        this.running++;
        try {
          return await driver.send(...call);
        } finally {
          if (--this.running === 0 && this.isOver) this.idle.resolve();
        }
      },
    };
  }

  /** No further call begins. Resolves when the connection is closed: after running calls, unless the session is another worker's. */
  async end(isLost: boolean): Promise<void> {
    if (!this.isOver) this.over.abort();
    if (!this.running || isLost) this.idle.resolve();
    await this.idle.promise;
    await this.driver?.close?.().catch(() => undefined);
    await this.kept;
  }

  private async keep(): Promise<void> {
    while (!this.isOver) {
      const error = await this.connect();
      if (this.isOver) break;
      const isNews = error !== null || this.state !== 'connected';
      this.state = error ?? 'connected';
      if (isNews) await this.parts.onState(error).catch(() => undefined);
      this.first.resolve();
      const waitMs = error
        ? Math.min(MAX_RETRY_MS, Math.max(MIN_RETRY_MS, error.retryAfter))
        : LOOK_MS;
      await sleep(waitMs, undefined, { signal: this.over.signal, ref: false }).catch(
        () => undefined,
      );
    }
    this.first.resolve();
  }

  private async connect(): Promise<ChannelDown | null> {
    try {
      this.driver ??= this.parts.open();
      await this.driver.connect?.(
        AbortSignal.any([this.over.signal, AbortSignal.timeout(CONNECT_MS)]),
      );
      return null;
    } catch (error) {
      if (error instanceof ChannelDown) return error;
      // Other errors may contain secrets.
      return new ChannelDown(`the driver failed: ${(error as Error).name}`, 10_000, {
        cause: error,
      });
    }
  }
}
