import {
  MAX_FILE_SIZE,
  sendings,
  storage,
  tasks,
  TICKET_SECONDS,
  type StoredFile,
} from '@heliograph/contract';
import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { approve, setCarrier } from '../../../test/factories.ts';
import { Files } from '../../core/files/files.ts';
import { type Person, until, World } from '../../../test/world.ts';
import { wav } from '../tts/wav.ts';
import { pageCount } from './read-facts.ts';
import { StorageJobs } from './storage.jobs.ts';
import { StorageService } from './storage.service.ts';

let world: World;
let customer: Person;
let stranger: Person;

beforeAll(async () => {
  world = await World.start();
  customer = await world.person();
  stranger = await world.person();
});
afterAll(() => world.stop());

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

/** The contents of the folder of files, including uploads in progress. */
const onDisk = () =>
  readdirSync(world.config.FILES_DIR, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name);

function form(bytes: Uint8Array, name: string, type = ''): FormData {
  const body = new FormData();
  body.set('file', new Blob([bytes as Uint8Array<ArrayBuffer>], { type }), name);
  return body;
}

const upload = (body: FormData, query: { isPublic?: string } = {}) =>
  customer.api(storage.create, { body: body as never, query });

const raw = (body: RequestInit['body'], headers: Record<string, string>) =>
  fetch(`${world.base}/api/storage`, {
    method: 'POST',
    headers: { authorization: customer.token, ...headers },
    body,
    duplex: 'half',
  } as RequestInit);

const download = (id: string, more = '', headers: Record<string, string> = {}) =>
  fetch(`${world.base}/api/storage/${id}${more}`, {
    headers: { authorization: customer.token, ...headers },
  });

const pdf = (text: string) => Buffer.from(`%PDF-1.7\n${text}\n%%EOF`, 'latin1');
const packed = deflateSync('4 0 <</Type/Pages/Kids[5 0 R 6 0 R 7 0 R]/Count 3>>');

test.each<[what: string, name: string, bytes: Uint8Array, meta: object]>([
  [
    'a PNG',
    'a.png',
    Buffer.concat([PNG, Buffer.from('0000028000000168', 'hex')]),
    { width: 640, height: 360 },
  ],
  ['a GIF', 'a.gif', Buffer.from('47494638396110002000', 'hex'), { width: 16, height: 32 }],
  ['an image that is cut off', 'b.png', PNG, {}],
  ['a sound', 'a.wav', wav(new Int16Array(48_000), 16_000), { duration: 3 }],
  [
    'a PDF',
    'a.pdf',
    pdf(
      '1 0 obj <</Type /Pages /Kids [2 0 R] /Count 12>> endobj 2 0 obj <</Type/Pages/Count 5>> endobj 3 0 obj <</Type/Outlines/Count 90>> endobj',
    ),
    { pages: 12 },
  ],
  [
    'a linearized PDF',
    'b.pdf',
    pdf('1 0 obj <</Linearized 1/L 900/N 7/T 5>> endobj'),
    { pages: 7 },
  ],
  [
    'a video',
    'a.webm',
    // EBML of type webm; a segment with tracks of one picture of 640 by 360, and information of 2057 ms.
    Buffer.from(
      '1a45dfa3874282847765626d18538067a11654ae6b8cae8ae088b0820280ba8201681549a9668b4489884' +
        '0a0120000000000',
      'hex',
    ),
    { width: 640, height: 360, duration: 3 },
  ],
  ['a text', 'a.txt', Buffer.from('tea'), {}],
])('what is known of the content of %s is told', async (_, name, bytes, meta) => {
  const file = await upload(form(bytes, name));
  expect(file.meta).toEqual(meta);
  const [found] = (await customer.api(storage.find, { query: { filter: { id: [file.id] } } })).data;
  expect(found!.meta).toEqual(meta);
});

