import type { Sending } from '@heliograph/contract';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { meQuery, useBalance } from '../../core/account.ts';
import { byField, errorText, fieldErrors, fieldText } from '../../core/errors.ts';
import { showSuccess } from '../../core/toast.tsx';
import { brokenResend, resendInput, type ResendValues } from './resend-values.ts';
import { fundedBy } from './funds.ts';
import { estimateQuery } from '../estimates/estimates.api.ts';
import { useCreateSending } from './use-create-sending.ts';

/** The fields on which the form shows errors. */
const FIELDS = ['payload.sender', 'payload.text', 'payload.audio'];

/** Prices a message while it is written and sends it once, however often it is clicked. */
export function useResend(sending: Sending, values: ResendValues, onSent: (id: string) => void) {
  const { t } = useTranslation();
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

  // Of another account's money only the estimate knows.
  const own = useBalance().data;
  const funds = me?.OwnerId === sending.OwnerId ? own : undefined;
  const { send, isPending, error, fault } = useCreateSending({
    onCreated(created) {
      if (!('receipt' in created)) return;
      showSuccess(t('sendings:resend.done'));
      onSent(created.receipt.id);
    },
  });
  const all = fieldErrors(error);
  const { marked, unmarked } = byField(all, (path) => (FIELDS.includes(path) ? path : null));
  const isShown = priced && isSettled && !estimate.isPlaceholderData;
  return {
    broken,
    send: () => send(input),
    isPending,
    price: {
      estimate: isShown && estimate.data ? fundedBy(estimate.data, funds) : undefined,
      error: isShown ? estimate.error : null,
    },
    refusal: {
      byField: Object.fromEntries(
        [...marked].map(([path, refused]) => [path, fieldText(t, refused)]),
      ),
      text:
        fault ?? (error && (!all.length || unmarked.length) ? errorText(t, error, unmarked) : null),
    },
  };
}
