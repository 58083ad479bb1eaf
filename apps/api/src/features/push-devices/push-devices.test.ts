import { auth, MAX_PUSH_DEVICES, persons, pushDevices } from '@heliograph/contract';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Person, until, World } from '../../../test/world.ts';

let world: World;
let owner: Person;

beforeAll(async () => {
  world = await World.start({ QUOTA_PUSH_DEVICES: '25' });
  await world.startWorker();
});
afterAll(() => world.stop());
beforeEach(async () => {
  owner = await world.person();
});

const PHONE = '+79161234567';
const token = () => `fcm-${randomUUID()}:APA91b`;
const subscription = () => ({
  endpoint: `https://push.example.net/push/${randomUUID()}`,
  expirationTime: null,
  keys: {
    p256dh:
      'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  },
});
const register = (body: object, who = owner) =>
  who.api(pushDevices.create, { body: { phone: PHONE, ...body } as never });
const list = async (query: object = {}, who = owner) =>
  (await who.api(pushDevices.find, { query: query as never })).data;

test('apps and browsers are registered for a number, and their addresses are not shown', async () => {
  const given = { token: token(), title: 'Pixel 9', phone: '8 (916) 123-45-67' };
  const app = await register(given);
  expect(app).toMatchObject({ kind: 'fcm', phone: PHONE, title: 'Pixel 9', OwnerId: owner.id });
  const browser = await register({ subscription: subscription() });
  expect(browser).toMatchObject({ kind: 'web-push', phone: PHONE, title: null });
  const rows = await list();
  expect(rows).toEqual([browser, app]);
  expect(JSON.stringify(rows)).not.toMatch(/APA91b|push\.example/);
  expect(await list({ filter: { kind: 'fcm' } })).toEqual([app]);
  expect(await list({ $search: '+7916' })).toHaveLength(2);
  expect(await list({ $search: '89161234567' })).toHaveLength(2);
  expect(await list({ $search: '+7917' })).toEqual([]);
  await owner.api(pushDevices.remove, { params: { id: app.id } });
  expect(await list()).toEqual([browser]);
});

test('a device that registers again keeps its row and goes to the number given last', async () => {
  const known = token();
  const { id } = await register({ token: known, title: 'Old' });
  world.clock.forward(60);
  const again = await register({ token: known, phone: '+79161234568' });
  expect(again).toMatchObject({ id, phone: '+79161234568', title: null });
  expect(Date.parse(again.updatedAt)).toBeGreaterThan(Date.parse(again.createdAt));
  expect(await list()).toEqual([again]);
});

test('the same app may be of several accounts, and each sees its own', async () => {
  const shared = token();
  const other = await world.person();
  const mine = await register({ token: shared });
  const theirs = await register({ token: shared }, other);
  expect(theirs.id).not.toBe(mine.id);
  expect(await list()).toEqual([mine]);
  const removing = other.api(pushDevices.remove, { params: { id: mine.id } });
  await expect(removing).rejects.toMatchObject({ status: 404 });
});

test('a number has the devices that registered last', async () => {
  const first = await register({ token: token() });
  for (let n = 1; n < MAX_PUSH_DEVICES; n++) await register({ token: token() });
  expect((await list({ $limit: 100 })).map(({ id }) => id)).toContain(first.id);
  world.clock.forward(1);
  const last = await register({ token: token() });
  const ids = (await list({ $limit: 100 })).map(({ id }) => id);
  expect(ids).toHaveLength(MAX_PUSH_DEVICES);
  expect(ids).toContain(last.id);
  expect(ids).not.toContain(first.id);
});

test('an account has as many as its quota, and registers known ones all the same', async () => {
  const known = token();
  await register({ token: known, phone: '+79160000000' });
  for (let n = 1; n < 25; n++) await register({ token: token(), phone: `+791600000${n + 10}` });
  const refusal = { body: { code: 'quota_exceeded' } };
  await expect(register({ token: token() })).rejects.toMatchObject(refusal);
  await expect(register({ token: known })).resolves.toMatchObject({ phone: PHONE });
});

test.each([
  ['neither a token nor a subscription', {}, 'token'],
  ['both', { token: 'abc', subscription: subscription() }, 'token'],
  ['no number', { token: 'abc', phone: 'five' }, 'phone'],
  ['a token with spaces', { token: 'a b' }, 'token'],
  [
    'an endpoint without TLS',
    { subscription: { ...subscription(), endpoint: 'http://push.example.net/1' } },
    'subscription.endpoint',
  ],
  [
    'a compressed key',
    { subscription: { ...subscription(), keys: { ...subscription().keys, p256dh: 'AyVx' } } },
    'subscription.keys.p256dh',
  ],
  [
    'a point that is not of the curve',
    {
      subscription: {
        ...subscription(),
        keys: { ...subscription().keys, p256dh: `B${'A'.repeat(86)}` },
      },
    },
    'subscription.keys.p256dh',
  ],
])('%s is refused', async (_, body, field) => {
  await expect(register(body)).rejects.toMatchObject({
    status: 422,
    body: {
      errors: expect.arrayContaining([expect.objectContaining({ property: field })]) as unknown,
    },
  });
});

test('nobody registers a device in a session of another person', async () => {
  const manager = await world.person({ level: 'manager' });
  const customer = await world.person({ managerId: manager.id });
  const session = await manager.api(auth.loginAs, { params: { id: customer.id } });
  const borrowed = world.client(session.token);
  const call = borrowed(pushDevices.create, { body: { phone: PHONE, token: token() } });
  await expect(call).rejects.toMatchObject({ status: 403, body: { code: 'borrowed_session' } });
});

test('devices of a person who is erased are removed', async () => {
  await register({ token: token() });
  const other = await register({ token: token(), phone: '+79161234568' });
  await owner.api(persons.erase, { body: { address: PHONE } });
  await until(async () => (await list()).length === 1, 'the erasure');
  expect(await list()).toEqual([other]);
});
