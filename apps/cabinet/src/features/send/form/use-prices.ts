import { tariffs, type SendingType } from '@heliograph/contract';
import { hasPerSecondPrice } from '@heliograph/domain';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../core/api.ts';
import { keysOf } from '../../../core/query-keys.ts';
import { useCan } from '../../../core/settings.ts';
import { useFormats } from '../../../core/use-formats.ts';
import { billedBy, isMonthly, lowestOf, priceFrom } from './prices-from.ts';

export const tariffsQuery = queryOptions({
  queryKey: keysOf('tariffs').of('own'),
  queryFn: ({ signal }) =>
    api(tariffs.find, {
      query: {
        limit: 200,
        order: [{ field: 'createdAt', direction: 'asc' }],
      },
      signal,
    }),
  staleTime: 5 * 60_000,
});

/** Prices of the channels by the account's tariffs, before a message is written. */
export function usePrices() {
  const { t } = useTranslation();
  const formats = useFormats();
  const { data } = useQuery({ ...tariffsQuery, enabled: useCan()('tariffs.get') });
  const rates = useMemo(() => data && billedBy(data.data), [data]);
  return {
    priceText(type: SendingType): string {
      const price = rates ? priceFrom(rates, type) : [];
      if (!price) return t('send:noPrice');
      const [first, second] = price.map(formats.money);
      if (!first) return '';
      if (isMonthly(type)) return t('send:pricePerMonth', { price: first });
      return second
        ? t('send:priceOfCall', { call: first, second })
        : t('send:priceFrom', { price: first });
    },
    lowest: (type: SendingType): number | null => (rates ? lowestOf(rates, type) : null),
    /** Null while it is not known. */
    hasPerSecondPrice: rates ? hasPerSecondPrice(rates) : null,
  };
}
