import {
  conversations,
  frequencyCap,
  persons,
  sendings,
  sendingsIncoming,
  type EachReceipt,
  type SendingReceipt,
  type Task,
} from '@heliograph/contract';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import {
  approve,
  balance,
  contactList,
  ended,
  finished,
  problems,
  setCarrier,
} from '../../../test/factories.ts';
import { type Person, until, World } from '../../../test/world.ts';
import { InsertStore } from '../sendings/insert.store.ts';
import { FrequencyService } from '../sendings/rules/frequency.service.ts';

let world: World;
let owner: Person;
const DAY = 86_400;
const A = '+79161110001';
const B = '+79161110002';
const C = '+79161110003';
const payload = { sender: 'MIRTEA', text: 'Tea is on sale' };

beforeAll(async () => {
  world = await World.start();
  await world.startWorker();
  await world.startWorker();
});
afterAll(() => world.stop());
beforeEach(async () => {
  owner = await world.person({ balance: 100_000 });
  await approve(world, owner.id);
  await setCarrier(world, {});
});

/** Before the first message of an account: processes remember for a second that it has none. */
const set = (changes: object = {}, who = owner) =>
  who.api(frequencyCap.update, {
    body: { isActive: true, messages: 2, days: 7, singles: false, ...changes },
  });
const send = async (include: string[], body: object = {}, who = owner) =>
  (await who.api(sendings.create, {
    body: { type: 'sms', payload, recipient: { include }, ...body } as never,
  })) as Task;
const bulk = async (include: string[], body: object = {}, who = owner) =>
  finished(who, (await send(include, body, who)).id);
const single = async (recipient: string, body: object = {}, who = owner) =>
  (await who.api(sendings.create, {
    body: { type: 'sms', payload, recipient, ...body } as never,
  })) as SendingReceipt;
const estimate = (recipient: unknown, body: object = {}) =>
  owner.api(sendings.estimate, { body: { type: 'sms', payload, recipient, ...body } as never });
const countersOf = ({ meta: { counters } }: Task) => counters;
const REACHED = 'frequency_cap_reached';
const nobody = (skipped: object) => ({
  status: 422,
  body: { code: 'no_recipients', payload: { skipped } },
});

test('a bulk skips persons who have had as many messages as the cap allows, until the period is over', async () => {
  await set();
  await bulk([A, B]);
  await bulk([A]);
  const before = await balance(world, owner.id);
  const { recipients, skipped, amount } = await estimate({ include: [A, B, C] });
  expect({ recipients, skipped }).toEqual({ recipients: 2, skipped: { frequencyCap: 1 } });
  const third = await bulk([A, B, C]);
  expect(countersOf(third)).toMatchObject({
    total: 2,
    completed: 2,
    skipped: { frequencyCap: 1 },
  });
  expect(before - (await balance(world, owner.id))).toBeCloseTo(amount, 4);
  await expect(send([A, B])).rejects.toMatchObject(nobody({ frequencyCap: 2 }));
  world.clock.forward(7 * DAY);
  expect(countersOf(await bulk([A, B, C]))).toMatchObject({ total: 3, skipped: {} });
  expect(await problems(world)).toEqual([]);
});

test('channels share the cap, accounts do not, and checks of numbers are no advertising', async () => {
  await set({ messages: 1 });
  await bulk([A]);
  await expect(send([A], { type: 'viber' })).rejects.toMatchObject(nobody({ frequencyCap: 1 }));
  // A check of a number is no advertising.
  expect(countersOf(await bulk([A], { type: 'hlr' }))).toMatchObject({ total: 1 });
  const other = await world.person({ balance: 1000 });
  await approve(world, other.id);
  await set({ messages: 1 }, other);
  expect(countersOf(await bulk([A], {}, other))).toMatchObject({ total: 1 });
});

