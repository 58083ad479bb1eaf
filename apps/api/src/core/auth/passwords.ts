import { hash, verify } from '@node-rs/argon2';
import { randomInt } from 'node:crypto';

/** argon2id, 19 MiB, two passes. Never called inside a transaction. */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const hashPassword = (password: string): Promise<string> => hash(password, OPTIONS);

/** Takes the same time when there is no such user, so that a name cannot be guessed by the clock. */
export async function verifyPassword(
  stored: string | undefined,
  password: string,
): Promise<boolean> {
  const known = stored ?? (await absent());
  return (await verify(known, password).catch(() => false)) && stored !== undefined;
}

/** Without characters that look alike. */
const LETTERS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const LENGTH = 18;

/** A password that nobody chose, to be shown once: 105 bits. */
export function randomPassword(): string {
  return Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
}

let dummy: Promise<string> | undefined;
const absent = () => (dummy ??= hashPassword('nobody has this password'));
