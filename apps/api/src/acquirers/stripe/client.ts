import Stripe from 'stripe';
import { fetchService } from '../../core/http/service-client.ts';
import { AcquirerRefused, type StripeSettings } from '../acquirer.ts';

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 1024 * 1024;

/** The library of Stripe over a `fetch` that bounds the size of responses. It repeats nothing: the sweep does, with the same keys. */
export function stripeClient({ secretKey, url }: StripeSettings): Stripe {
  const { protocol, hostname, port } = new URL(url);
  return new Stripe(secretKey, {
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    ...(port && { port }),
    timeout: TIMEOUT_MS,
    maxNetworkRetries: 0,
    telemetry: false,
    httpClient: Stripe.createFetchHttpClient(boundedFetch as typeof fetch),
  });
}

async function boundedFetch(url: string | URL, init: RequestInit): Promise<Response> {
  const { status, headers, bytes } = await fetchService(url, {
    method: init.method === 'POST' ? 'POST' : 'GET',
    headers: Object.fromEntries(new Headers(init.headers)),
    ...(init.method === 'POST' && { body: init.body as string }),
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
  });
  // The library takes any JSON without `error` for a success, also that of a proxy.
  const isOfStripe = (status >= 200 && status < 300) || (status >= 400 && status < 500);
  if (!isOfStripe) throw new Error(`Stripe answered ${status}`);
  return new Response(new Uint8Array(bytes), { status, headers });
}

const REFUSED = new Set([400, 402, 404]);

/** Rethrows an error of a call that changes something: as a refusal if it says that nothing was done. */
export function rethrown(error: unknown): never {
  if (!(error instanceof Stripe.errors.StripeError)) throw error;
  const { type, code, statusCode } = error;
  // An error of the idempotency key says that another call with it has been made, or is being made.
  const isRefused = REFUSED.has(statusCode ?? 0) && !`${code} ${type}`.includes('dempotency');
  if (isRefused) throw new AcquirerRefused(reasonOf(error));
  return failed(error);
}

/** Rethrows an error with its kind only, as its message may quote the call. */
export function failed(error: unknown): never {
  if (!(error instanceof Stripe.errors.StripeError)) throw error;
  throw new Error(`Stripe: ${reasonOf(error)}`);
}

const reasonOf = ({ type, code, statusCode }: Stripe.errors.StripeError) =>
  [type, code, statusCode].filter(Boolean).join(' ');
