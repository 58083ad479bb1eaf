import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { zip } from '../../../test/zip.ts';
import { Workbook } from '../../../test/workbook.ts';
import { openTable } from './reader/open-table.ts';
import { filledRows } from './reader/table.ts';

let folder: string;
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'heliograph-odd-'))));
afterAll(() => rm(folder, { recursive: true }));

/** The rows of the first visible sheet, in the process of the test. */
async function rowsOf(bytes: string | Uint8Array) {
  const path = join(folder, randomBytes(8).toString('hex'));
  await writeFile(path, bytes);
  const table = await openTable(path, 'all');
  const rows = [];
  for await (const row of filledRows(table, 0)) rows.push(row);
  return { sheets: table.sheets, rows };
}
const cellsOf = async (bytes: string | Uint8Array) =>
  (await rowsOf(bytes)).rows.map(({ cells }) => cells);

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
const big = (text: string) => utf16(text).swap16();

const NAMES = ['phone', 'name'];
const ANNA = ['+79161234567', 'Анна'];

describe('texts', () => {
  test.each<[string, string | Buffer]>([
    ['with a mark of UTF-8', '\ufeffphone;name\n+79161234567;Анна\n'],
    ['of UTF-16', utf16('phone;name\r\n+79161234567;Анна\r\n')],
    ['of UTF-16 of the other order', big('phone\tname\r\n+79161234567\tАнна\r\n')],
    ['with lines of old Macs', 'phone;name\r+79161234567;Анна\r'],
    ['with lines of three kinds', 'phone;name\r\n\r\n+79161234567;Анна\r'],
    ['with tabs', 'phone\tname\n+79161234567\tАнна'],
    ['with pipes', 'phone|name\n+79161234567|Анна'],
    ['with everything in quotes', '"phone","name"\n"+79161234567","Анна"'],
    ['with a delimiter of its own', 'sep=|\nphone|name\n+79161234567|Анна'],
    ['with its delimiter in quotes', '"sep=,"\nphone,name\n+79161234567,Анна'],
    ['with its delimiter and lines of old Macs', 'sep=,\rphone,name\r+79161234567,Анна'],
    ['with a mark and a delimiter', '\ufeffsep=;\r\nphone;name\r\n+79161234567;Анна'],
    ['with a mark and quotes', '\ufeff"phone";"name"\n"+79161234567";"Анна"'],
    ['with an end of DOS', 'phone;name\n+79161234567;Анна\n\x1a'],
    ['without a last line break', 'phone;name\n+79161234567;Анна'],
  ])('%s', async (_, bytes) => {
    expect(await cellsOf(bytes)).toEqual([NAMES, ANNA]);
  });

  test.each<[string, string, string[]]>([
    [
      'a quoted line break',
      'phone;name\n"+7 916 1234567";"Анна\nМария"',
      ['+7 916 1234567', 'Анна\nМария'],
    ],
    ['doubled quotes', 'phone;name\n1;"ООО ""Чай"""', ['1', 'ООО "Чай"']],
    ['a quote within a text', 'phone;name\n1;5" tea', ['1', '5" tea']],
    ['delimiters within quotes', 'phone;name\n1;"a;b;c"', ['1', 'a;b;c']],
    ['commas in a table with semicolons', 'phone;name\n1;a, b, c\n', ['1', 'a, b, c']],
    ['more cells than names', 'phone;name\n1;a;b;c', ['1', 'a', 'b', 'c']],
    ['fewer cells than names', 'phone;name\n1', ['1']],
    ['a no-break space', 'phone;name\n8\u00a0916\u00a01234567;a', ['8\u00a0916\u00a01234567', 'a']],
    [
      'marks of direction',
      'phone;name\n\u200f+7 916;\u202bанна\u202c',
      ['\u200f+7 916', '\u202bанна\u202c'],
    ],
  ])('%s', async (_, text, cells) => {
    expect((await cellsOf(text))[1]).toEqual(cells);
  });

  test('a file of nothing, of one cell, of one line break', async () => {
    expect(await cellsOf('')).toEqual([]);
    expect(await cellsOf('79161234567')).toEqual([['79161234567']]);
    expect(await cellsOf('\ufeff')).toEqual([]);
    expect(await cellsOf('\n')).toEqual([]);
  });

  test.each<[string, string | Buffer, RegExp]>([
    ['a cell longer than any', `phone;name\n1;${'x'.repeat(300_000)}`, /row|mark/i],
    ['16,385 columns', `phone;name\n${';'.repeat(16_385)}\n`, /columns/],
    ['a photograph', Buffer.from('ffd8ffe000104a464946', 'hex'), /neither text/],
    ['a PDF', Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(20)]), /neither text/],
  ])('%s is refused', async (_, bytes, message) => {
    await expect(rowsOf(bytes)).rejects.toThrow(message);
  });
});

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>';
const inline = (text: string) => `<is><t>${text}</t></is>`;

