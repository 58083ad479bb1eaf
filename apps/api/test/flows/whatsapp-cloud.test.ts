import {
  ADMINISTRATOR_GRANTS,
  channels,
  sendings,
  sendingsIncoming,
  storage,
} from '@heliograph/contract';
import { typeCode } from '@heliograph/domain';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { Log } from '../../src/core/log.ts';
import { ended, problems } from '../factories.ts';
import { happened, WHATSAPP, WhatsappPeer } from '../peers/whatsapp-peer.ts';
import { picture } from '../scene.ts';
import { type Person, until, World } from '../world.ts';

let world: World;
let administrator: Person;
let owner: Person;
let peer: WhatsappPeer;
let name: string;

beforeAll(async () => {
  world = await World.start();
  administrator = await world.person({ level: 'manager', grants: { add: ADMINISTRATOR_GRANTS } });
  await world.startWorker();
});
afterAll(() => world.stop());
beforeEach(async () => {
  await world.db.query(`update channels set is_active = false where driver = 'whatsapp-cloud'`);
  owner = await world.person({ balance: 10_000 });
  peer = new WhatsappPeer();
  const url = await peer.listen();
  name = `wa-${randomUUID().slice(0, 8)}`;
  await administrator.api(channels.create, {
    body: {
      name,
      driver: 'whatsapp-cloud',
      types: ['whatsapp'],
      isActive: true,
      priority: 10,
      options: { url, ...WHATSAPP },
    },
  });
  world.forgetChannels();
});
afterEach(() => peer.close());

let numbers = 0;
const newPhone = () => `+7902555${String(++numbers).padStart(4, '0')}`;
const callback = () => `${world.base}/api/callbacks/${name}`;

async function send(recipient: string, payload: object = { text: 'Чай готов' }, more: object = {}) {
  const body = { type: 'whatsapp', recipient, payload: { sender: 'Mir Tea', ...payload }, ...more };
  return ((await owner.api(sendings.create, { body: body as never })) as { id: string }).id;
}
const stateOf = async (id: string) =>
  ((await owner.api(sendings.get, { params: { id } })) as { state: { status: string } }).state;
const becomes = (id: string, status: string) =>
  until(async () => (await stateOf(id)).status === status, `${status} of ${id}`);
/** Reports as Meta posts them, of the message that was sent last. */
function report(statuses: string[], more: object = {}) {
  const { biz_opaque_callback_data } = peer.sent.at(-1)!;
  return peer.post(callback(), [
    happened({
      statuses: statuses.map((status) => ({
        id: `wamid.${peer.sent.length}`,
        status,
        timestamp: String(Math.floor(world.clock.now().getTime() / 1000)),
        biz_opaque_callback_data,
        ...more,
      })),
    }),
  ]);
}

test('Meta asks whether the address is ours, and is answered only if it knows the token', async () => {
  const ask = (token: string) =>
    fetch(`${callback()}?hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=${token}`);
  const answered = await ask(WHATSAPP.verifyToken);
  expect([answered.status, await answered.text()]).toEqual([200, '1158201444']);
  expect((await ask('another-token')).status).toBe(401);
});

test('a message is delivered and seen, whatever the order of reports, and only by the word of Meta', async () => {
  const id = await send(newPhone());
  await becomes(id, 'sent');
  expect(peer.sent).toMatchObject([{ type: 'text', text: { body: 'Чай готов' } }]);
  const forged = await peer.post(callback(), [happened({})], 'another-secret-of-16');
  expect(forged.status).toBe(401);
  expect((await report(['read'])).status).toBe(200);
  await becomes(id, 'seen');
  for (const late of [['delivered', 'sent'], ['read'], ['failed']])
    expect((await report(late)).status).toBe(200);
  expect((await stateOf(id)).status).toBe('seen');
  expect(await problems(world)).toEqual([]);
});

