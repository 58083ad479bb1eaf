import { notifications, segments, sendings, tasks, type Task } from '@heliograph/contract';
import { VARIANT_SLOTS } from '@heliograph/domain';
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { approve, contactList, finished, problems, setCarrier } from '../../../test/factories.ts';
import { type Person, World } from '../../../test/world.ts';
import { uuidv7 } from '../../core/uuid.ts';
import { TaskStatesService } from './task-states.service.ts';
import { TaskSweepsService } from './task-sweeps.service.ts';
import { TasksService } from './tasks.service.ts';
import { TasksStore } from './tasks.store.ts';

/** Bulks with two texts. Those that are to be sent tomorrow have the figures that a test gives them. */
let world: World;
let owner: Person;
let list: string;
let first = 0;
const PEOPLE = 200;
const HOUR = 3600;

beforeAll(async () => {
  world = await World.start({ SENDERNAMES_CHECK: 'none' });
});
afterAll(() => world.stop());
beforeEach(async () => {
  first += 1000;
  owner = await world.person({ balance: 10_000 });
  await approve(world, owner.id);
  list = await contactList(world, owner.id, PEOPLE, { first });
  await setCarrier(world, {});
});

const texts = { A: 'Tea for {firstName}', B: 'Come and get your tea, {firstName}' };
const variants = { text: texts.B, share: 50, by: 'replied' as const, hours: 4 };
const tomorrow = () => new Date(world.clock.now().getTime() + 86_400_000).toISOString();
const bodyOf = (given: object = {}) =>
  ({
    type: 'sms',
    recipient: { include: [list] },
    payload: { sender: 'MIRTEA', text: texts.A },
    variants,
    ...given,
  }) as never;
const send = async (given: object = {}, headers = {}) =>
  (await owner.api(sendings.create, { body: bodyOf(given), headers })) as Task;
const get = (id: string, who = owner) => who.api(tasks.get, { params: { id } });
const set = (id: string, state: string) =>
  owner.api(tasks.update, { params: { id }, body: { state } as never });
/** As at its time. */
async function begun(id: string): Promise<Task> {
  await world.db.transaction(() => world.api.get(TasksService, { strict: false }).start(id));
  return get(id);
}
const stop = (id: string) => owner.api(tasks.cancel, { params: { id } });
const partsOf = (task: Task) => task.data.sending!.variants!.tasks;
const chosenOf = (task: Task) => task.data.sending!.variants!.chosen;
const textOf = (task: Task) => task.data.sending!.payload.text;
const outcome = (id: string) => owner.api(tasks.outcome, { params: { id } });

/** A bulk of which nothing was sent yet. */
async function later(given: object = {}) {
  const created = await send({ schedule: { delay: tomorrow(), until: 0 }, ...given });
  return partsOf(created);
}

/** Figures of a text, as if it was sent. */
const count = (id: string, total: number, completed: number, errored: number) =>
  world.db.query(
    `update task_counters set total = $2, completed = $3, errored = $4 where task_id = $1`,
    [id, total, completed, errored],
  );

/** Replies to messages of a text, each by the number of its recipient. */
async function reply(id: string, recipients: number[]): Promise<void> {
  const messages = new Map(recipients.map((n) => [n, uuidv7(world.clock.now())]));
  await world.db.query(
    `insert into sendings (id, owner_id, group_id, batch_id, type, segments, amount, sender, phone)
     select m.id, $1, $2, 0, 1, 1, 0, 'MIRTEA', '+7904' || $3::int + n from unnest($4::uuid[]) with ordinality as m(id, n)`,
    [owner.id, id, first, [...messages.values()]],
  );
  await world.db.query(
    `insert into sendings_incoming (id, owner_id, type, "from", "to", payload, sending_id)
     select r.id, $1, 1, '+79040000000', 'MIRTEA', '{"text": "Yes"}', r.sending from unnest($2::uuid[], $3::uuid[]) as r(id, sending)`,
    [
      owner.id,
      recipients.map(() => uuidv7(world.clock.now())),
      recipients.map((n) => messages.get(n)!),
    ],
  );
}