test('pages of a PDF are found in packed objects, and a bomb among them costs no more than another', async () => {
  const stream = (bytes: Buffer) =>
    Buffer.concat([
      Buffer.from(`1 0 obj <</Type/ObjStm/Length ${bytes.length}>> stream\r\n`),
      bytes,
      Buffer.from('\nendstream endobj\n'),
    ]);
  const bomb = deflateSync(Buffer.alloc(50_000_000));
  expect(await pageCount(Buffer.concat([pdf(''), stream(bomb), stream(packed)]))).toBe(3);
  expect(await pageCount(Buffer.from(`%PDF-1.4 ${'/Count 9 '.repeat(100_000)}`))).toBeNull();
});

test('a public file is read by its address without a session, until it is no longer public', async () => {
  const file = await upload(form(PNG, 'logo.png', 'image/png'), { isPublic: 'true' });
  const at = (url: string | null) => fetch(url!.replace(world.config.publicUrl, world.base));
  expect(file.url).toMatch(/\/api\/storage\/public\/[\w-]{32}$/);
  expect(Buffer.from(await (await at(file.url)).arrayBuffer())).toEqual(PNG);
  const put = (isPublic: boolean) =>
    customer.api(storage.update, { params: { id: file.id }, body: { isPublic } });
  expect(await put(true)).toMatchObject({ isPublic: true, url: file.url });
  expect(await put(false)).toMatchObject({ isPublic: false, url: null });
  expect((await at(file.url)).status).toBe(404);
  const again = await put(true);
  expect(again.url).not.toBe(file.url);
  expect((await at(again.url)).status).toBe(200);
  expect((await upload(form(PNG, 'private.png'))).url).toBeNull();
  for (const key of [file.id, 'null', '%00', 'x'.repeat(200)])
    expect([404, 422]).toContain((await fetch(`${world.base}/api/storage/public/${key}`)).status);
});

test('a file is uploaded in a form, listed, renamed, downloaded and removed', async () => {
  const file = await upload(form(PNG, 'Прайс "весна".png', 'image/png'), { isPublic: 'true' });
  expect(file).toMatchObject({
    key: file.id,
    title: 'Прайс "весна".png',
    type: 'image/png',
    size: 16,
    hash: createHash('sha256').update(PNG).digest('hex'),
    isPublic: true,
    locks: 0,
    OwnerId: customer.id,
  });
  const params = { id: file.id };
  await customer.api(storage.update, { params, body: { title: 'Spring' } });
  const page = await customer.api(storage.find, {
    query: { filter: { type: ['image/*'], id: [file.id] }, search: 'spr' },
  });
  expect(page).toMatchObject({ total: 1, limit: 17, data: [{ title: 'Spring' }] });
  expect(await customer.api(storage.get, { params, query: { return: 'meta' } })).toMatchObject({
    title: 'Spring',
    filename: 'Прайс "весна".png',
  });

  const answer = await download(file.id);
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(PNG);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'image/png',
    'content-disposition': 'attachment; filename=Spring.png',
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
  });
  await customer.api(storage.remove, { params });
  expect((await download(file.id)).status).toBe(404);
  expect(await until(async () => !onDisk().includes(file.id), 'the bytes are gone')).toBe(true);
});

test('a download link works without a session, for its file alone, until it expires', async () => {
  const link = async (id: string) => (await customer.api(storage.ticket, { params: { id } })).url;
  const open = (url: string) => fetch(world.base + url);
  const [one, other] = (await Promise.all(
    ['one', 'other'].map(async (text) =>
      (await raw(text, { 'content-type': 'text/plain' })).json(),
    ),
  )) as StoredFile[];
  const url = await link(one!.id);
  expect(url).not.toContain(customer.token);
  const answer = await open(url);
  expect([answer.status, await answer.text()]).toEqual([200, 'one']);
  expect(answer.headers.get('content-disposition')).toContain('attachment');

  const ticket = url.split('ticket=')[1]!;
  const [expires, signature] = ticket.split('.') as [string, string];
  const forged = [
    url.replace(one!.id, other!.id),
    url.replace(expires, String(Number(expires) + 1)),
    url.replace(signature, `${signature.slice(0, -1)}${signature.endsWith('A') ? 'B' : 'A'}`),
    url.replace(ticket, ''),
    url.replace(ticket, `${'9'.repeat(100)}.x`),
  ];
  for (const wrong of forged) expect([403, 422]).toContain((await open(wrong)).status);
  await expect(stranger.api(storage.ticket, { params: { id: one!.id } })).rejects.toMatchObject({
    status: 404,
  });

  world.clock.forward(TICKET_SECONDS + 1);
  onTestFinished(() => world.clock.forward(-TICKET_SECONDS - 1));
  expect((await open(url)).status).toBe(403);
  await customer.api(storage.remove, { params: { id: other!.id } });
});

