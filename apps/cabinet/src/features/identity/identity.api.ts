import { emails, phones, users } from '@heliograph/contract';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../core/api.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import type { Locale } from '../../core/i18n/locales.ts';
import { useChange } from '../../core/use-change.ts';

const locale = () => i18n.language as Locale;

/** Of oneself or of somebody below, by one's own password. A letter goes to a new address, in the page's language. */
export function useChangeIdentity(id: string, field: 'email' | 'phone') {
  return useChange(['users'], ({ value, password }: { value: string; password: string }) =>
    api(users.update, {
      params: { id },
      body: { data: { [field]: value }, password, locale: locale() },
    }),
  );
}

/** To the address that waits, else to the e-mail that is not confirmed yet. */
export function useSendLetter() {
  return useChange(['users'], () => api(emails.sendLetter, { body: { locale: locale() } }));
}

/** To the phone that waits, else to the one that is not confirmed yet. */
export function useSendCode() {
  return useChange([], () => api(phones.sendCode, { body: { locale: locale() } }));
}

/** The account's limits end with it. */
export function useConfirmPhone() {
  return useChange(['users', 'settings'], (code: string) =>
    api(phones.confirm, { body: { code } }),
  );
}

const POLL_MS = 1000;
const POLLS = 60;

/** Of a demonstration: the text of the code that was sent at a moment, once the simulator has brought it. */
export const simulatedCodeQuery = (sentAt: number) =>
  queryOptions({
    queryKey: ['simulator', 'messages', sentAt],
    queryFn: async ({ signal }) => {
      const { data } = await api(phones.simulated, { signal });
      return data.find(({ text }) => /\d{6}/.test(text ?? ''))?.text ?? null;
    },
    enabled: sentAt > 0,
    refetchInterval: ({ state }) => (state.data || state.dataUpdateCount > POLLS ? false : POLL_MS),
    gcTime: 0,
  });
