import {
  contactLists,
  contacts,
  segments,
  sendings,
  tasks,
  tokens,
  type Bulk,
  type FieldCondition,
  type Permission,
  type SegmentInput,
  type SendingTask,
} from '@heliograph/contract';
import { dayIn, shiftDay } from '@heliograph/domain';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type * as z from 'zod';
import { approve, setCarrier } from '../../../test/factories.ts';
import { uuidv7 } from '../../core/uuid.ts';
import { type Person, until, World } from '../../../test/world.ts';

let world: World;
let reseller: Person;
let customer: Person;
let stranger: Person;

beforeAll(async () => {
  world = await World.start();
  await setCarrier(world, {});
  await world.startWorker();
  reseller = await world.person({ level: 'reseller' });
  stranger = await world.person();
  await approve(world, stranger.id);
});
afterAll(() => world.stop());
beforeEach(async () => {
  customer = await world.person({ resellerId: reseller.id, balance: 100_000 });
  await approve(world, customer.id);
});

const DAY_MS = 86_400_000;
const list = async (title: string, who = customer, type: 'regular' | 'blacklist' = 'regular') =>
  (await who.api(contactLists.create, { body: { title, type } })).id;
const add = (ListId: string, fields: object) =>
  customer.api(contacts.create, { body: { ListId, ...fields } as never });
const save = (rules: Partial<z.input<typeof SegmentInput>>, who = customer) =>
  who.api(segments.create, { body: { title: 'Saved', ...rules } });
const countOf = (id: string, who = customer) => who.api(segments.count, { params: { id } });
const phone = (n: number) => `+7916${1_000_000 + n}`;

/** Contacts of a list, as an import would leave them. */
async function fill(ListId: string, count: number, tags: (n: number) => string[] = () => []) {
  await world.db.query(
    `insert into contacts (list_id, phone, tags)
     select $1, '+7916' || (1000000 + n)::text, array(select jsonb_array_elements_text($2::jsonb->(n - 1)))
       from generate_series(1, jsonb_array_length($2::jsonb)) n`,
    [ListId, JSON.stringify(Array.from({ length: count }, (_, i) => tags(i + 1)))],
  );
  await world.db.query(`update contact_lists set count = count + $2 where id = $1`, [
    ListId,
    count,
  ]);
}

const incoming = (n: number, daysAgo: number) =>
  world.db.query(
    `insert into sendings_incoming (id, owner_id, type, "from", "to", payload)
     values ($1, $2, 1, $3, 'MIRTEA', '{"text": "Thanks"}')`,
    [uuidv7(new Date(world.clock.now().getTime() - daysAgo * DAY_MS)), customer.id, phone(n)],
  );

async function send(recipient: object, who = customer): Promise<string> {
  const task = (await who.api(sendings.create, {
    body: { type: 'sms', recipient, payload: { sender: 'MIRTEA', text: 'Hello' } } as never,
  })) as z.infer<typeof SendingTask>;
  return task.id;
}

/** Who got a message of the bulk, once it has ended. */
async function reached(id: string): Promise<string[]> {
  const get = () => customer.api(tasks.get, { params: { id } });
  await until(async () => (await get()).state === 'completed', 'the end of the bulk');
  const rows = await world.db.query<{ phone: string }>(
    `select phone from sendings where group_id = $1 order by phone`,
    [id],
  );
  return rows.map((row) => row.phone);
}

