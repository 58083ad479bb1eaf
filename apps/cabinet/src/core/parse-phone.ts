import { normalizePhone, phoneCountry } from '@heliograph/domain';

/**
 * The E.164 form of a number typed in any spelling, and its country; null if it is not exactly one phone number. A national number
 * takes the calling code of `country`, a number with a plus overrules the country.
 */
export function parsePhone(
  typed: string,
  country: string,
): { phone: string; country: string } | null {
  const phone = normalizePhone(typed, country);
  return phone ? { phone, country: phoneCountry(phone) ?? country } : null;
}