/** A workbook of the XML of its first sheet. */
const xlsx = (rows: string, more: Record<string, string> = {}) =>
  zip(
    Object.fromEntries(
      Object.entries({
        'xl/workbook.xml': `${HEAD}<workbook><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>`,
        'xl/_rels/workbook.xml.rels':
          '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>',
        'xl/worksheets/sheet1.xml': `${HEAD}<worksheet><sheetData>${rows}</sheetData></worksheet>`,
        ...more,
      }).map(([name, text]) => [name, Buffer.from(text)]),
    ),
  );
const STYLES = (format: string) =>
  `<styleSheet><numFmts count="1"><numFmt numFmtId="164" formatCode="${format}"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="14"/></cellXfs></styleSheet>`;

describe('workbooks', () => {
  test.each<[string, string, Record<string, string>, string[]]>([
    ['a number as text', `<c t="inlineStr">${inline('79161234567')}</c>`, {}, ['79161234567']],
    ['a number', '<c><v>79161234567</v></c>', {}, ['79161234567']],
    ['a number with an exponent', '<c><v>7.9161234567E10</v></c>', {}, ['79161234567']],
    ['sixteen digits', '<c><v>1234567890123456</v></c>', {}, ['1234567890123456']],
    ['a float that is not exact', '<c><v>0.30000000000000004</v></c>', {}, ['0.3']],
    ['a float with an end', '<c><v>79161234567.0</v></c>', {}, ['79161234567']],
    ['a formula', '<c t="str"><f>"+7"&amp;A1</f><v>+79161234567</v></c>', {}, ['+79161234567']],
    ['a formula without a result', '<c><f>A2</f></c><c><v>1</v></c>', {}, ['', '1']],
    ['an error', '<c t="e"><v>#N/A</v></c><c><v>1</v></c>', {}, ['', '1']],
    ['a truth', '<c t="b"><v>1</v></c>', {}, ['true']],
    ['cells without references', '<c><v>1</v></c><c/><c><v>3</v></c>', {}, ['1', '', '3']],
    ['cells in another order', '<c r="C1"><v>3</v></c><c r="A1"><v>1</v></c>', {}, ['1', '', '3']],
    [
      'a text of runs with a reading',
      '<c t="inlineStr"><is><r><t>Ан</t></r><r><rPr><b/></rPr><t xml:space="preserve">на </t></r><rPh sb="0" eb="1"><t>かな</t></rPh></is></c>',
      {},
      ['Анна '],
    ],
    [
      'a shared text of runs with a reading',
      '<c t="s"><v>0</v></c>',
      {
        'xl/sharedStrings.xml':
          '<sst><si><r><t>東</t></r><r><t>京</t></r><rPh sb="0" eb="2"><t>トウキョウ</t></rPh></si></sst>',
      },
      ['東京'],
    ],
    ['a shared text that is not there', '<c t="s"><v>7</v></c><c><v>1</v></c>', {}, ['', '1']],
    ['an escaped line break', `<c t="inlineStr">${inline('a_x000D_&#10;b')}</c>`, {}, ['a\r\nb']],
    ['a date', '<c s="2"><v>32932</v></c>', { 'xl/styles.xml': STYLES('0') }, ['1990-02-28']],
    [
      'a date of a Mac',
      '<c s="2"><v>31470</v></c>',
      {
        'xl/styles.xml': STYLES('0'),
        'xl/workbook.xml':
          '<workbook><workbookPr date1904="1"/><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>',
      },
      ['1990-02-28'],
    ],
    [
      'a date with a time',
      '<c s="1"><v>32932.5</v></c>',
      { 'xl/styles.xml': STYLES('dd.mm.yyyy hh:mm') },
      ['1990-02-28 12:00'],
    ],
    [
      'a phone that is shown with dashes',
      '<c s="1"><v>79161234567</v></c>',
      { 'xl/styles.xml': STYLES('+0&quot;-&quot;000') },
      ['79161234567'],
    ],
    ['a cell in single quotes', "<c r='A1' t='inlineStr'><is><t>a</t></is></c>", {}, ['a']],
    [
      'a cell of many lines of XML',
      '\n <c r="A1"\n  t="inlineStr">\n<is>\n<t>a</t>\n</is>\n</c>\n',
      {},
      ['a'],
    ],
    ['a comment in the XML', '<!-- <c><v>9</v></c> --><c><v>1</v></c>', {}, ['1']],
    [
      'a text that is not parsed',
      '<c t="inlineStr"><is><t><![CDATA[a<b]]></t></is></c>',
      {},
      ['a<b'],
    ],
  ])('%s', async (_, cells, parts, expected) => {
    expect(await cellsOf(xlsx(`<row>${cells}</row>`, parts))).toEqual([expected]);
  });

  test('dimensions that lie, rows in another order, and hidden ones', async () => {
    const rows =
      '<row r="3" hidden="1"><c r="A3"><v>3</v></c></row><row r="1"><c r="A1"><v>1</v></c></row>';
    const sheet = `<worksheet><dimension ref="A1:XFD1048576"/><sheetData>${rows}</sheetData></worksheet>`;
    expect((await rowsOf(xlsx('', { 'xl/worksheets/sheet1.xml': sheet }))).rows).toEqual([
      { n: 3, cells: ['3'], isHidden: true },
      { n: 1, cells: ['1'] },
    ]);
  });

  test('a workbook of nothing', async () => {
    expect(await cellsOf(xlsx(''))).toEqual([]);
  });

  test('merged cells have their value in the first', async () => {
    const book = new Workbook();
    const sheet = book.addWorksheet('A');
    sheet.addRow(['Клиенты']);
    sheet.mergeCells('A1:C1');
    sheet.addRow(['phone', 'name']);
    const bytes = Buffer.from(await book.xlsx.writeBuffer());
    expect((await cellsOf(bytes)).at(-1)).toEqual(NAMES);
  });

  test.each<[string, Record<string, string | Buffer>, RegExp]>([
    ['of the binary kind', { 'xl/workbook.bin': 'x' }, /not a workbook/],
    ['of a Mac', { 'Index/Document.iwa': 'x' }, /not a workbook/],
    ['encrypted by LibreOffice', { 'encrypted-package': randomBytes(50) }, /password/],
    [
      'of LibreOffice with encrypted parts',
      {
        'content.xml': randomBytes(500),
        'META-INF/manifest.xml':
          '<manifest:manifest><manifest:file-entry><manifest:encryption-data/></manifest:file-entry></manifest:manifest>',
      },
      /password/,
    ],
    [
      'with an entity',
      { 'content.xml': '<!DOCTYPE a [<!ENTITY b "c">]><a><table:table>&b;</table:table></a>' },
      /damaged/,
    ],
  ])('a workbook %s is refused', async (_, parts, message) => {
    const bytes = zip(
      Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, Buffer.from(text)])),
    );
    await expect(rowsOf(bytes)).rejects.toThrow(message);
  });
});

