import { expect, test } from 'vitest';
import { messagesOf } from './figures.ts';

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
