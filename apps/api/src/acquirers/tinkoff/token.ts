import { createHash } from 'node:crypto';

/**
 * The signature of a request and of a notification: SHA-256 of the values of the top level and the password, sorted by name and joined.
 * Nested values are not signed.
 */
export function tokenOf(values: Record<string, unknown>, password: string): string {
  const signed = Object.entries({ ...values, Password: password })
    .filter(([name, value]) => name !== 'Token' && value != null && typeof value !== 'object')
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const text = signed.map(([, value]) => String(value)).join('');
  return createHash('sha256').update(text).digest('hex');
}
