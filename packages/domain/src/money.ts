/**
 * An amount as a whole number of ten-thousandths: 12.34 is 123400n. Exact over the whole range of
 * `numeric(18,4)`, below 10^14 units either side of zero.
 */
export type Money = bigint;

const LIMIT = 10n ** 18n;
/** What no amount in range needs: many digits take long to become a number. */
const MAX_LENGTH = 64;
const DECIMAL = /^([+-]?)(\d+)(?:\.(\d*))?$/;

/**
 * Reads an amount of a row or of JSON: `parseMoney('12.3400')` and `parseMoney(12.34)` are 123400n.
 * Throws RangeError when it is no plain decimal, has more than four decimals (trailing zeros apart)
 * or lies outside the range.
 */
export function parseMoney(amount: number | string): Money {
  const text = typeof amount === 'number' ? plain(amount) : amount;
  if (text.length > MAX_LENGTH) throw new RangeError('Not an amount: too long');
  const found = DECIMAL.exec(text.trim());
  const decimals = withoutZeros(found?.[3] ?? '');
  if (!found || decimals.length > 4) throw new RangeError(`Not an amount: ${amount}`);
  const whole = BigInt(found[2]! + decimals.padEnd(4, '0'));
  return inRange(found[1] === '-' ? -whole : whole);
}

/** Whether a number is an amount as it stands, with at most four decimals: 12.3401 is one, 0.1 + 0.2 is not. */
export function hasMoneyScale(amount: number): boolean {
  try {
    parseMoney(amount);
    return true;
  } catch {
    return false;
  }
}

function withoutZeros(decimals: string): string {
  let end = decimals.length;
  while (decimals[end - 1] === '0') end--;
  return decimals.slice(0, end);
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

/**
 * What of an account's balance may be passed on to another account: the balance, and of the overdraft as much as the credit
 * line allows. An overdraft alone is for messages. `{ balance: 100n, overdraft: 50n, creditLine: 20n }` is 120n.
 */
export function transferableAmount(account: {
  balance: Money;
  overdraft: Money;
  creditLine: Money;
}): Money {
  const { balance, overdraft, creditLine } = account;
  return balance + (creditLine < overdraft ? creditLine : overdraft);
}

/** What a reseller may take back of a customer's balance: not the free credit, which nobody paid, and not the overdraft. */
export function returnableAmount({
  balance,
  freeCredit,
}: {
  balance: Money;
  freeCredit: Money;
}): Money {
  return balance > freeCredit ? balance - freeCredit : 0n;
}

/** Times a whole number of segments or seconds. Throws RangeError on a fraction. */
export function multiplyMoney(amount: Money, multiplier: number): Money {
  return inRange(amount * BigInt(multiplier));
}
