import fc from 'fast-check';
import mobileExamples from 'libphonenumber-js/mobile/examples';
import {
  getExampleNumber,
  parsePhoneNumberFromString,
  type CountryCode,
} from 'libphonenumber-js/max';
import { describe, expect, it } from 'vitest';
import { carrierPhone, normalizePhone, phoneCountry, parsePhone, readPhones } from './phones.ts';

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

describe('readPhones', () => {
  it.each([
    // A separator or a decimal place is never joined to a number.
    ['4915112345678.0', '+4915112345678'],
    ['79161234567,00', '+79161234567'],
    ['4915112345678.5', null],
    ['4915112345678.05', null],
    ['+4915112345678.0', null],
    ['+49 30 123456.7', null],
    ['+49 30 123456/57', null],
    ['+49 30 / 123456', null],
    ['+62 21 5551234,5', null],
    ['+62 21 5551234;5', null],
    ['+62 21 5551234|5', null],
    ['8 (495) 123-45-67, 68', null],
    ['+7 495 123-45-67 доб. 12', null],
    ['+7 495 123-45-67 доб 12', null],
    ['+1 202 555 0123 x12', null],
    ['+1 202 555 0123x12', null],
    ['+1 202 555 0123 ext. 4', null],
    ['+1 202 555 0123 #4', null],
    ['+1 202 555 0123#', null],
    ['+1 202 555 0123*4', null],
    ['+1 202 555 0123 (4)', null],
    ['+49 30 123456 (57)', null],
    ['+49 30 123456 & 57', null],
    ['+49 30 123456\n57', null],
    ['+49 30 123456\t57', null],
    ['+7 916 123-45-67²', null],
    ['+7 916 123-45-6O', null],
    ['Тел. +7 916 123-45-67', null],
    ['+7 916 123-45-67 (Анна)', null],
    // Dots between groups are separators.
    ['+33 6.12.34.56.78', '+33612345678'],
    ['8.916.123.45.67', '+79161234567'],
    ['+49.15112345678', '+4915112345678'],
    ['+49 151 12345678.', '+4915112345678'],
    ['916.1234567', null],
    ['79.161.234.567.0', null],
    // Spreadsheets.
    ['7.9991234567E+10', '+79991234567'],
    ['7,9991234567e10', '+79991234567'],
    ['7.99912E+10', null],
    ['7.9991234567E+11', null],
    ["'89161234567", '+79161234567'],
    ['’+79161234567', '+79161234567'],
    ['="+79161234567"', '+79161234567'],
    ['=+79161234567', '+79161234567'],
    ['=79161234567', null],
    ['-79161234567', null],
    ['79 161 234 567', '+79161234567'],
    // Parentheses and the trunk zero.
    ['+49 (0)30 123456', '+4930123456'],
    ['+49(0)30 123456', '+4930123456'],
    ['(+49) (0) 30 123456', '+4930123456'],
    ['49 (0)30 123456', '+4930123456'],
    ['0049 (0)30 123456', '+4930123456'],
    ['+39 (0)6 12345678', '+390612345678'],
    ['81 (0)3 1234 5678', '+81312345678'],
    ['+7 (8) 9161234567', null],
    ['(+7) 916 123-45-67', '+79161234567'],
    ['+7 ((916)) 123-45-67', null],
    ['+7 (916 123-45-67', '+79161234567'],
    ['+49 30 123456 (57', null],
    ['+7 916) 123-45-67', null],
    ['+7 () 916 123-45-67', null],
    ['+7 (916) (123) 45-67', null],
    // Digits of other scripts and characters that look alike.
    ['٠٠٧٩١٦١٢٣٤٥٦٧', '+79161234567'],
    ['+۷ ۹۱۶ ۱۲۳ ۴۵ ۶۷', '+79161234567'],
    ['＋７（９１６）１２３−４５−６７', '+79161234567'],
    ['+7 916 123 45 ६७', null],
    ['+7 916 123 45 ⑥⑦', null],
    ['+7 9І6 123 45 67', null],
    ['\u061c+7 916\u2062 123\u180e-45-67\u3164', '+79161234567'],
    ['+7 916 123-45-67\u{e0020}', null],
    ['+7\u3000916\u2003123\u205f45\u202f67', '+79161234567'],
    ['+7 916\u0000123-45-67', null],
    ['+7 916\u007f123-45-67', null],
    // URIs.
    ['tel:+7-916-123-45-67', '+79161234567'],
    ['TEL:+1(202)555-0123', '+12025550123'],
    ['tel:+12025550123;ext=4', null],
    ['tel:7042;phone-context=example.com', null],
    ['sms:+79161234567?body=1', null],
    ['https://t.me/+79161234567', null],
    // What has the form of a number, and is none.
    ['31.12.1990', null],
    ['31-12-1990', null],
    ['1990-12-31', null],
    // One number, although with a separator of lists.
    ['+79161234567;', '+79161234567'],
    [', +79161234567,', '+79161234567'],
    ['+79161234567, 8 (916) 123-45-67', '+79161234567'],
    ['+79161234567\r\n', '+79161234567'],
  ])('%j is %j', (input, expected) => {
    expect(normalizePhone(input)).toBe(expected);
  });

  const both = ['+79161234567', '+79031234567'];
  it.each([
    ['+79161234567,89031234567', both],
    ['+79161234567; 8 903 123-45-67', both],
    ['+79161234567 / +79031234567', both],
    ['+79161234567/+79031234567', both],
    ['+7 916 123-45-67 +7 903 123-45-67', both],
    ['+79161234567 ::: +79031234567', both],
    ['89161234567\n89031234567', both],
    ['89161234567|89031234567', both],
    ['8 916 123-45-67, 8 903 123-45-67, +7 916 1234567', both],
    ['+79161234567, 57', null],
    ['+79161234567, нет', null],
    ['+79161234567/', ['+79161234567']],
    ['8-916-123-45-67 или 8-903-123-45-67', both],
    ['+7 916 123 45 67 & +7 903 123 45 67', both],
    ['89161234567，89031234567', both],
    ['89161234567、 89031234567；', both],
    ['89161234567،89031234567', both],
    ['89161234567\u000b89031234567', both],
    ['+49 30 123456 und 57', null],
    ['+49 30 123456，57', null],
    [';;;', null],
    ['', null],
    [Array.from({ length: 21 }, (_, i) => `+791612345${i + 10}`).join(','), null],
  ])('%j has the numbers %j', (input, phones) => {
    const read = readPhones(input);
    expect(read).toMatchObject(
      phones === null
        ? { kind: 'refused' }
        : phones.length > 1
          ? { kind: 'several', phones: phones.map((phone) => ({ phone })) }
          : { kind: 'one', phone: phones[0] },
    );
    expect(normalizePhone(input)).toBe(phones?.length === 1 ? phones[0] : null);
  });

  it('never returns digits that are not between two separators', () => {
    const typed = fc.string({
      unit: fc.constantFrom(...'0123456789', '+', ' ', '-', '(', ')', '.', ',', '/', ';', 'x', '#'),
      maxLength: 40,
    });
    fc.assert(
      fc.property(typed, fc.constantFrom('RU', 'US', 'DE', 'HK'), (input, country) => {
        const read = readPhones(input, country);
        if (read.kind === 'refused') return;
        const found = read.kind === 'one' ? [read] : read.phones;
        const pieces = input.split(/[,/;x#]/).map((piece) => piece.replace(/\D/g, ''));
        // An own number may be written without its calling code.
        for (const { phone } of found)
          expect(pieces.some((piece) => piece.length > 4 && phone.endsWith(piece.slice(-5)))).toBe(
            true,
          );
      }),
      { numRuns: 5000 },
    );
  });
});

describe('parsePhone', () => {
  it.each([
    // Prefixes of international calls.
    ['011 49 151 12345678', 'US', '+4915112345678', null],
    ['011 49 151 12345678', 'RU', null, null],
    ['0011 49 151 12345678', 'AU', '+4915112345678', null],
    ['00 49 151 12345678', 'AU', '+4915112345678', null],
    ['001 852 6123 4567', 'HK', '+85261234567', null],
    ['001 656 123 4567', 'HK', '+6561234567', null],
    ['010 49 151 12345678', 'JP', '+4915112345678', null],
    ['810 375 2912', 'US', '+18103752912', 'US'],
    ['8 10 49 151 12345678', 'BY', '+4915112345678', null],
    ['(0)30 123456', 'DE', '+4930123456', 'DE'],
    ['(030) 123456', 'DE', '+4930123456', 'DE'],
    ['06.12.34.56.78', 'FR', '+33612345678', 'FR'],
    ['212.555.1234', 'US', '+12125551234', 'US'],
    ['31.12.1990', 'NL', null, null],
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
    // Mobile numbers as they are written at home, which with a plus are those of Belgium, Cuba, Peru, Switzerland ...
    ['328 912 3456', 'IT', '+393289123456', 'IT'],
    ['532 123 45 67', 'TR', '+905321234567', 'TR'],
    ['51 99123-4567', 'BR', '+5551991234567', 'BR'],
    ['(41) 99123-4567', 'BR', '+5541991234567', 'BR'],
    ['310 988 5481', 'CO', '+573109885481', 'CO'],
    ['16012345678', 'DE', '+4916012345678', 'DE'],
    ['134 1867 3710', 'CN', '+8613418673710', 'CN'],
    ['514 316 3773', 'CA', '+15143163773', 'CA'],
    // With an area code of the own country, which with a plus are those of Germany, Japan, Liechtenstein.
    ['(495) 123-45-67', 'RU', '+74951234567', 'RU'],
    ['812 345 67 89', 'RU', '+78123456789', 'RU'],
    ['(423) 234-56-78', 'RU', '+74232345678', 'RU'],
    ['(49) 3123-4567', 'BR', '+554931234567', 'BR'],
    ['(375) 29 123-45-67', 'RU', '+375291234567', null],
    ['453 123 45 67', 'RU', '+4531234567', null],
    // A typo in a number of the own length is no number of Egypt, Brazil, Peru or Russia.
    ['(916) 123-4567', 'US', null, null],
    ['(202) 155-0123', 'US', null, null],
    ['555 123 4567', 'US', null, null],
    ['514 116 3773', 'CA', null, null],
    ['+52 1 55 1234 5678', 'MX', '+525512345678', null],
  ])('%j of an account in %s is %s, assumed: %s', (input, country, phone, assumed) => {
    expect(parsePhone(input, country)).toEqual(phone && { phone, assumed });
  });
});

it('a mobile number of the own country is never that of another one, with or without its calling code', () => {
  const countries = Object.keys(mobileExamples) as CountryCode[];
  const digits = fc.tuple(fc.constantFrom(...countries), fc.nat(3), fc.stringMatching(/^\d{15}$/));
  fc.assert(
    fc.property(digits, ([country, kept, random]) => {
      const example = getExampleNumber(country, mobileExamples)!;
      const length = example.nationalNumber.length;
      const number = example.nationalNumber.slice(0, kept) + random.slice(kept, length);
      const code = example.countryCallingCode;
      const parsed = parsePhoneNumberFromString(`+${code}${number}`)!;
      fc.pre(parsed?.nationalNumber === number && parsed.country === country);
      fc.pre(/MOBILE/.test(parsed.getType() ?? ''));
      for (const written of [number, `${code}${number}`, parsed.formatNational()])
        expect([null, `+${code}${number}`]).toContain(normalizePhone(written, country));
    }),
    { numRuns: 3000 },
  );
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
