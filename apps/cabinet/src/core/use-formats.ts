import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { createFormats, type Formats } from './formats.ts';
import { settingsQuery } from './settings.ts';

const made = new Map<string, Formats>();

/** Sums are in the currency of one's own account unless another is named. Intl objects are dear to make and kept. */
export function useFormats(ofAccount?: string): Formats {
  const { i18n } = useTranslation();
  const { data } = useQuery({ ...settingsQuery, select: (s) => s.billings.currency });
  const currency = ofAccount ?? data ?? 'RUB';
  const key = `${i18n.language}/${currency}`;
  const formats = made.get(key) ?? createFormats(i18n.language, currency);
  made.set(key, formats);
  return formats;
}
