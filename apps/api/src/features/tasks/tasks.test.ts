import { sendings, tasks, type Task } from '@heliograph/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { approve, contactList, finished, setCarrier } from '../../../test/factories.ts';
import { type Person, until, World } from '../../../test/world.ts';

let world: World;
let customer: Person;
let list: string;

beforeAll(async () => {
  world = await World.start();
  customer = await world.person({ balance: 10_000 });
  await approve(world, customer.id);
  list = await contactList(world, customer.id, 40);
});
afterAll(() => world.stop());

async function bulk(options: object = {}): Promise<Task> {
  const body = {
    type: 'sms' as const,
    recipient: { include: [list] },
    payload: { sender: 'MIRTEA', text: 'Tea is on sale' },
    ...options,
  };
  return (await customer.api(sendings.create, { body })) as Task;
}

test('unsubmitted messages are counted with their cost, and dropped and refunded on a stop', async () => {
  const worker = await world.startWorker();
  const { id } = await bulk({ schedule: { delay: 0, until: 6 } });
  const params = { id };
  const read = () => customer.api(tasks.get, { params });
  await until(async () => (await read()).meta.counters.total === 40, 'the audience to be read');
  await customer.api(tasks.update, { params, body: { state: 'paused' } });
  const task = await read();
  const price = task.meta.amount / 40;
  const unsent = await customer.api(tasks.unsent, { params });
  expect(unsent.count).toBeGreaterThan(30);
  expect(unsent.count).toBeLessThanOrEqual(40);
  expect(unsent.amount).toBeCloseTo(unsent.count * price, 4);
  expect((await customer.api(tasks.errors, { params })).data.map((e) => e.code)).not.toContain(
    'stopped',
  );

  await customer.api(tasks.update, { params, body: { state: 'scheduled' } });
  await customer.api(tasks.update, { params, body: { state: 'stopped' } });
  const left = () => customer.api(tasks.unsent, { params });
  await until(async () => (await left()).count === 0, 'the batches to be dropped');
  expect(await left()).toMatchObject({ count: 0, amount: 0 });
  const errors = await customer.api(tasks.errors, { params });
  // What its owner stopped has not failed.
  expect(errors.data.map((e) => e.code)).not.toContain('stopped');
  const { cancelled } = (await read()).meta.counters;
  expect(cancelled).toBeGreaterThan(30);
  expect(errors.refunded).toBeGreaterThanOrEqual(cancelled * price - 0.0001);
  await worker.close();
});

test('errors are counted by code, as the list of failed messages shows them', async () => {
  const worker = await world.startWorker();
  await setCarrier(world, { failed: 0.5 });
  const { id } = await bulk();
  await finished(customer, id);
  const { data, refunded } = await customer.api(tasks.errors, { params: { id } });
  const failed = await customer.api(sendings.find, {
    query: { filter: { groupId: id, status: ['failed'] }, limit: 100 },
  });
  expect(failed.total).toBeGreaterThan(0);
  const wanted = Map.groupBy(failed.data, (s) => s.state.code!);
  expect(new Map(data.map((e) => [e.code, e.count]))).toEqual(
    new Map([...wanted].map(([code, rows]) => [code, rows.length])),
  );
  expect(data.map((e) => e.count)).toEqual(data.map((e) => e.count).toSorted((a, b) => b - a));
  expect(refunded).toBeCloseTo(
    failed.data.reduce((sum, s) => sum + s.meta.billing!.amount, 0),
    4,
  );
  await worker.close();
});

test('the figures are the owner’s', async () => {
  const { id } = await bulk({
    schedule: { delay: new Date(Date.now() + 86_400_000).toISOString() },
  });
  const stranger = await world.person();
  for (const endpoint of [tasks.errors, tasks.unsent]) {
    await expect(stranger.api(endpoint, { params: { id } })).rejects.toMatchObject({ status: 404 });
  }
  expect(await customer.api(tasks.errors, { params: { id } })).toEqual({
    data: [],
    others: 0,
    refunded: 0,
  });
});

test('pages of a reseller are merged of its customers’ tasks, in any order', async () => {
  const reseller = await world.person({ level: 'reseller' });
  const kept = [1, 2, 3].map(() => world.person({ resellerId: reseller.id }));
  const people = [...(await Promise.all(kept)), await world.person()];
  const owners = people.map((p) => p.id);
  await world.db.query(
    `insert into tasks (owner_id, user_id, title, state, data, audience, created_at, removed_at)
     select ($1::uuid[])[1 + n % 4], ($1::uuid[])[1 + n % 4], 'Task ' || chr(90 - n), case when n < 4 then 'failed' else 'completed' end,
            '{"sending": {"type": "sms", "groupId": "${owners[0]}", "payload": {}},
              "recipients": {"include": {"lists": [], "recipients": []}, "exclude": {"lists": [], "recipients": []}}}',
            '[]', now() - n * interval '1 minute', case when n = 6 then now() end
       from generate_series(0, 15) n`,
    [owners],
  );
  // The fourth has no owner, and the seventh is removed.
  const seen = [0, 1, 2, 4, 5, 8, 9, 10, 12, 13, 14].map(
    (n) => `Task ${String.fromCharCode(90 - n)}`,
  );
  const find = async (query: object, who = reseller) => {
    const { data, total } = await who.api(tasks.find, { query });
    return [total, ...data.map((task) => task.title)];
  };
  expect(await find({ limit: 4 })).toEqual([11, ...seen.slice(0, 4)]);
  expect(await find({ limit: 4, offset: 4 })).toEqual([11, ...seen.slice(4, 8)]);
  expect(await find({ limit: 4, offset: 8 })).toEqual([11, ...seen.slice(8)]);
  const byTitle = [{ field: 'title' as const, direction: 'asc' as const }];
  expect(await find({ limit: 4, order: byTitle })).toEqual([11, ...seen.toReversed().slice(0, 4)]);
  expect(await find({ filter: { state: ['failed'] } })).toEqual([3, ...seen.slice(0, 3)]);
  const one = { filter: { OwnerId: owners[1] }, limit: 2 };
  expect(await find(one)).toEqual([4, 'Task Y', 'Task U']);
  expect(await find({}, people[1])).toEqual([4, 'Task Y', 'Task U', 'Task Q', 'Task M']);
  expect(await find({}, people[3])).toEqual([4, 'Task W', 'Task S', 'Task O', 'Task K']);
  const foreign = await reseller
    .api(tasks.find, { query: { filter: { OwnerId: owners[3] } } })
    .catch((e) => e.status);
  expect(foreign).not.toMatchObject({ total: 4 });
});
