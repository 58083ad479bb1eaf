import type { IncomingHttpHeaders } from 'node:http';

import { Webhook } from 'standardwebhooks';

/** Whether a body was signed as Standard Webhooks 1.0.0 does, within five minutes of now. */
export function verified(secret: string, headers: IncomingHttpHeaders, body: Buffer): boolean {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>, { jsonParse: false });
    return true;
  } catch {
    return false;
  }
}

const TIMEOUT = 30_000;

/**
 * Posts a value as JSON, signed when there is a secret; rejects on anything but 2xx. Redirects
 * are answers like any other and not followed. `id` is the same in every try of one message.
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
    signal: AbortSignal.timeout(TIMEOUT),
  });
  // Read to the end, so that the connection is used again.
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
}
