import { tariffs, type SendingType, type Tariff } from '@heliograph/contract';
import { hasPerSecondPrice, isSendingType, possiblePrices } from '@heliograph/domain';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../core/api.ts';
import { keysOf } from '../../../core/query-keys.ts';
import { useCan } from '../../../core/settings.ts';
import { useFormats } from '../../../core/use-formats.ts';

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

/** The tariffs that an account holds, as its messages are billed by them. */
export function billedBy(tariffs: readonly Tariff[]) {
  return tariffs
    .flatMap((tariff) => tariff.usersTariffs)
    .map(({ source, finalRules: rules }) => ({
      // A source that is no type leaves it to the conditions.
      source: isSendingType(source) ? source : null,
      rules,
    }));
}

/** Whether the tariff has the price of an instance's month, which its messages are part of. */
const isMonthly = (type: SendingType): boolean => type === 'wapi';

/** The lowest price of one message; null while it is unknown, and for calls, which also cost by the second. */
export function lowestOf(tariffs: ReturnType<typeof billedBy>, type: SendingType): number | null {
  if (isMonthly(type)) return 0;
  return (type !== 'voice' ? priceFrom(tariffs, type)?.[0] : null) ?? null;
}

/**
 * The lowest price of a type, `[per message]`, `[per month]` where it is monthly, or of a call `[per call, per second]`. It is empty where only rules for
 * any type can say it, and null where none can.
 */
export function priceFrom(
  tariffs: ReturnType<typeof billedBy>,
  type: SendingType,
): readonly number[] | null {
  const possible = possiblePrices(tariffs, type);
  const [lowest] = possible
    .filter(({ isTypeSpecific }) => isTypeSpecific)
    .map(({ price }) => price)
    .toSorted((a, b) => a[0]! - b[0]! || (a[1] ?? 0) - (b[1] ?? 0));
  if (!lowest) return possible.length ? [] : null;
  return type === 'voice' ? lowest : lowest.slice(0, 1);
}