test('single messages count and are refused only where the account says so; replies and codes never are', async () => {
  await set({ messages: 1 });
  await bulk([A]);
  expect(await single(A)).toMatchObject({ status: 'pending' });
  const strict = (owner = await world.person({ balance: 1000 }));
  await approve(world, strict.id);
  await set({ messages: 1, singles: true });
  const first = await single(A);
  expect(first.status).toBe('pending');
  await ended(owner, first.id);
  const paid = await balance(world, owner.id);
  const refused = await single(A);
  expect(refused).toMatchObject({ status: 'failed', code: REACHED });
  expect((await owner.api(sendings.get, { params: { id: refused.id } })).state).toMatchObject({
    status: 'failed',
    code: REACHED,
  });
  expect(await balance(world, owner.id)).toBe(paid);
  await expect(estimate(A)).rejects.toMatchObject({ status: 422, body: { code: REACHED } });
  await expect(send([A])).rejects.toMatchObject(nobody({ frequencyCap: 1 }));
  const code = { type: 'flashcall', payload: { sender: 'MIRTEA', text: '1234' } };
  expect(await single(A, code)).toMatchObject({ status: 'pending' });
  await owner.api(sendingsIncoming.create, {
    body: { type: 'sms', from: A, to: 'MIRTEA', payload: { text: 'Which tea?' } },
  });
  const [conversation] = (await owner.api(conversations.find, { query: {} })).data;
  const params = { id: conversation!.id };
  expect(
    await owner.api(conversations.reply, { params, body: { text: 'The green one' } }),
  ).toMatchObject({ status: 'pending', error: null });
  expect(await problems(world)).toEqual([]);
});

test('several messages of one call count one by one, and refused ones leave room', async () => {
  await set({ messages: 2, singles: true });
  const each = (recipients: object[]) =>
    owner.api(sendings.each, { body: { type: 'sms', payload, recipients } as never });
  const codes = (receipts: EachReceipt[]) => receipts.map(({ code }) => code ?? null);
  expect(codes(await each([A, B, A, A].map((to) => ({ to }))))).toEqual([
    null,
    null,
    null,
    REACHED,
  ]);
  expect(codes(await each([{ to: A }, { to: B }, { to: B }]))).toEqual([REACHED, null, REACHED]);
  // Refused for another reason: nothing is counted.
  const poor = (owner = await world.person({ balance: 0 }));
  await approve(world, poor.id);
  await set({ messages: 1, singles: true });
  expect(await single(C)).toMatchObject({ code: 'insufficient_funds' });
  const left = await world.db.query(
    `select 1 from capped_messages where owner_id = $1 and cardinality(ids) > 0`,
    [poor.id],
  );
  expect(left).toEqual([]);
});

test('what failed does not count', async () => {
  await set({ messages: 1 });
  await setCarrier(world, { failed: 1 });
  const failed = await bulk([A, B]);
  expect(countersOf(failed)).toMatchObject({ errored: 2 });
  await setCarrier(world, {});
  expect((await estimate({ include: [A, B] })).skipped).toEqual({});
  expect(countersOf(await bulk([A, B]))).toMatchObject({ total: 2, completed: 2 });
  await expect(send([A, B])).rejects.toMatchObject(nobody({ frequencyCap: 2 }));
});

test('a message with fallbacks is one; a fallback of an attempt that never counts does', async () => {
  await set({ messages: 1 });
  await setCarrier(world, { failed: 1 });
  const fallbacks = [{ type: 'viber', payload, options: { onStatus: ['failed'] } }];
  const attempts = async (groupId: string) =>
    (await owner.api(sendings.find, { query: { filter: { groupId } } })).data
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      .map(({ type, state }) => [type, state.code]);
  const { id } = await bulk([A], { fallbacks });
  // Both were tried: the second was refused by the carrier, not by the cap.
  const tried = await attempts(id);
  expect(tried.map(([type]) => type)).toEqual(['sms', 'viber']);
  expect(tried.map(([, code]) => code)).not.toContain(REACHED);
  await setCarrier(world, {});
  await bulk([B]);
  await setCarrier(world, { failed: 1 });
  const checked = await bulk([B], { type: 'hlr', payload: { sender: 'MIRTEA' }, fallbacks });
  expect((await attempts(checked.id))[1]).toEqual(['viber', REACHED]);
  expect(await problems(world)).toEqual([]);
});

test('bulks at the same time do not pass the cap together, whatever persons they share', async () => {
  for (let round = 0; round < 3; round++) {
    owner = await world.person({ balance: 100_000 });
    await approve(world, owner.id);
    const most = 1 + round;
    await set({ messages: most });
    const people = Array.from({ length: 30 }, (_, n) => `+7916222${1000 + n}`);
    const audiences = Array.from({ length: 6 }, (_, n) => [
      // One whom no other bulk has, so that there is someone to send to.
      `+7916333${1000 + n}`,
      ...people.filter(() => Math.random() < 0.6),
    ]);
    const tasks = await Promise.all(audiences.map((include) => send(include)));
    const done = await Promise.all(tasks.map(({ id }) => finished(owner, id)));
    const asked = new Map<string, number>();
    for (const phone of audiences.flat()) asked.set(phone, (asked.get(phone) ?? 0) + 1);
    const sent = await world.db.query<{ phone: string; n: number }>(
      `select phone, count(*)::int as n from sendings where owner_id = $1 group by phone`,
      [owner.id],
    );
    expect(Object.fromEntries(sent.map(({ phone, n }) => [phone, n]))).toEqual(
      Object.fromEntries([...asked].map(([phone, n]) => [phone, Math.min(n, most)])),
    );
    for (const [i, task] of done.entries()) {
      const { total, skipped } = countersOf(task);
      expect(total + (skipped.frequencyCap ?? 0)).toBe(audiences[i]!.length);
    }
  }
  expect(await problems(world)).toEqual([]);
});

