import { deflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Person } from '../world.ts';
import { zip } from '../zip.ts';
import { Target, type Reply } from './target.ts';

const MB = 1024 * 1024;

let target: Target;
let person: Person;
let other: Person;
beforeAll(async () => {
  target = await Target.start();
  person = await target.person();
  other = await target.person();
});
afterAll(() => target.stop());

function upload(
  bytes: string | Uint8Array,
  name: string,
  type = 'application/octet-stream',
  who = person,
): Promise<Reply> {
  const form = new FormData();
  form.set('file', new Blob([bytes as string], { type }), name);
  return target.shoot('/api/storage', { token: who.token, bytes: form });
}

const script = '<script>alert(document.domain)</script>';
const svg = `<svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`;
const HOSTILE: [name: string, file: string, type: string, bytes: string][] = [
  ['a page', 'page.html', 'text/html', `<html>${script}</html>`],
  ['a page under another name', 'picture.png', 'image/png', `<html>${script}</html>`],
  [
    'a page of another kind',
    'page.xhtml',
    'application/xhtml+xml',
    `<html xmlns="http://www.w3.org/1999/xhtml">${script}</html>`,
  ],
  ['a drawing with a script', 'picture.svg', 'image/svg+xml', svg],
  ['a drawing under another name', 'picture.jpg', 'image/jpeg', svg],
  ['a script', 'code.js', 'text/javascript', 'alert(1)'],
  ['a module', 'code.mjs', 'application/javascript', 'alert(1)'],
  ['a worker', 'sw.js', 'application/javascript', 'self.onfetch = () => {}'],
  ['XML with a style', 'data.xml', 'text/xml', '<?xml-stylesheet href="javascript:alert(1)"?><a/>'],
  ['a style', 'x.css', 'text/css', 'body{background:url(//evil.example)}'],
  ['a PDF that is a page', 'both.pdf', 'application/pdf', `%PDF-1.4\n<html>${script}</html>`],
  ['a GIF that is a script', 'both.gif', 'image/gif', 'GIF89a=1;alert(1)//'],
  ['Flash', 'x.swf', 'application/x-shockwave-flash', 'FWS\u0009'],
  ['a shell script', 'x.sh', 'text/x-sh', '#!/bin/sh\nid'],
  ['an archive of web pages', 'x.mht', 'multipart/related', `MIME-Version: 1.0\n\n${script}`],
  ['a type with a line in it', 'x.txt', 'text/plain\r\nX-Evil: 1', 'x'],
  ['a type with parameters', 'x.txt', 'text/html; charset=utf-7', '+ADw-script+AD4-'],
];
test.each(HOSTILE)('%s is no page of ours', async (_, file, type, bytes) => {
  await target.attack(async () => {
    const made = await upload(bytes, file, type);
    if (made.status >= 400) return;
    const { headers } = await target.shoot(`/api/storage/${made.json.id}`, { token: person.token });
    expect(headers.get('x-evil')).toBeNull();
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-disposition')).toMatch(/^attachment/);
    expect(headers.get('content-security-policy')).toMatch(/sandbox|default-src 'none'/);
    expect(headers.get('content-type')).not.toMatch(/html|svg|javascript|xml|flash|css|multipart/);
  });
});

const NAMES: [name: string, file: string][] = [
  ['a path upwards', '../../../../tmp/evil.txt'],
  ['a path of Windows', '..\\..\\evil.txt'],
  ['an absolute path', '/etc/cron.d/evil'],
  ['a line break', 'a\r\nSet-Cookie: x=1.txt'],
  ['quotes', 'a".txt; filename="b.exe'],
  ['a NUL', 'a\u0000.txt'],
  ['4,000 letters', `${'a'.repeat(4000)}.txt`],
  ['marks of direction', '\u202etxt.exe'],
  ['markup', '<img src=x onerror=alert(1)>.txt'],
  ['dots', '..'],
  ['nothing', ''],
  ['a device', 'CON'],
];
test.each(NAMES)('a username with %s is stored unchanged', async (_, file) => {
  await target.attack(async () => {
    const made = await upload('text', file, 'text/plain');
    if (made.status >= 400) return;
    expect(JSON.stringify(made.json)).not.toMatch(/\.\.\/|\\u0000/);
    const { headers, status } = await target.shoot(`/api/storage/${made.json.id}`, {
      token: person.token,
    });
    expect(status).toBe(200);
    expect(headers.get('set-cookie')).toBeNull();
    expect(headers.get('content-disposition')).not.toMatch(/[\r\n\0]/);
  });
});

