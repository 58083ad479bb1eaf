import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { cutText, type WebhookError } from '@heliograph/domain';
import { request, type Agent } from 'undici';
import { Config } from '../../core/config.ts';
import { Outbound } from '../../core/http/outbound.ts';
import { retryAfterMs } from '../../core/http/retry-after.ts';
import { failureOf, type SuccessOn } from './success.ts';
import type { WebhookRequest } from './webhook-request.ts';

/** What is read of an answer, and what is stored of it. */
const MAX_ANSWER_BYTES = 16 * 1024;
const MAX_STORED_CHARACTERS = 1000;
const MAX_HEADER_BYTES = 16 * 1024;

export interface CallResult {
  /** Null for a success. */
  error: WebhookError | null;
  /** Null without an answer. */
  status: number | null;
  ms: number;
  response: string | null;
  retryAfterMs: number | null;
}

export interface Exchange extends CallResult {
  /** The beginning of the answer; empty without one. */
  text: string;
}

/** Calls URLs of customers. Time and size of everything that the other side determines are limited. */
@Injectable()
export class WebhookCaller implements OnModuleDestroy {
  readonly outbound: Outbound;
  private readonly agent: Agent;
  private readonly timeoutMs: number;

  constructor(config: Config) {
    const { WEBHOOK_ALLOWED_HOSTS, WEBHOOK_PORTS, WEBHOOK_TIMEOUT_SECONDS } = config;
    this.outbound = new Outbound(WEBHOOK_ALLOWED_HOSTS, 'WEBHOOK_ALLOWED_HOSTS', WEBHOOK_PORTS);
    this.timeoutMs = WEBHOOK_TIMEOUT_SECONDS * 1000;
    this.agent = this.outbound.agent({
      connectTimeoutMs: this.timeoutMs,
      maxHeaderSize: MAX_HEADER_BYTES,
      keepAliveTimeout: 10_000,
      keepAliveMaxTimeout: 60_000,
    });
  }

  async onModuleDestroy(): Promise<void> {
    await this.agent.destroy();
  }

  /** Never throws. */
  async call(
    request: WebhookRequest,
    headers: Record<string, string>,
    successOn: SuccessOn | null,
    stop?: AbortSignal,
  ): Promise<CallResult> {
    const { text: _, ...result } = await this.exchange(request, headers, successOn, stop);
    return result;
  }

  /** A call whose answer is read. Never throws. */
  async exchange(
    { method, url, body }: WebhookRequest,
    headers: Record<string, string>,
    successOn: SuccessOn | null = null,
    stop?: AbortSignal,
  ): Promise<Exchange> {
    const startedAt = performance.now();
    const tookMs = () => Math.round(performance.now() - startedAt);
    const ending = new AbortController();
    const end = () => ending.abort();
    const timer = setTimeout(end, this.timeoutMs);
    stop?.addEventListener('abort', end);
    try {
      const answer = await request(url, {
        method,
        headers: { 'user-agent': 'Heliograph-Webhooks/1', ...headers },
        body,
        dispatcher: this.agent,
        signal: ending.signal,
        headersTimeout: this.timeoutMs,
        bodyTimeout: this.timeoutMs,
      });
      const text = await readStart(answer.body);
      const after = answer.headers['retry-after'];
      return {
        error: failureOf(successOn, answer.statusCode, text),
        status: answer.statusCode,
        ms: tookMs(),
        response: storable(text),
        text,
        retryAfterMs: retryAfterMs(Array.isArray(after) ? after[0] : after),
      };
    } catch (error) {
      return {
        error: reasonOf(error),
        status: null,
        ms: tookMs(),
        response: null,
        text: '',
        retryAfterMs: null,
      };
    } finally {
      clearTimeout(timer);
      stop?.removeEventListener('abort', end);
    }
  }
}

/** The beginning of a body; the rest is not received. */
async function readStart(body: AsyncIterable<Buffer> & { destroy(): unknown }): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving the loop closes the connection.
  for await (const chunk of body) {
    chunks.push(chunk.subarray(0, MAX_ANSWER_BYTES - size));
    size += chunk.length;
    if (size >= MAX_ANSWER_BYTES) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Postgres stores neither NUL nor half of a surrogate pair. */
const storable = (text: string): string | null =>
  cutText(text, MAX_STORED_CHARACTERS).toWellFormed().replaceAll('\0', '\ufffd') || null;

const REASONS: Record<string, WebhookError> = {
  ADDRESS_REFUSED: 'address_refused',
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'refused',
  ENETUNREACH: 'refused',
  ETIMEDOUT: 'connect_timeout',
  UND_ERR_CONNECT_TIMEOUT: 'connect_timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  ECONNRESET: 'closed',
  EPIPE: 'closed',
  UND_ERR_SOCKET: 'closed',
  UND_ERR_HEADERS_OVERFLOW: 'invalid_answer',
  UND_ERR_INVALID_ARG: 'invalid_url',
  ERR_INVALID_URL: 'invalid_url',
};

function reasonOf(error: unknown): WebhookError {
  const { code = '', name, cause } = error as { code?: unknown; name?: string; cause?: unknown };
  if (name === 'TimeoutError' || name === 'AbortError') return 'timeout';
  // Has no code in most cases.
  if (name === 'HTTPParserError') return 'invalid_answer';
  if (typeof code !== 'string') return 'network';
  if (Object.hasOwn(REASONS, code)) return REASONS[code]!;
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_/.test(code)) return 'tls';
  return cause ? reasonOf(cause) : 'network';
}
