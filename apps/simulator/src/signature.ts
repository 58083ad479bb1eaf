import type { IncomingHttpHeaders } from 'node:http';

import { Webhook } from 'standardwebhooks';

/** Whether a body has a valid signature of Standard Webhooks 1.0.0, at most five minutes old. */
export function isSigned(secret: string, headers: IncomingHttpHeaders, body: Buffer): boolean {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>, { jsonParse: false });
    return true;
  } catch {
    return false;
  }
}

const TIMEOUT_MS = 30_000;

/**
 * Posts a value as JSON, signed if there is a secret. Rejects on any other status than 2xx; redirects are not followed. `id` must be
 * the same for all attempts of one message.
 */
export async function post(
  url: string,
  value: unknown,
  id: string,
  secret?: string,
): Promise<void> {
  const body = JSON.stringify(value);
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (secret) {
    const now = new Date();
    headers['webhook-id'] = id;
    headers['webhook-timestamp'] = String(Math.floor(now.getTime() / 1_000));
    headers['webhook-signature'] = new Webhook(secret).sign(id, now, body);
  }
  const response = await fetch(url, {
    method: 'POST',
    headers,
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  // The body must be consumed, so that the connection can be reused.
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${url}: HTTP status ${response.status}`);
}
