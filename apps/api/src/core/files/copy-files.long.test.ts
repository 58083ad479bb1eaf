import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { S3Server } from '../../../test/s3.ts';
import { loadConfig } from '../config.ts';
import { uuidv7 } from '../uuid.ts';
import { copyFiles } from './copy-files.ts';
import { createFiles } from './create-files.ts';

let s3: S3Server;
const folder = mkdtempSync(join(tmpdir(), 'heliograph-copy-'));

beforeAll(async () => {
  s3 = await S3Server.start();
});
afterAll(async () => {
  await s3.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('files are copied from one store to the other, each once', async () => {
  const env = { DATABASE_URL: 'postgres://x', REDIS_URL: 'redis://x', FILES_DIR: folder };
  const config = loadConfig({ ...env, ...s3.env() });
  const disk = await createFiles(loadConfig(env));
  const ids = [uuidv7(), uuidv7(), uuidv7()];
  for (const id of ids) await disk.write(id, Readable.from([Buffer.from(id)]));
  expect(await copyFiles(config, ['disk', 's3'])).toBe(3);
  expect(await copyFiles(config, ['disk', 's3'])).toBe(0);
  const bucket = await createFiles(config);
  for (const id of ids) expect(await text(await bucket.read(id))).toBe(id);
  await disk.remove(ids[0]!);
  expect(await copyFiles(config, ['s3', 'disk'])).toBe(1);
  await expect(copyFiles(config, ['disk', 'disk'])).rejects.toMatchObject({ code: 'validation' });
  await expect(copyFiles(config, [])).rejects.toMatchObject({ code: 'validation' });
});
