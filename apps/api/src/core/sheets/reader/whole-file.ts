import { EncryptedFileError, fromHtml, read, type CellValue } from 'hucre';
import { readFile } from 'node:fs/promises';
import type { Rows } from '../sheet.ts';
import { isoOf, numberText } from './cells.ts';
import { unreadable } from './file-error.ts';
import type { Table } from './table.ts';
import { hiddenOf } from './xls-hidden.ts';

/** A sheet as the library reads it, the whole file at once. Rows that hold nothing are holes. */
interface Sheet {
  name: string;
  rows: (CellValue[] | undefined)[];
  isRowHidden?: (n: number) => boolean;
}

/** An .xls of Excel 97 or later. */
export async function openXls(path: string): Promise<Table> {
  const bytes = await readFile(path);
  // First, since it refuses sheets in one place, each of which the library reads.
  const hidden = hiddenOf(bytes);
  const { sheets } = await read(bytes).catch((error: unknown) => {
    throw refusalOf(error);
  });
  const all = sheets.map((sheet, i): Sheet => ({
    ...sheet,
    isRowHidden: (n) => hidden.isRowHidden(i, n),
  }));
  const visible = all.filter((_, i) => !hidden.isSheetHidden(i));
  return tableOf(
    visible,
    visible.map(({ name }) => name),
  );
}

/** A page with one table, which Bitrix24 and others export as .xls. */
export async function openHtml(path: string, encoding: string): Promise<Table> {
  const page = new TextDecoder(encoding).decode(await readFile(path));
  try {
    return tableOf([fromHtml(page, { typeInference: false })], []);
  } catch (error) {
    throw refusalOf(error);
  }
}

function tableOf(sheets: Sheet[], names: string[]): Table {
  let done = 0;
  let total = 1;
  async function* rows(sheet: number, limit?: number): Rows {
    const { rows: all = [], isRowHidden } = sheets[sheet] ?? {};
    const wanted = all.slice(0, limit);
    total = Math.max(1, wanted.length);
    for (done = 0; done < wanted.length;) {
      const values = wanted[done];
      const n = ++done;
      if (!values) continue;
      const row = { n, cells: Array.from(values, textOf) };
      yield isRowHidden?.(n) ? { ...row, isHidden: true } : row;
    }
  }
  return { delimiter: ';', sheets: names, rows, ratio: () => done / total };
}

function refusalOf(error: unknown) {
  const message = error instanceof Error ? error.message : '';
  const isLocked =
    error instanceof EncryptedFileError || /Unsupported XLS|missing Workbook/.test(message);
  return isLocked
    ? unreadable(
        'The workbook is password-protected or older than Excel 97. Save it as .xlsx without a password, or as .csv.',
      )
    : unreadable('The workbook is damaged. Save it again as .xlsx or .csv.');
}

function textOf(value: CellValue | undefined): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return isoOf(value) ?? '';
  if (typeof value === 'number') return numberText(value);
  return typeof value === 'object' ? '' : String(value);
}