test('a file is uploaded as a body and downloaded with a name in any script, in ranges and by link', async () => {
  const csv = 'phone;name\n+79161234567;Анна\n';
  const name = encodeURIComponent('Клиенты.csv');
  const created = await raw(csv, { 'content-type': 'text/csv', 'x-filename': name });
  expect(created.status).toBe(201);
  const file = (await created.json()) as StoredFile;
  expect(file).toMatchObject({
    title: 'Клиенты.csv',
    type: 'text/csv',
    size: Buffer.byteLength(csv),
  });
  const answer = await fetch(`${world.base}/api/storage/${file.id}?token=${customer.token}`, {
    headers: { range: 'bytes=0-4' },
  });
  expect(answer.status).toBe(206);
  expect(await answer.text()).toBe('phone');
  expect(answer.headers.get('content-disposition')).toBe(
    `attachment; filename=Klienty.csv; filename*=UTF-8''${name}`,
  );
  const etag = answer.headers.get('etag')!;
  expect(
    (await download(file.id, '', { 'if-none-match': etag, 'cache-control': 'max-age=0' })).status,
  ).toBe(304);
});

test.each([
  [206, 'bytes=-5', 'world'],
  [206, 'bytes=0-99999999999999999999', 'hello world'],
  [206, 'Bytes= 6-', 'world'],
  [206, 'bytes=10-10', 'd'],
  [206, 'bytes=-99999999999999999999', 'hello world'],
  // For several ranges, and for what is no range of bytes, the whole file is sent, never more than it has.
  [200, 'bytes=0-0,2-2', 'hello world'],
  [200, `bytes=${'0-,'.repeat(2000)}0-`, 'hello world'],
  [200, 'bytes=0x0-0x1', 'hello world'],
  [200, 'bytes=5-2', 'hello world'],
  [200, 'bytes=-', 'hello world'],
  [200, 'bytes=--5', 'hello world'],
  [200, 'bytes=', 'hello world'],
  [200, 'lines=1-2', 'hello world'],
  [200, 'lines=900-', 'hello world'],
  [416, 'bytes=11-', false],
  [416, 'bytes=900-901', false],
  [416, `bytes=${'9'.repeat(2000)}-`, false],
  [416, 'bytes=-0', false],
])('a range of a file is answered with %i (%#)', async (status, range, text) => {
  const created = await raw('hello world', { 'content-type': 'text/plain', 'x-filename': 'a.txt' });
  const { id } = (await created.json()) as StoredFile;
  const answer = await download(id, '', { range });
  const body = await answer.text();
  expect([answer.status, answer.ok && body]).toEqual([status, text]);
  const contentRange = { 206: expect.stringMatching(/^bytes \d+-\d+\/11$/), 416: 'bytes */11' };
  expect(answer.headers.get('content-range')).toEqual(
    contentRange[status as keyof typeof contentRange] ?? null,
  );
  expect(body.includes('range_not_satisfiable')).toBe(status === 416);
});

test('JSON may be uploaded as any other file', async () => {
  const file = await raw('{"a": 1 }', {
    'content-type': 'application/json',
    'x-filename': 'a.json',
  });
  const { id, size } = (await file.json()) as StoredFile;
  expect(size).toBe(9);
  expect(await (await download(id)).text()).toBe('{"a": 1 }');
});

