import { expect, test } from 'vitest';
import { clockOf, minutesOf, weekdayName } from './clocks.ts';

test('a time is minutes since midnight', () => {
  expect([clockOf(545), minutesOf('09:05'), minutesOf('')]).toEqual(['09:05', 545, NaN]);
});

test('a week begins on Monday', () => {
  expect([weekdayName('en', 1), weekdayName('de', 7)]).toEqual(['Monday', 'Sonntag']);
});
