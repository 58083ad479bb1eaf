import { composeText } from '@heliograph/domain';
import { stat } from 'node:fs/promises';
import { notFound } from '../errors.ts';
import type { Batch, Opened } from './reader/messages.ts';
import { ReaderProcess } from './reader-process.ts';
import type { Book, Rows } from './sheet.ts';

/**
 * Opens a file in a process of its own. The format is detected by the first bytes, since file names are often wrong. Texts are in
 * NFC and without characters that no text of a request may have, as those of requests are.
 */
export const openBook = (path: string): Promise<Book> => open(path, 'all');

/** Only an .xlsx or a text file: of the other formats it is not known which cells are formulas. */
export const openPlainBook = (path: string): Promise<Book> => open(path, 'plain');

async function open(path: string, formats: 'all' | 'plain'): Promise<Book> {
  await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? notFound() : error;
  });
  const reader = new ReaderProcess(path, formats);
  const close = () => reader.close();
  let ratio = 0;
  async function* rows(sheet: number, limit?: number): Rows {
    let batch = await reader.ask<Batch>({ sheet, limit });
    for (;;) {
      ratio = batch.ratio;
      for (const row of batch.rows) yield { ...row, cells: row.cells.map(textOf) };
      if (batch.isLast) return;
      batch = await reader.ask<Batch>({ more: true });
    }
  }
  try {
    const { delimiter, sheets } = await reader.ask<Opened>();
    return { delimiter, sheets: sheets.map(textOf), rows, ratio: () => ratio, close };
  } catch (error) {
    close();
    throw error;
  }
}

const textOf = (cell: string): string => composeText(cell.toWellFormed().replaceAll('\0', ' '));
