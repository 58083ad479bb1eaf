import { expect, test } from 'vitest';
import { documentDay, lastDayOf, monthBefore } from './document-days.ts';

test('a document has the day of Moscow', () => {
  expect(documentDay(new Date('2026-11-21T20:59:59Z'))).toBe('2026-11-21');
  expect(documentDay(new Date('2025-12-31T21:00:00Z'))).toBe('2026-01-01');
});

test('the month before begins and ends at midnight in Moscow, also across a year', () => {
  expect(monthBefore(new Date('2026-11-22T12:00:00Z'))).toEqual({
    day: '2026-10-01',
    from: new Date('2026-09-30T21:00:00Z'),
    to: new Date('2026-10-31T21:00:00Z'),
  });
  expect(monthBefore(new Date('2025-12-31T21:00:00Z')).day).toBe('2025-12-01');
  expect(monthBefore(new Date('2026-01-15T00:00:00Z')).day).toBe('2025-12-01');
});

test('a month ends with its last day', () => {
  expect(['2026-02-01', '2028-02-01', '2025-12-01'].map(lastDayOf)).toEqual([
    '2026-02-28',
    '2028-02-29',
    '2025-12-31',
  ]);
});