describe('an .xls', () => {
  const bytesOf = () => readFile(new URL('../../../test/contacts.xls', import.meta.url));
  /** Where the n-th record of this kind and length has its content. */
  const record = (bytes: Buffer, head: string, n = 0) => {
    let at = -1;
    for (let i = 0; i <= n; i++) at = bytes.indexOf(Buffer.from(head, 'hex'), at + 1);
    expect(at).toBeGreaterThan(0);
    return at;
  };

  test('hidden sheets are left out, hidden rows are told', async () => {
    const bytes = await bytesOf();
    const { sheets, rows } = await rowsOf(bytes);
    expect(sheets).toEqual(['О файле', 'Контакты', 'Другие']);
    expect(rows.some(({ isHidden }) => isHidden)).toBe(false);
    // The state of the first sheet, in the record that names it.
    bytes[record(bytes, '85001600') + 4 + 4] = 1;
    // The size of the second one gives way to the record of a row: its number, and its flags at 12.
    const size = record(bytes, '00020e00', 1);
    bytes.writeUInt16LE(0x208, size);
    bytes.writeUInt16LE(4, size + 4);
    bytes.writeUInt16LE(0x20, size + 4 + 12);
    const read = await rowsOf(bytes);
    expect(read.sheets).toEqual(['Контакты', 'Другие']);
    expect(read.rows.filter(({ isHidden }) => isHidden).map(({ n }) => n)).toEqual([5]);
  });

  test('sectors in a circle end', async () => {
    const bytes = await bytesOf();
    bytes.fill(0, 76, 80).fill(0, 512, 1024);
    expect(await rowsOf(bytes)).toEqual({ sheets: [], rows: [] });
  });

  test.each([
    ['sectors of no size', (bytes: Buffer) => bytes.fill(0, 30, 32)],
    ['cut short', (bytes: Buffer) => bytes.subarray(0, 700)],
  ])('%s is refused', async (_, broken) => {
    await expect(rowsOf(broken(await bytesOf()))).rejects.toThrow(/damaged|Excel 97/);
  });

  test('sheets that all stand in one place are refused', async () => {
    const record = (id: number, data: Buffer) => {
      const head = Buffer.alloc(4);
      head.writeUInt16LE(id);
      head.writeUInt16LE(data.length, 2);
      return Buffer.concat([head, data]);
    };
    // Each says that it begins where the file does, with the records that name all sheets.
    const sheet = record(0x85, Buffer.from([0, 0, 0, 0, 0, 0, 1, 0, 65]));
    const begin = record(0x809, Buffer.from([0, 6, 5, 0]));
    const stream = Buffer.concat([begin, ...Array<Buffer>(600).fill(sheet), record(0x0a, NOTHING)]);
    await expect(rowsOf(compound(stream))).rejects.toThrow(/damaged/);
  });
});

