import { useTranslation } from 'react-i18next';
import { parseDecimal } from './decimal-text.ts';
import { useFormats } from './use-formats.ts';

const CENT = 0.01;

interface Bounds {
  /** Absent: the smallest sum above zero. */
  min?: number;
  max?: number;
}

/**
 * A rule for the `check` of a form: says the limit that a typed sum breaks, as money; null for a sum within them. What is empty or
 * no number is for the schema.
 */
export function useAmountRule(currency?: string) {
  const { t } = useTranslation();
  const formats = useFormats(currency);
  return (typed: string, { min = CENT, max = Infinity }: Bounds = {}): string | null => {
    const sum = parseDecimal(typed, 2);
    if (sum === null) return null;
    if (sum < min) return t('common:amount.min', { min: formats.money(min) });
    return sum > max ? t('common:amount.max', { max: formats.money(max) }) : null;
  };
}
