/** XML 1.0 has no other control characters, and no halves of surrogate pairs. */
// oxlint-disable-next-line no-control-regex
const UNWRITABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
/** The longest text of a cell in Excel. */
const MAX_TEXT = 32_767;

/**
 * A text as a cell of a workbook has it. Spreadsheets read `_x0041_` as the character with this number, so the underscore of a text that
 * has it literally is written as one: `_x005F_x0041_`.
 */
export const workbookText = (text: string): string =>
  text
    .replace(UNWRITABLE, ' ')
    .slice(0, MAX_TEXT)
    .replace(/_(?=x[\dA-Fa-f]{4}_)/g, '_x005F_');
