import { invoices, NoAnswer, payments, recurrentPayments } from '@heliograph/contract';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { verify } from '../../src/verify.ts';
import { SANDBOX_SECRET } from '../acquirer-peer.ts';
import { balance } from '../factories.ts';
import { sidesOf } from '../samples/documents.ts';
import { type Person, until } from '../world.ts';
import { Processes, type Running } from './processes.ts';

let cluster: Processes;
let api: Running;
let base: string;
let workers: Running[];
let who: Person;
let manager: Person;

const GOOD = '4242424242424242';

/** What is waited for comes within seconds, where nothing else runs on the machine. */
const PATIENCE_MS = 90_000;
// Processes are started again in each.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 300_000 });

beforeAll(async () => {
  cluster = await Processes.start();
  const { world } = cluster;
  const env = {
    PAYMENT_METHODS: 'sandbox',
    PAYMENT_SANDBOX_URL: world.acquirer.url,
    PAYMENT_SANDBOX_SECRET: SANDBOX_SECRET,
  };
  ({ process: api, base } = await cluster.api('api', env));
  workers = [];
  for (const name of ['one', 'two', 'three']) workers.push(await cluster.worker(name, env));
});
afterAll(() => cluster.stop());
beforeEach(async () => {
  const { world } = cluster;
  world.acquirer.sent.length = 0;
  manager = await world.person({ level: 'manager' });
  who = await world.person({ managerId: manager.id, balance: 0 });
});
afterEach(async () => {
  const problems = await verify(cluster.world.db);
  if (problems.length) throw new Error(JSON.stringify(problems));
});

const as = (person: Person) => cluster.world.client(person.token, base);
/** A call whose process is killed. */
const cutOff = (call: Promise<unknown>) => expect(call).rejects.toBeInstanceOf(NoAnswer);
const start = () => as(who)(payments.create, { body: { amount: 500, method: 'sandbox' } });
const rows = <T>(sql: string, ...values: unknown[]) => cluster.world.db.query<T>(sql, values);
const onlyPayment = async () => {
  const [row] = await rows<{ id: string; status: string }>(
    `select id, status from payments where owner_id = $1 order by id desc limit 1`,
    who.id,
  );
  return row!;
};
/** The acquirer is asked now, and not in half a minute. */
const hurry = () =>
  rows(`update payments set next_query_at = now() where next_query_at is not null`);
const reaches = (status: string) =>
  until(
    async () => {
      await hurry();
      return (await onlyPayment()).status === status;
    },
    `the payment to be ${status}`,
    PATIENCE_MS,
  );

async function kill(one: Running): Promise<void> {
  await one.kill();
  await one.start();
}
async function notify(): Promise<number> {
  const { body, signature } = cluster.world.acquirer.sent.at(-1)!;
  const headers = { 'content-type': 'application/json', 'x-sandbox-signature': signature };
  const answer = await fetch(`${base}/api/payments/webhook/sandbox`, {
    method: 'POST',
    headers,
    body,
  });
  return answer.status;
}
async function paid(): Promise<string> {
  const { id, url } = await start();
  await cluster.world.acquirer.pay(url, { card: GOOD });
  expect(await notify()).toBe(200);
  return id;
}

test('killed before the acquirer opens the payment: nothing is taken, and it expires', async () => {
  const held = cluster.world.acquirer.hold('call');
  const call = cutOff(start());
  await held;
  await kill(api);
  await call;
  const { id } = await onlyPayment();
  await rows(`update payments set expires_at = now() where id = $1`, id);
  await reaches('error');
  expect(cluster.world.acquirer.taken(id)).toBeUndefined();
  expect(await balance(cluster.world, who.id)).toBe(0);
});

test('killed after the acquirer opened it, before its answer is stored: what is paid is credited', async () => {
  const { acquirer } = cluster.world;
  const held = acquirer.hold('answer');
  const call = cutOff(start());
  await held;
  await kill(api);
  await call;
  const { id } = await onlyPayment();
  const [externalId] = [...acquirer.acquirer.payments].find(([, one]) => one.reference === id)!;
  await acquirer.pay(`${acquirer.url}/pay/${externalId}`, { card: GOOD });
  await reaches('completed');
  expect(await notify()).toBe(200);
  expect(await balance(cluster.world, who.id)).toBe(500);
});

