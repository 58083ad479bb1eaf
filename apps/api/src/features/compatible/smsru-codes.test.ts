import { expect, test } from 'vitest';
import { smsruRefusal, smsruStatus, SMSRU_TEXTS } from './smsru-codes.ts';

test.each([
  ['pending', null, 100],
  ['paused', null, 100],
  ['processing', null, 101],
  ['sent', null, 102],
  ['delivered', null, 103],
  ['seen', null, 110],
  ['failed', 'expired', 104],
  ['failed', 'deleted', 105],
  ['failed', 'absent_subscriber', 106],
  ['failed', 'content_rejected', 108],
  ['failed', 'no_route', 150],
  ['failed', 'a code of tomorrow', 107],
])('%s (%s) is %d', (status, code, expected) => {
  expect(smsruStatus(status, code)).toBe(expected);
  expect(SMSRU_TEXTS[expected]).toBeDefined();
});

test.each([
  ['unauthorized', '', 200],
  ['insufficient_funds', '', 201],
  ['validation', 'recipient', 202],
  ['validation', 'payload.sender', 204],
  ['validation', 'payload.text', 205],
  ['validation', 'schedule.delay', 208],
  ['unsubscribed', '', 209],
  ['rate_limited', '', 220],
  ['conflict', '', 500],
])('%s of "%s" is %d', (code, field, expected) => {
  expect(smsruRefusal(code, field)).toBe(expected);
  expect(SMSRU_TEXTS[expected]).toBeDefined();
});
