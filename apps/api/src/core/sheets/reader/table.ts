import type { Rows } from '../sheet.ts';
import { FileError, unreadable } from './file-error.ts';

/** A file of one format, as the reader opens it. */
export interface Table {
  delimiter: string;
  sheets: string[];
  rows(sheet: number, limit?: number): Rows;
  ratio(): number;
}

/** Columns of a sheet. A contact has 27 fields. */
export const MAX_COLUMNS = 1000;
/** Characters of the cells of a row: eight times what a cell of Excel holds. */
const MAX_ROW_LENGTH = 256 * 1024;
/** Limit of rows including blank ones. */
const MAX_LINES = 2_000_000;

export const tooManyColumns = () =>
  unreadable(
    `The sheet has more than ${MAX_COLUMNS} columns. Remove the columns that are empty or not needed.`,
  );

/** The rows of a sheet that are not blank, within the limits of any format. */
export async function* filledRows(table: Table, sheet: number, limit?: number): Rows {
  let lines = 0;
  for await (const row of table.rows(sheet, limit)) {
    if (++lines > MAX_LINES)
      throw new FileError('too_large', `The file has more than ${MAX_LINES} rows. Split it.`, {
        max: MAX_LINES,
      });
    const { cells } = row;
    while (cells.length && !cells.at(-1)) cells.pop();
    if (cells.length > MAX_COLUMNS) throw tooManyColumns();
    let length = 0;
    for (const cell of cells) length += cell.length;
    if (length > MAX_ROW_LENGTH)
      throw unreadable(`Row ${row.n} is longer than any contact. Shorten it.`, { row: row.n });
    if (cells.some((cell) => cell.trim())) yield row;
  }
}
