import { ADMINISTRATOR_GRANTS, channels, sendings } from '@heliograph/contract';
import { SENDING_ERRORS } from '@heliograph/domain';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { balance, problems } from '../factories.ts';
import { GATEWAY, gatewaySignature, TelegramGatewayPeer } from '../peers/telegram-gateway-peer.ts';
import { type Person, until, World } from '../world.ts';

let world: World;
let administrator: Person;
let owner: Person;
let peer: TelegramGatewayPeer;
let name: string;

beforeAll(async () => {
  world = await World.start();
  administrator = await world.person({ level: 'manager', grants: { add: ADMINISTRATOR_GRANTS } });
  await world.startWorker();
});
afterAll(() => world.stop());
beforeEach(async () => {
  await world.db.query(`update channels set is_active = false where driver = 'telegram-gateway'`);
  owner = await world.person({ balance: 10_000 });
  peer = new TelegramGatewayPeer();
  const url = await peer.listen();
  name = `codes-${randomUUID().slice(0, 8)}`;
  await administrator.api(channels.create, {
    body: {
      name,
      driver: 'telegram-gateway',
      types: ['telegramcode'],
      isActive: true,
      priority: 10,
      options: { url, ...GATEWAY },
    },
  });
  world.forgetChannels();
});
afterEach(() => peer.close());

let numbers = 0;
async function send(): Promise<string> {
  const recipient = `+7902556${String(++numbers).padStart(4, '0')}`;
  const payload = { sender: 'Mir Tea', text: '482913' };
  const body = { type: 'telegramcode', recipient, payload };
  return ((await owner.api(sendings.create, { body: body as never })) as { id: string }).id;
}
const stateOf = async (id: string) =>
  ((await owner.api(sendings.get, { params: { id } })) as { state: { status: string } }).state;
const becomes = (id: string, status: string) =>
  until(async () => (await stateOf(id)).status === status, `${status} of ${id}`);

/** A report as Telegram posts it; `call` again is a replay. */
function reporting(id: string, status: string, more: object = {}) {
  const updated_at = Math.floor(world.clock.now().getTime() / 1000);
  const delivery_status = { status, updated_at };
  const body = JSON.stringify({ request_id: 'request-1', payload: id, delivery_status, ...more });
  return async (headers = gatewaySignature(body)) => {
    const address = `${world.base}/api/callbacks/${name}`;
    const type = { 'content-type': 'application/json' };
    const answer = await fetch(address, { method: 'POST', headers: { ...type, ...headers }, body });
    await answer.body?.cancel();
    return { status: answer.status, body };
  };
}

test('a code is delivered and read, and only by the word of Telegram', async () => {
  const id = await send();
  await becomes(id, 'sent');
  expect(peer.sent).toMatchObject([{ code: '482913', payload: id, ttl: 300 }]);
  const delivered = reporting(id, 'delivered');
  const { body, status } = await delivered({});
  expect(status).toBe(401);
  expect((await delivered(gatewaySignature(body, 'another-token-of-16'))).status).toBe(401);
  const stale = Math.floor(Date.now() / 1000) - 3600;
  expect((await delivered(gatewaySignature(body, GATEWAY.token, stale))).status).toBe(401);
  expect((await stateOf(id)).status).toBe('sent');
  expect((await delivered()).status).toBe(200);
  await becomes(id, 'delivered');
  expect((await reporting(id, 'read')()).status).toBe(200);
  await becomes(id, 'seen');
  // A replay changes nothing.
  expect((await delivered()).status).toBe(200);
  expect((await stateOf(id)).status).toBe('seen');
  expect(await problems(world)).toEqual([]);
});

test('a code that did not arrive in its time fails and is refunded', async () => {
  const before = await balance(world, owner.id);
  const id = await send();
  expect(await balance(world, owner.id)).toBeLessThan(before);
  await becomes(id, 'sent');
  const expired = reporting(id, 'expired', { is_refunded: true });
  expect((await expired()).status).toBe(200);
  await becomes(id, 'failed');
  expect(await stateOf(id)).toMatchObject({ error: SENDING_ERRORS.expired });
  // A replay refunds nothing more.
  expect((await expired()).status).toBe(200);
  expect(await balance(world, owner.id)).toBe(before);
  expect(await problems(world)).toEqual([]);
});

test('the token is never returned', async () => {
  const shown = await administrator.api(channels.get, { params: { channel: name } as never });
  expect(JSON.stringify(shown)).not.toContain(GATEWAY.token);
  expect(JSON.stringify(shown)).toContain(GATEWAY.callbackUrl);
});
