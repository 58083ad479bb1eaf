import { createHash, randomBytes, randomInt } from 'node:crypto';

/** Without characters that look alike. */
const READABLE = 'abcdefghjkmnpqrstuvwxyz23456789';
const PREFIX_LENGTH = 12;
const SECRET_BYTES = 32;
/** `hg_`, the readable prefix, and 256 random bits in base64url. */
const MAX_LENGTH = 59;
const FORMAT = /^(hg_[a-z2-9]{12})_[\w-]{43}$/;
const PREFIX_FORMAT = /^hg_[a-z2-9]{12}$/;
const RANDOM_LENGTH = 43;

/** Characters of the random part that are the password of a bind over SMPP, which has room for no more. */
const BIND_LENGTH = 8;

/** What the database holds of a secret. */
export interface StoredSecret {
  prefix: string;
  hash: Buffer;
}

/**
 * The secret of an API token. It is stored as a plain SHA-256: a slow hash protects passwords, which can be guessed, while 256
 * random bits cannot be, and every request has to compute it.
 */
export function newTokenSecret(): StoredSecret & { token: string } {
  const readable = Array.from(
    { length: PREFIX_LENGTH },
    () => READABLE[randomInt(READABLE.length)],
  );
  const prefix = `hg_${readable.join('')}`;
  const token = `${prefix}_${randomBytes(SECRET_BYTES).toString('base64url')}`;
  return { token, prefix, hash: hashOf(token) };
}

/** The prefix and the random part of what a program binds with; undefined if it is no token. */
export function parseBind(
  systemId: string,
  password: string,
): { prefix: string; token: string } | { prefix: string; password: string } | undefined {
  if (!PREFIX_FORMAT.test(systemId)) return undefined;
  if (password.length === BIND_LENGTH) return { prefix: systemId, password };
  const token = password.startsWith(`${systemId}_`) ? password : `${systemId}_${password}`;
  return { prefix: systemId, token };
}

/** Of a token: the beginning of its random part. */
export const bindPassword = (token: string): string =>
  token.slice(token.length - RANDOM_LENGTH).slice(0, BIND_LENGTH);

/** Tells API tokens from session tokens, which are JWTs. */
export const isApiToken = (token: string): boolean => token.startsWith('hg_');

/** The stored form of a token; null if it has not the form of one. */
export function parseToken(token: string): StoredSecret | null {
  if (token.length > MAX_LENGTH) return null;
  const prefix = FORMAT.exec(token)?.[1];
  return prefix ? { prefix, hash: hashOf(token) } : null;
}

const hashOf = (token: string) => createHash('sha256').update(token).digest();
