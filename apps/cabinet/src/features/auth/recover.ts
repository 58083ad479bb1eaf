import { recovery } from '@heliograph/contract';
import { api } from '../../core/api.ts';
import { withCaptcha } from '../../core/captcha/with-captcha.ts';
import type { Locale } from '../../core/i18n/locales.ts';
import { stored } from '../../core/stored.ts';
import { LAST_USERNAME } from './credentials.ts';

/** Asks for a letter, in the page's language. Says how many minutes its link works. */
export async function askForLetter(
  login: string,
  locale: string,
  onCaptcha: () => void,
): Promise<number> {
  const body = { login, locale: locale as Locale };
  const { expiresIn } = await withCaptcha(
    (captcha) => api(recovery.request, { body: { ...body, captcha } }),
    onCaptcha,
  );
  return Math.round(expiresIn / 60);
}

/** The login that the key of a letter is for. */
export async function holderOf(key: string): Promise<string> {
  return (await api(recovery.check, { params: { key } })).username;
}

/** The sign-in page then knows the name. */
export async function setPassword(key: string, password: string): Promise<void> {
  const { username } = await api(recovery.reset, { params: { key }, body: { password } });
  stored.set(LAST_USERNAME, username);
}
