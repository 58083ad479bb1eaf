import type { Billing } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';

/** The source in words: the cause of an entry that has one, else the type of the message or of the manual entry. */
export function useSourceText() {
  const { t } = useTranslation();
  return ({ source, meta }: Pick<Billing, 'source' | 'meta'>): string => {
    if (meta.origin) return t(`billings:origin.${meta.origin.type}`);
    return sourceText(t, source);
  };
}

export function sourceText(
  t: ReturnType<typeof useTranslation>['t'],
  source: Billing['source'],
): string {
  const type = source.replace(/^sendings\./, '');
  return source === type
    ? t(`billings:source.${type}` as 'billings:source.accrual')
    : t(`common:type.${type}` as 'common:type.sms');
}
