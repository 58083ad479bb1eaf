import { open } from 'node:fs/promises';
import { AppError, notFound } from '../../../core/errors.ts';

export interface SheetRow {
  /** As a spreadsheet shows it, from 1. */
  n: number;
  cells: string[];
}

export type Rows = AsyncGenerator<SheetRow, void, void>;

/** A file with tables. The caller that opens it closes it. */
export interface Book {
  delimiter: string;
  /** The names of the sheets that a reader of the file sees, in its order; none of a text. */
  sheets: string[];
  /** A sheet by its place in `sheets`, row by row, `most` at most; of a text and of a workbook without names the only one. */
  rows(sheet: number, most?: number): Rows;
  /** How much of the rows that were asked for last has been read, 0 to 1. */
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
