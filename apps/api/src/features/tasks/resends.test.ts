import {
  createClient,
  sendings,
  suppressions,
  tasks,
  tokens,
  type Sending,
  type Task,
} from '@heliograph/contract';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { Notifications } from '../../core/notifications.ts';
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

/** Bulks to the failed recipients of another. */
let world: World;
let owner: Person;
let first = 0;
const PEOPLE = 6;

beforeAll(async () => {
  world = await World.start({ SENDERNAMES_CHECK: 'none' });
  await world.startWorker();
});
afterAll(() => world.stop());
beforeEach(async () => {
  first += 100;
  owner = await world.person({ balance: 10_000 });
  await approve(world, owner.id);
  await setCarrier(world, {});
});

const payload = { sender: 'MIRTEA', text: 'Tea for {firstName}' };
const phoneOf = (n: number) => `+7${9_020_000_000 + first + n}`;

async function send(recipient: object, given: object = {}, who = owner): Promise<Task> {
  const body = { type: 'sms', payload, recipient, ...given } as never;
  return (await who.api(sendings.create, { body })) as Task;
}
const estimate = (failedOf: string, given: object = {}) =>
  owner.api(sendings.estimate, {
    body: { type: 'sms', payload, recipient: { failedOf }, ...given } as never,
  });

/** A bulk to a list that reached nobody. */
async function failedBulk(given: object = {}): Promise<Task> {
  await setCarrier(world, { failed: 1 });
  const list = await contactList(world, owner.id, PEOPLE, { first });
  const { id } = await send({ include: [list] }, given);
  const task = await finished(owner, id);
  expect(task.meta.counters).toMatchObject({ total: PEOPLE, errored: PEOPLE, completed: 0 });
  // The carrier's reasons are drawn by lot; one of them is a wish of the recipient.
  await world.db.query(
    `update sendings set error = 'absent_subscriber' where group_id = $1 and failed_at is not null`,
    [id],
  );
  await setCarrier(world, {});
  return task;
}

const messages = async (groupId: string): Promise<Sending[]> =>
  (await owner.api(sendings.find, { query: { filter: { groupId }, limit: 100 } })).data;
const phones = async (groupId: string) =>
  (await messages(groupId)).map((message) => message.recipient).toSorted();
const all = () => Array.from({ length: PEOPLE }, (_, n) => phoneOf(n + 1));
const outcome = (id: string) => owner.api(tasks.outcome, { params: { id } });
const retryOf = (id: string, count: number) =>
  until(async () => (await outcome(id)).retry.count === count, `${count} to try again`);

test('failed recipients get their own values again, at the price of the estimate, and both bulks name each other', async () => {
  const origin = await failedBulk();
  await retryOf(origin.id, PEOPLE);
  const { recipients, amount, exact } = await estimate(origin.id);
  expect({ recipients, exact }).toEqual({ recipients: PEOPLE, exact: true });
  const before = await balance(world, owner.id);

  const again = await send({ failedOf: origin.id }, { options: { title: 'Once more' } });
  expect(again).toMatchObject({ OriginId: origin.id, title: 'Once more' });
  const done = await finished(owner, again.id);
  expect(done.meta.counters).toMatchObject({ total: PEOPLE, completed: PEOPLE, errored: 0 });
  expect(done.data.recipients?.include).toMatchObject({ lists: [], count: PEOPLE });
  expect(before - (await balance(world, owner.id))).toBeCloseTo(amount, 4);
  expect((await messages(again.id)).map(({ payload: { text } }) => text).toSorted()).toEqual(
    Array.from({ length: PEOPLE }, (_, n) => `Tea for Name${n + 1}`),
  );

  await retryOf(origin.id, 0);
  const related = { id: again.id, title: 'Once more', state: 'completed' };
  expect(await outcome(origin.id)).toMatchObject({
    retry: { count: 0, unsubscribed: 0, reached: PEOPLE },
    origin: null,
    resends: [related],
  });
  expect((await outcome(again.id)).origin).toMatchObject({ id: origin.id, title: origin.title });
  expect(await problems(world)).toEqual([]);
});

