import { EncryptedFileError, fromHtml, read, type CellValue, type Sheet as ReadSheet } from 'hucre';
import { streamOdsRows } from 'hucre/ods';
import { readFile } from 'node:fs/promises';
import type { Rows } from '../sheet.ts';
import { isoOf, numberText } from './cells.ts';
import { unreadable } from './file-error.ts';
import type { Table } from './table.ts';

/** `html`: a page with one table, which Bitrix24 and others export as .xls. */
type Kind = 'xls' | 'ods' | 'html';

/**
 * Opens a workbook whose library reads the whole file into memory. `names` are those of the sheets of an .ods, which the
 * library does not tell; `encoding` is that of a page.
 */
export async function openWhole(
  path: string,
  kind: Kind,
  { names, encoding = 'utf-8' }: { names?: string[]; encoding?: string | undefined } = {},
): Promise<Table> {
  const sheets = await sheetsOf(path, kind, encoding).catch((error: unknown) => {
    throw refusalOf(error);
  });
  let done = 0;
  let total = 1;
  async function* rows(sheet: number, limit?: number): Rows {
    const all = (sheets[sheet]?.rows ?? []).slice(0, limit);
    done = 0;
    total = Math.max(1, all.length);
    for (const { n, values } of all) {
      done++;
      yield { n, cells: Array.from(values, textOf) };
    }
  }
  return {
    delimiter: ';',
    sheets: names ?? sheets.map(({ name }) => name),
    rows,
    ratio: () => done / total,
  };
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

interface Row {
  n: number;
  values: CellValue[];
}
interface Sheet {
  name: string;
  rows: Row[];
}

async function sheetsOf(path: string, kind: Kind, encoding: string): Promise<Sheet[]> {
  const bytes = await readFile(path);
  if (kind === 'xls') return (await read(bytes)).sheets.map(sheetOf);
  if (kind === 'html')
    return [sheetOf(fromHtml(new TextDecoder(encoding).decode(bytes), { typeInference: false }))];
  const found: Sheet[] = [];
  for await (const { index, sheetIndex = 0, values } of streamOdsRows(bytes)) {
    while (found.length <= sheetIndex) found.push({ name: '', rows: [] });
    found[sheetIndex]!.rows.push({ n: index + 1, values });
  }
  return found;
}

function sheetOf({ name, rows }: ReadSheet): Sheet {
  // Rows that hold nothing are holes.
  return {
    name,
    rows: Array.from(rows).flatMap((values, i) => (values ? [{ n: i + 1, values }] : [])),
  };
}

function textOf(value: CellValue | undefined): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return isoOf(value) ?? '';
  if (typeof value === 'number') return numberText(value);
  return typeof value === 'object' ? '' : String(value);
}
