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
import { balance, ended, problems } from '../factories.ts';
import {
  BLOCKED,
  blocking,
  BOT,
  botError,
  shared,
  TelegramBotPeer,
  wrote,
} from '../peers/telegram-bot-peer.ts';
import { picture } from '../scene.ts';
import { type Person, until, World } from '../world.ts';

let world: World;
let administrator: Person;
let owner: Person;
let peer: TelegramBotPeer;
let name: string;

beforeAll(async () => {
  world = await World.start();
  administrator = await world.person({ level: 'manager', grants: { add: ADMINISTRATOR_GRANTS } });
  await world.startWorker();
});
afterAll(() => world.stop());
beforeEach(async () => {
  await world.db.query(`update channels set is_active = false where driver = 'telegram-bot'`);
  owner = await world.person({ balance: 10_000 });
  peer = new TelegramBotPeer();
  const url = await peer.listen();
  name = `bot-${randomUUID().slice(0, 8)}`;
  await connect({ url });
});
afterEach(() => peer.close());

async function connect(options: object) {
  const created = await administrator.api(channels.create, {
    body: {
      name,
      driver: 'telegram-bot',
      types: ['telegram'],
      isActive: true,
      priority: 10,
      options: { ...BOT, ...options },
    } as never,
  });
  world.forgetChannels();
  return created;
}
const told = () => until(() => Promise.resolve(peer.webhook !== undefined), 'the webhook');

let numbers = 0;
const newPhone = () => `+7902557${String(++numbers).padStart(4, '0')}`;
const newChat = () => 6_000 + ++numbers;
const callback = () => `${world.base}/api/callbacks/${name}`;
const post = (update: object, secret?: string) => peer.post(callback(), update, secret);
/** A person who has shared its number with the bot. */
async function reachable() {
  const [phone, chat] = [newPhone(), newChat()];
  await told();
  expect((await post(shared(chat, phone))).answer?.text).toContain('Готово');
  return { phone, chat };
}

async function send(recipient: string, payload: object = {}, more: object = {}) {
  const content = { sender: 'Mir Tea', text: 'Чай готов', ...payload };
  const body = { type: 'telegram', recipient, payload: content, ...more };
  return ((await owner.api(sendings.create, { body: body as never })) as { id: string }).id;
}
const chatsOf = async (phone: string) =>
  (
    await world.db.query<{ chat: string }>(
      `select chat from channel_chats where channel = $1 and phone = $2`,
      [name, phone],
    )
  ).map(({ chat }) => chat);

test('a person opens the bot, shares its number, gets messages and answers', async () => {
  const [phone, chat] = [newPhone(), newChat()];
  await told();
  expect(peer.webhook!.url).toBe(BOT.callbackUrl);
  const opened = await post(wrote(chat, { text: '/start' }));
  expect(opened.answer).toMatchObject({
    chat_id: chat,
    reply_markup: { keyboard: [[{ request_contact: true }]] },
  });
  const linked = await post(shared(chat, phone));
  expect(linked.answer).toMatchObject({
    chat_id: chat,
    text: expect.stringContaining('Готово'),
    reply_markup: { remove_keyboard: true },
  });
  const id = await send(phone);
  expect((await ended(owner, id)).state).toMatchObject({ status: 'delivered' });
  expect(peer.sent).toMatchObject([{ chat_id: chat, text: 'Чай готов' }]);
  const answer = wrote(chat, { text: 'да', message_id: 31 });
  // Telegram repeats what it does not know to have arrived.
  for (const update of [answer, answer])
    expect(await post(update)).toEqual({ status: 200, answer: null });
  const { data } = await owner.api(sendingsIncoming.find, { query: {} as never });
  expect(data).toMatchObject([
    { from: phone, to: 'Mir Tea', type: 'telegram', payload: { text: 'да' } },
  ]);
  expect(await problems(world)).toEqual([]);
});

test('a message to a number without a chat fails at once, is refunded, and its fallback begins', async () => {
  const before = await balance(world, owner.id);
  expect((await ended(owner, await send(newPhone()))).state).toMatchObject({
    status: 'failed',
    code: 'not_a_user',
  });
  expect(await balance(world, owner.id)).toBe(before);
  expect(peer.calls.filter((call) => call !== 'setWebhook')).toEqual([]);
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
    { type: typeCode('telegram'), error: 'not_a_user' },
    { type: typeCode('viber') },
  ]);
  expect(await problems(world)).toEqual([]);
});

test('nobody takes the messages of a number by the contact of its owner', async () => {
  const { phone, chat } = await reachable();
  const thief = newChat();
  const attempts = [
    shared(thief, phone, chat),
    shared(thief, phone, null),
    shared(thief, phone, thief, { forward_origin: { type: 'user' } }),
    shared(thief, phone, thief, { via_bot: { id: 1 } }),
  ];
  for (const attempt of attempts)
    expect((await post(attempt)).answer?.text).toContain('Этот контакт не подходит');
  // Without the secret of the bot, or with another one, nobody says anything.
  for (const secret of ['', 'another-secret', BOT.token])
    expect((await post(shared(thief, phone), secret || 'none')).status).toBe(401);
  const bare = await fetch(callback(), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(shared(thief, phone)),
  });
  await bare.body?.cancel();
  expect(bare.status).toBe(401);
  expect(await chatsOf(phone)).toEqual([String(chat)]);
});

