import { SaxesParser } from 'saxes';
import type { Rows, SheetRow } from '../sheet.ts';
import { type Archive, CONTENT, MANIFEST } from './archive.ts';
import { isoOf, numberText } from './cells.ts';
import { damaged, locked, tooLarge } from './file-error.ts';
import { MAX_COLUMNS, tooManyColumns, type Table } from './table.ts';
import { decoded } from './xml.ts';

const MAX_SHEETS = 1000;
/** Characters from one tag to the next, and of a cell. */
const MAX_TEXT = 1024 * 1024;

/** Opens an OpenDocument. Its rows are read as they come, so that a preview costs the first rows alone. */
export async function openOds(archive: Archive): Promise<Table> {
  if (
    archive.entries.has(MANIFEST) &&
    (await textOf(archive, MANIFEST)).includes('encryption-data')
  )
    throw locked();
  const sheets = (await sheetsOf(archive)).filter(({ isHidden }) => !isHidden);
  const size = archive.entries.get(CONTENT)!.uncompressedSize;
  let read = 0;
  async function* rows(sheet: number, most = Infinity): Rows {
    read = 0;
    const reader = new RowReader(sheets[sheet]?.place ?? sheet);
    try {
      for await (const chunk of (await archive.part(CONTENT)).setEncoding('utf8')) {
        read += (chunk as string).length;
        for (const { row, repeat } of reader.read(chunk as string))
          for (let i = 0; i < repeat; i++) {
            if (row.n + i > most) return;
            yield { ...row, n: row.n + i, cells: [...row.cells] };
          }
        if (reader.isDone) return;
      }
      reader.end();
    } catch (error) {
      damaged(error);
    }
  }
  return {
    delimiter: ';',
    sheets: sheets.map(({ name }) => name),
    rows,
    ratio: () => Math.min(1, read / size),
  };
}

async function textOf(archive: Archive, name: string): Promise<string> {
  let text = '';
  for await (const chunk of (await archive.part(name)).setEncoding('utf8')) text += chunk as string;
  return text;
}

interface OdsSheet {
  name: string;
  /** Among all, the hidden ones too. */
  place: number;
  isHidden: boolean;
}

/** The sheets in document order. Reads the whole part. */
async function sheetsOf(archive: Archive): Promise<OdsSheet[]> {
  const sheets: OdsSheet[] = [];
  const hiding = new Set<string | undefined>();
  let style: string | undefined;
  let rest = '';
  for await (const chunk of (await archive.part(CONTENT)).setEncoding('utf8')) {
    rest += chunk as string;
    const last = rest.lastIndexOf('<');
    for (const [, element, attributes = ''] of rest
      .slice(0, last)
      .matchAll(/<(?:\w+:)?(table|table-properties|style)(\s[^<>]*)?>/g)) {
      if (element === 'style') style = attributeOf(attributes, 'style:name');
      else if (element === 'table')
        sheets.push({
          name: decoded(attributeOf(attributes, 'table:name') ?? ''),
          place: sheets.length,
          isHidden: hiding.has(attributeOf(attributes, 'table:style-name') ?? ''),
        });
      else if (attributeOf(attributes, 'table:display') === 'false') hiding.add(style);
    }
    rest = rest.slice(Math.max(0, last));
    if (rest.length > MAX_TEXT || sheets.length > MAX_SHEETS) throw tooLarge();
  }
  return sheets;
}

function attributeOf(attributes: string, name: string): string | undefined {
  const at = attributes.indexOf(`${name}=`);
  const quote = attributes[at + name.length + 1];
  if (at < 1 || (quote !== '"' && quote !== "'")) return undefined;
  const start = at + name.length + 2;
  const close = attributes.indexOf(quote, start);
  return close < 0 ? undefined : attributes.slice(start, close);
}

type Attributes = Readonly<Record<string, string>>;

/** Elements inside of a cell whose text is not its value: comments, drawings, readings of ideographs. */
const isAside = (tag: string) =>
  tag.startsWith('draw:') || /^(?:office:annotation|text:ruby-text|text:note)$/.test(tag);

interface Found {
  row: SheetRow;
  /** The row stands so many times, one below the other. */
  repeat: number;
}

/** The rows of one sheet out of the events of the parser; empty ones are passed over. */
class RowReader {
  isDone = false;
  private readonly parser = new SaxesParser();
  private readonly found: Found[] = [];
  private sheet = -1;
  private n = 1;
  private row: SheetRow | null = null;
  private rowRepeat = 1;
  private column = 0;
  private cell: { attributes: Attributes; repeat: number; paragraphs: string[] } | null = null;
  /** How deep inside of elements that are no part of the cell's value. */
  private aside = 0;
  private isInParagraph = false;
  private length = 0;

  private readonly wanted: number;

