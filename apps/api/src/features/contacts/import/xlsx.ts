import ExcelJS, { type CellValue, type Row } from 'exceljs';
import type { Readable } from 'node:stream';
import { Archive, damaged } from './archive.ts';
import { unreadable, type Sheet, type SheetRow } from './sheet.ts';

/**
 * The parts of exceljs' streaming reader. Its own `parse()` unpacks whatever the archive holds, without bounds and in
 * the order of the archive; here the parts come from `Archive`, strings and styles before the sheet that names them.
 */
interface Parts {
  model: { sheets?: { rId: string; state: string }[] };
  workbookRels?: { Id: string; Target: string }[];
  _parseRels(part: Readable): Promise<void>;
  _parseWorkbook(part: Readable): Promise<void>;
  _parseStyles(part: Readable): Promise<void>;
  _parseSharedStrings(part: Readable): AsyncGenerator<unknown>;
  _parseWorksheet(part: Readable, n: string): Generator<{ value: AsyncIterable<Row> }>;
}

const RELS = 'xl/_rels/workbook.xml.rels';
const STYLES = 'xl/styles.xml';
const STRINGS = 'xl/sharedStrings.xml';

export async function openXlsx(path: string): Promise<Sheet> {
  return { delimiter: ';', rows: rows(path) };
}

/** The rows of the first visible sheet. */
async function* rows(path: string): AsyncGenerator<SheetRow, void, void> {
  const archive = await Archive.open(path);
  try {
    const reader = new ExcelJS.stream.xlsx.WorkbookReader('', {
      worksheets: 'emit',
      sharedStrings: 'cache',
      styles: 'cache', // Tells dates from numbers.
    }) as unknown as Parts;
    await reader._parseWorkbook(await archive.part('xl/workbook.xml'));
    if (archive.entries.has(RELS)) await reader._parseRels(await archive.part(RELS));
    if (archive.entries.has(STYLES)) await reader._parseStyles(await archive.part(STYLES));
    if (archive.entries.has(STRINGS)) {
      const strings = reader._parseSharedStrings(await archive.part(STRINGS));
      while (!(await strings.next()).done);
    }
    const part = await archive.part(sheetPath(reader, archive));
    const sheet = reader._parseWorksheet(part, '1').next().value as { value: AsyncIterable<Row> };
    for await (const row of sheet.value) yield { n: row.number, cells: cellsOf(row) };
  } catch (error) {
    damaged(error);
  } finally {
    archive.close();
  }
}

function sheetPath(reader: Parts, archive: Archive): string {
  const sheet = reader.model.sheets?.find((s) => s.state !== 'hidden' && s.state !== 'veryHidden');
  const target = reader.workbookRels?.find((rel) => rel.Id === sheet?.rId)?.Target;
  const path = target?.startsWith('/') ? target.slice(1) : `xl/${target}`;
  if (archive.entries.has(path)) return path;
  const first = [...archive.entries.keys()].find((n) => /^xl\/worksheets\/[^/]+\.xml$/.test(n));
  if (!first) throw unreadable('The workbook has no sheet');
  return first;
}

function cellsOf(row: Row): string[] {
  const cells: string[] = [];
  row.eachCell({ includeEmpty: false }, (cell, column) => {
    while (cells.length < column - 1) cells.push('');
    cells.push(textOf(cell.value));
  });
  return cells;
}

/** What a reader of the sheet sees, as far as a contact goes: dates in ISO form, numbers in full. */
function textOf(value: CellValue): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : dateText(value);
  if (typeof value !== 'object') return String(value);
  if ('richText' in value) return value.richText.map((part) => part.text ?? '').join('');
  if ('text' in value) return textOf(value.text as CellValue);
  if ('result' in value) return textOf(value.result as CellValue);
  return '';
}

function dateText(date: Date): string {
  const [day, time] = date.toISOString().split('T') as [string, string];
  return time.startsWith('00:00:00') ? day : `${day} ${time.slice(0, 5)}`;
}