const NOTHING = Buffer.alloc(0);

/** A compound file of sectors of 512 bytes with one stream, of 4 to 60 kB: header, allocation table, directory, the stream. */
function compound(stream: Buffer): Buffer {
  const END_OF_CHAIN = 0xfffffffe;
  const FREE = 0xffffffff;
  const count = Math.ceil(stream.length / 512);
  const header = Buffer.alloc(512);
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(header);
  header.writeUInt16LE(0x3e, 24);
  header.writeUInt16LE(3, 26);
  header.writeUInt16LE(0xfffe, 28);
  header.writeUInt16LE(9, 30);
  header.writeUInt16LE(6, 32);
  header.writeUInt32LE(1, 44);
  header.writeUInt32LE(1, 48);
  header.writeUInt32LE(4096, 56);
  header.writeUInt32LE(END_OF_CHAIN, 60);
  header.writeUInt32LE(END_OF_CHAIN, 68);
  header.fill(0xff, 76);
  header.writeUInt32LE(0, 76);
  const table = Buffer.alloc(512, 0xff);
  table.writeUInt32LE(0xfffffffd, 0);
  table.writeUInt32LE(END_OF_CHAIN, 4);
  for (let n = 0; n < count; n++)
    table.writeUInt32LE(n === count - 1 ? END_OF_CHAIN : n + 3, (n + 2) * 4);
  const directory = Buffer.alloc(512);
  const entry = (at: number, name: string, kind: number, first: number, size: number) => {
    directory.write(name, at, 'utf16le');
    directory.writeUInt16LE((name.length + 1) * 2, at + 64);
    directory[at + 66] = kind;
    for (const link of [68, 72, 76]) directory.writeUInt32LE(FREE, at + link);
    directory.writeUInt32LE(first, at + 116);
    directory.writeUInt32LE(size, at + 120);
  };
  entry(0, 'Root Entry', 5, END_OF_CHAIN, 0);
  directory.writeUInt32LE(1, 76);
  entry(128, 'Workbook', 2, 2, stream.length);
  const padding = Buffer.alloc(count * 512 - stream.length);
  return Buffer.concat([header, table, directory, stream, padding]);
}

