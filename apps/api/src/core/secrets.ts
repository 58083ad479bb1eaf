/** Names of fields that contain secrets or whole requests. */
const SECRET =
  /pass(word|phrase)|token|secret|authori[sz]ation|cookie|signature|credential|(key|hash)$|^(headers|body|rawbody|query|parameters|values|detail)$/i;

const CENSORED = '[redacted]';
const MAX_DEPTH = 6;
const MAX_ENTRIES = 100;

/** API tokens inside texts; their prefix may be read. */
const API_TOKEN = /\b(hg_[a-z2-9]{12})_[\w-]{20,}/g;

export const withoutTokens = (text: string): string =>
  text.includes('hg_') ? text.replace(API_TOKEN, `$1_${CENSORED}`) : text;

const isSecretName = (name: string): boolean => name.length > 100 || SECRET.test(name);

/** A copy without the values of secret fields, truncated in depth and length. */
export function withoutSecrets(
  value: unknown,
  maxText = 10_000,
  formatError: (error: Error) => unknown = (error) => error.name,
  depth = 0,
): unknown {
  if (typeof value === 'string')
    return withoutTokens(value.length > maxText ? `${value.slice(0, maxText)}…` : value);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (value instanceof Error) return formatError(value);
  if (depth >= MAX_DEPTH) return '[…]';
  const inner = (v: unknown) => withoutSecrets(v, maxText, formatError, depth + 1);
  if (Array.isArray(value)) return value.slice(0, MAX_ENTRIES).map(inner);
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, MAX_ENTRIES)
      .map(([name, v]) => [name, isSecretName(name) && v !== null ? CENSORED : inner(v)]),
  );
}
