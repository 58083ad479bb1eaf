import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { SessionKey } from '../../core/auth/session-key.ts';
import { Clock } from '../../core/clock.ts';

/** A challenge is valid for this time: people look for their phone or security key. */
export const CHALLENGE_MS = 5 * 60_000;

/**
 * Challenges for passkeys. They carry the time at which they were issued and a signature of the installation instead of a row, so that
 * visitors leave nothing behind.
 */
@Injectable()
export class PasskeyChallenges {
  constructor(
    private readonly key: SessionKey,
    private readonly clock: Clock,
  ) {}

  /** A new challenge in base64url for a purpose: a sign-in, or a new passkey of one user. */
  async issue(purpose: string): Promise<string> {
    const text = `${this.clock.now().getTime()}.${randomBytes(16).toString('base64url')}`;
    const signature = await this.key.sign(signedText(purpose, text));
    return Buffer.from(`${text}.${signature}`).toString('base64url');
  }

  /** When a challenge, in base64url, was issued for this purpose; null for any other and after its end. */
  async issuedAt(challenge: string, purpose: string): Promise<Date | null> {
    const [time = '', nonce = '', signature = ''] = Buffer.from(challenge, 'base64url')
      .toString()
      .split('.');
    if (!(await this.key.isSigned(signedText(purpose, `${time}.${nonce}`), signature))) return null;
    const issued = new Date(Number(time));
    return this.clock.now().getTime() - issued.getTime() > CHALLENGE_MS ? null : issued;
  }
}

const signedText = (purpose: string, text: string): string => `passkey ${purpose} ${text}`;