test.each([
  ['png', PNG, 'x', 'text/html', 'image/png'],
  ['jpeg', Buffer.from('ffd8ffe000104a464946', 'hex'), 'x.txt', '', 'image/jpeg'],
  ['gif', Buffer.from('GIF89a12'), 'x', '', 'image/gif'],
  ['webp', Buffer.from('RIFF1234WEBPVP8 '), 'x', '', 'image/webp'],
  ['wav', Buffer.from('RIFF1234WAVEfmt '), 'x', '', 'audio/wav'],
  ['ogg', Buffer.from('OggS12345678'), 'x', '', 'audio/ogg'],
  ['mp3', Buffer.from('ID3\x04123456'), 'x', '', 'audio/mpeg'],
  ['mp3 without tags', Buffer.from('fffb9064000000', 'hex'), 'x', '', 'audio/mpeg'],
  ['mp4', Buffer.from('\0\0\0\x20ftypisom'), 'x', '', 'video/mp4'],
  ['webm', Buffer.from('\x1a\x45\xdf\xa3\x87\x42\x82\x84webm', 'latin1'), 'x', '', 'video/webm'],
  ['a false webm', Buffer.from('<script>'), 'x.webm', 'video/webm', 'application/octet-stream'],
  ['pdf', Buffer.from('%PDF-1.7\n'), 'x', '', 'application/pdf'],
  ['zip', Buffer.from('PK\x03\x04123456'), 'x', 'image/png', 'application/zip'],
  [
    'xlsx',
    Buffer.from('PK\x03\x04123456'),
    'x.xlsx',
    '',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ],
  [
    'ods',
    Buffer.from('PK\x03\x04123456'),
    'x.ods',
    '',
    'application/vnd.oasis.opendocument.spreadsheet',
  ],
  [
    'a false ods',
    Buffer.from('<script>'),
    'x.ods',
    'application/vnd.oasis.opendocument.spreadsheet',
    'application/octet-stream',
  ],
  ['csv called a workbook', Buffer.from('a;b'), 'x.csv', 'application/vnd.ms-excel', 'text/csv'],
  ['a false png', Buffer.from('<script>'), 'x.png', 'image/png', 'application/octet-stream'],
  ['as declared', Buffer.from('BEGIN:VCARD'), 'x.vcf', 'text/vcard', 'text/vcard'],
])('the bytes tell the type: %s', async (_, bytes, name, declared, type) => {
  expect((await upload(form(bytes, name, declared))).type).toBe(type);
});

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const PAGE = '<!doctype html><script>alert(1)</script>';
const BYTES = 'application/octet-stream';

test.each([
  ['a.svg', SVG, 'image/svg+xml', BYTES],
  ['a.SVG', SVG, '', BYTES],
  ['a.png', SVG, 'image/svg+xml', BYTES],
  ['a.svgz', '\x1f\x8b\b', 'image/svg+xml', BYTES],
  ['a.html', PAGE, 'text/html', BYTES],
  ['a.htm', PAGE, 'TEXT/HTML; charset=utf-7', BYTES],
  ['a.xhtml', PAGE, 'application/xhtml+xml', BYTES],
  ['a.xml', `<?xml version="1.0"?>${SVG}`, 'text/xml', BYTES],
  ['a.xsl', '<xsl:stylesheet/>', 'application/xslt+xml', BYTES],
  ['a.mhtml', PAGE, 'multipart/related', BYTES],
  ['a.js', 'alert(1)', 'text/javascript', BYTES],
  ['a.mjs', 'alert(1)', 'application/javascript', BYTES],
  ['a.js', 'alert(1)', 'application/x-javascript', BYTES],
  ['a.js', 'alert(1)', 'text/jscript', BYTES],
  ['a.js', 'alert(1)', 'module', 'text/plain'],
  ['a.wasm', '\0asm', 'application/wasm', BYTES],
  ['a.css', 'body{}', 'text/css', BYTES],
  ['a.swf', 'FWS', 'application/x-shockwave-flash', BYTES],
  ['a.appcache', 'CACHE MANIFEST', 'text/cache-manifest', BYTES],
  ['a.hta', PAGE, 'application/hta', BYTES],
  ['a.pdf', PAGE, 'application/pdf', BYTES],
  ['a.csv', PAGE, 'text/html', 'text/csv'],
  ['a.txt', PAGE, 'text/html', 'text/plain'],
  ['a.json', 'alert(1)', 'text/javascript', 'application/json'],
  ['a.html', `%PDF-1.7\n${PAGE}`, 'text/html', 'application/pdf'],
  ['a.html', `GIF89a=1;${PAGE}`, 'text/html', 'image/gif'],
  ['a.html', `\x89PNG\r\n\x1a\n${PAGE}`, 'text/html', 'image/png'],
  ['a.html', `PK\x03\x04${PAGE}`, 'text/html', 'application/zip'],
  ['a.js', 'RIFF=1;/*WEBP*/alert(1)', 'text/javascript', BYTES],
  ['a.html\r\nx: y', PAGE, 'text/html', BYTES],
  ['a";x=y.html', PAGE, 'text/html', BYTES],
])('%s is saved and never run: %.20j', async (name, content, declared, served) => {
  const { id } = await upload(form(Buffer.from(content, 'latin1'), name, declared));
  const { headers } = await download(id, `?token=${customer.token}`, {
    'sec-fetch-dest': 'script',
  });
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': served,
    'content-disposition': expect.stringMatching(/^attachment; filename/),
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'private, no-cache',
  });
  expect(headers.has('x')).toBe(false);
});

