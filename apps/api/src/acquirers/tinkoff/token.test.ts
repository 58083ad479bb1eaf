import { expect, test } from 'vitest';
import { isRefunding, statusOf } from './statuses.ts';
import { receiptOf } from './receipt.ts';
import { tokenOf } from './token.ts';

test('signs the example of the documentation', () => {
  const values = {
    TerminalKey: 'MerchantTerminalKey',
    Amount: 19200,
    OrderId: '00000',
    Description: 'Подарочная карта на 1000 рублей',
    DATA: { Phone: '+71234567890', Email: 'a@test.com' },
    Receipt: { Items: [] },
    Token: 'ignored',
  };
  expect(tokenOf(values, '11111111111111')).toBe(
    '72dd466f8ace0a37a1f740ce5fb78101712bc0665d91a8108c7c8a0ccd426db2',
  );
});

test.each([
  ['CONFIRMED', 'paid'],
  ['AUTHORIZED', 'pending'],
  ['3DS_CHECKING', 'pending'],
  ['AUTH_FAIL', 'pending'],
  ['REJECTED', 'failed'],
  ['DEADLINE_EXPIRED', 'failed'],
  ['CANCELED', 'failed'],
  ['REVERSED', 'refunded'],
  ['REFUNDED', 'refunded'],
  ['PARTIAL_REFUNDED', 'partRefunded'],
  ['toString', null],
  ['', null],
  [7, null],
])('the status %s means %s', (status, meaning) => {
  expect(statusOf(status, false)).toBe(meaning);
});

test.each([
  ['AUTH_FAIL', 'failed'],
  ['3DS_CHECKING', 'failed'],
  ['AUTHORIZING', 'pending'],
  ['CONFIRMED', 'paid'],
])('of a charge of a saved card the status %s means %s', (status, meaning) => {
  expect(statusOf(status, true)).toBe(meaning);
});

test('knows a refund that is in progress', () => {
  expect(isRefunding('ASYNC_REFUNDING')).toBe(true);
  expect(isRefunding('REFUNDED')).toBe(false);
});

const sale = (at: string, contact: object = { email: 'a@test.example' }) => ({
  amount: 5_125_000n,
  name: 'Cabinet',
  contact,
  now: new Date(at),
});

test.each([
  ['general', '2025-12-31T12:00:00Z', 'vat120'],
  ['general', '2026-01-01T12:00:00Z', 'vat122'],
  ['vat10', '2026-01-01T12:00:00Z', 'vat110'],
  ['none', '2026-01-01T12:00:00Z', 'none'],
])('the receipt of an advance with the tax %s at %s has %s', (tax, at, expected) => {
  expect(receiptOf({ taxation: 'osn', tax }, sale(at))).toMatchObject({
    Email: 'a@test.example',
    Taxation: 'osn',
    Items: [{ Amount: 51_250, Price: 51_250, Quantity: 1, Tax: expected }],
  });
});

test('a receipt goes to the phone of an account without an e-mail address', () => {
  const phone = '+79990000000';
  const receipt = receiptOf({ taxation: 'osn', tax: 'none' }, sale('2026-01-01', { phone }));
  expect(receipt).toMatchObject({ Phone: phone });
  expect(receipt).not.toHaveProperty('Email');
  expect(receiptOf(null, sale('2026-01-01'))).toBeUndefined();
});
