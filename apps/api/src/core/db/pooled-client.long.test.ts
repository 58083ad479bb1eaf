import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DataSource } from 'typeorm';
import { Pooler } from '../../../test/pooler.ts';
import { until } from '../../../test/until.ts';
import { createDataSource } from './data-source.ts';
import { databaseProblem } from './database-problem.ts';
import { Db } from './db.ts';

let pooler: Pooler;
/** Past the pooler. */
let direct: DataSource;
/** Two processes with settings of their own, which share the only session. */
let one: Db;
let two: Db;

beforeAll(async () => {
  pooler = await Pooler.start(1);
  direct = await createDataSource(process.env.DATABASE_URL!, [], 1).initialize();
  one = new Db(await pooled({ statement_timeout: '7s', enable_seqscan: 'off' }), 9);
  two = new Db(await pooled({ statement_timeout: '600s' }));
});
afterAll(async () => {
  for (const source of [one?.dataSource, two?.dataSource, direct])
    if (source?.isInitialized) await source.destroy();
  await pooler?.stop();
});

const pooled = (settings: Record<string, string>) =>
  createDataSource(pooler.url, [], 3, settings, true).initialize();

const SETTINGS = `select current_setting('timezone') as zone, current_setting('statement_timeout') as timeout,
                         current_setting('enable_seqscan') as seqscan, pg_backend_pid() as session`;

test('each process has its settings in a session that it shares, in statements and in transactions', async () => {
  const read = (db: Db) => db.query<{ session: number }>(SETTINGS);
  const [[first], [second], [again]] = [await read(one), await read(two), await read(one)];
  expect(first).toMatchObject({ zone: 'UTC', timeout: '7s', seqscan: 'off' });
  expect(second).toMatchObject({ zone: 'UTC', timeout: '10min', seqscan: 'on' });
  expect(again).toEqual(first);
  expect(second!.session).toBe(first!.session);

  const [inOne] = await one.transaction(() => read(one));
  const [inTwo] = await two.transaction(() => read(two));
  expect(inOne).toEqual({ ...first, timeout: '9s' });
  expect(inTwo).toEqual(second);
  expect(await two.dataSource.query(SETTINGS)).toEqual([second]);
  expect(await two.dataSource.transaction('REPEATABLE READ', (m) => m.query(SETTINGS))).toEqual([
    second,
  ]);
  const level = await two.dataSource.transaction('SERIALIZABLE', (m) =>
    m.query(`select current_setting('transaction_isolation') as level`),
  );
  expect(level).toEqual([{ level: 'serializable' }]);
});

test('nothing of a process stays in the session: settings, or statements by name', async () => {
  await one.query(`select $1::int as n`, [1]);
  const plain = new Db(await pooled({}));
  const [left] = await plain.query<{ zone: string; timeout: string; names: number }>(
    `select current_setting('statement_timeout') as timeout, current_setting('enable_seqscan') as seqscan,
            (select count(*)::int from pg_prepared_statements where name <> '') as names`,
  );
  await plain.dataSource.destroy();
  expect(left).toEqual({ timeout: '0', seqscan: 'on', names: 0 });
});

test('rows, numbers of rows and errors are those of the statement', async () => {
  expect(await one.query(`select n from generate_series(1, $1::int) n`, [3])).toEqual([
    { n: 1 },
    { n: 2 },
    { n: 3 },
  ]);
  expect(await one.query(`select 1 as n where false`)).toEqual([]);
  expect(await one.execute(`select n from generate_series(1, $1::int) n`, [4])).toBe(4);
  await expect(one.query(`select 1 / $1::int`, [0])).rejects.toMatchObject({ code: '22012' });
  await expect(one.query(`select nonsense`)).rejects.toMatchObject({ code: '42703' });
  expect(await one.query(`select 1 as n`)).toEqual([{ n: 1 }]);
});

test('the timeout of a process ends its statement outside of transactions', async () => {
  const hasty = new Db(await pooled({ statement_timeout: '50ms' }));
  await expect(hasty.query(`select pg_sleep(600)`)).rejects.toMatchObject({ code: '57014' });
  await hasty.dataSource.destroy();
});

test('a statement is cancelled, and the session serves others', async () => {
  const abandoned = new AbortController();
  const reached: string[] = [];
  const work = two.withConnection(abandoned.signal, async () => {
    await two.query(`select pg_sleep(500)`);
    reached.push('the next statement');
  });
  const failed = work.then(() => undefined, String);
  await until(
    async () =>
      (
        await direct.query(
          `select 1 from pg_stat_activity where state = 'active' and query = 'select pg_sleep(500)'`,
        )
      ).length,
    'the statement to run',
  );
  abandoned.abort();
  expect(await failed).toMatch(/canceling statement|Connection terminated/);
  expect(reached).toEqual([]);
  expect(await one.query(`select 2 as n`)).toEqual([{ n: 2 }]);
});

test('a statement that waits for a session is cancelled, too, and its connection is not used again', async () => {
  const abandoned = new AbortController();
  let leave = () => {};
  const held = new Promise<void>((resolve) => (leave = resolve));
  let isHolding = false;
  const holder = one.transaction(async () => {
    await one.query(`select 1`);
    isHolding = true;
    await held;
    return one.query(`select 3 as n`);
  });
  await until(async () => isHolding, 'the session to be taken');
  const work = two.withConnection(abandoned.signal, () => two.query(`select 4 as n`));
  // The pooler itself would end its wait after two minutes, with another error.
  const failed = work.then(() => undefined, String);
  await until(async () => (await pooler.pool(pooler.url)).waiting === 1, 'the other to wait');
  abandoned.abort();
  expect(await failed).toContain('Connection terminated');
  leave();
  expect(await holder).toEqual([{ n: 3 }]);
  const answers = [5, 6, 7].map((n) => two.query(`select $1::int as n`, [n]));
  expect(await Promise.all(answers)).toEqual([[{ n: 5 }], [{ n: 6 }], [{ n: 7 }]]);
});

test('a pooler in place of the database is named', async () => {
  const source = createDataSource(pooler.url, [], 1);
  const error = await source.initialize().catch((thrown: unknown) => thrown);
  expect(databaseProblem(error)).toContain('set DATABASE_DIRECT_URL');
});
