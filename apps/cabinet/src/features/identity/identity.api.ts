import { emails, phones, users } from '@heliograph/contract';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../core/api.ts';
import { keysOf } from '../../core/query-keys.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import type { Locale } from '../../core/i18n/locales.ts';
import { pollEvery } from '../../core/query.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';

const locale = () => i18n.language as Locale;

/** Changes the e-mail or phone of the user or of a subordinate; requires the user's own password. A new e-mail address gets a confirmation e-mail in the page's language. */
export function useChangeIdentity(id: string, field: 'email' | 'phone') {
  return useMutationOnce({
    mutationFn: ({ value, password }: { value: string; password: string }) =>
      api(users.update, {
        params: { id },
        body: { data: { [field]: value }, password, locale: locale() },
      }),
    meta: { invalidates: ['users'], showsErrors: true },
  });
}

/** Sends the confirmation e-mail to the pending address, else to the address that is not confirmed yet. */
export function useSendEmailConfirmation() {
  return useMutationOnce({
    mutationFn: () => api(emails.sendConfirmation, { body: { locale: locale() } }),
    meta: { invalidates: ['users'], showsErrors: true },
  });
}

/** Sends the code to the pending phone, else to the one that is not confirmed yet. */
export function useSendCode() {
  return useMutationOnce({
    mutationFn: () => api(phones.sendCode, { body: { locale: locale() } }),
    meta: { showsErrors: true },
  });
}

/** Ends the restrictions of the account too. */
export function useConfirmPhone() {
  return useMutationOnce({
    mutationFn: (code: string) => api(phones.confirm, { body: { code } }),
    meta: { invalidates: ['users', 'settings'], showsErrors: true },
  });
}

export const useCancelEmail = () =>
  useMutationOnce({
    mutationFn: () => api(emails.cancel),
    meta: { invalidates: ['users'] },
  });

/** Setting the current phone again cancels its replacement. */
export const useCancelPhone = (id: string) =>
  useMutationOnce({
    mutationFn: (phone: string) => api(users.update, { params: { id }, body: { data: { phone } } }),
    meta: { invalidates: ['users'] },
  });

const POLL_MS = 1000;
const MAX_POLLS = 60;

/** Of a demonstration: the text of the code that was sent at a moment, once the simulator has brought it. */
export const simulatedCodeQuery = (sentAt: number) =>
  queryOptions({
    queryKey: keysOf('simulator').of('messages', sentAt),
    queryFn: async ({ signal }) => {
      const { data } = await api(phones.simulated, { signal });
      return data.find(({ text }) => /\d{6}/.test(text ?? ''))?.text ?? null;
    },
    enabled: sentAt > 0,
    refetchInterval: (query) =>
      !query.state.data && query.state.dataUpdateCount <= MAX_POLLS && pollEvery(POLL_MS)(query),
    gcTime: 0,
  });
