import { type Agent, type FormData, request } from 'undici';

import { AddressRefused, markBegin, type Outbound } from '../core/http/outbound.ts';
import { retryAfterMs } from '../core/http/retry-after.ts';
import { ChannelDown, UnknownOutcome } from './channel.ts';
import type { HttpLimits } from './http-options.ts';

export interface HttpCall {
  url: string;
  method: 'POST' | 'GET' | 'PUT' | 'DELETE';
  headers: Record<string, string>;
  body?: string | Buffer | FormData;
}

export interface HttpAnswer {
  status: number;
  retryAfter?: string | string[];
  body: string;
}

export const RETRY_SOON_MS = 5_000;
/** The configuration must be corrected first. */
const RETRY_LATER_MS = 60_000;

/** More than a response to the largest batch with long ids and texts. The outcome of a batch with a longer one is unknown. */
const MAX_RESPONSE_BYTES = 2 * 1024 * 1024;

/** The connections of a channel. */
export function carrierAgent(
  outbound: Outbound,
  options: Pick<HttpLimits, 'connections' | 'connectTimeoutMs'>,
): Agent {
  return outbound.agent({
    connections: options.connections,
    connectTimeoutMs: options.connectTimeoutMs,
    // Shorter than the keep-alive of carriers: a connection that closes while a batch is written
    // leaves its outcome unknown.
    keepAliveTimeout: 2_000,
    keepAliveMaxTimeout: 2_000,
    maxResponseSize: MAX_RESPONSE_BYTES,
  });
}

/**
 * Calls a carrier. Throws ChannelDown when the call could not be written or has not begun, UnknownOutcome when there is no answer. The body of an answer is
 * read if `isRead` says so of its status.
 */
export async function callCarrier(
  agent: Agent,
  callOf: () => HttpCall,
  timeoutMs: number,
  signal: AbortSignal,
  isRead: (status: number) => boolean,
): Promise<HttpAnswer> {
  if (signal.aborted) throw new ChannelDown('stopped before the submit', 0);
  const { dispatcher, hasBegun } = markBegin(agent);
  try {
    const { url, ...call } = callOf();
    // Redirects are not followed: undici does so only when asked, and a batch goes to the
    // configured address or nowhere.
    const response = await request(url, {
      ...call,
      dispatcher,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    const { statusCode: status, headers } = response;
    const body = isRead(status) ? await response.body.text() : await response.body.dump();
    return { status, retryAfter: headers['retry-after'], body: body ?? '' };
  } catch (error) {
    throw asChannelError(error as NodeJS.ErrnoException, hasBegun());
  }
}

/** Before the request has begun, an error in making it, or one of the connection, leaves the carrier with nothing. */
function asChannelError(
  cause: NodeJS.ErrnoException,
  hasBegun: boolean,
): ChannelDown | UnknownOutcome {
  if (cause instanceof AddressRefused) return new ChannelDown(cause.message, 60_000, { cause });
  const reason = cause.code ?? cause.name;
  if (!hasBegun) return new ChannelDown(`not sent: ${reason}`, 10_000, { cause });
  // A timeout, a broken connection, or any other error.
  return new UnknownOutcome(`no answer: ${reason}`, { cause });
}

/** The JSON document of an answer; undefined if it is none. */
export function documentIn(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

export const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** Throws ChannelDown when the status means that nothing was accepted, UnknownOutcome when that is not certain. */
export function refuseByStatus({ status, retryAfter }: HttpAnswer): void {
  if (status === 429 || status === 503) {
    const asked = retryAfterMs(String(retryAfter ?? ''));
    throw new ChannelDown(`answered ${status}`, asked ?? RETRY_SOON_MS, {
      isAsked: asked !== null,
    });
  }
  if (status >= 500) throw new UnknownOutcome(`answered ${status}`);
  if (!isSuccess(status)) throw new ChannelDown(`answered ${status}`, RETRY_LATER_MS);
}
