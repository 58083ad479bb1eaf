import {
  PROFILE_NAMES,
  type ProfileName,
  RECEIPT_FORMAT_NAMES,
  type ReceiptFormatName,
  type SmscOptions,
} from '@heliograph/simulators';

/** Reads the environment variables of the SMSC. Throws an Error with the name of an invalid one. */
export function readSmscConfig(
  env: Record<string, string | undefined>,
): SmscOptions & { host: string; port: number } {
  const password = env.PASSWORD ?? '';
  if (!/^[!-~]{1,8}$/.test(password)) throw new Error('PASSWORD: must have 1 to 8 characters');
  const systemId = env.SYSTEM_ID || 'heliograph';
  if (!/^[!-~]{1,15}$/.test(systemId)) throw new Error('SYSTEM_ID: must have 1 to 15 characters');
  return {
    host: env.HOST || '127.0.0.1',
    port: number(env, 'PORT', 65_535) ?? 2775,
    systemId,
    password,
    profile: { profile: oneOf<ProfileName>(env, 'PROFILE', PROFILE_NAMES) },
    seed: env.SEED || '1',
    receipts: oneOf<ReceiptFormatName>(env, 'RECEIPTS', RECEIPT_FORMAT_NAMES),
    answerMs: number(env, 'ANSWER_MS', 600_000),
    breakAfter: number(env, 'BREAK_AFTER', 1e9),
    receiptsFirst: oneOf(env, 'RECEIPTS_FIRST', ['true', 'false']) === 'true',
  };
}

function number(env: Record<string, string | undefined>, name: string, max: number) {
  if (!env[name]) return undefined;
  const value = Number(env[name]);
  if (!Number.isInteger(value) || value < 0 || value > max) {
    throw new Error(`${name}: must be a whole number up to ${max}`);
  }
  return value;
}

function oneOf<T extends string>(
  env: Record<string, string | undefined>,
  name: string,
  values: readonly T[],
): T | undefined {
  if (!env[name]) return undefined;
  if (!(values as readonly string[]).includes(env[name])) {
    throw new Error(`${name}: must be one of ${values.join(', ')}`);
  }
  return env[name] as T;
}
