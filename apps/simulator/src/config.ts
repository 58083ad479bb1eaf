import { PROFILE_NAMES, type ProfileName } from '@heliograph/domain';

export interface Config {
  host: string;
  port: number;
  /** `whsec_...`; without one nothing is checked and nothing is signed. */
  secret?: string;
  /** Where reports and replies go; without an address they count as delivered there. */
  callbackUrl?: string;
  incomingUrl?: string;
  logFile: string;
  /** Given, they replace what the log file says was last in force. */
  seed?: string;
  profile?: ProfileName;
}

/** Reads the environment; throws an Error that names the variable when one is wrong. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const port = Number(env.PORT || 4010);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error('PORT: not a port');
  const profile = env.PROFILE || undefined;
  if (profile && !(PROFILE_NAMES as string[]).includes(profile)) {
    throw new Error(`PROFILE: not one of ${PROFILE_NAMES.join(', ')}`);
  }
  if (env.SECRET && !/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(env.SECRET)) {
    throw new Error('SECRET: not whsec_ and base64');
  }
  for (const name of ['CALLBACK_URL', 'INCOMING_URL']) {
    if (env[name] && !URL.canParse(env[name])) throw new Error(`${name}: not an address`);
  }
  return {
    host: env.HOST || '127.0.0.1',
    port,
    secret: env.SECRET || undefined,
    callbackUrl: env.CALLBACK_URL || undefined,
    incomingUrl: env.INCOMING_URL || undefined,
    logFile: env.LOG_FILE || '.data/simulator.log',
    seed: env.SEED || undefined,
    profile: profile as ProfileName | undefined,
  };
}
