import { AppError } from '../errors.ts';

export interface SheetRow {
  /** The row number, from 1. */
  n: number;
  cells: string[];
  /** Columns whose value an .xlsx computes by a formula. */
  formulas?: number[];
  /** Whether a filter or a person hid the row. */
  isHidden?: true;
}

export type Rows = AsyncGenerator<SheetRow, void, void>;

/** An opened file with tables. The caller closes it. */
export interface Book {
  delimiter: string;
  /** Names of the visible sheets in order; empty for text files. */
  sheets: string[];
  /**
   * The rows that are not blank of the sheet with this index in `sheets`; 0 for a file without sheets. Of the first `limit` rows,
   * blank ones included. One sheet at a time: a call ends the one before.
   */
  rows(sheet: number, limit?: number): Rows;
  /** Progress of the last call of `rows`, 0 to 1. */
  ratio(): number;
  close(): void;
}

export function unreadable(message: string, payload?: Record<string, unknown>): AppError {
  return new AppError('unreadable_file', message, { payload });
}
