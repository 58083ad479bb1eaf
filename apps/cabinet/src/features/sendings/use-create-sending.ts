import { ApiError, sendings, type SendingReceipt, type Task } from '@heliograph/contract';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../core/api.ts';
import { useSettings } from '../../core/settings.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';
import type { SendingBody } from '../estimates/estimates.api.ts';

export type Created = { task: Task } | { receipt: SendingReceipt };

interface Outcome {
  onCreated: (created: Created) => void;
  onRefused?: (error: unknown, body: SendingBody) => void;
}

/** A sending also changes its task, the ledger and the estimate of the next sending. */
const CHANGED = ['sendings', 'tasks', 'billings', 'estimates'] as const;

/** Sends once, however often it is clicked. */
export function useCreateSending({ onCreated, onRefused }: Outcome) {
  const { t } = useTranslation();
  const { mutate, mutateAsync, isPending, error, data, reset } = useMutationOnce({
    mutationFn: async (body: SendingBody): Promise<Created> => {
      const answer = await api(sendings.create, { body, query: {} });
      // A list is the answer to `?return=each` alone.
      if (Array.isArray(answer)) throw new TypeError('A list was not asked for');
      return 'state' in answer ? { task: answer } : { receipt: answer };
    },
    onSuccess(created) {
      if (!isRefused(created)) onCreated(created);
    },
    onError: onRefused,
    meta: { invalidates: CHANGED, waitsForRefetch: false, showsErrors: true },
  });
  const { isRestricted } = useSettings().session;
  // The refusal no longer applies once the phone is confirmed.
  useEffect(() => {
    if (!isRestricted) reset();
  }, [isRestricted, reset]);
  const receipt = data && isRefused(data) ? data.receipt : null;
  return {
    send: mutate,
    /** For a form, which shows the refusal itself. */
    sendAsync: mutateAsync,
    isPending,
    error,
    /** The account has to confirm its phone first. */
    needsPhone: codeOf(error, receipt) === 'phone_not_confirmed',
    /** Why a single message was refused after validation, in words. */
    fault:
      receipt &&
      t(`sendings:error.${receipt.code ?? 'unknown'}`, {
        defaultValue: receipt.error ?? t('errors:unknown'),
      }),
  };
}

const codeOf = (error: unknown, receipt: SendingReceipt | null) =>
  error instanceof ApiError ? error.code : receipt?.code;

/** A single message that is refused after validation is answered with a receipt that contains the reason. */
const isRefused = (created: Created): created is { receipt: SendingReceipt } =>
  'receipt' in created && created.receipt.status === 'failed';
