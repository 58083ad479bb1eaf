interface Context {
  /** The text of a number, string or literal. */
  source: string;
}

/**
 * A JSON document whose integers beyond 2^53 are texts, as they are written: ids of others, which would be rounded.
 * Throws a SyntaxError.
 *
 *     parseExactly('{"id":12345678901234567890}') // { id: '12345678901234567890' }
 */
export function parseExactly(json: string): unknown {
  const keep = (_: string, value: unknown, { source }: Context): unknown =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source)
      ? source
      : value;
  return JSON.parse(json, keep as Parameters<typeof JSON.parse>[1]);
}
