/** Values in documents of vendors: read by JSON pointers (RFC 6901), compared as texts. */

/** Steps of a pointer, which is valid: `/status/group~1name` is `['status', 'group/name']`. */
const stepsOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

function stepInto(value: unknown, step: string): unknown {
  const isHolder = typeof value === 'object' && value !== null && Object.hasOwn(value, step);
  if (!isHolder || (Array.isArray(value) && !INDEX.test(step))) return undefined;
  return (value as Record<string, unknown>)[step];
}
const INDEX = /^\d{1,9}$/;

/** The value at a pointer, or at the first of several that has one; undefined if there is none. */
export function valueAt(
  document: unknown,
  pointers: string | readonly string[] | undefined,
): unknown {
  if (pointers === undefined) return undefined;
  for (const pointer of typeof pointers === 'string' ? [pointers] : pointers) {
    let value = document;
    for (const step of stepsOf(pointer)) value = stepInto(value, step);
    if (value !== undefined && value !== null && value !== '') return value;
  }
  return undefined;
}

/** The values at a pointer in which `*` stands for every element of a list, and a list at its end for its elements. */
export function valuesAt(document: unknown, pointer: string): unknown[] {
  let values: unknown[] = [document];
  for (const step of stepsOf(pointer)) {
    values = values.flatMap((value) => {
      if (step === '*') return Array.isArray(value) ? (value as unknown[]) : [];
      const found = stepInto(value, step);
      return found === undefined ? [] : [found];
    });
  }
  return values.flatMap((value) =>
    typeof value === 'object' && value !== null ? (Object.values(value) as unknown[]) : [value],
  );
}

/** The same as a text; undefined for lists and objects. Control characters become blanks. */
export function textAt(
  document: unknown,
  pointers: string | readonly string[] | undefined,
  maxLength: number,
): string | undefined {
  const value = valueAt(document, pointers);
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
    return undefined;
  const text = String(value)
    .slice(0, maxLength)
    .toWellFormed()
    // eslint-disable-next-line no-control-regex
    .replace(/[\u0000-\u001f\u007f]/g, ' ')
    .trim();
  return text || undefined;
}

/**
 * The entry of a table for a code of a vendor: of the code itself, else the longest `PREFIX*`, else `*`.
 *
 *     entryOf({ 'PENDING_*': 'accepted', '*': 'rejected' }, 'PENDING_ENROUTE') // 'accepted'
 */
export function entryOf<T>(table: Record<string, T> | undefined, code: string): T | undefined {
  if (!table) return undefined;
  if (Object.hasOwn(table, code) && !code.endsWith('*')) return table[code];
  let found: string | undefined;
  for (const key of Object.keys(table)) {
    const isPrefix = key.endsWith('*') && code.startsWith(key.slice(0, -1));
    if (isPrefix && (found === undefined || key.length > found.length)) found = key;
  }
  return found === undefined ? undefined : table[found];
}

/**
 * Reads a plain text by the first pattern that fits it. `{name}` stands for any text; the text before the first name and between two of
 * them is searched from left to right, so that reading takes linear time.
 *
 *     readText(['Success "{id}"', 'Error "{error}"'], 'Success "07033084"') // { id: '07033084' }
 */
export function readText(
  patterns: readonly string[],
  text: string,
): Record<string, string> | undefined {
  const given = text.trim();
  for (const pattern of patterns) {
    const read = fit(pattern, given);
    if (read) return read;
  }
  return undefined;
}

export const PLACEHOLDER = /\{([a-z]{1,20})\}/i;

function fit(pattern: string, text: string): Record<string, string> | undefined {
  // Literals at even places, names at odd ones.
  const [begin, ...rest] = pattern.split(PLACEHOLDER);
  if (!text.startsWith(begin!)) return undefined;
  const values: Record<string, string> = {};
  let at = begin!.length;
  for (let i = 0; i < rest.length; i += 2) {
    const [name, literal] = [rest[i]!, rest[i + 1]!];
    const end = literal ? text.indexOf(literal, at) : i + 2 === rest.length ? text.length : at;
    if (end < 0) return undefined;
    values[name] = text.slice(at, end);
    at = end + literal.length;
  }
  return at === text.length ? values : undefined;
}