test('another account cannot read, rename or remove a file', async () => {
  const made = await upload('mine', 'mine.txt', 'text/plain');
  await target.attack(async () => {
    const path = `/api/storage/${made.json.id}`;
    for (const shot of [{}, { method: 'PUT', body: { title: 'x' } }, { method: 'DELETE' }]) {
      expect((await target.shoot(path, { token: other.token, ...shot })).status).toBe(404);
    }
    expect((await target.shoot(path)).status).toBe(401);
    expect((await target.shoot(`${path}?token=${other.token}`)).status).toBe(404);
  });
});

const MULTIPARTS: [name: string, body: string][] = [
  ['without a file', '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n'],
  [
    'with two files',
    '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n1\r\n--x\r\nContent-Disposition: form-data; name="file"; filename="b"\r\n\r\n2\r\n--x--\r\n',
  ],
  [
    'with a field called __proto__',
    '--x\r\nContent-Disposition: form-data; name="__proto__[a]"\r\n\r\n1\r\n--x--\r\n',
  ],
  [
    'with 2,000 fields',
    `${Array.from({ length: 2000 }, (_, i) => `--x\r\nContent-Disposition: form-data; name="f${i}"\r\n\r\n1\r\n`).join('')}--x--\r\n`,
  ],
  [
    'with a field of 2 MB',
    `--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n${'x'.repeat(2_000_000)}\r\n--x--\r\n`,
  ],
  [
    'with deep names',
    `--x\r\nContent-Disposition: form-data; name="a${'[b]'.repeat(500)}"\r\n\r\n1\r\n--x--\r\n`,
  ],
  ['without an end', '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n1'],
  ['without headers', '--x\r\n\r\n1\r\n--x--\r\n'],
  [
    'with long headers',
    `--x\r\nContent-Disposition: form-data; name="file"; filename="${'a'.repeat(100_000)}"\r\n\r\n1\r\n--x--\r\n`,
  ],
];
test.each(MULTIPARTS)(
  'a form %s is refused or accepted, without an internal error',
  async (_, bytes) => {
    await target.attack(async () => {
      const { status } = await target.shoot('/api/storage', {
        token: person.token,
        bytes,
        headers: { 'content-type': 'multipart/form-data; boundary=x' },
      });
      expect([201, 400, 413, 415, 422]).toContain(status);
    });
  },
);

test('25 MB are refused and not stored', async () => {
  await target.attack(async () => {
    const { status } = await upload(new Uint8Array(25 * 1024 * 1024), 'big.bin');
    expect(status).toBe(413);
  });
});

