import { registration } from '@heliograph/contract';
import { api } from '../../core/api.ts';
import { withCaptcha } from '../../core/captcha/with-captcha.ts';
import { session } from '../../core/session/session.ts';
import { dropDraft, type Meta } from './draft.ts';
import type { RegistrationForm } from './registration.ts';
import { signIn } from './sign-in.ts';

/** Opens the account and signs its person in. Says where to go on: the account stands even when signing in failed. */
export async function register(
  form: RegistrationForm,
  meta: Meta,
  onCaptcha: () => void,
): Promise<string> {
  const { username, password, firstName, lastName, email, phone, country } = form;
  const data = { firstName, lastName, email, phone, country, meta };
  const body = { username: username.trim(), password, data };
  await withCaptcha(
    (captcha) => api(registration.create, { body: { ...body, captcha } }),
    onCaptcha,
  );
  dropDraft();
  await signIn({ username: username.trim(), password }).catch(() => undefined);
  return session.token() ? '/survey' : '/login';
}
