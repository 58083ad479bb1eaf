import {
  ADMINISTRATOR_GRANTS,
  channels,
  messageRuleGroups,
  routingGroups,
  sendings,
  settings,
  users,
  type ApiError,
  type Sending,
  type SendingReceipt,
} from '@heliograph/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Carrier } from '../carrier.ts';
import { contactList, finished, problems, setCarrier } from '../factories.ts';
import { type Person, until, World } from '../world.ts';

let world: World;
let carrier: Carrier;
let administrator: Person;
let owner: Person;

beforeAll(async () => {
  world = await World.start();
  await setCarrier(world, {});
  await world.startWorker();
  const grants = { add: ADMINISTRATOR_GRANTS };
  administrator = await world.person({ level: 'manager', grants });
  carrier = await Carrier.start(world, ['viber']);
  // Without a group all messages use the simulator.
  await world.db.query(`update channels set priority = -1 where name = $1`, [carrier.name]);
  world.forgetChannels();
});
afterAll(async () => {
  carrier.stop();
  await world.stop();
});
beforeEach(async () => {
  owner = await world.person({ balance: 1000 });
});

const group = (title = 'Direct', ChannelId = carrier.name) =>
  administrator.api(routingGroups.create, {
    body: { title, routes: [{ type: 'viber', ChannelId }] },
  });
const assign = (ids: string[], who = owner) =>
  administrator.api(routingGroups.assign, { params: { id: who.id }, body: { ids } });
const message = { type: 'viber' as const, payload: { sender: 'TEA', text: 'Tea is ready' } };
const send = async (who = owner, over: object = {}): Promise<string> => {
  const body = { ...message, recipient: '+79001112233', ...over };
  return ((await who.api(sendings.create, { body })) as SendingReceipt).id;
};
const channelOf = async (id: string) => {
  const [row] = await world.db.query<{ channel: string }>(
    `select b.channel from sendings s join batches b on b.id = s.batch_id where s.id = $1`,
    [id],
  );
  return row!.channel;
};
const isTaken = (reference: string) =>
  until(async () => carrier.taken.includes(reference), 'the submit');
const read = (id: string): Promise<Sending> => owner.api(sendings.get, { params: { id } });

test('messages of an account in a routing group use the channel of the group', async () => {
  const other = await world.person({ balance: 1000 });
  const { id } = await group();
  expect((await assign([id])).data).toMatchObject([{ id, accounts: 1 }]);
  const single = await until(async () => {
    const sent = await send();
    return (await channelOf(sent)) === carrier.name && sent;
  }, 'the group to count');
  await isTaken(single);
  await carrier.report([{ reference: single, status: 'delivered' }]);
  await until(async () => (await read(single)).state.status === 'delivered', 'the report');
  expect(await channelOf(await send(other))).toBe('simulator');

  // A bulk uses the same channel, and so does a fallback of a message that failed on another one.
  const list = await contactList(world, owner.id, 2);
  const bulk = await owner.api(sendings.create, {
    body: { ...message, recipient: { include: [list], exclude: [] } } as never,
  });
  const rows = await until(async () => {
    const { data } = await owner.api(sendings.find, {
      query: { filter: { groupId: (bulk as { id: string }).id } },
    });
    return data.length === 2 && data;
  }, 'the bulk');
  for (const row of rows) await isTaken(row.id);
  await carrier.report(
    rows.map(({ id: reference }) => ({ reference, status: 'delivered' as const })),
  );
  expect((await finished(owner, (bulk as { id: string }).id)).meta.counters).toMatchObject({
    completed: 2,
  });
  const chain = await send(owner, {
    type: 'hlr',
    recipient: '+79990000002',
    fallbacks: [{ ...message, $options: { onStatus: ['failed'] } }],
  });
  const fallback = await until(async () => {
    const { data } = await owner.api(sendings.find, { query: { filter: { chainId: chain } } });
    return data.find(({ attempt }) => attempt === 1);
  }, 'the fallback');
  expect(await channelOf(fallback.id)).toBe(carrier.name);
  await isTaken(fallback.id);
  await carrier.report([{ reference: fallback.id, status: 'delivered' }]);
  expect(await problems(world)).toEqual([]);
});

test('a group whose channel is gone can be renamed and put back, but not given another such route', async () => {
  const { id } = await group('Direct', 'simulator');
  const gone = [{ type: 'viber' as const, ChannelId: 'gone' }];
  await world.db.query(`update routing_groups set routes = $2::jsonb where id = $1`, [
    id,
    JSON.stringify(gone),
  ]);
  const set = (body: object) => administrator.api(routingGroups.update, { params: { id }, body });
  expect(await set({ title: 'Former' })).toMatchObject({ title: 'Former', routes: gone });
  expect(await set({ title: 'Direct', routes: gone })).toMatchObject({ routes: gone });
  const another = [...gone, { type: 'sms', ChannelId: 'gone' }];
  await expect(set({ routes: another })).rejects.toMatchObject({ code: 'validation' });
  const known = [{ type: 'viber', ChannelId: 'simulator' }];
  expect(await set({ routes: known })).toMatchObject({ routes: known });
  await expect(set({ routes: gone })).rejects.toMatchObject({ code: 'validation' });
});