const addressesOf = async (id: string): Promise<string[]> =>
  (
    await world.db.query<{ phone: string }>(
      `select phone from sendings where group_id = $1 and chain_id is null order by phone`,
      [id],
    )
  ).map(({ phone }) => phone);

test('each recipient of lists, segments and typed phones is in one part, once, whatever stands twice', async () => {
  const worker = await world.startWorker();
  const other = await contactList(world, owner.id, PEOPLE / 2, { first: first + PEOPLE / 2 });
  await world.db.query(
    `insert into contacts (list_id, email) select $1, 'person' || n || '@example.com' from generate_series(1, 9) n`,
    [other],
  );
  const { id: segment } = await owner.api(segments.create, {
    body: { title: 'All', where: { search: 'Name' } },
  });
  const phone = (n: number) => `+7${9_020_000_000 + first + n}`;
  const known = Array.from({ length: 20 }, (_, n) => phone(n + 1));
  const typed = Array.from({ length: 60 }, (_, n) => phone(n + 500));
  const excluded = phone(31);
  const created = await send({
    payload: { sender: 'MIRTEA', text: 'Tea is on sale' },
    variants: { ...variants, text: 'Come and get your tea' },
    recipient: {
      include: [other, ...typed, ...known, ...typed, segment, 'nobody', list],
      exclude: [excluded],
    },
    options: { title: 'Tea' },
  });
  const ids = partsOf(created);
  const parts = [ids.A, ids.B, ids.rest];
  expect(created).toMatchObject({ id: ids.A, title: 'Tea (A)', groupId: ids.A });
  await Promise.all([finished(owner, ids.A), finished(owner, ids.B)]);
  expect(await get(ids.rest)).toMatchObject({ state: 'scheduled', title: 'Tea' });
  // The whole is told of, once.
  const { data: told } = await owner.api(notifications.find, {
    query: { filter: { type: ['SendingsBulkCreated'] } },
  });
  // The lists, the typed ones, and the members of the segment, with those that stand twice.
  const count = PEOPLE + (PEOPLE / 2 + 9) + 2 * typed.length + known.length + 1.5 * PEOPLE;
  expect(told.map(({ data }) => data)).toEqual([{ id: ids.rest, title: 'Tea', count }]);
  world.clock.forward(variants.hours * 3600);
  await finished(owner, ids.rest);

  const wanted = [...Array.from({ length: PEOPLE }, (_, n) => phone(n + 1)), ...typed].filter(
    (one) => one !== excluded,
  );
  const slotOf = (address: string) =>
    createHash('sha256').update(`${ids.A}${address}`).digest().readUInt32BE(0) % VARIANT_SLOTS;
  const sent = await Promise.all(parts.map(addressesOf));
  for (const [i, id] of parts.entries()) {
    const { from, to } = (await get(id)).data.sending!.variants!.slice;
    const own = wanted.filter((one) => slotOf(one) >= from && slotOf(one) < to);
    expect(sent[i]).toEqual(own.toSorted());
    expect(own.length).toBeGreaterThan(0);
  }
  expect(sent.flat().toSorted()).toEqual(wanted.toSorted());
  const skipped: Record<string, number> = {};
  for (const id of parts)
    for (const [reason, n] of Object.entries((await get(id)).meta.counters.skipped))
      skipped[reason] = (skipped[reason] ?? 0) + n;
  expect(skipped).toMatchObject({ invalid: 1, noAddress: 9 });
  expect(chosenOf(await get(ids.rest))).toMatchObject({ variant: 'A', reason: 'equal' });
  expect(await problems(world)).toEqual([]);
  await worker.close();
});

test('the text with the greater share of recipients who replied is that of the rest', async () => {
  const ids = await later();
  await count(ids.A, 50, 50, 0);
  await count(ids.B, 50, 40, 0);
  await reply(ids.A, [1, 1, 1]);
  await reply(ids.B, [1, 2]);
  const figures = {
    A: { recipients: 50, ended: 50, delivered: 50, replied: 1, clicks: null },
    B: { recipients: 50, ended: 40, delivered: 40, replied: 2, clicks: null },
  };
  expect((await outcome(ids.rest)).variants).toEqual(figures);
  expect(textOf(await get(ids.rest))).toBe(texts.A);
  const started = await begun(ids.rest);
  expect(chosenOf(started)).toEqual({
    variant: 'B',
    reason: 'better',
    at: expect.any(String),
    figures,
  });
  expect(textOf(started)).toBe(texts.B);
  expect([textOf(await get(ids.A)), textOf(await get(ids.B))]).toEqual([texts.A, texts.B]);
});

