/** Spaces group the digits of a pasted number. */
const SPACES = /[\s\u00a0\u202f]/g;
const MAX_DIGITS = 12;

/**
 * Whether a field may contain this text while it is typed: digits with at most `scale` decimals after a comma or a dot, and
 * a minus where negative numbers are allowed.
 */
export function isDecimalPrefix(text: string, scale: number, isSigned = false): boolean {
  const [whole = '', decimals, ...more] = text.replaceAll(SPACES, '').split(/[.,]/);
  if (more.length || (decimals !== undefined && scale === 0)) return false;
  const digits = isSigned ? whole.replace(/^-/, '') : whole;
  const isShort = digits.length <= MAX_DIGITS && (decimals ?? '').length <= scale;
  return isShort && /^\d*$/.test(digits) && /^\d*$/.test(decimals ?? '');
}

/** The number of a text with a comma or a dot; null if it is not one. */
export function parseDecimal(text: string, scale: number): number | null {
  const plain = text.replaceAll(SPACES, '').replace(',', '.');
  if (!/\d/.test(plain) || !isDecimalPrefix(plain, scale, true)) return null;
  return Number(plain);
}

/** Without spaces, and without a separator that no decimals follow. */
export const tidyDecimal = (text: string): string =>
  text.replaceAll(SPACES, '').replace(/[.,]$/, '');

const DOTS = /^-?\d{1,3}(?:(?:\.\d{3})+,\d*|(?:\.\d{3}){2,})$/;
const COMMAS = /^-?\d{1,3}(?:(?:,\d{3})+\.\d*|(?:,\d{3}){2,})$/;

/**
 * A pasted number, as this product and spreadsheets write it: `₽ 1.234,50` is `1234,50`. What may be meant in two ways, `1.234`, is
 * left as it is.
 */
export function plainDecimal(pasted: string): string {
  const bare = pasted
    .replaceAll(SPACES, '')
    .replaceAll(/\p{Sc}/gu, '')
    .replace('−', '-');
  if (DOTS.test(bare)) return bare.replaceAll('.', '');
  return COMMAS.test(bare) ? bare.replaceAll(',', '') : bare;
}

/** What a field contains after an input, `next` by the browser; null if it does not accept it. */
export function acceptedDecimal(
  next: string,
  { inputType }: Pick<InputEvent, 'inputType'>,
  scale: number,
  isSigned = false,
): string | null {
  if (isDecimalPrefix(next, scale, isSigned)) return next;
  if (inputType === 'insertText') return null;
  const plain = plainDecimal(next);
  return isDecimalPrefix(plain, scale, isSigned) ? plain : null;
}
