import { tariffs, type SendingType } from '@heliograph/contract';
import { hasPerSecondPrice } from '@heliograph/domain';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../../core/api.ts';
import { keysOf } from '../../../../core/query-keys.ts';
import { useCan } from '../../../../core/settings.ts';
import { useFormats } from '../../../../core/use-formats.ts';
import { billedBy, priceFrom } from './prices-from.ts';

const heldQuery = queryOptions({
  queryKey: keysOf('tariffs').of('held'),
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

/** What the account's tariffs say of the channels before a message is written. */
export function usePrices() {
  const { t } = useTranslation();
  const formats = useFormats();
  const { data } = useQuery({ ...heldQuery, enabled: useCan()('tariffs.get') });
  const held = useMemo(() => data && billedBy(data.data), [data]);
  return {
    priceText(type: SendingType): string {
      const price = held ? priceFrom(held, type) : [];
      if (!price) return t('send:noPrice');
      const [first, second] = price.map(formats.money);
      if (!first) return '';
      return second
        ? t('send:priceOfCall', { call: first, second })
        : t('send:priceFrom', { price: first });
    },
    /** Of one message of a type, at the least; null while it is not known, and of calls, whose seconds cost too. */
    lowest: (type: SendingType): number | null =>
      (held && type !== 'voice' ? priceFrom(held, type)?.[0] : null) ?? null,
    /** Null while it is not known. */
    hasPerSecondPrice: held ? hasPerSecondPrice(held) : null,
  };
}
