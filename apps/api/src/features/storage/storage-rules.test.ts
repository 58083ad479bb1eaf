import {
  contactLists,
  contacts,
  sendings,
  storage,
  templates,
  tokens,
  type ApiError,
  type Permission,
  type StoredFile,
} from '@heliograph/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { uuidv7 } from '../../core/uuid.ts';
import { approve, setCarrier } from '../../../test/factories.ts';
import { type Person, World } from '../../../test/world.ts';
import { zip } from '../../../test/zip.ts';
import { wav } from '../tts/wav.ts';
import { StorageService } from './storage.service.ts';

let world: World;
let customer: Person;
let stranger: Person;
const sender = '79001112233';

beforeAll(async () => {
  world = await World.start({ QUOTA_STORAGE_MB: '1' });
  customer = await world.person();
  stranger = await world.person();
  await setCarrier(world, {});
  await approve(world, customer.id, sender, 'voice');
});
afterAll(() => world.stop());

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
type Query = { preset?: 'image' | 'sheet' | 'audio' | 'document' | 'all' };

function upload(
  bytes: Uint8Array | string,
  name: string,
  { query = {}, who = customer, type = '' }: { query?: Query; who?: Person; type?: string } = {},
): Promise<StoredFile> {
  const body = new FormData();
  body.set('file', new Blob([bytes as string], { type }), name);
  return who.api(storage.create, { body: body as never, query });
}
const recording = () => upload(wav(new Int16Array(800), 8000), 'a.wav');
const update = (id: string, body: object) =>
  customer.api(storage.update, { params: { id }, body: body as never });
const soon = (seconds: number) =>
  new Date(world.clock.now().getTime() + seconds * 1000).toISOString();
const refused = (code: string, more: object = {}) => ({ body: { code, ...more } });
const rule = (field: string, type: string) =>
  refused('validation', { data: [expect.objectContaining({ field, type })] });

test.each([
  ['image', 'GIF89a12', 'a.png', null],
  ['image', '<svg/>', 'a.png', 'file_type'],
  ['audio', 'GIF89a12', 'a.mp3', 'file_type'],
  ['sheet', 'a;b', 'a.csv', null],
  ['sheet', '%PDF-1.7', 'a.csv', 'file_type'],
  ['document', '%PDF-1.7', 'a.pdf', null],
  ['all', '<svg/>', 'a.svg', null],
] as const)(
  'as %s, %s under the name %s is judged by its bytes',
  async (preset, bytes, name, wrong) => {
    const outcome = await upload(bytes, name, { query: { preset } }).then(
      (file) => file.filename,
      (error: ApiError) => error.body.data?.[0]?.type,
    );
    expect(outcome).toBe(wrong ?? name);
  },
);

test('the list is filtered by preset', async () => {
  const image = await upload(PNG, 'only.png');
  const find = async (preset: Query['preset']) =>
    (await customer.api(storage.find, { query: { filter: { preset }, search: 'only' } })).data.map(
      ({ id }) => id,
    );
  expect([await find('image'), await find('audio'), await find('all')]).toEqual([
    [image.id],
    [],
    [image.id],
  ]);
});

test('a full quota refuses a file before it is stored, and usage says what is left', async () => {
  const who = await world.person();
  const half = Buffer.alloc(600 * 1024, 'x');
  await upload(half, 'a.txt', { who });
  expect(await who.api(storage.usage)).toEqual({ used: half.length, limit: 1024 * 1024 });
  await expect(upload(half, 'b.txt', { who })).rejects.toMatchObject(
    refused('quota_exceeded', { payload: { quota: 'storage', limit: 1024 * 1024 } }),
  );
  const next = await world.person();
  const both = await Promise.allSettled(
    ['a.txt', 'b.txt'].map((name) => upload(half, name, { who: next })),
  );
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect((await next.api(storage.usage)).used).toBe(half.length);
});

