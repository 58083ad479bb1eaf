import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { operatorsQuery } from './tariffs.api.ts';

/** The name of a network by its code, of a country by `401*`; the code as long as nobody knows it. */
export function useOperatorNames(codes: string[]): (mccmnc: string) => string {
  const { t, i18n } = useTranslation();
  // One question takes so many at most.
  const { data } = useQuery(operatorsQuery(codes.slice(0, 200)));
  const regions = new Intl.DisplayNames(i18n.language, { type: 'region' });
  return (mccmnc) => {
    const found = data?.data.find((operator) => operator.mccmnc === mccmnc);
    if (!found) return mccmnc;
    const country = regions.of(found.country) ?? found.country;
    return found.name
      ? t('tariffs:operator', { name: found.name, country })
      : t('tariffs:anyOperator', { country });
  };
}
