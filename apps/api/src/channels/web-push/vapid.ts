import { createECDH, createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { currentTime } from '../../core/time.ts';

const CURVE = 'prime256v1';
/** RFC 8292 allows 24 hours. */
const TOKEN_SECONDS = 12 * 3_600;
/** The half of it: a message may wait until it leaves. */
const KEPT_MS = 6 * 3_600 * 1000;
const MAX_ORIGINS = 100;

export interface VapidKeys {
  /** In base64url: 65 bytes and 32 bytes. */
  publicKey: string;
  privateKey: string;
}

/** Whether two keys are a pair. */
export function isPair({ publicKey, privateKey }: VapidKeys): boolean {
  try {
    const pair = createECDH(CURVE);
    pair.setPrivateKey(Buffer.from(privateKey, 'base64url'));
    return pair.getPublicKey('base64url') === publicKey;
  } catch {
    return false;
  }
}

/** Tells push services who sends (RFC 8292): a token for each of them, kept while it is fresh. */
export class Vapid {
  private readonly key: KeyObject;
  private readonly tokens = new LRUCache<string, string>({ max: MAX_ORIGINS, ttl: KEPT_MS });

  constructor(
    private readonly keys: VapidKeys,
    private readonly subject: string,
  ) {
    this.key = keyOf(keys);
  }

  /** The value of `Authorization` for a request to an address. */
  authorizationFor(endpoint: string): string {
    const { origin } = new URL(endpoint);
    let token = this.tokens.get(origin);
    if (!token) {
      token = this.tokenFor(origin);
      this.tokens.set(origin, token);
    }
    return `vapid t=${token}, k=${this.keys.publicKey}`;
  }

  private tokenFor(aud: string): string {
    const exp = Math.floor(currentTime() / 1000) + TOKEN_SECONDS;
    const signed = [
      { typ: 'JWT', alg: 'ES256' },
      { aud, exp, sub: this.subject },
    ]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    const key = { key: this.key, dsaEncoding: 'ieee-p1363' } as const;
    return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
  }
}

function keyOf({ publicKey, privateKey }: VapidKeys): KeyObject {
  const point = Buffer.from(publicKey, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((one) =>
    one.toString('base64url'),
  );
  const jwk = { kty: 'EC', crv: 'P-256', x: x!, y: y!, d: privateKey };
  return createPrivateKey({ key: jwk, format: 'jwk' });
}
