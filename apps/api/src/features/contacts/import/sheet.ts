import { open } from 'node:fs/promises';
import { AppError, notFound } from '../../../core/errors.ts';

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
