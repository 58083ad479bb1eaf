import { passwords, users, type PasswordChange, type UserUpdate } from '@heliograph/contract';
import type * as z from 'zod';
import { api, replaceToken } from '../../core/api.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import type { Locale } from '../../core/i18n/locales.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';

const locale = () => i18n.language as Locale;

export const useUpdateProfile = (id: string) =>
  useMutationOnce({
    mutationFn: (body: z.input<typeof UserUpdate>) =>
      api(users.update, { params: { id }, body: { ...body, locale: locale() } }),
    meta: { invalidates: ['users', 'settings'], showsErrors: true },
  });

/** The other sessions end; this one continues with the token of the answer. */
export const useChangePassword = () =>
  useMutationOnce({
    mutationFn: (body: z.input<typeof PasswordChange>) =>
      replaceToken((client) => client(passwords.change, { body: { ...body, locale: locale() } })),
    meta: { showsErrors: true },
  });
