import { stripInvisible } from './invisible.ts';

/** RFC 5321, section 4.5.3.1.3: a path has at most 256 octets, including two angle brackets. */
export const MAX_EMAIL_LENGTH = 254;
/** Input length, with surrounding spaces and invisible characters. */
const MAX_INPUT_LENGTH = 1000;

/** Characters that make an address ambiguous: spaces, invisible characters and the specials of RFC 5322. */
const FORBIDDEN = /[\s\p{Cc}\p{Cf}\p{Cs}()<>[\]:;\\,"]/u;

/**
 * The normalized e-mail address in lower case, or null if it is not valid: no spaces, no specials, one `@`, and in the domain a dot
 * followed by at least two characters. Uses split instead of a regular expression, which takes quadratic time for many dots.
 * `normalizeEmail(' Anna@Tea.example')` is 'anna@tea.example'.
 */
export function normalizeEmail(text: string): string | null {
  if (text.length > MAX_INPUT_LENGTH) return null;
  const trimmed = stripInvisible(text).trim();
  if (trimmed.length > MAX_EMAIL_LENGTH) return null;
  const email = trimmed.toLowerCase();
  const [mailbox, domain = '', ...more] = email.split('@');
  const dot = domain.indexOf('.', 1);
  const isAddress = mailbox !== '' && more.length === 0 && dot > 0 && dot <= domain.length - 3;
  return isAddress && !FORBIDDEN.test(email) && email.length <= MAX_EMAIL_LENGTH ? email : null;
}
