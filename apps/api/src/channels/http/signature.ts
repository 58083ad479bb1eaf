import { randomUUID } from 'node:crypto';

import { Webhook } from 'standardwebhooks';

/** The headers that sign a body as Standard Webhooks 1.0.0 does, for this moment. */
export function signed(
  secret: string,
  body: string,
  id = `msg_${randomUUID()}`,
): Record<string, string> {
  const now = new Date();
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, now, body),
  };
}

/**
 * Whether a body was signed with the secret, within five minutes of now. The library compares in
 * constant time and holds the tolerance; it says no by throwing.
 */
export function verified(
  secret: string,
  headers: Record<string, string | string[] | undefined>,
  body: Buffer | string,
): boolean {
  const single: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string') single[name] = value;
  }
  try {
    new Webhook(secret).verify(body, single, { jsonParse: false });
    return true;
  } catch {
    return false;
  }
}
