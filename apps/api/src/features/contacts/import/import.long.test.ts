import { contactLists, contacts, storage, type StoredFile } from '@heliograph/contract';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AppError } from '../../../core/errors.ts';
import { importLines } from '../../../../test/factories.ts';
import { type Person, World } from '../../../../test/world.ts';
import { zip } from '../../../../test/zip.ts';
import { openBook } from '../../../core/sheets/open-book.ts';

let world: World;
let customer: Person;

beforeAll(async () => {
  world = await World.start();
  customer = await world.person();
});
afterAll(() => world.stop());

const newList = async () =>
  (await customer.api(contactLists.create, { body: { title: 'Many', type: 'regular' } })).id;

async function load(ListId: string, bytes: string | Uint8Array) {
  const body = new FormData();
  body.set('file', new Blob([bytes as never]), 'many');
  const { key } = (await customer.api(storage.create, {
    body: body as never,
    query: {},
  })) as StoredFile;
  return customer.api(contacts.import, { body: { ListId, from: { key } } });
}

/** Megabytes by which the process grows at most while `act` runs. */
async function growth(act: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage().rss;
  let peak = before;
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 10);
  await act().finally(() => clearInterval(timer));
  return (peak - before) / 1024 / 1024;
}

test('100,000 rows of CSV, and again with every other one new', async () => {
  const ListId = await newList();
  const header = 'phone;name;lastname;date;email;custom1\n';
  const first = header + importLines(100_000);
  const again = header + importLines(150_000).split('\n').slice(50_000).join('\n');
  const grown = await growth(async () => {
    expect(await load(ListId, first)).toMatchObject({ total: 100_000, created: 100_000 });
    expect(await load(ListId, again)).toMatchObject({ created: 50_000, updated: 50_000 });
  });
  expect(grown).toBeLessThan(256);
  const { count } = await customer.api(contactLists.get, { params: { id: ListId } });
  expect(count).toBe(150_000);
}, 600_000);

test('100,000 rows of a workbook', async () => {
  const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
  const rows = Array.from(
    { length: 100_000 },
    (_, i) =>
      `<row><c><v>7916${1_000_000 + i}</v></c>${text(`Анна ${i}`)}${text(`a${i}@b.org`)}</row>`,
  );
  const head = `<row>${text('phone')}${text('name')}${text('email')}</row>`;
  const bytes = zip({
    'xl/workbook.xml': Buffer.from('<workbook/>'),
    'xl/worksheets/sheet1.xml': Buffer.from(
      `<worksheet><sheetData>${head}${rows.join('')}</sheetData></worksheet>`,
    ),
  });
  const ListId = await newList();
  const grown = await growth(async () =>
    expect(await load(ListId, bytes)).toMatchObject({ created: 100_000, rejected: 0 }),
  );
  expect(grown).toBeLessThan(256);
}, 600_000);

test('50,000 rows of an OpenDocument are read in a separate process', async () => {
  const text = (value: string) =>
    `<table:table-cell office:value-type="string"><text:p>${value}</text:p></table:table-cell>`;
  const row = (cells: string[]) => `<table:table-row>${cells.map(text).join('')}</table:table-row>`;
  const rows = Array.from({ length: 50_000 }, (_, i) =>
    row([`7916${1_000_000 + i}`, `Анна ${i}`, `a${i}@b.org`]),
  );
  const bytes = zip({
    mimetype: Buffer.from('application/vnd.oasis.opendocument.spreadsheet'),
    'content.xml': Buffer.from(
      `<office:document-content><office:body><office:spreadsheet><table:table table:name="A">${row(['phone', 'name', 'email'])}${rows.join('')}</table:table></office:spreadsheet></office:body></office:document-content>`,
    ),
  });
  const ListId = await newList();
  // Of the processor, so that what else the machine does is not counted.
  const used = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  let longest = 0;
  let last = used();
  const pulse = setInterval(() => {
    longest = Math.max(longest, used() - last);
    last = used();
  }, 5);
  const grown = await growth(async () =>
    expect(await load(ListId, bytes)).toMatchObject({ created: 50_000, rejected: 0 }),
  );
  clearInterval(pulse);
  expect(grown).toBeLessThan(256);
  expect(longest).toBeLessThan(700);
}, 600_000);

test('two million blank lines and one are too large', async () => {
  const ListId = await newList();
  await expect(load(ListId, `phone\n${'\n'.repeat(2_000_000)}`)).rejects.toMatchObject({
    status: 413,
    code: 'too_large',
  });
});

test('an .xls with wrong bytes is read or refused', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'heliograph-xls-'));
  const bytes = await readFile(new URL('../../../../test/contacts.xls', import.meta.url));
  let seed = 1;
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  const outcomes = new Set<string>();
  try {
    for (let i = 0; i < 60; i++) {
      const wrong = Buffer.from(bytes.subarray(0, i % 3 ? bytes.length : 8 + random(bytes.length)));
      for (let n = 0; n < 1 + (i % 20); n++)
        wrong.writeUInt8([0, 0xff, random(256)][n % 3]!, 8 + random(wrong.length - 8));
      const path = join(folder, `${i}.xls`);
      await writeFile(path, wrong);
      const read = async () => {
        const book = await openBook(path);
        try {
          for (const place of book.sheets.keys())
            for await (const { cells } of book.rows(place))
              expect(cells.every((cell) => typeof cell === 'string')).toBe(true);
          return 'read';
        } finally {
          book.close();
        }
      };
      const outcome = await read().catch((error: unknown) => {
        if (error instanceof AppError) return error.code;
        throw error;
      });
      outcomes.add(outcome);
    }
    expect(
      [...outcomes].every((one) => ['read', 'unreadable_file', 'too_large'].includes(one)),
    ).toBe(true);
    expect(outcomes.size).toBeGreaterThan(1);
  } finally {
    await rm(folder, { recursive: true });
  }
}, 600_000);
