import { HEAD_ROWS, holdsRecipients } from './columns.ts';
import { sheetIndex, sheetNames } from '../../../core/sheets/sheet-names.ts';
import { unreadable, type Book } from '../../../core/sheets/sheet.ts';

/** Sheets, and rows of each including blank ones, that are searched for a table with recipients. */
const MAX_SEARCHED_SHEETS = 50;
const MAX_SEARCHED_ROWS = 1000;

export const empty = () => unreadable('The file has no contacts');

/** The sheet of this name, or the first one with recipients, or the first one that is not empty. */
export async function sheetOf(
  book: Book,
  wanted?: string,
): Promise<{ place: number; name: string | null }> {
  const names = sheetNames(book);
  const chosen = (place: number) => ({ place, name: names[place] ?? null });
  if (wanted !== undefined || names.length < 2) return chosen(sheetIndex(names, wanted));
  let filled: number | undefined;
  for (let place = 0; place < Math.min(names.length, MAX_SEARCHED_SHEETS); place++) {
    const head = await firstRows(book, place, HEAD_ROWS + 1);
    if (holdsRecipients(head)) return chosen(place);
    if (head.length) filled ??= place;
  }
  return chosen(filled ?? 0);
}

/** The first rows of a sheet that are not blank. */
export async function firstRows(book: Book, sheet: number, limit: number): Promise<string[][]> {
  const first: string[][] = [];
  for await (const { cells } of book.rows(sheet, MAX_SEARCHED_ROWS)) {
    if (first.push(cells) === limit) break;
  }
  return first;
}