test('a segment is saved, renamed, changed as a whole and removed, by those who may', async () => {
  const ListId = await list('People');
  const made = await save({ title: 'VIPs', where: { ListId, tag: 'vip', search: 'anna' } });
  expect(made).toMatchObject({
    title: 'VIPs',
    where: { ListId, tag: 'vip', search: 'anna' },
    activity: [],
    OwnerId: customer.id,
  });
  const params = { id: made.id };
  const activity = [{ event: 'replied' as const, happened: false, days: 90 }];
  const body = { where: { tag: 'gold' }, activity };
  expect(await customer.api(segments.update, { params, body })).toMatchObject({
    title: 'VIPs',
    where: { tag: 'gold' },
    activity,
  });
  expect(await reseller.api(segments.get, { params })).toMatchObject({ where: { tag: 'gold' } });
  const found = await customer.api(segments.find, { query: { search: 'vip' } });
  expect(found.data.map(({ id }) => id)).toEqual([made.id]);
  for (const call of [
    () => stranger.api(segments.get, { params }),
    () => stranger.api(segments.count, { params }),
    () => stranger.api(segments.update, { params, body: { title: 'Mine' } }),
    () => stranger.api(segments.remove, { params }),
    () => send({ include: [made.id] }, stranger),
  ])
    await expect(call()).rejects.toMatchObject({ status: 404 });
  expect((await stranger.api(segments.find, { query: {} })).data).toEqual([]);
  expect(await customer.api(segments.remove, { params })).toEqual(params);
  await expect(customer.api(segments.get, { params })).rejects.toMatchObject({ status: 404 });
});

test('who may not read contacts or messages learns nothing of them by counting', async () => {
  const ListId = await list('People');
  await add(ListId, { phone: phone(1), lastName: 'Ivanova' });
  const fields = { where: { ListId, search: phone(1) } };
  const activityOf = (event: 'delivered' | 'replied' | 'clicked') => ({
    where: { ListId },
    activity: [{ event, happened: true, days: 30 }],
  });
  const [byFields, byReplies] = [await save(fields), await save(activityOf('replied'))];
  const all: Permission[] = ['contactLists.get', 'contactLists.create', 'contactLists.update'];
  const callerOf = async (permissions: Permission[]) => {
    const body = { description: 'x', permissions };
    return world.client((await customer.api(tokens.create, { body })).token);
  };
  const narrow = await callerOf([...all, 'contacts.update']);
  const analyst = (await world.member(customer, 'analyst')).api;
  const where = fields.where;
  const refused: [permission: string, call: () => Promise<unknown>][] = [
    ['contacts.get', () => narrow(segments.preview, { body: fields })],
    ['contacts.get', () => analyst(segments.preview, { body: fields })],
    ['contacts.get', () => narrow(segments.count, { params: { id: byFields.id } })],
    ['contacts.get', () => narrow(segments.create, { body: { title: 'Guess', ...fields } })],
    ['contacts.get', () => narrow(segments.update, { params: byReplies, body: { where } })],
    ['contacts.get', () => narrow(contacts.tag, { body: { where, add: ['guess'] } })],
    ['sendings.get', () => narrow(segments.preview, { body: activityOf('delivered') })],
    ['sendings.get', () => narrow(segments.preview, { body: activityOf('clicked') })],
    ['sendingsIncoming.get', () => narrow(segments.preview, { body: activityOf('replied') })],
    ['sendingsIncoming.get', () => narrow(segments.count, { params: { id: byReplies.id } })],
  ];
  for (const [permission, call] of refused)
    await expect(call()).rejects.toMatchObject({ status: 403, body: { payload: { permission } } });
  // The list alone tells what its counter does.
  expect(await narrow(segments.preview, { body: { where: { ListId } } })).toMatchObject({
    count: 1,
  });
  expect(await narrow(contacts.tag, { body: { where: { ListId }, add: ['all'] } })).toMatchObject({
    changed: 1,
  });
  const wide = await callerOf([...all, 'contacts.get', 'sendings.get', 'sendingsIncoming.get']);
  expect(await wide(segments.preview, { body: fields })).toMatchObject({ count: 1 });
  expect(await wide(segments.count, { params: { id: byReplies.id } })).toMatchObject({ count: 0 });
});

test('the list of another account is in no segment', async () => {
  const ListId = await list('Theirs', stranger);
  for (const call of [
    () => save({ where: { ListId } }),
    () => customer.api(segments.preview, { body: { where: { ListId } } }),
  ])
    await expect(call()).rejects.toMatchObject({ status: 404 });
  const { id } = await save({});
  await expect(
    customer.api(segments.update, { params: { id }, body: { where: { ListId } } }),
  ).rejects.toMatchObject({ status: 404 });
});

