import { stripInvisible } from './invisible.ts';

/** RFC 5321, section 4.5.3.1.3: a path has 256 octets, its angle brackets included. */
export const MAX_EMAIL_LENGTH = 254;
/** The same with spaces and invisible marks around it. */
const MAX_TYPED_LENGTH = 1000;

/** What lets one address look like another or like several: spaces, marks that nobody sees, and the specials of RFC 5322. */
const UNFIT = /[\s\p{Cc}\p{Cf}\p{Cs}()<>[\]:;\\,"]/u;

/**
 * The one spelling of an e-mail address, or null when it is none: no spaces and no specials, one `@`, and behind it a dot
 * with at least two characters after it. It is split and not matched: an expression would go over a row of dots again for each of them.
 * `normalizeEmail(' Anna@Tea.example')` is 'anna@tea.example'.
 */
export function normalizeEmail(text: string): string | null {
  if (text.length > MAX_TYPED_LENGTH) return null;
  const typed = stripInvisible(text).trim();
  if (typed.length > MAX_EMAIL_LENGTH) return null;
  const email = typed.toLowerCase();
  const [mailbox, domain = '', ...more] = email.split('@');
  const dot = domain.indexOf('.', 1);
  const isAddress = mailbox !== '' && more.length === 0 && dot > 0 && dot <= domain.length - 3;
  return isAddress && !UNFIT.test(email) && email.length <= MAX_EMAIL_LENGTH ? email : null;
}
