import type { Sending, SendingReceipt } from '@heliograph/contract';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { meQuery } from '../../core/account.ts';
import { errorText, fieldErrors } from '../../core/errors.ts';
import { keyKeeper } from '../../core/idempotency.ts';
import { showSuccess } from '../../core/toast.tsx';
import { brokenResend, resendInput, type ResendValues } from './resend-values.ts';
import { createSending, estimateQuery } from './sendings.api.ts';

/** Prices a message while it is written and sends it once, however often it is clicked. */
export function useResend(sending: Sending, values: ResendValues, onSent: (id: string) => void) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const keys = useRef(keyKeeper());
  const { data: me } = useQuery(meQuery);
  const input = resendInput(sending, values, me?.OwnerId ?? sending.OwnerId);
  const broken = brokenResend(input);
  const [settled] = useDebouncedValue(JSON.stringify(input), 500);
  const priced = useMemo(() => {
    const draft = JSON.parse(settled) as typeof input;
    return Object.keys(brokenResend(draft)).length ? null : draft;
  }, [settled]);
  const isSettled = settled === JSON.stringify(input);
  const estimate = useQuery({
    ...estimateQuery(priced),
    placeholderData: priced ? keepPreviousData : undefined,
  });

  const { mutate, isPending, error, data } = useMutation({
    mutationFn: async () =>
      (await createSending(input, keys.current.keyFor(input))) as SendingReceipt,
    onSuccess: (receipt) => {
      keys.current.forget();
      if (receipt.status === 'failed') return;
      void client.invalidateQueries({ queryKey: ['sendings', 'find'] });
      showSuccess(t('sendings:resend.done'));
      onSent(receipt.id);
    },
    meta: { showsErrors: true },
  });
  const refused = error ? fieldErrors(error) : [];
  // A single is refused after validation with a receipt that says why.
  const failed = data?.status === 'failed' ? (data.code ?? 'unknown') : null;
  const isShown = priced && isSettled && !estimate.isPlaceholderData;
  return {
    broken,
    send: () => mutate(),
    isPending,
    price: {
      estimate: isShown ? estimate.data : undefined,
      error: isShown ? estimate.error : null,
    },
    refusal: {
      byField: Object.fromEntries(refused.map(({ path, rule }) => [path, rule])),
      text: failed
        ? t(`sendings:error.${failed}`, { defaultValue: data?.error ?? '' })
        : error && !refused.length
          ? errorText(t, error)
          : null,
    },
  };
}
