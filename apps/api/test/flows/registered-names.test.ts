import {
  ADMINISTRATOR_GRANTS,
  channels,
  channelSendernames,
  routes,
  sendernames,
  sendings,
  tasks,
  type RouteInput,
  type SendingReceipt,
} from '@heliograph/contract';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { Carrier } from '../carrier.ts';
import { approve, contactList, problems } from '../factories.ts';
import { statementsOf } from '../statements.ts';
import { type Person, until, World } from '../world.ts';
import { Db } from '../../src/core/db/db.ts';
import { RoutingService } from '../../src/features/sendings/rules/routing.service.ts';

let world: World;
let administrator: Person;
let owner: Person;
let strict: Carrier;
let other: Carrier;

const PHONE = '+79161234567';

beforeAll(async () => {
  // No lease ends because a test moves the clock.
  world = await World.start({ LEASE_SECONDS: '3600' });
  await world.startWorker();
  administrator = await world.person({ level: 'manager', grants: { add: ADMINISTRATOR_GRANTS } });
});
afterAll(() => world.stop());
beforeEach(async () => {
  owner = await world.person({ balance: 100_000 });
  await approve(world, owner.id, 'MIRTEA');
  await approve(world, owner.id, 'OTHERTEA');
  await world.db.query(`update channels set is_active = false where 'sms' = any(types)`);
  strict = await Carrier.start(world, ['sms'], { maxBatch: 100 });
  other = await Carrier.start(world, ['sms'], { maxBatch: 100 });
  await world.db.query(`update channels set priority = 20 where name = $1`, [strict.name]);
  await setStrict(strict, true);
});
afterEach(async () => {
  const { data } = await administrator.api(routes.find, { query: { limit: 100 } });
  for (const { id } of data) await administrator.api(routes.remove, { params: { id } });
  await world.db.query(`update channels set needs_registration = false`);
  for (const carrier of [strict, other]) carrier.stop();
});

const update = async (carrier: Carrier, body: object) => {
  await administrator.api(channels.update, { params: { channel: carrier.name }, body });
  world.forgetChannels();
};
const setStrict = (carrier: Carrier, needsRegistration: boolean) =>
  update(carrier, { needsRegistration });
const register = async (carrier: Carrier, names: string[], over: object = {}) => {
  const { results } = await administrator.api(channelSendernames.add, {
    params: { channel: carrier.name },
    body: { names, ...over },
  });
  world.forgetChannels();
  return results.map(({ result }) => result);
};
const unregister = async (carrier: Carrier, name: string) => {
  const params = { channel: carrier.name };
  const { data } = await administrator.api(channelSendernames.find, {
    params,
    query: { search: name },
  });
  await administrator.api(channelSendernames.remove, { params: { ...params, id: data[0]!.id } });
  world.forgetChannels();
};
const addRoute = (...carriers: Carrier[]) => {
  const through = carriers.map(({ name: ChannelId }) => ({ ChannelId, weight: 1 }));
  const body: Partial<RouteInput> = { title: 'Route', OwnerIds: [owner.id] };
  return administrator
    .api(routes.create, { body: { title: 'Route', ...body, channels: through } })
    .finally(() => world.forgetChannels());
};
const message = (sender: string, over: object = {}) =>
  ({ type: 'sms', payload: { sender, text: 'Hello' }, recipient: PHONE, ...over }) as never;
const send = async (sender: string, over: object = {}): Promise<string> =>
  ((await owner.api(sendings.create, { body: message(sender, over) })) as SendingReceipt).id;
const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => null,
    (error: { status: number; body: { code: string } }) => [error.status, error.body.code],
  );
const isAt = (carrier: Carrier, id: string) =>
  until(() => Promise.resolve(carrier.taken.includes(id)), 'the submit');
