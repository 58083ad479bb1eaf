import { analytics, channels, sendings, tasks, TEST_CHANNEL, tokens } from '@heliograph/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  approve,
  balance,
  contactList,
  ended,
  finished,
  problems,
  setCarrier,
} from '../factories.ts';
import { raw } from '../raw.ts';
import { stopTime } from '../stopped-time.ts';
import { type Person, until, World } from '../world.ts';

let world: World;
let owner: Person;
/** The same account with a test token. */
let tester: Person;

beforeAll(async () => {
  world = await World.start();
  await setCarrier(world, {});
  await world.startWorker();
});
afterAll(() => world.stop());
beforeEach(async () => {
  owner = await world.person({ balance: 0 });
  await approve(world, owner.id);
  tester = await testerOf(owner);
});

async function testerOf(who: Person): Promise<Person> {
  const { token } = await who.api(tokens.create, { body: { description: 'Tests', isTest: true } });
  return { ...who, token };
}

const payload = { sender: 'MIRTEA', text: 'Tea is ready' };
const message = { type: 'sms', payload };
const post = (body: object, path = '/sendings', who = tester) =>
  raw(world, who, 'POST', path, body);
const channelsOf = async () => {
  const rows = await world.db.query<{ channel: string }>(
    `select distinct channel from batches where owner_id = $1`,
    [owner.id],
  );
  return rows.map(({ channel }) => channel);
};

test('a message of a test token needs no money, has the end of its number and reaches no carrier', async () => {
  const fallbacks = [{ type: 'viber', payload, options: { onStatus: ['failed'] } }];
  const delivered = await post({ ...message, recipient: '+79161234567' });
  const failed = await post({ ...message, recipient: '+79990000002', fallbacks });
  expect([delivered.status, failed.status]).toEqual([200, 200]);
  await ended(owner, delivered.json.id);
  const all = await until(async () => {
    const { data } = await owner.api(sendings.find);
    return data.length === 3 && data.every(({ state }) => state.outcome !== 'pending') && data;
  }, 'the fallback');
  expect(
    all
      .map(({ recipient, attempt, live, state, meta }) => [
        recipient,
        attempt,
        live,
        state.status,
        meta.billing,
      ])
      .sort(),
  ).toEqual([
    ['+79161234567', 0, false, 'delivered', null],
    ['+79990000002', 0, false, 'failed', null],
    ['+79990000002', 1, false, expect.any(String), null],
  ]);
  expect(await channelsOf()).toEqual([TEST_CHANNEL]);
  expect(await balance(world, owner.id)).toBe(0);
  expect(await problems(world)).toEqual([]);
});

test('bulks, calls with own values and estimates are free as well, and are told from real messages', async () => {
  const list = await contactList(world, owner.id, 3, { first: 100 });
  const bulk = await post({ ...message, recipient: [list] });
  expect(bulk.status).toBe(201);
  expect(bulk.json.data.sending.live).toBe(false);
  const each = await post(
    { ...message, recipients: [{ to: '+79020000001' }, { to: '+79020000001' }] },
    '/sendings/each',
  );
  expect(each.json.map((one: { code?: string }) => one.code)).toEqual([undefined, undefined]);
  const estimate = await post({ ...message, recipient: [list] }, '/sendings/estimate');
  expect(estimate.json).toMatchObject({ recipients: 3, amount: 0, max: 0, enough: true });
  const task = await finished(owner, bulk.json.id);
  expect(task.meta).toMatchObject({ amount: 0, counters: { completed: 3 } });

  await world.db.query(`update balances set balance = 100 where owner_id = $1`, [owner.id]);
  const real = await post({ ...message, recipient: '+79020000009' }, '/sendings', owner);
  await ended(owner, real.json.id);
  const found = async (live?: boolean) =>
    (await owner.api(sendings.find, { query: { filter: live === undefined ? {} : { live } } }))
      .data;
  expect((await found()).length).toBe(6);
  expect((await found(true)).map(({ id, live }) => [id, live])).toEqual([[real.json.id, true]]);
  expect((await found(false)).map(({ live }) => live)).toEqual(Array(5).fill(false));
  expect((await channelsOf()).length).toBe(2);
});

