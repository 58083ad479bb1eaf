import { parseMoney } from '@heliograph/domain';
import { expect, test } from 'vitest';
import { receiptOf } from './receipt.ts';

const taxAt = (time: string) => {
  const sale = { amount: parseMoney(100), name: 'Top-up', contact: { email: 'a@b.example' } };
  const receipt = receiptOf({ taxation: 'osn', tax: 'general' }, { ...sale, now: new Date(time) });
  return (receipt as { Items: { Tax: string }[] }).Items[0]!.Tax;
};

test('the rate of a receipt changes at midnight in Moscow', () => {
  expect(taxAt('2025-12-31T20:59:59Z')).toBe('vat120');
  expect(taxAt('2025-12-31T21:00:00Z')).toBe('vat122');
});
