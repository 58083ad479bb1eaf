import type { PurchasePrice } from '@heliograph/contract';
import { isBilledBySegment } from '@heliograph/domain';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { Formats } from '../../core/formats.ts';
import { useOperatorNames } from '../../core/operator-names.ts';
import { useFormats } from '../../core/use-formats.ts';

/** What the price of a type is for, where it is by no length. */
function unitOf(type: PurchasePrice['type']) {
  if (isBilledBySegment(type)) return 'segment' as const;
  return type === 'voice' || type === 'flashcall' ? ('call' as const) : ('message' as const);
}

/** A price with what it is for: "€0.0485 per part", "€0.60 per minute (60/1)". */
export function priceText(
  { type, price, byLength }: Omit<PurchasePrice, 'destination'>,
  { t, formats }: { t: TFunction; formats: Formats },
): string {
  const sum = formats.cost(price);
  return byLength
    ? t('purchasePrices:price.minute', { sum, ...byLength })
    : t(`purchasePrices:price.${unitOf(type)}`, { sum });
}

/** The names of what prices hold for, with the codes that carriers write. Networks are looked up, so only of those that are shown. */
export function useDestinationNames(destinations: string[]): (destination: string) => string {
  const { t } = useTranslation();
  const formats = useFormats();
  const operator = useOperatorNames(destinations);
  return (destination) => {
    if (destination === '*') return t('purchasePrices:others');
    const name = /^\d/.test(destination) ? operator(destination) : formats.region(destination);
    return name === destination ? name : t('purchasePrices:named', { name, code: destination });
  };
}