describe('another kind than the name says', () => {
  // The name is not known here: kinds are told by the bytes.
  test('a page', async () => {
    const page = `<html><head><meta charset="utf-8"></head><body><table><tr><td>phone</td><td>name</td></tr><tr><td>+79161234567</td><td>Анна</td></tr></table></body></html>`;
    expect(await cellsOf(page)).toEqual([NAMES, ANNA]);
    expect(await cellsOf(`\ufeff${page}`)).toEqual([NAMES, ANNA]);
  });
});

const odsOf = (tables: string, styles = '') =>
  zip({
    mimetype: Buffer.from('application/vnd.oasis.opendocument.spreadsheet'),
    'content.xml': Buffer.from(
      `${HEAD}<office:document-content>${styles}<office:body><office:spreadsheet>${tables}</office:spreadsheet></office:body></office:document-content>`,
    ),
  });
const odsCell = (inside: string, attributes = 'office:value-type="string"') =>
  `<table:table-cell ${attributes}>${inside}</table:table-cell>`;

describe('an OpenDocument', () => {
  test.each<[string, string, string]>([
    [
      'paragraphs',
      '<text:p>+79161234567</text:p><text:p>+79161234568</text:p>',
      '+79161234567\n+79161234568',
    ],
    ['a line break', '<text:p>a<text:line-break/>b</text:p>', 'a\nb'],
    ['spaces of the layout', '<text:p>\n   a   <text:s text:c="2"/>b</text:p>', ' a   b'],
    ['a link', '<text:p><text:a xlink:href="mailto:a@b.org">a@b.org</text:a></text:p>', 'a@b.org'],
    [
      'a comment',
      '<office:annotation><dc:date>2024</dc:date><text:p>note</text:p></office:annotation><text:p>a</text:p>',
      'a',
    ],
    [
      'a drawing',
      '<text:p>a</text:p><draw:frame><draw:text-box><text:p>b</text:p></draw:text-box></draw:frame>',
      'a',
    ],
    [
      'a reading',
      '<text:p><text:ruby><text:ruby-base>東京</text:ruby-base><text:ruby-text>とうきょう</text:ruby-text></text:ruby></text:p>',
      '東京',
    ],
    ['entities', '<text:p>&lt;a&gt; &amp;amp; &#1040;</text:p>', '<a> &amp; А'],
  ])('%s', async (_, inside, expected) => {
    const bytes = odsOf(
      `<table:table table:name="A"><table:table-row>${odsCell(inside)}</table:table-row></table:table>`,
    );
    expect(await cellsOf(bytes)).toEqual([[expected]]);
  });

  test.each<[string, string, string[][]]>([
    [
      'sixteen digits',
      'office:value-type="float" office:value="1234567890123456"',
      [['1234567890123456']],
    ],
    [
      'an exponent',
      'office:value-type="float" office:value="7.9161234567E+010"',
      [['79161234567']],
    ],
    [
      'a date with a part of a second',
      'office:value-type="date" office:date-value="1990-02-28T12:30:00.000000000"',
      [['1990-02-28 12:30']],
    ],
    [
      'an error',
      'office:value-type="string" office:string-value="" calcext:value-type="error"',
      [],
    ],
    [
      'a value beside what is shown',
      'office:value-type="string" office:string-value="long"',
      [['long']],
    ],
  ])('%s', async (_, attributes, expected) => {
    const bytes = odsOf(
      `<table:table><table:table-row>${odsCell('<text:p>shown</text:p>', attributes)}</table:table-row></table:table>`,
    );
    expect(await cellsOf(bytes)).toEqual(expected);
  });

  test('hidden rows are told, hidden sheets left out', async () => {
    const row = (text: string, more = '') =>
      `<table:table-row${more}>${odsCell(`<text:p>${text}</text:p>`)}</table:table-row>`;
    const bytes = odsOf(
      `<table:table table:name="Hidden" table:style-name="ta2">${row('x')}</table:table>` +
        `<table:table table:name="A" table:style-name="ta1">${row('a')}${row('b', ' table:visibility="filter"')}${row('c', ' table:visibility="collapse" table:number-rows-repeated="2"')}</table:table>`,
      '<office:automatic-styles><style:style style:name="ta1" style:family="table"><style:table-properties table:display="true"/></style:style><style:style style:name="ta2" style:family="table"><style:table-properties table:display="false" style:writing-mode="lr-tb"/></style:style></office:automatic-styles>',
    );
    expect(await rowsOf(bytes)).toEqual({
      sheets: ['A'],
      rows: [
        { n: 1, cells: ['a'] },
        { n: 2, cells: ['b'], isHidden: true },
        { n: 3, cells: ['c'], isHidden: true },
        { n: 4, cells: ['c'], isHidden: true },
      ],
    });
  });
});

