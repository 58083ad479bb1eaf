import { sendings, tasks, type SendingReceipt } from '@heliograph/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Carrier } from '../carrier.ts';
import { approve, contactList, problems, setCarrier } from '../factories.ts';
import { until, World } from '../world.ts';

let world: World;

beforeAll(async () => {
  world = await World.start();
  // Reports are not what this is about.
  await setCarrier(world, { silent: 1 });
  await world.startWorker();
});
afterAll(() => world.stop());

const PEOPLE = 20_000;

test('a single message overtakes a bulk that is under way', async () => {
  const busy = await world.person({ balance: 1_000_000 });
  const other = await world.person();
  for (const { id } of [busy, other]) await approve(world, id);
  const list = await contactList(world, busy.id, PEOPLE);
  const payload = { sender: 'MIRTEA', text: 'Hello' };
  const body = { type: 'sms', payload, recipient: { include: [list] } };
  const { id } = (await busy.api(sendings.create, { body: body as never })) as { id: string };
  const bulk = async () => {
    const [row] = await world.db.query<{ submitted: number; last: Date | null }>(
      `select coalesce(sum(size), 0)::int as submitted, max(submitted_at) as last from batches where task_id = $1 and stage = 3`,
      [id],
    );
    return row!;
  };
  await until(async () => (await bulk()).submitted > 0, 'the bulk to be under way');
  const singles = await Promise.all(
    [busy, other].map(
      (who) =>
        who.api(sendings.create, {
          body: { ...body, recipient: '+79161234567' } as never,
        }) as Promise<SendingReceipt>,
    ),
  );
  const ids = singles.map((s) => s.id);
  await until(async () => {
    const rows = await world.db.query(
      `select 1 from sendings s join batches b on b.id = s.batch_id where s.id = any($1) and b.stage = 3`,
      [ids],
    );
    return rows.length === 2;
  }, 'the single messages to be submitted');
  expect((await bulk()).submitted).toBeLessThan(PEOPLE);
  await until(async () => (await bulk()).submitted === PEOPLE, 'the bulk to be through', 120_000);
  const submitted = await world.db.query<{ at: Date }>(
    `select submitted_at as at from sendings_now where id = any($1)`,
    [ids],
  );
  const { last } = await bulk();
  for (const { at } of submitted) expect(at.getTime()).toBeLessThan(last!.getTime());
  expect(await problems(world)).toEqual([]);
}, 300_000);

test('refunds of a stopped task do not delay other tasks', async () => {
  const [busy, other] = [await world.person({ balance: 1_000_000 }), await world.person()];
  const bulkOf = async (who: typeof busy, people: number, hours: number) => {
    await approve(world, who.id);
    const recipient = { include: [await contactList(world, who.id, people)] };
    const schedule = { delay: 0, until: hours };
    const body = { type: 'sms', payload: { sender: 'MIRTEA', text: 'Hello' }, recipient, schedule };
    return async () =>
      ((await who.api(sendings.create, { body: body as never })) as { id: string }).id;
  };
  const count = async (id: string, stages: number[]) => {
    const [row] = await world.db.query<{ n: number }>(
      `select coalesce(sum(size), 0)::int as n from batches where task_id = $1 and stage = any($2)`,
      [id, stages],
    );
    return row!.n;
  };
  // Of one message each, so that dropping them takes many steps.
  const long = await (await bulkOf(busy, 6000, 12))();
  await until(async () => (await count(long, [0, 1, 2, 3])) === 6000, 'the long one');
  const start = await bulkOf(other, 10, 0);
  // The refunds wait for the balance until the other task is through.
  await world.hold(async () => {
    await world.db.query(`select 1 from balances where owner_id = $1 for update`, [busy.id]);
    await busy.api(tasks.update, { params: { id: long }, body: { state: 'stopped' } });
    const short = await start();
    await until(async () => (await count(short, [3])) === 10, 'the short one');
    expect(await count(long, [0, 1])).toBeGreaterThan(0);
  });
  await until(async () => (await count(long, [0, 1])) === 0, 'the end of the long one');
  expect(await problems(world)).toEqual([]);
});

test('a carrier that does not answer delays no other channel', async () => {
  const carrier = await Carrier.start(world, ['viber'], { connections: 2 });
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  carrier.meanwhile = () => answered.then(() => ({ result: 'accepted' }));
  const owner = await world.person();
  await approve(world, owner.id);
  const single = (type: string, more: object = {}) => {
    const payload = { sender: 'MIRTEA', text: 'Hello' };
    const body = { type, payload, recipient: '+79161234567', ...more };
    return owner.api(sendings.create, { body: body as never }) as Promise<SendingReceipt>;
  };
  const submitted = async (ids: string[]) => {
    const rows = await world.db.query(
      `select 1 from sendings s join batches b on b.id = s.batch_id where s.id = any($1) and b.stage = 3`,
      [ids],
    );
    return rows.length === ids.length;
  };
  const options = { onStatus: ['failed'] };
  const payload = { sender: 'MIRTEA', text: 'By SMS' };
  const fallbacks = [{ type: 'sms', payload, options }];
  const waiting = await Promise.all(
    Array.from({ length: 6 }, () => single('viber', { fallbacks })),
  );
  await until(() => Promise.resolve(carrier.calls.length > 0), 'the carrier to be called');
  const other = await single('sms');
  await until(() => submitted([other.id]), 'the message over another channel');
  expect(carrier.calls.length).toBeLessThanOrEqual(2);
  answer();
  await until(() => submitted(waiting.map(({ id }) => id)), 'the messages that waited');
  expect(carrier.taken.toSorted()).toEqual(waiting.map(({ id }) => id).toSorted());
  expect(await problems(world)).toEqual([]);
  carrier.stop();
});