test('a message whose answer was lost is not sent again, and its report is still understood', async () => {
  peer.script.push({ fault: 'close' });
  const phone = newPhone();
  const id = await send(phone);
  await until(async () => Promise.resolve(peer.calls.includes('POST messages')), 'a submit');
  const statuses = [
    {
      id: 'wamid.Z',
      status: 'delivered',
      timestamp: String(Math.floor(world.clock.now().getTime() / 1000)),
      biz_opaque_callback_data: id,
    },
  ];
  expect((await peer.post(callback(), [happened({ statuses })])).status).toBe(200);
  await becomes(id, 'delivered');
  expect(peer.calls.filter((call) => call === 'POST messages')).toHaveLength(1);
});

test('free text after the day is refused, and the fallback begins', async () => {
  peer.window = new Set();
  const fallback = {
    type: 'viber',
    payload: { sender: 'Mir Tea', text: 'Tea is ready' },
    $options: { onStatus: ['failed'] },
  };
  const id = await send(newPhone(), { text: 'Tea is ready' }, { fallbacks: [fallback] });
  const chain = await until(async () => {
    const rows = await world.db.query<{ type: number; error: string | null }>(
      `select type, error from sendings where id = $1 or chain_id = $1 order by attempt`,
      [id],
    );
    return rows.length === 2 && rows;
  }, 'the fallback');
  expect(chain).toMatchObject([
    { type: typeCode('whatsapp'), error: 'outside_window' },
    { type: typeCode('viber') },
  ]);
});

test('a refusal that comes later fails the message, and the fallback begins', async () => {
  const id = await send(newPhone());
  await becomes(id, 'sent');
  await report(['failed'], { errors: [{ code: 131026, title: 'Message undeliverable' }] });
  expect((await ended(owner, id)).state).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('messenger'),
  });
});

test('a picture of the account goes with the message, and an approved template to a person who has not written', async () => {
  peer.window = new Set();
  peer.templates = [
    {
      name: 'tea',
      language: 'en_US',
      components: [
        { type: 'HEADER', format: 'IMAGE' },
        { type: 'BODY', text: 'Hello {{1}}, tea is ready' },
      ],
    },
  ];
  const { id: image } = await owner.api(storage.create, { body: picture() });
  const id = await send(newPhone(), { text: 'Hello Anna, tea is ready', image });
  await becomes(id, 'sent');
  expect(peer.uploads).toMatchObject([{ type: 'image/png', filename: 'tea.png' }]);
  expect(peer.sent).toMatchObject([{ type: 'template', template: { name: 'tea' } }]);
});

test('what a person writes answers the last message over the channel, of any sender', async () => {
  const phone = newPhone();
  const id = await send(phone);
  await becomes(id, 'sent');
  const info = vi.spyOn(world.api.get(Log, { strict: false }), 'info');
  const timestamp = String(Math.floor(world.clock.now().getTime() / 1000));
  const wrote = (from: string, text: string) =>
    happened({
      messages: [
        {
          from: from.replace('+', ''),
          id: `wamid.${text}`,
          timestamp,
          type: 'text',
          text: { body: text },
        },
      ],
    });
  const changes = [
    wrote(phone, 'да'),
    wrote(newPhone(), 'nobody'),
    { field: 'message_template_status_update', value: { event: 'APPROVED' } },
  ];
  const posted = [await peer.post(callback(), changes), await peer.post(callback(), changes)];
  expect(posted.map(({ status }) => status)).toEqual([200, 200]);
  const { data } = await owner.api(sendingsIncoming.find, { query: {} as never });
  expect(data).toMatchObject([
    { from: phone, to: 'Mir Tea', type: 'whatsapp', payload: { text: 'да' } },
  ]);
  expect(info).toHaveBeenCalledWith({ channel: name, ignored: 1 }, expect.any(String));
  expect(info).toHaveBeenCalledWith({ channel: name, dropped: 1 }, expect.any(String));
  info.mockRestore();
  expect(await problems(world)).toEqual([]);
});
