import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { S3Server } from '../../../test/s3.ts';
import { loadConfig } from '../config.ts';
import { uuidv7 } from '../uuid.ts';
import { createFiles } from './create-files.ts';
import { type Files } from './files.ts';

const MB = 1024 * 1024;
let s3: S3Server;
const folder = mkdtempSync(join(tmpdir(), 'heliograph-files-'));

beforeAll(async () => {
  s3 = await S3Server.start();
});
afterAll(async () => {
  await s3.stop();
  rmSync(folder, { recursive: true, force: true });
});

const filesOf = (env: Record<string, string> = {}): Promise<Files> =>
  createFiles(
    loadConfig({ DATABASE_URL: 'postgres://x', REDIS_URL: 'redis://x', FILES_DIR: folder, ...env }),
  );
const leftovers = () => readdirSync(join(folder, 'incoming'));
const folderOf = (id: string) => Number.parseInt(id.slice(-2), 16);
const sha = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

describe.each([
  ['disk', () => filesOf()],
  ['S3', () => filesOf(s3.env())],
])('files on %s', (_, create) => {
  let files: Files;
  beforeAll(async () => {
    files = await create();
  });
  const write = async (bytes: Buffer | string, id = uuidv7()) => {
    await files.write(id, Readable.from([Buffer.from(bytes)]));
    return id;
  };

  test('adopts a received file, which leaves the folder of uploads', async () => {
    const path = join(await files.incoming(), 'upload');
    writeFileSync(path, 'tea');
    const id = uuidv7();
    await files.adopt(path, id);
    expect(existsSync(path)).toBe(false);
    expect(await text(await files.read(id))).toBe('tea');
  });

  test('reads whole files and ranges', async () => {
    const id = await write('0123456789');
    expect(await text(await files.read(id))).toBe('0123456789');
    expect(await text(await files.read(id, { start: 2, end: 4 }))).toBe('234');
    expect(await text(await files.read(id, { start: 9, end: 9 }))).toBe('9');
  });

  test('writes a stream of many parts without knowing its length', async () => {
    const chunks = Array.from({ length: 120 }, () => randomBytes(100_000));
    const id = uuidv7();
    await files.write(id, Readable.from(chunks));
    expect(sha(await buffer(await files.read(id)))).toBe(sha(Buffer.concat(chunks)));
  });

  test.each([
    ['at its first chunk', 0],
    ['after some parts', 12],
  ])('a stream that fails %s leaves nothing', async (__, before) => {
    const id = uuidv7();
    async function* failing() {
      for (let n = 0; n < before; n++) yield randomBytes(MB);
      await Promise.resolve();
      throw new Error('the query was cancelled');
    }
    await expect(files.write(id, Readable.from(failing()))).rejects.toThrow(
      'the query was cancelled',
    );
    await expect(files.read(id)).rejects.toMatchObject({ code: 'not_found' });
    expect(await files.storedIn(folderOf(id))).not.toContain(id);
    expect(leftovers()).toEqual([]);
  });

  test('a stream that is destroyed while it is written leaves nothing', async () => {
    const id = uuidv7();
    const source = new Readable({ read: () => undefined });
    const writing = files.write(id, source);
    source.push(randomBytes(MB));
    source.destroy(new Error('cancelled'));
    await expect(writing).rejects.toThrow('cancelled');
    await expect(files.read(id)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('nothing is visible before a write is complete', async () => {
    const id = uuidv7();
    const source = new Readable({ read: () => undefined });
    const writing = files.write(id, source);
    source.push(randomBytes(6 * MB));
    await expect(files.read(id)).rejects.toMatchObject({ code: 'not_found' });
    source.push(null);
    await writing;
    expect((await buffer(await files.read(id))).length).toBe(6 * MB);
  });

  test('gives readers a local path, which is not left behind', async () => {
    const id = await write('tea');
    expect(await files.withLocal(id, (path) => Promise.resolve(readFileSync(path, 'utf8')))).toBe(
      'tea',
    );
    await expect(
      files.withLocal(id, () => Promise.reject(new Error('unreadable'))),
    ).rejects.toThrow('unreadable');
    expect(leftovers()).toEqual([]);
    await expect(files.withLocal(uuidv7(), () => Promise.resolve('never'))).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  test('lists what is stored by folder and removes by age', async () => {
    const id = await write('tea');
    expect(await files.storedIn(folderOf(id))).toContain(id);
    expect(await files.storedIn((folderOf(id) + 1) % 256)).not.toContain(id);
    await files.removeOlder(id, 60_000);
    expect(await text(await files.read(id))).toBe('tea');
    await files.removeOlder(id, -60_000);
    await expect(files.read(id)).rejects.toMatchObject({ code: 'not_found' });
    // What another process has removed meanwhile is no error.
    await files.removeOlder(id, -60_000);
    await files.remove(id);
  });

  test('drops unfinished uploads by age', async () => {
    writeFileSync(join(await files.incoming(), 'upload'), 'half');
    await files.dropIncoming(60_000);
    expect(leftovers()).toEqual(['upload']);
    await files.dropIncoming(-60_000);
    expect(leftovers()).toEqual([]);
  });
});

describe('while S3 is away', () => {
  let files: Files;
  beforeAll(async () => {
    files = await filesOf(s3.env());
  });
  afterEach(() => s3.restore());
  const big = randomBytes(12 * MB);
  const unavailable = { code: 'storage_unavailable', status: 503 };

  test('every call is refused within seconds, and works afterwards', async () => {
    const id = uuidv7();
    await files.write(id, Readable.from([big]));
    s3.cut();
    await expect(files.read(id)).rejects.toMatchObject(unavailable);
    await expect(files.write(uuidv7(), Readable.from([big]))).rejects.toMatchObject(unavailable);
    await expect(files.remove(id)).rejects.toMatchObject(unavailable);
    await expect(files.storedIn(folderOf(id))).rejects.toMatchObject(unavailable);
    s3.restore();
    expect(sha(await buffer(await files.read(id)))).toBe(sha(big));
  });

  test('an upload that is cut off in the middle is refused and leaves nothing', async () => {
    const id = uuidv7();
    s3.cut({ up: 7 * MB });
    await expect(files.write(id, Readable.from([big]))).rejects.toMatchObject(unavailable);
    s3.restore();
    await expect(files.read(id)).rejects.toMatchObject({ code: 'not_found' });
    await files.write(id, Readable.from([big]));
    expect(sha(await buffer(await files.read(id)))).toBe(sha(big));
  });

  test('a received file stays where it is when it cannot be stored', async () => {
    const path = join(await files.incoming(), 'upload');
    writeFileSync(path, 'tea');
    s3.cut();
    await expect(files.adopt(path, uuidv7())).rejects.toMatchObject(unavailable);
    expect(leftovers()).toEqual(['upload']);
    rmSync(path);
  });

  test('a server that does not answer counts as away after the timeout', async () => {
    const impatient = await filesOf({ ...s3.env(), S3_TIMEOUT_SECONDS: '1' });
    s3.stall();
    await expect(impatient.read(uuidv7())).rejects.toMatchObject(unavailable);
  }, 15_000);

  test('a download continues where its connection broke off', async () => {
    const id = uuidv7();
    await files.write(id, Readable.from([big]));
    const body = await files.read(id);
    s3.cut({ down: 2 * MB });
    void s3.whenCut().then(() => s3.restore());
    expect(sha(await buffer(body))).toBe(sha(big));
  });

  test('a download that cannot continue fails and is never taken for complete', async () => {
    const id = uuidv7();
    await files.write(id, Readable.from([big]));
    const body = await files.read(id);
    s3.cut({ down: 2 * MB });
    await expect(buffer(body)).rejects.toMatchObject(unavailable);
  });

  test('a slow reader is not taken for a server that is away', async () => {
    const env = s3.env();
    const impatient = await filesOf({ ...env, S3_TIMEOUT_SECONDS: '1' });
    const id = uuidv7();
    await (await filesOf(env)).write(id, Readable.from([big]));
    const body = await impatient.read(id);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect((await buffer(body)).length).toBe(big.length);
  });
});

test('a bucket that does not exist is unavailable and is named in the cause', async () => {
  const files = await filesOf({ ...s3.env(), S3_BUCKET: 'no-such-bucket' });
  await expect(files.read(uuidv7())).rejects.toMatchObject({
    code: 'storage_unavailable',
    cause: expect.stringContaining('NoSuchBucket'),
  });
});

test('links state a type and a name, and lead to the public address', async () => {
  const headers = { type: 'application/octet-stream', disposition: 'attachment; filename="a.svg"' };
  const files = await filesOf({ ...s3.env(), S3_LINKS: '1' });
  const id = uuidv7();
  await files.write(id, Readable.from([Buffer.from('<svg/>')]));
  const answer = await fetch((await files.link(id, headers))!);
  expect([answer.status, await answer.text()]).toEqual([200, '<svg/>']);
  expect(answer.headers.get('content-type')).toBe(headers.type);
  expect(answer.headers.get('content-disposition')).toBe(headers.disposition);

  const elsewhere = await filesOf({
    ...s3.env(),
    S3_LINKS: '1',
    S3_PUBLIC_ENDPOINT: 'https://files.example',
  });
  expect(await elsewhere.link(id, headers)).toMatch(/^https:\/\/files\.example\/heliograph-test\//);
  expect(await (await filesOf(s3.env())).link(id, headers)).toBeNull();
  expect(await (await filesOf()).link(id, headers)).toBeNull();
});
