import { expect, test } from 'vitest';
import { formatMoney, parseMoney } from './money.ts';
import {
  commissionOf,
  PAYMENT_STATUSES,
  paymentTransition,
  querySeconds,
  type PaymentEvent,
} from './payments.ts';

const amounts = (refunded: number, isRefunding = false) => ({
  amount: parseMoney(100),
  refunded: parseMoney(refunded),
  isRefunding,
});

test.each<[PaymentEvent, string[]]>([
  ['paid', ['completed', '-', '-', '-', '-', 'completed']],
  ['failed', ['error', '-', '-', '-', '-', '-']],
  ['refundFailed', ['-', '-', 'completed', '-', '-', '-']],
])('after %s', (event, expected) => {
  const found = PAYMENT_STATUSES.map((status) => paymentTransition(status, event, amounts(0)));
  expect(found.map((status) => status ?? '-')).toEqual(expected);
});

test('refunds end by what was refunded in all', () => {
  expect(paymentTransition('completed', 'refundRequested', amounts(0, true))).toBe(
    'refundRequested',
  );
  expect(paymentTransition('init', 'refundRequested', amounts(0, true))).toBeNull();
  expect(paymentTransition('refundRequested', 'refunded', amounts(40))).toBe('partialRefunded');
  expect(paymentTransition('refundRequested', 'refunded', amounts(100))).toBe('refunded');
  expect(paymentTransition('refundRequested', 'refundFailed', amounts(40))).toBe('partialRefunded');
  expect(paymentTransition('partialRefunded', 'refunded', amounts(100))).toBe('refunded');
  // A refund made at the acquirer while one that was requested here is open.
  expect(paymentTransition('refundRequested', 'refunded', amounts(40, true))).toBe(
    'refundRequested',
  );
});

test.each([
  [100, 2.5, '2.5000'],
  [10.1, 2.5, '0.2600'],
  [0.01, 2.5, '0.0100'],
  [300_000, 2.49, '7470.0000'],
  [50, 0, '0.0000'],
])('the commission of %d at %d percent is %s', (amount, percent, expected) => {
  expect(formatMoney(commissionOf(parseMoney(amount), percent))).toBe(expected);
});

test('a commission is rounded up to the smallest amount of the currency', () => {
  expect(formatMoney(commissionOf(parseMoney(1001), 2.9, parseMoney(1)))).toBe('30.0000');
});

test('times of queries', () => {
  expect([0, 1, 6, 60].map(querySeconds)).toEqual([30, 60, 3600, 3600]);
});
