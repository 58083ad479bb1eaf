/**
 * Not at a comma in front of an extension, with or without words: `+62 21 5551234,5` and `8 495 123-45-67, доб. 12` are no numbers
 * as a whole.
 */
const BETWEEN_ENTRIES =
  /[\n\r\t]+|[,;](?! {0,8}\(?(?:[\p{L}.:#№]{1,12} {0,2}){0,2}\d{1,6}\)? {0,8}(?:[\n\r,;\t]|$))/u;

/** The entries of a pasted column: they end at line ends, commas, semicolons and tabs; spaces belong to a number. */
export const entriesOf = (pasted: string): string[] =>
  pasted
    .split(BETWEEN_ENTRIES)
    .map((entry) => entry.trim())
    .filter(Boolean);

/** What was written before, and further entries below it. */
export const withEntries = (written: string, entries: readonly string[]): string =>
  [written.trimEnd(), ...entries].filter(Boolean).join('\n');
