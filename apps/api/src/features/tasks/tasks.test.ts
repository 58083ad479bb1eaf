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

test('what was not handed over is counted with what it cost, and dropped and refunded on a stop', async () => {
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
  expect(await left()).toEqual({ count: 0, amount: 0 });
  const errors = await customer.api(tasks.errors, { params });
  const dropped = errors.data.find((e) => e.code === 'stopped')!;
  expect(dropped.count).toBeGreaterThan(30);
  expect(dropped.amount).toBeCloseTo(dropped.count * price, 4);
  expect(errors.refunded).toBeGreaterThanOrEqual(dropped.amount);
  await worker.close();
}, 40_000);

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
}, 40_000);

test('the figures are the owner’s', async () => {
  const { id } = await bulk({
    schedule: { delay: new Date(Date.now() + 86_400_000).toISOString() },
  });
  const stranger = await world.person();
  for (const endpoint of [tasks.errors, tasks.unsent]) {
    await expect(stranger.api(endpoint, { params: { id } })).rejects.toMatchObject({ status: 404 });
  }
  expect(await customer.api(tasks.errors, { params: { id } })).toEqual({ data: [], refunded: 0 });
});
