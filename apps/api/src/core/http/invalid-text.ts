/**
 * The path of a string that Postgres cannot store (a NUL, or half of a surrogate pair), or of a `__proto__` field, which
 * would set a prototype when copied; null if there is none. Half surrogates come from texts cut in the middle of an emoji.
 */
export function findInvalidText(value: unknown): string | null {
  return pathIn(value)?.join('.') ?? null;
}

/** Builds the path only on the way back from a match, since a body may have 100,000 values. */
function pathIn(value: unknown): string[] | null {
  if (typeof value === 'string') return isStorable(value) ? null : [];
  if (typeof value !== 'object' || value === null) return null;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const path = pathIn(value[i]);
      if (path) return [String(i), ...path];
    }
    return null;
  }
  for (const key in value) {
    if (key === '__proto__' || !isStorable(key)) return [key];
    const path = pathIn((value as Record<string, unknown>)[key]);
    if (path) return [key, ...path];
  }
  return null;
}

const isStorable = (text: string) => !text.includes('\0') && text.isWellFormed();
