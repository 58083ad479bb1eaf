import type { Money } from './money.ts';

/** The bonus for a payment, rounded down: `referralBonus(1000n, 10)` is 100n. The share has at most two decimals. */
export function referralBonus(paid: Money, percent: number): Money {
  return (paid * BigInt(Math.round(percent * 100))) / 10_000n;
}

/** How much of a bonus is to be taken back when `refunded` of the payment is refunded in all and `returned` was taken back before. */
export function bonusToReturn(
  bonus: { amount: Money; paid: Money; returned: Money },
  refunded: Money,
): Money {
  const { amount, paid, returned } = bonus;
  const due = refunded >= paid ? amount : (amount * refunded) / paid;
  return due > returned ? due - returned : 0n;
}
