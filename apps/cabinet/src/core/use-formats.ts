import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { createFormats, type Formats } from './formats.ts';
import { settingsQuery } from './settings.ts';

const made = new Map<string, Formats>();

/** Intl objects are dear to make and the same for a whole page. */
export function useFormats(): Formats {
  const { i18n } = useTranslation();
  const { data } = useQuery({ ...settingsQuery, select: (s) => s.billings.currency });
  const currency = data ?? 'RUB';
  const key = `${i18n.language}/${currency}`;
  const formats = made.get(key) ?? createFormats(i18n.language, currency);
  made.set(key, formats);
  return formats;
}
