import { useTranslation } from 'react-i18next';
import { byField, errorText, fieldErrors, fieldText } from './errors.ts';

/** A refusal split over a form: what belongs to a field it has, and what must be said above it. */
export function useFormErrors() {
  const { t } = useTranslation();
  return (
    error: unknown,
    fields: readonly string[],
  ): { byField: Record<string, string>; rest: string | null } => {
    const all = fieldErrors(error);
    const { marked, unmarked } = byField(all, (path) => (fields.includes(path) ? path : null));
    const isMarked = all.length > 0 && !unmarked.length;
    return {
      byField: Object.fromEntries(
        [...marked].map(([path, refused]) => [path, fieldText(t, refused)]),
      ),
      rest: isMarked ? null : errorText(t, error, unmarked),
    };
  };
}
