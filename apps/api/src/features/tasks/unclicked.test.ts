import {
  links,
  sendings,
  suppressions,
  tasks,
  tokens,
  type Sending,
  type Task,
} from '@heliograph/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  approve,
  balance,
  contactList,
  finished,
  problems,
  setCarrier,
} from '../../../test/factories.ts';
import { type Person, until, World } from '../../../test/world.ts';
import { TextsStore } from '../sendings/reports/texts.store.ts';

/** Bulks to recipients of another who did not click, or did not open it. */
let world: World;
let owner: Person;
let link: { id: string; shortUrl: string };
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
  link = await owner.api(links.create, { body: { url: 'https://tea.shop/sale' } });
});

const phoneOf = (n: number) => `+7${9_020_000_000 + first + n}`;
const phonesOf = (...numbers: number[]) => numbers.map(phoneOf);
const options = { tellsWhoClicked: true };
const REMINDER = { sender: 'MIRTEA', text: 'The sale ends, {firstName}' };

async function send(recipient: object, given: object = {}): Promise<Task> {
  const body = { type: 'sms', payload: REMINDER, recipient, ...given } as never;
  return (await owner.api(sendings.create, { body })) as Task;
}
const estimate = (recipient: object, given: object = {}) =>
  owner.api(sendings.estimate, {
    body: { type: 'sms', payload: REMINDER, recipient, ...given } as never,
  });
/** A bulk with a short link that has reached six people. */
async function reachedBulk(given: object = {}): Promise<Task> {
  const list = await contactList(world, owner.id, PEOPLE, { first });
  const payload = { sender: 'MIRTEA', text: `Sale for {firstName}: ${link.shortUrl}` };
  const { id } = await send({ include: [list] }, { payload, options, ...given });
  return finished(owner, id);
}
const click = (task: Task, ...numbers: number[]) =>
  world.db.query(
    `insert into link_clicks (sending_id, link_id, task_id, owner_id, address, clicks, first_at, last_at)
     select id, $2, group_id, owner_id, phone, 1, now(), now() from sendings where group_id = $1 and chain_id is null and phone = any($3)`,
    [task.id, link.id, phonesOf(...numbers)],
  );
const messages = async (groupId: string): Promise<Sending[]> =>
  (await owner.api(sendings.find, { query: { filter: { groupId }, limit: 100 } })).data;
const phones = async (groupId: string) =>
  (await messages(groupId)).map((message) => message.recipient).toSorted();
const outcome = (id: string) => owner.api(tasks.outcome, { params: { id } });
/** A scheduled bulk starts before its time. */
async function begin(id: string): Promise<void> {
  await owner.api(tasks.update, { params: { id }, body: { state: 'paused' } });
  await world.db.query(`update tasks set starts_at = null where id = $1`, [id]);
  await owner.api(tasks.update, { params: { id }, body: { state: 'scheduled' } });
}
const NO_RECIPIENTS = { code: 'no_recipients' };

test('who did not click gets another message at the price of the estimate, and both bulks say why', async () => {
  const origin = await reachedBulk();
  await click(origin, 1, 4);
  await until(async () => (await outcome(origin.id)).unclicked?.count === 4, 'the clicks');
  const recipient = { unclickedOf: origin.id };
  const { recipients, amount, exact } = await estimate(recipient);
  expect({ recipients, exact }).toEqual({ recipients: 4, exact: true });
  const before = await balance(world, owner.id);
  const again = await send(recipient);
  expect(again).toMatchObject({ OriginId: origin.id });
  await finished(owner, again.id);
  expect(await phones(again.id)).toEqual(phonesOf(2, 3, 5, 6));
  expect((await messages(again.id)).map(({ payload }) => payload.text)).toContain(
    'The sale ends, Name2',
  );
  expect(before - (await balance(world, owner.id))).toBeCloseTo(amount, 4);

  await until(async () => (await outcome(origin.id)).unclicked?.count === 0, 'the new bulk');
  expect(await outcome(origin.id)).toMatchObject({
    retry: { count: 0, unsubscribed: 0, reached: 0 },
    unclicked: { count: 0, unsubscribed: 0, reached: 4 },
    origin: null,
    resends: [{ id: again.id, audience: 'unclicked' }],
  });
  expect((await outcome(again.id)).origin).toMatchObject({ id: origin.id, audience: 'unclicked' });
  await expect(send(recipient)).rejects.toMatchObject(NO_RECIPIENTS);
  expect(await problems(world)).toEqual([]);
});