test('by deliveries those without a result do not count', async () => {
  const ids = await later({ variants: { ...variants, by: 'delivered' } });
  await count(ids.A, 50, 45, 5);
  await count(ids.B, 50, 10, 1);
  expect(chosenOf(await begun(ids.rest))).toMatchObject({
    variant: 'B',
    reason: 'better',
  });
});

test('by clicks those of its own links since the bulk was created', async () => {
  const [a, b] = await world.db.query<{ code: string }>(
    `insert into links (owner_id, url, code, clicks)
     select $1, 'https://example.com/', 'AbTest' || $2::int + n, 100 * n from generate_series(1, 2) n order by n returning code`,
    [owner.id, first],
  );
  const url = (code: string) => `${world.config.linksUrl}/${code}`;
  const texts = [`Tea ${url(a!.code)}`, `Come ${url(b!.code)}`];
  const given = {
    payload: { sender: 'MIRTEA', text: texts[0] },
    variants: { ...variants, by: 'clicked', text: texts[1] },
  };
  const same = { ...given.variants, text: `Come ${url(a!.code)}` };
  await expect(send({ ...given, variants: same })).rejects.toMatchObject({ status: 422 });
  const ids = await later(given);
  await count(ids.A, 50, 50, 0);
  await count(ids.B, 50, 50, 0);
  await world.db.query(`update links set clicks = clicks + 3 where code = $1`, [a!.code]);
  await world.db.query(`update links set clicks = clicks + 2 where code = $1`, [b!.code]);
  const { variants: now } = await outcome(ids.A);
  expect([now!.A.clicks, now!.B.clicks]).toEqual([3, 2]);
  expect(chosenOf(await begun(ids.rest))).toMatchObject({
    variant: 'A',
    reason: 'better',
  });
});

test('the rest starts by itself, once, and what it has chosen stays', async () => {
  const ids = await later();
  await count(ids.B, 50, 40, 0);
  await reply(ids.B, [1]);
  const sweeps = world.api.get(TaskSweepsService, { strict: false });
  world.clock.forward(24 * HOUR + 4 * HOUR - 600);
  await sweeps.startDue();
  expect((await get(ids.rest)).state).toBe('scheduled');
  world.clock.forward(1200);
  // A process that ends in the transaction leaves neither a choice nor a start.
  const start = vi.spyOn(world.api.get(TaskStatesService, { strict: false }), 'start');
  start.mockRejectedValueOnce(new Error('gone'));
  await expect(begun(ids.rest)).rejects.toThrow('gone');
  start.mockRestore();
  expect(await get(ids.rest)).toMatchObject({ state: 'scheduled', startedAt: null });
  expect(chosenOf(await get(ids.rest))).toBeNull();

  await sweeps.startDue();
  const chosen = chosenOf(await get(ids.rest));
  expect(chosen).toMatchObject({ variant: 'B', reason: 'better' });
  await reply(ids.A, [1, 2, 3]);
  await set(ids.rest, 'paused');
  const resumed = await set(ids.rest, 'scheduled');
  expect(chosenOf(resumed)).toEqual(chosen);
  expect(textOf(resumed)).toBe(texts.B);
});

test('a text that was stopped is not sent to the rest, which stops if both were', async () => {
  const one = await later();
  await count(one.A, 50, 50, 0);
  await reply(one.A, [1]);
  await stop(one.A);
  expect((await get(one.rest)).state).toBe('scheduled');
  const started = await begun(one.rest);
  expect(chosenOf(started)).toMatchObject({ variant: 'B', reason: 'stopped' });
  expect(textOf(started)).toBe(texts.B);

  const both = await later();
  await stop(both.A);
  await stop(both.B);
  expect(await begun(both.rest)).toMatchObject({ state: 'stopped', startedAt: null });
  expect(chosenOf(await get(both.rest))).toBeNull();

  const rest = await later();
  await stop(rest.rest);
  expect([(await get(rest.A)).state, (await get(rest.B)).state]).toEqual([
    'scheduled',
    'scheduled',
  ]);
  expect(chosenOf(await get(rest.rest))).toBeNull();
});

