import { Injectable } from '@nestjs/common';
import { isCodeless, OTP_CODE_DIGITS, otpText, typedCode } from '@heliograph/domain';
import { createHmac, randomInt } from 'node:crypto';
import { GeneratedSecrets } from '../../../core/auth/generated-secrets.ts';
import { isSameSecret } from '../../../core/http/same-secret.ts';
import type { SealedAttempt } from '../../sendings/sealed-sendings.service.ts';
import type { OtpSession, OtpStep } from './otp-session.ts';

/** The attempts of a round with their codes, of which only keyed hashes are stored. */
export interface RoundCodes {
  attempts: SealedAttempt[];
  hashes: (Buffer | null)[];
}

@Injectable()
export class OtpCodes {
  constructor(private readonly secrets: GeneratedSecrets) {}

  /** One code for all channels of a round; shorter ones take its beginning, so that a late message is not wrong. */
  async create(
    { id: sessionId, round, isTest }: Pick<OtpSession, 'id' | 'round' | 'isTest'>,
    steps: OtpStep[],
  ): Promise<RoundCodes> {
    const { max } = OTP_CODE_DIGITS;
    // Nobody gets the code of a test, so it is known.
    const digits = isTest ? '0'.repeat(max) : String(randomInt(10 ** max)).padStart(max, '0');
    const hashes: (Buffer | null)[] = [];
    for (const [attempt, { type, length }] of steps.entries())
      hashes.push(
        isCodeless(type)
          ? null
          : await this.hash(sessionId, round, attempt, digits.slice(0, length)),
      );
    return { hashes, attempts: steps.map((step) => attemptOf(step, digits.slice(0, step.length))) };
  }

  /** Whether a typed text is the code of the current attempt, in constant time. */
  async isRight({ id, round, attempt, codeHashes }: OtpSession, typed: string): Promise<boolean> {
    const wanted = codeHashes[attempt];
    if (!wanted) return false;
    return isSameSecret(await this.hash(id, round, attempt, typedCode(typed)), wanted);
  }

  private async hash(
    sessionId: string,
    round: number,
    attempt: number,
    code: string,
  ): Promise<Buffer> {
    const secret = await this.secrets.get('otp');
    return createHmac('sha256', secret)
      .update(`code ${sessionId} ${round} ${attempt} ${code}`)
      .digest();
  }
}

function attemptOf(step: OtpStep, code: string): SealedAttempt {
  const { type, sender, lifetime, template } = step;
  if (isCodeless(type)) return { type, sender, lifetime, text: null, masked: null };
  return { type, sender, lifetime, ...otpText(template, type, code, step.beautify) };
}
