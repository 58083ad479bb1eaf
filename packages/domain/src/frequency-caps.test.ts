import { expect, test } from 'vitest';
import { capStart, countsForCap } from './frequency-caps.ts';

test('only advertising counts, of single messages where the account says so', () => {
  const counts = (
    type: Parameters<typeof countsForCap>[1]['type'],
    group: Parameters<typeof countsForCap>[1]['group'],
    isBulk: boolean,
    singles = false,
  ) => countsForCap({ singles }, { type, group, isBulk });
  expect(counts('sms', 'advertising', true)).toBe(true);
  expect(counts('email', 'advertising', true)).toBe(true);
  expect(counts('sms', 'advertising', false)).toBe(false);
  expect(counts('sms', 'advertising', false, true)).toBe(true);
  expect(counts('sms', 'transactional', true)).toBe(false);
  expect(counts('sms', 'service', true, true)).toBe(false);
  for (const type of ['flashcall', 'telegramcode', 'hlr', 'smsping'] as const)
    expect(counts(type, 'advertising', true, true)).toBe(false);
});

test('a message counts for exactly the days of the period', () => {
  const sent = new Date('2026-11-20T10:00:00.000Z');
  const counts = (at: string) => sent >= capStart({ days: 7 }, new Date(at));
  expect(counts('2026-11-27T09:59:59.999Z')).toBe(true);
  expect(counts('2026-11-27T10:00:00.000Z')).toBe(false);
});