test('the dearer text is the price, which the balance has to cover', async () => {
  const short = { payload: { sender: 'MIRTEA', text: 'Tea' } };
  const one = await owner.api(sendings.estimate, {
    body: bodyOf({ ...short, variants: undefined }),
  });
  const long = { ...short, variants: { ...variants, text: 'Tea '.repeat(50) } };
  const two = await owner.api(sendings.estimate, { body: bodyOf(long) });
  expect(two).toMatchObject({ recipients: PEOPLE, amount: one.amount * 2 });
  const turned = {
    payload: { sender: 'MIRTEA', text: 'Tea '.repeat(50) },
    variants: { ...variants, text: 'Tea' },
  };
  expect((await owner.api(sendings.estimate, { body: bodyOf(turned) })).amount).toBe(two.amount);
  await world.db.query(`update balances set balance = $2 where owner_id = $1`, [
    owner.id,
    one.amount * 1.5,
  ]);
  await expect(send(long)).rejects.toMatchObject({ status: 402 });
  await expect(send(turned)).rejects.toMatchObject({ status: 402 });
  const mine = await owner.api(tasks.find, { query: {} });
  expect(mine.total).toBe(0);
});

test('a repeat with the same key creates no further tasks', async () => {
  const body = bodyOf({ schedule: { delay: tomorrow(), until: 0 } });
  const keyed = () =>
    owner.api(sendings.create, { body, headers: { 'Idempotency-Key': 'two-texts' } });
  const created = (await keyed()) as Task;
  expect(((await keyed()) as Task).id).toBe(created.id);
  const { data, total } = await owner.api(tasks.find, { query: {} });
  expect(total).toBe(3);
  // Lists have the parts without the texts to choose from.
  for (const task of data) expect(task.data.sending!.variants!.texts).toBeUndefined();
  expect(data.map((task) => task.data.sending!.variants!.part).toSorted()).toEqual([
    'A',
    'B',
    'rest',
  ]);
  expect((await get(created.id)).data.sending!.variants!.texts).toEqual(texts);
  const stranger = await world.person();
  await expect(get(partsOf(created).rest, stranger)).rejects.toMatchObject({ status: 404 });
});

test.each([
  ['a single message', { recipient: '+79020000001' }, 'variants', 'unsupported'],
  [
    'the same text twice',
    { variants: { ...variants, text: `${texts.A} ` } },
    'variants.text',
    'unchanged',
  ],
  ['no text', { type: 'hlr', payload: { sender: 'MIRTEA' } }, 'variants', 'unsupported'],
  [
    'an unknown variable',
    { variants: { ...variants, text: '{nobody}' } },
    'variants.text',
    'variable',
  ],
  ['too few people', { variants: { ...variants, share: 19 } }, 'variants.share', 'too_small'],
  [
    'clicks without links',
    { variants: { ...variants, by: 'clicked' } },
    'variants.by',
    'unsupported',
  ],
  [
    'a rest that starts while the texts are being sent',
    { schedule: { delay: 0, until: 5 } },
    'variants.hours',
    'order',
  ],
  [
    'failed recipients',
    { recipient: { failedOf: '01930000-0000-7000-8000-0000000000a1' } },
    'variants',
    'unsupported',
  ],
])('%s is refused', async (_, given, field, type) => {
  await expect(send(given)).rejects.toMatchObject({
    status: 422,
    body: { data: [{ field, type }] },
  });
});

test('the texts to choose from are deleted with those of the tasks', async () => {
  const ids = await later();
  await stop(ids.rest);
  const store = world.api.get(TasksStore, { strict: false });
  const soon = new Date(world.clock.now().getTime() + 60_000);
  await world.db.transaction(() => store.dropTexts(soon, 10_000));
  const { sending } = (await get(ids.rest)).data;
  expect(JSON.stringify(sending)).not.toMatch(/Tea for|your tea/);
  expect(sending!.variants).toMatchObject({ part: 'rest', chosen: null });
});
