import type { Readable } from 'node:stream';
import { Archive, damaged, RELS, STRINGS, STYLES, WORKBOOK } from './archive.ts';
import { sharedStrings } from './shared-strings.ts';
import { unreadable, type Sheet, type SheetRow } from './sheet.ts';
import { sheetRows, type Book } from './sheet-xml.ts';

/**
 * The parts of exceljs' streaming reader. Its own `parse()` unpacks whatever the archive holds, without bounds and in
 * the order of the archive, and makes objects with styles of every cell: 2 seconds and 200 MB for 100,000 rows. Here
 * exceljs reads what a workbook says of itself, from bounded parts; rows and strings, of which there may be millions,
 * are cut out by `sheetRows` and `sharedStrings`.
 */
interface Reader {
  model: { sheets?: { rId: string; state: string }[] };
  properties?: { model?: { date1904?: boolean } };
  workbookRels?: { Id: string; Target: string }[];
  styles: { getStyleModel(id: number): { numFmt?: string } | null };
  _parseRels(part: Readable): Promise<void>;
  _parseWorkbook(part: Readable): Promise<void>;
  _parseStyles(part: Readable): Promise<void>;
}

export async function openXlsx(path: string): Promise<Sheet> {
  return { delimiter: ';', rows: rows(path) };
}

/** The rows of the first visible sheet. */
async function* rows(path: string): AsyncGenerator<SheetRow, void, void> {
  const archive = await Archive.open(path);
  try {
    // 40 MB that a process without workbooks does without.
    const { default: ExcelJS } = await import('exceljs');
    const reader = new ExcelJS.stream.xlsx.WorkbookReader('', {
      styles: 'cache',
    }) as unknown as Reader;
    await reader._parseWorkbook(await archive.part(WORKBOOK));
    if (archive.entries.has(RELS)) await reader._parseRels(await archive.part(RELS));
    if (archive.entries.has(STYLES)) await reader._parseStyles(await archive.part(STYLES));
    const hasStrings = archive.entries.has(STRINGS);
    const strings = hasStrings ? await sharedStrings(await archive.part(STRINGS)) : [];
    const book = bookOf(reader, strings, archive.entries.has(STYLES));
    yield* sheetRows(await archive.part(sheetPath(reader, archive)), book);
  } catch (error) {
    damaged(error);
  } finally {
    archive.close();
  }
}

function sheetPath(reader: Reader, archive: Archive): string {
  const sheet = reader.model.sheets?.find((s) => s.state !== 'hidden' && s.state !== 'veryHidden');
  const target = reader.workbookRels?.find((rel) => rel.Id === sheet?.rId)?.Target;
  const path = target?.startsWith('/') ? target.slice(1) : `xl/${target}`;
  if (archive.entries.has(path)) return path;
  const first = [...archive.entries.keys()].find((n) => /^xl\/worksheets\/[^/]+\.xml$/.test(n));
  if (!first) throw unreadable('The workbook has no sheet');
  return first;
}

function bookOf(reader: Reader, strings: string[], hasStyles: boolean): Book {
  const dates = new Map<number, boolean>();
  return {
    date1904: reader.properties?.model?.date1904 ?? false,
    string: (n) => strings[n] ?? '',
    isDate: (style) => {
      if (!hasStyles) return false;
      let known = dates.get(style);
      if (known === undefined)
        dates.set(style, (known = isDateFormat(reader.styles.getStyleModel(style)?.numFmt)));
      return known;
    },
  };
}

/** Excel's own limit of a number format. */
const MAX_FORMAT = 255;

/** A number format with a part of a date or a time outside quotes, brackets and escapes. */
export function isDateFormat(format = ''): boolean {
  if (format.length > MAX_FORMAT) return false;
  for (let i = 0; i < format.length; i++) {
    const char = format[i]!;
    if (char === '\\') i++;
    else if (char === '[' || char === '"') {
      const end = format.indexOf(char === '[' ? ']' : '"', i + 1);
      if (end > 0) i = end;
    } else if ('ymdhs'.includes(char.toLowerCase())) return true;
  }
  return false;
}
