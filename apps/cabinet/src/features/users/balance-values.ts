import { MAX_MONEY, type BillingInput } from '@heliograph/contract';
import { addMoney, moneyToNumber, parseMoney, subtractMoney, type Money } from '@heliograph/domain';
import type * as z from 'zod';
import { parseDecimal } from '../../core/decimal-text.ts';

export interface BalanceValues {
  direction: 'accrual' | 'subtract';
  /** The reason of a subtraction: `subtract`, or `sendings.{type}`. */
  source: string;
  sum: string;
  multiplier: string;
  comment: string;
  noRef: boolean;
}

export const EMPTY: BalanceValues = {
  direction: 'accrual',
  source: 'subtract',
  sum: '',
  multiplier: '',
  comment: '',
  noRef: false,
};

/** The typed sum: above zero and at most `MAX_MONEY`; null for anything else. */
export function readSum(typed: string): number | null {
  const sum = parseDecimal(typed, 2);
  return sum !== null && sum > 0 && sum <= MAX_MONEY ? sum : null;
}

/** The number of charged units; one when empty, null when invalid. */
function readUnits(values: BalanceValues): number | null {
  const units = hasUnits(values) ? values.multiplier.trim() : '';
  if (!units) return 1;
  return /^[1-9]\d{0,8}$/.test(units) ? Number(units) : null;
}

/** The total of all units, at most `MAX_MONEY`; null while invalid. Computed in decimal money, not in floats. */
function totalOf(values: BalanceValues): Money | null {
  const [sum, units] = [readSum(values.sum), readUnits(values)];
  if (sum === null || units === null) return null;
  const total = parseMoney(sum) * BigInt(units);
  return total > parseMoney(MAX_MONEY) ? null : total;
}

/** The balance afterwards; null while the sum is invalid. */
export function balanceAfter(before: number, values: BalanceValues): number | null {
  const total = totalOf(values);
  if (total === null) return null;
  const move = values.direction === 'accrual' ? addMoney : subtractMoney;
  return moneyToNumber(move(parseMoney(before), total));
}

/** The balance of the transfer's other account afterwards. */
export function counterBalance(own: number, values: BalanceValues): number {
  const total = totalOf(values) ?? parseMoney(0);
  const move = values.direction === 'accrual' ? subtractMoney : addMoney;
  return moneyToNumber(move(parseMoney(own), total));
}

/** Units belong to charges for messages only. */
export function hasUnits({ direction, source }: BalanceValues): boolean {
  return direction === 'subtract' && source.startsWith('sendings.');
}

/** The call, or the first field that must be mended. */
export function toBilling(
  values: BalanceValues,
  OwnerId: string,
): z.input<typeof BillingInput> | { wrong: 'sum' | 'multiplier' } {
  const amount = readSum(values.sum);
  if (amount === null) return { wrong: 'sum' };
  const multiplier = readUnits(values);
  if (multiplier === null || totalOf(values) === null) return { wrong: 'multiplier' };
  const comment = values.comment.trim();
  return {
    source: values.direction === 'accrual' ? 'accrual' : (values.source as 'subtract'),
    amount,
    OwnerId,
    data: {
      ...(multiplier > 1 && { multiplier }),
      hidden: { ...(comment && { comment }), noRef: values.noRef },
    },
  };
}
