import { billingOperations, storage, tasks } from '@heliograph/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyOperations } from '../../src/features/billing-operations/verify.store.ts';
import { verifyLedger } from '../../src/features/billings/verify.store.ts';
import { type Person, until } from '../world.ts';
import { Processes, type Running } from './processes.ts';

const ACCOUNTS = 50;
const ROWS = 20_000;

let cluster: Processes;
let workers: Running[];
let manager: Person;

beforeAll(async () => {
  cluster = await Processes.start({ LEASE_SECONDS: '5' });
  const { world } = cluster;
  manager = await world.person({ level: 'manager' });
  await world.db.query(
    `with u as (insert into users (id, username, password_hash, owner_id, level, manager_id)
       select i, 'operated-' || n, '', i, 'me', $1 from (select uuidv7() as i, n from generate_series(1, $2::int) n) s returning id)
     insert into balances (owner_id) select id from u`,
    [manager.id, ACCOUNTS],
  );
  workers = [];
  for (const name of ['first', 'second', 'third']) workers.push(await cluster.worker(name));
});
afterAll(() => cluster?.stop());

test('20,000 rows are entered once each by three workers that are killed in turn', async () => {
  const { db } = cluster.world;
  const lines = Array.from({ length: ROWS }, (_, i) => `operated-${1 + (i % ACCOUNTS)},1`);
  const body = new FormData();
  body.set('file', new Blob([`account,amount\n${lines.join('\n')}\n`]), 'bonuses.csv');
  const { key } = await manager.api(storage.create, { body: body as never, query: {} });
  const { id, hash, ready } = await manager.api(billingOperations.create, {
    body: { from: { key } },
  });
  expect(ready).toBe(ROWS);
  await manager.api(billingOperations.run, { params: { id }, body: { hash } });
  const completed = async () => (await task()).meta.counters.completed;
  const task = () => manager.api(tasks.get, { params: { id } });
  for (const [i, worker] of workers.entries()) {
    await until(async () => (await completed()) >= (ROWS / 5) * (i + 1), 'rows', 240_000);
    await worker.kill();
    await worker.start();
  }
  await until(async () => (await task()).state === 'completed', 'the end', 240_000);
  expect(await completed()).toBe(ROWS);
  const balances = await db.query<{ balance: string; n: number }>(
    `select balance::float8 as balance, count(*)::int as n from balances where owner_id in (
       select id from users where manager_id = $1) group by 1`,
    [manager.id],
  );
  expect(balances).toEqual([{ balance: ROWS / ACCOUNTS, n: ACCOUNTS }]);
  expect([...(await verifyLedger(db)), ...(await verifyOperations(db))]).toEqual([]);
  const { total } = await manager.api(storage.find, { query: {} });
  expect(total).toBe(2);
}, 600_000);
