import { sendings, summary, tasks, type Outcome, type Sending } from '@heliograph/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { uuidv7 } from '../../src/core/uuid.ts';
import { Carrier } from '../carrier.ts';
import { balance, contactList, finished, problems } from '../factories.ts';
import { raw } from '../raw.ts';
import { type Person, until, World } from '../world.ts';

let world: World;
let owner: Person;
/** Channels of the first and of the second attempts. */
let first: Carrier;
let second: Carrier;
let worker: { close(): Promise<void> };

beforeAll(async () => {
  // No lease ends because a test moves the clock.
  world = await World.start({ LEASE_SECONDS: '3600' });
  first = await Carrier.start(world, ['telegram']);
  second = await Carrier.start(world, ['vk']);
  worker = await world.startWorker();
});
afterAll(async () => {
  await world.stop();
  first.stop();
  second.stop();
});
beforeEach(async () => {
  owner = await world.person({ balance: 10_000 });
});

const payload = { sender: 'TEA', text: 'Tea is ready' };
const VK = { type: 'vk', payload, $options: { onStatus: ['failed'] } };
const find = async (filter: object) =>
  (await owner.api(sendings.find, { query: { filter, limit: 200 } })).data;
const get = (id: string): Promise<Sending> => owner.api(sendings.get, { params: { id } });
const task = (id: string) => owner.api(tasks.get, { params: { id } });
const errors = (id: string) => owner.api(tasks.errors, { params: { id } });
/** The figures of the last days: a test may go on over midnight. */
const lately = async () => {
  const { days } = await owner.api(summary.get);
  const sum = (name: 'total' | 'delivered' | 'failed' | 'cancelled') =>
    days.reduce((all, day) => all + day[name], 0);
  return {
    total: sum('total'),
    delivered: sum('delivered'),
    failed: sum('failed'),
    cancelled: sum('cancelled'),
  };
};

async function bulk(people: number, more: object = {}): Promise<string> {
  const include = [await contactList(world, owner.id, people)];
  const body = { type: 'telegram', payload, recipient: { include }, ...more };
  return ((await owner.api(sendings.create, { body: body as never })) as { id: string }).id;
}
/** The first attempts of a group when the carrier has them all, by phone. */
async function sentOf(groupId: string, count: number): Promise<Sending[]> {
  await until(
    async () => (await find({ groupId, status: ['sent'] })).length === count,
    `${count} to be with the carrier`,
  );
  const found = (await find({ groupId })).filter((s) => s.attempt === 0);
  return found.toSorted((a, b) => a.recipient.localeCompare(b.recipient));
}
const fail = (carrier: Carrier, code: string, ids: string[]) =>
  carrier.report(ids.map((reference) => ({ reference, status: 'failed', code })));
const deliver = (carrier: Carrier, ids: string[]) =>
  carrier.report(ids.map((reference) => ({ reference, status: 'delivered' })));
const successors = (groupId: string, count: number) =>
  until(async () => {
    const found = (await find({ groupId })).filter((s) => s.attempt === 1);
    const isSent = found.every((s) => s.state.status === 'sent');
    return found.length === count && isSent && new Map(found.map((s) => [s.chainId, s]));
  }, `${count} fallbacks to be with the carrier`);

