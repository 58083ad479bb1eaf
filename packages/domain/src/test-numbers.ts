/** Prefix of the test numbers, which have a fixed result: the prefix and two digits, such as `+79990000004`. */
export const TEST_NUMBER_PREFIX = '+799900000';

/** `isTestNumber('+79990000004')` is true. */
export function isTestNumber(address: string): boolean {
  const digits = address.slice(TEST_NUMBER_PREFIX.length);
  return address.startsWith(TEST_NUMBER_PREFIX) && /^\d\d$/.test(digits);
}
