import { sendings, tasks, type SendingTask } from '@heliograph/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type * as z from 'zod';
import { approve, balance, contactList, finished, problems, setCarrier } from '../factories.ts';
import { type Person, until, World } from '../world.ts';

let world: World;
let owner: Person;

beforeAll(async () => {
  world = await World.start();
  await world.startWorker();
});
afterAll(() => world.stop());
beforeEach(async () => {
  owner = await world.person({ balance: 100_000 });
  await approve(world, owner.id);
});

type Started = z.infer<typeof SendingTask>;
const send = async (body: object, who = owner) =>
  (await who.api(sendings.create, { body: body as never })) as Started;
const payload = { sender: 'MIRTEA', text: 'Hello {firstName|friend}' };

test('a bulk is expanded, submitted, delivered, billed as estimated, and completed', async () => {
  await setCarrier(world, { failed: 0.1 });
  const list = await contactList(world, owner.id, 1500);
  const body = { type: 'sms', recipient: { include: [list] }, payload };
  const estimate = await owner.api(sendings.estimate, { body: body as never });
  expect(estimate).toMatchObject({ exact: true, recipients: 1500, enough: true });
  const { id, groupId } = await send(body);
  expect(groupId).toBe(id);
  const task = await finished(owner, id);
  const { counters, amount } = task.meta;
  expect(counters).toMatchObject({ expected: 1500, total: 1500, skipped: {} });
  expect(counters.completed + counters.errored).toBe(1500);
  expect(counters.errored).toBeGreaterThan(50);
  expect(amount).toBeCloseTo(estimate.amount, 4);
  const [refunds] = await world.db.query<{ sum: string }>(
    `select -sum(amount) as sum from billings where owner_id = $1 and status = 2`,
    [owner.id],
  );
  expect(await balance(world, owner.id)).toBeCloseTo(
    100_000 - estimate.amount + Number(refunds!.sum),
    4,
  );
  expect(await problems(world)).toEqual([]);
  const page = await owner.api(sendings.find, {
    query: { filter: { groupId, status: ['failed'] }, limit: 16 },
  });
  expect(page.total).toBe(counters.errored);
  expect(page.data[0]!.payload.text).toMatch(/^Hello Name\d+$/);
});

test('fallbacks start by status and by timeout; every chain ends once, under one chainId', async () => {
  await setCarrier(world, { failed: 0.3, silent: 0.3 });
  const list = await contactList(world, owner.id, 300);
  const { id } = await send({
    type: 'viber',
    recipient: { include: [list] },
    payload,
    fallbacks: [
      {
        type: 'sms',
        payload: { sender: 'MIRTEA', text: 'By SMS: {firstName}' },
        $options: {
          onStatus: ['failed'],
          onTimeout: { timeout: 2, except: ['delivered', 'seen'] },
        },
      },
    ],
  });
  await until(
    async () => (await owner.api(tasks.get, { params: { id } })).meta.counters.total === 300,
    'the audience',
  );
  world.clock.forward(3);
  // Recipients whose message failed or got no report have a second attempt, and all of them are submitted.
  await until(async () => {
    const [row] = await world.db.query<{ n: number }>(
      `select count(*) filter (where attempt = 1)::int as n from sendings_now s where group_id = $1
       having not bool_or(stage < 3 or (attempt = 0 and now_status in (2, 5)
                 and not exists (select 1 from sendings n where n.chain_id = s.id)))`,
      [id],
    );
    return row && row.n > 120;
  }, 'fallbacks');
  world.clock.forward(70);
  const task = await finished(owner, id);
  expect(task.meta.counters.total).toBe(300);
  const kinds = await world.db.query<{ error: string | null; n: number }>(
    `select s.error, count(*)::int as n from sendings s join sendings f on f.chain_id = s.id where s.group_id = $1 group by 1`,
    [id],
  );
  expect(Object.fromEntries(kinds.map((k) => [k.error, k.n]))).toMatchObject({
    expired: expect.any(Number),
  });
  expect(kinds.length).toBeGreaterThan(1);
  const texts = await world.db.query<{ body: string }>(
    `select body from sendings where group_id = $1 and attempt = 1 limit 5`,
    [id],
  );
  for (const { body } of texts) expect(body).toMatch(/^By SMS: Name\d+$/);
  expect(await problems(world)).toEqual([]);
});

