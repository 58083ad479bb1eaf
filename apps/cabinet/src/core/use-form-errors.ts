import { useTranslation } from 'react-i18next';
import { fieldErrors, ruleText, wholeText, type FieldError } from './errors.ts';

/** A refusal split over a form: what belongs to a field it has, and what must be said above it. */
export function useFormErrors() {
  const { t } = useTranslation();
  return (
    error: unknown,
    fields: readonly string[],
  ): { byField: Record<string, string>; rest: string | null } => {
    const byField: Record<string, string> = {};
    const unmarked: FieldError[] = [];
    const all = fieldErrors(error);
    for (const item of all) {
      if (fields.includes(item.path)) byField[item.path] ??= ruleText(t, item.rule);
      else unmarked.push(item);
    }
    const isMarked = all.length > 0 && !unmarked.length;
    return { byField, rest: isMarked ? null : wholeText(t, error, unmarked) };
  };
}
