import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { meQuery, useBalance } from '../../core/account.ts';
import { errorText } from '../../core/errors.ts';
import { useFormats } from '../../core/use-formats.ts';
import { estimateQuery, type SendingBody } from '../estimates/estimates.api.ts';
import { fundedBy } from './funds.ts';
import { brokenSending } from './resend-values.ts';

/** The price of a message of an account while it is written; nothing while it cannot be sent. */
export function useSinglePrice(body: SendingBody, OwnerId: string) {
  const { t } = useTranslation();
  const { data: me } = useQuery(meQuery);
  const input = JSON.stringify(body);
  const [settled] = useDebouncedValue(input, 500);
  const priced = useMemo(() => {
    const draft = JSON.parse(settled) as SendingBody;
    return Object.keys(brokenSending(draft)).length ? null : draft;
  }, [settled]);
  const query = useQuery({
    ...estimateQuery(priced),
    placeholderData: priced ? keepPreviousData : undefined,
  });
  // Of another account's money only the estimate knows.
  const own = useBalance().data;
  const funds = me?.OwnerId === OwnerId ? own : undefined;
  const isShown = priced && settled === input && !query.isPlaceholderData;
  const estimate = isShown && query.data ? fundedBy(query.data, funds) : undefined;
  const error = isShown ? query.error : null;
  const formats = useFormats(estimate?.currency);
  const money = estimate && formats.money(estimate.amount);
  const text = error
    ? errorText(t, error)
    : estimate?.cap
      ? t('errors:code.spend_cap_reached')
      : estimate
        ? t(estimate.enough ? 'sendings:resend.price' : 'sendings:resend.notEnough', {
            money,
            after: formats.money(estimate.balanceAfter),
          })
        : t('sendings:resend.noPrice');
  return {
    /** What is charged; undefined while that is not known. */
    money,
    /** The price in words, or why the message cannot be sent. */
    text,
    /** Why it cannot be sent. */
    blocked: error || estimate?.enough === false ? text : null,
  };
}
