import type { FieldCondition, FieldTest } from '@heliograph/contract';
import type { FieldType } from '@heliograph/domain';

type Field = FieldCondition['field'];

/** A condition that is written: all that any comparison asks for. */
export interface ConditionDraft {
  key: number;
  field: Field;
  is: FieldTest;
  text: string;
  values: string[];
  number: number | null;
  to: number | null;
  day: string;
  days: number | null;
}

const ALWAYS: FieldTest[] = ['empty', 'filled'];
/** The comparisons that a type offers. */
export const TESTS: Record<FieldType, FieldTest[]> = {
  text: ['equals', 'begins', ...ALWAYS],
  number: ['greater', 'less', 'between', ...ALWAYS],
  date: [
    'before',
    'after',
    'lastDays',
    'nextDays',
    'anniversary',
    'anniversaryNextDays',
    ...ALWAYS,
  ],
  boolean: ['oneOf', ...ALWAYS],
  choice: ['oneOf', ...ALWAYS],
};

const EMPTY = { text: '', values: [], number: null, to: null, day: '', days: null };

export const newDraft = (key: number, field: Field, is: FieldTest): ConditionDraft => ({
  ...EMPTY,
  key,
  field,
  is,
});

export function draftOf(condition: FieldCondition, key: number): ConditionDraft {
  const draft = newDraft(key, condition.field, condition.is);
  if ('value' in condition) draft.text = condition.value;
  if ('values' in condition) draft.values = condition.values;
  if ('number' in condition) draft.number = condition.number;
  if ('from' in condition) [draft.number, draft.to] = [condition.from, condition.to];
  if ('day' in condition) draft.day = condition.day;
  if ('days' in condition) draft.days = condition.days;
  return draft;
}

/** The condition of a draft; null while something is missing. */
export function conditionOf(draft: ConditionDraft): FieldCondition | null {
  const { is, number, to, day, days, values } = draft;
  // Numbers and texts are not asked of the date that every contact has.
  const field = draft.field as Exclude<Field, 'date'>;
  const value = draft.text.trim();
  switch (is) {
    case 'equals':
    case 'begins':
      return value ? { field, is, value } : null;
    case 'oneOf':
      return values.length ? { field, is, values } : null;
    case 'greater':
    case 'less':
      return number === null ? null : { field, is, number };
    case 'between':
      return number === null || to === null ? null : { field, is, from: number, to };
    case 'before':
    case 'after':
      return day ? { field: draft.field, is, day } : null;
    case 'lastDays':
    case 'nextDays':
      return days === null ? null : { field: draft.field, is, days };
    case 'anniversaryNextDays':
      return days === null ? null : { field: draft.field, is, days };
    case 'anniversary':
      return { field: draft.field, is };
    default:
      return { field: draft.field, is };
  }
}
