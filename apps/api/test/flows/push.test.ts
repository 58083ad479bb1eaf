import { ADMINISTRATOR_GRANTS, channels, pushDevices, sendings } from '@heliograph/contract';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { ended, problems } from '../factories.ts';
import { FcmPeer } from '../peers/fcm-peer.ts';
import { WebPushPeer } from '../peers/web-push-peer.ts';
import { type Person, until, World } from '../world.ts';

let world: World;
let administrator: Person;
let owner: Person;
let peer: FcmPeer;
let account: object;

beforeAll(async () => {
  world = await World.start();
  administrator = await world.person({ level: 'manager', grants: { add: ADMINISTRATOR_GRANTS } });
  await world.startWorker();
});
afterAll(() => world.stop());
beforeEach(async () => {
  await world.db.query(`update channels set is_active = false`);
  owner = await world.person({ balance: 10_000 });
  peer = new FcmPeer();
  account = await peer.start();
});
afterEach(() => peer.stop());

/** A channel to the service, as an administrator makes it. */
async function connect(driver = 'fcm', options: object = {}) {
  const created = await administrator.api(channels.create, {
    body: {
      name: `push-${randomUUID().slice(0, 8)}`,
      driver,
      types: ['push'],
      isActive: true,
      priority: 10,
      options: driver === 'fcm' ? { ...account, deliveredAfter: 0 } : options,
    } as never,
  });
  world.forgetChannels();
  return created;
}
const phone = () => `+7916${String(Math.floor(Math.random() * 1e7)).padStart(7, '0')}`;
const register = (of: string, token: string, who = owner) =>
  who.api(pushDevices.create, { body: { phone: of, token } });
const send = async (recipient: string) => {
  const payload = { sender: 'MIRTEA', text: 'Ready: https://tea.example/o/1' };
  const body = { type: 'push', payload, recipient } as never;
  const { id } = (await owner.api(sendings.create, { body })) as { id: string };
  return ended(owner, id);
};

test('a message to a number goes to the devices that its account has registered', async () => {
  const { options, secrets } = await connect();
  expect(secrets).toEqual(['serviceAccount']);
  expect(JSON.stringify(options)).not.toContain('PRIVATE KEY');
  const to = phone();
  await register(to, 'app-of-the-person');
  await register(to, 'app-of-another-account', await world.person());
  await register(phone(), 'app-of-another-person');
  const sending = await send(to);
  expect(sending.state).toMatchObject({ status: 'delivered' });
  expect(peer.taken).toMatchObject([
    {
      token: 'app-of-the-person',
      notification: { title: 'MIRTEA', body: 'Ready: https://tea.example/o/1' },
      data: { id: sending.id, link: 'https://tea.example/o/1' },
    },
  ]);
  expect(await problems(world)).toEqual([]);
});

test('a person without the app gets the message another way, and is charged once', async () => {
  await connect();
  const to = phone();
  const { id } = await register(to, 'app-that-was-removed');
  peer.answers['app-that-was-removed'] = {
    status: 404,
    error: { status: 'NOT_FOUND', errorCode: 'UNREGISTERED' },
  };
  const sending = await send(to);
  expect(sending.state).toMatchObject({ status: 'failed', code: 'not_a_user' });
  expect(await owner.api(pushDevices.find, { query: {} as never })).toMatchObject({ data: [] });
  expect((await send(to)).state).toMatchObject({ status: 'failed', code: 'not_a_user' });
  expect(peer.calls).toBe(1);
  expect(id).toBeDefined();
  expect(await problems(world)).toEqual([]);
});

test('a message that the service does not take for now is sent once it does', async () => {
  await connect();
  const to = phone();
  await register(to, 'busy-app');
  peer.answers['busy-app'] = { status: 429, headers: { 'retry-after': '1' } };
  const sent = send(to);
  await until(() => Promise.resolve(peer.calls > 0), 'the first call');
  delete peer.answers['busy-app'];
  world.clock.forward(2);
  expect((await sent).state).toMatchObject({ status: 'delivered' });
  expect(peer.taken).toHaveLength(1);
  expect(await problems(world)).toEqual([]);
});

test('browsers get theirs over another channel, and one that has unsubscribed is removed', async () => {
  const service = await new WebPushPeer().start();
  const publicKey =
    'BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8';
  const privateKey = 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw';
  const options = { subject: 'mailto:push@tea.example', publicKey, privateKey, deliveredAfter: 0 };
  await connect('web-push', options);
  const to = phone();
  await register(to, 'app-of-the-person');
  const browser = await service.subscribe(publicKey);
  // Addresses without TLS are for this machine only: nobody can register one.
  await world.db.query(
    `insert into push_devices (owner_id, phone, kind, address, address_hash, keys)
     values ($1, $2, 'web-push', $3, sha256($3::text::bytea), $4)`,
    [owner.id, to, browser.address, browser.keys],
  );
  const sending = await send(to);
  expect(sending.state).toMatchObject({ status: 'delivered' });
  expect(service.taken).toMatchObject([{ content: { id: sending.id, title: 'MIRTEA' } }]);
  service.answers[browser.id] = { status: 410 };
  expect((await send(to)).state).toMatchObject({ status: 'failed', code: 'not_a_user' });
  const left = await owner.api(pushDevices.find, { query: {} as never });
  expect(left.data).toMatchObject([{ kind: 'fcm' }]);
  expect(await problems(world)).toEqual([]);
  await service.stop();
});
