import { expect, test } from 'vitest';
import { placeText } from './places.ts';

test.each([
  ['ru', { city: 'Kazan', country: 'Russia', isoCode: 'RU' }, 'Kazan, Россия'],
  ['fr', { city: null, country: 'Russia', isoCode: 'RU' }, 'Russie'],
  ['de', { city: 'Kazan', country: 'Tatarstan', isoCode: null }, 'Kazan, Tatarstan'],
  ['de', { city: 'Kazan', country: 'Russia', isoCode: 'russia' }, 'Kazan, Russia'],
  ['es', { city: null, country: null, isoCode: null }, ''],
  ['es', {}, ''],
])('in %s the place %j is %j', (locale, place, text) => {
  expect(placeText(locale, place)).toBe(text);
});
