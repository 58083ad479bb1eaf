import { normalizePhone } from '@heliograph/domain';

/** By the rule of the server. In a file of its own: it brings the plans of all countries. */
export function isPhone(typed: string): boolean {
  return normalizePhone(typed) !== null;
}