test.each([
  ['an unknown filter', { where: { OwnerId: crypto.randomUUID() } }],
  ['an unknown event', { activity: [{ event: 'born', happened: true, days: 1 }] }],
  ['no days', { activity: [{ event: 'replied', happened: true, days: 0 }] }],
  ['too many days', { activity: [{ event: 'replied', happened: true, days: 366 }] }],
  [
    'too many conditions',
    { activity: Array.from({ length: 5 }, () => ({ event: 'replied', happened: true, days: 1 })) },
  ],
])('%s is refused', async (_, rules) => {
  await expect(save(rules as never)).rejects.toMatchObject({ status: 422 });
});

test('members are counted in all regular lists of the account, or in one', async () => {
  const [one, other, blacklist, theirs] = await Promise.all([
    list('One'),
    list('Other'),
    list('Blocked', customer, 'blacklist'),
    list('Theirs', stranger),
  ]);
  await fill(one, 10, (n) => (n <= 4 ? ['VIP'] : []));
  await fill(other, 5, () => ['vip', 'late']);
  await fill(blacklist, 3, () => ['vip']);
  await fill(theirs, 7, () => ['vip']);
  const counted = async (where: object) =>
    (await customer.api(segments.preview, { body: { where } })).count;
  expect(await counted({})).toBe(15);
  expect(await counted({ tag: 'vip' })).toBe(9);
  expect(await counted({ tag: 'vip', ListId: one })).toBe(4);
  expect(await counted({ tag: 'vip', ListId: blacklist })).toBe(0);
  expect(await counted({ tag: 'none' })).toBe(0);
  const { id } = await save({ where: { tag: 'late' } });
  expect(await countOf(id)).toEqual({ count: 5, exact: true });
  expect(await countOf(id, reseller)).toEqual({ count: 5, exact: true });
});

test('members are those with an activity within some days, or without it', async () => {
  const ListId = await list('People');
  for (const n of [1, 2, 3, 4]) await add(ListId, { phone: phone(n) });
  await add(ListId, { email: 'anna@example.org' });
  await reached(await send({ include: [phone(1), phone(2)] }));
  await incoming(2, 20);
  await incoming(3, 40);
  const counted = async (event: string, happened: boolean, days: number) => {
    const activity = [{ event, happened, days }] as never;
    return (await customer.api(segments.preview, { body: { where: { ListId }, activity } })).count;
  };
  expect(await counted('delivered', true, 1)).toBe(2);
  expect(await counted('delivered', false, 1)).toBe(3);
  expect(await counted('replied', true, 30)).toBe(1);
  expect(await counted('replied', true, 90)).toBe(2);
  expect(await counted('replied', false, 30)).toBe(4);
  const activity = [
    { event: 'delivered' as const, happened: true, days: 30 },
    { event: 'replied' as const, happened: false, days: 30 },
  ];
  const { id } = await save({ activity });
  expect(await countOf(id)).toEqual({ count: 1, exact: true });
  expect(await reached(await send({ include: [id] }))).toEqual([phone(1)]);
});

test('of many contacts the members with an activity are estimated by a sample', async () => {
  const ListId = await list('Many');
  await world.db.query(
    `insert into contacts (list_id, phone) select $1, '+7926' || lpad(n::text, 7, '0') from generate_series(1, 60000) n`,
    [ListId],
  );
  await world.db.query(`update contact_lists set count = 60000 where id = $1`, [ListId]);
  const where = { ListId };
  const silent = [{ event: 'replied' as const, happened: false, days: 30 }];
  expect(await customer.api(segments.preview, { body: { where } })).toEqual({
    count: 60_000,
    exact: true,
  });
  expect(await customer.api(segments.preview, { body: { where, activity: silent } })).toEqual({
    count: 60_000,
    exact: false,
  });
  const known = silent.map((one) => ({ ...one, happened: true }));
  expect(await customer.api(segments.preview, { body: { where, activity: known } })).toEqual({
    count: 0,
    exact: false,
  });
  // One of the few that the other conditions leave is not missed by a sample.
  await incoming(1, 1);
  const tagged = { where: { ...where, tag: 'vip' }, activity: known };
  await fill(ListId, 3, () => ['vip']);
  expect(await customer.api(segments.preview, { body: tagged })).toEqual({ count: 1, exact: true });
});