/** How many characters regular expressions go through while `work` runs. */
async function charactersMatched(work: () => Promise<unknown>): Promise<number> {
  let sum = 0;
  const { exec } = RegExp.prototype;
  const spy = vi.spyOn(RegExp.prototype, 'exec').mockImplementation(function (
    this: RegExp,
    text: string,
  ) {
    const from = this.global ? this.lastIndex : 0;
    const found = exec.call(this, text);
    sum += (this.global && found ? this.lastIndex : text.length) - from;
    return found;
  });
  await work().finally(() => spy.mockRestore());
  return sum;
}

describe('cards whose lines are broken at every letter', () => {
  const LONG = 'A'.repeat(16_000);
  test.each([
    ['encoded', 'N;ENCODING=QUOTED-PRINTABLE:', 'A=\n'],
    ['encoded, with nothing between', 'N;ENCODING=QUOTED-PRINTABLE:', '=\n'],
    ['folded', 'N:', '\n A'],
    ['folded, with nothing between', 'N:', '\n '],
  ])('%s: the work grows with the file', async (_, head, broken) => {
    const card = `BEGIN:VCARD\n${head}${LONG}${broken.repeat(20_000)}\nTEL:+79161234567\nEND:VCARD\n`;
    let cells: string[][] = [];
    const matched = await charactersMatched(async () => (cells = (await cellsOf(card)) as never));
    expect(matched).toBeLessThan(10 * card.length);
    expect(cells).toHaveLength(2);
    expect(cells[1]![0]).toBe('+79161234567');
  });
});
