import {
  ADMINISTRATOR_GRANTS,
  routes,
  sendings,
  type Route,
  type RouteInput,
  type SendingReceipt,
} from '@heliograph/contract';
import { afterEach, afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Carrier } from '../carrier.ts';
import { approve, contactList, problems } from '../factories.ts';
import { type Person, until, World } from '../world.ts';

let world: World;
let administrator: Person;
let owner: Person;
let usual: Carrier;
let first: Carrier;
let second: Carrier;

const MTS = '+79161234567';
const GERMAN = '+4915112345678';

beforeAll(async () => {
  // No lease ends because a test moves the clock.
  world = await World.start({ LEASE_SECONDS: '3600' });
  await world.startWorker();
  administrator = await world.person({ level: 'manager', grants: { add: ADMINISTRATOR_GRANTS } });
});
afterAll(() => world.stop());
beforeEach(async () => {
  owner = await world.person({ balance: 100_000 });
  await approve(world, owner.id);
  await world.db.query(`update channels set is_active = false where driver = 'http'`);
  usual = await Carrier.start(world, ['sms'], { maxBatch: 100 });
  first = await Carrier.start(world, ['sms'], { maxBatch: 100 });
  second = await Carrier.start(world, ['sms'], { maxBatch: 100, deduplicates: true });
  await world.db.query(`update channels set priority = 20 where name = $1`, [usual.name]);
  world.forgetChannels();
});
afterEach(async () => {
  const { data } = await administrator.api(routes.find, { query: { limit: 100 } });
  for (const { id } of data) await administrator.api(routes.remove, { params: { id } });
  for (const carrier of [usual, first, second]) carrier.stop();
});

/** Processes keep routes for a second. */
const forget = () => world.forgetChannels();
const addRoute = async (over: Partial<RouteInput> = {}): Promise<Route> => {
  const channels = [{ ChannelId: first.name, weight: 1 }];
  const body = { title: 'Route', channels, ...over };
  const route = await administrator.api(routes.create, { body });
  forget();
  return route;
};
const change = async ({ id }: Route, body: Partial<RouteInput>) => {
  await administrator.api(routes.update, { params: { id }, body });
  forget();
};
const through = (...carriers: Carrier[]) =>
  carriers.map(({ name: ChannelId }) => ({ ChannelId, weight: 1 }));

const payload = { sender: 'MIRTEA', text: 'Hello' };
const single = async (recipient = MTS): Promise<string> => {
  const body = { type: 'sms', payload, recipient } as never;
  return ((await owner.api(sendings.create, { body })) as SendingReceipt).id;
};
const bulk = async (people: number) => {
  const recipient = { include: [await contactList(world, owner.id, people)] };
  const body = { type: 'sms', payload, recipient } as never;
  return ((await owner.api(sendings.create, { body })) as { id: string }).id;
};
const isAt = (carrier: Carrier, id: string) =>
  until(() => Promise.resolve(carrier.taken.includes(id)), 'the submit');
const batchOf = async (id: string) => {
  const [row] = await world.db.query<{
    channel: string;
    stage: number;
    unknown: number;
    attempt: number;
    route: string | null;
  }>(
    `select b.channel, b.stage, b.unknown_outcomes as unknown, s.attempt, b.route_id as route
       from batches b join sendings s on s.batch_id = b.id where s.id = $1`,
    [id],
  );
  return row!;
};
const chargesOf = (id: string) => world.db.query(`select status from billings where id = $1`, [id]);
const setUrl = async (carrier: Carrier, url: string) => {
  await world.db.query(
    `update channels set options = jsonb_set(options, '{url}', to_jsonb($2::text)) where name = $1`,
    [carrier.name, url],
  );
  world.forgetChannels();
};
/** All of its rate is used up for days. */
const hold = async ({ name }: Carrier) => {
  await world.db.query(`update channels set rate = 0.001, burst = 1 where name = $1`, [name]);
  await world.db.query(
    `insert into channel_states (channel, full_at) values ($1, $2) on conflict (channel) do update set full_at = excluded.full_at`,
    [name, world.clock.now().getTime() + 1e9],
  );
  world.forgetChannels();
};
/** Goes on to the time at which the channel may be tried again, unless it is being tried. */
const endPause = async ({ name }: Carrier) => {
  const [row] = await world.db.query<{ until: Date }>(
    `select open_until as until from channel_states where channel = $1 and failures > 0 and open_until > $2
        and not exists (select 1 from batches where channel = $1 and stage in (1, 2))`,
    [name, world.clock.now()],
  );
  if (row) world.clock.forward((row.until.getTime() - world.clock.now().getTime()) / 1000 + 1);
};
/** Its carrier refuses connections until it is put back. */
const breakDown = async (carrier: Carrier): Promise<() => Promise<void>> => {
  const [row] = await world.db.query<{ url: string }>(
    `select options->>'url' as url from channels where name = $1`,
    [carrier.name],
  );
  await setUrl(carrier, 'http://127.0.0.1:9/');
  return () => setUrl(carrier, row!.url);
};

