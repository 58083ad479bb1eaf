import { AppError } from '../errors.ts';
import { Archive, CONTENT, damaged } from './archive.ts';
import { openCsv } from './csv.ts';
import { encodingOf } from './encoding.ts';
import { openInProcess } from './in-process.ts';
import { odsNames } from './ods.ts';
import { firstBytes, unreadable, type Book, type Rows } from './sheet.ts';
import { openXlsx } from './xlsx.ts';

/** Limit of rows including blank ones. */
const MAX_LINES = 2_000_000;

const PAGE = /^(?:\u00ef\u00bb\u00bf)?\s*<(?:!doctype html|html|head|meta|table)\b/i;

/** Detects the format by the first bytes, since file names are often wrong. */
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

/** Only an .xlsx or a text file: of the other formats it is not known which cells are formulas. */
export async function openPlainBook(path: string): Promise<Book> {
  const head = await firstBytes(path, 512);
  if (head.toString('latin1', 0, 4) !== 'PK\x03\x04') {
    if (head.toString('hex', 0, 8) === 'd0cf11e0a1b11ae1' || PAGE.test(head.toString('latin1')))
      throw notPlain();
    return openCsv(path);
  }
  const archive = await Archive.open(path);
  try {
    if (archive.entries.has(CONTENT)) throw notPlain();
    return await openXlsx(archive);
  } catch (error) {
    archive.close();
    if (error instanceof AppError) throw error;
    damaged(error);
  }
}

const notPlain = () => unreadable('The format is not supported. Save the file as .xlsx or .csv.');

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

/** The rows of a sheet that are not blank. */
export async function* filledRows(book: Book, sheet: number, limit?: number): Rows {
  let lines = 0;
  for await (const row of book.rows(sheet, limit)) {
    if (++lines > MAX_LINES)
      throw new AppError('too_large', `The file has more than ${MAX_LINES} rows. Split it.`, {
        payload: { max: MAX_LINES },
      });
    if (row.cells.some((cell) => cell.trim())) yield row;
  }
}