test('a bulk goes to the members of a segment in several lists, each once, and not to those of an excluded one', async () => {
  const [one, other] = [await list('One'), await list('Other')];
  await fill(one, 6, (n) => (n <= 4 ? ['vip'] : []));
  await fill(other, 3, (n) => (n === 1 ? ['vip', 'tired'] : ['vip']));
  await add(other, { phone: phone(8), tags: ['vip'] });
  const vip = await save({ where: { tag: 'vip' } });
  const tired = await save({ where: { tag: 'tired', ListId: other } });
  const id = await send({ include: [vip.id, vip.id], exclude: [tired.id] });
  expect(await reached(id)).toEqual([2, 3, 4, 8].map(phone));
  const task = (await customer.api(tasks.get, { params: { id } })) as Bulk;
  expect(task.data.recipients).toMatchObject({
    include: { lists: [], segments: [{ id: vip.id, title: 'Saved', where: { tag: 'vip' } }] },
    exclude: { lists: [], segments: [{ id: tired.id, where: { tag: 'tired', ListId: other } }] },
  });
  expect(task.meta.counters).toMatchObject({
    total: 4,
    completed: 4,
    skipped: { excluded: 2, duplicate: 2 },
  });
});

test('a bulk keeps the conditions that it was created with and takes who is a member when it starts', async () => {
  const ListId = await list('People');
  await fill(ListId, 3, () => ['vip']);
  const { id: segment } = await save({ where: { tag: 'vip' } });
  const at = new Date(world.clock.now().getTime() + DAY_MS);
  const { id } = (await customer.api(sendings.create, {
    body: {
      type: 'sms',
      recipient: { include: [segment] },
      payload: { sender: 'MIRTEA', text: 'Hello' },
      schedule: { delay: at.toISOString() },
    } as never,
  })) as { id: string };
  const body = { where: { tag: 'none' } };
  await customer.api(segments.update, { params: { id: segment }, body });
  await customer.api(segments.remove, { params: { id: segment } });
  await expect(customer.api(contactLists.remove, { params: { id: ListId } })).rejects.toMatchObject(
    { code: 'in_use' },
  );
  await add(ListId, { phone: phone(4), tags: ['vip'] });
  await world.db.query(`update tasks set starts_at = now() where id = $1`, [id]);
  expect(await reached(id)).toEqual([1, 2, 3, 4].map(phone));
});

test('few members of a long list are found, counted before and reached', async () => {
  const ListId = await list('Long');
  const last = 45_000;
  await fill(ListId, last, (n) => (n % 20_000 === 7 || n === last ? ['rare'] : []));
  const { id: segment } = await save({ where: { ListId, tag: 'rare' } });
  const recipient = { include: [segment] };
  const estimate = await customer.api(sendings.estimate, {
    body: { type: 'sms', recipient, payload: { sender: 'MIRTEA', text: 'Hello' } } as never,
  });
  expect(estimate).toMatchObject({ recipients: 4, exact: true });
  expect(await reached(await send(recipient))).toEqual([7, 20_007, 40_007, last].map(phone));
});

test('a bulk to nobody is refused', async () => {
  const { id } = await save({ where: { tag: 'none' } });
  await expect(send({ include: [id] })).rejects.toMatchObject({ status: 422 });
});

const inDays = (days: number) => shiftDay(dayIn('UTC', world.clock.now()), days);

/** Four people: two whose fields have values of each type, one whose values are of none, and one without any. */
async function typed(): Promise<string> {
  const ListId = await list('People');
  await add(ListId, {
    phone: phone(1),
    custom01: 'Казань, Ёлка',
    custom02: '5',
    custom03: inDays(-3),
    custom04: 'true',
    custom05: 'Gold',
    date: `1990${inDays(0).slice(4)}`,
  });
  await add(ListId, {
    phone: phone(2),
    custom01: 'КАЗАНЬ',
    custom02: '100.5',
    custom03: inDays(2),
    custom04: 'false',
    custom05: 'Silver',
    date: inDays(1),
  });
  await add(ListId, {
    phone: phone(3),
    custom01: '100%',
    custom02: '1.2.3',
    custom03: '99/9-xx-yy',
    custom04: 'maybe',
    custom05: 'Tin',
  });
  await add(ListId, { phone: phone(4) });
  return ListId;
}