test('a chunk that is repeated counts once, and so does a person whom two lists have', async () => {
  await set({ messages: 2 });
  const size = 1200;
  const list = await contactList(world, owner.id, size);
  const again = await contactList(world, owner.id, size);
  const insert = InsertStore.prototype.insert;
  let failures = 0;
  const spy = vi.spyOn(InsertStore.prototype, 'insert').mockImplementation(async function (
    this: InsertStore,
    ...given
  ) {
    const created = await insert.apply(this, given);
    if (created.length > 100 && failures++ < 2)
      throw Object.assign(new Error('the process ends here'), { code: '40001' });
    return created;
  });
  const task = await bulk([list, again]);
  spy.mockRestore();
  expect(failures).toBeGreaterThan(2);
  expect(countersOf(task)).toMatchObject({ total: size, skipped: { duplicate: size } });
  const counts = await world.db.query(
    `select cardinality(ids) as n, count(*)::int from capped_messages where owner_id = $1 group by 1`,
    [owner.id],
  );
  expect(counts).toEqual([{ n: 1, count: size }]);
  expect(countersOf(await bulk([list]))).toMatchObject({ total: size });
  await expect(send([list])).rejects.toMatchObject(nobody({ frequencyCap: size }));
});

test('in a bulk that has a person twice the second entry is a duplicate, also at the cap', async () => {
  await set({ messages: 1 });
  const list = await contactList(world, owner.id, 1100);
  const task = await bulk([list, '+79020000001', '+79020001100', C]);
  expect(countersOf(task)).toMatchObject({ total: 1101, skipped: { duplicate: 2 } });
});

test('an erased person and old messages leave nothing behind', async () => {
  await set({ messages: 1 });
  await bulk([A, B]);
  const addresses = async () =>
    (
      await world.db.query<{ address: string }>(
        `select address from capped_messages where owner_id = $1 order by address`,
        [owner.id],
      )
    ).map(({ address }) => address);
  expect(await addresses()).toEqual([A, B]);
  await owner.api(persons.erase, { body: { address: A } });
  await until(async () => (await addresses()).length === 1, 'the erasure');
  expect(await addresses()).toEqual([B]);
  const { deleteOld } = FrequencyService.prototype;
  const service = world.api.get(FrequencyService, { strict: false });
  await deleteOld.call(service);
  expect(await addresses()).toEqual([B]);
  world.clock.forward(33 * DAY);
  await deleteOld.call(service);
  expect(await addresses()).toEqual([]);
});

test('an account without a cap writes nothing, and a cap has bounds', async () => {
  await bulk([A]);
  const rows = await world.db.query(`select 1 from capped_messages where owner_id = $1`, [
    owner.id,
  ]);
  expect(rows).toEqual([]);
  const changed = await set({ messages: 50, days: 31 });
  expect(changed).toEqual({
    OwnerId: owner.id,
    isActive: true,
    messages: 50,
    days: 31,
    singles: false,
  });
  for (const wrong of [{ messages: 0 }, { messages: 51 }, { days: 0 }, { days: 32 }])
    await expect(set(wrong)).rejects.toMatchObject({ status: 422 });
  expect(await owner.api(frequencyCap.get)).toEqual(changed);
});

test('a reseller reads the cap of a customer and changes only its own; others see none', async () => {
  const reseller = await world.person({ level: 'reseller' });
  const customer = await world.person({ resellerId: reseller.id });
  await set({ messages: 4 }, customer);
  const of = (who: Person, OwnerId: string) => who.api(frequencyCap.get, { query: { OwnerId } });
  expect(await of(reseller, customer.id)).toMatchObject({ OwnerId: customer.id, messages: 4 });
  await expect(of(owner, customer.id)).rejects.toMatchObject({ status: 404 });
  await expect(of(owner, randomUUID())).rejects.toMatchObject({ status: 404 });
  await set({ messages: 9 }, reseller);
  expect(await customer.api(frequencyCap.get)).toMatchObject({ messages: 4 });
});
