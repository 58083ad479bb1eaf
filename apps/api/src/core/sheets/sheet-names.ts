import { SHEET_NAME_LENGTH } from '@heliograph/contract';
import { invalid } from '../errors.ts';
import type { Book } from './sheet.ts';

/** Names of the sheets, cut to the length that a call may name. */
export const sheetNames = (book: Book): string[] =>
  book.sheets.map((name) => name.slice(0, SHEET_NAME_LENGTH));

/** The index of the sheet of this name, 0 without one. Throws 422 `unknown` at `sheet`. */
export function sheetIndex(names: readonly string[], wanted: string | undefined): number {
  const index = wanted === undefined ? 0 : names.indexOf(wanted);
  if (index < 0) throw invalid('sheet', 'unknown', 'The file has no sheet with this name.');
  return index;
}
