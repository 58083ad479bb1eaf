import { open } from 'node:fs/promises';
import { AppError, notFound } from '../../../core/errors.ts';
import { openCsv } from './csv.ts';
import { openXlsx } from './xlsx.ts';

export interface SheetRow {
  /** As a spreadsheet shows it, from 1. */
  n: number;
  cells: string[];
}

/** A table as it is read, row by row. Whoever stops early calls `return` of the rows, as `for await` does. */
export interface Sheet {
  delimiter: string;
  rows: AsyncGenerator<SheetRow, void, void>;
}

export function unreadable(message: string, payload?: Record<string, unknown>): AppError {
  return new AppError('unreadable_file', message, { payload });
}

/** By its first bytes and not by its name: a CSV may be called .xls, a workbook .csv. */
export async function openSheet(path: string): Promise<Sheet> {
  const head = await firstBytes(path, 8);
  if (head.toString('latin1', 0, 4) === 'PK\x03\x04') return openXlsx(path);
  if (head.toString('hex') === 'd0cf11e0a1b11ae1') {
    throw unreadable(
      'This is a workbook of Excel 97-2003 or one with a password. Save it as .xlsx without a password, or as .csv',
    );
  }
  return openCsv(path);
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
