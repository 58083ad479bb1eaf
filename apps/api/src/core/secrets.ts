/** Names under which something stands that opens something, or the whole of what a client has sent. */
const SECRET =
  /pass(word|phrase)|token|secret|authori[sz]ation|cookie|signature|credential|(key|hash)$|^(headers|body|rawbody|query|parameters|values|detail)$/i;

const CENSORED = '[redacted]';
const MAX_DEPTH = 6;
const MAX_ENTRIES = 100;

export const isSecretName = (name: string): boolean => name.length > 100 || SECRET.test(name);

/** A copy without what stands under the names of secrets, and without what is too deep or too long to be told. */
export function withoutSecrets(
  value: unknown,
  maxText = 10_000,
  ofError: (error: Error) => unknown = (error) => error.name,
  depth = 0,
): unknown {
  if (typeof value === 'string')
    return value.length > maxText ? `${value.slice(0, maxText)}…` : value;
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (value instanceof Error) return ofError(value);
  if (depth >= MAX_DEPTH) return '[…]';
  const inner = (v: unknown) => withoutSecrets(v, maxText, ofError, depth + 1);
  if (Array.isArray(value)) return value.slice(0, MAX_ENTRIES).map(inner);
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, MAX_ENTRIES)
      .map(([name, v]) => [name, isSecretName(name) && v !== null ? CENSORED : inner(v)]),
  );
}
