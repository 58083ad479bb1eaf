import { Injectable } from '@nestjs/common';
import { CaptchaPayload, type CaptchaChallenge } from '@heliograph/contract';
import { createChallenge, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/sha';
import { randomInt } from 'node:crypto';
import { RateLimiterRes, type RateLimiterRedis } from 'rate-limiter-flexible';
import { GeneratedSecrets } from '../../core/auth/generated-secrets.ts';
import { Config } from '../../core/config.ts';
import { AppError } from '../../core/errors.ts';
import { RateLimits } from '../../core/rate-limits.ts';

/** How long a challenge may be solved, and how long it is remembered that it was. */
const LIFETIME_SECONDS = 600;
const WINDOW_SECONDS = 3600;
/**
 * The work of a solver: up to `MAX_COUNTER` keys of `COST` hashes each, a second or so of one core. The server computes one key
 * for a challenge and none for a solution.
 */
const COST = 100;
const [MIN_COUNTER, MAX_COUNTER] = [2000, 6000];

/** A proof of work (ALTCHA) that is asked for after a few free attempts of a network. */
@Injectable()
export class CaptchaService {
  private readonly free: RateLimiterRedis;
  private readonly used: RateLimiterRedis;

  constructor(
    private readonly config: Config,
    private readonly secrets: GeneratedSecrets,
    limits: RateLimits,
  ) {
    this.free = limits.of('captcha:free', Math.max(1, config.CAPTCHA_AFTER), WINDOW_SECONDS);
    this.used = limits.of('captcha:used', 1, LIFETIME_SECONDS);
  }

  async challenge(): Promise<CaptchaChallenge> {
    const secret = await this.secrets.get('captcha');
    const challenge = await createChallenge({
      algorithm: 'SHA-256',
      cost: COST,
      counter: randomInt(MIN_COUNTER, MAX_COUNTER),
      deriveKey,
      expiresAt: Math.floor(Date.now() / 1000) + LIFETIME_SECONDS,
      hmacSignatureSecret: secret,
      hmacKeySignatureSecret: keySecret(secret),
    });
    return challenge as CaptchaChallenge;
  }

  /** Lets an attempt of a network pass: one of the free ones, or one with a solution that nobody has used. */
  async require(network: string, payload: string | undefined): Promise<void> {
    const isFree = payload === undefined && this.config.CAPTCHA_AFTER > 0;
    if (isFree && (await takes(this.free, network))) return;
    if (payload === undefined || !(await this.isSolved(payload)))
      throw new AppError(
        'captcha_required',
        'Solve the challenge of GET /captcha and send it as captcha',
      );
  }

  private async isSolved(text: string): Promise<boolean> {
    const payload = readPayload(text);
    if (!payload) return false;
    const secret = await this.secrets.get('captcha');
    const { verified } = await verifySolution({
      ...payload,
      deriveKey,
      hmacSignatureSecret: secret,
      hmacKeySignatureSecret: keySecret(secret),
    });
    return verified && takes(this.used, payload.challenge.signature);
  }
}

const keySecret = (secret: string) => `${secret}:key`;

/** Whether a point was left. */
async function takes(limiter: RateLimiterRedis, key: string): Promise<boolean> {
  try {
    await limiter.consume(key);
    return true;
  } catch (state) {
    if (state instanceof RateLimiterRes) return false;
    throw state;
  }
}

/** As ALTCHA's own widget sends it: JSON in base64. Null when it is not one. */
function readPayload(text: string): CaptchaPayload | null {
  try {
    const json: unknown = JSON.parse(Buffer.from(text, 'base64').toString('utf8'));
    return CaptchaPayload.safeParse(json).data ?? null;
  } catch {
    return null;
  }
}
