import { expect, test } from 'vitest';
import { documentMonth } from './document-days.ts';
import { parseMoney } from './money.ts';
import { minimumStart, monthlyFee } from './monthly-minimums.ts';

test.each([
  ['1000', '0', '1000'],
  ['1000', '400.5', '599.5'],
  ['1000', '1000', '0'],
  ['1000', '1000.0001', '0'],
  ['0', '0', '0'],
])('of a minimum of %s, with %s for messages, %s is charged', (minimum, spent, fee) => {
  expect(monthlyFee(parseMoney(minimum), parseMoney(spent))).toBe(parseMoney(fee));
});

test('a lower minimum is in force from this month on, another from the next one', () => {
  expect(minimumStart(10n, 9n)).toBe('this');
  expect(minimumStart(10n, 10n)).toBe('next');
  expect(minimumStart(10n, 11n)).toBe('next');
});

test('months have the days of documents, also over the end of a year', () => {
  const month = documentMonth(new Date('2026-11-30T21:00:00Z'), 1);
  expect(month).toEqual({
    day: '2027-01-01',
    from: new Date('2026-12-31T21:00:00Z'),
    to: new Date('2027-01-31T21:00:00Z'),
  });
  expect(documentMonth(new Date('2026-11-30T20:59:59Z')).day).toBe('2026-11-01');
});
