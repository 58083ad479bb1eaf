/** Zeros of the digits in use: ASCII, fullwidth, Arabic, Persian and Urdu, Devanagari, Bengali. */
const ZEROS = [0x30, 0xff10, 0x660, 0x6f0, 0x966, 0x9e6];

/** The zero of the script of a digit; undefined for what is no digit. */
export function zeroOf(char: string): number | undefined {
  const code = char.codePointAt(0)!;
  return ZEROS.find((first) => code >= first && code < first + 10);
}

/** `٠٥` is `05`. */
export const asciiDigits = (text: string): string =>
  text.replace(/\p{Nd}/gu, (digit) => {
    const zero = zeroOf(digit);
    return zero === undefined ? digit : String(digit.codePointAt(0)! - zero);
  });
