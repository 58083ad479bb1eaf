import type { Readable } from 'node:stream';
import { type Archive, damaged, RELS, STRINGS, STYLES, WORKBOOK } from './archive.ts';
import { sharedStrings } from './shared-strings.ts';
import { unreadable, type Book, type Rows } from './sheet.ts';
import { sheetRows, type References } from './sheet-xml.ts';

/**
 * The parts of exceljs' streaming reader. Its own `parse()` unpacks whatever the archive holds, without bounds and in
 * the order of the archive, and makes objects with styles of every cell: 2 seconds and 200 MB for 100,000 rows. Here
 * exceljs reads the metadata of a workbook, from bounded parts; rows and strings, of which there may be millions,
 * are cut out by `sheetRows` and `sharedStrings`.
 */
interface Reader {
  model: { sheets?: { name?: string; rId: string; state: string }[] };
  properties?: { model?: { date1904?: boolean } };
  workbookRels?: { Id: string; Target: string }[];
  styles: { getStyleModel(id: number): { numFmt?: string } | null };
  _parseRels(part: Readable): Promise<void>;
  _parseWorkbook(part: Readable): Promise<void>;
  _parseStyles(part: Readable): Promise<void>;
}

/** Closes the archive when it is closed, not when it cannot be opened. */
export async function openXlsx(archive: Archive): Promise<Book> {
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
  const refers = referencesOf(reader, strings, archive.entries.has(STYLES));
  const all = reader.model.sheets ?? [];
  const visible = all.filter(({ state }) => state !== 'hidden' && state !== 'veryHidden');
  let size = 1;
  let unpacked = 0;
  async function* counted(part: Readable) {
    for await (const chunk of part as AsyncIterable<Buffer>) {
      unpacked += chunk.length;
      yield chunk;
    }
  }
  async function* rows(sheet: number, most?: number): Rows {
    try {
      const path = sheetPath(reader, archive, visible[sheet]);
      size = archive.entries.get(path)!.uncompressedSize;
      unpacked = 0;
      yield* sheetRows(counted(await archive.part(path)), refers, most);
    } catch (error) {
      damaged(error);
    }
  }
  return {
    delimiter: ';',
    sheets: visible.map(({ name }) => name ?? ''),
    rows,
    ratio: () => Math.min(1, unpacked / size),
    close: () => archive.close(),
  };
}

function sheetPath(reader: Reader, archive: Archive, sheet?: { rId: string }): string {
  const target = reader.workbookRels?.find((rel) => rel.Id === sheet?.rId)?.Target;
  const path = target?.startsWith('/') ? target.slice(1) : `xl/${target}`;
  if (archive.entries.has(path)) return path;
  const first = [...archive.entries.keys()].find((n) => /^xl\/worksheets\/[^/]+\.xml$/.test(n));
  if (!first) throw unreadable('The workbook has no sheet');
  return first;
}

function referencesOf(reader: Reader, strings: string[], hasStyles: boolean): References {
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