test('people who failed again can be sent to again, by either of the two bulks', async () => {
  const origin = await failedBulk();
  await setCarrier(world, { failed: 1 });
  const again = await finished(owner, (await send({ failedOf: origin.id })).id);
  expect(again.meta.counters.errored).toBe(PEOPLE);
  await world.db.query(
    `update sendings set error = 'absent_subscriber' where group_id = $1 and failed_at is not null`,
    [again.id],
  );
  await setCarrier(world, {});
  expect((await estimate(origin.id)).recipients).toBe(PEOPLE);
  const third = await finished(owner, (await send({ failedOf: again.id })).id);
  expect(third.meta.counters.completed).toBe(PEOPLE);
  expect((await messages(third.id)).map(({ payload: { text } }) => text)).toContain(
    'Tea for Name1',
  );
  for (const id of [origin.id, again.id])
    await expect(send({ failedOf: id })).rejects.toMatchObject({ code: 'no_recipients' });
});

test('one press sends once: side by side, with and without a key', async () => {
  const origin = await failedBulk();
  const results = await Promise.allSettled([1, 2, 3].map(() => send({ failedOf: origin.id })));
  const created = results.flatMap((r) => (r.status === 'fulfilled' ? [r.value] : []));
  expect(created).toHaveLength(1);
  for (const refused of results.filter((r) => r.status === 'rejected'))
    expect(refused.reason).toMatchObject({ code: 'no_recipients' });
  await finished(owner, created[0]!.id);
  expect(await phones(created[0]!.id)).toEqual(all());

  const other = await failedBulk({ payload: { sender: 'MIRTEA', text: 'Other {firstName}' } });
  const body = { type: 'sms', payload, recipient: { failedOf: other.id } } as never;
  const keyed = () =>
    owner.api(sendings.create, { body, headers: { 'Idempotency-Key': 'again-1' } });
  const one = (await keyed()) as Task;
  expect(((await keyed()) as Task).id).toBe(one.id);
  await finished(owner, one.id);
  expect((await outcome(other.id)).resends).toHaveLength(1);
  expect(await problems(world)).toEqual([]);
});

test('a call that ends before its commit leaves nothing behind', async () => {
  const origin = await failedBulk();
  const notify = vi.spyOn(world.api.get(Notifications, { strict: false }), 'notify');
  notify.mockRejectedValueOnce(new Error('gone'));
  const before = await balance(world, owner.id);
  await expect(send({ failedOf: origin.id })).rejects.toMatchObject({ status: 500 });
  notify.mockRestore();
  const [left] = await world.db.query<{ n: number }>(
    `select (select count(*) from tasks where origin_id = $1)::int + (select count(*) from task_phones p join tasks t on t.id = p.task_id
              where t.owner_id = $2 and p.contact_id is not null)::int as n`,
    [origin.id, owner.id],
  );
  expect(left!.n).toBe(0);
  expect(await balance(world, owner.id)).toBe(before);
  expect((await estimate(origin.id)).recipients).toBe(PEOPLE);
});

test('nobody is among them who has opted out, was reached since, or still may be', async () => {
  const origin = await failedBulk();
  const [optedOut, sameText, waiting, late, carrierList, left] = all() as [string, ...string[]];
  // Of messages of any type, also by another channel.
  await owner.api(suppressions.create, { body: { address: optedOut, type: 'sms' } });
  const single = (recipient: string, text: string) =>
    owner.api(sendings.create, {
      body: { type: 'sms', recipient, payload: { sender: 'MIRTEA', text } },
    }) as Promise<{ id: string }>;
  await ended(owner, (await single(sameText!, 'Tea for Name2')).id);
  // Another text is another message.
  await ended(owner, (await single(left!, 'Your code of the week')).id);
  await send(
    { include: [waiting] },
    {
      payload: { sender: 'MIRTEA', text: 'Tea for Name3' },
      schedule: { delay: new Date(Date.now() + 86_400_000).toISOString() },
    },
  );
  await world.db.query(
    `update sendings set outcome = 1, failed_at = null, delivered_at = now(), status = 3, error = null where group_id = $1 and phone = $2`,
    [origin.id, late],
  );
  await world.db.query(
    `update sendings set error = 'blacklisted' where group_id = $1 and phone = $2`,
    [origin.id, carrierList],
  );
  const { recipients, skipped } = await estimate(origin.id, { type: 'viber' });
  expect({ recipients, skipped }).toEqual({
    recipients: 2,
    skipped: { unsubscribed: 2, reached: 1 },
  });
  const again = await finished(owner, (await send({ failedOf: origin.id }, { type: 'viber' })).id);
  expect(await phones(again.id)).toEqual([waiting, left]);
  expect(again.meta.counters.skipped).toEqual({ unsubscribed: 2, reached: 1, noAddress: 0 });
});