test('a recipient has one outcome, that of its chain, in every answer', async () => {
  const id = await bulk(5, { fallbacks: [VK] });
  const [direct, saved, lost, waiting, open] = await sentOf(id, 5);
  await deliver(first, [direct!.id]);
  await fail(first, 'absent_subscriber', [saved!.id, lost!.id, waiting!.id]);
  const next = await successors(id, 3);
  await deliver(second, [next.get(saved!.id)!.id]);
  await fail(second, 'blocked', [next.get(lost!.id)!.id]);

  // Every attempt has the outcome of its chain beside its own status.
  const stateById = new Map((await find({ groupId: id })).map((s) => [s.id, s.state]));
  const stateOf = (one: Sending) => [stateById.get(one.id)!.status, stateById.get(one.id)!.outcome];
  const attempts = [direct!, saved!, next.get(saved!.id)!, lost!, next.get(lost!.id)!];
  expect(attempts.map(stateOf)).toEqual([
    ['delivered', 'delivered'],
    ['failed', 'delivered'],
    ['delivered', 'delivered'],
    ['failed', 'failed'],
    ['failed', 'failed'],
  ]);
  expect([waiting!, next.get(waiting!.id)!, open!].map(stateOf)).toEqual([
    ['failed', 'pending'],
    ['sent', 'pending'],
    ['sent', 'pending'],
  ]);
  expect(await get(saved!.id)).toMatchObject({
    state: { status: 'failed', code: 'absent_subscriber', outcome: 'delivered' },
    attempts: [
      { id: saved!.id, type: 'telegram', status: 'failed', code: 'absent_subscriber' },
      { id: next.get(saved!.id)!.id, type: 'vk', status: 'delivered', code: null },
    ],
  });

  // Lists by outcome have one row for each recipient.
  const listed = async (...outcome: Outcome[]) =>
    (await find({ outcome, groupId: id })).map((s) => s.recipient).toSorted();
  const phones = (...some: Sending[]) => some.map((s) => s.recipient).toSorted();
  expect(await listed('delivered')).toEqual(phones(direct!, saved!));
  expect(await listed('failed')).toEqual(phones(lost!));
  expect(await listed('pending')).toEqual(phones(waiting!, open!));
  expect(await listed('cancelled')).toEqual([]);
  expect(await listed('failed', 'pending')).toEqual(phones(lost!, waiting!, open!));
  expect(await find({ outcome: ['failed'], status: ['sent'] })).toEqual([]);

  // The bars, the reasons and the day count the same recipients.
  expect((await task(id)).meta.counters).toMatchObject({ completed: 2, errored: 1, cancelled: 0 });
  expect(await errors(id)).toMatchObject({ data: [{ code: 'blocked', count: 1 }], others: 2 });
  expect(await lately()).toMatchObject({ total: 5, delivered: 2, failed: 1, cancelled: 0 });

  await deliver(second, [next.get(waiting!.id)!.id]);
  await deliver(first, [open!.id]);
  expect((await finished(owner, id)).meta.counters).toMatchObject({ completed: 4, errored: 1 });
  expect(await problems(world)).toEqual([]);
});

test('a late delivery removes the message from the reasons of failures', async () => {
  const id = await bulk(2);
  const [one, other] = await sentOf(id, 2);
  await fail(first, 'temporary', [one!.id, other!.id]);
  expect((await errors(id)).data).toMatchObject([{ code: 'temporary', count: 2 }]);
  await deliver(first, [one!.id]);
  expect((await errors(id)).data).toMatchObject([{ code: 'temporary', count: 1 }]);
  expect((await get(one!.id)).state).toMatchObject({ status: 'delivered', outcome: 'delivered' });
  expect(await problems(world)).toEqual([]);
});

const HOURS = { schedule: { delay: 0, until: 6 } };
const cancel = (id: string) => raw(world, owner, 'POST', `/tasks/${id}/cancel`);