test('skips a channel that is off; submitted messages stay with it', async () => {
  const first = await group('First');
  const second = await group('Second', 'simulator');
  await assign([first.id, second.id]);
  const before = await until(async () => {
    const sent = await send();
    return (await channelOf(sent)) === carrier.name && sent;
  }, 'the group to count');
  await isTaken(before);
  const params = { channel: carrier.name };
  await administrator.api(channels.update, { params, body: { isActive: false } });
  try {
    world.forgetChannels();
    const after = await send();
    expect(await channelOf(after)).toBe('simulator');
    await until(async () => (await read(after)).state.status === 'delivered', 'the other channel');
    await carrier.report([{ reference: before, status: 'delivered' }]);
    await until(async () => (await read(before)).state.status === 'delivered', 'the report');
  } finally {
    await administrator.api(channels.update, { params, body: { isActive: true } });
    world.forgetChannels();
  }
});

test('administrators of the installation manage groups, and an account sees their titles', async () => {
  const { id } = await group('Kept');
  const params = { id };
  const changed = await administrator.api(routingGroups.update, {
    params,
    body: { title: 'Renamed' },
  });
  expect(changed).toMatchObject({ title: 'Renamed', routes: [{ ChannelId: carrier.name }] });
  const rules = await administrator.api(messageRuleGroups.create, {
    body: { title: 'Strict', rules: { types: ['viber'], sendernamesCheck: ['viber'] } },
  });
  const change = async (given: object) => {
    const call = { params: { id: rules.id }, body: { rules: given } };
    return (await administrator.api(messageRuleGroups.update, call)).rules;
  };
  // An absent rule stays, null removes it.
  expect(await change({ types: ['sms'] })).toEqual({ types: ['sms'], sendernamesCheck: ['viber'] });
  expect(await change({ types: ['viber'], sendernamesCheck: null })).toEqual({ types: ['viber'] });
  await assign([id]);
  await administrator.api(messageRuleGroups.assign, {
    params: { id: owner.id },
    body: { ids: [rules.id] },
  });
  const full = await owner.api(users.me, { query: { scope: ['full'] } as never });
  expect(full.RoutingGroups).toEqual([{ id, title: 'Renamed' }]);
  expect(full.MessageRuleGroups).toEqual([{ id: rules.id, title: 'Strict' }]);
  expect(full.Patterns).toEqual([]);
  const manager = await world.person({ level: 'manager', grants: { add: ['users.all'] } });
  await expect(manager.api(routingGroups.find)).rejects.toMatchObject({ status: 403 });
  const found = await administrator.api(routingGroups.find, { query: { search: 'renam' } });
  expect(found.data).toMatchObject([{ id, accounts: 1 }]);

  const wrong = [{ type: 'viber' as const, ChannelId: 'nowhere' }];
  const refused = { status: 422, body: { data: [{ field: 'routes.0.ChannelId' }] } };
  await expect(
    administrator.api(routingGroups.update, { params, body: { routes: wrong } }),
  ).rejects.toMatchObject(refused);
  await expect(
    administrator.api(routingGroups.create, {
      body: { title: 'Wrong', routes: [{ type: 'sms', ChannelId: carrier.name }] },
    }),
  ).rejects.toMatchObject(refused);
  await expect(assign([id, owner.id])).rejects.toMatchObject({ status: 404 });
  expect((await administrator.api(routingGroups.get, { params })).accounts).toBe(1);
  await administrator.api(routingGroups.remove, { params });
  expect(
    (await owner.api(users.me, { query: { scope: ['full'] } as never })).RoutingGroups,
  ).toEqual([]);
  const kept = await world.db.query<{ action: string; after: object | null }>(
    `select action, after from audit_log where target_id = $1 or target_id = $2 and action like '%Groups.%' order by id`,
    [id, owner.id],
  );
  expect(kept.map(({ action }) => action)).toEqual([
    'routingGroups.create',
    'routingGroups.update',
    'routingGroups.assign',
    'messageRuleGroups.assign',
    'routingGroups.remove',
  ]);
  expect(kept[2]!.after).toEqual({ groups: ['Renamed'] });
});

test('the stricter of the rules of an account and of its groups applies', async () => {
  const { id } = await administrator.api(messageRuleGroups.create, {
    body: { title: 'Checked', rules: { sendernamesCheck: ['viber'] } },
  });
  const narrow = await administrator.api(messageRuleGroups.create, {
    body: { title: 'Narrow', rules: { types: ['viber', 'hlr'] } },
  });
  const put = (ids: string[]) =>
    administrator.api(messageRuleGroups.assign, { params: { id: owner.id }, body: { ids } });
  const codeOf = async (over: object = {}) => {
    const body = { ...message, recipient: '+79001112233', ...over };
    const answer = owner.api(sendings.create, { body }) as Promise<SendingReceipt>;
    return (await answer.catch((error: ApiError) => error)).code;
  };
  expect(await codeOf()).toBeUndefined();
  await put([id, narrow.id]);
  await until(async () => (await codeOf()) === 'sender_not_approved', 'the rules to count');
  expect(await codeOf({ type: 'whatsapp' })).toBe('validation');
  const { sendings: rules } = await owner.api(settings.get);
  expect([...rules.types].sort()).toEqual(['hlr', 'viber']);
  expect(rules.sendernamesCheck).toEqual(['sms', 'viber']);
  // A changed group changes the rules of who is in it.
  await administrator.api(messageRuleGroups.update, {
    params: { id: narrow.id },
    body: { rules: { types: ['hlr'] } },
  });
  await until(async () => (await codeOf()) === 'validation', 'the change to count');
  await put([]);
  await until(async () => (await codeOf()) === undefined, 'the rules to count no more');
});