test('twenty uploads at once do not exceed the quota', async () => {
  const who = await world.person();
  const part = Buffer.alloc(200 * 1024, 'x');
  const uploads = await Promise.allSettled(
    Array.from({ length: 20 }, (_, i) => upload(part, `${i}.txt`, { who })),
  );
  expect(uploads.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  const reasons = uploads.flatMap((one) =>
    one.status === 'rejected' ? [one.reason as object] : [],
  );
  expect(reasons).toEqual(
    Array.from({ length: 15 }, () => expect.objectContaining({ code: 'quota_exceeded' })),
  );
  expect((await who.api(storage.usage)).used).toBe(5 * part.length);
});

describe('an expiry', () => {
  test('is set, moved and removed, and then the file goes', async () => {
    const { id } = await upload(PNG, 'a.png');
    expect((await update(id, { expiredAt: soon(600) })).expiredAt).toBe(
      (await customer.api(storage.get, { params: { id }, query: { return: 'meta' } })).expiredAt,
    );
    expect((await update(id, { expiredAt: null })).expiredAt).toBeNull();
    await update(id, { expiredAt: soon(60) });
    world.clock.forward(61);
    await expect(update(id, { title: 'x' })).rejects.toMatchObject({ status: 404 });
  });

  test.each([
    ['in the past', -1, 'past'],
    ['beyond a year', 367 * 86_400, 'far'],
  ])('%s is refused', async (_, seconds, wrong) => {
    const { id } = await upload(PNG, 'a.png');
    await expect(update(id, { expiredAt: soon(seconds) })).rejects.toMatchObject(
      rule('expiredAt', wrong),
    );
  });
});

describe('a file that is used', () => {
  const voice = (audio: string) => ({ type: 'voice' as const, payload: { sender, audio } });

  test('by a template is neither removed nor set to expire, and the refusal names the template', async () => {
    const { id } = await recording();
    const template = await customer.api(templates.create, {
      body: { title: 'Call', ...voice(id) },
    });
    const used = {
      status: 409,
      ...refused('in_use', {
        payload: { locks: 1, tasks: [], templates: [{ id: template.id, title: 'Call' }] },
      }),
    };
    await expect(customer.api(storage.remove, { params: { id } })).rejects.toMatchObject(used);
    await expect(update(id, { expiredAt: soon(600) })).rejects.toMatchObject(used);
    expect(await update(id, { title: 'Renamed' })).toMatchObject({ title: 'Renamed', locks: 1 });
    await customer.api(templates.remove, { params: { id: template.id } });
    await customer.api(storage.remove, { params: { id } });
  });

  test('by a bulk is named with the task, also when its id was sent in upper case', async () => {
    const { id } = await recording();
    const task = await customer.api(sendings.create, {
      body: {
        ...voice(id.toUpperCase()),
        recipient: ['+79990000000', '+79990000001'],
        schedule: { delay: soon(86_400) },
      },
    });
    await expect(customer.api(storage.remove, { params: { id } })).rejects.toMatchObject(
      refused('in_use', {
        payload: {
          locks: 1,
          templates: [],
          tasks: [expect.objectContaining({ id: (task as { id: string }).id })],
        },
      }),
    );
  });
});

test("another account's file is not found wherever a file is named", async () => {
  const { id } = await recording();
  const sheet = (await upload('phone\n+79161234567\n', 'a.csv')).id;
  await approve(world, stranger.id, sender, 'voice');
  const { id: ListId } = await stranger.api(contactLists.create, {
    body: { title: 'Mine', type: 'regular' },
  });
  const call = { type: 'voice' as const, payload: { sender, audio: id } };
  const recipient = '+79990000000';
  const params = { id };
  const acts: [string, Promise<unknown>][] = [
    ['a message', stranger.api(sendings.create, { body: { ...call, recipient } })],
    ['a bulk', stranger.api(sendings.create, { body: { ...call, recipient: [recipient] } })],
    [
      'a fallback',
      stranger.api(sendings.create, {
        body: {
          type: 'sms',
          payload: { sender: 'DEMO', text: 'Tea' },
          recipient,
          fallbacks: [{ ...call, options: { onStatus: ['failed'] } }],
        },
      }),
    ],
    ['an estimate', stranger.api(sendings.estimate, { body: { ...call, recipient } })],
    ['a template', stranger.api(templates.create, { body: { title: 'Call', ...call } })],
    ['an import', stranger.api(contacts.import, { body: { ListId, from: { key: sheet } } })],
    ['a preview of contacts', stranger.api(contacts.preview, { body: { from: { key: sheet } } })],
    ['a preview', stranger.api(storage.preview, { params: { id: sheet }, query: {} })],
    ['a ticket', stranger.api(storage.ticket, { params })],
    ['contents', stranger.api(storage.get, { params })],
    ['a new title', stranger.api(storage.update, { params, body: { title: 'x' } })],
    ['a removal', stranger.api(storage.remove, { params })],
  ];
  const results = await Promise.allSettled(acts.map(([, act]) => act));
  const codes = results.map((result, i) => [
    acts[i]![0],
    result.status === 'rejected' ? (result.reason as { status: number }).status : 'done',
  ]);
  expect(codes).toEqual(acts.map(([what]) => [what, 404]));
});

describe('a title', () => {
  test.each([
    ['a path', '../../etc/passwd', '../../etc/passwd'],
    ['marks that turn the direction', 'a\u202Etxt.exe', 'atxt.exe'],
    ['control characters', 'a\u0001b\r\nc\u0085', 'abc'],
    ['spaces around it', '  Tea  ', 'Tea'],
    ['200 characters', 'я'.repeat(200), 'я'.repeat(200)],
  ])('with %s stays a title, and a download has a plain name', async (_, title, kept) => {
    const { id } = await upload(PNG, 'a.png');
    expect((await update(id, { title })).title).toBe(kept);
    const answer = await fetch(`${world.base}/api/storage/${id}`, {
      headers: { authorization: customer.token },
    });
    expect(answer.status).toBe(200);
    const named = decodeURIComponent(answer.headers.get('content-disposition')!);
    expect(named).toMatch(/^attachment; filename/);
    expect(
      named
        .split(/filename\*?=/)
        .slice(1)
        .join(),
    ).not.toMatch(/[\r\n\0]|\.\.\//);
  });

  test.each([
    ['nothing', ''],
    ['invisible characters only', '\u200b\u202e'],
    ['more than 200 characters', 'x'.repeat(201)],
  ])('of %s is refused', async (_, title) => {
    const { id } = await upload(PNG, 'a.png');
    await expect(update(id, { title })).rejects.toMatchObject({ status: 422 });
  });

  test.each([
    ['300 letters', `${'a'.repeat(300)}.png`],
    ['300 emoji', `${'🍵'.repeat(300)}.png`],
    ['marks of direction', 'a\u202Egnp.exe'],
  ])('comes from a name of %s', async (_, name) => {
    const { title, filename } = await upload(PNG, name);
    expect(title).toBe(filename);
    expect(title.length).toBeLessThanOrEqual(200);
    expect(title.isWellFormed()).toBe(true);
    expect(title).not.toMatch(/\p{Cf}/u);
  });
});

describe('a preview', () => {
  const preview = (id: string, sheet?: string) =>
    customer.api(storage.preview, { params: { id }, query: { sheet } });
  const SHEET = (rows: string) =>
    `<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows}</sheetData></worksheet>`;
  const row = (n: number, value: string) =>
    `<row r="${n}"><c r="A${n}" t="inlineStr"><is><t>${value}</t></is></c></row>`;
  const archive = (parts: [name: string, xml: string][]) =>
    zip(Object.fromEntries(parts.map(([name, xml]) => [name, Buffer.from(xml)])));
  const workbook = (...sheets: [name: string, xml: string][]) =>
    archive([
      [
        'xl/workbook.xml',
        `<?xml version="1.0"?><workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>${sheets
          .map(([name], i) => `<sheet name="${name}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`)
          .join('')}</sheets></workbook>`,
      ],
      [
        'xl/_rels/workbook.xml.rels',
        `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${sheets
          .map(
            (_, i) =>
              `<Relationship Id="rId${i + 1}" Type="worksheet" Target="worksheets/sheet${i + 1}.xml"/>`,
          )
          .join('')}</Relationships>`,
      ],
      ...sheets.map(([, xml], i): [string, string] => [`xl/worksheets/sheet${i + 1}.xml`, xml]),
    ]);

  test('of a CSV has its first rows, in the encoding and with the delimiter that it has', async () => {
    const { id } = await upload(
      Buffer.from('name;city\nAnna;\xcc\xee\xf1\xea\xe2\xe0\n', 'latin1'),
      'a.csv',
    );
    expect(await preview(id)).toEqual({
      kind: 'table',
      text: null,
      sheets: [],
      sheet: null,
      rows: [
        ['name', 'city'],
        ['Anna', 'Москва'],
      ],
      isTruncated: false,
    });
  });

  test('is bounded in rows, columns and characters, whatever a file has', async () => {
    const wide = `${Array.from({ length: 100 }, (_, n) => `c${n}`).join(';')}\n`;
    const { id } = await upload(`${wide}${'x'.repeat(5000)};b\n${'a;b\n'.repeat(90_000)}`, 'a.csv');
    const { rows, isTruncated } = await preview(id);
    expect(isTruncated).toBe(true);
    expect([rows.length, rows[0]!.length, rows[1]![0]!.length]).toEqual([50, 30, 200]);
    const long = await upload('я'.repeat(300_000), 'a.txt');
    const text = await preview(long.id);
    expect([text.kind, text.text!.length, text.isTruncated]).toEqual(['text', 20_000, true]);
  });

  test('of a workbook has the names of its sheets and the rows of the chosen one', async () => {
    const bytes = workbook(['Prices', SHEET(row(1, 'Tea'))], ['Stock', SHEET(row(1, 'Pots'))]);
    const { id } = await upload(bytes, 'a.xlsx');
    expect(await preview(id)).toMatchObject({
      sheets: ['Prices', 'Stock'],
      sheet: 'Prices',
      rows: [['Tea']],
    });
    expect(await preview(id, 'Stock')).toMatchObject({ sheet: 'Stock', rows: [['Pots']] });
    await expect(preview(id, 'Other')).rejects.toMatchObject(rule('sheet', 'unknown'));
  });

  test('of a zip bomb is refused', async () => {
    const bytes = workbook(['Prices', SHEET(' '.repeat(60_000_000))]);
    expect(bytes.length).toBeLessThan(500_000);
    const { id } = await upload(bytes, 'a.xlsx');
    await expect(preview(id)).rejects.toMatchObject({ status: 422, ...refused('unreadable_file') });
  });

  test.each([
    ['an image', PNG, 'a.png'],
    ['a damaged workbook', 'PK\x03\x04123456', 'a.xlsx'],
    ['bytes that are called a text', Buffer.alloc(100), 'a.txt'],
  ])('of %s is refused', async (_, bytes, name) => {
    const { id } = await upload(bytes, name);
    await expect(preview(id)).rejects.toMatchObject({ status: 422, ...refused('unreadable_file') });
  });

  test('of scripts is a text', async () => {
    const { id } = await upload('<svg><script>alert(1)</script></svg>', 'a.svg');
    expect(await preview(id)).toMatchObject({
      kind: 'text',
      text: expect.stringContaining('alert'),
    });
  });
});

test('a file claimed by a sending loses its expiry in the same transaction', async () => {
  const { id } = await upload(PNG, 'a.png');
  await update(id, { expiredAt: soon(600) });
  await world.api.get(StorageService).claim([id]);
  expect((await update(id, {})).expiredAt).toBeNull();
});

test('a file that was made of rows is read with the permission of the rows', async () => {
  const service = world.api.get(StorageService);
  const stored = await service.storeBytes(customer.id, Buffer.from('a;b\n1;2\n'), {
    filename: 'ledger.csv',
  });
  const { id } = await service.addGenerated({
    ...stored,
    id: uuidv7(),
    permission: 'billings.find',
  });
  const { id: own } = await upload('a;b', 'own.csv');
  const withPermissions = async (permissions: Permission[]) => {
    const { token } = await customer.api(tokens.create, {
      body: { description: 'S', permissions },
    });
    return world.client(token);
  };
  const files: Permission[] = [
    'storage.get',
    'storage.update',
    'contactLists.get',
    'contacts.create',
  ];
  const narrow = await withPermissions(files);
  const params = { id };
  const denied = { body: { code: 'forbidden', payload: { permission: 'billings.find' } } };
  const meta = { return: 'meta' as const };
  await expect(narrow(storage.get, { params, query: meta })).rejects.toMatchObject(denied);
  await expect(narrow(storage.get, { params })).rejects.toMatchObject(denied);
  await expect(narrow(storage.preview, { params })).rejects.toMatchObject(denied);
  await expect(narrow(storage.ticket, { params })).rejects.toMatchObject(denied);
  const published = { params, body: { isPublic: true } };
  await expect(narrow(storage.update, published)).rejects.toMatchObject(denied);
  const both = await withPermissions([...files, 'billings.find']);
  expect(await both(storage.get, { params, query: meta })).toMatchObject({ id });
  const listed = async (api: typeof narrow) => {
    const { data } = await api(storage.find, { query: { filter: { id: [id, own] } } });
    return data.map((file) => file.id).toSorted();
  };
  expect(await listed(narrow)).toEqual([own]);
  expect(await listed(both)).toEqual([id, own].toSorted());
});
