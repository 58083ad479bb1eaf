import { isDeepStrictEqual } from 'node:util';
import { invalid } from './errors.ts';

/**
 * The changes that differ from the row. What a change refers to may have been removed since the row was written: only what
 * differs is checked, so that the rest of the row can still be changed, and the row put back as it was read.
 */
export function changesOf<C extends object>(row: object, changes: C): Partial<C> {
  const differs = ([name, value]: [string, unknown]) =>
    value !== undefined && !isDeepStrictEqual(value, (row as Record<string, unknown>)[name]);
  return Object.fromEntries(Object.entries(changes).filter(differs)) as Partial<C>;
}

/**
 * Refuses another value of a field that cannot be changed. Clients of the specification send such fields with a change: the value
 * that the row has is no change. `path` is that of the fields in the request, with a dot at its end.
 */
export function refuseChangesOf<F extends object>(row: F, fixed: Partial<F>, path = ''): void {
  const [changed] = Object.keys(changesOf(row, fixed));
  if (!changed) return;
  const name = path + changed;
  throw invalid(name, 'invalid_value', `The field ${name} cannot be changed.`);
}
