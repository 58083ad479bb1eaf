import { registration } from '@heliograph/contract';
import { api } from '../../core/api.ts';
import { withCaptcha } from '../../core/captcha/with-captcha.ts';
import { session } from '../../core/session/session.ts';
import { clearDraft, type Meta } from './draft.ts';
import type { RegistrationValues } from './registration.ts';
import { signIn } from './sign-in.ts';

/** Creates the account and signs in. Returns the path to go to: the account exists also when signing in failed. */
export async function register(
  values: RegistrationValues,
  meta: Meta,
  onCaptcha: () => void,
): Promise<string> {
  const { username, password, firstName, lastName, email, phone, country } = values;
  const data = { firstName, lastName, email, phone, country, meta };
  const body = { username: username.trim(), password, data };
  await withCaptcha(
    (captcha) => api(registration.create, { body: { ...body, captcha } }),
    onCaptcha,
  );
  clearDraft();
  await signIn({ username: username.trim(), password }).catch(() => undefined);
  return session.token() ? '/survey' : '/login';
}
