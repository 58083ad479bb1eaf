/**
 * An amount as a whole number of ten-thousandths: 12.34 is 123400n. Exact over the whole range of
 * `numeric(18,4)`, below 10^14 units either side of zero.
 */
export type Money = bigint;

const LIMIT = 10n ** 18n;
const DECIMAL = /^([+-]?)(\d+)(?:\.(\d*))?$/;

/**
 * Reads an amount of a row or of JSON: `parseMoney('12.3400')` and `parseMoney(12.34)` are 123400n.
 * Throws RangeError when it is no plain decimal, has more than four decimals (trailing zeros apart)
 * or lies outside the range.
 */
export function parseMoney(amount: number | string): Money {
  const found = DECIMAL.exec(typeof amount === 'number' ? plain(amount) : amount.trim());
  const decimals = found?.[3]?.replace(/0+$/, '') ?? '';
  if (!found || decimals.length > 4) throw new RangeError(`Not an amount: ${amount}`);
  const whole = BigInt(found[2]! + decimals.padEnd(4, '0'));
  return inRange(found[1] === '-' ? -whole : whole);
}

/** The shortest decimal of a number; exponents of tiny and huge ones are left to be refused. */
function plain(amount: number): string {
  return Object.is(amount, -0) ? '0' : String(amount);
}

function inRange(amount: Money): Money {
  if (amount >= LIMIT || amount <= -LIMIT) throw new RangeError('Amount out of range');
  return amount;
}

/** The text for a `numeric(18,4)` column: `formatMoney(-5000n)` is '-0.5000'. */
export function formatMoney(amount: Money): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(5, '0');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -4)}.${digits.slice(-4)}`;
}

/**
 * The number for JSON: `moneyToNumber(123400n)` is 12.34. A double prints it back with its four
 * decimals up to fifteen digits, that is below 10^11.
 */
export function moneyToNumber(amount: Money): number {
  return Number(formatMoney(amount));
}

/** `addMoney(100n, 50n)` is 150n. Throws RangeError beyond the range. */
export function addMoney(a: Money, b: Money): Money {
  return inRange(a + b);
}

/** `subtractMoney(100n, 150n)` is -50n. Throws RangeError beyond the range. */
export function subtractMoney(a: Money, b: Money): Money {
  return inRange(a - b);
}

/** Times a whole number of segments or seconds. Throws RangeError on a fraction. */
export function multiplyMoney(amount: Money, multiplier: number): Money {
  return inRange(amount * BigInt(multiplier));
}
