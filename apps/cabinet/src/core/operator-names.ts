import { operators } from '@heliograph/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from './api.ts';
import { keysOf } from './query-keys.ts';
import { useFormats } from './use-formats.ts';

/** The endpoint accepts at most so many codes. */
const MAX_CODES = 200;
/** As the endpoint accepts them: one that is still being typed is not asked for. */
const CODE = /^\d{3,6}\*?$/;

/** Names of networks; they change with a release and not before. */
export const operatorsQuery = (mccmnc: string[]) =>
  queryOptions({
    queryKey: keysOf('operators').of('get', mccmnc),
    queryFn: ({ signal }) => api(operators.lookup, { query: { mccmnc }, signal }),
    enabled: mccmnc.length > 0,
    staleTime: Infinity,
  });

/** The name of a network by its code, of a country by `401*`; the code while it is unknown. */
export function useOperatorNames(codes: string[]): (mccmnc: string) => string {
  const { t } = useTranslation();
  const formats = useFormats();
  const { data } = useQuery(
    operatorsQuery(codes.filter((code) => CODE.test(code)).slice(0, MAX_CODES)),
  );
  return (mccmnc) => {
    const found = data?.data.find((operator) => operator.mccmnc === mccmnc);
    if (!found) return mccmnc;
    const country = formats.region(found.country);
    return mccmnc.endsWith('*')
      ? t('common:anyOperator', { country })
      : t('common:operatorOf', { name: found.name ?? mccmnc, country });
  };
}
