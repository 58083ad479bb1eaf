import { createHmac } from 'node:crypto';

const keyOf = (secret: string) => Buffer.from(secret.slice('whsec_'.length), 'base64');

/** Headers of Standard Webhooks 1.0.0, with a signature for each secret. */
export function signatureHeaders(
  secrets: string[],
  id: string,
  at: Date,
  body: string,
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const content = `${id}.${timestamp}.${body}`;
  const signatures = secrets.map(
    (secret) => `v1,${createHmac('sha256', keyOf(secret)).update(content).digest('base64')}`,
  );
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
