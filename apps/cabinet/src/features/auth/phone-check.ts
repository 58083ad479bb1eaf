import { normalizePhone, phoneCountry } from '@heliograph/domain';
import { CALLING_CODES } from './countries.ts';

/**
 * The E.164 form of what was typed as a phone of a country, and whose it is; null when it is no phone. A national number
 * takes the country's code, a typed plus overrules the country.
 */
export function phoneOf(typed: string, country: string): { phone: string; country: string } | null {
  const phone = /^\s*(\+|00)/.test(typed)
    ? normalizePhone(typed)
    : (ofCountry(typed, country) ?? normalizePhone(typed));
  return phone ? { phone, country: phoneCountry(phone) ?? country } : null;
}

function ofCountry(typed: string, country: string): string | null {
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
