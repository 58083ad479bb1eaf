import {
  contactFields,
  contactLists,
  contacts,
  storage,
  type ContactImport,
  notifications,
  type ImportProgress,
  type ImportReport,
  type StoredFile,
} from '@heliograph/contract';
import { ContactFile } from '@heliograph/domain';
import iconv from 'iconv-lite';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type * as z from 'zod';
import { listen } from '../../../../test/listen.ts';
import { importLines } from '../../../../test/factories.ts';
import { raw } from '../../../../test/raw.ts';
import { Workbook } from '../../../../test/workbook.ts';
import { type Person, until, World } from '../../../../test/world.ts';
import { zip } from '../../../../test/zip.ts';

type Input = z.input<typeof ContactImport>;

let world: World;
let customer: Person;
let stranger: Person;
let ListId: string;

beforeAll(async () => {
  world = await World.start();
  customer = await world.person();
  stranger = await world.person();
});
afterAll(() => world.stop());
beforeEach(async () => {
  ({ id: ListId } = await customer.api(contactLists.create, {
    body: { title: 'Friends', type: 'regular' },
  }));
});

async function upload(bytes: string | Uint8Array, name = 'friends.csv', who = customer) {
  const body = new FormData();
  body.set('file', new Blob([bytes as never]), name);
  return (await who.api(storage.create, { body: body as never, query: {} })) as StoredFile;
}

async function load(
  bytes: string | Uint8Array,
  more: Omit<Input, 'ListId' | 'from'> & { name?: string } = {},
): Promise<ImportReport> {
  const { name, ...options } = more;
  const { key } = await upload(bytes, name);
  return customer.api(contacts.import, { body: { ListId, from: { key }, ...options } });
}

/** The contacts of the list in the order of the file. */
const saved = async () =>
  (
    await customer.api(contacts.find, {
      query: { filter: { ListId }, order: [{ field: 'createdAt', direction: 'asc' }], limit: 200 },
    })
  ).data;
const count = async () => (await customer.api(contactLists.get, { params: { id: ListId } })).count;

