import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { createFormats, type CurrencyDisplay, type Formats } from './formats.ts';
import { settingsQuery } from './settings.ts';
import { useTimeZone } from './time-zone.ts';

const cache = new Map<string, Formats>();

/** Sums are in the currency of the user's account unless another is named. Intl objects are slow to create, so they are cached. */
export function useFormats(ofAccount?: string, display?: CurrencyDisplay): Formats {
  const { i18n } = useTranslation();
  const { data } = useQuery({ ...settingsQuery, select: (s) => s.billings.currency });
  const currency = ofAccount ?? data ?? 'RUB';
  const zone = useTimeZone();
  const key = `${i18n.language}/${currency}/${zone}/${display}`;
  const formats = cache.get(key) ?? createFormats(i18n.language, currency, zone, display);
  cache.set(key, formats);
  return formats;
}
