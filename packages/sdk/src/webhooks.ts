/** Why a call is not one of the installation's. */
export class InvalidSignature extends Error {
  override readonly name = 'InvalidSignature';
}

export interface WebhookCall {
  /** The body as it was received: not parsed and written again. */
  body: string | Uint8Array;
  /** The headers of the call, in any letter case. */
  headers: Headers | Record<string, string | string[] | undefined>;
  /** The secret that was shown when the webhook was created: `whsec_…`. */
  secret: string;
  /** Seconds that the clocks may differ and the call may have been on its way; 300 by default. */
  tolerance?: number;
}

const bytes = new TextEncoder();

/**
 * Checks the signature of a webhook's call as Standard Webhooks describes it, and gives its body parsed. Keep the ids
 * (`webhook-id`) that were processed: a call may come twice. Throws `InvalidSignature`.
 */
export async function verifyWebhook<T = unknown>(call: WebhookCall): Promise<T> {
  if (!call.secret) throw new TypeError('The secret of the webhook is missing.');
  const id = header(call.headers, 'webhook-id');
  const timestamp = header(call.headers, 'webhook-timestamp');
  const given = header(call.headers, 'webhook-signature');
  if (!id || !timestamp || !given) throw new InvalidSignature('The call is not signed.');
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!(age <= (call.tolerance ?? 300))) throw new InvalidSignature('The call is too old.');
  const body = typeof call.body === 'string' ? call.body : new TextDecoder().decode(call.body);
  const key = await keyOf(call.secret);
  const signed = bytes.encode(`${id}.${timestamp}.${body}`);
  // Two signatures while a secret is being replaced.
  for (const signature of given.split(' ').slice(0, 8)) {
    const [version, value = ''] = signature.split(',');
    if (version !== 'v1') continue;
    if (await globalThis.crypto.subtle.verify('HMAC', key, decode(value), signed))
      return JSON.parse(body) as T;
  }
  throw new InvalidSignature('The signature is wrong.');
}

/** Signs a body as the installation does, for a server that is tried without it. Returns the headers. */
export async function signWebhook(
  { body, secret, id }: { body: string; secret: string; id: string },
  at = new Date(),
): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signed = bytes.encode(`${id}.${timestamp}.${body}`);
  const signature = await globalThis.crypto.subtle.sign('HMAC', await keyOf(secret), signed);
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${btoa(String.fromCharCode(...new Uint8Array(signature)))}`,
  };
}

const keyOf = (secret: string): Promise<CryptoKey> =>
  globalThis.crypto.subtle.importKey(
    'raw',
    decode(secret.replace(/^whsec_/, '')),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign', 'verify'],
  );

function header(headers: WebhookCall['headers'], name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return Array.isArray(value) ? value[0] : value;
}

function decode(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  } catch {
    throw new InvalidSignature('The secret or the signature is not Base64.');
  }
}