test('the figures of an account are of real messages; those of a test token are read by its id', async () => {
  const { json } = await post({ ...message, recipient: '+79990000000' });
  await ended(owner, json.id);
  const { id: TokenId } = (await owner.api(tokens.find)).data[0]!;
  const hour = 3_600_000;
  const now = Math.floor(world.clock.now().getTime() / hour) * hour;
  const query = (more: object) => ({
    query: {
      by: 'day' as const,
      from: new Date(now - hour).toISOString(),
      to: new Date(now + 2 * hour).toISOString(),
      ...more,
    },
  });
  await until(async () => {
    const { total } = await owner.api(analytics.get, query({ TokenId }));
    return total.messages === 1;
  }, 'the figures of the token');
  const { total } = await owner.api(analytics.get, query({}));
  expect(total.messages).toBe(0);
});

test('a key that a test has used stands for nothing real yet', async () => {
  owner = await world.person({ balance: 1000 });
  await approve(world, owner.id);
  tester = await testerOf(owner);
  const sent = (who: Person) =>
    raw(
      world,
      who,
      'POST',
      '/sendings',
      { ...message, recipient: '+79161234567' },
      {
        'idempotency-key': 'order-1001',
      },
    );
  const [tried, real] = [await sent(tester), await sent(owner)];
  expect(real.json.id).not.toBe(tried.json.id);
  for (const [who, { json }] of [
    [tester, tried],
    [owner, real],
  ] as const) {
    const again = await sent(who);
    expect(again.headers.get('idempotency-replay')).toBe('true');
    expect(again.json.id).toBe(json.id);
  }
  expect(await balance(world, owner.id)).toBeLessThan(1000);
});

test('a test token can read and send, and nothing else', async () => {
  const body = { description: 'x', isTest: true, permissions: ['webhooks.create'] };
  const refused = await raw(world, owner, 'POST', '/tokens', body);
  expect([refused.status, refused.json.data]).toEqual([
    422,
    [expect.objectContaining({ field: 'permissions.0', type: 'test_token' })],
  ]);
  const { id } = (await owner.api(tokens.find)).data[0]!;
  const changed = await raw(world, owner, 'PATCH', `/tokens/${id}`, {
    permissions: ['contacts.create'],
  });
  expect(changed.status).toBe(422);
  expect((await raw(world, owner, 'PATCH', `/tokens/${id}`, { isTest: false })).status).toBe(422);

  const incoming = { type: 'sms', from: '+79020000001', to: 'MIRTEA', payload: { text: 'Yes' } };
  const tries: [string, string, object][] = [
    ['POST', '/sendingsIncoming', incoming],
    ['POST', '/webhooks', { title: 'x', event: 'sendings.status', url: 'https://tea.example' }],
    ['POST', '/contactLists', { title: 'x', type: 'regular' }],
    ['POST', '/suppressions', { addresses: ['+79020000001'] }],
    // With permissions that it has, but of what is real.
    ['POST', `/conversations/${id}/replies`, { text: 'Yes', type: 'sms' }],
    ['PATCH', '/n/notifications/read', {}],
    ['POST', '/tts/generate', { text: 'Tea', voice: 'ru-anna' }],
  ];
  for (const [method, path, given] of tries)
    expect([path, (await raw(world, tester, method, path, given)).status]).toEqual([path, 403]);
  expect((await raw(world, tester, 'GET', '/contactLists')).status).toBe(200);
  expect((await raw(world, tester, 'POST', `/templates/${id}/apply`)).status).toBe(404);
});