test('excluded, blacklisted and repeated recipients are counted by reason', async () => {
  await setCarrier(world, {});
  const people = await contactList(world, owner.id, 50);
  const again = await contactList(world, owner.id, 60);
  const excluded = await contactList(world, owner.id, 10);
  await contactList(world, owner.id, 5, { first: 20, type: 'blacklist' });
  const { id } = await send({
    type: 'sms',
    recipient: {
      include: [people, '8 902 000-00-30', again, 'nonsense'],
      exclude: [excluded, '+79020000060'],
    },
    payload,
  });
  const task = await finished(owner, id);
  expect(task.meta.counters).toMatchObject({
    total: 60 - 10 - 5 - 1,
    skipped: { excluded: 10 + 10 + 1, blacklisted: 5 + 5, duplicate: 1 + 35, invalid: 1 },
  });
  expect(await problems(world)).toEqual([]);
});

test('pause submits nothing until resume; stop cancels and refunds the rest', async () => {
  await setCarrier(world, {});
  const list = await contactList(world, owner.id, 400);
  const { id } = await send({
    type: 'sms',
    recipient: { include: [list] },
    payload,
    schedule: { until: 1 },
  });
  const params = { id };
  const progress = async () => {
    const [row] = await world.db.query<{ submitted: number; leased: number }>(
      `select coalesce(sum(size) filter (where stage = 3), 0)::int as submitted,
              coalesce(sum(size) filter (where stage in (1, 2)), 0)::int as leased from batches where task_id = $1`,
      [id],
    );
    return row!;
  };
  world.clock.forward(600);
  await until(async () => (await progress()).submitted > 40, 'a sixth of an hour');
  await owner.api(tasks.update, { params, body: { state: 'paused' } });
  // What was leased before goes on.
  await until(async () => (await progress()).leased === 0, 'the leased batches to be submitted');
  const before = (await progress()).submitted;
  world.clock.forward(600);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect((await progress()).submitted).toBe(before);
  const paused = await owner.api(sendings.find, {
    query: { filter: { groupId: id, status: ['paused'] } },
  });
  expect(paused.total).toBe(400 - before);
  await expect(
    owner.api(tasks.update, { params, body: { state: 'stopped' } }),
  ).rejects.toMatchObject({ status: 409 });
  await owner.api(tasks.update, { params, body: { state: 'scheduled' } });
  await until(async () => (await progress()).submitted > before, 'the task to go on');
  await owner.api(tasks.update, { params, body: { state: 'stopped' } });
  const { submitted, leased } = await progress();
  await until(async () => {
    const { counters } = (await owner.api(tasks.get, { params })).meta;
    return counters.completed + counters.errored + counters.cancelled === 400;
  }, 'the rest to be cancelled');
  // At most what was being submitted at that moment, and not all of it.
  expect((await progress()).submitted).toBeLessThanOrEqual(submitted + leased);
  expect(submitted + leased).toBeLessThan(400);
  const stopped = await owner.api(sendings.find, {
    query: { filter: { groupId: id, status: ['failed'] } },
  });
  expect(stopped.data[0]!).toMatchObject({
    state: { code: 'stopped', outcome: 'cancelled' },
    meta: { billing: { refunded: true } },
  });
  expect(await problems(world)).toEqual([]);
});

