import { createHmac, randomUUID } from 'node:crypto';
import { isSameSecret } from '../../core/http/same-secret.ts';
import type { Verification } from '../channel.ts';

const TOLERANCE_SECONDS = 300;

/** The headers that sign a body as Standard Webhooks 1.0.0 does, for this moment unless another is given. */
export function signed(
  secret: string,
  body: string,
  id = `msg_${randomUUID()}`,
  at = Date.now(),
): Record<string, string> {
  const timestamp = String(secondsOf(at));
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${hmacOf(secret, id, timestamp, body).toString('base64')}`,
  };
}

/**
 * Verifies that a body was signed with the secret, within five minutes of now. The signature is compared before the time, so that a
 * carrier with a wrong clock gets `timestamp` and not `signature`. Uses node:crypto: the library of the standard hashes in JavaScript,
 * which takes longer than applying the reports.
 */
export function verifySignature(
  secret: string,
  headers: Record<string, string | string[] | undefined>,
  body: Buffer | string,
): Verification {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map(
    (name) => headers[`webhook-${name}`],
  );
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string')
    return 'unsigned';
  if (!/^\d{1,12}$/.test(timestamp)) return 'timestamp';
  const expected = hmacOf(secret, id, timestamp, body);
  // There are several signatures while a secret is being rotated.
  const isSigned = signatures
    .split(' ')
    .some(
      (one) => one.startsWith('v1,') && isSameSecret(Buffer.from(one.slice(3), 'base64'), expected),
    );
  if (!isSigned) return 'signature';
  return Math.abs(secondsOf(Date.now()) - Number(timestamp)) > TOLERANCE_SECONDS
    ? 'timestamp'
    : 'genuine';
}

const secondsOf = (ms: number) => Math.floor(ms / 1000);

function hmacOf(secret: string, id: string, timestamp: string, body: Buffer | string): Buffer {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
}
