import { vi } from 'vitest';
import type { Channel, WidgetInfo } from '../src/wire.ts';

export const REQUEST = '0192a000-0000-7000-8000-000000000001';
export const WIDGET = '0192a000-0000-7000-8000-00000000000a';

export const widgetInfo = (more: Partial<WidgetInfo> = {}): WidgetInfo => ({
  name: 'Tea House',
  isActive: true,
  isBlocked: false,
  captchaIsRequired: false,
  captchaProvider: 'altcha',
  captchaSiteKey: null,
  styles: {},
  country: 'RU',
  ...more,
});

export const channelOf = (more: Partial<Channel> = {}): Channel => ({
  type: 'sms',
  status: 'sent',
  label: 'SMS',
  codeType: 'code',
  settings: {
    lifetime: 60,
    numberOfTries: 3,
    numberOfRestart: 2,
    code: { length: 4, beautify: false },
  },
  remainingCodeAttempts: 3,
  version: 'v1',
  expiresAt: new Date(Date.now() + 60_000).toISOString(),
  resendAt: new Date(Date.now() + 30_000).toISOString(),
  ...more,
});

type Answer = { status: number; body: unknown; headers?: Record<string, string> };
interface Call {
  method: string;
  path: string;
  body: unknown;
}

export const refusal = (status: number, name: string): Answer => ({
  status,
  body: { type: `${name}Exception`, message: name, httpStatus: status },
});
export const answer = (body: unknown, status = 200): Answer => ({ status, body });

/** Stands in for the server: queued answers by path; a long poll without one stays open. */
export class FakeHandler {
  readonly calls: Call[] = [];
  private readonly queued = new Map<string, (Answer | 'offline')[]>();
  private readonly waiting = new Map<string, (next: Answer | 'offline') => void>();

  constructor() {
    vi.stubGlobal('fetch', (url: string, init: RequestInit) => this.fetch(url, init));
  }

  /** The next answers of a call, such as `POST :id/checkCode`. The last one is not repeated. */
  on(call: string, ...answers: (Answer | 'offline')[]): this {
    for (const next of answers) {
      const wait = this.waiting.get(call);
      this.waiting.delete(call);
      if (wait) wait(next);
      else this.queued.set(call, [...(this.queued.get(call) ?? []), next]);
    }
    return this;
  }

  count(call: string): number {
    return this.calls.filter(({ method, path }) => `${method} ${path}` === call).length;
  }

  private async fetch(url: string, init: RequestInit): Promise<Response> {
    const path = url
      .replace(/^.*\/otp-handler\/?/, '')
      .replace(/\?.*/, '')
      .replace(REQUEST, ':id')
      .replace(WIDGET, ':widget');
    const method = init.method!;
    const body = init.body ? (JSON.parse(init.body as string) as unknown) : undefined;
    this.calls.push({ method, path: path + (/\?.*/.exec(url)?.[0] ?? ''), body });
    const key = `${method} ${path}`;
    const next = this.queued.get(key)?.shift() ?? (await this.later(key, init.signal!));
    if (next === 'offline') throw new TypeError('Failed to fetch');
    return new Response(JSON.stringify(next.body), { status: next.status, headers: next.headers });
  }

  private later(key: string, signal: AbortSignal): Promise<Answer | 'offline'> {
    return new Promise((resolve, reject) => {
      this.waiting.set(key, resolve);
      signal.addEventListener('abort', () => {
        this.waiting.delete(key);
        reject(signal.reason as Error);
      });
    });
  }
}

/** A handler with a widget that starts a session over SMS. */
export const readyHandler = (info = widgetInfo(), channel = channelOf()): FakeHandler =>
  new FakeHandler()
    .on('GET widget/:widget', answer(info))
    .on('POST ', answer({ requestId: REQUEST }, 201))
    .on('GET :id/channel', answer(channel));
