/**
 * What a spreadsheet program takes for the beginning of a formula, full-width forms included
 * (OWASP, CSV injection).
 */
const BEGINNING = /^[=+\-@\t\r\n＝＋－＠]/u;

/** A cell for an exported file: one that a spreadsheet would run gets an apostrophe in front. */
export function neutralizeCell(cell: string): string {
  return BEGINNING.test(cell) ? `'${cell}` : cell;
}

/** The cell as it was before `neutralizeCell`. */
export function restoreCell(cell: string): string {
  return cell.startsWith("'") && BEGINNING.test(cell.slice(1)) ? cell.slice(1) : cell;
}
