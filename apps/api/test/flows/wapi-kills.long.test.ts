import { wapi } from '@heliograph/contract';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { verify } from '../../src/verify.ts';
import { balance } from '../factories.ts';
import { GATEWAY_TOKEN } from '../gateway-peer.ts';
import { type Person, until } from '../world.ts';
import { Processes, type Running } from './processes.ts';

let cluster: Processes;
let base: string;
let workers: Running[];
let who: Person;

const PRICE = 1990;
/** What is waited for comes within seconds, where nothing else runs on the machine. */
const PATIENCE_MS = 90_000;
vi.setConfig({ testTimeout: 600_000, hookTimeout: 300_000 });

beforeAll(async () => {
  cluster = await Processes.start();
  const env = { WAPI_GATEWAY_URL: cluster.world.gateway.url, WAPI_GATEWAY_TOKEN: GATEWAY_TOKEN };
  ({ base } = await cluster.api('api', env));
  workers = [];
  for (const name of ['one', 'two', 'three']) workers.push(await cluster.worker(name, env));
});
afterAll(() => cluster.stop());
beforeEach(async () => {
  who = await cluster.world.person({ balance: 10 * PRICE });
});
afterEach(async () => {
  const problems = await verify(cluster.world.db);
  if (problems.length) throw new Error(JSON.stringify(problems));
});

const api = (person = who) => cluster.world.client(person.token, base);
const rows = <T>(sql: string, ...values: unknown[]) => cluster.world.db.query<T>(sql, values);
const periods = () =>
  rows<{ at: Date }>(`select starts_at as at from wapi_periods where owner_id = $1`, who.id);

async function kill(one: Running): Promise<void> {
  await one.kill();
  await one.start();
}
/** Moves the paid time of an instance, so that it has just ended. */
async function end(id: string): Promise<void> {
  await rows(
    `with t as (select date_trunc('milliseconds', now()) as at),
     w as (update wapi_instances set anchor = anchor - (expired_at - t.at), expired_at = t.at from t where id = $1 returning id)
     update wapi_periods p set starts_at = p.starts_at - interval '40 days' - n * interval '1 hour', ends_at = case when n = 1 then t.at else p.starts_at - interval '40 days' end
       from (select id, row_number() over (order by starts_at desc) as n from wapi_periods where instance_id = $1) o, w, t where p.id = o.id`,
    id,
  );
}
/** While a renewal waits for the balance of its account. */
async function whileRenewing(id: string, act: () => Promise<unknown>): Promise<void> {
  const [locked, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const held = cluster.world.hold(async () => {
    await rows(`select 1 from balances where owner_id = $1 for update`, who.id);
    locked.resolve();
    await done.promise;
  });
  try {
    await locked.promise;
    await end(id);
    await until(
      async () => {
        const waiting = await rows(
          `select 1 from pg_stat_activity where wait_event in ('transactionid', 'tuple') and datname = current_database()`,
        );
        return waiting.length > 0;
      },
      'a renewal to wait for the balance',
      PATIENCE_MS,
    );
    await act();
  } finally {
    done.resolve();
    await held;
  }
}

test.each([1, 2, 3])(
  'three workers killed in the middle of renewal %i: the month is charged once',
  async (n) => {
    const { id } = await api()(wapi.create);
    for (let i = 1; i <= n; i++) {
      await whileRenewing(id, () => Promise.all(workers.map(kill)));
      await until(async () => (await periods()).length === i + 1, 'the renewal', PATIENCE_MS);
    }
    // A month that has just begun is not renewed by what comes later.
    await Promise.all(workers.map(kill));
    expect(await periods()).toHaveLength(n + 1);
    expect(await balance(cluster.world, who.id)).toBe((10 - n - 1) * PRICE);
  },
);

test('killed at once and again: an instance is created once at the gateway', async () => {
  const { id } = await api()(wapi.create);
  await Promise.all(workers.map(kill));
  await rows(`update wapi_instances set poll_at = now() where id = $1`, id);
  await until(
    async () => (await api()(wapi.get, { params: { id } })).state === 'notAuthorized',
    'the instance',
    PATIENCE_MS,
  );
  const there = [...cluster.world.gateway.gateway.instances.values()];
  expect(there.filter(({ name }) => name === id)).toHaveLength(1);
});