test('one press sends once: side by side, and with a key', async () => {
  const origin = await reachedBulk();
  const body = { type: 'sms', payload: REMINDER, recipient: { unclickedOf: origin.id } } as never;
  const results = await Promise.allSettled(
    [1, 2, 3].map(() => owner.api(sendings.create, { body })),
  );
  const created = results.flatMap((r) => (r.status === 'fulfilled' ? [r.value as Task] : []));
  expect(created).toHaveLength(1);
  for (const refused of results.filter((r) => r.status === 'rejected'))
    expect(refused.reason).toMatchObject(NO_RECIPIENTS);
  await finished(owner, created[0]!.id);
  expect(await phones(created[0]!.id)).toHaveLength(PEOPLE);

  const other = await reachedBulk();
  const keyed = () =>
    owner.api(sendings.create, {
      body: { type: 'sms', payload: REMINDER, recipient: { unclickedOf: other.id } } as never,
      headers: { 'Idempotency-Key': 'reminder-1' },
    });
  const one = (await keyed()) as Task;
  expect(((await keyed()) as Task).id).toBe(one.id);
  await finished(owner, one.id);
  expect((await outcome(other.id)).resends).toHaveLength(1);
});

test('nobody is among them who has opted out, is in a blacklist, or was not reached', async () => {
  const origin = await reachedBulk();
  await owner.api(suppressions.create, { body: { address: phoneOf(1), type: 'sms' } });
  await contactList(world, owner.id, 1, { first: first + 1, type: 'blacklist' });
  await world.db.query(
    `update sendings set outcome = 2, failed_at = now(), delivered_at = null, status = 5, error = 'absent_subscriber' where group_id = $1 and phone = $2`,
    [origin.id, phoneOf(3)],
  );
  const recipient = { unclickedOf: origin.id };
  const { recipients, skipped } = await estimate(recipient);
  expect({ recipients, skipped }).toEqual({
    recipients: 3,
    skipped: { unsubscribed: 1, blacklisted: 1 },
  });
  const again = await finished(owner, (await send(recipient)).id);
  expect(await phones(again.id)).toEqual(phonesOf(4, 5, 6));
});

test('who clicks while the new bulk waits gets none, also by the first message after a reminder', async () => {
  const origin = await reachedBulk();
  const again = await send({ unclickedOf: origin.id }, { ...delayed(), options });
  await click(origin, 2, 3);
  await begin(again.id);
  const done = await finished(owner, again.id);
  expect(done.meta.counters).toMatchObject({ total: 4, skipped: { clicked: 2 } });
  expect(await phones(again.id)).toEqual(phonesOf(1, 4, 5, 6));
});

test('a reminder has those who did not click it, and those whom it did not reach', async () => {
  const origin = await reachedBulk();
  const payload = { sender: 'MIRTEA', text: `Ends today: ${link.shortUrl}` };
  await setCarrier(world, { failed: 1 });
  const lost = await finished(
    owner,
    (await send({ unclickedOf: origin.id }, { payload, options })).id,
  );
  expect(lost.meta.counters).toMatchObject({ errored: PEOPLE });
  await setCarrier(world, {});
  await world.db.query(`update sendings set error = 'absent_subscriber' where group_id = $1`, [
    lost.id,
  ]);
  await expect(estimate({ unclickedOf: lost.id })).rejects.toMatchObject(NO_RECIPIENTS);
  const second = await finished(
    owner,
    (await send({ failedOf: lost.id }, { payload, options })).id,
  );
  expect(second.meta.counters).toMatchObject({ total: PEOPLE, completed: PEOPLE });
  for (const recipient of [{ failedOf: lost.id }, { unclickedOf: origin.id }])
    await expect(estimate(recipient)).rejects.toMatchObject(NO_RECIPIENTS);

  await click(second, 1);
  await click(origin, 2);
  const third = await finished(owner, (await send({ unclickedOf: second.id })).id);
  expect(await phones(third.id)).toEqual(phonesOf(3, 4, 5, 6));
});

