import { createHmac } from 'node:crypto';
import { isSameSecret } from '../../core/http/same-secret.ts';

export const SIGNATURE_HEADER = 'x-sandbox-signature';

/** HMAC-SHA256 of the body, hexadecimal. */
export const sign = (secret: string, body: string | Buffer): string =>
  createHmac('sha256', secret).update(body).digest('hex');

export function isSigned(
  secret: string,
  given: string | string[] | undefined,
  body: Buffer,
): boolean {
  return typeof given === 'string' && isSameSecret(given, sign(secret, body));
}
