import { useTranslation } from 'react-i18next';
import { errorText, fieldErrors, ruleText } from './errors.ts';

/** A refusal split over a form: what belongs to a field it has, and what must be said above it. */
export function useFormErrors() {
  const { t } = useTranslation();
  return (
    error: unknown,
    fields: readonly string[],
  ): { byField: Record<string, string>; rest: string | null } => {
    const byField: Record<string, string> = {};
    let isComplete = true;
    const all = fieldErrors(error);
    for (const { path, rule } of all) {
      if (fields.includes(path)) byField[path] ??= ruleText(t, rule);
      else isComplete = false;
    }
    return { byField, rest: all.length > 0 && isComplete ? null : errorText(t, error) };
  };
}
