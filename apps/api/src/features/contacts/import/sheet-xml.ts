import type { Readable } from 'node:stream';
import { unreadable, type SheetRow } from './sheet.ts';

/** What the cells of a sheet refer to. */
export interface Book {
  date1904: boolean;
  string(n: number): string;
  /** Whether a style shows a number as a date. */
  isDate(style: number): boolean;
}

const MAX_ROW = 4 * 1024 * 1024;
const MAX_COLUMNS = 16_384;

/**
 * Rows of a worksheet part, cut out of the text as it comes. Not a parser of XML: tags are looked for with `indexOf`,
 * so that a broken part costs one pass and no more, and a row is the most that is held.
 */
export async function* sheetRows(part: Readable, book: Book): AsyncGenerator<SheetRow, void, void> {
  const decoder = new TextDecoder('utf-8');
  let rest = '';
  let prefix: string | null = null;
  let n = 0;
  for await (const chunk of part as AsyncIterable<Buffer>) {
    rest += decoder.decode(chunk, { stream: true });
    prefix ??= /<(\w+:|)sheetData[\s>]/.exec(rest)?.[1] ?? null;
    if (rest.length > MAX_ROW) throw unreadable('A row of the workbook is longer than any contact');
    if (prefix === null) continue;
    const end = `</${prefix}row>`;
    let from = 0;
    for (let to = rest.indexOf(end); to >= 0; to = rest.indexOf(end, from)) {
      const row = rest.slice(from, to);
      from = to + end.length;
      // Rows without cells may stand in front.
      const open = row.lastIndexOf(`<${prefix}row`);
      n = Number(attribute(row.slice(open, row.indexOf('>', open)), 'r') ?? n + 1);
      yield { n, cells: cellsOf(row.slice(open), prefix, book) };
    }
    rest = rest.slice(from);
  }
  if (prefix === null) throw unreadable('The sheet of the workbook holds no rows');
}

function cellsOf(row: string, prefix: string, book: Book): string[] {
  const cells: string[] = [];
  const open = `<${prefix}c`;
  const end = `</${prefix}c>`;
  for (let at = row.indexOf(open); at >= 0; at = row.indexOf(open, at)) {
    const head = row.indexOf('>', at);
    if (head < 0) break;
    const attributes = row.slice(at + open.length, head);
    at = head + 1;
    if (!/^[\s/]|^$/.test(attributes)) continue;
    const column = columnOf(attribute(attributes, 'r')) ?? cells.length;
    if (column >= MAX_COLUMNS) throw unreadable('The sheet has more columns than a sheet can have');
    if (attributes.endsWith('/')) continue;
    const close = row.indexOf(end, at);
    if (close < 0) break;
    while (cells.length <= column) cells.push('');
    cells[column] = textOf(attributes, row.slice(at, close), prefix, book);
    at = close + end.length;
  }
  return cells;
}

/** What a reader of the sheet sees, as far as a contact goes: dates in ISO form, numbers in full. */
function textOf(attributes: string, inside: string, prefix: string, book: Book): string {
  const type = attribute(attributes, 't');
  if (type === 'inlineStr') return elements(inside, `${prefix}t`).map(decoded).join('');
  const value = elements(inside, `${prefix}v`)[0] ?? '';
  if (type === 's') return unescaped(book.string(Number(value)));
  if (type === 'b') return value === '1' ? 'true' : 'false';
  if (type === 'e') return '';
  if (type && type !== 'n') return decoded(value);
  if (value && book.isDate(Number(attribute(attributes, 's') ?? 0))) return dateText(value, book);
  return /[.eE]/.test(value) ? String(Number(value)) : value;
}

/** The texts of the elements of a name, one after another. */
function elements(text: string, name: string): string[] {
  const found: string[] = [];
  const end = `</${name}>`;
  for (let at = text.indexOf(`<${name}`); at >= 0; at = text.indexOf(`<${name}`, at)) {
    const head = text.indexOf('>', at);
    if (head < 0) break;
    const isIt = /[\s>]/.test(text[at + name.length + 1]!) && text[head - 1] !== '/';
    at = head + 1;
    if (!isIt) continue;
    const close = text.indexOf(end, at);
    if (close < 0) break;
    found.push(text.slice(at, close));
    at = close + end.length;
  }
  return found;
}

function attribute(attributes: string, name: string): string | undefined {
  const at = attributes.indexOf(` ${name}=`);
  if (at < 0) return undefined;
  const start = at + name.length + 3;
  const close = attributes.indexOf(attributes[start - 1]!, start);
  return close < 0 ? undefined : attributes.slice(start, close);
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

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function decoded(text: string): string {
  if (!text.includes('&')) return unescaped(text);
  const plain = text.replace(
    /&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w{2,4}));/gi,
    (all, hex, dec, name) => {
      if (name) return ENTITIES[name as string] ?? (all as string);
      const code = hex ? parseInt(hex as string, 16) : Number(dec);
      return code <= 0x10ffff ? String.fromCodePoint(code) : '';
    },
  );
  return unescaped(plain);
}

/** Spreadsheets write what XML cannot hold as `_x000D_`. */
function unescaped(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([\dA-F]{4})_/g, (_, hex: string) =>
    String.fromCharCode(parseInt(hex, 16)),
  );
}

const DAY_MS = 86_400_000;

/** Days since 1899-12-30, or since 1904-01-01 in workbooks of older Macs. */
function dateText(serial: string, { date1904 }: Book): string {
  const epoch = date1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30);
  const date = new Date(epoch + Math.round(Number(serial) * DAY_MS));
  if (Number.isNaN(date.getTime())) return serial;
  const [day, time] = date.toISOString().split('T') as [string, string];
  return time.startsWith('00:00:00') ? day : `${day} ${time.slice(0, 5)}`;
}