const channelOf = async (id: string) => {
  const [row] = await world.db.query<{ channel: string }>(
    `select b.channel from batches b join sendings s on s.batch_id = b.id where s.id = $1`,
    [id],
  );
  return row!.channel;
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

test('of two channels of a route one carries only its registered names', async () => {
  await addRoute(strict, other);
  expect(await register(strict, ['MirTea'])).toEqual(['added']);
  await isAt(strict, await send('MIRTEA'));
  await isAt(other, await send('OTHERTEA'));
  // From tomorrow on.
  const since = new Date(world.clock.now().getTime() + 86_400_000).toISOString();
  await register(strict, ['OTHERTEA'], { since });
  await isAt(other, await send('OTHERTEA'));
  world.clock.forward(86_401);
  await isAt(strict, await send('OTHERTEA'));
  await setStrict(strict, false);
  await unregister(strict, 'OTHERTEA');
  await isAt(strict, await send('OTHERTEA'));
  expect(await problems(world)).toEqual([]);
});

test('without a route the channel of the type with the highest priority that carries the name is chosen', async () => {
  await isAt(other, await send('MIRTEA'));
  await register(strict, ['MIRTEA']);
  await isAt(strict, await send('MIRTEA'));
  await isAt(other, await send('OTHERTEA'));
  expect(await problems(world)).toEqual([]);
});

test('a name that is registered moves what waits, and its removal moves that and stops new messages', async () => {
  await addRoute(strict, other);
  await hold(other);
  await hold(strict);
  const waiting = await send('MIRTEA');
  expect(await channelOf(waiting)).toBe(other.name);
  await register(strict, ['MIRTEA']);
  await until(async () => (await channelOf(waiting)) === strict.name, 'the registered name');
  await unregister(strict, 'MIRTEA');
  await until(async () => (await channelOf(waiting)) === other.name, 'the removed name');
  expect(await channelOf(await send('MIRTEA'))).toBe(other.name);
  await register(strict, ['MIRTEA']);
  await until(async () => (await channelOf(waiting)) === strict.name, 'the name again');
  await world.db.query(`update channels set rate = null, burst = null where name = $1`, [
    strict.name,
  ]);
  world.forgetChannels();
  await isAt(strict, waiting);
  expect(other.taken).toEqual([]);
  expect(await problems(world)).toEqual([]);
});

test('without a route a removed name moves what waits for its channel, and no other change does', async () => {
  await register(strict, ['MIRTEA']);
  await hold(strict);
  const waiting = await send('MIRTEA');
  expect(await channelOf(waiting)).toBe(strict.name);
  await unregister(strict, 'MIRTEA');
  await isAt(other, waiting);
  await hold(other);
  const second = await send('MIRTEA');
  await register(strict, ['MIRTEA']);
  expect(await channelOf(second)).toBe(other.name);
});

test('a name that no channel carries is refused, in every way of sending', async () => {
  await setStrict(other, true);
  await register(other, ['MIRTEA']);
  const refusal = [422, 'sender_not_registered'];
  const create = (body: never) => codeOf(owner.api(sendings.create, { body }));
  expect(await create(message('OTHERTEA'))).toEqual(refusal);
  const list = await contactList(world, owner.id, 3);
  const bulk = message('OTHERTEA', { recipient: { include: [list] } });
  expect(await create(bulk)).toEqual(refusal);
  expect(await codeOf(owner.api(sendings.estimate, { body: bulk }))).toEqual(refusal);
  expect(await codeOf(owner.api(sendings.estimate, { body: message('OTHERTEA') }))).toEqual(
    refusal,
  );
  // A name that is not approved is refused for that.
  const receipt = await owner.api(sendings.create, { body: message('STRANGER') });
  expect(receipt).toMatchObject({ status: 'failed', code: 'sender_not_approved' });
  await isAt(other, await send('MIRTEA'));
  await update(other, { isActive: false });
  await update(strict, { isActive: false });
  expect(await create(message('MIRTEA'))).toEqual([503, 'unavailable']);
});

test('a task whose name is no more registered pauses, and goes on when it is again', async () => {
  await setStrict(other, true);
  await register(other, ['MIRTEA']);
  const recipient = { include: [await contactList(world, owner.id, 3)] };
  const schedule = { delay: new Date(world.clock.now().getTime() + 3_600_000).toISOString() };
  const id = await send('MIRTEA', { recipient, schedule });
  await unregister(other, 'MIRTEA');
  world.clock.forward(3601);
  const taskOf = () => owner.api(tasks.get, { params: { id } });
  await until(async () => (await taskOf()).state === 'paused', 'the pause');
  expect(await taskOf()).toMatchObject({ reason: 'sender_not_registered' });
  await register(other, ['MIRTEA']);
  await owner.api(tasks.update, { params: { id }, body: { state: 'scheduled' } as never });
  await until(() => Promise.resolve(other.taken.length === 3), 'the messages');
});

test('a fallback whose name no channel carries fails', async () => {
  await setStrict(other, true);
  await register(other, ['MIRTEA']);
  other.meanwhile = () => Promise.resolve({ result: 'rejected' });
  const fallbacks = [
    {
      type: 'sms',
      payload: { sender: 'OTHERTEA', text: 'Hello' },
      options: { onStatus: ['failed'] },
    },
  ];
  const id = await send('MIRTEA', { fallbacks });
  const attempts = async () =>
    (await owner.api(sendings.find, { query: { filter: { chainId: id } } })).data;
  await until(async () => (await attempts()).length === 2, 'the fallback');
  const [last] = (await attempts()).filter(({ attempt }) => attempt === 1);
  expect(last!.state).toMatchObject({ status: 'failed', code: 'sender_not_registered' });
  expect(await problems(world)).toEqual([]);
});

test('the probe says which channels were left out because of the name', async () => {
  const probe = (sender: string) =>
    administrator.api(routes.probe, {
      body: { type: 'sms', sender, recipient: PHONE, OwnerId: owner.id },
    });
  const { id } = await addRoute(strict, other);
  expect(await probe('MIRTEA')).toMatchObject({
    route: { id },
    channel: other.name,
    channels: [
      { name: other.name, state: 'working' },
      { name: strict.name, state: 'notRegistered' },
    ],
  });
  await administrator.api(routes.update, {
    params: { id },
    body: { channels: [{ ChannelId: strict.name }] },
  });
  world.forgetChannels();
  const direct = await probe('MIRTEA');
  expect(direct).toMatchObject({
    route: null,
    channel: other.name,
    passed: [{ id, unmet: 'registration' }],
  });
  expect(direct.channels).toContainEqual({
    name: strict.name,
    weight: null,
    share: null,
    state: 'notRegistered',
  });
  await setStrict(other, true);
  expect(await probe('MIRTEA')).toMatchObject({ channel: null });
});

test('names are added with a result for each, listed, searched and found by the name of an account', async () => {
  const since = '2026-01-02T00:00:00.000Z';
  const names = ['MIRTEA', 'mirtea', ' ', 'Tea & Co'];
  expect(await register(strict, names, { since, note: 'Contract 1' })).toEqual([
    'added',
    'repeated',
    'invalid',
    'added',
  ]);
  expect(await register(strict, ['MirTea'])).toEqual(['unchanged']);
  expect(await register(strict, ['MirTea'], { since })).toEqual(['unchanged']);
  expect(await register(strict, ['MirTea'], { note: 'Contract 2' })).toEqual(['updated']);
  expect(await register(strict, ['+74951234567', '74951234567'], { type: 'voice' })).toEqual([
    'invalid',
    'added',
  ]);
  const params = { channel: strict.name };
  const find = async (query: object) =>
    (await administrator.api(channelSendernames.find, { params, query })).data.map((one) => [
      one.name,
      one.note,
    ]);
  expect(
    await find({ order: [{ field: 'name', direction: 'asc' }], filter: { type: ['sms'] } }),
  ).toEqual([
    ['MIRTEA', 'Contract 2'],
    ['Tea & Co', 'Contract 1'],
  ]);
  expect(await find({ search: 'tea &' })).toEqual([['Tea & Co', 'Contract 1']]);
  const { data } = await owner.api(sendernames.find);
  const channelsOf = async (name: string) => {
    const { id } = data.find((one) => one.name === name)!;
    const found = await administrator.api(sendernames.channels, { params: { id } });
    return found.data.filter(({ ChannelId }) => ChannelId === strict.name);
  };
  expect(await channelsOf('MIRTEA')).toEqual([
    {
      ChannelId: strict.name,
      isActive: true,
      needsRegistration: true,
      since,
      note: 'Contract 2',
    },
  ]);
  expect(await channelsOf('OTHERTEA')).toMatchObject([{ ChannelId: strict.name, since: null }]);
  // A manager without the permission sees no channel, and no account does.
  const manager = await world.person({ level: 'manager' });
  for (const who of [manager, owner]) {
    expect(await codeOf(who.api(channelSendernames.find, { params }))).toEqual([403, 'forbidden']);
    expect(
      await codeOf(who.api(channelSendernames.add, { params, body: { names: ['A'] } })),
    ).toEqual([403, 'forbidden']);
    const { id } = data[0]!;
    expect(await codeOf(who.api(sendernames.channels, { params: { id } }))).toEqual([
      403,
      'forbidden',
    ]);
  }
  const nowhere = { params: { channel: 'nowhere' } };
  expect(await codeOf(administrator.api(channelSendernames.find, nowhere))).toEqual([
    404,
    'not_found',
  ]);
  expect(
    await codeOf(administrator.api(channelSendernames.add, { ...nowhere, body: { names: ['A'] } })),
  ).toEqual([404, 'not_found']);
});

test('a channel has a limited number of names, and all of them are read once', async () => {
  await world.db.query(
    `insert into channel_sendernames (channel, type, name, key, since)
     select $1, 'sms', 'N' || n, 'sms:n' || n, now() - interval '1 day' from generate_series(1, 99999) n`,
    [strict.name],
  );
  expect(await register(strict, ['LAST', 'ONE-MORE', 'N17'])).toEqual([
    'added',
    'full',
    'unchanged',
  ]);
  const service = world.api.get(RoutingService, { strict: false });
  const traffic = { OwnerId: owner.id, type: 'sms', kind: 'single' } as const;
  const wayOf = async (sender: string) =>
    (await service.of({ ...traffic, sender }, () => [PHONE]))({ id: owner.id, address: PHONE })
      ?.channel;
  expect(await wayOf('n99999')).toBe(strict.name);
  expect(await wayOf('last')).toBe(strict.name);
  expect(await wayOf('one-more')).toBe(other.name);
  world.forgetChannels();
  // The account, the channels, the version with the revisions of names.
  const db = world.api.get(Db, { strict: false });
  expect(await statementsOf(db, () => wayOf('N1'))).toBeLessThanOrEqual(4);
});
