import {
  ADMINISTRATOR_GRANTS,
  channels,
  sendings,
  sendingsIncoming,
  storage,
  suppressions,
} from '@heliograph/contract';
import { typeCode } from '@heliograph/domain';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { secretOf } from '../../src/channels/max-bot/callbacks.ts';
import { balance, ended, problems } from '../factories.ts';
import {
  BOT,
  contact,
  MaxBotPeer,
  maxError,
  NOT_READY,
  opened,
  shared,
  STOPPED,
  wrote,
} from '../peers/max-bot-peer.ts';
import { picture } from '../scene.ts';
import { type Person, until, World } from '../world.ts';

let world: World;
let administrator: Person;
let owner: Person;
let peer: MaxBotPeer;
let name: string;

beforeAll(async () => {
  world = await World.start();
  administrator = await world.person({ level: 'manager', grants: { add: ADMINISTRATOR_GRANTS } });
});
afterAll(() => world.stop());
beforeEach(async () => {
  await world.db.query(`update channels set is_active = false where driver = 'max-bot'`);
  owner = await world.person({ balance: 10_000 });
  peer = new MaxBotPeer();
  const url = await peer.listen();
  name = `max-${randomUUID().slice(0, 8)}`;
  await administrator.api(channels.create, {
    body: {
      name,
      driver: 'max-bot',
      types: ['max'],
      isActive: true,
      priority: 10,
      options: { url, ...BOT },
    } as never,
  });
  world.forgetChannels();
});
afterEach(() => peer.close());

let numbers = 0;
const newPhone = () => `+7902558${String(++numbers).padStart(4, '0')}`;
const newUser = () => 6_000 + ++numbers;
const SECRET = secretOf(BOT.token);
const post = (update: object, secret = SECRET) =>
  peer.post(`${world.base}/api/callbacks/${name}`, update, secret);
const OK = { status: 200, body: '' };
const sentTo = (user: number) => peer.sent.filter(({ user_id }) => user_id === user);
/** What the bot has said to a person after so many messages. */
const said = async (user: number, n = 0) => {
  const message = await until(() => Promise.resolve(sentTo(user)[n] ?? false), 'what the bot says');
  return message as { text: string; attachments?: object[] };
};
const owed = async () =>
  (
    await world.db.query<{ answer: string }>(
      `select answer from channel_answers where channel = $1`,
      [name],
    )
  ).map(({ answer }) => answer);
/** A person who has shared its number with the bot. */
async function reachable() {
  const [phone, user] = [newPhone(), newUser()];
  expect(await post(shared(user, phone))).toEqual(OK);
  expect((await said(user)).text).toContain('Готово');
  return { phone, user };
}

async function send(recipient: string, payload: object = {}, more: object = {}) {
  const content = { sender: 'Mir Tea', text: 'Чай готов', ...payload };
  const body = { type: 'max', recipient, payload: content, ...more };
  return ((await owner.api(sendings.create, { body: body as never })) as { id: string }).id;
}
const usersOf = async (phone: string) =>
  (
    await world.db.query<{ chat: string }>(
      `select chat from channel_chats where channel = $1 and phone = $2`,
      [name, phone],
    )
  ).map(({ chat }) => Number(chat));

test('a person is answered by a worker: once, with the last that is to be said, and not for ever', async () => {
  // No worker runs yet.
  const user = newUser();
  expect(await post(opened(user))).toEqual(OK);
  expect(await owed()).toEqual([expect.stringContaining('request_contact')]);
  expect(await post(shared(user, newPhone()))).toEqual(OK);
  expect(await owed()).toEqual([expect.stringContaining('Готово')]);
  expect(peer.calls).toEqual([]);
  await world.startWorker();
  expect((await said(user)).text).toContain('Готово');
  await until(async () => (await owed()).length === 0, 'the end of it');
  expect(sentTo(user)).toHaveLength(1);

  // It waits for a bot that cannot write, and is given up when the person has gone.
  const other = newUser();
  peer.script.push({ ...maxError(503, 'service.unavailable'), headers: { 'retry-after': '1' } });
  await post(opened(other));
  expect((await said(other)).text).toContain('поделитесь');
  await until(async () => (await owed()).length === 0, 'the end of it');
  expect(sentTo(other)).toHaveLength(1);
  peer.script.push(maxError(503, 'service.unavailable'));
  await world.db.query(
    `insert into channel_answers (channel, chat, answer, since, due_at)
     values ($1, '4711', '{"text":"late"}', now() - interval '1 hour', now() - interval '1 hour')`,
    [name],
  );
  await until(async () => (await owed()).length === 0, 'the end of it');
  expect(sentTo(4711)).toEqual([]);
});

test('a person opens the bot, shares its number, gets messages and answers', async () => {
  await until(() => Promise.resolve(peer.subscription !== undefined), 'the subscription');
  expect(peer.subscription).toMatchObject({ url: BOT.callbackUrl, secret: SECRET });
  const [phone, user] = [newPhone(), newUser()];
  await post(opened(user));
  expect(await said(user)).toMatchObject({
    text: expect.stringContaining('поделитесь'),
    attachments: [{ type: 'inline_keyboard' }],
  });
  await post(shared(user, phone));
  expect((await said(user, 1)).text).toContain('Готово');
  const id = await send(phone);
  expect((await ended(owner, id)).state).toMatchObject({ status: 'delivered' });
  expect(sentTo(user)[2]).toMatchObject({ text: 'Чай готов' });
  const answer = wrote(user, { text: 'да', mid: 'mid.31' });
  // MAX repeats what it does not know to have arrived.
  for (const update of [answer, answer]) expect(await post(update)).toEqual(OK);
  const { data } = await owner.api(sendingsIncoming.find, { query: {} as never });
  expect(data).toMatchObject([
    { from: phone, to: 'Mir Tea', type: 'max', payload: { text: 'да' } },
  ]);
  await until(async () => (await owed()).length === 0, 'what the bot says');
  expect(await problems(world)).toEqual([]);
});

