import { contactLists, templates, users } from '@heliograph/contract';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Db } from '../../src/core/db/db.ts';
import { type RawAnswer, raw } from '../raw.ts';
import { type Person, until, World } from '../world.ts';

/** One account makes many concurrent calls that hang; other accounts are not affected. */

const POOL = 8;
let world: World;
let greedy: Person;
let other: Person;
/** Connections beside the pool of the product. */
let blocker: pg.Client;
let watcher: pg.Client;

beforeAll(async () => {
  world = await World.start({
    DATABASE_POOL: String(POOL),
    DATABASE_READ_SECONDS: '2',
    DATABASE_WRITE_SECONDS: '5',
  });
  greedy = await world.person();
  other = await world.person();
  blocker = new pg.Client(world.config.directUrl);
  watcher = new pg.Client(world.config.directUrl);
  for (const client of [blocker, watcher]) await client.connect();
});
afterAll(async () => {
  for (const client of [blocker, watcher]) await client.end();
  await world.stop();
});

/** Statements of templates hang until `work` has ended. */
async function blocked(sql: string, work: () => Promise<void>): Promise<void> {
  await blocker.query(`begin; ${sql}`);
  try {
    await work();
  } finally {
    await blocker.query('rollback');
  }
}
const hanging = async () => {
  const { rows } = await watcher.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity
      where datname = current_database() and state = 'active' and wait_event_type = 'Lock'`,
  );
  return rows[0]!.n;
};
const LOCK = 'lock table templates in access exclusive mode';
const find = (who: Person, search = 'zzzz', signal?: AbortSignal) =>
  fetch(`${world.base}/api/templates?$search=${search}`, {
    headers: { authorization: who.token },
    signal,
  });
/** Calls of another account, other than for templates, do not wait for the searches, which hang for two seconds each. */
async function othersAreServed(): Promise<void> {
  const started = performance.now();
  for (let n = 0; n < 5; n++) {
    await other.api(users.me, { query: {} });
    await other.api(contactLists.find, {});
    await other.api(contactLists.create, { body: { title: 'Tea', type: 'regular' } });
  }
  expect(performance.now() - started).toBeLessThan(15_000);
}

test('statements have the time that their kind of work needs, and migrations all of it', async () => {
  const timeout = async (db: Db) => (await db.query(`show statement_timeout`))[0];
  const worker = await world.startWorker();
  const jobs = worker.get(Db);
  const is = (statement_timeout: string) => ({ statement_timeout });
  expect(await timeout(world.db)).toEqual(is('2s'));
  await world.db.transaction(async () => {
    expect(await timeout(world.db)).toEqual(is('5s'));
    await world.db.setStatementTimeout(60);
    expect(await timeout(world.db)).toEqual(is('1min'));
  });
  expect(await timeout(world.db)).toEqual(is('2s'));
  expect(await timeout(jobs)).toEqual(is('10min'));
  expect(await jobs.transaction(() => timeout(jobs))).toEqual(is('10min'));
  expect((await watcher.query('show statement_timeout')).rows[0]).toEqual(is('0'));
  // Its periodic work reads templates, too.
  await worker.close();
});

test('of 60 searches of one account three run and others wait or get 503 or 429; other accounts are not delayed', async () => {
  await blocked(LOCK, async () => {
    const answers = Array.from({ length: 60 }, () => find(greedy));
    await until(async () => (await hanging()) === 3, 'three searches');
    await othersAreServed();
    expect(await hanging()).toBeLessThanOrEqual(3);
    const seen = await Promise.all(
      answers.map(async (one) => {
        const answer = await one;
        const { code } = (await answer.json()) as { code: string };
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
        return `${answer.status} ${code}`;
      }),
    );
    expect([...new Set(seen)].sort()).toEqual(['429 rate_limited', '503 unavailable']);
  });
  expect((await find(greedy)).status).toBe(200);
});

test('lists of many accounts use half of the connections, and each account gets its turn', async () => {
  const crowd = await Promise.all(Array.from({ length: 4 }, () => world.person()));
  await blocked(LOCK, async () => {
    const lists = crowd.flatMap((who) => [1, 2, 3].map(() => find(who)));
    await until(async () => (await hanging()) === POOL / 2, 'half of the connections');
    await other.api(users.me, { query: {} });
    await other.api(contactLists.create, { body: { title: 'Tea', type: 'regular' } });
    // Hanging calls are cancelled in time, and this one precedes the third of an account with two running.
    expect((await other.api(contactLists.find, {})).total).toBeGreaterThan(0);
    for (const one of lists) expect((await one).status).toBe(503);
  });
});

test('a list whose client disconnects is cancelled, and a waiting one is not started', async () => {
  await blocked(LOCK, async () => {
    const left = new AbortController();
    const lists = Array.from({ length: 10 }, () => find(greedy, 'zzzz', left.signal));
    await until(async () => (await hanging()) === 3, 'three searches');
    const started = performance.now();
    left.abort();
    for (const one of lists) await expect(one).rejects.toThrow('abort');
    await until(async () => (await hanging()) === 0, 'the end of all');
    expect(performance.now() - started).toBeLessThan(4000);
  });
  expect((await find(greedy)).status).toBe(200);
});

test('60 writes that wait for one row leave connections to others, and complete', async () => {
  const { id } = await greedy.api(contactLists.create, { body: { title: 'Tea', type: 'regular' } });
  const answers: Promise<RawAnswer>[] = [];
  await blocked(`select 1 from contact_lists where id = '${id}' for update`, async () => {
    for (let n = 0; n < 60; n++)
      answers.push(raw(world, greedy, 'PUT', `/contactLists/${id}`, { title: `Tea ${n}` }));
    await until(async () => (await hanging()) === POOL / 2, 'half of the connections');
    await othersAreServed();
    expect(await hanging()).toBe(POOL / 2);
  });
  for (const one of answers) expect((await one).status).toBe(200);
});

test('a write that waits too long is 503 and leaves nothing', async () => {
  const { id } = await greedy.api(contactLists.create, { body: { title: 'Tea', type: 'regular' } });
  await blocked(`select 1 from contact_lists where id = '${id}' for update`, async () => {
    const { status, json, headers } = await raw(world, greedy, 'PUT', `/contactLists/${id}`, {
      title: 'Coffee',
    });
    expect([status, json.code, headers.get('retry-after')]).toEqual([503, 'unavailable', '2']);
  });
  expect((await greedy.api(contactLists.get, { params: { id } })).title).toBe('Tea');
  expect(await greedy.api(templates.find, {})).toMatchObject({ total: 0 });
});
