import { HandlerError, type HandlerClient } from './client.ts';
import type { Channel, ErrorName, WidgetInfo } from './wire.ts';

/** What the widget shows. */
export type View =
  | { step: 'loading' }
  | { step: 'unavailable'; error: ErrorName }
  | {
      step: 'phone';
      isBusy: boolean;
      isChecked?: boolean;
      error?: ErrorName;
      /** The number that was entered before. */
      recipient?: string;
    }
  | {
      step: 'channel';
      channel: Channel;
      recipient: string;
      isBusy: boolean;
      isOffline: boolean;
      /** In milliseconds of `now`. */
      expiresAt: number;
      /** Null if the code cannot be sent again. */
      resendAt: number | null;
      error?: ErrorName;
    }
  | { step: 'confirmed' }
  | { step: 'ended'; error: ErrorName };

export interface Check {
  requestId: string;
  recipient: string;
  status: 'confirmed' | 'error';
}

export interface SessionOptions {
  client: HandlerClient;
  widgetId: string;
  onView: (view: View) => void;
  onCheck: (check: Check) => void;
  onInfo: (info: WidgetInfo) => void;
  /** A token of the captcha, after the user's part in it. */
  solveCaptcha: (info: WidgetInfo, signal: AbortSignal) => Promise<string>;
  now?: () => number;
}

/** After these nothing that the session could do brings a code. */
const FINAL: readonly ErrorName[] = [
  'AttemptsExpired',
  'Forbidden',
  'NoAvailableChannels',
  'SessionClosed',
  'SessionNotFound',
  'WidgetIsBlocked',
  'WidgetNotFound',
];
/** After these the same call may succeed. */
const PASSING: readonly ErrorName[] = ['Network', 'RateLimit', 'Unknown'];
/** Of a number; whether it exists is for the server to say. */
const [MIN_DIGITS, MAX_DIGITS] = [7, 15];
const MIN_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 30_000;
/** Between two looks at a session whose code has expired: only another code changes it. */
const EXPIRED_PAUSE_MS = 10_000;

/** One confirmation of a number, from the load of the widget to its end. Draws nothing itself. */
export class Session {
  private view: View = { step: 'loading' };
  private info?: WidgetInfo;
  private requestId = '';
  private recipient = '';
  /**
   * A session that was requested and whose first channel was not read: to start another one would send another code. Where not even
   * the answer arrived, the key leads to it.
   */
  private begun?: { recipient: string; key: string; requestId?: string };
  /** How far the server's clock is ahead of ours. */
  private ahead = 0;
  /** Ends all that belongs to the present number. */
  private attempt = new AbortController();
  /** Ends the pause of an expired code. */
  private resent = new AbortController();
  private readonly now: () => number;

  constructor(private readonly options: SessionOptions) {
    this.now = options.now ?? Date.now;
  }

  async open(): Promise<void> {
    const { signal } = this.restart();
    this.show({ step: 'loading' });
    try {
      const info = await this.options.client.widget(this.options.widgetId, signal);
      if (signal.aborted) return;
      this.info = info;
      this.options.onInfo(info);
      if (info.isBlocked || !info.isActive)
        return this.show({ step: 'unavailable', error: 'WidgetIsBlocked' });
      this.show({ step: 'phone', isBusy: false });
    } catch (error) {
      if (!signal.aborted) this.show({ step: 'unavailable', error: nameOf(error) });
    }
  }

  async start(typed: string): Promise<void> {
    if (this.view.step !== 'phone' || this.view.isBusy) return;
    const recipient = typed.trim();
    const digits = recipient.replace(/\D/g, '').length;
    if (digits < MIN_DIGITS || digits > MAX_DIGITS)
      return this.show({ step: 'phone', isBusy: false, error: 'InvalidRecipient' });
    const { signal } = this.restart();
    this.show({ step: 'phone', isBusy: true });
    try {
      if (this.begun?.recipient !== recipient) this.begun = { recipient, key: randomKey() };
      const { key } = this.begun;
      const requestId = this.begun.requestId ?? (await this.request(recipient, key, signal));
      this.begun = { recipient, key, requestId };
      const channel = await this.options.client.channel(requestId, signal);
      this.begun = undefined;
      if (signal.aborted) return;
      this.requestId = requestId;
      this.recipient = recipient;
      // The first channel has just begun.
      this.ahead = Date.parse(channel.expiresAt) - channel.settings.lifetime * 1000 - this.now();
      this.showChannel(channel);
      void this.watch(signal);
    } catch (error) {
      const name = nameOf(error);
      if (!PASSING.includes(name)) this.begun = undefined;
      if (!signal.aborted) this.show({ step: 'phone', isBusy: false, error: name });
    }
  }

  async check(code: string): Promise<void> {
    const { view } = this;
    if (view.step !== 'channel' || view.isBusy || !code) return;
    const { signal } = this.attempt;
    this.show({ ...view, isBusy: true, error: undefined });
    try {
      await this.options.client.checkCode(this.requestId, code, signal);
      if (!signal.aborted) this.confirm();
    } catch (error) {
      if (signal.aborted) return;
      const name = nameOf(error);
      if (name === 'InvalidCode') this.reportCheck('error');
      await this.refuse(name, signal);
    }
  }

  async resend(): Promise<void> {
    const { view } = this;
    if (view.step !== 'channel' || view.isBusy) return;
    if (view.resendAt === null || view.resendAt > this.now()) return;
    const { signal } = this.attempt;
    this.show({ ...view, isBusy: true, error: undefined });
    try {
      await this.options.client.resend(this.requestId, signal);
      const channel = await this.options.client.channel(this.requestId, signal);
      if (signal.aborted) return;
      this.showChannel(channel, false);
      this.resent.abort();
      this.resent = new AbortController();
    } catch (error) {
      if (signal.aborted) return;
      await this.refuse(nameOf(error), signal);
    }
  }

