import { isUuid } from '@heliograph/domain';
import { contains, type Bind, type Fragment } from './find-page.ts';

/** Digits before and after the separator of a sum, as columns of money have them. */
const SUM = /^[-+]?(\d{1,14})(?:[.,](\d{1,4}))?$/;

/** The sum that a text names, without its sign, for a comparison with a column of money: `1 500,50` is `1500.50`. Null for other texts. */
export function sumIn(text: string): string | null {
  const [, whole, rest] = SUM.exec(text.replace(/\s/g, '')) ?? [];
  return whole ? `${whole}.${rest ?? 0}` : null;
}

interface Searched {
  ids: string[];
  sums: string[];
  texts: string[];
  /** Texts of which a part says nothing, such as the ids of other programs: they are found as a whole. */
  wholes?: string[];
}

/** A search of rows with sums: a UUID is an id, a number a sum or a part of a text, anything else a part of a text or a whole one. */
export const searchIn =
  ({ ids, sums, texts, wholes = [] }: Searched): Fragment<string> =>
  (text: string, bind: Bind) => {
    const anyOf = (columns: string[], comparison: string) =>
      columns.map((column) => `${column} ${comparison}`);
    const whole = wholes.length ? anyOf(wholes, `= ${bind(text)}`) : [];
    if (isUuid(text)) return `(${[...anyOf(ids, `= ${bind(text)}`), ...whole].join(' or ')})`;
    const sum = sumIn(text);
    return `(${[
      ...(sum ? anyOf(sums, `= ${bind(sum)}`) : []),
      contains(...texts)(text, bind),
      ...whole,
    ].join(' or ')})`;
  };

/** Incoming messages by their sender and text; the index is `sendings_incoming_search`. */
export const incomingWith = contains(`(i."from" || E'\\n' || coalesce(i.payload->>'text', ''))`);

/** The beginning in E.164 of a number that is typed with the trunk prefix 8 of +7: `8 (916) 1` is `+79161`. Null for others. */
export function trunkStart(text: string): string | null {
  const digits = text.replace(/\D/g, '');
  return /^8\d/.test(digits) && !text.trim().startsWith('+') ? `+7${digits.slice(1)}` : null;
}

/**
 * The numbers in E.164 that begin as `text` does, as ranges of the index: in ASCII a colon follows 9. A leading 8 is also the trunk
 * prefix of +7, in a number that is still being typed.
 */
export function phonePrefix(column: string, text: string, bind: Bind): string {
  const digits = text.replace(/\D/g, '');
  const starts = [`+${digits}`, trunkStart(text) ?? []].flat();
  const ranges = starts.map((s) => `(${column} >= ${bind(s)} and ${column} < ${bind(`${s}:`)})`);
  return `(${ranges.join(' or ')})`;
}
