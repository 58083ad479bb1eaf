import { reports, storage, type Report } from '@heliograph/contract';
import type { INestApplicationContext } from '@nestjs/common';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { S3Server } from '../../../test/s3.ts';
import { until, World, type Person } from '../../../test/world.ts';
import { Files } from '../../core/files/files.ts';

const ROWS = 40_000;
const WAIT_MS = 60_000;
const TIMEOUT_MS = 120_000;
let s3: S3Server;
let world: World;
let worker: INestApplicationContext;
let person: Person;

beforeAll(async () => {
  s3 = await S3Server.start();
  world = await World.start(s3.env());
  worker = await world.startWorker();
  person = await world.person();
  await insertMessages();
});
afterEach(() => s3.restore());
afterAll(async () => {
  await world.stop();
  await s3.stop();
});

/** With long texts: a report of them has several parts. */
async function insertMessages(): Promise<void> {
  const [batch] = await world.db.query<{ id: string }>(
    `insert into batches (owner_id, channel, type, priority, stage, size, first_id, last_id, due_at, closed_at)
     values ($1, 'simulator', 1, 1, 3, 1, uuidv7(), uuidv7(), now(), now()) returning id`,
    [person.id],
  );
  await world.db.query(
    `insert into sendings (id, owner_id, batch_id, type, segments, status, outcome, amount, sender, phone, body, delivered_at)
     select uuidv7(-n * interval '1 millisecond'), $1, $2, 1, 2, 3, 1, 3.5, 'TEA', '+79001234567', repeat('text ', 60), now()
       from generate_series(1, $3::int) n`,
    [person.id, batch!.id, ROWS],
  );
}

const request = async (): Promise<string> =>
  (await person.api(reports.create, { body: { preset: 'sendings.details' } })).key;
const get = (id: string): Promise<Report> => person.api(reports.get, { params: { id } });
const reach = (id: string, state: Report['state']) =>
  until(async () => (await get(id)).state === state, `the state ${state}`, WAIT_MS);
async function attempts(id: string): Promise<number> {
  const [row] = await world.db.query<{ attempts: number }>(
    `select attempts from reports where id = $1`,
    [id],
  );
  return row!.attempts;
}
async function stored(): Promise<string[]> {
  const files = worker.get(Files, { strict: false });
  const all: string[] = [];
  for (let folder = 0; folder < 256; folder++) all.push(...(await files.storedIn(folder)));
  return all;
}
const incoming = () => readdirSync(join(world.config.FILES_DIR, 'incoming'));

test(
  'makes a report again whose upload breaks off, and leaves one file',
  async () => {
    s3.cut({ up: 3_000_000 });
    const id = await request();
    await s3.whenCut();
    await until(async () => (await attempts(id)) > 1, 'the next attempt', WAIT_MS);
    s3.restore();
    await reach(id, 'completed');
    const report = await get(id);
    expect(report).toMatchObject({ hasFile: true, progress: { rows: ROWS, total: ROWS } });
    expect(await stored()).toHaveLength(1);
    expect(incoming()).toEqual([]);
    const answer = await fetch(`${world.base}/api/storage/${id}`, {
      headers: { authorization: person.token },
    });
    expect((await answer.arrayBuffer()).byteLength).toBe(report.size);
    await person.api(reports.remove, { params: { id } });
    expect(await stored()).toEqual([]);
  },
  TIMEOUT_MS,
);

test(
  'fails clearly while the bucket stays away',
  async () => {
    s3.cut();
    const id = await request();
    await reach(id, 'failed');
    expect(await get(id)).toMatchObject({ reason: 'storage_unavailable', hasFile: false });
    expect(await attempts(id)).toBe(3);
    s3.restore();
    expect(await stored()).toEqual([]);
    expect(incoming()).toEqual([]);
  },
  TIMEOUT_MS,
);

test(
  'has no open transaction during the upload; a report that is cancelled meanwhile leaves nothing',
  async () => {
    s3.stall();
    const id = await request();
    await until(async () => (await get(id)).progress.rows === ROWS, 'all rows', WAIT_MS);
    await until(() => Promise.resolve(incoming().length === 1), 'the upload');
    // `for update` of the completion would last as long as the upload; that of a sweep ends at once.
    const locks = () =>
      world.db.query(
        `select 1 from pg_locks where relation = 'reports'::regclass and mode = 'RowShareLock'`,
      );
    await until(async () => (await locks()).length === 0, 'no open transaction');
    await person.api(reports.cancel, { params: { id } });
    s3.restore();
    await until(() => Promise.resolve(incoming().length === 0), 'the end of the upload', WAIT_MS);
    await until(async () => !(await stored()).length, 'the removal of the contents', WAIT_MS);
    expect(await get(id)).toMatchObject({ state: 'cancelled', hasFile: false });
    expect((await person.api(storage.find)).total).toBe(0);
  },
  TIMEOUT_MS,
);
