import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { carrierPhone, normalizePhone, phoneCountry, parsePhone } from './phones.ts';

describe('normalizePhone', () => {
  it.each([
    ['+79161234567', '+79161234567'],
    ['79161234567', '+79161234567'],
    ['8 (916) 123-45-67', '+79161234567'],
    ['9161234567', '+79161234567'],
    ['0079161234567', '+79161234567'],
    [' +7\u00a0916 123–45–67 ', '+79161234567'],
    ['88005553535', '+78005553535'],
    ['+7 999 000 00 04', '+79990000004'],
    ['+77011234567', '+77011234567'],
    ['+81 3 1234 5678', '+81312345678'],
    ['+86 138 0013 8000', '+8613800138000'],
    ['8613800138000', '+8613800138000'],
    ['+8 916 123 45 67', null],
    ['\u202a+7 916 123-45-67\u202c', '+79161234567'],
    ['\u200e8 (916)\u200b 123\u200d45\u200f67\ufeff', '+79161234567'],
    ['\u2066+4915112345678\u2069', '+4915112345678'],
    ['810 375 29 123-45-67', '+375291234567'],
    ['8~10 375 29 123-45-67', null],
    ['8-10-49-151-12345678', '+4915112345678'],
    ['81012345678', null],
    ['0089161234567', null],
    ['375291234567', '+375291234567'],
    ['+37529123456', null],
    ['+998901234567', '+998901234567'],
    ['+1 (202) 555-0123', '+12025550123'],
    ['+44 20 7946 0958', '+442079460958'],
    ['+44 (0)20 7946 0958', '+442079460958'],
    ['+7916123456', null],
    ['+791612345678', null],
    ['+70161234567', null],
    ['891612345678', null],
    ['123456', null],
    ['1234567890123456', null],
    ['+99999999999', null],
    ['ivan@example.com', null],
    ['+7916123456x', null],
    ['7916+1234567', null],
    ['++79161234567', null],
    ['2f1c0a34-5b6d-4e7f-8a9b-0c1d2e3f4a5b', null],
    ['', null],
    ['+', null],
  ])('%j is %j', (input, expected) => {
    expect(normalizePhone(input)).toBe(expected);
  });

  it('returns E.164 or null, and is idempotent', () => {
    const typed = fc.string({ unit: fc.constantFrom(...'0123456789789+ -()'), maxLength: 20 });
    fc.assert(
      fc.property(typed, (input) => {
        const phone = normalizePhone(input);
        if (phone === null) return;
        expect(phone).toMatch(/^\+[1-9]\d{6,14}$/);
        expect(normalizePhone(phone)).toBe(phone);
      }),
      { numRuns: 2000 },
    );
  });

  it('parses all formats of Russian mobile numbers', () => {
    const number = fc.stringMatching(/^9\d{9}$/);
    fc.assert(
      fc.property(number, fc.constantFrom('+7', '7', '8', '', '007', '+7 (', '8-'), (n, head) => {
        expect(normalizePhone(head + n)).toBe(`+7${n}`);
      }),
    );
  });
});

describe('parsePhone', () => {
  it.each([
    // Ten and eleven digits that begin with 8 or 9, by the country of the account.
    ['8 916 123-45-67', 'RU', '+79161234567', 'RU'],
    ['916 123-45-67', 'KZ', '+79161234567', 'RU'],
    ['8 701 123-45-67', 'KZ', '+77011234567', 'KZ'],
    ['84 98 765 43 21', 'RU', '+74987654321', 'RU'],
    ['84 98 765 43 21', 'VN', '+84987654321', null],
    ['098 765 43 21', 'VN', '+84987654321', 'VN'],
    ['98765 43210', 'IN', '+919876543210', 'IN'],
    ['98765 43210', 'RU', '+79876543210', 'RU'],
    ['(916) 555-1234', 'US', '+19165551234', 'US'],
    ['800 555 0199', 'US', '+18005550199', 'US'],
    ['212-555-1234', 'US', '+12125551234', 'US'],
    ['960 771 2345', 'MV', '+9607712345', null],
    ['81 3 1234 5678', 'JP', '+81312345678', null],
    ['81 3 1234 5678', 'RU', '+81312345678', null],
    ['90 1234 5678', 'JP', '+819012345678', 'JP'],
    ['99365 123456', 'RU', '+99365123456', null],
    ['0151 12345678', 'DE', '+4915112345678', 'DE'],
    ['701 123 45 67', 'KZ', '+77011234567', 'KZ'],
    ['701 123 45 67', 'RU', null, null],
    // Digits that are not valid internationally are national, and so are digits of the plan's fixed length.
    ['612 34 56 78', 'ES', '+34612345678', 'ES'],
    ['912 345 678', 'ES', '+34912345678', 'ES'],
    ['34612345678', 'ES', '+34612345678', null],
    ['6 12 34 56 78', 'FR', '+33612345678', 'FR'],
    ['312 345 6789', 'IT', '+393123456789', 'IT'],
    ['11 96123-4567', 'BR', '+5511961234567', 'BR'],
    ['(201) 555-0123', 'US', '+12015550123', 'US'],
    ['4532123456', 'DE', '+4532123456', null],
    // Only one interpretation is a valid number.
    ['89161234567', 'FR', '+79161234567', 'RU'],
    ['89161234567', 'DE', '+4989161234567', 'DE'],
    ['79161234567', 'US', '+79161234567', null],
    // No country is assumed for numbers with a calling code.
    ['+7 916 123-45-67', 'US', '+79161234567', null],
    ['007 916 123-45-67', 'US', '+79161234567', null],
    ['8 10 49 151 12345678', 'RU', '+4915112345678', null],
    ['79161234567', 'RU', '+79161234567', null],
    ['89161234567', 'nowhere', '+79161234567', 'RU'],
  ])('%j of an account in %s is %s, assumed: %s', (input, country, phone, assumed) => {
    expect(parsePhone(input, country)).toEqual(phone && { phone, assumed });
  });
});

describe('carrierPhone', () => {
  it.each([
    ['+79161234567', '+79161234567'],
    ['79161234567', '+79161234567'],
    ['89161234567', '+79161234567'],
    ['9161234567', '+79161234567'],
    // Russian numbers in national format, others in international format without a plus.
    ['84912345678', '+84912345678'],
    ['905321234567', '+905321234567'],
    ['919876543210', '+919876543210'],
    ['12025550123', '+12025550123'],
    ['MIRTEA', null],
    ['9'.repeat(100), null],
  ])('%s is %s', (input, phone) => {
    expect(carrierPhone(input)).toBe(phone);
  });
});

describe('phoneCountry', () => {
  it.each([
    ['+79161234567', 'RU'],
    ['+74951234567', 'RU'],
    ['+77011234567', 'KZ'],
    ['+76001234567', 'KZ'],
    ['+375291234567', 'BY'],
    ['+998901234567', 'UZ'],
    ['+12025550123', 'US'],
    ['+14165550123', 'CA'],
    ['+442079460958', 'GB'],
    ['+4915112345678', 'DE'],
    ['+80012345678', null],
    ['+9991234567', null],
    ['79161234567', null],
  ])('%s is %s', (phone, country) => {
    expect(phoneCountry(phone)).toBe(country);
  });
});
