/**
 * Characters that start a formula in spreadsheet programs, including full-width forms. Source: OWASP, CSV Injection.
 */
const FORMULA_START = /^[=+\-@\t\r\n＝＋－＠]/u;

export const isFormula = (cell: string): boolean => FORMULA_START.test(cell);

/** Prepares a cell for export: a cell that a spreadsheet would run as a formula is prefixed with an apostrophe. */
export function neutralizeCell(cell: string): string {
  return isFormula(cell) ? `'${cell}` : cell;
}

/** Reverts `neutralizeCell`. */
export function restoreCell(cell: string): string {
  return cell.startsWith("'") && isFormula(cell.slice(1)) ? cell.slice(1) : cell;
}
