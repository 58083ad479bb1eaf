import { open } from 'node:fs/promises';
import { AppError, notFound } from '../errors.ts';

export interface SheetRow {
  /** The row number, from 1. */
  n: number;
  cells: string[];
  /** Columns whose value an .xlsx computes by a formula. */
  formulas?: Set<number>;
}

export type Rows = AsyncGenerator<SheetRow, void, void>;

/** An opened file with tables. The caller closes it. */
export interface Book {
  delimiter: string;
  /** Names of the visible sheets in order; empty for text files. */
  sheets: string[];
  /** The rows of the sheet with this index in `sheets`; 0 for a file without sheets. */
  rows(sheet: number, limit?: number): Rows;
  /** Progress of the last call of `rows`, 0 to 1. */
  ratio(): number;
  close(): void;
}

export function unreadable(message: string, payload?: Record<string, unknown>): AppError {
  return new AppError('unreadable_file', message, { payload });
}

export async function firstBytes(path: string, n: number): Promise<Buffer> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? notFound() : error;
  });
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(n), 0, n, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
