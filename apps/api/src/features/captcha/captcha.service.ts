import { Injectable } from '@nestjs/common';
import { CaptchaPayload, type CaptchaChallenge } from '@heliograph/contract';
import { createChallenge, verifySolution } from 'altcha-lib';
import { hash, randomInt } from 'node:crypto';
import { RateLimiterRes, type RateLimiterRedis } from 'rate-limiter-flexible';
import { GeneratedSecrets } from '../../core/auth/generated-secrets.ts';
import { Config } from '../../core/config.ts';
import { AppError } from '../../core/errors.ts';
import { RateLimits, withPoints } from '../../core/rate-limits.ts';
import { Slices } from '../../core/slices.ts';

/** Lifetime of a challenge, and of the record that it was used. */
const LIFETIME_SECONDS = 600;
const WINDOW_SECONDS = 3600;
/**
 * The work of a client: up to `MAX_COUNTER` keys of `COST` hashes each, about one second of one core. The server computes
 * one key per challenge and none per solution.
 */
const COST = 100;
const [MIN_COUNTER, MAX_COUNTER] = [2000, 6000];

/** A proof of work (ALTCHA) that is required after some free attempts of a network. */
@Injectable()
export class CaptchaService {
  private readonly free: RateLimiterRedis;
  private readonly used: RateLimiterRedis;

  constructor(
    private readonly config: Config,
    private readonly secrets: GeneratedSecrets,
    private readonly slices: Slices,
    limits: RateLimits,
  ) {
    this.free = limits.of('captcha:free', 1, WINDOW_SECONDS);
    this.used = limits.of('captcha:used', 1, LIFETIME_SECONDS);
  }

  async challenge(): Promise<CaptchaChallenge> {
    const secret = await this.secrets.get('captcha');
    // Anybody may ask for many at once: each begins in a turn of its own, and other callers wait for one of them.
    const challenge = await this.slices.alone(() =>
      createChallenge({
        algorithm: 'SHA-256',
        cost: COST,
        counter: randomInt(MIN_COUNTER, MAX_COUNTER),
        deriveKey,
        expiresAt: Math.floor(Date.now() / 1000) + LIFETIME_SECONDS,
        hmacSignatureSecret: secret,
        hmacKeySignatureSecret: keySecret(secret),
      }),
    );
    return challenge as CaptchaChallenge;
  }

  /** Throws `captcha_required` unless the network has a free attempt left or the solution is valid and unused. */
  async require(network: string, payload: string | undefined): Promise<void> {
    const { CAPTCHA_AFTER } = this.config;
    const isFree = payload === undefined && CAPTCHA_AFTER > 0;
    if (isFree && (await tryConsume(withPoints(this.free, CAPTCHA_AFTER), network))) return;
    if (payload === undefined || !(await this.isSolved(payload)))
      throw new AppError(
        'captcha_required',
        'A captcha is required. Solve the challenge of GET /captcha and send the solution in the field captcha.',
      );
  }

  private async isSolved(text: string): Promise<boolean> {
    const signature = await this.verify(text);
    return signature !== null && tryConsume(this.used, signature);
  }

  /** The signature of a challenge that is solved, which the caller marks as used; null if it is not solved. */
  async verify(text: string): Promise<string | null> {
    const payload = readPayload(text);
    if (!payload) return null;
    const secret = await this.secrets.get('captcha');
    const { verified } = await verifySolution({
      ...payload,
      deriveKey,
      hmacSignatureSecret: secret,
      hmacKeySignatureSecret: keySecret(secret),
    });
    return verified ? payload.challenge.signature : null;
  }
}

/** SHA-256 of salt and password, `cost` times: the algorithm of `altcha-lib`, with hashes of one call each. */
async function deriveKey(
  { cost, keyLength = 32 }: { cost: number; keyLength?: number },
  salt: Uint8Array,
  password: Uint8Array,
): Promise<{ derivedKey: Uint8Array }> {
  let key = hash('sha256', Buffer.concat([salt, password]), 'buffer');
  for (let done = 1; done < cost; done++) key = hash('sha256', key, 'buffer');
  return { derivedKey: key.subarray(0, keyLength) };
}

const keySecret = (secret: string) => `${secret}:key`;

/** False if no point was left. */
async function tryConsume(limiter: RateLimiterRedis, key: string): Promise<boolean> {
  try {
    await limiter.consume(key);
    return true;
  } catch (state) {
    if (state instanceof RateLimiterRes) return false;
    throw state;
  }
}

/** Parses a solution in the format of the ALTCHA widget, base64 of JSON; null if it is invalid. */
function readPayload(text: string): CaptchaPayload | null {
  try {
    const json: unknown = JSON.parse(Buffer.from(text, 'base64').toString('utf8'));
    return CaptchaPayload.safeParse(json).data ?? null;
  } catch {
    return null;
  }
}
