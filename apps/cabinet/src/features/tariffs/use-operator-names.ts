import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../core/use-formats.ts';
import { operatorsQuery } from './tariffs.api.ts';

/** The name of a network by its code, of a country by `401*`; the code while it is unknown. */
export function useOperatorNames(codes: string[]): (mccmnc: string) => string {
  const { t } = useTranslation();
  const formats = useFormats();
  // The endpoint accepts at most 200 codes.
  const { data } = useQuery(operatorsQuery(codes.slice(0, 200)));
  return (mccmnc) => {
    const found = data?.data.find((operator) => operator.mccmnc === mccmnc);
    if (!found) return mccmnc;
    const country = formats.region(found.country);
    return mccmnc.endsWith('*')
      ? t('tariffs:anyOperator', { country })
      : t('tariffs:operator', { name: found.name ?? mccmnc, country });
  };
}
