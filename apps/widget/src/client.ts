import type { Challenge, Channel, ErrorName, WidgetInfo } from './wire.ts';

/** A refusal of the handler by its name, or `Network` and `Unknown`. */
export class HandlerError extends Error {
  constructor(
    readonly type: ErrorName,
    readonly retryAfterSeconds?: number,
  ) {
    super(type);
  }
}

const CALL_MS = 20_000;
/** Longer than the server holds a long poll. */
const POLL_MS = 90_000;

interface Request {
  method?: 'GET' | 'POST';
  body?: object;
  signal?: AbortSignal;
  timeoutMs?: number;
}

/** The calls of the one-time-code handler that a browser makes. */
export class HandlerClient {
  constructor(private readonly server: string) {}

  widget(widgetId: string, signal?: AbortSignal): Promise<WidgetInfo> {
    return this.call(`widget/${encodeURIComponent(widgetId)}`, { signal });
  }

  challenge(widgetId: string, signal?: AbortSignal): Promise<Challenge> {
    return this.call(`widget/${encodeURIComponent(widgetId)}/captcha`, { signal });
  }

  start(
    body: { widgetId: string; recipient: string; idempotencyKey: string; captchaToken?: string },
    signal?: AbortSignal,
  ): Promise<{ requestId: string }> {
    return this.call('', { method: 'POST', body, signal });
  }

  channel(requestId: string, signal?: AbortSignal): Promise<Channel> {
    return this.call(`${requestId}/channel`, { signal });
  }

  /** Answers when the state is another than `version`; refused as `LongPollingTimeout` if it stays. */
  nextChannel(requestId: string, version: string, signal?: AbortSignal): Promise<Channel> {
    const since = `version=${encodeURIComponent(version)}`;
    return this.call(`longPolling/${requestId}/channel?${since}`, { signal, timeoutMs: POLL_MS });
  }

  checkCode(requestId: string, code: string, signal?: AbortSignal): Promise<{ success: boolean }> {
    return this.call(`${requestId}/checkCode`, { method: 'POST', body: { code }, signal });
  }

  resend(requestId: string, signal?: AbortSignal): Promise<{ success: boolean }> {
    return this.call(`${requestId}/resend`, { method: 'POST', body: {}, signal });
  }

  private async call<T>(path: string, request: Request): Promise<T> {
    const { method = 'GET', body, signal, timeoutMs = CALL_MS } = request;
    const limit = AbortSignal.timeout(timeoutMs);
    let response: Response;
    let json: unknown;
    try {
      response = await fetch(`${this.server}/api/n/otp-handler${path && `/${path}`}`, {
        method,
        credentials: 'omit',
        cache: 'no-store',
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
        ...(body && {
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      });
      json = await response.json();
    } catch {
      throw new HandlerError('Network');
    }
    if (!response.ok) throw refusal(response, json);
    return json as T;
  }
}

function refusal(response: Response, json: unknown): HandlerError {
  const { type } = (json ?? {}) as { type?: unknown };
  const named = typeof type === 'string' && /^(\w+)Exception$/.exec(type)?.[1];
  return new HandlerError(
    (named as ErrorName) || BY_STATUS[response.status] || 'Unknown',
    Number(response.headers.get('retry-after')) || undefined,
  );
}

/** For answers without a name, such as those of a proxy. */
const BY_STATUS: Record<number, ErrorName> = {
  403: 'Forbidden',
  404: 'SessionNotFound',
  408: 'LongPollingTimeout',
  422: 'InvalidRecipient',
  429: 'RateLimit',
  502: 'Network',
  503: 'Network',
  504: 'Network',
};