/** A notification that is being applied, and waits for the balance. */
async function applying(end: (call: Promise<unknown>) => Promise<void>): Promise<void> {
  const { url } = await start();
  await cluster.world.acquirer.pay(url, { card: GOOD });
  let call: Promise<unknown>;
  await cluster.world.hold(async () => {
    await rows(`select 1 from balances where owner_id = $1 for update`, who.id);
    call = notify().catch((error: unknown) => error);
    await until(
      async () => {
        // Within a transaction the activity is read once.
        await rows(`select pg_stat_clear_snapshot()`);
        const waiting = await rows(
          `select 1 from pg_stat_activity where wait_event in ('transactionid', 'tuple') and datname = current_database()`,
        );
        return waiting.length > 0;
      },
      'the notification to wait for the balance',
      PATIENCE_MS,
    );
    await end(call);
  });
  await call!;
}

test('killed while a notification is applied: it is credited by a query', async () => {
  await applying(async (call) => {
    await kill(api);
    expect(await call).toBeInstanceOf(Error);
  });
  await reaches('completed');
  expect(await balance(cluster.world, who.id)).toBe(500);
});

test('killed after the credit, before its answer: the repeated notification changes nothing', async () => {
  await applying(() => Promise.resolve());
  await until(async () => (await onlyPayment()).status === 'completed', 'the credit', PATIENCE_MS);
  await kill(api);
  for (let i = 0; i < 2; i++) expect(await notify()).toBe(200);
  expect(await balance(cluster.world, who.id)).toBe(500);
});

test.each(['call', 'answer'] as const)(
  'killed at the %s of a refund: it is made and taken once',
  async (at) => {
    const id = await paid();
    const held = cluster.world.acquirer.hold(at);
    const call = cutOff(
      as(manager)(payments.refund, { params: { id }, body: { amount: 120, refunded: 0 } }),
    );
    await held;
    await kill(api);
    await call;
    await reaches('partialRefunded');
    expect(cluster.world.acquirer.taken(id)!.refunds).toEqual(['120.00']);
    expect(await balance(cluster.world, who.id)).toBe(380);
  },
);

test.each(['call', 'answer'] as const)(
  'three workers killed at the %s of a charge: the period is charged once',
  async (at) => {
    const body = {
      type: 'frequency',
      frequency: 'daily',
      method: 'sandbox',
      amount: 300,
      isOfferAccepted: true,
    } as const;
    const { url } = await as(who)(recurrentPayments.create, { body });
    await cluster.world.acquirer.pay(url, { card: GOOD });
    expect(await notify()).toBe(200);
    const held = cluster.world.acquirer.hold(at);
    await rows(
      `update recurrent_payments set anchor = anchor - interval '1 day', next_at = next_at - interval '1 day' where owner_id = $1`,
      who.id,
    );
    await held;
    await Promise.all(workers.map(kill));
    await reaches('completed');
    const charges = await rows<{ id: string }>(
      `select id from payments where owner_id = $1 and kind = 'charge'`,
      who.id,
    );
    expect(charges.map(({ id }) => cluster.world.acquirer.taken(id)!.status)).toEqual(['paid']);
    expect(await balance(cluster.world, who.id)).toBe(600);
  },
);

test('killed among fifty invoices: numbers without a gap, and each has its document', async () => {
  const sides = await sidesOf(cluster.world, who);
  const issue = (amount: number) => as(who)(invoices.create, { body: { ...sides, amount } });
  const made = () =>
    rows<{ number: number; made: boolean }>(
      `select number, made_at is not null as made from invoices where owner_id = $1 order by number`,
      who.id,
    );
  const calls = Promise.allSettled(Array.from({ length: 40 }, (_, n) => issue(100 + n)));
  await until(async () => (await made()).length >= 5, 'some invoices', PATIENCE_MS);
  await kill(api);
  const answered = (await calls).filter(({ status }) => status === 'fulfilled').length;
  await Promise.all(Array.from({ length: 10 }, (_, n) => issue(200 + n)));
  await until(
    async () => {
      await rows(
        `update invoices set created_at = created_at - interval '1 hour' where made_at is null`,
      );
      return (await made()).every((one) => one.made);
    },
    'the documents',
    PATIENCE_MS,
  );
  const numbers = (await made()).map(({ number }) => number);
  expect(numbers).toEqual(numbers.map((_, n) => n + 1));
  expect(numbers.length).toBeGreaterThanOrEqual(answered + 10);
});