test('a file of 20 MB is taken, one byte more is refused and leaves nothing behind', async () => {
  const most = await upload(form(randomBytes(MAX_FILE_SIZE), 'most.bin'));
  expect(most.size).toBe(MAX_FILE_SIZE);
  await customer.api(storage.remove, { params: { id: most.id } });
  const before = onDisk().filter((name) => name !== most.id);

  const more = randomBytes(MAX_FILE_SIZE + 1);
  const huge = randomBytes(25 * 1024 * 1024);
  await expect(upload(form(more, 'more.bin'))).rejects.toMatchObject({
    status: 413,
    body: { code: 'too_large', payload: { max: MAX_FILE_SIZE } },
  });
  await expect(upload(form(huge, 'huge.bin'))).rejects.toMatchObject({ status: 413 });
  const type = { 'content-type': 'application/octet-stream' };
  expect((await raw(more, type)).status).toBe(413);
  expect((await raw(huge, type)).status).toBe(413);
  // Without a length in advance.
  expect((await raw(new Blob([huge]).stream(), type)).status).toBe(413);
  const part = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.bin"\r\n\r\n';
  const parts = new Blob([part, huge, '\r\n--x--\r\n']).stream();
  const multipart = { 'content-type': 'multipart/form-data; boundary=x' };
  expect((await raw(parts, multipart)).status).toBe(413);
  expect(onDisk().filter((name) => name !== most.id)).toEqual(before);
});

test('an aborted upload leaves no file', async () => {
  const before = onDisk();
  const { port } = new URL(world.base);
  for (const type of ['text/csv', 'multipart/form-data; boundary=x']) {
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(
      `POST /api/storage HTTP/1.1\r\nhost: x\r\nauthorization: ${customer.token}\r\ncontent-type: ${type}\r\n` +
        `content-length: 1000000\r\n\r\n--x\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\n` +
        'x'.repeat(100_000),
    );
    await until(async () => onDisk().length > before.length, 'the upload has begun');
    socket.destroy();
    await until(async () => onDisk().length === before.length, 'the upload is cleared away');
  }
});

test.each([
  ['a form without a file', () => upload(new FormData())],
  ['an empty file', () => upload(form(Buffer.alloc(0), 'a.csv'))],
])('%s is refused', async (_, act) => {
  const before = onDisk();
  await expect(act()).rejects.toMatchObject({
    status: 422,
    body: { data: [expect.objectContaining({ field: 'file' })] },
  });
  expect(onDisk()).toEqual(before);
});