async function rejectedText({ rejectedFileId }: ImportReport): Promise<string> {
  const answer = await fetch(`${world.base}/api/storage/${rejectedFileId}`, {
    headers: { authorization: customer.token },
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(bytes.subarray(0, 3).toString('hex')).toBe('efbbbf');
  return bytes.subarray(3).toString('utf8');
}

async function workbook(rows: unknown[][], options: object = {}): Promise<Buffer> {
  const book = new Workbook();
  const sheet = book.addWorksheet('Лист 1');
  Object.assign(sheet, options);
  for (const row of rows) sheet.addRow(row as never);
  return Buffer.from(await book.xlsx.writeBuffer());
}

const OLD = new URL('../../../../test/contacts.xls', import.meta.url);
const MIMETYPE = Buffer.from('application/vnd.oasis.opendocument.spreadsheet');
const words = (text: string) =>
  `<table:table-cell office:value-type="string"><text:p>${text}</text:p></table:table-cell>`;

/** An OpenDocument of sheets by their names, each the XML of its rows. */
const ods = (tables: Record<string, string>) =>
  zip({
    mimetype: MIMETYPE,
    'content.xml': Buffer.from(
      `<office:document-content><office:body><office:spreadsheet>${Object.entries(tables)
        .map(([name, rows]) => `<table:table table:name="${name}">${rows}</table:table>`)
        .join('')}</office:spreadsheet></office:body></office:document-content>`,
    ),
  });

const anna = { phone: '+79161234567', firstName: 'Анна', lastName: 'Иванова' };

describe('what is accepted', () => {
  test.each([
    ['semicolons', 'phone;name;lastname\n+79161234567;Анна;Иванова\n'],
    ['commas', 'phone,name,lastname\r\n+79161234567,Анна,Иванова\r\n'],
    ['tabs', 'phone\tname\tlastname\r+79161234567\tАнна\tИванова'],
    ['quotes', '"phone";"name";"lastname"\n"8 (916) 123-45-67";"Анна";"Иванова"'],
    ['a named delimiter', 'sep=,\r\nphone,name,lastname\r\n89161234567,Анна,Иванова'],
    ['Russian names', 'Фамилия;Имя;Номер телефона\nИванова;Анна;89161234567'],
    ['other spellings', 'Last Name;FIRST_NAME;Моб.\nИванова;Анна;9161234567'],
    ['a column nobody knows', 'phone;Комментарий;name;lastname\n79161234567;x;Анна;Иванова'],
    ['pipes', 'phone|name|lastname\n+79161234567|Анна|Иванова\n'],
    [
      'titles above',
      'Клиенты, 31.12.2024\n\nВсего;2\nphone;name;lastname\n79161234567;Анна;Иванова',
    ],
    ['a full name', 'ФИО;Мобильный телефон\nИванова Анна;89161234567'],
    ['a full name of the West', 'Full name,Phone\nАнна Иванова,+79161234567'],
    [
      'a phone at work first',
      'Business Phone;Mobile Phone;Name;Surname\n;79161234567;Анна;Иванова',
    ],
    ['blank lines', '\n\nphone;name;lastname\n\n79161234567;Анна;Иванова\n;;\n\n'],
    ['a text in the form of a formula', 'phone;name;lastname\n="+79161234567";Анна;Иванова'],
    ['the layout of older plugins', 'phone;email;name;lastname;\n79161234567;;Анна;Иванова;\n'],
  ])('%s', async (_, text) => {
    expect(await load(text)).toMatchObject({ total: 1, created: 1, rejected: 0, reasons: {} });
    expect(await saved()).toMatchObject([anna]);
  });

  test.each(['utf-8', 'utf-16le', 'utf-16be', 'windows-1251', 'maccyrillic', 'koi8-r', 'cp866'])(
    'the encoding %s',
    async (encoding) => {
      const text = 'Телефон;Имя;Фамилия\n89161234567;Анна;Иванова\n';
      for (const addBOM of encoding.startsWith('utf') ? [false, true] : [false]) {
        await load(iconv.encode(text, encoding, { addBOM }));
        expect(await saved()).toMatchObject([anna]);
      }
    },
  );

  test('names after many rows, and Western names', async () => {
    const phones = Array.from({ length: 6000 }, (_, i) => `7916${1_000_000 + i};\n`).join('');
    await load(iconv.encode(`phone;name\n${phones}79170000001;Пётр`, 'windows-1251'));
    const query = { filter: { ListId, phone: '+79170000001' } };
    expect((await customer.api(contacts.find, { query })).data[0]!.firstName).toBe('Пётр');
    await load(iconv.encode('phone;name\n79170000001;Müller\n', 'windows-1252'));
    expect((await customer.api(contacts.find, { query })).data[0]!.firstName).toBe('Müller');
  });

  test('one column without a name is phones', async () => {
    expect(await load('8 916 123-45-67\n+7 (916) 123-45-68\nabc\n')).toMatchObject({
      total: 2,
      rejected: 1,
    });
    expect((await saved()).map((c) => c.phone)).toEqual(['+79161234567', '+79161234568']);
  });

  test('every field', async () => {
    await load(
      'phone;email;имя;отчество;фамилия;пол;др;custom1;Поле 20\n' +
        '79161234567;Anna@Example.org;Анна;Петровна;Иванова;жен.;28.02.1990;"gold; ""A""\nline";last\n',
    );
    expect(await saved()).toMatchObject([
      {
        ...anna,
        email: 'anna@example.org',
        middleName: 'Петровна',
        gender: 'female',
        date: '1990-02-28',
        custom01: 'gold; "A" line',
        custom20: 'last',
      },
    ]);
  });

  test('columns named by the request, with a header of their own or without', async () => {
    const columns = { '0': 'lastName', '2': 'phone' };
    await load('A;B;C\nИванова;x;79161234567', { columns });
    await load('Иванова;x;79161234568', { columns });
    expect(await saved()).toMatchObject([
      { lastName: 'Иванова', phone: '+79161234567' },
      { lastName: 'Иванова', phone: '+79161234568' },
    ]);
  });

  test('a workbook with dates, numbers, links, formulas, styles and gaps', async () => {
    const bytes = await workbook([
      ['Телефон', 'Имя', 'Дата рождения', 'E-mail', 'custom1', 'custom2'],
      [],
      [79161234567, 'Анна', new Date('1990-02-28T00:00:00Z')],
      [
        '8 916 123 45 68',
        { richText: [{ text: 'Пё' }, { font: { bold: true }, text: 'тр' }] },
        32932,
        { text: 'p@example.org', hyperlink: 'mailto:p@example.org' },
        { formula: '1+1', result: 2 },
        true,
      ],
    ]);
    expect(await load(bytes, { name: 'friends.xlsx' })).toMatchObject({ total: 2, rejected: 0 });
    expect(await saved()).toMatchObject([
      { phone: '+79161234567', firstName: 'Анна', date: '1990-02-28' },
      {
        phone: '+79161234568',
        firstName: 'Пётр',
        date: '1990-02-28',
        email: 'p@example.org',
        custom01: '2',
        custom02: 'true',
      },
    ]);
  });

  test('strings of a workbook: empty ones, runs, readings, entities, and names with a prefix', async () => {
    const strings =
      '<x:sst><x:si/><x:si><x:t>phone</x:t></x:si><x:si /><x:si><x:t>Имя</x:t></x:si>' +
      '<x:si><x:t>79161234567</x:t></x:si><x:si><x:r><x:rPr><x:b/></x:rPr><x:t>Анна &amp; </x:t></x:r>' +
      '<x:r><x:t xml:space="preserve">Ко_x002E_</x:t></x:r><x:rPh sb="0" eb="1"><x:t>anna</x:t></x:rPh></x:si></x:sst>';
    const cells = (...ids: number[]) =>
      `<row>${ids.map((id) => `<c t="s"><v>${id}</v></c>`).join('')}</row>`;
    const rows = `<worksheet><sheetData>${cells(0, 1, 3)}${cells(2, 4, 5)}</sheetData></worksheet>`;
    await load(
      zip({
        'xl/workbook.xml': Buffer.from('<workbook/>'),
        'xl/sharedStrings.xml': Buffer.from(strings),
        'xl/worksheets/sheet1.xml': Buffer.from(rows),
      }),
    );
    expect(await saved()).toMatchObject([{ phone: '+79161234567', firstName: 'Анна & Ко.' }]);
  });

  test('a lone surrogate is removed from a cell', async () => {
    const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
    const rows =
      `<row>${text('phone')}${text('custom1')}${text('name')}</row>` +
      `<row>${text('79161234567')}${text('a_xD800_b')}${text('&#xDC00;Анна')}</row>`;
    await load(
      zip({
        'xl/workbook.xml': Buffer.from('<workbook/>'),
        'xl/worksheets/sheet1.xml': Buffer.from(
          `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
        ),
      }),
    );
    expect(await saved()).toMatchObject([{ custom01: 'a\ufffdb', firstName: '\ufffdАнна' }]);
  });

  test.each([
    ['a NUL', '_x0000_', ' '],
    ['a lone surrogate', '_xD800_', '\ufffd'],
  ])('%s in the name of a column is told in an answer that is kept', async (_, odd, shown) => {
    const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
    const imported = async (first: string) => {
      const rows = `<row>${text(first)}${text(`x${odd}y`)}</row><row>${text('79161234567')}${text('z')}</row>`;
      const { key } = await upload(
        zip({
          'xl/workbook.xml': Buffer.from('<workbook/>'),
          'xl/worksheets/sheet1.xml': Buffer.from(
            `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
          ),
        }),
      );
      const body = { ListId, from: { key } };
      return raw(world, customer, 'PUT', '/contacts', body, { 'idempotency-key': key });
    };
    expect(await imported('phone')).toMatchObject({
      status: 200,
      json: { created: 1, passedOver: [`x${shown}y`] },
    });
    expect(await imported('nothing')).toMatchObject({
      status: 422,
      json: { payload: { found: ['nothing', `x${shown}y`] } },
    });
  });

  test.each([
    ['25/12/1990', '1990-12-05', 'day'],
    ['12/25/1990', '1990-05-12', 'month'],
    ['25-12-1990', '1990-12-05', 'day'],
  ] as const)(
    '%s decides the whole column, and the preview says so',
    async (clear, date, order) => {
      const ambiguous = clear.includes('-') ? '05-12-1990' : '05/12/1990';
      const file = `phone;ДР\n79161234567;${ambiguous}\n79161234568;${clear}\n79161234569;31/31/1990\n`;
      const { key } = await upload(file);
      expect(await customer.api(contacts.preview, { body: { from: { key } } })).toMatchObject({
        dateOrder: order,
      });
      expect(await load(file)).toMatchObject({ dateOrder: order, dropped: { date: 1 } });
      expect((await saved()).map((c) => c.date)).toEqual([date, '1990-12-25', null]);
    },
  );

  test('dates with a time and a zone, with the year first, and of a type of their own; cells without references', async () => {
    const file =
      'phone;birthday\n79161234567;1990-12-05T21:30:00.000+03:00\n79161234568;1990/12/05\n';
    expect(await load(file)).toMatchObject({ dateOrder: null, dropped: {} });
    const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
    const rows =
      `<row>${text('x')}<c/>${text('phone')}${text('birthday')}</row>` +
      `<row hidden="1"><c/><c t="n"/>${text('79161234569')}<c t="d"><v>1990-12-05T00:00:00</v></c></row>`;
    const bytes = zip({
      'xl/workbook.xml': Buffer.from('<workbook/>'),
      'xl/worksheets/sheet1.xml': Buffer.from(
        `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
      ),
    });
    expect(await load(bytes)).toMatchObject({ created: 1, hidden: 1, dropped: {} });
    expect((await saved()).map((c) => c.date)).toEqual(['1990-12-05', '1990-12-05', '1990-12-05']);
  });

  test.each([
    ["'89161234567", 0],
    ['=+79161234567', 0],
    ['="+79161234567"', 0],
    ['79161234567.0', 0],
    ['"89161234567; 89161234568"', 1],
    ['89161234567 / 8 916 123-45-68', 1],
    ['+7 916 123-45-67 ::: +7 916 123-45-68', 1],
    ['"8 (916) 123-45-67, 8 (916) 123-45-68"', 1],
  ])('a cell of phones %s', async (cell, several) => {
    const report = await load(`phone;name\n${cell};Анна\n`);
    expect(report).toMatchObject({ created: 1, rejected: 0, several });
    expect((await saved()).map((c) => c.phone)).toEqual(['+79161234567']);
  });

  test('several phones of a cell, each line of which holds one, become contacts of their own on request', async () => {
    const file = 'phone;name\n"8 916 123-45-67\n8 916 123-45-68";Анна\n89161234567;Мария\n';
    const { key } = await upload(file);
    expect(await customer.api(contacts.preview, { body: { from: { key } } })).toMatchObject({
      several: 1,
    });
    expect(await load(file, { phones: 'each' })).toMatchObject({
      created: 2,
      repeated: 1,
      several: 1,
      rejected: 0,
    });
    expect(await saved()).toMatchObject([
      { phone: '+79161234568', firstName: 'Анна' },
      { phone: '+79161234567', firstName: 'Мария' },
    ]);
  });

  test('what a formula without a result shows is no value', async () => {
    const file = 'phone;name;lastname;custom1\n89161234567;#N/A;#ЗНАЧ!;#1\n#REF!;Анна;;\n';
    expect(await load(file)).toMatchObject({ created: 1, rejected: 1, reasons: { required: 1 } });
    expect(await saved()).toMatchObject([{ firstName: null, lastName: null, custom01: '#1' }]);
  });

  test.each([
    '+49 30 123456/57',
    '89161234567 доб. 12',
    '+62 21 5551234,5',
    '79.161.234.567.0',
    '8 (916) 123-45-67.0',
  ])('what is not one phone reaches nobody: %s', async (cell) => {
    expect(await load(`phone|name\n${cell}|Анна\n`)).toMatchObject({ created: 0, rejected: 1 });
  });

  test('several addresses in a cell, the first is taken; an address with a space is none', async () => {
    const file =
      'E-mail 1 - Value;Name\nAnna@example.org ::: b@example.org;Анна\nann a@example.org;Пётр\n' +
      'c@example.org / d@example.org;Мария\ne@example.org | f@example.org;Ольга\n' +
      'mailto:g@example.org h@example.org;Нина\n';
    expect(await load(file)).toMatchObject({ created: 4, rejected: 1 });
    const first = ['anna', 'c', 'e', 'g'].map((name) => `${name}@example.org`);
    expect((await saved()).map((c) => c.email)).toEqual(first);
  });

  test('a contact without a mobile phone has that of the next column, also in the request', async () => {
    const file =
      'First Name,Last Name,Home Phone,Business Phone,Mobile Phone,E-mail Address,E-mail 2 Address\n' +
      'Анна,Иванова,,84951234567,89161234567,,a@example.org\nПётр,Петров,84951234569,,,p@example.org,\n';
    const phones = ['+79161234567', '+74951234569'];
    expect(await load(file)).toMatchObject({ created: 2, passedOver: [] });
    expect((await saved()).map((c) => c.phone)).toEqual(phones);
    expect((await saved()).map((c) => c.email)).toEqual(['a@example.org', 'p@example.org']);
    const { key } = await upload(file);
    const { columns } = await customer.api(contacts.preview, { body: { from: { key } } });
    const mapping = Object.fromEntries(columns.map(({ field }, i) => [String(i), field!]));
    expect(mapping).toMatchObject({ '2': 'phone', '3': 'phone', '4': 'phone', '6': 'email' });
    ({ id: ListId } = await customer.api(contactLists.create, {
      body: { title: 'Again', type: 'regular' },
    }));
    await load(file, { columns: mapping, hasHeader: true });
    expect((await saved()).map((c) => c.phone)).toEqual(phones);
  });

  test('an organisation is no person, and a date of a deal no birthday', async () => {
    const file =
      'Контрагент;Телефон;Дата\n"ООО ""Ромашка""";89161234567;01.02.2024\nИП Иванов Иван;89161234568;\n';
    expect(await load(file)).toMatchObject({
      created: 2,
      dropped: { fullName: 1 },
      passedOver: ['Дата'],
    });
    expect(await saved()).toMatchObject([
      { firstName: null, lastName: null, date: null },
      { firstName: 'Иван', lastName: 'Иванов' },
    ]);
  });

  test('an organisation in the column of first names is none', async () => {
    const file = 'Имя;Телефон\n"ООО ""Ромашка""";89161234567\nАнна;89161234568\n';
    expect(await load(file)).toMatchObject({ created: 2, dropped: { fullName: 1 } });
    expect((await saved()).map((c) => c.firstName)).toEqual([null, 'Анна']);
  });

  test('a number in a column of dates is a day, a year alone is not', async () => {
    const file = 'phone;date\n79161234567;32932\n79161234568;1990\n79161234569;80000\n';
    expect(await load(file)).toMatchObject({ created: 3, dropped: { date: 2 } });
    expect((await saved()).map((c) => c.date)).toEqual(['1990-02-28', null, null]);
  });

  test('a workbook whose first sheet is hidden, under the name of a CSV', async () => {
    const book = new Workbook();
    book.addWorksheet('Codes', { state: 'hidden' }).addRow(['a', 'b']);
    book.addWorksheet('Contacts').addRows([['phone'], ['+79161234567']]);
    const bytes = Buffer.from(await book.xlsx.writeBuffer());
    expect(await load(bytes, { name: 'friends.csv' })).toMatchObject({ total: 1 });
  });
});

describe('workbooks of several sheets and other formats', () => {
  const sheets = async () => {
    const book = new Workbook();
    book.addWorksheet('О файле').addRows([['Выгрузка'], ['31.12.2024']]);
    book
      .addWorksheet('Клиенты')
      .addRows([['Клиенты'], [], ['ФИО', 'Телефон'], ['Иванова Анна', 79161234567]]);
    book.addWorksheet('Другие').addRows([['phone'], [79161234568], [79161234569]]);
    book.addWorksheet('Тайные', { state: 'hidden' }).addRows([['phone'], [79161234560]]);
    return Buffer.from(await book.xlsx.writeBuffer());
  };

  test('the first sheet with recipients is taken, another one by its name', async () => {
    const bytes = await sheets();
    expect(await load(bytes)).toMatchObject({ created: 1, sheet: 'Клиенты' });
    expect(await saved()).toMatchObject([anna]);
    expect(await load(bytes, { sheet: 'Другие' })).toMatchObject({ created: 2, sheet: 'Другие' });
    for (const sheet of ['Тайные', 'Нет такого'])
      await expect(load(bytes, { sheet })).rejects.toMatchObject({
        status: 422,
        code: 'validation',
      });
    await expect(load('phone\n79161234567', { sheet: 'x' })).rejects.toMatchObject({ status: 422 });
  });

  test('the preview lists the sheets and reads the chosen one', async () => {
    const { key } = await upload(await sheets());
    const look = (sheet?: string) =>
      customer.api(contacts.preview, { body: { from: { key }, sheet } });
    expect(await look()).toMatchObject({
      sheets: ['О файле', 'Клиенты', 'Другие'],
      sheet: 'Клиенты',
      columns: [
        { name: 'ФИО', field: 'fullName' },
        { name: 'Телефон', field: 'phone' },
      ],
      rows: [['Иванова Анна', '79161234567']],
    });
    expect(await look('Другие')).toMatchObject({
      sheet: 'Другие',
      rows: [['79161234568'], ['79161234569']],
    });
    expect(await look('О файле')).toMatchObject({ sheet: 'О файле' });
    await expect(look('Тайные')).rejects.toMatchObject({ status: 422 });
  });

  const xls = () => readFileSync(OLD);

  test('an .xls of Excel 97', async () => {
    const { key } = await upload(xls(), 'contacts.xls');
    expect(await customer.api(contacts.preview, { body: { from: { key } } })).toMatchObject({
      sheets: ['О файле', 'Контакты', 'Другие'],
      sheet: 'Контакты',
      columns: [
        { field: 'fullName' },
        { field: 'phone' },
        { field: 'phone' },
        { field: 'date' },
        { field: 'gender' },
        { field: 'email' },
        { field: null },
      ],
    });
    const report = await load(xls(), { name: 'contacts.xls' });
    expect(report).toMatchObject({
      created: 2,
      rejected: 1,
      reasons: { phone: 1 },
      dropped: { date: 1, gender: 1 },
      passedOver: ['Комментарий'],
      sheet: 'Контакты',
    });
    expect(await saved()).toMatchObject([
      {
        ...anna,
        middleName: 'Петровна',
        date: '1990-02-28',
        gender: 'female',
        email: 'anna@example.org',
      },
      { phone: '+79161234568', firstName: 'Пётр', lastName: 'Петров', date: null, gender: null },
    ]);
    expect((await rejectedText(report)).split('\r\n')[1]).toBe(
      'Сидоров;;123;;;;true;6;phone: not a phone number',
    );
    expect(await load(xls(), { sheet: 'Другие' })).toMatchObject({ created: 1, sheet: 'Другие' });
  });

  test('an .xls as others write it: numbers packed, days since 1904, texts that go on in another record and another width', async () => {
    const u16 = (...values: number[]) => Buffer.from(new Uint16Array(values).buffer);
    const u32 = (...values: number[]) => Buffer.from(new Uint32Array(values).buffer);
    const f64 = (value: number) => Buffer.from(new Float64Array([value]).buffer);
    const record = (id: number, ...parts: Uint8Array[]) => {
      const content = Buffer.concat(parts);
      return Buffer.concat([u16(id, content.length), content]);
    };
    const narrow = (text: string) => Buffer.from(text, 'latin1');
    const broad = (text: string) => Buffer.from(text, 'utf16le');
    const start = (length: number, flags: number) =>
      Buffer.concat([u16(length), Buffer.from([flags])]);
    const plain = (text: string) => Buffer.concat([start(text.length, 1), broad(text)]);
    const begin = (kind: number) => record(0x809, u16(0x600, kind, 0, 1996), u32(0, 6));
    const end = record(0x0a);
    const format = (n: number) => record(0xe0, u16(0, n), Buffer.alloc(16));
    const names = ['phone', 'name', 'lastname', 'email', 'date', 'custom1', 'custom2', 'custom3'];
    const strings = [
      record(
        0xfc,
        u32(12, 12),
        ...names.map(plain),
        // With one font run, which follows the text.
        start(4, 9),
        u16(1),
        broad('Анна'),
        u16(1, 1),
        start(7, 1),
        broad('Ива'),
      ),
      record(0x3c, Buffer.from([1]), broad('нова'), start(16, 1), broad('anna')),
      record(0x3c, Buffer.from([0]), narrow('@example.org'), plain('Пётр')),
    ];
    const integer = (value: number, isHundredth = false) =>
      ((value << 2) | (isHundredth ? 3 : 2)) >>> 0;
    const text = (row: number, column: number, n: number) =>
      record(0xfd, u16(row, column, 0), u32(n));
    const sheet = Buffer.concat([
      begin(0x10),
      ...names.map((_, column) => text(0, column, column)),
      record(0x203, u16(1, 0, 0), f64(79161234567)),
      ...[8, 9, 10].map((n, i) => text(1, i + 1, n)),
      // 1990-02-28, 0.15, -7 and the upper half of 0.5.
      record(
        0xbd,
        u16(1, 4, 1),
        u32(integer(31_470)),
        u16(0),
        u32(integer(15, true)),
        u16(0),
        u32(integer(-7)),
        u16(0),
        u32(0x3fe0_0000),
        u16(7),
      ),
      record(0x203, u16(2, 0, 0), f64(79161234568)),
      text(2, 1, 11),
      record(0x27e, u16(2, 4, 1), u32(integer(0))),
      record(0x27e, u16(2, 5, 0), u32(integer(1250, true))),
      end,
    ]);
    const globals = (at: number) =>
      Buffer.concat([
        begin(5),
        record(0x42, u16(1200)),
        record(0x22, u16(1)),
        format(0),
        format(14),
        record(0x85, u32(at), Buffer.from([0, 0, 1, 0]), narrow('A')),
        ...strings,
        end,
      ]);
    const stream = Buffer.alloc(4608);
    Buffer.concat([globals(globals(0).length), sheet]).copy(stream);

    // [MS-CFB]: a header, then sectors of 512 bytes: allocation, directory, the stream.
    const FREE = 0xffff_ffff;
    const LAST = 0xffff_fffe;
    const count = stream.length / 512;
    const chain = Array.from({ length: count }, (_, i) => (i + 1 < count ? i + 3 : LAST));
    const entry = (name: string, kind: number, child: number, first: number, size: number) => {
      const bytes = Buffer.alloc(128);
      broad(name).copy(bytes);
      bytes.writeUInt16LE((name.length + 1) * 2, 64);
      bytes.set([kind, 1], 66);
      u32(FREE, FREE, child).copy(bytes, 68);
      u32(first, size).copy(bytes, 116);
      return bytes;
    };
    const directory = Buffer.alloc(512);
    entry('Root Entry', 5, 1, LAST, 0).copy(directory);
    entry('Workbook', 2, FREE, 2, stream.length).copy(directory, 128);
    const bytes = Buffer.concat([
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      Buffer.alloc(16),
      u16(0x3e, 3, 0xfffe, 9, 6, 0, 0, 0),
      u32(0, 1, 1, 0, 4096, LAST, 0, LAST, 0, 0, ...Array(108).fill(FREE)),
      u32(0xffff_fffd, LAST, ...chain, ...Array(126 - count).fill(FREE)),
      directory,
      stream,
    ]);
    expect(await load(bytes, { name: 'contacts.xls' })).toMatchObject({ total: 2, created: 2 });
    expect(await saved()).toMatchObject([
      {
        ...anna,
        email: 'anna@example.org',
        date: '1990-02-28',
        custom01: '0.15',
        custom02: '-7',
        custom03: '0.5',
      },
      { phone: '+79161234568', firstName: 'Пётр', date: '1904-01-01', custom01: '12.5' },
    ]);
  });

  test('an HTML page named .xls, as Bitrix24 exports it', async () => {
    const page =
      '<meta http-equiv="Content-type" content="text/html;charset=UTF-8" /><table border="1"><thead><tr><th>ID</th><th>Имя</th>' +
      '<th>Фамилия</th><th>Рабочий телефон</th></tr></thead><tbody><tr><td>007</td><td>Анна</td><td>Иванова</td>' +
      '<td>+7 916 123-45-67</td></tr></tbody></table>';
    for (const encoding of ['utf-8', 'windows-1251'])
      expect(await load(iconv.encode(page, encoding), { name: 'contacts.xls' })).toMatchObject({
        total: 1,
        passedOver: ['ID'],
        sheet: null,
      });
    expect(await saved()).toMatchObject([anna]);
  });

  test('texts are composed: names of columns and sheets, values', async () => {
    const decomposed = (text: string) => text.normalize('NFD');
    await load(decomposed('Téléphone;Prénom;custom1\n89161234567;Андрей;Zoë\n'));
    expect(await saved()).toMatchObject([{ firstName: 'Андрей', custom01: 'Zoë' }]);
    const row = (...cells: string[]) =>
      `<table:table-row>${cells.map(decomposed).map(words).join('')}</table:table-row>`;
    const bytes = ods({
      Первая: row('phone', 'name') + row('79161234568', 'Пётр'),
      [decomposed('Второй')]: row('phone', 'name') + row('79161234569', 'Сергей'),
    });
    await load(bytes, { sheet: decomposed('Второй') });
    expect((await saved()).map((c) => c.firstName)).toEqual(['Андрей', 'Сергей']);
  });

  test('an .ods: numbers, dates, repeated cells and rows, comments, another sheet', async () => {
    const bytes = ods({
      'О файле':
        '<table:table-row><table:table-cell office:value-type="string"><text:p>Выгрузка</text:p></table:table-cell></table:table-row>',
      'Кли&amp;енты':
        '<table:table-row table:number-rows-repeated="3"><table:table-cell table:number-columns-repeated="1024"/></table:table-row>' +
        `<table:table-row>${['Телефон', 'Имя', 'Фамилия', 'Дата рождения', 'custom1', 'custom2'].map(words).join('')}</table:table-row>` +
        '<table:table-row><table:table-cell office:value-type="float" office:value="79161234567"><text:p>7,92E+10</text:p></table:table-cell>' +
        `<table:table-cell office:value-type="string"><office:annotation><text:p>note</text:p></office:annotation><text:p>Анна</text:p></table:table-cell>${words('Иванова')}` +
        '<table:table-cell office:value-type="date" office:date-value="1990-02-28"><text:p>28.02.90</text:p></table:table-cell>' +
        '<table:table-cell table:number-columns-repeated="2" office:value-type="string"><text:p>x &amp; y</text:p></table:table-cell></table:table-row>' +
        '<table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>',
    });
    expect(await load(bytes, { name: 'contacts.ods' })).toMatchObject({
      created: 1,
      sheet: 'Кли&енты',
    });
    expect(await saved()).toMatchObject([
      { ...anna, date: '1990-02-28', custom01: 'x & y', custom02: 'x & y' },
    ]);
  });

  test('an .ods as LibreOffice writes it: cells to the last column and row, covered ones, marks of text, values beside what is shown', async () => {
    const blank = (count: number) =>
      `<table:table-cell table:style-name="ce1" table:number-columns-repeated="${count}"/>`;
    const cell = (type: string, value: string, shown: string) =>
      `<table:table-cell table:style-name="ce2" office:value-type="${type}" office:${type === 'date' ? 'date-' : ''}value="${value}" calcext:value-type="${type}"><text:p>${shown}</text:p></table:table-cell>`;
    const row = (cells: string) =>
      `<table:table-row table:style-name="ro1">${cells}</table:table-row>`;
    const bytes = ods({
      Лист1: [
        '<office:forms form:automatic-focus="false"/><table:table-column table:style-name="co1" table:number-columns-repeated="16384"/>',
        // A title over merged cells, which cover the others.
        row(
          `<table:table-cell table:number-columns-spanned="7" table:number-rows-spanned="1" office:value-type="string"><text:p>Клиенты</text:p></table:table-cell><table:covered-table-cell table:number-columns-repeated="6"/>${blank(16_377)}`,
        ),
        `<table:table-row table:number-rows-repeated="2">${blank(16_384)}</table:table-row>`,
        `<table:table-header-rows>${row(['phone', 'name', 'lastname', 'date', 'custom1', 'custom2', 'custom3', 'custom4'].map(words).join('') + blank(16_376))}</table:table-header-rows>`,
        row(
          cell('float', '79161234567', '7,91612E+10') +
            `<table:table-cell office:value-type="string" calcext:value-type="string"><text:p><text:span text:style-name="T1">Ан</text:span><text:span>на</text:span></text:p></table:table-cell>` +
            words('Иванова') +
            cell('date', '1990-02-28T00:00:00', '28.02.90') +
            cell('percentage', '0.15', '15%') +
            cell('float', '12.5', '12,50') +
            `<table:table-cell office:value-type="string"><text:p>a<text:s text:c="2"/>b<text:line-break/>c<text:tab/>d</text:p></table:table-cell>` +
            `<table:table-cell table:formula="of:=[.E5]*2" office:value-type="currency" office:currency="RUB" office:value="0.3"><text:p>0,30 ₽</text:p></table:table-cell>` +
            blank(16_376),
        ),
        // A name over two rows: below it is covered.
        row(
          words('+7 916 123-45-68') +
            '<table:table-cell table:number-rows-spanned="2" office:value-type="string"><text:p>Пётр</text:p></table:table-cell>' +
            words('Петров') +
            blank(16_381),
        ),
        `<table:table-row table:visibility="collapse">${words('79161234569')}<table:covered-table-cell/>${words('Сидоров')}${cell('boolean', 'true', 'ИСТИНА').replace('office:value=', 'office:boolean-value=')}${blank(16_380)}</table:table-row>`,
        `<table:table-row table:style-name="ro1" table:number-rows-repeated="1048568">${blank(16_384)}</table:table-row>`,
        row(blank(16_384)),
      ].join(''),
    });
    const before = process.cpuUsage();
    expect(await load(bytes, { name: 'contacts.ods' })).toMatchObject({
      total: 3,
      created: 3,
      rejected: 0,
      reasons: {},
      dropped: { date: 1 },
    });
    expect(process.cpuUsage(before).user).toBeLessThan(5_000_000);
    expect(await saved()).toMatchObject([
      {
        ...anna,
        date: '1990-02-28',
        custom01: '0.15',
        custom02: '12.5',
        custom03: 'a  b c d',
        custom04: '0.3',
      },
      { phone: '+79161234568', firstName: 'Пётр', lastName: 'Петров', date: null },
      { phone: '+79161234569', firstName: null, lastName: 'Сидоров', date: null },
    ]);
  });
});

describe('notifications of an import', () => {
  test('progress is sent to the importing session, the result to the account', async () => {
    const rows = Array.from(
      { length: 3000 },
      (_, i) => `7916${1_000_000 + i};${'x'.repeat(300)};\n`,
    );
    const mine = await listen<ImportProgress>(world, customer, 'contacts.importing');
    const theirs = await listen(world, stranger, 'contacts.importing');
    const { key } = await upload(`phone;custom1;Скидка\n12;;\n${rows.join('')}`);
    const report = await customer.api(contacts.import, { body: { ListId, from: { key } } });
    expect(report.passedOver).toEqual(['Скидка']);
    await until(async () => mine.at(-1)?.left === 0, 'the end of the reading is told');
    expect(mine.at(-1)).toEqual({ ListId, key, done: 3001, left: 0 });
    expect(theirs).toEqual([]);
    const query = { filter: { type: ['ContactsImported' as const] }, limit: 1 };
    const { data } = await customer.api(notifications.find, { query });
    expect(data).toMatchObject([
      {
        title: 'Contacts imported',
        text: 'Friends\nNew: 3000\nUpdated: 0\nRejected rows: 1',
        data: { ListId, created: 3000 },
      },
    ]);
  });
});

test('a failed import notifies like a completed one, with and without an idempotency key', async () => {
  const owner = await world.person();
  const list = { title: 'Friends', type: 'regular' as const };
  const { id: own } = await owner.api(contactLists.create, { body: list });
  const { key } = await upload('PK\x03\x04 no workbook', 'broken.xlsx', owner);
  const run = (headers: Record<string, string>, from = { key }) =>
    owner.api(contacts.import, { body: { ListId: own, from }, headers });
  const query = { filter: { type: ['ContactsImportFailed' as const] }, limit: 10 };
  const notified = async () => (await owner.api(notifications.find, { query })).data;
  const keys: Record<string, string>[] = [{}, { 'idempotency-key': 'broken' }];
  for (const [i, headers] of keys.entries()) {
    await expect(run(headers)).rejects.toMatchObject({ code: 'unreadable_file' });
    const [last] = await until(async () => {
      const data = await notified();
      return data.length === i + 1 && data;
    }, 'the owner to be told');
    expect(last).toMatchObject({
      title: 'Import failed',
      data: { ListId: own, title: 'Friends', file: 'broken.xlsx', reason: 'unreadable_file' },
    });
  }
  // A call that is refused immediately has started nothing.
  await expect(run({}, { key: crypto.randomUUID() })).rejects.toMatchObject({ code: 'not_found' });
  expect(await notified()).toHaveLength(2);
});

describe('what the list already has', () => {
  test('contacts are updated by phone, else by e-mail; an empty cell erases nothing', async () => {
    await load('phone;email;name;custom1\n79161234567;;Анна;a\n;x@example.org;Икс;\n');
    const report = await load(
      'phone;email;name;lastname;custom2\n89161234567;a@b.org;;Иванова;b\n;X@example.org;Иксов;;\n79160000000;;;;\n',
    );
    expect(report).toMatchObject({ total: 3, created: 1, updated: 2, rejected: 0 });
    expect(await saved()).toMatchObject([
      { ...anna, email: 'a@b.org', custom01: 'a', custom02: 'b' },
      { phone: null, email: 'x@example.org', firstName: 'Иксов' },
      { phone: '+79160000000' },
    ]);
    expect(await count()).toBe(3);
  });

  test('of equal phones in a file the last row wins and counts once', async () => {
    const report = await load(
      'phone;name\n79161234567;Первая\n79160000000;Другая\n8-916-123-45-67;Последняя\n',
    );
    expect(report).toMatchObject({ total: 2, created: 2, updated: 0, repeated: 1, rejected: 0 });
    expect((await saved()).map((c) => c.firstName)).toEqual(['Другая', 'Последняя']);
    const again = await load('phone;name\n79161234567;Она\n+79161234567;Снова\n79160000009;Новая');
    expect(again).toMatchObject({ total: 2, created: 1, updated: 1, repeated: 1, skipped: 0 });
  });
});

describe('what is rejected', () => {
  const file =
    'Телефон;Имя;Пол;ДР;E-mail;Заметка\r\n' +
    '123;"Анна; Мария";ж;;;first\r\n' +
    '79160000001;Борис;м;;;fine\r\n' +
    '79160000002;Вера;?;;;+SUM(A1)\r\n' +
    '79160000003;Глеб;м;31.02.1990;;=cmd\r\n' +
    ';Дарья;ж;;;\r\n' +
    ';;;;nobody;\r\n' +
    `79160000004;${'Е'.repeat(101)};;;;;beyond\r\n`;

  test('keeps its number, its cells and the reason, and can be corrected and imported again', async () => {
    const report = await load(file);
    expect(report).toMatchObject({
      total: 3,
      created: 3,
      rejected: 4,
      reasons: { phone: 1, required: 1, email: 1, too_long: 1 },
      dropped: { gender: 1, date: 1 },
      passedOver: ['Заметка'],
    });
    expect((await saved()).map((c) => [c.firstName, c.gender, c.date])).toEqual([
      ['Борис', 'male', null],
      ['Вера', null, null],
      ['Глеб', 'male', null],
    ]);
    const text = await rejectedText(report);
    expect(text.split('\r\n')).toEqual([
      'Телефон;Имя;Пол;ДР;E-mail;Заметка;row;reason',
      '123;"Анна; Мария";ж;;;first;2;phone: not a phone number',
      ';Дарья;ж;;;;6;required: neither a phone nor an e-mail',
      ';;;;nobody;;7;email: not an e-mail address',
      `79160000004;${'Е'.repeat(101)};;;;;8;too_long: too long;beyond`,
      '',
    ]);
    const meta = await customer.api(storage.get, {
      params: { id: report.rejectedFileId! },
      query: { return: 'meta' },
    });
    expect(meta).toMatchObject({ title: 'friends - rejected.csv', type: 'text/csv' });

    const corrected = text.replace('123;', '79160000005;').replace('nobody', 'd@example.org');
    const again = await load(corrected, { name: meta.title });
    expect(again).toMatchObject({ total: 2, created: 2, rejected: 2 });
    expect((await rejectedText(again)).split('\r\n')[0]).toBe(
      'Телефон;Имя;Пол;ДР;E-mail;Заметка;row;reason',
    );
    expect(await count()).toBe(5);
  });

  test('is no formula in a spreadsheet and is imported unchanged', async () => {
    const header = 'phone;firstName;custom01;custom02;custom03;custom04';
    const cells = `;=HYPERLINK("http://x");"-1+cmd|' /C calc'!A0";+79001112233;@SUM(A1)`;
    const text = await rejectedText(await load(`${header}\n12${cells}\n`));
    const [, row] = text.split('\r\n');
    for (const cell of row!.split(';')) expect(cell).not.toMatch(/^"?[=+\-@\t\r]/);
    await load(text.replace('12;', '79161234567;'));
    const [corrected] = await saved();
    expect(corrected).toMatchObject({
      firstName: '=HYPERLINK("http://x")',
      custom01: `-1+cmd|' /C calc'!A0`,
      custom02: '+79001112233',
      custom03: '@SUM(A1)',
    });
    const workbookRows = [header.split(';'), ['12', '=1+1', '', '', '', '']];
    const fromWorkbook = await rejectedText(await load(await workbook(workbookRows)));
    expect(fromWorkbook).toContain("12;'=1+1;");
  });

  test('is imported again with and without columns in the request', async () => {
    const columns = { '0': 'lastName', '1': 'phone' };
    const mapped = await load('A;B;C\nИванова;12;x\n', { columns });
    const text = await rejectedText(mapped);
    expect(text.split('\r\n')[0]).toBe('lastName;phone;C;row;reason');
    expect(await load(text.replace(';12;', ';79161234567;'))).toMatchObject({ total: 1 });
    const phones = await rejectedText(await load('79160000001\n123456\n'));
    expect(phones.split('\r\n')).toEqual([
      'phone;row;reason',
      '123456;2;phone: not a phone number',
      '',
    ]);
    expect(await load(phones.replace('123456', '79160000002'))).toMatchObject({ total: 1 });
  });
});

describe('what is refused', () => {
  const MB = 1024 * 1024;
  const part = (bytes: number) => Buffer.alloc(bytes, ' ');
  const sheet = (rows: string, more = {}) =>
    zip({
      'xl/workbook.xml': Buffer.from('<workbook/>'),
      'xl/worksheets/sheet1.xml': Buffer.from(
        `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
      ),
      ...more,
    });

  test.each<[string, () => string | Buffer | Promise<Buffer>, RegExp]>([
    ['junk', () => randomBytes(5000), /neither text nor a spreadsheet/],
    ['an old workbook', () => Buffer.from('d0cf11e0a1b11ae1'.padEnd(64, '0'), 'hex'), /xlsx/],
    ['names that nobody knows', () => 'A;B\n1;2\n', /phone \(Телефон\)/],
    ['names without a phone or e-mail', () => 'Имя;Фамилия\nАнна;Иванова', /phone \(Телефон\)/],
    ['prose', () => 'Dear Sirs,\nwe are happy to tell you\n', /phone \(Телефон\)/],
    ['a header alone', () => 'phone;name\n', /no contacts/],
    ['blank lines alone', () => '\n \n;;\n', /no contacts/],
    [
      'an open quote',
      () => `phone;name\n79161234567;Анна\n79161234568;"Пё\n${'1;2\n'.repeat(50_000)}`,
      /After row 2: a quotation mark/,
    ],
    [
      'a row without an end',
      () => `phone;name\n79161234567;${'a'.repeat(70_000)}\n`,
      /After row 1: .*the row has more than 64 kB/,
    ],
    [
      'an old workbook cut short',
      () => readFileSync(OLD).subarray(0, 3000),
      /damaged|older than Excel 97/,
    ],
    [
      'an OpenDocument that is no table',
      () => zip({ 'content.xml': Buffer.from('<x/>'), mimetype: Buffer.from('text/plain') }),
      /no contacts/,
    ],
    [
      'an OpenDocument bomb',
      () => zip({ mimetype: MIMETYPE, 'content.xml': part(64 * MB) }),
      /unpacks to 64 MB/,
    ],
    [
      'an OpenDocument that lies about its size',
      () => zip({ mimetype: MIMETYPE, 'content.xml': part(64 * MB) }, 1000),
      /damaged/,
    ],
    [
      'an OpenDocument with cells far to the right',
      () =>
        ods({
          A: `<table:table-row>${words('phone')}<table:table-cell table:number-columns-repeated="5000" office:value-type="string"><text:p>x</text:p></table:table-cell></table:table-row>`,
        }),
      /more than 1000 columns/,
    ],
    [
      'a cell that an OpenDocument repeats without end',
      () =>
        ods({
          A: `<table:table-row>${words('phone')}</table:table-row><table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="16384" office:value-type="string"><text:p>79161234567</text:p></table:table-cell></table:table-row>`,
        }),
      /more than 1000 columns/,
    ],
    ['an archive that is no workbook', () => zip({ 'a.txt': part(10) }), /not a workbook/],
    [
      'a damaged workbook',
      async () => (await workbook([['phone'], ['79161234567']])).subarray(0, 900),
      /damaged/,
    ],
    [
      'a workbook that is no XML',
      () => zip({ 'xl/workbook.xml': part(10), 'xl/worksheets/sheet1.xml': randomBytes(999) }),
      /damaged/,
    ],
    [
      'a bomb',
      () => zip({ 'xl/workbook.xml': part(10), 'xl/worksheets/sheet1.xml': part(64 * MB) }),
      /unpacks to 64 MB/,
    ],
    [
      'a bomb that lies about its size',
      () => zip({ 'xl/workbook.xml': part(10), 'xl/worksheets/sheet1.xml': part(64 * MB) }, 1000),
      /damaged/,
    ],
    [
      'a cell without end',
      () =>
        zip({
          'xl/workbook.xml': Buffer.from('<workbook/>'),
          'xl/worksheets/sheet1.xml': Buffer.concat([
            Buffer.from('<worksheet><sheetData><row r="1"><c r="A1" t="str"><v>'),
            part(4 * MB),
          ]),
        }),
      /longer than any contact/,
    ],
    [
      'a bomb beside what does not shrink',
      () =>
        zip({
          'xl/workbook.xml': Buffer.from('<workbook/>'),
          'xl/media/image1.png': randomBytes(2 * MB),
          'xl/sharedStrings.xml': Buffer.from(`<sst><si>${'<r/>'.repeat(16 * MB)}</si></sst>`),
          'xl/worksheets/sheet1.xml': Buffer.from('<worksheet><sheetData></sheetData></worksheet>'),
        }),
      /unpacks to 64 MB/,
    ],
    [
      'a string without end',
      () =>
        zip({
          'xl/workbook.xml': Buffer.from('<workbook/>'),
          'xl/sharedStrings.xml': Buffer.from(`<sst><si>${'<r/>'.repeat(MB)}</si></sst>`),
          'xl/worksheets/sheet1.xml': Buffer.from('<worksheet><sheetData></sheetData></worksheet>'),
        }),
      /longer than any contact/,
    ],
    [
      'a row without a number',
      () => sheet('<row r="abc"><c><v>7</v></c></row>'),
      /no valid number/,
    ],
    ['a row far below', () => sheet('<row r="1e99"><c><v>7</v></c></row>'), /no valid number/],
    [
      'a cell far to the right',
      () => sheet('<row><c r="XFD1"><v>7</v></c></row>'),
      /more than 1000 columns/,
    ],
    [
      'thousands of parts',
      () => zip(Object.fromEntries(Array.from({ length: 2001 }, (_, i) => [`${i}`, part(1)]))),
      /2001 files/,
    ],
  ])('%s', async (_, bytes, message) => {
    const before = await world.db.query(`select id from contacts order by id`);
    await expect(load(await bytes())).rejects.toMatchObject({
      status: 422,
      code: 'unreadable_file',
      body: { message: expect.stringMatching(message) },
    });
    expect(await world.db.query(`select id from contacts order by id`)).toEqual(before);
    expect(await count()).toBe(0);
  });

  test.each<[string, () => Buffer]>([
    [
      'a description of more than a megabyte',
      () => sheet('', { 'xl/workbook.xml': randomBytes(2 * MB) }),
    ],
    [
      'more styles than a workbook has',
      () =>
        sheet('', {
          'xl/styles.xml': Buffer.from(
            `<styleSheet><cellXfs>${'<xf/>'.repeat(300_000)}</cellXfs></styleSheet>`,
          ),
        }),
    ],
  ])('%s is too large', async (_, bytes) => {
    await expect(load(bytes())).rejects.toMatchObject({ status: 413, code: 'too_large' });
    expect(await count()).toBe(0);
  });

  test('unknown columns in the request', async () => {
    const useless: Record<string, string>[] = [{ '0': 'phone', '1': 'shoe' }, { '1': 'lastName' }];
    for (const columns of useless)
      await expect(load('1;2', { columns })).rejects.toMatchObject({
        status: 422,
        code: 'validation',
      });
  });

  test("another's list and another's file", async () => {
    const theirs = await upload('79161234567', 'x.csv', stranger);
    const mine = await upload('79161234567');
    const run = (who: Person, key: string) =>
      who.api(contacts.import, { body: { ListId, from: { key } } });
    await expect(run(customer, theirs.key)).rejects.toMatchObject({ status: 404 });
    await expect(run(stranger, theirs.key)).rejects.toMatchObject({ status: 404 });
    await expect(run(stranger, mine.key)).rejects.toMatchObject({ status: 404 });
    expect(await run(customer, mine.key)).toMatchObject({ total: 1 });
  });
});

describe('many rows, many at once', () => {
  test('a thousand rows of CSV, and again with every other one new', async () => {
    const header = 'phone;name;lastname;date;email;custom1\n';
    const again = header + importLines(1500).split('\n').slice(500).join('\n');
    expect(await load(header + importLines(1000))).toMatchObject({ total: 1000, created: 1000 });
    expect(await load(again)).toMatchObject({ created: 500, updated: 500 });
    expect(await count()).toBe(1500);
  });

  test('two imports into one list at once lose nothing', async () => {
    const reports = await Promise.all([
      load(`phone\n${importLines(3000)}`),
      load(`phone\n${importLines(2000)}`),
    ]);
    expect(reports.reduce((sum, r) => sum + r.created, 0)).toBe(3000);
    expect(await count()).toBe(3000);
  });

  test('a third of one account at a time is refused for a moment, with a key too', async () => {
    const { key } = await upload(`phone\n${importLines(20_000)}`);
    const all = await Promise.allSettled(
      Array.from({ length: 5 }, (_, i) =>
        customer.api(contacts.import, {
          body: { ListId, from: { key } },
          headers: { 'idempotency-key': `at-a-time-${i}` },
        }),
      ),
    );
    const refused = all.filter((one) => one.status === 'rejected');
    expect(refused).toHaveLength(3);
    for (const { reason } of refused)
      expect(reason).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(await count()).toBe(20_000);
    expect((await load('phone\n79161234567\n')).total).toBe(1);
  }, 300_000);

  test('a repeat with the same key gets the same answer', async () => {
    const { key } = await upload('phone\n79161234567\n123\n');
    const call = () =>
      customer.api(contacts.import, {
        body: { ListId, from: { key } },
        headers: { 'idempotency-key': 'import-1' },
      });
    const report = await call();
    expect(report).toMatchObject({ created: 1, rejected: 1 });
    expect(await call()).toEqual(report);
  });
});

describe('before an import', () => {
  const preview = async (bytes: string | Uint8Array, who = customer) => {
    const { key } = await upload(bytes);
    return who.api(contacts.preview, { body: { from: { key } } });
  };

  test('the preview has the guessed fields of the columns and the first rows', async () => {
    const rows = Array.from({ length: 9 }, (_, i) => `Анна;+7916123456${i};x`);
    expect(await preview(`Имя;Телефон;Скидка\n\n${rows.join('\n')}`)).toEqual({
      columns: [
        { name: 'Имя', field: 'firstName' },
        { name: 'Телефон', field: 'phone' },
        { name: 'Скидка', field: null },
      ],
      hasHeader: true,
      dateOrder: null,
      several: 0,
      rows: rows.slice(0, 5).map((row) => row.split(';')),
      sheets: [],
      sheet: null,
    });
  });

  test('unknown header names are ignored, columns without names are recognised by their values', async () => {
    expect(await preview('A;B\n1;2')).toMatchObject({
      columns: [
        { name: 'A', field: null },
        { name: 'B', field: null },
      ],
      hasHeader: true,
    });
    expect(await preview('Анна;+79161234567;a@b.org\nПётр;;c@d.org')).toEqual({
      columns: [
        { name: '', field: null },
        { name: '', field: 'phone' },
        { name: '', field: 'email' },
      ],
      hasHeader: false,
      dateOrder: null,
      several: 0,
      rows: [
        ['Анна', '+79161234567', 'a@b.org'],
        ['Пётр', '', 'c@d.org'],
      ],
      sheets: [],
      sheet: null,
    });
  });

  test('a workbook, and corrected rejected rows without the two added columns', async () => {
    expect(
      await preview(
        await workbook([
          ['phone', 'Имя'],
          ['+79161234567', 'Анна'],
        ]),
      ),
    ).toMatchObject({
      columns: [{ field: 'phone' }, { field: 'firstName' }],
      rows: [['+79161234567', 'Анна']],
    });
    const report = await load('phone;Имя\n12;Анна\n');
    const back = await preview(await rejectedText(report));
    expect(back.columns.map(({ name }) => name)).toEqual(['phone', 'Имя']);
  });

  test('a file of another account is not found, one without rows is refused', async () => {
    const { key } = await upload('phone\n+79161234567');
    await expect(stranger.api(contacts.preview, { body: { from: { key } } })).rejects.toMatchObject(
      { status: 404 },
    );
    await expect(preview('\n\n')).rejects.toMatchObject({ status: 422 });
  });
});

test('the request says whether the first row is a header', async () => {
  const columns = { '0': 'custom01', '1': 'phone' };
  const first = await load('100200;+79161234567\n', { columns, hasHeader: true }).catch((e) => e);
  expect(first).toMatchObject({ status: 422 });
  expect(await load('Код;нет\n', { columns, hasHeader: false })).toMatchObject({
    total: 0,
    reasons: { phone: 1 },
  });
});

test('existing contacts can be skipped', async () => {
  await load('phone;name\n+79161234567;Анна\n');
  const again =
    'phone;name;email\n+79161234567;Мария;\n+79161234568;Пётр;\n+79161234568;Павел;\n;Ольга;o@b.org';
  expect(await load(again, { existing: 'skip' })).toMatchObject({
    total: 2,
    created: 2,
    updated: 0,
    skipped: 1,
  });
  expect((await saved()).map((c) => c.firstName)).toEqual(['Анна', 'Павел', 'Ольга']);
  expect(await count()).toBe(3);
  expect(await load(again)).toMatchObject({ created: 0, updated: 3, skipped: 0 });
});

test('sockets receive the numbers of created and updated contacts, not the rows', async () => {
  type Told = { groupId: string; count: number };
  // Events of other tests may arrive late, and changes of one interval arrive as one count.
  const countIn = (heard: unknown[]) =>
    (heard as Told[]).reduce((n, { groupId, count }) => n + (groupId === ListId ? count : 0), 0);
  const created = await listen(world, customer, 'contacts.created');
  await load('phone;first name\n79161234567;Anna');
  await until(async () => countIn(created) === 1, 'the first number comes');
  const updated = await listen(world, customer, 'contacts.updated');
  await load('phone;first name\n79161234567;Anna K\n79161234568;Boris\n79161234569;Vera');
  await until(async () => countIn(created) === 3 && countIn(updated) === 1, 'both numbers come');
  for (const event of [...created, ...updated]) expect(event).not.toHaveProperty('items');
});

test.each([
  ['a text file', async (rows: string[][]) => rows.map((row) => row.join('\t')).join('\n')],
  ['a workbook', workbook],
])(
  'the tags of %s replace those that a contact has, and an empty cell leaves them',
  async (_, make) => {
    await load(
      await make([
        ['Phone', 'Tags'],
        ['+79161234567', 'VIP; vip, "New" \\ {1}'],
        ['+79161234568', ''],
      ]),
    );
    expect((await saved()).map(({ tags }) => tags)).toEqual([['VIP', '"New" \\ {1}'], []]);
    const found = await customer.api(contacts.find, { query: { filter: { ListId, tag: 'vip' } } });
    expect(found.total).toBe(1);
    const report = await load(
      await make([
        ['Телефон', 'Теги'],
        ['+79161234567', ''],
        ['+79161234568', 'late'],
        ['+79161234569', 'x'.repeat(51)],
      ]),
    );
    expect(report).toMatchObject({ updated: 2, rejected: 1, reasons: { tags: 1 } });
    expect((await saved()).map(({ tags }) => tags)).toEqual([['VIP', '"New" \\ {1}'], ['late']]);
  },
);

test('a file of contacts is imported as the same contacts', async () => {
  const fields = [
    { field: 'custom03' as const, title: 'City' },
    { field: 'custom04' as const, title: 'Phone 2' },
  ];
  await customer.api(contactFields.update, { body: { fields } });
  const given = [
    { phone: '+79161234567', firstName: 'Anna', gender: 'female' as const, tags: ['VIP', 'a, b'] },
    { phone: '+79161234568', email: 'b@example.com', lastName: '=HYPERLINK("x")', tags: ['"x"'] },
    { email: 'c@example.com', date: '1990-02-03', custom03: 'Tver; "Volga"', custom04: '5' },
    { email: 'd@example.com', middleName: 'Ann', custom17: '-5', tags: ['Paris, Texas; USA'] },
  ];
  for (const one of given) await customer.api(contacts.create, { body: { ListId, ...one } });
  const before = await saved();
  const titles = new Map<string, string>(fields.map(({ field, title }) => [field, title]));
  const file = new ContactFile({
    nameOf: (field) => titles.get(field) ?? field,
    titleOf: (field) => titles.get(field),
    genderOf: (gender) => gender,
  });
  for (const one of before) file.add(one);
  ({ id: ListId } = await customer.api(contactLists.create, {
    body: { title: 'Copy', type: 'regular' },
  }));
  expect(await load(file.text)).toMatchObject({ created: 4, rejected: 0, passedOver: [] });
  const own = ({ id, createdAt, updatedAt, ListId: list, ...values }: (typeof before)[number]) =>
    values;
  expect((await saved()).map(own)).toEqual(before.map(own));
  expect(await load(file.text)).toMatchObject({ created: 0, updated: 4 });
  await customer.api(contactFields.update, { body: { fields: [] } });
});