test('a message to a number without a chat fails at once, is refunded, and its fallback begins', async () => {
  const before = await balance(world, owner.id);
  expect((await ended(owner, await send(newPhone()))).state).toMatchObject({
    status: 'failed',
    code: 'not_a_user',
  });
  expect(await balance(world, owner.id)).toBe(before);
  expect(peer.sent).toEqual([]);
  const fallback = {
    type: 'viber',
    payload: { sender: 'Mir Tea', text: 'Чай готов' },
    $options: { onStatus: ['failed'] },
  };
  const id = await send(newPhone(), {}, { fallbacks: [fallback] });
  const chain = await until(async () => {
    const rows = await world.db.query<{ type: number; error: string | null }>(
      `select type, error from sendings where id = $1 or chain_id = $1 order by attempt`,
      [id],
    );
    return rows.length === 2 && rows;
  }, 'the fallback');
  expect(chain).toMatchObject([
    { type: typeCode('max'), error: 'not_a_user' },
    { type: typeCode('viber') },
  ]);
  expect(await problems(world)).toEqual([]);
});

test('nobody takes the messages of a number by the contact of its owner', async () => {
  const { phone, user } = await reachable();
  const thief = newUser();
  const own = contact(user, phone);
  const attempts = [
    shared(thief, phone, { max_info: { user_id: user } }),
    shared(thief, phone, { hash: null }),
    wrote(thief, { attachments: [own] }),
    wrote(thief, {}, { link: { type: 'forward', message: { attachments: [own] } } }),
  ];
  for (const attempt of attempts) expect(await post(attempt)).toEqual(OK);
  // Without the secret of the bot, or with another one, nobody says anything.
  for (const secret of ['another-secret', BOT.token])
    expect((await post(shared(thief, phone), secret)).status).toBe(401);
  expect(
    (await peer.post(`${world.base}/api/callbacks/${name}`, shared(thief, phone), '')).status,
  ).toBe(401);
  expect(await usersOf(phone)).toEqual([user]);
});

test('a person who has stopped the bot is not reached any more, until it shares its number again', async () => {
  const { phone, user } = await reachable();
  await until(async () => (await owed()).length === 0, 'what the bot says');
  await post(opened(user, 'bot_stopped'));
  expect(await usersOf(phone)).toEqual([]);
  await post(shared(user, phone));
  expect(await usersOf(phone)).toEqual([user]);
  expect((await said(user, 1)).text).toContain('Готово');
  // The bot was stopped before it was opened again: a late call.
  await post(opened(user, 'bot_stopped', Date.now() - 60_000));
  expect(await usersOf(phone)).toEqual([user]);
  await until(async () => (await owed()).length === 0, 'what the bot says');
  // MAX tells when the bot writes.
  peer.script.push(STOPPED);
  const id = await send(phone);
  expect((await ended(owner, id)).state).toMatchObject({ status: 'failed', code: 'blocked' });
  expect(await usersOf(phone)).toEqual([]);
  expect(await problems(world)).toEqual([]);
});

test('a person who writes /stop gets no more messages of the sender', async () => {
  const { phone, user } = await reachable();
  await ended(owner, await send(phone));
  expect(await post(wrote(user, { text: '/stop' }))).toEqual(OK);
  const { data } = await owner.api(suppressions.find, { query: {} as never });
  expect(data).toMatchObject([{ address: phone, reason: 'stop' }]);
  expect((await ended(owner, await send(phone))).state).toMatchObject({ code: 'unsubscribed' });
  // The account's confirmation of the opt-out goes to the same chat.
  expect(sentTo(user).filter(({ text }) => text === 'Чай готов')).toHaveLength(1);
});

test('a picture of the account goes with the message, when MAX has processed it', async () => {
  const { phone, user } = await reachable();
  await until(async () => (await owed()).length === 0, 'what the bot says');
  const { id: image } = await owner.api(storage.create, { body: picture() });
  peer.script.push(NOT_READY);
  const id = await send(phone, { image });
  expect((await ended(owner, id)).state).toMatchObject({ status: 'delivered' });
  expect(peer.uploads).toMatchObject([{ kind: 'image', type: 'image/png', filename: 'tea.png' }]);
  expect(sentTo(user)[1]).toMatchObject({ text: 'Чай готов', attachments: [{ type: 'image' }] });
});

test('a new channel has the rate of MAX, shows no token, and forgets its chats when it is removed', async () => {
  const { phone } = await reachable();
  const shown = await administrator.api(channels.get, { params: { channel: name } as never });
  expect(shown).toMatchObject({ rate: 30, secrets: ['token'] });
  expect(JSON.stringify(shown)).not.toContain(BOT.token);
  await administrator.api(channels.update, {
    params: { channel: name } as never,
    body: { isActive: false } as never,
  });
  await administrator.api(channels.remove, { params: { channel: name } as never });
  expect(await usersOf(phone)).toEqual([]);
});
