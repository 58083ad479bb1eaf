/**
 * Where a value holds text that Postgres does not keep (a NUL, or half of a surrogate pair), or a field that becomes a
 * prototype when it is copied. Null when nowhere. Such text comes from probing or from a message cut in the middle of an emoji.
 */
export function unkeepable(value: unknown, path = ''): string | null {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed() ? path : null;
  if (typeof value !== 'object' || value === null) return null;
  for (const key in value) {
    const inner = (value as Record<string, unknown>)[key];
    const where = path ? `${path}.${key}` : key;
    if (key === '__proto__') return where;
    const found = unkeepable(key) ?? unkeepable(inner, where);
    if (found !== null) return found || where;
  }
  return null;
}