/** A bulk that fails for each of its recipients, for a reason that is no wish of theirs. */
async function lostBulk(recipient: object, given: object = {}): Promise<Task> {
  await setCarrier(world, { failed: 1 });
  const lost = await finished(owner, (await send(recipient, given)).id);
  await setCarrier(world, {});
  await world.db.query(
    `update sendings set error = 'absent_subscriber' where group_id = $1 and failed_at is not null`,
    [lost.id],
  );
  return lost;
}
const delayed = () => ({ schedule: { delay: new Date(Date.now() + 3_600_000).toISOString() } });
const see = (task: Task, ...numbers: number[]) =>
  world.db.query(
    `update sendings set seen_at = now(), status = 4 where group_id = $1 and phone = any($2)`,
    [task.id, phonesOf(...numbers)],
  );

test('whom a reminder did not reach is not reminded again after a click on the first message, however often it fails', async () => {
  const origin = await reachedBulk();
  const lost = await lostBulk({ unclickedOf: origin.id });
  await click(origin, 1);
  expect((await estimate({ failedOf: lost.id })).recipients).toBe(5);
  const lostAgain = await lostBulk({ failedOf: lost.id });
  expect(await phones(lostAgain.id)).toEqual(phonesOf(2, 3, 4, 5, 6));
  await click(origin, 2);
  const waiting = await send({ failedOf: lostAgain.id }, delayed());
  await click(origin, 3);
  await begin(waiting.id);
  const done = await finished(owner, waiting.id);
  expect(done.meta.counters).toMatchObject({ total: 3, skipped: { clicked: 1 } });
  expect(await phones(waiting.id)).toEqual(phonesOf(4, 5, 6));
});

test('whom a reminder to those who had not opened did not reach is not reminded after opening', async () => {
  const origin = await reachedBulk({ type: 'viber' });
  const lost = await lostBulk({ unseenOf: origin.id });
  await see(origin, 1);
  await click(origin, 2);
  const waiting = await send({ failedOf: lost.id }, delayed());
  await see(origin, 3);
  await begin(waiting.id);
  const done = await finished(owner, waiting.id);
  // A click is not an opening.
  expect(done.meta.counters).toMatchObject({ total: 4, skipped: { seen: 1 } });
  expect(await phones(waiting.id)).toEqual(phonesOf(2, 4, 5, 6));
});

test('of reminders of several kinds, a click ends all that follow one for a click, and opening none for a click', async () => {
  const payload = { sender: 'MIRTEA', text: `Ends today: ${link.shortUrl}` };
  const origin = await reachedBulk({ type: 'viber' });
  const unclicked = await finished(
    owner,
    (await send({ unclickedOf: origin.id }, { type: 'viber', payload, options })).id,
  );
  await click(origin, 1);
  await see(origin, 2);
  await see(unclicked, 3);
  const unseen = await lostBulk({ unseenOf: unclicked.id }, { payload, options });
  expect(await phones(unseen.id)).toEqual(phonesOf(4, 5, 6));
  await click(unclicked, 4);
  await see(origin, 5);
  const last = await finished(owner, (await send({ failedOf: unseen.id })).id);
  expect(await phones(last.id)).toEqual(phonesOf(6));
});

test('opening is not what a reminder for a click waits for', async () => {
  const payload = { sender: 'MIRTEA', text: `Ends today: ${link.shortUrl}` };
  const origin = await reachedBulk({ type: 'viber' });
  const unseen = await finished(
    owner,
    (await send({ unseenOf: origin.id }, { type: 'viber', payload, options })).id,
  );
  await see(unseen, 1);
  await click(unseen, 2);
  const lost = await lostBulk({ unclickedOf: unseen.id });
  expect(await phones(lost.id)).toEqual(phonesOf(1, 3, 4, 5, 6));
  await see(unseen, 3);
  await click(origin, 4);
  expect((await estimate({ failedOf: lost.id })).recipients).toBe(4);
});

