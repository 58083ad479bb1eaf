import { composeText } from './compose-text.ts';
import { stripInvisible } from './invisible.ts';

/** RFC 5321, section 4.5.3.1.3: a path has at most 256 octets, including two angle brackets. */
export const MAX_EMAIL_LENGTH = 254;
/** Input length, with surrounding spaces and invisible characters. */
const MAX_INPUT_LENGTH = 1000;

/** RFC 5321, section 4.5.3.1: the part before the `@`, and one label of the domain. */
const MAX_MAILBOX_LENGTH = 64;
const MAX_LABEL_LENGTH = 63;
/** Characters that make an address ambiguous: spaces, invisible characters, quotes and the specials of RFC 5322. */
const FORBIDDEN = /[\s\p{Cc}\p{Cf}\p{Cs}\p{Pi}\p{Pf}„()<>[\]:;\\,"]/u;
const ZONE = /^(?:[\p{L}\p{M}-]{2,}|xn--.+)$/u;
const QUOTE = /^['`´ʹʻʼʽ′]|['`´ʹʻʼʽ′]$/;
const LABEL = /^[\p{L}\p{M}\p{N}-]+$/u;

/**
 * The normalized e-mail address in lower case, or null if no such address can exist. Uses split instead of a regular expression, which
 * takes quadratic time for many dots.
 * `normalizeEmail(' Anna@Tea.example')` is 'anna@tea.example'.
 */
export function normalizeEmail(text: string): string | null {
  if (text.length > MAX_INPUT_LENGTH) return null;
  const email = composeText(stripInvisible(text).trim()).toLowerCase();
  if (email.length > MAX_EMAIL_LENGTH || FORBIDDEN.test(email)) return null;
  const [mailbox = '', domain = '', ...more] = email.split('@');
  return more.length === 0 && isMailbox(mailbox) && isDomain(domain) ? email : null;
}

/** A dot stands between other characters. An apostrophe around, of whatever kind, is a mark of spreadsheets, or a quote. */
const isMailbox = (mailbox: string): boolean =>
  mailbox.length <= MAX_MAILBOX_LENGTH && !QUOTE.test(mailbox) && !mailbox.split('.').includes('');

/** Two labels or more of letters, digits and inner hyphens; the last has two letters or more, and digits in punycode only. */
function isDomain(domain: string): boolean {
  const labels = domain.split('.');
  const last = labels.at(-1)!;
  return labels.length > 1 && ZONE.test(last) && labels.every(isLabel);
}

const isLabel = (label: string): boolean =>
  label.length <= MAX_LABEL_LENGTH &&
  LABEL.test(label) &&
  !label.startsWith('-') &&
  !label.endsWith('-');