test('a call that is only for tests is refused with any other token, before anything happens', async () => {
  const only = { 'x-test-only': 'true' };
  const body = { ...message, recipient: '+79990000000' };
  const { token: real } = await owner.api(tokens.create, { body: { description: 'Real' } });
  for (const who of [owner, { ...owner, token: real }]) {
    const refused = { status: 403, json: { code: 'test_token_required' } };
    expect(await raw(world, who, 'POST', '/sendings', body, only)).toMatchObject(refused);
    expect(await raw(world, who, 'GET', '/users/me', undefined, only)).toMatchObject(refused);
  }
  expect((await owner.api(sendings.find)).data).toEqual([]);
  expect(await raw(world, tester, 'POST', '/sendings', body, only)).toMatchObject({
    status: 200,
    json: { recipient: '+79990000000' },
  });
});

test('a reply that a test number gives starts a fallback, and is no message of a person', async () => {
  const fallbacks = [{ type: 'viber', payload, options: { onIncomingPayload: { text: 'STOP' } } }];
  const { json } = await post({ ...message, recipient: '+79990000009', fallbacks });
  await until(async () => {
    const { data } = await owner.api(sendings.find, { query: { filter: { chainId: json.id } } });
    return data.length === 2;
  }, 'the fallback by a reply');
  const of = async (table: string) =>
    (await world.db.query(`select 1 from ${table} where owner_id = $1`, [owner.id])).length;
  expect([await of('sendings_incoming'), await of('suppressions')]).toEqual([0, 0]);
});

test('an unconfirmed account without a tariff can send tests to anybody, up to a number in an hour', async () => {
  await world.db.query(`update users set phone_confirmed_at = null where id = $1`, [owner.id]);
  await world.db.query(`delete from users_tariffs where owner_id = $1`, [owner.id]);
  await approve(world, owner.id, 'DEMO');
  const demo = { type: 'sms', payload: { sender: 'DEMO', text: 'Tea' } };
  const phones = (n: number) => Array.from({ length: n }, (_, i) => `+7902${1_000_000 + i}`);
  const stranger = '+79161234567';
  expect((await post({ ...demo, recipient: stranger })).json).toMatchObject({ status: 'pending' });
  stopTime();
  const { base } = await world.startApi({ RATE_SCALE: 0.005 });
  const limited = (body: object) => raw({ base }, tester, 'POST', '/sendings', body);
  const many = await limited({ ...demo, recipient: phones(11) });
  expect([many.status, many.json.code]).toEqual([429, 'rate_limited']);
  expect((await limited({ ...demo, recipient: phones(10) })).status).toBe(201);
  expect((await limited({ ...demo, recipient: stranger })).status).toBe(429);
});

test('its messages stay tests when the token is removed; the bulk that it has scheduled stops', async () => {
  const { json } = await post({ ...message, recipient: '+79990000000' });
  await ended(owner, json.id);
  const delay = new Date(world.clock.now().getTime() + 3_600_000).toISOString();
  const later = await post({ ...message, recipient: ['+79990000000'], schedule: { delay } });
  const { id } = (await owner.api(tokens.find)).data[0]!;
  await owner.api(tokens.remove, { params: { id } });
  expect(await owner.api(sendings.get, { params: { id: json.id } })).toMatchObject({ live: false });
  world.clock.forward(3601);
  const task = await until(async () => {
    const row = await owner.api(tasks.get, { params: { id: later.json.id } });
    return row.state === 'paused' && row;
  }, 'the bulk to pause');
  expect(task.reason).toBe('token_ended');
});

test('the channel of test messages is in no list and cannot be named', async () => {
  const manager = await world.person({
    level: 'manager',
    grants: { add: ['users.all', 'channels.get', 'channels.update', 'channels.remove'] },
  });
  const { data } = await manager.api(channels.find);
  expect(data.map(({ name }) => name)).not.toContain(TEST_CHANNEL);
  for (const [method, body] of [
    ['GET', undefined],
    ['PUT', { isActive: false }],
    ['DELETE', undefined],
  ] as const) {
    const { status } = await raw(world, manager, method, `/channels/${TEST_CHANNEL}`, body);
    expect([method, status]).toEqual([method, 422]);
  }
});
