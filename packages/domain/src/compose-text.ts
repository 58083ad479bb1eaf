/** Below U+0300 every text is composed. */
const MAY_DECOMPOSE = /[\u0300-\uffff]/;
/** More marks on one letter than Unicode's "Stream-Safe Text Format" allows. To put a long run in order takes quadratic time. */
const LONG_RUN = /\p{M}{31}/u;
const LETTER = /\P{M}\p{M}{0,30}/gu;

/** As `normalize`, in linear time: of longer runs of marks each letter is normalized with its first thirty. */
export const normalized = (text: string, form: 'NFC' | 'NFKD'): string =>
  LONG_RUN.test(text)
    ? text.replace(LETTER, (letter) => letter.normalize(form))
    : text.normalize(form);

/**
 * The text in NFC: `e` with an accent of its own is `é`, which looks the same and is one character. Decomposed letters would make a
 * GSM text UCS-2, and be found neither by a search nor by a comparison.
 */
export const composeText = (text: string): string =>
  MAY_DECOMPOSE.test(text) ? normalized(text, 'NFC') : text;