  constructor(wanted: number) {
    this.wanted = wanted;
    this.parser.on('opentag', ({ name, attributes }) => this.open(name, attributes as Attributes));
    this.parser.on('text', (text) => this.text(text));
    this.parser.on('cdata', (text) => this.text(text));
    this.parser.on('closetag', ({ name }) => this.close(name));
  }

  read(chunk: string): Found[] {
    this.length += chunk.length;
    this.parser.write(chunk);
    if (this.length > MAX_TEXT + chunk.length) throw tooLarge();
    return this.found.splice(0);
  }

  end(): void {
    this.parser.close();
  }

  private open(tag: string, attributes: Attributes): void {
    this.length = 0;
    if (this.aside || (this.cell && isAside(tag))) {
      this.aside++;
      return;
    }
    if (this.cell) this.openInside(tag, attributes);
    else if (tag === 'table:table') {
      this.sheet++;
      this.n = 1;
    } else if (this.sheet !== this.wanted) return;
    else if (tag === 'table:table-row') {
      this.row = { n: this.n, cells: [] };
      this.rowRepeat = countOf(attributes['table:number-rows-repeated']);
      if (/^(?:collapse|filter)$/.test(attributes['table:visibility'] ?? ''))
        this.row.isHidden = true;
      this.column = 0;
    } else if (this.row && tag === 'table:covered-table-cell') {
      this.column += countOf(attributes['table:number-columns-repeated']);
      // What a merged cell covers is not seen.
      this.aside = 1;
    } else if (this.row && tag === 'table:table-cell') {
      const repeat = countOf(attributes['table:number-columns-repeated']);
      this.cell = { attributes, repeat, paragraphs: [] };
    }
  }

  private openInside(tag: string, attributes: Attributes): void {
    const { paragraphs } = this.cell!;
    if (tag === 'text:p') {
      paragraphs.push('');
      this.isInParagraph = true;
    } else if (tag === 'text:s')
      this.put(' '.repeat(Math.min(countOf(attributes['text:c']), 1000)));
    else if (tag === 'text:line-break') this.put('\n');
    else if (tag === 'text:tab') this.put('\t');
  }

  private text(text: string): void {
    // White space is of the file's layout, as in HTML.
    if (!this.aside) this.put(text.replace(/[ \t\r\n]+/g, ' '));
  }

  private put(text: string): void {
    if (!this.isInParagraph || !this.cell) return;
    const { paragraphs } = this.cell;
    paragraphs[paragraphs.length - 1] += text;
    if (paragraphs.at(-1)!.length > MAX_TEXT) throw tooLarge();
  }

  private close(tag: string): void {
    this.length = 0;
    if (this.aside) this.aside--;
    else if (tag === 'text:p') this.isInParagraph = false;
    else if (this.cell && tag === 'table:table-cell') this.closeCell();
    else if (this.row && tag === 'table:table-row') {
      if (this.row.cells.length) this.found.push({ row: this.row, repeat: this.rowRepeat });
      this.n += this.rowRepeat;
      this.row = null;
    } else if (tag === 'table:table') this.isDone = this.sheet === this.wanted;
  }

  private closeCell(): void {
    const { attributes, repeat, paragraphs } = this.cell!;
    const { cells } = this.row!;
    const text = valueOf(attributes, paragraphs.join('\n'));
    this.cell = null;
    const from = this.column;
    this.column += repeat;
    if (!text) return;
    if (this.column > MAX_COLUMNS) throw tooManyColumns();
    while (cells.length < from) cells.push('');
    for (let i = 0; i < repeat; i++) cells.push(text);
  }
}

/** Of a repetition; a million and some is the last row of a sheet. */
const countOf = (text: string | undefined): number =>
  /^[1-9]\d{0,7}$/.test(text ?? '') ? Number(text) : 1;

/** The value of a cell rather than what is shown of it, which may be shorter: dates in ISO format, numbers without exponent. */
function valueOf(attributes: Attributes, shown: string): string {
  if (attributes['calcext:value-type'] === 'error') return '';
  const value = attributes['office:value'] ?? '';
  switch (attributes['office:value-type'] ?? attributes['calcext:value-type']) {
    case 'float':
    case 'currency':
    case 'percentage':
      return /[.eE]/.test(value) ? numberText(Number(value)) : value;
    case 'boolean':
      return attributes['office:boolean-value'] ?? '';
    case 'date':
      return dateText(attributes['office:date-value'] ?? '');
    case 'string':
      return attributes['office:string-value'] ?? shown;
    default:
      return shown;
  }
}

function dateText(value: string): string {
  const [day, time = '00:00:00'] = value.slice(0, 19).split('T') as [string, string?];
  return isoOf(new Date(`${day}T${time}Z`)) ?? value;
}
