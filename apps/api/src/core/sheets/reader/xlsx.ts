import type { Readable } from 'node:stream';
import WorkbookXform from 'exceljs/lib/xlsx/xform/book/workbook-xform.js';
import RelationshipsXform from 'exceljs/lib/xlsx/xform/core/relationships-xform.js';
import StylesXform from 'exceljs/lib/xlsx/xform/style/styles-xform.js';
import type { Rows } from '../sheet.ts';
import { type Archive, RELS, STRINGS, STYLES, WORKBOOK } from './archive.ts';
import { damaged, unreadable, tooLarge } from './file-error.ts';
import { sheetRows, type References } from './sheet-xml.ts';
import type { Table } from './table.ts';
import { pieces, textOfRuns } from './xml.ts';

/**
 * exceljs reads the metadata of a workbook, from bounded parts, by its parsers of XML alone: its readers of archives unpack
 * whatever they find, in code that nobody keeps any more, and are not installed. Rows and strings, of which there may be millions,
 * are cut out by `sheetRows` and `sharedStrings`, since exceljs makes objects with styles of every cell: 2 seconds and 200 MB
 * for 100,000 rows.
 */
export async function openXlsx(archive: Archive): Promise<Table> {
  // Decoded here: exceljs cuts letters between two chunks.
  const xml = async (name: string) => (await archive.part(name)).setEncoding('utf8');
  const workbook = new WorkbookXform();
  await workbook.parseStream(await xml(WORKBOOK));
  if (!workbook.model) damaged(null);
  const hasRels = archive.entries.has(RELS);
  const rels = hasRels ? await new RelationshipsXform().parseStream(await xml(RELS)) : [];
  const styles = archive.entries.has(STYLES) ? new StylesXform() : null;
  await styles?.parseStream(await xml(STYLES));
  const hasStrings = archive.entries.has(STRINGS);
  const strings = hasStrings ? await sharedStrings(await archive.part(STRINGS)) : [];
  const refers = referencesOf(workbook, styles, strings);
  const all = workbook.model.sheets ?? [];
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
      const path = sheetPath(rels, archive, visible[sheet]?.rId);
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
  };
}

function sheetPath(rels: { Id: string; Target: string }[], archive: Archive, id?: string): string {
  const target = rels.find((rel) => rel.Id === id)?.Target;
  const path = target?.startsWith('/') ? target.slice(1) : `xl/${target}`;
  if (archive.entries.has(path)) return path;
  const first = [...archive.entries.keys()].find((n) => /^xl\/worksheets\/[^/]+\.xml$/.test(n));
  if (!first) throw unreadable('The workbook has no sheet');
  return first;
}

function referencesOf(
  workbook: WorkbookXform,
  styles: StylesXform | null,
  strings: string[],
): References {
  const dates = new Map<number, boolean>();
  return {
    date1904: workbook.map.workbookPr.model?.date1904 ?? false,
    string: (n) => strings[n] ?? '',
    isDate: (style) => {
      if (!styles) return false;
      let known = dates.get(style);
      if (known === undefined)
        dates.set(style, (known = isDateFormat(styles.getStyleModel(style)?.numFmt)));
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

/** A million rows with three unique cells each. */
const MAX_STRINGS = 3_000_000;

/** The shared strings of a workbook, without styles and phonetic readings. */
export async function sharedStrings(part: Readable): Promise<string[]> {
  const strings: string[] = [];
  for await (const { text, prefix } of pieces(part, 'sst', 'si')) {
    const open = `<${prefix}si`;
    for (let at = text.indexOf(open); at >= 0; at = text.indexOf(open, at)) {
      const head = text.indexOf('>', at);
      if (head < 0) break;
      at = head + 1;
      const isEmpty = text[head - 1] === '/';
      strings.push(isEmpty ? '' : textOfRuns(text.slice(at), prefix));
      if (strings.length > MAX_STRINGS) throw tooLarge();
      if (!isEmpty) break;
    }
  }
  return strings;
}
