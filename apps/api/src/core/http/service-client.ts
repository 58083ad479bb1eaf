import { AppError } from '../errors.ts';
import { retryAfterMs } from './retry-after.ts';
import { rateLimited } from '../rate-limits.ts';

const RETRY_MS = 60_000;

export interface ServiceRequest {
  method?: 'GET' | 'POST' | 'DELETE';
  headers?: Record<string, string>;
  body?: string;
  timeoutMs: number;
  /** Longer responses are errors. */
  maxBytes: number;
}

export interface ServiceResponse {
  status: number;
  headers: Headers;
  bytes: Buffer;
}

/**
 * Calls a service that the operator has configured, so private addresses are allowed. Redirects are not followed. Network
 * errors, timeouts and too long responses are `unavailable`, with a cause that contains no headers and no body.
 */
export async function fetchService(
  url: string | URL,
  { timeoutMs, maxBytes, ...init }: ServiceRequest,
): Promise<ServiceResponse> {
  try {
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const { status, headers } = response;
    return { status, headers, bytes: await readUpTo(maxBytes, response) };
  } catch (error) {
    throw unavailable(reasonOf(error));
  }
}

/** The body of a response, unpacked. Throws if it is longer. */
export async function readUpTo(
  maxBytes: number,
  { body }: { body: unknown },
): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    // Leaving the loop closes the connection.
    if (size > maxBytes) throw new Error(`the response is longer than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The error for a 429 of the service, with its Retry-After or one minute. */
export function busy({ headers }: ServiceResponse): AppError {
  const msBeforeNext = retryAfterMs(headers.get('retry-after')) ?? RETRY_MS;
  return rateLimited({ consumedPoints: 1, msBeforeNext }, 1);
}

/** `reason` is written to the log only. */
export function unavailable(reason: string): AppError {
  return new AppError('unavailable', undefined, { cause: reason });
}

const reasonOf = (error: unknown): string => {
  const { cause, message } = error as Error;
  return (cause as { code?: string } | undefined)?.code ?? message;
};
