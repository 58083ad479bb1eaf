import { isDeepStrictEqual } from 'node:util';

/**
 * The changes that differ from the row. What a change refers to may have been removed since the row was written: only what
 * differs is checked, so that the rest of the row can still be changed, and the row put back as it was read.
 */
export function changesOf<C extends object>(row: object, changes: C): Partial<C> {
  const differs = ([name, value]: [string, unknown]) =>
    value !== undefined && !isDeepStrictEqual(value, (row as Record<string, unknown>)[name]);
  return Object.fromEntries(Object.entries(changes).filter(differs)) as Partial<C>;
}
