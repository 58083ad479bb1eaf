import { tasks } from '@heliograph/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { finished, problems } from '../factories.ts';
import { type Person, until } from '../world.ts';
import { bulk, checkDelivery, PROFILE, sender } from './delivery.ts';
import { type Carrier, Processes } from './processes.ts';

const size = 12_000;
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
let cluster: Processes;
let carrier: Carrier;
let base: string;

beforeAll(async () => {
  cluster = await Processes.start();
  base = (await cluster.api()).base;
  carrier = await cluster.carrier(base, PROFILE);
  // However fast the carrier is, most of a bulk waits when its pause or its stop arrives.
  await cluster.world.db.query(`update channels set rate = $1`, [size / 20]);
  await cluster.worker();
});
afterAll(() => cluster?.stop());

const total = async () => (await carrier.summary()).total;

/** A partly submitted bulk, and the client of its owner. */
async function underWay(): Promise<{
  owner: Person;
  id: string;
  list: string;
  put: (state: 'paused' | 'scheduled') => Promise<unknown>;
}> {
  const owner = await sender(cluster.world, size);
  const api = cluster.world.client(owner.token, base);
  const before = await total();
  const { id } = await bulk(api, owner.list);
  await until(async () => (await total()) > before + size / 10, 'a tenth to be submitted');
  const put = (state: 'paused' | 'scheduled') =>
    api(tasks.update, { params: { id }, body: { state } });
  return { owner, id, list: owner.list, put };
}

/** What a worker had leased at the pause is submitted. */
const inHands = (id: string) =>
  until(async () => {
    const held = `select 1 from batches where task_id = $1 and stage in (1, 2) limit 1`;
    return (await cluster.world.db.query(held, [id])).length === 0;
  }, 'no batch to be in hands');

test('from the end of running submits until the resume nothing is submitted', async () => {
  const { owner, id, list, put } = await underWay();
  await put('paused');
  await inHands(id);
  const paused = await total();
  await sleep(2000);
  expect(await total()).toBe(paused);
  expect((await owner.api(tasks.get, { params: { id } })).state).toBe('paused');
  await put('scheduled');
  await until(async () => (await total()) > paused, 'the task to go on');
  await finished(owner, id);
  const figures = await checkDelivery(cluster.world, carrier, { id, list, size });
  expect(figures).toMatchObject({ unknownOutcomes: 0, lost: 0, doubled: 0 });
});

test('after a stop nothing is submitted; unsubmitted messages are cancelled and refunded', async () => {
  const { owner, id, put } = await underWay();
  await put('paused');
  await owner.api(tasks.cancel, { params: { id } });
  await inHands(id);
  const stopped = await total();
  await sleep(2000);
  expect(await total()).toBe(stopped);
  const chains = async () => {
    const [row] = await cluster.world.db.query<{ live: number; made: number }>(
      `select count(*) filter (where outcome is null)::int as live, count(*)::int as made
         from sendings where group_id = $1 and chain_id is null`,
      [id],
    );
    return row!;
  };
  await until(async () => (await chains()).live === 0, 'all chains to end');
  const submitted = new Set((await carrier.log()).map((entry) => entry.reference));
  const rows = await cluster.world.db.query<{
    id: string;
    error: string | null;
    refunded: boolean;
  }>(
    `select s.id, s.error, b.status = 2 as refunded from sendings s join billings b on b.id = s.id where s.group_id = $1`,
    [id],
  );
  const unsent = rows.filter((row) => !submitted.has(row.id));
  expect(unsent.length).toBeGreaterThan(0);
  expect(new Set(unsent.map((row) => `${row.error} ${row.refunded}`))).toEqual(
    new Set(['stopped true']),
  );
  expect((await owner.api(tasks.get, { params: { id } })).state).toBe('stopped');
  expect(await problems(cluster.world)).toEqual([]);
});
