import { normalizePhone } from '@heliograph/domain';

/** By the rule of the server; `country` is the account's. In a file of its own: it brings the plans of all countries. */
export function isPhone(typed: string, country: string): boolean {
  return normalizePhone(typed, country) !== null;
}
