import { expect, test } from 'vitest';
import { createFormats } from '../../core/formats.ts';
import { messagesOf, shown, withGaps } from './figures.ts';

test.each([
  ['type', 'sms', undefined, '/messages/outgoing?period=lastWeek&f.type=sms'],
  [
    'operator',
    '25001',
    'failed',
    '/messages/outgoing?period=lastWeek&f.mccmnc=25001&f.status=failed',
  ],
  ['sender', 'A & B', undefined, '/messages/outgoing?period=lastWeek&f.sender=A+%26+B'],
  ['day', '2026-03-02', undefined, '/messages/outgoing?period=2026-03-02..2026-03-02'],
  ['hour', '7', undefined, null],
  ['operator', '', undefined, null],
] as const)('messages by %s of %j (%s) are listed at %j', (by, key, status, to) => {
  expect(messagesOf({ key }, by, 'lastWeek', status)).toBe(to);
});

test('days on which there was nothing are gaps, also over the end of a month', () => {
  const rows = [
    { key: '2026-02-27', n: 1 },
    { key: '2026-03-02', n: 2 },
  ];
  expect(withGaps(rows)).toEqual([rows[0], { key: '2026-02-28' }, { key: '2026-03-01' }, rows[1]]);
  expect(withGaps([])).toEqual([]);
});

test.each([
  [0.44, '0.4 sec'],
  [90, '90 sec'],
  [150, '2.5 min'],
  [21_600, '6 hr'],
])('%d seconds until a delivery are shown as %j', (seconds, text) => {
  expect(shown(seconds, 'p95', createFormats('en', 'EUR'))).toBe(text);
});