describe('an import', () => {
  const importing = async (bytes: string | Uint8Array, name: string) => {
    const list = await target.shoot('/api/contactLists', {
      token: person.token,
      body: { title: 'List', type: 'regular' },
    });
    const file = await upload(bytes, name);
    expect([list.status, file.status]).toEqual([201, 201]);
    const reply = await target.shoot('/api/contacts', {
      method: 'PUT',
      token: person.token,
      body: { ListId: list.json.id, from: { key: file.json.id } },
    });
    return { reply, ListId: list.json.id as string };
  };
  const dots = `a@${'.'.repeat(60_000)}`;
  const TABLES: [name: string, file: string, bytes: string][] = [
    ['of one line of 5 MB', 'a.csv', 'x'.repeat(5_000_000)],
    ['of 100,000 columns', 'a.csv', `${'a,'.repeat(100_000)}\n`],
    ['of e-mails of dots', 'a.csv', `email\n${`${dots}\n`.repeat(50)}`],
    ['of quotes that never close', 'a.csv', `phone\n"${'a\n'.repeat(200_000)}`],
    ['of quotes alone', 'a.csv', '"'.repeat(1_000_000)],
    ['of NULs', 'a.csv', '\0'.repeat(1_000_000)],
    ['of numbers of 10,000 digits', 'a.csv', `phone\n${`${'7'.repeat(10_000)}\n`.repeat(100)}`],
    ['of spaces', 'a.csv', `phone,name\n${`79001230001,${' '.repeat(10_000)}\n`.repeat(100)}`],
    ['that is no workbook', 'a.xlsx', 'PK\u0003\u0004nothing'],
    ['of 18 million empty cells', 'a.csv', ';'.repeat(18 * MB)],
    ['of empty cells between quotes', 'a.csv', `${';'.repeat(60_000)}"\n"`.repeat(300)],
    ['of one quoted cell of 19 MB', 'a.csv', `phone\n"${'x'.repeat(19 * MB)}"`],
    ['of 100,000 rows without a phone', 'a.csv', `phone\n${'1\n'.repeat(100_000)}`],
    ['of blank rows', 'a.csv', `phone\n${'\r'.repeat(18 * MB)}`],
    ['of many columns', 'a.csv', `phone${';1'.repeat(999)}\n`.repeat(500)],
    ['of a page of rows', 'a.xls', `<table>${'<tr><td>1</td></tr>'.repeat(900_000)}`],
    ['of tables within tables', 'a.xls', `<table>${'<tr><td><table>'.repeat(MB)}`],
  ];
  const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
  const workbook = (rows: string, more: Record<string, string> = {}) =>
    zipOf({
      'xl/workbook.xml': '<workbook/>',
      'xl/worksheets/sheet1.xml': `<worksheet><sheetData><row>${text('phone')}</row>${rows}</sheetData></worksheet>`,
      ...more,
    });
  const openDocument = (rows: string) =>
    zipOf({ 'content.xml': `<office:spreadsheet><table:table table:name="A">${rows}` });
  const zipOf = (parts: Record<string, string>) =>
    zip(Object.fromEntries(Object.entries(parts).map(([name, xml]) => [name, Buffer.from(xml)])));
  const numbers = (count: number, cell: (n: number) => string) =>
    Array.from({ length: count }, (_, n) => cell(n)).join('');
  const WORKBOOKS: [name: string, file: string, bytes: () => Buffer][] = [
    [
      'of a million strings',
      'a.xlsx',
      () =>
        workbook('', {
          'xl/sharedStrings.xml': `<sst>${numbers(MB, (n) => `<si><t>${n}</t></si>`)}</sst>`,
        }),
    ],
    [
      'of a string that 270,000 cells share',
      'a.xlsx',
      () =>
        workbook(`<row>${'<c t="s"><v>0</v></c>'.repeat(900)}</row>`.repeat(300), {
          'xl/sharedStrings.xml': `<sst><si><t>${'x'.repeat(500_000)}</t></si></sst>`,
        }),
    ],
    ['of rows within rows', 'a.xlsx', () => workbook(numbers(500_000, (n) => `<row r="${n}"><c>`))],
    [
      'of styles within styles',
      'a.xlsx',
      () => workbook('', { 'xl/styles.xml': `<styleSheet>${'<cellXfs>'.repeat(200_000)}` }),
    ],
    [
      'of paragraphs within paragraphs',
      'a.ods',
      () => openDocument(`<table:table-row>${numbers(300_000, (n) => `<text:p id="${n}">`)}`),
    ],
    [
      'of cells that are repeated',
      'a.ods',
      () =>
        openDocument(
          '<table:table-row table:number-rows-repeated="1000000"><table:table-cell table:number-columns-repeated="16384"><text:p>a</text:p></table:table-cell></table:table-row>',
        ),
    ],
  ];
  test.each(WORKBOOKS)('%s is answered and delays no other caller', async (_, name, bytes) => {
    const made = bytes();
    await target.attack(async () => {
      const { reply } = await importing(made, name);
      expect([200, 413, 422], reply.text).toContain(reply.status);
    });
  });
  test.each(TABLES)('%s is answered and delays no other caller', async (_, name, bytes) => {
    await target.attack(async () => {
      const { reply } = await importing(bytes, name);
      expect([200, 413, 422], reply.text).toContain(reply.status);
    });
  });

  const bomb = (name: string) => {
    const data = deflateRawSync(Buffer.alloc(200 * 1024 * 1024, 'a'));
    const header = Buffer.alloc(30);
    header.writeUInt32LE(0x04034b50, 0);
    header.writeUInt16LE(8, 8);
    header.writeUInt32LE(data.length, 18);
    header.writeUInt32LE(100, 22);
    header.writeUInt16LE(name.length, 26);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE(8, 10);
    central.writeUInt32LE(data.length, 20);
    central.writeUInt32LE(100, 24);
    central.writeUInt16LE(name.length, 28);
    const end = Buffer.alloc(22);
    end.writeUInt32LE(0x06054b50, 0);
    end.writeUInt16LE(1, 8);
    end.writeUInt16LE(1, 10);
    end.writeUInt32LE(46 + name.length, 12);
    end.writeUInt32LE(30 + name.length + data.length, 16);
    return Buffer.concat([header, Buffer.from(name), data, central, Buffer.from(name), end]);
  };
  const ENTRIES = [
    'xl/workbook.xml',
    'xl/worksheets/sheet1.xml',
    '[Content_Types].xml',
    '../../evil',
    'xl/sharedStrings.xml',
  ];
  test.each(ENTRIES)('of an archive whose %s grows to 200 MB is refused', async (name) => {
    const bytes = bomb(name);
    await target.attack(async () => {
      const { reply } = await importing(bytes, 'a.xlsx');
      expect([400, 413, 422]).toContain(reply.status);
    });
  });
});

test('a PDF in which nothing is found delays no other caller', async () => {
  const parts = ['/Coun ', '/ObjStm ', '/Count 9 ', '/ObjStm stream endstrea '];
  for (const part of parts)
    await target.attack(async () => {
      const made = await upload(`%PDF-1.4\n${part.repeat((18 * MB) / part.length)}`, 'a.pdf');
      expect(made.status).toBe(201);
    });
});
