import { notifications, reports, storage, type Report } from '@heliograph/contract';
import { globSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Person, until } from '../world.ts';
import { Processes, type Running } from './processes.ts';

const ROWS = 200_000;
const CHUNK_ROWS = 20_000;
const WRITTEN_BYTES = 1_000_000;
const WAIT_MS = 120_000;
let cluster: Processes;
let person: Person;
let workers: Running[] = [];

beforeAll(async () => {
  cluster = await Processes.start({ LEASE_SECONDS: '5' });
  person = await cluster.world.person();
  await insertMessages();
}, 600_000);
afterEach(async () => {
  for (const worker of workers) await worker.kill();
  workers = [];
});
afterAll(() => cluster?.stop());

async function insertMessages(): Promise<void> {
  const { db } = cluster.world;
  const [batch] = await db.query<{ id: string }>(
    `insert into batches (owner_id, channel, type, priority, stage, size, first_id, last_id, due_at, closed_at)
     values ($1, 'simulator', 1, 1, 3, 1, uuidv7(), uuidv7(), now(), now()) returning id`,
    [person.id],
  );
  // Each statement within the timeout, on a busy machine too.
  for (let from = 0; from < ROWS; from += CHUNK_ROWS)
    await db.query(
      `insert into sendings (id, owner_id, batch_id, type, segments, status, outcome, amount, sender, phone, body, delivered_at)
       select uuidv7(-n * interval '1 millisecond'), $1, $2, 1, 2, 3, 1, 3.5, 'TEA', '+79001234567', repeat('text ', 60), now()
         from generate_series($3::int + 1, $3::int + ${CHUNK_ROWS}) n`,
      [person.id, batch!.id, from],
    );
}

const incoming = (): string[] => {
  const folder = join(cluster.world.config.FILES_DIR, 'incoming');
  return globSync('*', { cwd: folder }).map((name) => join(folder, name));
};
const stored = (): string[] =>
  readdirSync(cluster.world.config.FILES_DIR)
    .filter((folder) => /^[\da-f]{2}$/.test(folder))
    .flatMap((folder) => readdirSync(join(cluster.world.config.FILES_DIR, folder)));
const get = (id: string): Promise<Report> => person.api(reports.get, { params: { id } });

async function work(name: string): Promise<Running> {
  const worker = await cluster.worker(name);
  workers.push(worker);
  return worker;
}

/** The id of a report of which a worker has written a part, and stands still. One that it completes first is made again. */
async function stoppedIn(worker: Running): Promise<string> {
  for (;;) {
    const { key: id } = await person.api(reports.create, { body: { preset: 'sendings.details' } });
    // A file may be stored between both looks.
    const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    const isWritten = () => incoming().some((path) => sizeOf(path) > WRITTEN_BYTES);
    const isCompleted = async () => (await get(id)).state === 'completed';
    await until(
      async () => isWritten() || (await isCompleted()),
      'the first part of the file',
      WAIT_MS,
    );
    worker.signal('SIGSTOP');
    if (isWritten() && !(await isCompleted())) return id;
    worker.signal('SIGCONT');
    await completed(id);
    await remove(id);
  }
}

async function remove(id: string): Promise<void> {
  await person.api(reports.remove, { params: { id } });
  // After the commit.
  await until(() => Promise.resolve(!stored().length), 'the removal of the contents');
}

/** Waits for the report, and checks that its progress never goes back or above its total. */
async function completed(id: string): Promise<Report> {
  let rows = 0;
  return until(
    async () => {
      const report = await get(id);
      expect(report.progress.rows).toBeGreaterThanOrEqual(rows);
      rows = report.progress.rows;
      expect(rows).toBeLessThanOrEqual(report.progress.total ?? Infinity);
      expect(['pending', 'running', 'completed']).toContain(report.state);
      return report.state === 'completed' && report;
    },
    'the report',
    WAIT_MS,
  );
}

async function expectOneFile(report: Report): Promise<void> {
  const { id, size } = report;
  expect(report).toMatchObject({ hasFile: true, progress: { rows: ROWS, total: ROWS } });
  const [row] = await cluster.world.db.query<{ attempts: number }>(
    `select attempts from reports where id = $1`,
    [id],
  );
  expect(row).toEqual({ attempts: 2 });
  expect(incoming()).toEqual([]);
  expect(stored()).toHaveLength(1);
  expect((await person.api(storage.find)).data.map((file) => file.id)).toEqual([id]);
  const answer = await fetch(`${cluster.world.base}/api/storage/${id}`, {
    headers: { authorization: person.token },
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(bytes.length).toBe(size);
  let lines = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lines++;
  expect(lines).toBe(ROWS + 1);
  const { data } = await person.api(notifications.find, {});
  expect(data.filter((one) => (one.data as { id?: string }).id === id)).toHaveLength(1);
  await remove(id);
}

test('a report whose worker is killed is made by another one, once', async () => {
  const first = await work('first');
  const id = await stoppedIn(first);
  await first.kill();
  expect(await get(id)).toMatchObject({ state: 'running', hasFile: false });
  expect(incoming()).toHaveLength(1);
  await work('second');
  await expectOneFile(await completed(id));
}, 600_000);

test('a worker that was suspended beyond its lease adds no second file', async () => {
  const first = await work('third');
  const id = await stoppedIn(first);
  await work('fourth');
  const report = await completed(id);
  first.signal('SIGCONT');
  const copying = () =>
    cluster.world.db.query(
      `select 1 from pg_stat_activity where datname = current_database() and state = 'active' and query ilike 'copy%'`,
    );
  await until(async () => !(await copying()).length, 'the end of the first attempt', WAIT_MS);
  await expectOneFile(report);
}, 600_000);
