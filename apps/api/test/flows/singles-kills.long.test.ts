import { ApiError, NoAnswer, sendings, type EachReceipt } from '@heliograph/contract';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { verify } from '../../src/verify.ts';
import { Carrier } from '../carrier.ts';
import { approve, balance } from '../factories.ts';
import { type Person, until } from '../world.ts';
import { Processes, type Running } from './processes.ts';

let cluster: Processes;
let api: Running;
let base: string;
let workers: Running[];
let who: Person;
/** Of a type each. A process that runs already does not use a new channel at once. */
let carriers: Record<'sms' | 'viber', Awaited<ReturnType<typeof heldCarrier>>>;

const BALANCE = 100_000;
/** Messages of each kind. Those that are due are more than the workers can have in hand at the kills of a test. */
const SIZES = { due: 120, raced: 80, early: 40 };
const KILLS = 3;
/** What the carrier takes in one call, and how many calls of a worker it takes at once. */
const LIMITS = { maxBatch: 5, connections: 2 };
/** What is waited for comes within seconds, where nothing else runs on the machine. */
const PATIENCE_MS = 240_000;
vi.setConfig({ testTimeout: 900_000, hookTimeout: 300_000 });

beforeAll(async () => {
  cluster = await Processes.start({ LEASE_SECONDS: '5' });
  await rows(`update channels set is_active = false where name <> '__test__'`);
  carriers = {
    sms: await heldCarrier('sms', { deduplicates: false }),
    viber: await heldCarrier('viber', { deduplicates: true }),
  };
  ({ process: api, base } = await cluster.api());
  workers = [];
  for (const name of ['one', 'two']) workers.push(await cluster.worker(name));
});
afterAll(async () => {
  for (const carrier of Object.values(carriers ?? {})) carrier.stop();
  await cluster?.stop();
});
beforeEach(async () => {
  who = await cluster.world.person({ balance: BALANCE });
  await approve(cluster.world, who.id);
});
afterEach(async () => {
  const problems = await verify(cluster.world.db);
  if (problems.length) throw new Error(JSON.stringify(problems));
});

const rows = <T>(sql: string, ...values: unknown[]) => cluster.world.db.query<T>(sql, values);
const caller = () => cluster.world.client(who.token, base);
const cancel = (id: string) => caller()(sendings.cancel, { params: { id } });
async function send(type: 'sms' | 'viber', count: number, sendAt: Date): Promise<string[]> {
  const recipients = Array.from({ length: count }, (_, n) => ({ to: `+7916${1_000_000 + n}` }));
  const payload = { sender: 'MIRTEA', text: 'Hello' };
  const body = { type, payload, recipients, sendAt: sendAt.toISOString() };
  const receipts = (await caller()(sendings.each, { body })) as EachReceipt[];
  return receipts.map(({ id }) => id!);
}
const without = (ids: Iterable<string>, others: { has(id: string): boolean }) =>
  [...ids].filter((id) => !others.has(id));
type Answer = 'cancelled' | 'refused' | 'cut off';
const answerOf = (id: string): Promise<Answer> =>
  cancel(id).then(
    () => 'cancelled',
    (error: unknown) => {
      if (error instanceof NoAnswer) return 'cut off';
      if (error instanceof ApiError && error.status === 409) return 'refused';
      // An API that is asked too much, or whose database is held by what was killed, asks to come again.
      if (error instanceof ApiError && [429, 503].includes(error.status)) return 'cut off';
      throw error;
    },
  );
/** Of all messages of the account. `stage` is that of the batch: 3 submitted, 4 with an unknown outcome. */
const kept = () =>
  rows<{ id: string; error: string | null; stage: number; refunded: boolean; amount: number }>(
    `select s.id, s.error, b.stage, l.refunded_at is not null as refunded, abs(s.amount)::float8 as amount
       from sendings s join batches b on b.id = s.batch_id join billings l on l.id = s.id where s.owner_id = $1`,
    who.id,
  );

/** A carrier that answers nothing until it is opened. */
async function heldCarrier(type: 'sms' | 'viber', options: object) {
  const carrier = await Carrier.start(cluster.world, [type], { ...LIMITS, ...options });
  const arrived: { id: string; at: number }[] = [];
  const inHand = new Set<string>();
  let isOpen = false;
  let reached = Promise.withResolvers<void>();
  carrier.meanwhile = ({ reference }) => {
    arrived.push({ id: reference, at: Date.now() });
    if (isOpen) return Promise.resolve({ result: 'accepted' });
    inHand.add(reference);
    reached.resolve();
    return new Promise(() => {});
  };
  return {
    arrived,
    /** What it took and did not answer. */
    inHand,
    reached: () => reached.promise,
    again: () => (reached = Promise.withResolvers()),
    open: () => (isOpen = true),
    stop: () => carrier.stop(),
  };
}