test('stopping a paused task cancels and refunds unsubmitted messages once; submitted ones are completed', async () => {
  const id = await bulk(40, { ...HOURS, fallbacks: [VK] });
  await until(async () => (await task(id)).meta.counters.total === 40, 'the audience to be read');
  world.clock.forward(1800);
  const submitted = await until(async () => {
    const sent = await find({ groupId: id, status: ['sent'] });
    return sent.length >= 3 && sent;
  }, 'some to be submitted');
  await owner.api(tasks.update, { params: { id }, body: { state: 'paused' } });
  // No worker runs when the task is stopped, as after a kill.
  await worker.close();
  const [failing, following] = await find({ groupId: id, status: ['sent'] });
  const charged = (await task(id)).meta.amount;
  const price = charged / 40;
  const before = await balance(world, owner.id);
  const unsent = await owner.api(tasks.unsent, { params: { id } });
  expect(unsent.submitted).toBeGreaterThanOrEqual(submitted.length);
  expect(unsent.count).toBe(40 - unsent.submitted);
  expect(unsent.amount).toBeCloseTo(unsent.count * price, 4);

  const answers = await Promise.all(Array.from({ length: 8 }, () => cancel(id)));
  expect(answers.map((a) => a.status).toSorted()).toEqual([200, ...Array(7).fill(409)]);
  expect(await balance(world, owner.id)).toBe(before);
  expect(await task(id)).toMatchObject({ state: 'stopped', finishedAt: expect.any(String) });

  worker = await world.startWorker();
  const counters = async () => (await task(id)).meta.counters;
  await until(async () => (await counters()).cancelled === unsent.count, 'the rest to be dropped');
  expect(await counters()).toMatchObject({ completed: 0, errored: 0, total: 40 });
  expect(await balance(world, owner.id)).toBeCloseTo(before + unsent.amount, 4);

  // What a stop drops is in no reason and in no rate; a failure after it starts no fallback.
  expect(await errors(id)).toMatchObject({ data: [], others: 0 });
  await fail(first, 'absent_subscriber', [failing!.id]);
  await deliver(first, [following!.id]);
  expect(await errors(id)).toMatchObject({ data: [{ code: 'absent_subscriber', count: 1 }] });
  expect(await counters()).toMatchObject({ completed: 1, errored: 1, cancelled: unsent.count });
  expect(await lately()).toMatchObject({ total: 40, cancelled: unsent.count });
  const cancelled = await find({ groupId: id, outcome: ['cancelled'] });
  expect(cancelled).toHaveLength(unsent.count);
  expect(cancelled[0]).toMatchObject({
    state: { status: 'failed', code: 'stopped', outcome: 'cancelled' },
    meta: { billing: { refunded: true } },
  });
  expect(await balance(world, owner.id)).toBeCloseTo(before + unsent.amount + price, 4);
  expect(await problems(world)).toEqual([]);
});

test('a fallback that a stop drops before its submit makes the recipient cancelled; one that was not created yet does not', async () => {
  second.isBusy = true;
  try {
    const id = await bulk(3, { fallbacks: [VK] });
    const [busy, late, open] = await sentOf(id, 3);
    await fail(first, 'absent_subscriber', [busy!.id, late!.id]);
    await until(
      async () => (await find({ groupId: id })).filter((s) => s.attempt === 1).length === 2,
      'the fallbacks',
    );
    await owner.api(tasks.update, { params: { id }, body: { state: 'paused' } });
    await cancel(id);
    await until(async () => {
      world.clock.forward(2);
      return (await task(id)).meta.counters.cancelled === 2;
    }, 'the fallbacks to be dropped');
    await fail(first, 'blocked', [open!.id]);
    expect(await errors(id)).toMatchObject({ data: [{ code: 'blocked', count: 1 }], others: 2 });
    // A late delivery overtakes this end as it does any other.
    await deliver(first, [late!.id]);
    expect((await task(id)).meta.counters).toMatchObject({
      completed: 1,
      errored: 1,
      cancelled: 1,
    });
    expect(await problems(world)).toEqual([]);
  } finally {
    second.isBusy = false;
  }
});

test('recipients not reached by a cancelled task are cancelled, and its stretch is returned', async () => {
  const delay = new Date(world.clock.now().getTime() + 3_600_000).toISOString();
  const id = await bulk(7, { schedule: { delay, until: 2 } });
  const until2 = new Date(Date.parse(delay) + 2 * 3_600_000).toISOString();
  expect(await task(id)).toMatchObject({ startsAt: delay, until: until2 });
  const stranger = await world.person();
  expect((await raw(world, stranger, 'POST', `/tasks/${id}/cancel`)).status).toBe(404);
  const { json } = await cancel(id);
  expect(json).toMatchObject({
    state: 'stopped',
    meta: { counters: { expected: 7, total: 0, cancelled: 7, errored: 0 } },
  });
  expect(await get(id)).toMatchObject({ state: { outcome: 'cancelled', code: 'stopped' } });
  expect((await raw(world, owner, 'POST', `/tasks/${uuidv7(new Date())}/cancel`)).status).toBe(404);
});