  /** Back to the number, from any step. */
  async again(): Promise<void> {
    if (!this.info) return this.open();
    this.restart();
    this.show({ step: 'phone', isBusy: false, recipient: this.recipient });
  }

  close(): void {
    this.attempt.abort();
  }

  private restart(): AbortController {
    this.attempt.abort();
    return (this.attempt = new AbortController());
  }

  private async request(
    recipient: string,
    idempotencyKey: string,
    signal: AbortSignal,
  ): Promise<string> {
    const { client, widgetId, solveCaptcha } = this.options;
    const body = { widgetId, recipient, idempotencyKey };
    try {
      return (await client.start(body, signal)).requestId;
    } catch (error) {
      if (nameOf(error) !== 'CaptchaNotConfirmed' || signal.aborted) throw error;
    }
    this.show({ step: 'phone', isBusy: true, isChecked: true });
    const captchaToken = await solveCaptcha(this.info!, signal);
    return (await client.start({ ...body, captchaToken }, signal)).requestId;
  }

  /** Follows the channel until the session ends. A lost connection is tried again, ever more slowly. */
  private async watch(signal: AbortSignal): Promise<void> {
    let pause = 0;
    for (;;) {
      const since = this.now();
      const failure = await this.poll(signal);
      if (signal.aborted || this.view.step !== 'channel') return;
      pause = failure && Math.min(MAX_PAUSE_MS, Math.max(failure, pause * 2));
      this.setOffline(failure !== 0);
      // A handler that answers without waiting is not asked more than once a second.
      const rest = Math.max(pause, MIN_PAUSE_MS - (this.now() - since));
      if (rest > 0) await delay(rest, signal);
      if (signal.aborted) return;
    }
  }

  /** One long poll. Returns how long to wait after a failure, 0 if there was none. */
  private async poll(signal: AbortSignal): Promise<number> {
    const version = this.view.step === 'channel' ? this.view.channel.version : '';
    try {
      this.take(await this.options.client.nextChannel(this.requestId, version, signal), signal);
      return 0;
    } catch (error) {
      if (signal.aborted) return 0;
      const name = nameOf(error);
      if (name === 'Network' || name === 'Unknown') return MIN_PAUSE_MS;
      if (name === 'RateLimit')
        return ((error as HandlerError).retryAfterSeconds ?? 1) * MIN_PAUSE_MS;
      if (name === 'SessionAlreadyConfirmed') this.confirm();
      else if (FINAL.includes(name)) this.end(name);
      else if ((await this.reread(signal)) === 'ResendChannel')
        await delay(EXPIRED_PAUSE_MS, AbortSignal.any([signal, this.resent.signal]));
      return 0;
    }
  }

  /** A change between two polls is seen here. Returns why there is no channel. */
  private async reread(signal: AbortSignal): Promise<ErrorName | undefined> {
    try {
      this.take(await this.options.client.channel(this.requestId, signal), signal);
      return undefined;
    } catch (error) {
      const name = nameOf(error);
      if (!signal.aborted && FINAL.includes(name)) this.end(name);
      return name;
    }
  }

  private take(channel: Channel, signal: AbortSignal): void {
    if (!signal.aborted && this.view.step === 'channel') this.showChannel(channel);
  }

  /** `isBusy` is kept by default: a poll may answer while a code is checked. */
  private showChannel(channel: Channel, isBusy?: boolean): void {
    if (channel.status === 'confirmed') return this.confirm();
    if (channel.status === 'closed') return this.end('SessionClosed');
    const { view } = this;
    const last = view.step === 'channel' ? view : undefined;
    const isSame = last?.channel.type === channel.type;
    this.show({
      step: 'channel',
      channel,
      recipient: this.recipient,
      isBusy: isBusy ?? last?.isBusy ?? false,
      isOffline: false,
      expiresAt: Date.parse(channel.expiresAt) - this.ahead,
      resendAt: channel.resendAt === null ? null : Date.parse(channel.resendAt) - this.ahead,
      error: isSame ? last?.error : undefined,
    });
  }

  private async refuse(name: ErrorName, signal: AbortSignal): Promise<void> {
    if (name === 'SessionAlreadyConfirmed') return this.confirm();
    if (FINAL.includes(name)) return this.end(name);
    const { view } = this;
    if (view.step !== 'channel') return;
    this.show({ ...view, isBusy: false, error: name });
    // The attempts that are left, the next resend, or the channel that took over.
    await this.reread(signal);
  }

  private setOffline(isOffline: boolean): void {
    if (this.view.step === 'channel' && this.view.isOffline !== isOffline)
      this.show({ ...this.view, isOffline });
  }

  private confirm(): void {
    this.reportCheck('confirmed');
    this.attempt.abort();
    this.show({ step: 'confirmed' });
  }

  private end(error: ErrorName): void {
    this.attempt.abort();
    this.show({ step: 'ended', error });
  }

  private reportCheck(status: Check['status']): void {
    this.options.onCheck({ requestId: this.requestId, recipient: this.recipient, status });
  }

  private show(view: View): void {
    this.view = view;
    this.options.onView(view);
  }
}

const nameOf = (error: unknown): ErrorName =>
  error instanceof HandlerError ? error.type : 'Unknown';

/** Not `randomUUID`, which pages without TLS do not have. */
const randomKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');

/** Ends early, without an error, when `signal` is aborted. */
const delay = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
  });