test('a message takes the first route that matches it, another the channel of its type', async () => {
  await addRoute({ title: 'Germany', countries: ['DE'], channels: through(first), priority: 2 });
  await addRoute({
    title: 'MTS',
    operators: ['25001'],
    senders: ['MirTea'],
    kinds: ['single'],
    OwnerIds: [owner.id],
    channels: through(second),
    priority: 1,
  });
  await isAt(first, await single(GERMAN));
  const routed = await single(MTS);
  await isAt(second, routed);
  const plain = await single('+77012345678');
  await isAt(usual, plain);
  await until(async () => (await batchOf(plain)).stage === 3, 'the record');
  const wayOf = async (who: Person, id: string) => {
    const { timeline } = await who.api(sendings.get, { params: { id } });
    return timeline!.flatMap(({ way, event }) => (way ? [{ ...way, event }] : []));
  };
  expect(await wayOf(administrator, plain)).toEqual([
    { channel: usual.name, route: null, event: 'sent' },
  ]);
  await until(async () => (await batchOf(routed)).stage === 3, 'the record');
  expect(await wayOf(administrator, routed)).toEqual([
    { channel: second.name, route: 'MTS', event: 'sent' },
  ]);
  expect(await wayOf(owner, routed)).toEqual([]);
  owner = await world.person({ balance: 1000 });
  await approve(world, owner.id);
  await isAt(usual, await single(MTS));
  expect(await problems(world)).toEqual([]);
});

test('a bulk goes by several routes at once', async () => {
  await addRoute({ operators: ['25001'], kinds: ['bulk'], channels: through(second) });
  const list = await contactList(world, owner.id, 0);
  const phones = [...Array(40).keys()].map((n) => `${n % 2 ? '+7916' : '+7702'}${1000000 + n}`);
  await world.db.query(
    `insert into contacts (list_id, phone) select $1, p from unnest($2::text[]) p`,
    [list, phones],
  );
  const body = { type: 'sms', payload, recipient: { include: [list] } } as never;
  await owner.api(sendings.create, { body });
  await until(
    () => Promise.resolve(second.taken.length + usual.taken.length === 40),
    'the submits',
  );
  expect(second.calls.flat().every(({ recipient }) => recipient.startsWith('+7916'))).toBe(true);
  expect(second.taken).toHaveLength(20);
  expect(new Set([...second.taken, ...usual.taken]).size).toBe(40);
  expect(await problems(world)).toEqual([]);
});

test('weights share the messages of a bulk', async () => {
  await addRoute({
    isWeighted: true,
    channels: [
      { ChannelId: first.name, weight: 80 },
      { ChannelId: second.name, weight: 20 },
      { ChannelId: usual.name, weight: 0 },
    ],
  });
  await bulk(1000);
  await until(() => Promise.resolve(second.taken.length + first.taken.length === 1000), 'the bulk');
  // Six standard deviations.
  expect(Math.abs(first.taken.length - 800)).toBeLessThan(76);
  expect(usual.taken).toEqual([]);
});

test('a changed route moves what waits, and each message goes by its own', async () => {
  const route = await addRoute();
  await hold(first);
  const task = await bulk(300);
  await until(async () => {
    const rows = await world.db.query<{ n: number }>(
      `select coalesce(sum(size), 0)::int as n from batches where task_id = $1 and channel = $2`,
      [task, first.name],
    );
    return rows[0]!.n === 300;
  }, 'the recipients');
  await change(route, { isWeighted: true, channels: through(second, usual) });
  await until(
    () => Promise.resolve(second.taken.length + usual.taken.length === 300),
    'what waited',
  );
  expect(first.taken).toEqual([]);
  expect(new Set([...second.taken, ...usual.taken]).size).toBe(300);
  expect(second.taken.length).toBeGreaterThan(80);
  expect(usual.taken.length).toBeGreaterThan(80);
  const [counted] = await world.db.query(
    `select count(*)::int as n, count(distinct b.id)::int as charged from sendings s join billings b on b.id = s.id where s.group_id = $1`,
    [task],
  );
  expect(counted).toEqual({ n: 300, charged: 300 });
  expect(await problems(world)).toEqual([]);
});

test('what waits goes by the channel of its type when its route is removed', async () => {
  const route = await addRoute();
  await hold(first);
  const other = await single(GERMAN);
  expect(await batchOf(other)).toMatchObject({ channel: first.name, route: route.id });
  await administrator.api(routes.remove, { params: { id: route.id } });
  forget();
  await isAt(usual, other);
  expect((await batchOf(other)).route).toBeNull();
});

test('a message that the carrier may have never moves', async () => {
  const route = await addRoute({ channels: through(second) });
  second.isMute = true;
  const id = await single();
  await until(async () => (await batchOf(id)).unknown > 0, 'the unknown outcome');
  await change(route, { channels: through(first) });
  await world.db.query(`update channels set is_active = false where name = $1`, [usual.name]);
  // Another one shows that the change counts.
  await isAt(first, await single());
  second.isMute = false;
  await until(async () => (await batchOf(id)).stage === 3, 'the repeated submit');
  expect(await batchOf(id)).toMatchObject({ channel: second.name });
  expect(first.taken).not.toContain(id);
});

