import { createHash, timingSafeEqual } from 'node:crypto';

type Secret = string | Buffer;

/**
 * Compares what a caller sent with a secret, a hash or a signature, in constant time. Both are hashed first, so that values of any
 * length can be compared and the time does not depend on the length of the secret either.
 */
export function isSameSecret(given: Secret | null | undefined, wanted: Secret): boolean {
  return given != null && timingSafeEqual(digest(given), digest(wanted));
}

const digest = (secret: Secret) => createHash('sha256').update(secret).digest();
