import { hash, verify } from '@node-rs/argon2';
import { randomInt } from 'node:crypto';

/** argon2id, 19 MiB, two passes. Must not run inside a transaction. */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const hashPassword = (password: string): Promise<string> => hash(password, OPTIONS);

/** Takes the same time for an unknown user, so that the response time does not reveal which names exist. */
export async function verifyPassword(
  stored: string | undefined,
  password: string,
): Promise<boolean> {
  const expected = stored ?? (await dummyHash());
  return (await verify(expected, password).catch(() => false)) && stored !== undefined;
}

/** Without characters that look alike. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const LENGTH = 18;

/** A random password with 105 bits of entropy. */
export function randomPassword(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

let dummy: Promise<string> | undefined;
const dummyHash = () => (dummy ??= hashPassword('not a password'));
