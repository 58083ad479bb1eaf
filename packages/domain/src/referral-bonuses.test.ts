import { expect, test } from 'vitest';
import { bonusToReturn, referralBonus } from './referral-bonuses.ts';

test('a bonus is rounded down to the smallest unit', () => {
  expect(referralBonus(10_000n, 10)).toBe(1000n);
  expect(referralBonus(9n, 10)).toBe(0n);
  expect(referralBonus(10_000n, 12.34)).toBe(1234n);
  expect(referralBonus(10_000n, 0)).toBe(0n);
});

test('a bonus is taken back in proportion to the refunds in all, never more than it was', () => {
  const bonus = { amount: 100n, paid: 1000n, returned: 0n };
  expect(bonusToReturn(bonus, 250n)).toBe(25n);
  expect(bonusToReturn({ ...bonus, returned: 25n }, 250n)).toBe(0n);
  expect(bonusToReturn({ ...bonus, returned: 25n }, 1000n)).toBe(75n);
  expect(bonusToReturn(bonus, 5000n)).toBe(100n);
  // Thirds leave no rest behind.
  expect(bonusToReturn({ ...bonus, returned: 66n }, 1000n)).toBe(34n);
});
