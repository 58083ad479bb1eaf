import { hash, verify } from '@node-rs/argon2';

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

let dummy: Promise<string> | undefined;
const absent = () => (dummy ??= hashPassword('nobody has this password'));
