import { ADMINISTRATOR_GRANTS, installation, users } from '@heliograph/contract';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { until, World, type Person } from '../../../test/world.ts';
import { createLog } from '../../core/log.ts';
import { ProcessReports } from '../../core/process-reports.ts';
import { VERSION } from '../../core/version.ts';
import { InstallationService } from './installation.service.ts';

let world: World;
let administrator: Person;

beforeAll(async () => {
  world = await World.start({ DATABASE_DISK_GB: '1' });
  administrator = await world.person({
    level: 'manager',
    grants: { add: ADMINISTRATOR_GRANTS },
  });
});
afterAll(() => world.stop());

const state = () => administrator.api(installation.get, {});
const reporter = () => new ProcessReports(world.db, world.clock, createLog('silent', 'test'));
/** Its id, once it is listed. */
const started = async (reports: ProcessReports): Promise<string> => {
  const before = new Set((await state()).processes.map(({ id }) => id));
  reports.start('worker');
  let id: string | undefined;
  await until(async () => {
    id = (await state()).processes.find((one) => !before.has(one.id))?.id;
    return id !== undefined;
  }, 'the process to be listed');
  return id!;
};

test('processes are listed while they run, and known as lost when they ended without a word', async () => {
  const reports = reporter();
  const id = await started(reports);
  const row = (await state()).processes.find((one) => one.id === id)!;
  expect(row).toMatchObject({
    kind: 'worker',
    pid: process.pid,
    version: VERSION,
    isLost: false,
  });
  expect(row.memory).toBeGreaterThan(10_000_000);
  expect(row.cpu).toBeGreaterThanOrEqual(0);
  // As a process that was killed leaves it.
  const [killed] = await world.db.query<{ id: string }>(
    `insert into processes select uuidv7(), 'smpp', host, pid, version, build, started_at, seen_at, cpu, memory, delay_ms
       from processes where id = $1 returning id`,
    [id],
  );
  await reports.beforeApplicationShutdown();
  world.clock.forward(31);
  expect((await state()).processes).toMatchObject([{ id: killed!.id, kind: 'smpp', isLost: true }]);
  world.clock.forward(86_400);
  await world.api.get(InstallationService, { strict: false }).keep();
  expect((await state()).processes).toEqual([]);
});

test('the last run of each sweep is known, and its last failure also after it ran well again', async () => {
  const reports = reporter();
  reports.sweepRan('Some.sweep', 12.4, new Error('disk is full'));
  await started(reports);
  const find = async () => (await state()).sweeps.find(({ name }) => name === 'Some.sweep');
  const failed = await find();
  expect(failed).toMatchObject({ ms: 12, error: 'disk is full', failedAt: failed!.ranAt });
  expect((await state()).sweeps[0]!.name).toBe('Some.sweep');
  await reports.beforeApplicationShutdown();

  world.clock.forward(60);
  const again = reporter();
  again.sweepRan('Some.sweep', 3, null);
  await started(again);
  const ran = await find();
  expect(ran).toMatchObject({ ms: 3, error: 'disk is full', failedAt: failed!.failedAt });
  expect(Date.parse(ran!.ranAt)).toBeGreaterThan(Date.parse(failed!.ranAt));
  await again.beforeApplicationShutdown();
});

test('the size of the database, its growth a day, and when its disk is full', async () => {
  const service = world.api.get(InstallationService, { strict: false });
  await world.db.query(`delete from database_sizes`);
  await service.keep();
  const { database } = await state();
  expect(database.size).toBeGreaterThan(1_000_000);
  expect(database).toMatchObject({ growth: null, fullInDays: null });
  expect(database.tables).toHaveLength(10);
  const sizes = database.tables.map(({ size }) => size);
  expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));

  await world.db.query(`update database_sizes set day = day - 10, size = size - 100000000`);
  await service.keep();
  const grown = (await state()).database;
  expect(grown.growth).toBeGreaterThan(9_000_000);
  expect(grown.growth).toBeLessThan(20_000_000);
  expect(grown.fullInDays).toBe(Math.floor((1e9 - grown.size) / grown.growth!));
});

test('work that waits is named, and the state is for administrators only', async () => {
  const { lags, queues } = await state();
  expect(lags.map(({ name }) => name)).toEqual([
    'codes',
    'singles',
    'bulks',
    'polls',
    'fallbacks',
    'webhooks',
    'notifications',
  ]);
  expect(lags.every(({ seconds }) => seconds >= 0)).toBe(true);
  expect(queues.length).toBeGreaterThan(0);
  const manager = await world.person({ level: 'manager' });
  await expect(manager.api(installation.get, {})).rejects.toMatchObject({ status: 403 });
});

test('lists of the last day are shown by how slow they were, over all processes and without values', async () => {
  await world.db.query(`delete from list_durations`);
  const one = reporter();
  for (let i = 0; i < 19; i++) one.listTook('GET /sendings', 10);
  one.listTook('GET /sendings', 2000);
  one.listTook('GET /contacts', 3);
  await started(one);
  const two = reporter();
  for (let i = 0; i < 20; i++) two.listTook('GET /sendings', 400);
  await started(two);
  const find = async () => (await state()).slowLists;
  await until(async () => (await find())[0]?.count === 40, 'the durations of both');
  const [sendings, contacts, ...others] = await find();
  expect(others).toEqual([]);
  expect(sendings).toMatchObject({ route: 'GET /sendings', count: 40, slowest: 2000 });
  expect(sendings!.p50).toBeGreaterThanOrEqual(400);
  expect(sendings!.p50).toBeLessThanOrEqual(480);
  expect(contacts).toEqual({ route: 'GET /contacts', count: 1, p50: 3, p95: 3, slowest: 3 });
  await one.beforeApplicationShutdown();
  await two.beforeApplicationShutdown();
  world.clock.forward(86_400);
  expect(await find()).toEqual([]);
  await world.api.get(InstallationService, { strict: false }).keep();
  expect(await world.db.query(`select 1 from list_durations`)).toEqual([]);
});

test('each answered list is measured, under the path of its endpoint', async () => {
  const reports = world.api.get(ProcessReports);
  const took: string[] = [];
  const spy = vi.spyOn(reports, 'listTook').mockImplementation((route) => void took.push(route));
  const email = 'anna@tea.example';
  await world.client(await world.login(administrator.username))(users.find, {
    query: { search: email },
  });
  await expect(world.client()(users.find, { query: {} })).rejects.toMatchObject({ status: 401 });
  await until(() => Promise.resolve(took.length > 0), 'the list');
  spy.mockRestore();
  expect(took).toEqual(['GET /users']);
});
