import type { Sending } from '@heliograph/contract';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { meQuery, useBalance } from '../../core/account.ts';
import { estimateQuery } from '../estimates/estimates.api.ts';
import { fundedBy } from './funds.ts';
import { brokenResend, resendInput, type ResendValues } from './resend-values.ts';

/** The price of a message while it is written; nothing while it cannot be sent. */
export function useResendPrice(sending: Sending, values: ResendValues) {
  const { data: me } = useQuery(meQuery);
  const input = JSON.stringify(resendInput(sending, values, me?.OwnerId ?? sending.OwnerId));
  const [settled] = useDebouncedValue(input, 500);
  const priced = useMemo(() => {
    const draft = JSON.parse(settled) as ReturnType<typeof resendInput>;
    return Object.keys(brokenResend(draft)).length ? null : draft;
  }, [settled]);
  const estimate = useQuery({
    ...estimateQuery(priced),
    placeholderData: priced ? keepPreviousData : undefined,
  });
  // Of another account's money only the estimate knows.
  const own = useBalance().data;
  const funds = me?.OwnerId === sending.OwnerId ? own : undefined;
  const isShown = priced && settled === input && !estimate.isPlaceholderData;
  return {
    estimate: isShown && estimate.data ? fundedBy(estimate.data, funds) : undefined,
    error: isShown ? estimate.error : null,
  };
}
