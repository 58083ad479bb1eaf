/**
 * An amount as an integer number of 1/10,000 of the currency unit: 12.34 is 123400n. Exact over the range of `numeric(18,4)`:
 * absolute values below 10^14 units.
 */
export type Money = bigint;

/** The first amount that a column cannot hold. */
export const LIMIT = 10n ** 18n;
/** Longer input is refused before parsing: converting many digits to a bigint is slow. */
const MAX_LENGTH = 64;
const DECIMAL = /^([+-]?)(\d+)(?:\.(\d*))?$/;

/**
 * Parses an amount of a database row or of JSON: `parseMoney('12.3400')` and `parseMoney(12.34)` are 123400n. Throws RangeError if
 * it is not a plain decimal number, has more than four decimals (apart from trailing zeros) or is out of range.
 */
export function parseMoney(amount: number | string): Money {
  const text = typeof amount === 'number' ? plain(amount) : amount;
  if (text.length > MAX_LENGTH) throw new RangeError('Invalid amount: too long');
  const found = DECIMAL.exec(text.trim());
  const decimals = withoutZeros(found?.[3] ?? '');
  if (!found || decimals.length > 4) throw new RangeError(`Invalid amount: ${amount}`);
  const whole = BigInt(found[2]! + decimals.padEnd(4, '0'));
  return inRange(found[1] === '-' ? -whole : whole);
}

/** Whether a number is a valid amount without rounding: true for 12.3401, false for 0.1 + 0.2. */
export function hasMoneyScale(amount: number): boolean {
  try {
    parseMoney(amount);
    return true;
  } catch {
    return false;
  }
}

/** Whether a number is an amount with at most two decimals: true for 12.3, false for 12.345. */
export function hasCents(amount: number): boolean {
  return hasMoneyScale(amount) && parseMoney(amount) % 100n === 0n;
}

function withoutZeros(decimals: string): string {
  let end = decimals.length;
  while (decimals[end - 1] === '0') end--;
  return decimals.slice(0, end);
}

/** The shortest decimal representation of a number. Very small and large numbers have exponents, which `parseMoney` refuses. */
function plain(amount: number): string {
  return Object.is(amount, -0) ? '0' : String(amount);
}

function inRange(amount: Money): Money {
  if (amount >= LIMIT || amount <= -LIMIT) throw new RangeError('Amount out of range');
  return amount;
}

/** Formats an amount for a `numeric(18,4)` column: `formatMoney(-5000n)` is '-0.5000'. */
export function formatMoney(amount: Money): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(5, '0');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -4)}.${digits.slice(-4)}`;
}

/**
 * Converts an amount to a number for JSON: `moneyToNumber(123400n)` is 12.34. Exact up to 15 digits, that is below 10^11 units.
 */
export function moneyToNumber(amount: Money): number {
  return Number(formatMoney(amount));
}

/** `addMoney(100n, 50n)` is 150n. Throws RangeError if the result is out of range. */
export function addMoney(a: Money, b: Money): Money {
  return inRange(a + b);
}

/** `subtractMoney(100n, 150n)` is -50n. Throws RangeError if the result is out of range. */
export function subtractMoney(a: Money, b: Money): Money {
  return inRange(a - b);
}

/**
 * The amount that an account can transfer to another one: the balance plus the overdraft up to the credit line. The rest of the
 * overdraft can only be spent on messages. `{ balance: 100n, overdraft: 50n, creditLine: 20n }` is 120n.
 */
export function transferableAmount(account: {
  balance: Money;
  overdraft: Money;
  creditLine: Money;
}): Money {
  const { balance, overdraft, creditLine } = account;
  return balance + (creditLine < overdraft ? creditLine : overdraft);
}

/** The amount that a reseller can take back from a customer: the balance without the free credit, which was not paid, and without the overdraft. */
export function returnableAmount({
  balance,
  freeCredit,
}: {
  balance: Money;
  freeCredit: Money;
}): Money {
  return balance > freeCredit ? balance - freeCredit : 0n;
}

/** Multiplies an amount by an integer. Throws RangeError for a fraction or if the result is out of range. */
export function multiplyMoney(amount: Money, multiplier: number): Money {
  return inRange(amount * BigInt(multiplier));
}
