import { links, sendings, tasks, type Sending, type Task } from '@heliograph/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { approve, contactList, finished, setCarrier } from '../../../test/factories.ts';
import { type Person, until, World } from '../../../test/world.ts';

let world: World;
let owner: Person;

beforeAll(async () => {
  world = await World.start({ SENDERNAMES_CHECK: 'none' });
  await world.startWorker();
  owner = await world.person({ balance: 10_000 });
  await approve(world, owner.id);
});
afterAll(() => world.stop());

async function bulk(given: object = {}): Promise<Task> {
  const list = await contactList(world, owner.id, 40);
  const body = {
    type: 'sms',
    recipient: { include: [list] },
    payload: { sender: 'MIRTEA', text: 'Tea is on sale' },
    ...given,
  } as never;
  return (await owner.api(sendings.create, { body })) as Task;
}
const outcome = (id: string, who = owner) => who.api(tasks.outcome, { params: { id } });

test('the summary equals the messages: by attempt, by operator, over time and in money', async () => {
  await setCarrier(world, { failed: 0.5, seen: 0.5 });
  const { id } = await bulk({
    type: 'viber',
    fallbacks: [
      {
        type: 'sms',
        payload: { sender: 'MIRTEA', text: 'Tea is on sale' },
        options: { onStatus: ['failed'] },
      },
    ],
  });
  const task = await finished(owner, id);
  const { data } = await owner.api(sendings.find, {
    query: { filter: { groupId: id }, limit: 200 },
  });
  const summary = await outcome(id);
  const count = (rows: Sending[], ...statuses: string[]) =>
    rows.filter(({ state }) => statuses.includes(state.status)).length;
  const byAttempt = [0, 1].map((attempt) => data.filter((row) => row.attempt === attempt));
  expect(byAttempt[1]!.length).toBeGreaterThan(0);
  expect(summary.attempts).toEqual(
    byAttempt.map((rows, attempt) => ({
      attempt,
      type: attempt ? 'sms' : 'viber',
      count: rows.length,
      submitted: rows.length,
      delivered: count(rows, 'delivered', 'seen'),
      seen: count(rows, 'seen'),
      replied: 0,
      failed: count(rows, 'failed'),
      cancelled: 0,
      pending: 0,
    })),
  );
  const { completed, errored } = task.meta.counters;
  const sum = <K extends string>(rows: Record<K, number>[], ...names: K[]) =>
    names.map((name) => rows.reduce((total, row) => total + row[name], 0));
  expect(sum(summary.operators, 'count', 'delivered', 'failed')).toEqual([40, completed, errored]);
  const { operator } = data[0]!.meta;
  expect(summary.operators[0]).toMatchObject({
    mccmnc: operator!.mcc + operator!.mnc,
    name: operator!.name,
    country: 'RU',
  });
  expect(sum(summary.timeline.steps, 'submitted', 'delivered', 'failed')).toEqual([
    data.length,
    count(data, 'delivered', 'seen'),
    count(data, 'failed'),
  ]);
  const amounts = (isRefunded: boolean) =>
    data
      .filter(({ meta }) => meta.billing!.refunded === isRefunded)
      .reduce((sum, { meta }) => sum + meta.billing!.amount, 0);
  expect(summary.cost.refunded).toBeCloseTo(amounts(true), 4);
  expect(summary.cost.spent).toBeCloseTo(amounts(false), 4);
  expect(summary.cost.reserved).toBe(0);
  expect(summary.cost.charged).toBeCloseTo(task.meta.amount, 4);
});

test('what waits is reserved and pending, and what a stop drops is cancelled and refunded', async () => {
  await setCarrier(world, {});
  const { id } = await bulk({ schedule: { delay: 0, until: 6 } });
  const params = { id };
  const read = async () => (await owner.api(tasks.get, { params })).meta;
  await until(async () => (await read()).counters.total === 40, 'the audience to be read');
  await owner.api(tasks.update, { params, body: { state: 'paused' } });
  const waiting = await outcome(id);
  const price = (await read()).amount / 40;
  const [attempt] = waiting.attempts;
  expect(attempt!.pending).toBeGreaterThan(30);
  expect(waiting.cost.reserved).toBeCloseTo(attempt!.pending * price, 4);
  expect(waiting.cost.spent).toBeCloseTo(attempt!.delivered * price, 4);
  await owner.api(tasks.cancel, { params });
  await until(async () => {
    const { attempts, cost } = await outcome(id);
    return attempts[0]!.pending === 0 && cost.reserved === 0;
  }, 'the batches to be dropped');
  const { attempts, cost, retry } = await outcome(id);
  expect(attempts[0]!.failed).toBe(0);
  expect(attempts[0]!.cancelled).toBeGreaterThan(30);
  expect(cost.refunded).toBeCloseTo(attempts[0]!.cancelled * price, 4);
  expect(retry).toEqual({ count: 0, unsubscribed: 0, reached: 0 });
});

test('short links of its texts have their clicks', async () => {
  const link = await owner.api(links.create, { body: { url: 'https://example.org/sale' } });
  const other = await owner.api(links.create, { body: { url: 'https://example.org/other' } });
  const { id } = await bulk({
    payload: { sender: 'MIRTEA', text: `Sale: ${link.shortUrl}. And ${other.shortUrl}x` },
  });
  const { id: linkId, url, shortUrl } = link;
  expect((await outcome(id)).links).toEqual([
    { id: linkId, url, shortUrl, clicks: 0, clickedBy: null },
  ]);
});

test('it is the owner’s, and of bulks only', async () => {
  const { id } = await bulk({
    schedule: { delay: new Date(Date.now() + 86_400_000).toISOString() },
  });
  const empty = await outcome(id);
  expect(empty).toMatchObject({ attempts: [], operators: [], origin: null, resends: [] });
  expect(empty.timeline.steps).toEqual([]);
  expect(empty.cost).toEqual({ charged: 0, spent: 0, reserved: 0, refunded: 0, covered: 0 });
  const stranger = await world.person();
  await expect(outcome(id, stranger)).rejects.toMatchObject({ status: 404 });
  const [other] = await world.db.query<{ id: string }>(
    `insert into tasks (owner_id, user_id, type, title, data, audience) values ($1, $1, 'billings:operations', 'Rows', '{}', '[]') returning id`,
    [owner.id],
  );
  await expect(outcome(other!.id)).rejects.toMatchObject({ status: 404 });
});
