import { PROFILE_NAMES, type ProfileName } from '@heliograph/simulators';

export interface Config {
  host: string;
  port: number;
  /** `whsec_...`; without a secret, signatures are neither checked nor created. */
  secret?: string;
  /** URLs for reports and replies. Without a URL, they count as posted. */
  callbackUrl?: string;
  incomingUrl?: string;
  logFile: string;
  /** Take precedence over the profile and seed in the log. */
  seed?: string;
  profile?: ProfileName;
}

/** Reads the configuration from environment variables. Throws an Error with the name of an invalid variable. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const port = Number(env.PORT || 4010);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error('PORT: must be a port number');
  const profile = env.PROFILE || undefined;
  if (profile && !(PROFILE_NAMES as string[]).includes(profile)) {
    throw new Error(`PROFILE: must be one of ${PROFILE_NAMES.join(', ')}`);
  }
  if (env.SECRET && !/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(env.SECRET)) {
    throw new Error('SECRET: must be whsec_ followed by base64');
  }
  for (const name of ['CALLBACK_URL', 'INCOMING_URL']) {
    if (env[name] && !URL.canParse(env[name])) throw new Error(`${name}: must be a URL`);
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
