import { createHmac, createSecretKey, randomUUID, type KeyObject } from 'node:crypto';
import { currentTime } from '../time.ts';
import { isSameSecret } from './same-secret.ts';

/**
 * Signatures of Standard Webhooks 1.0.0, for calls that are made and received. Uses node:crypto: the library of the standard hashes in
 * JavaScript, which takes longer than applying the reports.
 */

/** `timestamp`: signed with the right secret, but at another time; `signature`: with another secret, or for another body. */
export type Verification = 'genuine' | 'unsigned' | 'timestamp' | 'signature';

const TOLERANCE_SECONDS = 300;

/** The key of a secret, made once for many signatures: from its bytes, each signature would take five times as long. */
export const signingKey = (secret: string): KeyObject =>
  createSecretKey(secret.replace(/^whsec_/, ''), 'base64');

/** The headers of a call, with a signature for each key. */
export function signatureHeaders(
  keys: KeyObject[],
  id: string,
  at: Date,
  body: string,
): Record<string, string> {
  const timestamp = String(secondsOf(at.getTime()));
  const signatures = keys.map((key) => `v1,${hmacOf(key, id, timestamp, body).toString('base64')}`);
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}

/** The headers of one body, for this moment unless another is given. */
export const signed = (
  secret: string,
  body: string,
  id = `msg_${randomUUID()}`,
  at = currentTime(),
): Record<string, string> => signatureHeaders([signingKey(secret)], id, new Date(at), body);

/**
 * Verifies that a body was signed with the secret, within five minutes of now. The signature is compared before the time, so that a
 * caller with a wrong clock gets `timestamp` and not `signature`.
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
  const expected = hmacOf(signingKey(secret), id, timestamp, body);
  // There are several signatures while a secret is being rotated.
  const isSigned = signatures
    .split(' ')
    .some(
      (one) => one.startsWith('v1,') && isSameSecret(Buffer.from(one.slice(3), 'base64'), expected),
    );
  if (!isSigned) return 'signature';
  return Math.abs(secondsOf(currentTime()) - Number(timestamp)) > TOLERANCE_SECONDS
    ? 'timestamp'
    : 'genuine';
}

const secondsOf = (ms: number) => Math.floor(ms / 1000);

function hmacOf(key: KeyObject, id: string, timestamp: string, body: Buffer | string): Buffer {
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
}
