/**
 * Whether two values of a form are the same: whatever the order of their keys, and an absent key is one without a value.
 * Files are compared by identity, as they have no values.
 */
export function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (!isObject(a) || !isObject(b) || a instanceof Blob || b instanceof Blob) return false;
  if (a instanceof Date || b instanceof Date)
    return a instanceof Date && b instanceof Date && +a === +b;
  if (Array.isArray(a) !== Array.isArray(b) || (Array.isArray(a) && a.length !== b.length))
    return false;
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((key) =>
    isSame(a[key], b[key]),
  );
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