test('a message to the contact by another kind of address, and those without one are left out', async () => {
  const origin = await failedBulk();
  await world.db.query(
    `update contacts set email = 'n' || first_name || $2 || '@example.org' where phone = any($1)`,
    [all().slice(0, 2), first],
  );
  const email = {
    type: 'email',
    payload: { ...payload, sender: 'tea@example.org', subject: 'Tea' },
  };
  const { recipients, skipped } = await estimate(origin.id, email);
  expect({ recipients, skipped }).toEqual({ recipients: 2, skipped: { noAddress: PEOPLE - 2 } });
  const again = await send({ failedOf: origin.id }, email);
  await until(async () => (await messages(again.id)).length === 2, 'the recipients to be read');
  expect(await phones(again.id)).toEqual([1, 2].map((n) => `nName${n}${first}@example.org`));
  // Whoever is written to under one address is not written to under the other.
  expect((await estimate(origin.id)).recipients).toBe(PEOPLE - 2);
});

test('people who are reached while a scheduled bulk to them waits are skipped when it starts', async () => {
  const origin = await failedBulk();
  const again = await send(
    { failedOf: origin.id },
    { schedule: { delay: new Date(Date.now() + 3_600_000).toISOString() } },
  );
  expect(again.meta.counters.expected).toBe(PEOPLE);
  await expect(estimate(origin.id)).rejects.toMatchObject({ code: 'no_recipients' });
  await world.db.query(
    `update sendings set outcome = 1, failed_at = null, delivered_at = now(), status = 3, error = null where group_id = $1 and phone = $2`,
    [origin.id, phoneOf(1)],
  );
  await owner.api(tasks.update, { params: { id: again.id }, body: { state: 'paused' } });
  await world.db.query(`update tasks set starts_at = null where id = $1`, [again.id]);
  await owner.api(tasks.update, { params: { id: again.id }, body: { state: 'scheduled' } });
  const done = await finished(owner, again.id);
  expect(done.meta.counters).toMatchObject({ total: PEOPLE - 1, skipped: { reached: 1 } });
  expect(await phones(again.id)).toEqual(all().slice(1));
});

test('the bulk is within reach, of the account that sends, and a token needs what it would need directly', async () => {
  const reseller = await world.person({ level: 'reseller' });
  owner = await world.person({ balance: 10_000, resellerId: reseller.id });
  await approve(world, owner.id);
  const { id: failedOf } = await failedBulk();
  const stranger = await world.person();
  for (const who of [stranger, reseller])
    await expect(send({ failedOf }, {}, who)).rejects.toMatchObject({ status: 404 });
  const token = async (permissions: string[]) => {
    const created = await owner.api(tokens.create, {
      body: { description: 'Bulk', permissions } as never,
    });
    return createClient({
      base: `${world.base}/api`,
      token: () => (created as { token: string }).token,
    });
  };
  const body = { type: 'sms', payload, recipient: { failedOf } } as never;
  const [sends, reads, both] = [
    await token(['sendings.generate']),
    await token(['tasks.get']),
    await token(['sendings.generate', 'tasks.get']),
  ];
  for (const endpoint of [sendings.create, sendings.estimate]) {
    await expect(sends(endpoint, { body })).rejects.toMatchObject({
      status: 403,
      code: 'forbidden',
    });
    await expect(reads(endpoint, { body })).rejects.toMatchObject({ status: 403 });
  }
  expect((await both(sendings.estimate, { body })).recipients).toBe(PEOPLE);
  const ofReseller = (await send({ failedOf }, { OwnerId: owner.id }, reseller)) as Task;
  expect(ofReseller).toMatchObject({ OwnerId: owner.id, OriginId: failedOf });
  await expect(
    owner.api(sendings.create, { body, query: { return: 'each' } }),
  ).rejects.toMatchObject({ status: 422 });
});
