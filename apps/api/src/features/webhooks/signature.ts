import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/** The key of a secret, made once for many signatures: from its bytes, each signature would take five times as long. */
export const signingKey = (secret: string): KeyObject =>
  createSecretKey(secret.slice('whsec_'.length), 'base64');

/** Headers of Standard Webhooks 1.0.0, with a signature for each key. */
export function signatureHeaders(
  keys: KeyObject[],
  id: string,
  at: Date,
  body: string,
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const content = `${id}.${timestamp}.${body}`;
  const signatures = keys.map(
    (key) => `v1,${createHmac('sha256', key).update(content).digest('base64')}`,
  );
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
