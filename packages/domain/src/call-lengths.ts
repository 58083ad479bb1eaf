import { amountOf } from './pricing.ts';
import type { Money } from './money.ts';
import type { CallIntervals } from './tariff.ts';

/** Of either interval, in seconds. */
export const MAX_CALL_INTERVAL = 3600;

/** A call that a carrier reports has at most so many seconds. */
export const MAX_CALL_SECONDS = 86_400;

/**
 * The seconds that a call is charged for; none if it was not answered. `secondsOfCall(61, { first: 60, interval: 6 })` is 66.
 */
export function secondsOfCall(seconds: number, { first, interval }: CallIntervals): number {
  if (seconds <= 0) return 0;
  return first + Math.ceil(Math.max(0, Math.ceil(seconds) - first) / interval) * interval;
}

/** Whether two prices of calls have the same intervals, or neither has any. */
export const isSameIntervals = (a: CallIntervals | undefined, b: CallIntervals | undefined) =>
  a?.first === b?.first && a?.interval === b?.interval;

/** A call whose charge is a reserve. */
export interface ReservedCall {
  /** `[per call, per second]`. */
  price: readonly Money[];
  /** Seconds that the reserve is for. */
  reserved: number;
  intervals: CallIntervals;
}

/**
 * What a call costs that was answered for so many seconds, never more than its reserve: no seconds count beyond those that the reserve is
 * for. One that was not answered costs nothing, also where the tariff has a price per call.
 */
export function priceOfCall(
  { price, reserved, intervals }: ReservedCall,
  seconds: number,
): { units: number; amount: Money } {
  const units = Math.min(secondsOfCall(seconds, intervals), reserved);
  return { units, amount: units ? amountOf(price, units, 'voice') : 0n };
}

/**
 * The seconds of a call as a carrier writes them, started ones; undefined for what is no length: `callSeconds('12.3')` is 13, and that of
 * `0:12` is unknown.
 */
export function callSeconds(said: unknown): number | undefined {
  const text = typeof said === 'number' || typeof said === 'string' ? String(said).trim() : '';
  if (!/^\d{1,6}(?:\.\d{1,20})?$/.test(text)) return undefined;
  const seconds = Math.ceil(Number(text));
  return seconds <= MAX_CALL_SECONDS ? seconds : undefined;
}
