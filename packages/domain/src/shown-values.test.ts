import { expect, it } from 'vitest';
import { LOCALES } from './locales.ts';
import { shownValues } from './shown-values.ts';

it.each([
  ['ru', '05.12.1990', 'женский'],
  ['en', 'Dec 5, 1990', 'female'],
  ['es', '05/12/1990', 'mujer'],
  ['pt', '05/12/1990', 'feminino'],
  ['fr', '05/12/1990', 'féminin'],
  ['de', '05.12.1990', 'weiblich'],
  ['it', '05/12/1990', 'femminile'],
] as const)('in %s the date is %s and the gender %s', (locale, date, gender) => {
  expect(shownValues({ date: '1990-12-05', gender: 'female' }, locale)).toEqual({ date, gender });
});

it('leaves other values and missing ones as they are', () => {
  const values = { firstName: 'Anna', date: null, gender: null };
  for (const locale of LOCALES) expect(shownValues(values, locale)).toEqual(values);
});
