import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useNavigate } from 'react-router';
import { useTranslation } from 'react-i18next';
import { fieldErrors } from '../../../core/errors.ts';
import { keyKeeper } from '../../../core/idempotency.ts';
import { showSuccess } from '../../../core/toast.tsx';
import { createSending } from '../sendings.api.ts';
import { fieldOf, toInput, type SendValues } from './send-values.ts';

/** Sends once, however often it is clicked, and goes to where it can be watched. */
export function useSend(onFieldErrors: (rules: Record<string, string>) => void) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const client = useQueryClient();
  const keys = useRef(keyKeeper());
  return useMutation({
    mutationFn: (values: SendValues) => {
      const body = toInput(values);
      return createSending(body, keys.current.keyFor(body));
    },
    onSuccess: async () => {
      keys.current.forget();
      void client.invalidateQueries({ queryKey: ['tasks'] });
      void client.invalidateQueries({ queryKey: ['sendings', 'find'] });
      await navigate('/messages/tasks');
      showSuccess(t('send:done'));
    },
    onError: (error) => {
      const rules: Record<string, string> = {};
      for (const { path, rule } of fieldErrors(error)) rules[fieldOf(path)] ??= rule;
      onFieldErrors(rules);
    },
    meta: { showsErrors: true },
  });
}
