import { AppError } from '../../../core/errors.ts';
import { Archive, CONTENT, damaged } from './archive.ts';
import { openCsv } from './csv.ts';
import { encodingOf } from './encoding.ts';
import { openInProcess } from './in-process.ts';
import { odsNames } from './ods.ts';
import { firstBytes, type Book, type Rows } from './sheet.ts';
import { openXlsx } from './xlsx.ts';

/** More rows than a contact list has, blank ones counted: each is read before it is known to be blank. */
const MAX_LINES = 2_000_000;

const PAGE = /^(?:\u00ef\u00bb\u00bf)?\s*<(?:!doctype html|html|head|meta|table)\b/i;

/** By its first bytes and not by its name: a CSV may be called .xls, a workbook .csv. */
export async function openBook(path: string): Promise<Book> {
  const head = await firstBytes(path, 512);
  if (head.toString('latin1', 0, 4) === 'PK\x03\x04') return openArchive(path);
  if (head.toString('hex', 0, 8) === 'd0cf11e0a1b11ae1') return openInProcess(path, 'xls');
  if (PAGE.test(head.toString('latin1'))) {
    const encoding = (await encodingOf(path)) ?? undefined;
    return { ...(await openInProcess(path, 'html', { encoding })), sheets: [] };
  }
  return openCsv(path);
}

async function openArchive(path: string): Promise<Book> {
  const archive = await Archive.open(path);
  let names: string[];
  try {
    if (!archive.entries.has(CONTENT)) return await openXlsx(archive);
    names = await odsNames(archive);
  } catch (error) {
    archive.close();
    damaged(error);
  }
  archive.close();
  return openInProcess(path, 'ods', { names });
}

/** The rows of a sheet that hold something, and are not more than a list may have. */
export async function* filledRows(book: Book, sheet: number, most?: number): Rows {
  let lines = 0;
  for await (const row of book.rows(sheet, most)) {
    if (++lines > MAX_LINES)
      throw new AppError('too_large', `At most ${MAX_LINES} lines at a time. Split the file`, {
        payload: { max: MAX_LINES },
      });
    if (row.cells.some((cell) => cell.trim())) yield row;
  }
}