test('a name is no path', async () => {
  const answer = await raw('x', {
    'content-type': 'text/plain',
    'x-filename': '..%2F..%2Fetc%2Fpasswd',
  });
  expect(await answer.json()).toMatchObject({ filename: 'passwd' });
});

describe('a file that is needed stays', () => {
  const sender = '79001112233';
  const removal = (id: string) => customer.api(storage.remove, { params: { id } });
  const message = (audio: string) => ({ type: 'voice' as const, payload: { sender, audio } });
  const recording = async () => (await upload(form(wav(new Int16Array(8000), 8000), 'a.wav'))).id;
  const locksOf = async (id: string) => {
    const page = await customer.api(storage.find, { query: { filter: { id: [id] } } });
    return page.data[0]!.locks;
  };
  const refused = async (id: string, locks: number) => {
    expect(await locksOf(id)).toBe(locks);
    await expect(removal(id)).rejects.toMatchObject({
      status: 409,
      body: { code: 'in_use', payload: { locks } },
    });
    expect((await download(id)).status).toBe(200);
  };

  beforeAll(async () => {
    await setCarrier(world, {});
    await approve(world, customer.id, sender, 'voice');
  });

  test('by a task, for itself and for a fallback, until it is over', async () => {
    const [own, later, other] = [await recording(), await recording(), await recording()];
    const task = await customer.api(sendings.create, {
      body: {
        ...message(own),
        recipient: ['+79990000000', '+79990000001'],
        schedule: { delay: new Date(world.clock.now().getTime() + 86_400_000).toISOString() },
        fallbacks: [{ ...message(later), options: { onStatus: ['failed'] } }],
      },
    });
    await refused(own, 1);
    await refused(later, 1);
    await removal(other);
    const params = { id: (task as { id: string }).id };
    await customer.api(tasks.update, { params, body: { state: 'stopped' } });
    await removal(own);
    await removal(later);
  });

  test('by a single message that is not submitted, and by its fallbacks', async () => {
    const [own, first, later] = [await recording(), await recording(), await recording()];
    const recipient = '+79990000000';
    await customer.api(sendings.create, { body: { ...message(own), recipient } });
    await customer.api(sendings.create, {
      body: {
        ...message(first),
        recipient,
        fallbacks: [{ ...message(later), options: { onStatus: ['failed'] } }],
      },
    });
    for (const id of [own, first, later]) await refused(id, 1);
    await world.db.query(
      `update batches set stage = 3, closed_at = case when plan is not null then now() end where owner_id = $1`,
      [customer.id],
    );
    for (const id of [own, first, later]) await removal(id);
  });

  test('while a task that names it is being written', async () => {
    const id = await recording();
    let isOver = false;
    const removing = await world.db.transaction(async () => {
      await world.api.get(StorageService).claim([id]);
      const asked = removal(id).finally(() => (isOver = true));
      await new Promise((resolve) => setTimeout(resolve, 500));
      expect(isOver).toBe(false);
      return [asked];
    });
    await removing[0];
  });
});

test('a file that is renamed while a sending claims it expires no more', async () => {
  const ids = await Promise.all(
    Array.from({ length: 15 }, async (_, n) => (await upload(form(PNG, `${n}.png`))).id),
  );
  await world.db.query(
    `update files set expired_at = now() + interval '10 minutes' where id = any($1)`,
    [ids],
  );
  await Promise.all(
    ids.flatMap((id) => [
      customer.api(storage.update, { params: { id }, body: { title: 'Tea' } }),
      world.api.get(StorageService).claim([id]),
    ]),
  );
  const { data } = await customer.api(storage.find, { query: { filter: { id: ids } } });
  expect(data.map((file) => [file.title, file.expiredAt])).toEqual(data.map(() => ['Tea', null]));
});

test('a recording is as long as it plays behind a tag of any length', async () => {
  const tag = Buffer.alloc(10 + 300_000);
  tag.write('ID3\x04');
  [0, 18, 39, 96].forEach((seven, i) => tag.writeUInt8(seven, 6 + i));
  const sound = Buffer.alloc(160_000);
  sound.set([0xff, 0xfb, 0x90, 0x00]);
  const file = await upload(form(Buffer.concat([tag, sound]), 'call.mp3'));
  expect(file).toMatchObject({ type: 'audio/mpeg', seconds: 10 });
});

