import { MAX_MONEY, type BillingInput } from '@heliograph/contract';
import { addMoney, moneyToNumber, parseMoney, subtractMoney } from '@heliograph/domain';
import type * as z from 'zod';

export interface BalanceValues {
  direction: 'accrual' | 'subtract';
  /** What a subtraction is for: `subtract`, or `sendings.{type}`. */
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

/** A sum as it is typed: digits with at most two decimals after a comma or a dot, above zero and at most `MAX_MONEY`; null for anything else. */
export function readSum(typed: string): number | null {
  const plain = typed.replaceAll(/[\s\u00a0\u202f]/g, '').replace(',', '.');
  if (!/^\d{1,10}(\.\d{1,2})?$/.test(plain)) return null;
  const sum = Number(plain);
  return sum > 0 && sum <= MAX_MONEY ? sum : null;
}

/** What the balance will be; null while the sum cannot be read. Reckoned in money, not in floats. */
export function balanceAfter(
  before: number,
  { direction, sum }: Pick<BalanceValues, 'direction' | 'sum'>,
): number | null {
  const amount = readSum(sum);
  if (amount === null) return null;
  const move = direction === 'accrual' ? addMoney : subtractMoney;
  return moneyToNumber(move(parseMoney(before), parseMoney(amount)));
}

/** What the balance on the other side of a transfer will be: what one gets the other gives. */
export function counterBalance(
  own: number,
  { direction, sum }: Pick<BalanceValues, 'direction' | 'sum'>,
): number {
  const back = direction === 'accrual' ? 'subtract' : 'accrual';
  return balanceAfter(own, { direction: back, sum }) ?? own;
}

/** Units are told only of a charge for messages. */
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
  const units = hasUnits(values) ? values.multiplier.trim() : '';
  if (units && !/^[1-9]\d{0,8}$/.test(units)) return { wrong: 'multiplier' };
  const comment = values.comment.trim();
  return {
    source: values.direction === 'accrual' ? 'accrual' : (values.source as 'subtract'),
    amount,
    OwnerId,
    data: {
      ...(units && { multiplier: Number(units) }),
      hidden: { ...(comment && { comment }), noRef: values.noRef },
    },
  };
}