test('messages leave a channel that is down, without a charge or an attempt more, and return', async () => {
  await addRoute({ channels: through(first, second), failoverAfter: 30 });
  const repair = await breakDown(first);
  const id = await single();
  await until(async () => {
    const rows = await world.db.query(
      `select 1 from batches b join sendings s on s.batch_id = b.id join channel_states h on h.channel = b.channel
        where s.id = $1 and b.channel = $2 and b.stage = 0 and h.failures > 0`,
      [id, first.name],
    );
    return rows.length > 0;
  }, 'the breaker');
  world.clock.forward(31);
  await isAt(second, id);
  expect(await batchOf(id)).toMatchObject({ channel: second.name, attempt: 0 });
  expect(await chargesOf(id)).toHaveLength(1);
  // New ones go there at once, and what waits there returns.
  second.isBusy = true;
  const waiting = await single();
  await until(() => Promise.resolve(second.refused > 0), 'the refusal');
  await repair();
  await until(async () => {
    await endPause(first);
    return first.taken.includes(waiting);
  }, 'the return');
  second.isBusy = false;
  const later = await single();
  await isAt(first, later);
  expect(second.taken).not.toContain(waiting);
  expect(await problems(world)).toEqual([]);
});

test('a channel that is switched off gives what waits to the next of its route, or to the next route', async () => {
  const next = await addRoute({ channels: through(first, second), senders: ['MIRTEA'] });
  const alone = await addRoute({ channels: through(first), countries: ['DE'], priority: 1 });
  await hold(first);
  const [moved, passed] = [await single(), await single(GERMAN)];
  expect(await batchOf(passed)).toMatchObject({ channel: first.name, route: alone.id });
  await world.db.query(`update channels set is_active = false where name = $1`, [first.name]);
  world.forgetChannels();
  await isAt(second, moved);
  await isAt(second, passed);
  expect(await batchOf(passed)).toMatchObject({ channel: second.name, route: next.id });
});

test('the probe says which route and channel a message takes, and why none of the others', async () => {
  const german = await addRoute({ title: 'Germany', countries: ['DE'], priority: 3 });
  const codes = await addRoute({ title: 'Codes', kinds: ['code'], priority: 2 });
  const route = await addRoute({ channels: through(first, second), failoverAfter: 0 });
  const body = {
    OwnerId: owner.id,
    type: 'sms' as const,
    sender: 'MIRTEA',
    recipient: '8 916 123-45-67',
    text: 'Hello',
  };
  const probe = () => administrator.api(routes.probe, { body });
  expect(await probe()).toMatchObject({
    recipient: MTS,
    country: 'RU',
    mccmnc: '25001',
    route: { id: route.id, title: 'Route' },
    channel: first.name,
    channels: [
      { name: first.name, weight: null, state: 'working' },
      { name: second.name, weight: null, state: 'working' },
    ],
    passed: [
      { id: german.id, unmet: 'countries' },
      { id: codes.id, unmet: 'kinds' },
    ],
  });
  const { amount } = await probe();
  expect(amount).toBeGreaterThan(0);
  await breakDown(first);
  await single();
  await until(async () => {
    forget();
    return (await probe()).channel === second.name;
  }, 'the breaker');
  expect((await probe()).channels[0]).toMatchObject({ name: first.name, state: 'down' });
  await change(route, { OwnerIds: [administrator.id] });
  expect(await probe()).toMatchObject({
    route: null,
    channel: usual.name,
    passed: [{ unmet: 'countries' }, { unmet: 'kinds' }, { id: route.id, unmet: 'OwnerIds' }],
  });
});

test('only administrators see and change routes; what is unknown or listed twice is refused', async () => {
  const body = { title: 'Route', channels: through(first) };
  const manager = await world.person({ level: 'manager' });
  for (const who of [owner, manager]) {
    await expect(who.api(routes.find)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(who.api(routes.create, { body })).rejects.toMatchObject({ code: 'forbidden' });
  }
  const unknown = { ...body, channels: [{ ChannelId: 'none' }] };
  await expect(administrator.api(routes.create, { body: unknown })).rejects.toMatchObject({
    code: 'validation',
  });
  const twice = { ...body, channels: through(first, first) };
  await expect(administrator.api(routes.create, { body: twice })).rejects.toMatchObject({
    code: 'validation',
  });
  const route = await addRoute();
  expect(route).toMatchObject({ isActive: true, priority: 0, kinds: [], failoverAfter: 60 });
  const { data } = await administrator.api(routes.find, {
    query: { filter: { channel: [first.name] } },
  });
  expect(data.map(({ id }) => id)).toEqual([route.id]);
  const rows = await world.db.query(`select action from audit_log where target_id = $1`, [
    route.id,
  ]);
  expect(rows).toEqual([{ action: 'routes.create' }]);
});
