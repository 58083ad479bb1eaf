import { useTranslation } from 'react-i18next';
import { edgeTime, PERIODS } from '../../core/period.ts';
import { useFormats } from '../../core/use-formats.ts';

/** A period as a phrase: "today", "1 Nov 2026 – 7 Nov 2026". */
export function usePeriodText(): (value: string) => string {
  const { t } = useTranslation();
  const formats = useFormats();
  return (value) => {
    if ((PERIODS as readonly string[]).includes(value)) return t(`list:period.${value}`);
    const [from, to] = value.split('..');
    const day = (edge: string) =>
      edge.length === 10 ? formats.day(edge) : formats.dateTime(edgeTime(edge));
    if (from && to) return t('list:period.between', { from: day(from), to: day(to) });
    return from
      ? t('list:period.since', { from: day(from) })
      : t('list:period.until', { to: day(to ?? '') });
  };
}