test('conditions on fields find by numbers, days, choices and texts; values of another type are not found and fail nothing', async () => {
  const ListId = await typed();
  const custom = (n: number) => `custom0${n}` as 'custom01';
  const cases: [found: number[], condition: FieldCondition][] = [
    [[2], { field: custom(2), is: 'greater', number: 5 }],
    [[1], { field: custom(2), is: 'less', number: 100.5 }],
    [[1, 2], { field: custom(2), is: 'between', from: 5, to: 100.5 }],
    [[1], { field: custom(3), is: 'before', day: inDays(0) }],
    [[2], { field: custom(3), is: 'after', day: inDays(0) }],
    [[1], { field: custom(3), is: 'lastDays', days: 3 }],
    [[], { field: custom(3), is: 'lastDays', days: 2 }],
    [[2], { field: custom(3), is: 'nextDays', days: 2 }],
    [[], { field: custom(3), is: 'nextDays', days: 1 }],
    [[1], { field: 'date', is: 'anniversary' }],
    [[], { field: custom(3), is: 'anniversary' }],
    [[1, 2], { field: 'date', is: 'anniversaryNextDays', days: 1 }],
    [[1], { field: 'date', is: 'anniversaryNextDays', days: 0 }],
    [[1], { field: 'date', is: 'before', day: inDays(0) }],
    [[2], { field: 'date', is: 'nextDays', days: 1 }],
    [[3, 4], { field: 'date', is: 'empty' }],
    [[1], { field: custom(4), is: 'oneOf', values: ['true'] }],
    [[1, 2], { field: custom(5), is: 'oneOf', values: ['Gold', 'Silver'] }],
    [[2], { field: custom(1), is: 'equals', value: 'казань' }],
    [[1, 2], { field: custom(1), is: 'begins', value: 'Казань' }],
    [[1], { field: custom(1), is: 'begins', value: 'казань, елка' }],
    [[], { field: custom(1), is: 'begins', value: '1_0' }],
    [[4], { field: custom(2), is: 'empty' }],
    [[1, 2, 3], { field: custom(2), is: 'filled' }],
  ];
  for (const [found, condition] of cases) {
    const where = { ListId, fields: [condition] };
    const { count } = await customer.api(segments.preview, { body: { where } });
    expect([condition, count]).toEqual([condition, found.length]);
    const tag = `t${cases.findIndex(([, one]) => one === condition)}`;
    await customer.api(contacts.tag, { body: { where, add: [tag] } });
    const { data } = await customer.api(contacts.find, { query: { filter: { ListId, tag } } });
    expect([condition, data.map((one) => one.phone).toSorted()]).toEqual([
      condition,
      found.map(phone),
    ]);
  }
});

test('all conditions on fields hold; a bulk reaches those whom they find', async () => {
  const ListId = await typed();
  const { id } = await save({
    where: {
      ListId,
      fields: [
        { field: 'custom02', is: 'filled' },
        { field: 'custom03', is: 'nextDays', days: 5 },
      ],
    },
  });
  expect(await countOf(id)).toEqual({ count: 1, exact: true });
  const bulk = await send({ include: [id] });
  expect(await reached(bulk)).toEqual([phone(2)]);
});

test('today is the day of the account', async () => {
  // In the farthest zone to the east it is tomorrow, or in the one to the west it is yesterday.
  const days = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'].map((zone) => ({
    zone,
    day: dayIn(zone, world.clock.now()),
  }));
  expect(days[0]!.day).not.toBe(days[1]!.day);
  for (const { zone } of days) {
    const who = await world.person();
    const { id } = await who.api(contactLists.create, { body: { title: 'A', type: 'regular' } });
    for (const [n, { day }] of days.entries())
      await who.api(contacts.create, { body: { ListId: id, phone: phone(n), date: day } });
    await world.db.query(
      `insert into settings_user (user_id, key, value) values ($1, 'timeZone', to_jsonb($2::text))`,
      [who.id, zone],
    );
    const where = { fields: [{ field: 'date' as const, is: 'anniversary' as const }] };
    expect(await who.api(segments.preview, { body: { where } })).toMatchObject({ count: 1 });
  }
});
