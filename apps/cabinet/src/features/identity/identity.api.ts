import { emails, users } from '@heliograph/contract';
import { api } from '../../core/api.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import type { Locale } from '../../core/i18n/locales.ts';
import { useChange } from '../../core/use-change.ts';

const locale = () => i18n.language as Locale;

/** A letter goes to the new address, in the page's language. */
export function useChangeEmail(id: string) {
  return useChange(['users'], ({ email, password }: { email: string; password: string }) =>
    api(users.update, {
      params: { id },
      body: { data: { email }, password, locale: locale() },
    }),
  );
}

/** To the address that waits, else to the e-mail that is not confirmed yet. */
export function useSendLetter() {
  return useChange(['users'], () => api(emails.sendLetter, { body: { locale: locale() } }));
}
