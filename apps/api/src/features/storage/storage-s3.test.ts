import { contactLists, contacts, storage, type StoredFile } from '@heliograph/contract';
import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { S3Server } from '../../../test/s3.ts';
import { World, type Person } from '../../../test/world.ts';
import { Files } from '../../core/files/files.ts';
import { uuidv7 } from '../../core/uuid.ts';
import { StorageJobs } from './storage.jobs.ts';
import { StorageService } from './storage.service.ts';

const MB = 1024 * 1024;
let s3: S3Server;
let world: World;
let customer: Person;

beforeAll(async () => {
  s3 = await S3Server.start();
  world = await World.start(s3.env());
  customer = await world.person();
});
afterEach(() => s3.restore());
afterAll(async () => {
  await world.stop();
  await s3.stop();
});

const upload = (bytes: Uint8Array | string, name = 'a.bin', query = {}) => {
  const body = new FormData();
  body.set('file', new Blob([bytes as string]), name);
  return customer.api(storage.create, { body: body as never, query });
};
const download = (id: string, headers: Record<string, string> = {}) =>
  fetch(`${world.base}/api/storage/${id}`, {
    headers: { authorization: customer.token, ...headers },
  });
const refusal = {
  status: 503,
  body: { code: 'storage_unavailable', requestId: expect.any(String) },
};
const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const totals = async () => {
  const { total } = await customer.api(storage.find);
  let stored = 0;
  for (let folder = 0; folder < 256; folder += 16) {
    const ids = await Promise.all(
      Array.from({ length: 16 }, (_, n) => world.api.get(Files).storedIn(folder + n)),
    );
    stored += ids.flat().length;
  }
  return { total, stored };
};
const incoming = () => readdirSync(join(world.config.FILES_DIR, 'incoming'));

test('a file goes up, comes down whole and in ranges, and is removed', async () => {
  const bytes = randomBytes(11 * MB);
  const { id } = await upload(bytes);
  expect(incoming()).toEqual([]);
  const answer = await download(id);
  expect(sha(new Uint8Array(await answer.arrayBuffer()))).toBe(sha(bytes));
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-length': String(bytes.length),
    'accept-ranges': 'bytes',
    'content-security-policy': "sandbox; default-src 'none'",
  });
  const part = await download(id, { range: 'bytes=5000000-7000000' });
  expect([part.status, part.headers.get('content-range')]).toEqual([
    206,
    `bytes 5000000-7000000/${bytes.length}`,
  ]);
  expect(sha(new Uint8Array(await part.arrayBuffer()))).toBe(
    sha(bytes.subarray(5_000_000, 7_000_001)),
  );
  await customer.api(storage.remove, { params: { id } });
  const folder = Number.parseInt(id.slice(-2), 16);
  await expect.poll(() => world.api.get(Files).storedIn(folder)).toEqual([]);
});

test('S3 away in the middle of an upload: a clear refusal, no file, nothing that counts towards the quota', async () => {
  const before = await totals();
  const { used } = await customer.api(storage.usage);
  s3.cut({ up: 6 * MB });
  await expect(upload(randomBytes(12 * MB))).rejects.toMatchObject(refusal);
  s3.restore();
  expect(await totals()).toEqual(before);
  expect((await customer.api(storage.usage)).used).toBe(used);
  expect(incoming()).toEqual([]);
  const { id } = await upload('tea');
  expect(await (await download(id)).text()).toBe('tea');
});

test('S3 away before a download is 503 without the headers of a file', async () => {
  const { id } = await upload('tea');
  s3.cut();
  const answer = await download(id);
  expect(answer.status).toBe(503);
  expect(await answer.json()).toMatchObject({ code: 'storage_unavailable' });
  expect(answer.headers.get('content-type')).toContain('json');
  expect(answer.headers.get('content-disposition')).toBeNull();
  expect(answer.headers.get('retry-after')).toBe('5');
  s3.restore();
  expect(await (await download(id)).text()).toBe('tea');
});

test('S3 away in the middle of a download: the connection breaks off, so that a part is never taken for the file', async () => {
  const { id } = await upload(randomBytes(12 * MB));
  s3.cut({ down: 3 * MB });
  const answer = await download(id);
  expect(answer.status).toBe(200);
  await expect(answer.arrayBuffer()).rejects.toThrow('terminated');
  s3.restore();
  expect((await (await download(id)).arrayBuffer()).byteLength).toBe(12 * MB);
});

