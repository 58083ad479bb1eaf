import type { Rows, SheetRow } from '../sheet.ts';
import { isoOf, numberText } from './cells.ts';
import { unreadable } from './file-error.ts';
import { MAX_COLUMNS, tooManyColumns } from './table.ts';
import { attribute, decoded, elements, pieces, textOfRuns } from './xml.ts';

/** Workbook data to which cells refer. */
export interface References {
  date1904: boolean;
  string(n: number): string;
  /** Whether a style shows a number as a date. */
  isDate(style: number): boolean;
}

/** Excel allows 1,048,576 rows; other programs up to sixteen times as many. */
const MAX_N = 16_777_216;

/** Rows of a worksheet part; blank ones too. */
export async function* sheetRows(
  part: AsyncIterable<Buffer>,
  refers: References,
  most = Infinity,
): Rows {
  let n = 0;
  for await (const { text, prefix } of pieces(part, 'sheetData', 'row')) {
    const open = text.lastIndexOf(`<${prefix}row`);
    const attributes = text.slice(open, text.indexOf('>', open));
    n = Number(attribute(attributes, 'r') ?? n + 1);
    if (!(Number.isInteger(n) && n > 0 && n <= MAX_N))
      throw unreadable(
        'A row of the workbook has no valid number. Save it again as .xlsx or .csv.',
      );
    const row: SheetRow = { n, ...cellsOf(text.slice(open), prefix, refers) };
    if (/^(1|true)$/.test(attribute(attributes, 'hidden') ?? '')) row.isHidden = true;
    yield row;
    if (n >= most) return;
  }
}

function cellsOf(
  row: string,
  prefix: string,
  refers: References,
): Pick<SheetRow, 'cells' | 'formulas'> {
  const cells: string[] = [];
  let formulas: number[] | undefined;
  let next = 0;
  const formula = `<${prefix}f`;
  const open = `<${prefix}c`;
  const end = `</${prefix}c>`;
  for (let at = row.indexOf(open); at >= 0; at = row.indexOf(open, at)) {
    const head = row.indexOf('>', at);
    if (head < 0) break;
    const attributes = row.slice(at + open.length, head);
    at = head + 1;
    if (!/^[\s/]|^$/.test(attributes)) continue;
    // Without a reference a cell is right of the one before, an empty one too.
    const column = columnOf(attribute(attributes, 'r')) ?? next;
    next = column + 1;
    if (attributes.endsWith('/')) continue;
    if (column >= MAX_COLUMNS) throw tooManyColumns();
    const close = row.indexOf(end, at);
    if (close < 0) break;
    while (cells.length <= column) cells.push('');
    const inside = row.slice(at, close);
    cells[column] = textOf(attributes, inside, prefix, refers);
    if (inside.includes(formula)) (formulas ??= []).push(column);
    at = close + end.length;
  }
  return formulas ? { cells, formulas } : { cells };
}

/** The text of a cell: dates in ISO format, numbers without exponent. */
function textOf(attributes: string, inside: string, prefix: string, refers: References): string {
  const type = attribute(attributes, 't');
  if (type === 'inlineStr') return textOfRuns(inside, prefix);
  const value = elements(inside, `${prefix}v`)[0] ?? '';
  if (type === 's') return refers.string(Number(value));
  if (type === 'b') return value === '1' ? 'true' : 'false';
  if (type === 'e') return '';
  if (type === 'd')
    return (
      isoOf(
        new Date(
          value.endsWith('Z') ? value : `${value.slice(0, 10)}T${value.slice(11) || '00:00'}Z`,
        ),
      ) ?? value
    );
  if (type && type !== 'n') return decoded(value);
  if (value && refers.isDate(Number(attribute(attributes, 's') ?? 0)))
    return dateText(value, refers);
  return /[.eE]/.test(value) ? numberText(Number(value)) : value;
}

/** `C7` is 2. */
function columnOf(reference: string | undefined): number | undefined {
  let column = 0;
  for (const char of reference ?? '') {
    if (char < 'A' || char > 'Z') break;
    column = column * 26 + char.charCodeAt(0) - 64;
  }
  return column ? column - 1 : undefined;
}

const DAY_MS = 86_400_000;

/** Days since 1899-12-30, or since 1904-01-01 in workbooks of old Macs. */
function dateText(serial: string, { date1904 }: References): string {
  const epoch = date1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30);
  return isoOf(new Date(epoch + Math.round(Number(serial) * DAY_MS))) ?? serial;
}
