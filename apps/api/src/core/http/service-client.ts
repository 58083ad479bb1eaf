import { AppError } from '../errors.ts';
import { retryAfterMs } from './retry-after.ts';
import { rateLimited } from '../rate-limits.ts';

const RETRY_MS = 60_000;

export interface ServiceRequest {
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
  timeoutMs: number;
  /** What an answer may be long at most. */
  maxBytes: number;
}

export interface ServiceResponse {
  status: number;
  headers: Headers;
  bytes: Buffer;
}

/**
 * Asks a service that the operator has configured. Private addresses are allowed: it may well be the next machine.
 * Redirects are not followed; time and length of the answer are bounded. Whatever goes wrong on the way is `unavailable`,
 * and its cause tells of no header and no body.
 */
export async function fetchService(
  url: string | URL,
  { timeoutMs, maxBytes, ...init }: ServiceRequest,
): Promise<ServiceResponse> {
  try {
    const answer = await fetch(url, {
      ...init,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const { status, headers } = answer;
    return { status, headers, bytes: await readUpTo(maxBytes, answer) };
  } catch (error) {
    throw unavailable(reasonOf(error));
  }
}

async function readUpTo(maxBytes: number, { body }: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    // Leaving the loop hangs up.
    if (size > maxBytes) throw new Error(`the answer is longer than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The service has too much to do: when to come again is its own word, or a minute. */
export function busy({ headers }: ServiceResponse): AppError {
  const msBeforeNext = retryAfterMs(headers.get('retry-after')) ?? RETRY_MS;
  return rateLimited({ consumedPoints: 1, msBeforeNext }, 1);
}

/** The service does not do its work; `reason` is for the log. */
export function unavailable(reason: string): AppError {
  return new AppError('unavailable', undefined, { cause: reason });
}

const reasonOf = (error: unknown): string => {
  const { cause, message } = error as Error;
  return (cause as { code?: string } | undefined)?.code ?? message;
};
