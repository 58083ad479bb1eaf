/**
 * Where a value holds text that Postgres does not keep (a NUL, or half of a surrogate pair), or a field that becomes a
 * prototype when it is copied. Null when nowhere. Such text comes from probing or from a message cut in the middle of an emoji.
 */
export function findInvalidText(value: unknown): string | null {
  return placeIn(value)?.join('.') ?? null;
}

/** The way to it, which is made only where there is one: values may be a hundred thousand. */
function placeIn(value: unknown): string[] | null {
  if (typeof value === 'string') return isKeepable(value) ? null : [];
  if (typeof value !== 'object' || value === null) return null;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const place = placeIn(value[i]);
      if (place) return [String(i), ...place];
    }
    return null;
  }
  for (const key in value) {
    if (key === '__proto__' || !isKeepable(key)) return [key];
    const place = placeIn((value as Record<string, unknown>)[key]);
    if (place) return [key, ...place];
  }
  return null;
}

const isKeepable = (text: string) => !text.includes('\0') && text.isWellFormed();
