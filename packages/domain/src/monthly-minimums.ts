import type { Money } from './money.ts';

/** What is charged for a month whose messages cost less than its minimum. */
export const monthlyFee = (minimum: Money, spent: Money): Money =>
  spent < minimum ? minimum - spent : 0n;

/** From which month on a new minimum is in force: one that is lower from this month on, another from the next one. */
export const minimumStart = (current: Money, next: Money): 'this' | 'next' =>
  next < current ? 'this' : 'next';