test('a task pauses at the first recipient that the balance does not cover, and continues there after a top-up', async () => {
  await setCarrier(world, {});
  const list = await contactList(world, owner.id, 1200);
  const { id } = await send({
    type: 'sms',
    recipient: { include: [list] },
    payload,
    schedule: { delay: new Date(world.clock.now().getTime() + 60_000).toISOString() },
  });
  await world.db.query(`update balances set balance = 100 where owner_id = $1`, [owner.id]);
  await world.db.query(`update billings set amount = 100 where owner_id = $1`, [owner.id]);
  world.clock.forward(61);
  const paused = await until(async () => {
    const task = await owner.api(tasks.get, { params: { id } });
    return task.state === 'paused' && task;
  }, 'the task to pause');
  expect(paused.reason).toBe('insufficient_funds');
  expect(await balance(world, owner.id)).toBeLessThan(4);
  const made = paused.meta.counters.total;
  expect(made).toBeGreaterThan(20);
  await world.db.query(`update balances set balance = balance + 10000 where owner_id = $1`, [
    owner.id,
  ]);
  await world.db.query(`insert into billings (owner_id, source, amount) values ($1, -1, 10000)`, [
    owner.id,
  ]);
  await owner.api(tasks.update, { params: { id }, body: { state: 'scheduled' } });
  const task = await finished(owner, id);
  expect(task.meta.counters).toMatchObject({ total: 1200, completed: 1200 });
  expect(await problems(world)).toEqual([]);
});

test('people on several lists are charged once: the balance of the estimate reaches all of them', async () => {
  await setCarrier(world, {});
  const lists = [
    await contactList(world, owner.id, 1200),
    await contactList(world, owner.id, 1300, { first: -100 }),
  ];
  const body = { type: 'sms', recipient: { include: lists }, payload };
  const { amount, recipients } = await owner.api(sendings.estimate, { body: body as never });
  expect(recipients).toBe(1300);
  const [spare] = await world.db.query<{ amount: number }>(
    `update balances set balance = $2 where owner_id = $1 returning balance::float8 as amount`,
    [owner.id, amount],
  );
  await world.db.query(`update billings set amount = $2 where owner_id = $1`, [
    owner.id,
    spare!.amount,
  ]);
  const { id } = await send(body);
  const task = await until(async () => {
    const found = await owner.api(tasks.get, { params: { id } });
    return ['completed', 'paused'].includes(found.state) && found;
  }, 'the task to end');
  expect([task.state, task.reason]).toEqual(['completed', null]);
  expect(task.meta.counters).toMatchObject({
    total: 1300,
    completed: 1300,
    skipped: { duplicate: 1200 },
  });
  expect(await balance(world, owner.id)).toBe(0);
  expect(await problems(world)).toEqual([]);
});

test('a chain that returns from an e-mail goes to the phone that it began with', async () => {
  await setCarrier(world, { failed: 1 });
  const list = await contactList(world, owner.id, 1);
  await world.db.query(`update contacts set email = 'anna@tea.example' where list_id = $1`, [list]);
  const options = { onStatus: ['failed'] };
  const { id } = await send({
    type: 'viber',
    recipient: { include: [list] },
    payload,
    fallbacks: [
      { type: 'email', payload: { ...payload, sender: 'tea@tea.example' }, options },
      { type: 'sms', payload, options },
    ],
  });
  await until(async () => {
    world.clock.forward(5);
    return (await owner.api(tasks.get, { params: { id } })).state === 'completed';
  }, 'the end of the chain');
  const { data } = await owner.api(sendings.find, {
    query: { filter: { groupId: id }, order: [{ field: 'createdAt', direction: 'asc' }] },
  });
  expect(data.map(({ type, recipient }) => [type, recipient])).toEqual([
    ['viber', '+79020000001'],
    ['email', 'anna@tea.example'],
    ['sms', '+79020000001'],
  ]);
  expect(data.map(({ state }) => state.code)).not.toContain('invalid_recipient');
  expect(await problems(world)).toEqual([]);
});