test('a file has the facts of its type and no others', async () => {
  // A frame of an MP3 within what is none, and pages within what is no PDF.
  const frame = Buffer.from([0xff, 0xfb, 0x90, 0x00]);
  const sound = Buffer.alloc(160_000);
  const pages = Buffer.from('<< /Type /Pages /Count 3 >>');
  const files: [name: string, first: string | Buffer][] = [
    ['a.pdf', '%PDF-1.4\n'],
    ['a.txt', 'text '],
    ['a.csv', 'phone;'],
    ['a.zip', 'PK\x03\x04'],
    ['a.ogg', 'OggS'],
    ['a.png', PNG],
    ['a.bin', Buffer.from([1, 2, 3])],
  ];
  const found = await Promise.all(
    files.map(async ([name, first]) =>
      upload(form(Buffer.concat([Buffer.from(first), frame, pages, sound]), name)),
    ),
  );
  expect(found.map((file) => [file.filename, file.seconds, file.meta.pages ?? null])).toEqual(
    files.map(([name]) => [name, null, name === 'a.pdf' ? 3 : null]),
  );
});

test('an expired file is not found, and the sweep removes its bytes', async () => {
  const { id } = await upload(form(PNG, 'a.png'));
  await world.db.query(`update files set expired_at = $2 where id = $1`, [
    id,
    new Date(world.clock.now().getTime() + 60_000),
  ]);
  expect((await download(id)).status).toBe(200);
  world.clock.forward(61);
  expect((await download(id)).status).toBe(404);
  expect((await customer.api(storage.find, { query: { filter: { id: [id] } } })).total).toBe(0);
  await world.api.get(StorageService).deleteExpired();
  expect(onDisk()).not.toContain(id);
});

test('bytes that are missing are not found', async () => {
  const { id } = await upload(form(PNG, 'a.png'));
  await world.api.get(Files).remove(id);
  const answer = await download(id);
  expect(answer.status).toBe(404);
  expect(await answer.json()).toMatchObject({ code: 'not_found' });
});

test("another's file is not found", async () => {
  const { id } = await upload(form(PNG, 'a.png'));
  const params = { id };
  const acts = [
    stranger.api(storage.get, { params }),
    stranger.api(storage.update, { params, body: { title: 'x' } }),
    stranger.api(storage.remove, { params }),
  ];
  for (const act of await Promise.allSettled(acts))
    expect(act).toMatchObject({ status: 'rejected', reason: { status: 404 } });
});

test('files of interrupted uploads are removed after a day, those of running uploads stay', async () => {
  const folder = await world.api.get(Files).incoming();
  const yesterday = Date.now() / 1000 - 25 * 3600;
  for (const name of ['left', 'coming']) writeFileSync(join(folder, name), PNG);
  utimesSync(join(folder, 'left'), yesterday, yesterday);
  await world.api.get(StorageJobs).dropLeftovers();
  expect(readdirSync(folder)).toContain('coming');
  expect(readdirSync(folder)).not.toContain('left');
});

test('bytes without a row are reaped after a day', async () => {
  const { id } = await upload(form(PNG, 'kept.png'));
  const folder = Number.parseInt(id.slice(-2), 16);
  const files = world.api.get(Files);
  const [old, recent] = ['a', 'b'].map((end) => `${end.repeat(8)}${id.slice(8)}`) as [
    string,
    string,
  ];
  const yesterday = Date.now() / 1000 - 25 * 3600;
  for (const name of [old, recent]) await files.write(name, Readable.from([PNG]));
  for (const name of [id, old])
    utimesSync(join(world.config.FILES_DIR, id.slice(-2), name), yesterday, yesterday);
  await world.api.get(StorageService).removeOrphans(folder, 24 * 3_600_000);
  expect([id, old, recent].map((name) => onDisk().includes(name))).toEqual([true, false, true]);
});
