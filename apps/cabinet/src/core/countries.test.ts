import { getCountries, getCountryCallingCode } from 'libphonenumber-js/min';
import { expect, it } from 'vitest';
import { CALLING_CODES, countries } from './countries.ts';

it('has the calling codes of the library', () => {
  const known = getCountries().filter((iso) => iso in CALLING_CODES);
  expect(known.length).toBe(Object.keys(CALLING_CODES).length);
  expect(getCountries().length - known.length).toBe(2);
  for (const iso of known) expect(CALLING_CODES[iso]).toBe(getCountryCallingCode(iso));
});

it('lists the countries of most customers first, by their names in the language', () => {
  expect(countries('ru')[0]).toEqual({ iso: 'RU', name: 'Россия', code: '7' });
  const first = countries('en').map(({ iso }) => iso);
  expect(first.slice(1, 10)).toEqual('KZ AM AZ BY KG MD TJ TM UZ'.split(' '));
});
