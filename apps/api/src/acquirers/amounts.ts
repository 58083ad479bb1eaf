import { formatMoney, parseMoney, type Money } from '@heliograph/domain';
import { AcquirerRefused } from './acquirer.ts';

/** One hundredth of the currency unit. */
export const CENT: Money = 100n;

/** `12.30`. The amount has cents at most. */
export const toDecimal = (amount: Money): string => formatMoney(amount).slice(0, -2);

/** Undefined for anything but a plain decimal number. */
export function fromDecimal(value: unknown): Money | undefined {
  if (typeof value !== 'string' || !/^\d{1,12}(\.\d{1,2})?$/.test(value)) return undefined;
  return parseMoney(value);
}

/** In units of `10^-decimals`, as acquirers count. Refused if that would round. */
export function toMinor(amount: Money, decimals: number): number {
  const unit = 10n ** BigInt(4 - decimals);
  const minor = Number(amount / unit);
  if (amount <= 0n || amount % unit !== 0n || !Number.isSafeInteger(minor))
    throw new AcquirerRefused(`the amount ${formatMoney(amount)} cannot be collected`);
  return minor;
}

/** Undefined for anything but a whole number of at least zero. */
export function fromMinor(value: unknown, decimals: number): Money | undefined {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) return undefined;
  return BigInt(value) * 10n ** BigInt(4 - decimals);
}
