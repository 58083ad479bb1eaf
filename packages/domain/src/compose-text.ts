/** Below U+0300 every text is composed. */
const MAY_DECOMPOSE = /[\u0300-\uffff]/;
/** More marks on one letter than Unicode's "Stream-Safe Text Format" allows. To put a long run in order takes quadratic time. */
const LONG_RUN = /\p{M}{31}/u;
const MARKED = /\P{M}\p{M}{1,30}/gu;

/**
 * The text in NFC, in linear time: `e` with an accent of its own is `é`, which looks the same and is one character. Decomposed letters
 * would make a GSM text UCS-2, and be found neither by a search nor by a comparison.
 */
export function composeText(text: string): string {
  if (!MAY_DECOMPOSE.test(text)) return text;
  return LONG_RUN.test(text)
    ? text.replace(MARKED, (letter) => letter.normalize())
    : text.normalize();
}
