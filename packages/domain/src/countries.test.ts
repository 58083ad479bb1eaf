import { getCountries } from 'libphonenumber-js/min';
import { expect, test } from 'vitest';
import { isCountry } from './countries.ts';

test('all countries with numbers are countries', () => {
  expect(getCountries().length).toBeGreaterThan(200);
  expect(getCountries().filter((code) => !isCountry(code))).toEqual([]);
});

test.each(['UK', 'XX', 'EU', 'ZZ', 'SU', 'ru', 'RUS', '', 'R1', 'ЯЯ'])('%j is none', (code) => {
  expect(isCountry(code)).toBe(false);
});
