import {
  ADMINISTRATOR_GRANTS,
  NoAnswer,
  packageOffers,
  packages,
  sendings,
  type SendingReceipt,
  type SendingTask,
} from '@heliograph/contract';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type * as z from 'zod';
import { verify } from '../../src/verify.ts';
import { Carrier } from '../carrier.ts';
import { approve, balance, contactList } from '../factories.ts';
import { type Person, until } from '../world.ts';
import { Processes, type Running } from './processes.ts';

let cluster: Processes;
let api: Running;
let base: string;
let workers: Running[];
let carrier: Carrier;
let owner: Person;

const BALANCE = 10_000;
const OFFER = { units: 130, price: 100 };
/** Recipients of each of the two bulks, and singles of each round. */
const SIZES = { bulk: 60, singles: 15 };
const KILLS = 3;
/** What is waited for comes within seconds, where nothing else runs on the machine. */
const PATIENCE_MS = 90_000;
vi.setConfig({ testTimeout: 600_000, hookTimeout: 300_000 });

beforeAll(async () => {
  cluster = await Processes.start({ LEASE_SECONDS: '5' });
  const { world } = cluster;
  await rows(`update channels set is_active = false where name <> '__test__'`);
  carrier = await Carrier.start(world, ['sms'], { maxBatch: 5, connections: 2 });
  // Units of what fails go back, and are taken again.
  carrier.meanwhile = ({ recipient }) =>
    Promise.resolve(
      recipient.endsWith('7') ? { result: 'rejected', code: 'other' } : { result: 'accepted' },
    );
  ({ process: api, base } = await cluster.api());
  workers = [];
  for (const name of ['one', 'two']) workers.push(await cluster.worker(name));
  owner = await world.person({ balance: BALANCE });
  await approve(world, owner.id);
});
afterAll(async () => {
  carrier?.stop();
  await cluster?.stop();
});
afterEach(async () => {
  const problems = await verify(cluster.world.db);
  if (problems.length) throw new Error(JSON.stringify(problems));
});

const rows = <T>(sql: string, ...values: unknown[]) => cluster.world.db.query<T>(sql, values);
const as = ({ token }: Person) => cluster.world.client(token, base);
const payload = { sender: 'MIRTEA', text: 'Hello' };

async function buy(): Promise<string> {
  const administrator = await cluster.world.person({
    level: 'manager',
    grants: { add: ADMINISTRATOR_GRANTS },
  });
  const body = {
    ...OFFER,
    title: 'For all',
    types: ['sms' as const],
    mccmnc: [],
    currency: 'RUB',
    days: 30,
    isActive: true,
  };
  const { id: OfferId } = await as(administrator)(packageOffers.create, { body });
  return (await as(owner)(packages.create, { body: { OfferId, price: OFFER.price } })).id;
}
let phones = 0;
/** The id; null if the process was killed before it answered. */
const single = (): Promise<string | null> =>
  as(owner)(sendings.create, {
    body: { type: 'sms', recipient: `+7916${1_000_000 + phones++}`, payload },
  }).then(
    (receipt) => (receipt as SendingReceipt).id,
    (error: unknown) => {
      if (error instanceof NoAnswer) return null;
      throw error;
    },
  );
const singles = () => Promise.all(Array.from({ length: SIZES.singles }, single));
async function bulk(list: string): Promise<string> {
  const body = { type: 'sms' as const, recipient: { include: [list] }, payload };
  return ((await as(owner)(sendings.create, { body })) as z.infer<typeof SendingTask>).id;
}
const killAll = () => Promise.all([api, ...workers].map((one) => one.kill()));
async function startAll(): Promise<void> {
  await api.start();
  await Promise.all(workers.map((one) => one.start()));
}
const taken = () => carrier.calls.flat().length;
interface Entry {
  id: string;
  taskId: string | null;
  phone: string;
  failed: boolean;
  refunded: boolean;
  covered: boolean;
  amount: number;
  stage: number;
}
/** Of all messages of the account. */
const entries = () =>
  rows<Entry>(
    `select s.id, s.task_id as "taskId", s.phone, s.now_status = 5 as failed, l.refunded_at is not null as refunded,
            l.package_id is not null as covered, -l.amount::float8 as amount, b.stage
       from sendings_now s join batches b on b.id = s.batch_id join billings l on l.id = s.id where s.owner_id = $1`,
    owner.id,
  );

test('bulks and singles whose processes are killed take each unit of a package once', async () => {
  const id = await buy();
  const left = async () => {
    const [row] = await rows<{ left: number }>(
      `select units_left as left from message_packages where id = $1`,
      id,
    );
    return row!.left;
  };
  const answered = new Set<string>();
  const keep = (ids: (string | null)[]) => ids.forEach((one) => one && answered.add(one));

  const lists: string[] = [];
  for (const first of [0, 1000])
    lists.push(await contactList(cluster.world, owner.id, SIZES.bulk, { first }));

  // Killed while all of them wait to be charged.
  const bulks: string[] = [];
  let cutOff: Promise<(string | null)[]>;
  await cluster.world.hold(async () => {
    await rows(`select 1 from balances where owner_id = $1 for update`, owner.id);
    for (const list of lists) bulks.push(await bulk(list));
    cutOff = singles();
    await cluster.world.waitedFor('the balance');
    await killAll();
    expect(await cutOff).toEqual(Array.from({ length: SIZES.singles }, () => null));
  });
  expect(await left()).toBe(OFFER.units);
  expect(await entries()).toEqual([]);

  // Killed while some are charged, others are sent and others fail.
  for (let n = 0; n < KILLS; n++) {
    const before = taken();
    await startAll();
    keep(await singles());
    await until(() => Promise.resolve(taken() > before), 'messages to be sent', PATIENCE_MS);
    const last = singles();
    await killAll();
    keep(await last);
  }
  await startAll();
  const all = await until(
    async () => {
      const now = await entries();
      const ofBulks = now.filter(({ taskId }) => taskId !== null).length;
      return ofBulks === 2 * SIZES.bulk && now.every(({ stage }) => stage > 2) && now;
    },
    'all to be sent',
    PATIENCE_MS,
  );

  for (const bulkId of bulks) {
    const own = all.filter(({ taskId }) => taskId === bulkId);
    expect(new Set(own.map(({ phone }) => phone)).size).toBe(SIZES.bulk);
    expect(own).toHaveLength(SIZES.bulk);
  }
  const stored = new Set(all.map((one) => one.id));
  expect([...answered].filter((one) => !stored.has(one))).toEqual([]);
  expect(all.filter(({ failed, refunded }) => failed !== refunded)).toEqual([]);
  expect(all.some(({ refunded }) => refunded)).toBe(true);

  const covered = all.filter((one) => one.covered);
  expect(await left()).toBe(OFFER.units - covered.filter(({ refunded }) => !refunded).length);
  expect(covered.length).toBeGreaterThanOrEqual(Math.min(OFFER.units, all.length));
  const paid = all.filter((one) => !one.covered);
  expect(paid.length).toBeGreaterThan(0);
  const spent = paid.reduce((sum, { amount, refunded }) => sum + (refunded ? 0 : amount), 0);
  expect(await balance(cluster.world, owner.id)).toBeCloseTo(BALANCE - OFFER.price - spent, 4);
});
