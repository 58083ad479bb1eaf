import { secondFactor } from '@heliograph/contract';
import { Secret, TOTP } from 'otpauth';
import { PASSWORD, type Person, type World } from './world.ts';

/** The authenticator app of a user, on the clock of the world. */
export interface Authenticator {
  secret: string;
  /** The code of the next time step, in which none was used yet: the clock goes on by one step. */
  next: () => string;
  /** The code of now, or of a step before or after it. */
  code: (steps?: number) => string;
}

export function authenticatorOf({ clock }: World, secret: string): Authenticator {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const code = (steps = 0) => totp.generate({ timestamp: clock.now().getTime() + steps * 30_000 });
  const next = () => {
    clock.forward(30);
    return code();
  };
  return { secret, code, next };
}

/** Turns on the second factor of a user. */
export async function withSecondFactor(
  world: World,
  { api }: Pick<Person, 'api'>,
): Promise<Authenticator & { recovery: string[] }> {
  const { secret } = await api(secondFactor.setUp, { body: { password: PASSWORD } });
  const app = authenticatorOf(world, secret);
  const { codes } = await api(secondFactor.enable, { body: { code: app.next() } });
  return { ...app, recovery: codes };
}
