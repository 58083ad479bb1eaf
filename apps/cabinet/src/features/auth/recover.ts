import { recovery } from '@heliograph/contract';
import { api } from '../../core/api.ts';
import { withCaptcha } from '../../core/captcha/with-captcha.ts';
import type { Locale } from '../../core/i18n/locales.ts';
import { browserStorage } from '../../core/browser-storage.ts';
import { LAST_USERNAME } from './credentials.ts';

/** Requests an e-mail with a link, in the language of the page. Returns the minutes for which the link works. */
export async function requestRecovery(
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

/** The account that a key is for. */
export const checkRecoveryKey = (
  key: string,
): Promise<{ username: string; isInvitation: boolean }> => api(recovery.check, { params: { key } });

/** The sign-in page then knows the username. */
export async function resetPassword(key: string, password: string): Promise<void> {
  const { username } = await api(recovery.reset, { params: { key }, body: { password } });
  browserStorage.set(LAST_USERNAME, username);
}
