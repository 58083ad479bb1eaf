import { expect, test } from 'vitest';
import { isReferralCode } from './referral-codes.ts';

test.each(['TEA', 'tea_2026', 'a-b', 'x'.repeat(40)])('accepts %s', (code) =>
  expect(isReferralCode(code)).toBe(true),
);
test.each(['', 'ab', 'x'.repeat(41), 'a b c', 'tea\n', 'чай2026', 'a&b=c', '<b>tea'])(
  'refuses %j',
  (code) => expect(isReferralCode(code)).toBe(false),
);