test.each([
  ['a carrier', 'sms'],
  ['a carrier that drops what it has', 'viber'],
] as const)('killed while singles wait, become due and are cancelled: %s', async (_, type) => {
  const carrier = carriers[type];
  const dueAt = new Date(Date.now() + 20_000);
  const due = await send(type, SIZES.due, dueAt);
  const raced = await send(type, SIZES.raced, dueAt);
  const early = await send(type, SIZES.early, new Date(Date.now() + 3600_000));
  let asked = [...raced, ...early];
  const cancelled = new Set<string>();
  const ask = async (meanwhile = () => Promise.resolve()) => {
    let isAnswered = asked.length === 0;
    const answers = asked.map(async (id) => {
      const answer = await answerOf(id);
      isAnswered = true;
      return { id, answer };
    });
    const all = Promise.all(answers);
    await until(() => Promise.resolve(isAnswered), 'an answer', PATIENCE_MS);
    await meanwhile();
    const got = await all;
    for (const { id, answer } of got) if (answer === 'cancelled') cancelled.add(id);
    asked = got.filter(({ answer }) => answer === 'cut off').map(({ id }) => id);
  };
  for (let n = 1; n <= KILLS; n++) {
    await carrier.reached();
    await ask(async () => void (await Promise.all([api, ...workers].map((one) => one.kill()))));
    await api.start();
    if (n === KILLS) carrier.open();
    carrier.again();
    await Promise.all(workers.map((one) => one.start()));
  }
  while (asked.length) await ask();
  await until(
    async () => (await kept()).every(({ stage }) => stage > 2),
    'nothing to be waited for',
    PATIENCE_MS,
  );

  const all = await kept();
  const stopped = new Set(all.filter(({ error }) => error === 'stopped').map(({ id }) => id));
  // What was answered is kept; a call that was cut off may have been carried out.
  expect(without(cancelled, stopped)).toEqual([]);
  expect(without(early, stopped)).toEqual([]);
  expect(due.filter((id) => stopped.has(id))).toEqual([]);
  expect(new Set(all.filter(({ refunded }) => refunded).map(({ id }) => id))).toEqual(stopped);
  const spent = all.filter(({ refunded }) => !refunded).reduce((sum, one) => sum + one.amount, 0);
  expect(await balance(cluster.world, who.id)).toBeCloseTo(BALANCE - spent, 4);

  expect(carrier.arrived.filter(({ at }) => at < dueAt.getTime())).toEqual([]);
  expect(carrier.arrived.filter(({ id }) => stopped.has(id))).toEqual([]);
  const times = Map.groupBy(carrier.arrived, ({ id }) => id);
  const repeated = new Set([...times].filter(([, { length }]) => length > 1).map(([id]) => id));
  const absent = all.filter(({ id }) => !stopped.has(id) && !times.has(id));
  // Only what the carrier had in hand at a kill is submitted again, and only if it drops what it has.
  const isDropped = type === 'viber';
  expect(without(repeated, isDropped ? carrier.inHand : new Set<string>())).toEqual([]);
  expect(absent.filter(({ stage }) => isDropped || stage !== 4)).toEqual([]);
  expect(times.size).toBeGreaterThan(carrier.inHand.size);
});

test('killed in the middle of a cancellation: nothing is kept of it, and the next one refunds once', async () => {
  const [id] = (await send('sms', 1, new Date(Date.now() + 3600_000))) as [string];
  const before = await balance(cluster.world, who.id);
  expect(before).toBeLessThan(BALANCE);
  let call: Promise<Answer>;
  await cluster.world.hold(async () => {
    await rows(`select 1 from balances where owner_id = $1 for update`, who.id);
    call = answerOf(id);
    await cluster.world.waitedFor('balances');
    await api.kill();
    expect(await call).toBe('cut off');
  });
  expect(await kept()).toMatchObject([{ id, error: null, refunded: false }]);
  expect(await balance(cluster.world, who.id)).toBe(before);
  await api.start();
  expect(await answerOf(id)).toBe('cancelled');
  await api.kill();
  await api.start();
  expect(await answerOf(id)).toBe('refused');
  expect(await kept()).toMatchObject([{ id, error: 'stopped', refunded: true }]);
  expect(await balance(cluster.world, who.id)).toBe(BALANCE);
});
