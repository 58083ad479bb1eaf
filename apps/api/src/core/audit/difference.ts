import { isDeepStrictEqual } from 'node:util';
import { withoutSecrets } from '../secrets.ts';

type Values = Record<string, unknown>;

const MAX_TEXT = 300;
const MAX_JSON = 8000;

/** The fields that differ between two states of a row, by path and without secrets: `{ 'data.email': ... }`. */
export function difference(
  before: object | undefined,
  after: object | undefined,
): { before: Values | null; after: Values | null } {
  const [was, is] = [flat(before), flat(after)];
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  const changed = names.filter((name) => !isDeepStrictEqual(was[name], is[name]));
  const pick = (values: Values, given: object | undefined) =>
    given
      ? redacted(Object.fromEntries(changed.map((name) => [name, values[name] ?? null])))
      : null;
  return { before: pick(was, before), after: pick(is, after) };
}

/** Flattens nested objects to dotted paths. */
function flat(values: object | undefined, prefix = ''): Values {
  return Object.fromEntries(
    Object.entries(values ?? {}).flatMap(([name, value]): [string, unknown][] => {
      const isInner = typeof value === 'object' && value !== null && !Array.isArray(value);
      if (value === undefined) return [];
      if (value instanceof Date) return [[prefix + name, value.toISOString()]];
      return isInner
        ? Object.entries(flat(value as object, `${prefix}${name}.`))
        : [[prefix + name, value]];
    }),
  );
}

function redacted(values: Values): Values {
  const kept = withoutSecrets(values, MAX_TEXT) as Values;
  return JSON.stringify(kept).length <= MAX_JSON
    ? kept
    : { fields: Object.keys(values).slice(0, 50) };
}