test('without its text a message is not known to have been clicked', async () => {
  const origin = await reachedBulk();
  const ids = (await messages(origin.id)).map(({ id }) => id);
  // What says of which group a message is stays.
  await world.db.query(
    `update sendings set data = coalesce(data, '{}') || '{"group": "service"}' where group_id = $1`,
    [origin.id],
  );
  await world.api.get(TextsStore, { strict: false }).deleteTexts(ids.slice(1));
  expect((await estimate({ unclickedOf: origin.id })).recipients).toBe(1);
});

test('a bulk that does not tell who clicked is refused, and is none of another account', async () => {
  const silent = await reachedBulk({ options: {} });
  expect(await outcome(silent.id)).toMatchObject({ unclicked: null, unseen: null });
  await expect(estimate({ unclickedOf: silent.id })).rejects.toMatchObject({
    status: 422,
    body: { data: [expect.objectContaining({ field: 'recipient.unclickedOf' })] },
  });
  const told = await reachedBulk();
  owner = await world.person({ balance: 100 });
  await approve(world, owner.id);
  for (const recipient of [{ unclickedOf: told.id }, { unseenOf: told.id }])
    await expect(send(recipient)).rejects.toMatchObject({ status: 404 });
});

test('a test token sends again to recipients of its own bulks alone, and nobody else to those', async () => {
  const real = await reachedBulk();
  const { token } = await owner.api(tokens.create, {
    body: { description: 'Tests', isTest: true },
  });
  const api = world.client(token);
  const test = (recipient: object) =>
    api(sendings.create, { body: { type: 'sms', payload: REMINDER, recipient } as never });
  const list = await contactList(world, owner.id, 1, { first: first + 50 });
  const tried = (await test({ include: [list] })) as Task;
  await finished(owner, tried.id);
  for (const [call, id] of [
    [test, real.id],
    [send, tried.id],
  ] as const)
    await expect(call({ failedOf: id })).rejects.toMatchObject({
      status: 422,
      body: { data: [expect.objectContaining({ field: 'recipient.failedOf' })] },
    });
  expect((await estimate({ unclickedOf: real.id })).recipients).toBe(PEOPLE);
});

test('an e-mail address that is on a blacklist or an excluded list is left out', async () => {
  const emails = ['anna', 'bertha', 'carla'].map((name) => `${name}${first}@tea.example`);
  const listOf = async (type: 'regular' | 'blacklist', email: string) => {
    const id = await contactList(world, owner.id, 0, { type });
    await world.db.query(`insert into contacts (list_id, email) values ($1, $2)`, [id, email]);
    return id;
  };
  const exclude = [await listOf('regular', emails[0]!)];
  await listOf('blacklist', emails[1]!);
  const payload = { sender: 'tea@tea.example', subject: 'Tea', text: 'Ready' };
  const given = { type: 'email', payload };
  const { recipients, skipped } = await estimate({ include: emails, exclude }, given);
  expect({ recipients, skipped }).toEqual({
    recipients: 1,
    skipped: { excluded: 1, blacklisted: 1 },
  });
});

test('who did not open it is offered where somebody is known to have', async () => {
  const origin = await reachedBulk({ type: 'viber' });
  expect((await outcome(origin.id)).unseen).toBeNull();
  await see(origin, 1, 2);
  await until(async () => (await outcome(origin.id)).unseen?.count === 4, 'the figures');
  const again = await send({ unseenOf: origin.id }, delayed());
  await see(origin, 3);
  await begin(again.id);
  const done = await finished(owner, again.id);
  expect(done.meta.counters).toMatchObject({ total: 3, skipped: { seen: 1 } });
  expect(await phones(again.id)).toEqual(phonesOf(4, 5, 6));
  expect((await outcome(again.id)).origin).toMatchObject({ id: origin.id, audience: 'unseen' });
});
