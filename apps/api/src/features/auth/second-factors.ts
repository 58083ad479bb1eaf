import { Injectable } from '@nestjs/common';
import type { RateLimiterRedis } from 'rate-limiter-flexible';
import { SecretBox } from '../../core/auth/secret-box.ts';
import { Clock } from '../../core/clock.ts';
import { RateLimits, take } from '../../core/rate-limits.ts';
import { hashRecoveryCode, recoveryCodeOf } from './recovery-codes.ts';
import { SecondFactorStore, type StoredFactor } from './second-factor.store.ts';
import { totpCodeOf, totpStep } from './totp.ts';

/**
 * Wrong codes of a user per hour, from all addresses together: somebody who knows the password could otherwise try codes from
 * many addresses. A known device has its own count, so that others cannot lock the user out.
 */
const MAX_ATTEMPTS = 10;
const ATTEMPTS_SECONDS = 3600;

/** What a code stands for, before it is used. */
export type Proof = { secret: Buffer; step: number } | { hash: Buffer };

export const purposeOf = (userId: string): string => `second factor ${userId}`;

/** Checks and uses codes of the second factor. */
@Injectable()
export class SecondFactors {
  private readonly attempts: RateLimiterRedis;

  constructor(
    private readonly store: SecondFactorStore,
    private readonly box: SecretBox,
    private readonly clock: Clock,
    limits: RateLimits,
  ) {
    this.attempts = limits.of('second-factor', MAX_ATTEMPTS, ATTEMPTS_SECONDS);
  }

  /** Undefined while the second factor is off. */
  async of(userId: string): Promise<StoredFactor | undefined> {
    const factor = await this.store.of(userId);
    return factor?.enabledAt ? factor : undefined;
  }

  /**
   * Finds what the code stands for; null for a wrong one. Counts an attempt before, so that concurrent attempts cannot
   * exceed the limit; throws `rate_limited`. Must not run inside a transaction.
   */
  async check(
    userId: string,
    factor: StoredFactor,
    code: string,
    device: string | null,
  ): Promise<Proof | null> {
    await take(this.attempts, keyOf(userId, device));
    const step = await this.stepOf(userId, factor, code);
    if (step !== null) return { secret: factor.secret, step };
    const recovery = recoveryCodeOf(code);
    return recovery === null ? null : { hash: await hashRecoveryCode(recovery, factor.salt) };
  }

  private async stepOf(userId: string, factor: StoredFactor, code: string): Promise<number | null> {
    const digits = totpCodeOf(code);
    if (!digits) return null;
    const secret = await this.box.open(factor.secret, purposeOf(userId));
    return totpStep(secret, digits, this.clock.now());
  }

  /** Uses a code up, in the caller's transaction. False if it is wrong or was used before. */
  use(userId: string, proof: Proof): Promise<boolean> {
    return 'hash' in proof
      ? this.store.takeCode(userId, proof.hash)
      : this.store.takeStep(userId, proof.secret, proof.step);
  }

  codesLeft(userId: string): Promise<number> {
    return this.store.codesLeft(userId);
  }

  /** Takes back the count of an attempt that was no guess. The wrong codes of others stay counted. */
  async succeeded(userId: string, device: string | null): Promise<void> {
    await this.attempts.reward(keyOf(userId, device));
  }
}

const keyOf = (userId: string, device: string | null): string => `${userId}|${device ?? ''}`;