test('a number moves to the chat in which it was shared last, and a chat to its number', async () => {
  const { phone, chat } = await reachable();
  const other = newChat();
  const now = Math.floor(Date.now() / 1000);
  await post(shared(other, phone, other, { date: now }));
  expect(await chatsOf(phone)).toEqual([String(other)]);
  // A repeat of what was said before changes nothing, and the former chat is asked for its number.
  const late = await post(shared(chat, phone, chat, { date: now - 60 }));
  expect(late.answer?.reply_markup).toMatchObject({ keyboard: [[{ request_contact: true }]] });
  expect(await chatsOf(phone)).toEqual([String(other)]);
  const another = newPhone();
  await post(shared(other, another, other, { date: now }));
  expect(await chatsOf(phone)).toEqual([]);
  expect(await chatsOf(another)).toEqual([String(other)]);
  // All at once.
  const third = newPhone();
  const people = [newChat(), newChat(), newChat(), newChat()];
  const answers = await Promise.all(
    people.map((one) => post(shared(one, third, one, { date: now }))),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(await chatsOf(third)).toHaveLength(1);
});

test('a person who has blocked the bot is not reached any more, until it shares its number again', async () => {
  const { phone, chat } = await reachable();
  await post(blocking(chat));
  expect(await chatsOf(phone)).toEqual([]);
  await post(shared(chat, phone));
  expect(await chatsOf(phone)).toEqual([String(chat)]);
  // The bot was blocked before it was opened again: a late call.
  await post(blocking(chat, 'kicked', Math.floor(Date.now() / 1000) - 60));
  expect(await chatsOf(phone)).toEqual([String(chat)]);
  // Telegram tells when the bot writes.
  peer.script.push(BLOCKED);
  const id = await send(phone);
  expect((await ended(owner, id)).state).toMatchObject({ status: 'failed', code: 'blocked' });
  expect(await chatsOf(phone)).toEqual([]);
  expect(await problems(world)).toEqual([]);
});

test('a person who writes /stop gets no more messages of the sender', async () => {
  const { phone, chat } = await reachable();
  await ended(owner, await send(phone));
  expect((await post(wrote(chat, { text: '/stop' }))).status).toBe(200);
  const { data } = await owner.api(suppressions.find, { query: {} as never });
  expect(data).toMatchObject([{ address: phone, reason: 'stop' }]);
  expect((await ended(owner, await send(phone))).state).toMatchObject({ code: 'unsubscribed' });
  expect(peer.sent).toHaveLength(1);
});

test('a picture of the account goes with the message', async () => {
  const { phone, chat } = await reachable();
  const { id: image } = await owner.api(storage.create, { body: picture() });
  const id = await send(phone, { image });
  expect((await ended(owner, id)).state).toMatchObject({ status: 'delivered' });
  expect(peer.uploads).toMatchObject([{ field: 'photo', type: 'image/png', filename: 'tea.png' }]);
  expect(peer.sent).toMatchObject([{ chat_id: chat, caption: 'Чай готов' }]);
});

test('a message whose answer was lost is not sent a second time', async () => {
  const { phone } = await reachable();
  peer.script.push({ fault: 'close' });
  const id = await send(phone);
  await until(() => Promise.resolve(peer.calls.includes('sendMessage')), 'the submit');
  const { phone: other } = await reachable();
  expect((await ended(owner, await send(other))).state).toMatchObject({ status: 'delivered' });
  const { state } = (await owner.api(sendings.get, { params: { id } })) as { state: object };
  expect(state).not.toMatchObject({ status: 'failed' });
  expect(peer.calls.filter((call) => call === 'sendMessage')).toHaveLength(2);
});

test('a new channel has the rate of Telegram, shows no token, and forgets its chats when it is removed', async () => {
  const { phone } = await reachable();
  const shown = await administrator.api(channels.get, { params: { channel: name } as never });
  expect(shown).toMatchObject({ rate: 30, secrets: ['token'] });
  expect(JSON.stringify(shown)).not.toContain(BOT.token.split(':')[1]);
  await administrator.api(channels.update, {
    params: { channel: name } as never,
    body: { isActive: false } as never,
  });
  await administrator.api(channels.remove, { params: { channel: name } as never });
  expect(await chatsOf(phone)).toEqual([]);
});

test('a token that Telegram refuses is shown at the channel, and mended by another', async () => {
  await told();
  peer.refusesWebhook = botError(401, 'Unauthorized');
  const change = (options: object) =>
    administrator.api(channels.update, {
      params: { channel: name } as never,
      body: { options: { url: peer.url, ...BOT, ...options } } as never,
    });
  await change({ greeting: 'Номер?' });
  world.forgetChannels();
  const stateOf = async () =>
    (await administrator.api(channels.get, { params: { channel: name } as never })).state;
  const failing = await until(async () => {
    const state = await stateOf();
    return state.status === 'failing' && state;
  }, 'the failure');
  expect(failing.error).toBe('the token of the bot is refused');
  peer.refusesWebhook = undefined;
  await change({ greeting: 'Ваш номер?' });
  world.forgetChannels();
  await until(async () => (await stateOf()).status !== 'failing', 'the end of the failure');
});
