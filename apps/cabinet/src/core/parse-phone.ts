import { normalizePhone, phoneCountry } from '@heliograph/domain';
import { CALLING_CODES } from './countries.ts';

/**
 * The E.164 form of a number typed in any spelling, and its country; null if it is not a phone number. A national number
 * takes the calling code of `country`, a number with a plus overrules the country.
 */
export function parsePhone(
  typed: string,
  country: string,
): { phone: string; country: string } | null {
  const phone = /^\s*(\+|00)/.test(typed)
    ? normalizePhone(typed)
    : (parseNational(typed, country) ?? normalizePhone(typed));
  return phone ? { phone, country: phoneCountry(phone) ?? country } : null;
}

function parseNational(typed: string, country: string): string | null {
  const digits = typed.replace(/\D/g, '');
  const code = CALLING_CODES[country] ?? '';
  const national = digits.replace(code === '7' ? /^8(?=\d{10}$)/ : /^0+/, '');
  for (const rest of [national, digits]) {
    const phone = normalizePhone(rest.startsWith(code) ? `+${rest}` : `+${code}${rest}`);
    if (phone) return phone;
    const longer = normalizePhone(`+${code}${rest}`);
    if (longer) return longer;
  }
  return null;
}
