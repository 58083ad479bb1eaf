import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { OtpSessionChannel } from '@heliograph/contract';
import { Clock } from '../../../core/clock.ts';
import { Config } from '../../../core/config.ts';
import { Wakeups, type Waiter } from '../../../core/events/wakeups.ts';
import { Log } from '../../../core/log.ts';
import { Shutdown } from '../../../core/shutdown.ts';
import { otpError } from './otp-errors.ts';
import { SESSION_STATES, viewOf, type OtpSession, type OtpView } from './otp-session.ts';
import { OtpSessionsService, type OtpCaller } from './otp-sessions.service.ts';
import { OtpSessionsStore } from './otp-sessions.store.ts';

type IsDone = (view: OtpView, session: OtpSession) => boolean;

/** How often the sessions that are waited for are compared with the database, in case that a message was lost. */
const CHECK_MS = 5000;
const CHECK_BATCH_SIZE = 1000;

/**
 * Long polls. A waiting request is an entry of a map; what wakes it is a message about its session. The database is read when the
 * request comes and when it is woken, and once for all of them every few seconds.
 */
@Injectable()
export class OtpPolls implements OnApplicationShutdown {
  private timer?: NodeJS.Timeout;

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly wakeups: Wakeups,
    private readonly shutdown: Shutdown,
    private readonly sessions: OtpSessionsService,
    private readonly store: OtpSessionsStore,
  ) {}

  onApplicationShutdown(): void {
    clearTimeout(this.timer);
  }

  async channel(caller: OtpCaller, id: string): Promise<OtpSessionChannel> {
    return channelOf(viewOf(await this.sessions.find(caller, id), this.clock.now()));
  }

  /**
   * The next state after `version`, or after the state that the last long poll returned. States in which nothing is waited for are
   * returned at once.
   */
  async nextChannel(
    caller: OtpCaller,
    id: string,
    version: string | undefined,
    signal: AbortSignal,
  ): Promise<OtpSessionChannel> {
    const view = await this.until(caller, id, signal, (now, session) => {
      const isKnown = now.version === (version ?? session.polled);
      return !isKnown || now.channel === null || session.state !== SESSION_STATES.open;
    });
    if (view.channel && version === undefined) await this.store.setPolled(id, view.version);
    return channelOf(view);
  }

  /** Whether the session is confirmed; `ChannelChanged` when the code is sent over another channel. */
  async nextStatus(
    caller: OtpCaller,
    id: string,
    recipient: string,
    signal: AbortSignal,
  ): Promise<boolean> {
    const first = await this.placeOf(caller, id, recipient);
    let isElsewhere = false;
    const view = await this.until(caller, id, signal, (now, session) => {
      isElsewhere = placeOf(session) !== first;
      return isElsewhere || now.channel === null || session.state !== SESSION_STATES.open;
    });
    const { status } = channelOf(view);
    if (status !== 'confirmed' && isElsewhere) throw otpError('ChannelChanged');
    return status === 'confirmed';
  }

  private async placeOf(caller: OtpCaller, id: string, recipient: string): Promise<string> {
    const session = await this.sessions.find(caller, id);
    await this.sessions.requireRecipient(session, recipient);
    return placeOf(session);
  }

  private async until(
    caller: OtpCaller,
    id: string,
    signal: AbortSignal,
    isDone: IsDone,
  ): Promise<OtpView> {
    const endsAt = performance.now() + this.config.OTP_POLL_SECONDS * 1000;
    const waiter = this.wakeups.join(id);
    const wake = () => waiter.wake();
    signal.addEventListener('abort', wake, { once: true });
    try {
      for (;;) {
        // The row and its view are not referenced from here, so they are freed while the request waits.
        const found = await this.look(caller, waiter, isDone);
        if (typeof found === 'object') return found;
        const left = endsAt - performance.now();
        if (left <= 0 || signal.aborted || this.shutdown.isStopping)
          throw otpError('LongPollingTimeout');
        this.timer ??= setTimeout(() => void this.check(), CHECK_MS).unref();
        await waiter.wait(Math.max(1, Math.min(left, found)));
      }
    } finally {
      signal.removeEventListener('abort', wake);
      this.wakeups.leave(waiter);
    }
  }

  /** The view that is waited for, or in how many milliseconds the present one may change by itself. */
  private async look(caller: OtpCaller, waiter: Waiter, isDone: IsDone): Promise<OtpView | number> {
    const session = await this.sessions.find(caller, waiter.key);
    const now = this.clock.now();
    const view = viewOf(session, now);
    if (isDone(view, session)) return view;
    waiter.version = view.version;
    return view.changesAt.getTime() - now.getTime();
  }

  /** Wakes those whose session has changed without a message, and all of them on shutdown. */
  private async check(): Promise<void> {
    this.timer = undefined;
    if (this.shutdown.isStopping) return this.wakeups.wakeAll();
    const waiting = this.wakeups.waiting();
    try {
      for (let from = 0; from < waiting.length; from += CHECK_BATCH_SIZE)
        await this.wakeChanged(waiting.slice(from, from + CHECK_BATCH_SIZE));
    } catch (error) {
      this.log.warn({ err: error }, 'waiting sessions could not be compared with the database');
    }
    if (waiting.length) this.timer ??= setTimeout(() => void this.check(), CHECK_MS).unref();
  }

  private async wakeChanged(waiting: Waiter[]): Promise<void> {
    const now = this.clock.now();
    const rows = await this.store.byIds(waiting.map(({ key }) => key));
    const versions = new Map(rows.map((row) => [row.id, viewOf(row, now).version]));
    for (const waiter of waiting) if (versions.get(waiter.key) !== waiter.version) waiter.wake();
  }
}

const placeOf = ({ round, attempt }: OtpSession): string => `${round} ${attempt}`;

function channelOf({ channel, error }: OtpView): OtpSessionChannel {
  if (error) throw otpError(error.type, { payload: error.payload });
  return channel!;
}