test('a file that is removed while S3 is away loses its contents later', async () => {
  const { id } = await upload('tea');
  s3.cut();
  const removing = vi.spyOn(world.api.get(Files), 'remove');
  await customer.api(storage.remove, { params: { id } });
  await expect(removing.mock.results[0]!.value).rejects.toMatchObject({ status: 503 });
  removing.mockRestore();
  s3.restore();
  const folder = Number.parseInt(id.slice(-2), 16);
  expect(await world.api.get(Files).storedIn(folder)).toContain(id);
  await world.api.get(StorageService).removeOrphans(folder, -60_000);
  expect(await world.api.get(Files).storedIn(folder)).not.toContain(id);
});

test('sweeps end without an error where S3 lacks a command', async () => {
  await expect(world.api.get(StorageJobs).dropLeftovers()).resolves.toBeUndefined();
});

test('contacts are imported, and rejected rows are stored', async () => {
  const { id: key } = await upload('phone;name\n+79161234567;Anna\nnobody;Boris\n', 'a.csv');
  const { id: ListId } = await customer.api(contactLists.create, {
    body: { title: 'Imported', type: 'regular' },
  });
  const preview = await customer.api(contacts.preview, { body: { from: { key } } });
  expect(preview.rows).toHaveLength(2);
  const report = await customer.api(contacts.import, { body: { ListId, from: { key } } });
  expect(report).toMatchObject({ created: 1, rejected: 1 });
  expect(await (await download(report.rejectedFileId!)).text()).toContain('Boris');
  s3.cut();
  await expect(
    customer.api(contacts.import, { body: { ListId, from: { key } } }),
  ).rejects.toMatchObject(refusal);
  expect(incoming()).toEqual([]);
});

test('generated contents of any length become a file; without a row they are discarded', async () => {
  const service = world.api.get(StorageService);
  const path = join(world.config.FILES_DIR, 'incoming', 'report');
  const bytes = Buffer.alloc(25_000_000, 'x');
  const before = await totals();
  writeFileSync(path, bytes);
  const contentsId = await service.storeGenerated(customer.id, path, bytes.length);
  const file = await service.addGenerated({
    id: uuidv7(),
    contentsId,
    OwnerId: customer.id,
    permission: null,
    filename: 'report.csv',
    type: 'text/csv',
    size: bytes.length,
    hash: sha(bytes),
    expiredAt: null,
  });
  const whole = new Uint8Array(await (await download(file.id)).arrayBuffer());
  expect(sha(whole)).toBe(file.hash);
  await service.removeOrphans(parseInt(contentsId.slice(-2), 16), 0);
  expect((await download(file.id)).status).toBe(200);
  await customer.api(storage.remove, { params: { id: file.id } });
  expect(await totals()).toEqual(before);

  writeFileSync(path, 'again');
  await service.discardGenerated(await service.storeGenerated(customer.id, path, 5));
  expect(await totals()).toEqual(before);
});

test('with links, tickets and public files lead to the bucket, as bytes that no browser runs', async () => {
  const { base } = await world.startApi({ S3_LINKS: true });
  const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  const file: StoredFile = await upload(SVG, 'Логотип.svg', { isPublic: 'true' });
  const { url } = await customer.api(storage.ticket, { params: { id: file.id } });
  const own = new URL(file.url!).pathname;
  for (const path of [url, own]) {
    const answer = await fetch(base + path, { redirect: 'manual' });
    expect(answer.status).toBe(302);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const at = await fetch(answer.headers.get('location')!);
    expect(await at.text()).toBe(SVG);
    expect(at.headers.get('content-type')).toBe('application/octet-stream');
    expect(at.headers.get('content-disposition')).toMatch(/^attachment; filename/);
  }
  const policy = (await fetch(`${base}/api/health`)).headers.get('content-security-policy');
  expect(policy).toContain(`media-src 'self' ${new URL(s3.env().S3_ENDPOINT!).origin}`);
  // Clients of the API are not led away.
  const plain = await fetch(`${base}/api/storage/${file.id}`, {
    headers: { authorization: customer.token },
    redirect: 'manual',
  });
  expect(plain.status).toBe(200);
});
