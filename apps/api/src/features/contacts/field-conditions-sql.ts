import type { FieldCondition } from '@heliograph/contract';
import {
  anniversariesOn,
  anniversariesWithin,
  foldText,
  shiftDay,
  type FieldType,
} from '@heliograph/domain';
import type { Bind } from '../../core/db/find-page.ts';

type Field = FieldCondition['field'];

// Classes and bounds such as \d{4} take three times as long.
const IS_NUMBER = `'^-?[0-9]+[.]?[0-9]*$'`;
const IS_DATE = `'^[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]$'`;

const valueOf = (field: Field): string =>
  field === 'date' ? `to_char(c.date, 'YYYY-MM-DD')` : `(c.custom->>'${field}')`;

/** Null if the value is no number: a cast alone would fail, and with it the whole statement. */
const numberOf = (field: Field): string =>
  `case when ${valueOf(field)} ~ ${IS_NUMBER} then ${valueOf(field)}::numeric end`;

/** Days are compared as texts, and the pattern is looked at last, of those that are left: it takes longest. */
function comparedDay(field: Field, comparison: (day: string) => string): string {
  if (field === 'date') return comparison(valueOf(field));
  const day = valueOf(field);
  return `case when ${day} like '____-__-__' then ${comparison(`${day} collate "C"`)} and ${day} ~ ${IS_DATE} end`;
}

/**
 * A condition on a field of a contact `c`; `today` is the day of the account. Null, which is not true, of a value that is not of the
 * type that is compared.
 */
export function fieldConditionSql(condition: FieldCondition, bind: Bind, today: string): string {
  const { field } = condition;
  switch (condition.is) {
    case 'equals':
      return `folded(${valueOf(field)}) = ${bind(foldText(condition.value))}`;
    case 'begins':
      return `starts_with(folded(${valueOf(field)}), ${bind(foldText(condition.value))})`;
    case 'oneOf':
      return `${valueOf(field)} = any(${bind(condition.values)}::text[])`;
    case 'greater':
      return `${numberOf(field)} > ${bind(condition.number)}::numeric`;
    case 'less':
      return `${numberOf(field)} < ${bind(condition.number)}::numeric`;
    case 'between':
      return `${numberOf(field)} between ${bind(condition.from)}::numeric and ${bind(condition.to)}::numeric`;
    case 'before':
      return comparedDay(field, (day) => `${day} < ${bind(condition.day)}`);
    case 'after':
      return comparedDay(field, (day) => `${day} > ${bind(condition.day)}`);
    case 'lastDays':
      return comparedDay(
        field,
        (day) => `${day} between ${bind(shiftDay(today, -condition.days))} and ${bind(today)}`,
      );
    case 'nextDays':
      return comparedDay(
        field,
        (day) => `${day} between ${bind(today)} and ${bind(shiftDay(today, condition.days))}`,
      );
    case 'anniversary':
      return comparedDay(
        field,
        (day) => `substr(${day}, 6) = any(${bind(anniversariesOn(today))}::text[])`,
      );
    case 'anniversaryNextDays':
      return comparedDay(
        field,
        (day) =>
          `substr(${day}, 6) = any(${bind(anniversariesWithin(today, condition.days))}::text[])`,
      );
    case 'empty':
      return `${valueOf(field)} is null`;
    case 'filled':
      return `${valueOf(field)} is not null`;
  }
}

/** Whether a value that is a canonical one of a type, of a field that has any. */
export function fitsSql(
  field: Field,
  type: FieldType,
  values: readonly string[],
  bind: Bind,
): string {
  const value = valueOf(field);
  switch (type) {
    case 'text':
      return 'true';
    case 'number':
      return `${value} ~ ${IS_NUMBER}`;
    case 'date':
      return `${value} ~ ${IS_DATE} and pg_input_is_valid(${value}, 'date')`;
    case 'boolean':
      return `${value} in ('true', 'false')`;
    case 'choice':
      return `${value} = any(${bind(values)}::text[])`;
  }
}
