import { sendings, tasks, type SendingReceipt } from '@heliograph/contract';
import { afterEach, expect, test } from 'vitest';
import { finished } from '../factories.ts';
import { until } from '../world.ts';
import { bulk, checkDelivery, printFigures, sender } from './delivery.ts';
import { type Carrier, Processes, type Running } from './processes.ts';

const size = 3000;
let cluster: Processes;
let carrier: Carrier;
let base: string;

/** Reports arrive `delay` ms after the submit: a message reported before its lease ends has no unknown outcome. */
async function setUp(
  env: Record<string, string>,
  delay: number,
  channel: object = {},
): Promise<Running> {
  cluster = await Processes.start({ EXPIRES_SECONDS: '60', ...env });
  base = (await cluster.api()).base;
  carrier = await cluster.carrier(base, { sentDelay: [delay, delay + 200] }, { channel });
  return cluster.worker('first');
}

afterEach(() => cluster?.stop());

/**
 * Stops a worker that waits for the carrier's answer to a batch; the answer is lost. The carrier goes on once a second worker runs, so that
 * the batch is taken over before the carrier reports it, however long a worker needs to start.
 */
async function suspend(first: Running): Promise<string> {
  carrier.process.signal('SIGSTOP');
  const owner = await sender(cluster.world, size);
  const { id } = await bulk(cluster.world.client(owner.token, base), owner.list);
  // A worker goes on with other batches after a second; suspended while it begins one, it would lose that one.
  await until(async () => (await isSubmitting(id)) && !(await isBeginning(id)), 'it to wait');
  first.signal('SIGSTOP');
  await cluster.worker('second');
  carrier.process.signal('SIGCONT');
  await until(async () => (await carrier.summary()).distinct > 0, 'the carrier to take it');
  return id;
}

async function isSubmitting(id: string): Promise<boolean> {
  const rows = await cluster.world.db.query(
    `select 1 from batches where task_id = $1 and stage = 2 and updated_at < now() - interval '1 second'`,
    [id],
  );
  return rows.length > 0;
}

async function isBeginning(id: string): Promise<boolean> {
  const rows = await cluster.world.db.query(
    `select 1 from batches where task_id = $1 and stage in (1, 2) and updated_at > now() - interval '1.5 seconds'`,
    [id],
  );
  return rows.length > 0;
}

async function checkAll(id: string) {
  const [row] = await cluster.world.db.query<{ list: string }>(
    `select audience->0->>'list' as list from tasks where id = $1`,
    [id],
  );
  return checkDelivery(cluster.world, carrier, { id, list: row!.list, size });
}

async function ownerOf(id: string) {
  const [row] = await cluster.world.db.query<{ username: string }>(
    `select u.username from tasks t join users u on u.id = t.owner_id where t.id = $1`,
    [id],
  );
  const token = await cluster.world.login(row!.username);
  return { api: cluster.world.client(token, base) } as Parameters<typeof finished>[0];
}

test('another takes over within 30 seconds; one that comes back sends nothing again', async () => {
  const first = await setUp({}, 30_000);
  const started = Date.now();
  const id = await suspend(first);
  const stopped = Date.now();
  await until(async () => !(await isSubmitting(id)), 'the batch to be taken over', 240_000);
  const took = (Date.now() - stopped) / 1000;
  expect(took).toBeLessThan(30);
  await finished(await ownerOf(id), id, 240_000);
  const before = await carrier.summary();
  first.signal('SIGCONT');
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(first.alive).toBe(true);
  expect(await carrier.summary()).toMatchObject({ total: before.total, repeats: 0 });
  const figures = await checkAll(id);
  expect(figures.unknownOutcomes).toBeGreaterThan(0);
  expect(figures).toMatchObject({ lost: 0, doubled: 0 });
  printFigures('taken over', started, { ...figures, took });
}, 600_000);

test('messages with an unknown outcome are submitted again to a carrier that deduplicates', async () => {
  const first = await setUp({ LEASE_SECONDS: '5' }, 30_000, { deduplicates: true });
  const started = Date.now();
  const id = await suspend(first);
  await finished(await ownerOf(id), id, 240_000);
  first.signal('SIGCONT');
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const figures = await checkAll(id);
  const { repeats } = await carrier.summary();
  expect(figures.lost).toBe(0);
  expect(figures.doubled).toBe(repeats);
  expect(repeats).toBeGreaterThan(0);
  printFigures('resent', started, { ...figures, repeats });
}, 600_000);

test('a worker that stops releases its locks', async () => {
  const first = await setUp({ LEASE_SECONDS: '5' }, 0);
  const owner = await sender(cluster.world, size);
  const { db } = cluster.world;
  // Its chunk waits for the balance with the task locked; it stops, and only then gets what it waits for.
  let id = '';
  await cluster.world.hold(async () => {
    await db.query(`select 1 from balances where owner_id = $1 for update`, [owner.id]);
    await new Promise<void>((resolve, reject) => {
      setImmediate(() =>
        bulk(cluster.world.client(owner.token, base), owner.list).then((task) => {
          id = task.id;
          resolve();
        }, reject),
      );
    });
    await until(async () => {
      // Not in the transaction, which would read the same snapshot each time.
      const rows: unknown[] = await db.dataSource.query(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return rows.length > 0;
    }, 'a chunk to wait for the balance');
    first.signal('SIGSTOP');
  });
  const started = Date.now();
  await cluster.worker('second');
  await finished(owner, id, 240_000);
  const single = (await owner.api(sendings.create, {
    body: { type: 'viber', recipient: '+79021230001', payload: { sender: 'TEA', text: 'Tea' } },
  })) as SendingReceipt;
  expect(single.status).toBe('pending');
  first.signal('SIGCONT');
  await new Promise((resolve) => setTimeout(resolve, 1000));
  expect(first.alive).toBe(true);
  const task = await owner.api(tasks.get, { params: { id } });
  expect(task.meta.counters.total).toBe(size);
  printFigures('locks let go', started, await checkAll(id));
}, 600_000);
