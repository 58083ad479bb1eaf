import { hashRaw } from '@node-rs/argon2';
import { RECOVERY_CODES } from '@heliograph/contract';
import { randomBytes, randomInt } from 'node:crypto';

/** Without characters that look alike. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const LENGTH = 10;
const SALT_BYTES = 16;
/** argon2id as for passwords: the codes have 50 bits. One salt per user, so that a code takes one hash to be found. */
const OPTIONS = {
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
  outputLen: 32,
};

export const newSalt = (): Buffer => randomBytes(SALT_BYTES);

/** `7KX4M-Q2WPD` */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const code = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join(
      '',
    );
    return `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`;
  });
}

/** Without hyphens and spaces, in upper case; null if it cannot be a recovery code. */
export function recoveryCodeOf(text: string): string | null {
  const code = text.replaceAll(/[\s-]/g, '').toUpperCase();
  const isCode = code.length === LENGTH && [...code].every((char) => ALPHABET.includes(char));
  return isCode ? code : null;
}

/** Must not run inside a transaction. */
export const hashRecoveryCode = (code: string, salt: Buffer): Promise<Buffer> =>
  hashRaw(code, { ...OPTIONS, salt });
