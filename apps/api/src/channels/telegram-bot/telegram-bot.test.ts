import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';

import { callContext, failure, openContext, reference } from '../../../test/open-channel.ts';
import { KnownChats } from '../../../test/peers/chats.ts';
import { KnownFiles } from '../../../test/peers/message-files.ts';
import {
  blocking,
  BLOCKED,
  BOT,
  botError,
  NO_CHAT,
  type ScriptedAnswer,
  shared,
  TelegramBotPeer,
  wrote,
} from '../../../test/peers/telegram-bot-peer.ts';
import { ChannelDown, type Driver, type OutgoingMessage, UnknownOutcome } from '../channel.ts';
import { type Exchange, logged, secretsOf } from '../exchanges.ts';
import { parseOptions, shownOptions } from '../options.ts';
import { secretOf } from './callbacks.ts';
import { telegramBotDriver } from './telegram-bot.driver.ts';

const context = callContext();
const phone = (n: number) => `+7900123456${n}`;
const message = (n = 1, changes: Partial<OutgoingMessage> = {}): OutgoingMessage => ({
  reference: reference(n),
  type: 'telegram',
  sender: 'Mir Tea',
  recipient: phone(n),
  payload: { text: 'Чай <готов> & ждёт' },
  segments: 1,
  tries: 0,
  ...changes,
});

const FILES = {
  tea: { filename: 'tea.png', type: 'image/png', bytes: Buffer.alloc(300, 1) },
  cat: { filename: 'cat.gif', type: 'image/gif', bytes: Buffer.alloc(200, 1) },
  bill: { filename: 'счёт.pdf', type: 'application/pdf', bytes: Buffer.alloc(100, 1) },
};

let peer: TelegramBotPeer;
let chats: KnownChats;
let files: KnownFiles;
const closing: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  peer = new TelegramBotPeer();
  chats = new KnownChats({ [phone(1)]: '5001', [phone(2)]: '5002', [phone(3)]: '5003' });
  files = new KnownFiles(FILES);
  await peer.listen();
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await peer.close();
});

const optionsOf = (options: object = {}) => ({ url: peer.url, ...BOT, ...options });
const parsed = (options: object = {}) =>
  parseOptions('bot', telegramBotDriver.options, optionsOf(options));

function open(options: object = {}, allowed?: string): Driver {
  const driver = telegramBotDriver.open(
    parsed(options),
    openContext({ channel: 'bot', files, chats }, allowed),
  );
  closing.push(() => driver.close!());
  return driver;
}

const scripted = (script: ScriptedAnswer, options: object = {}) => {
  peer.script.push(script);
  return open(options).send([message()], context);
};

describe('a message', () => {
  it('goes to the chat of its number as it is written, and has the id of Telegram', async () => {
    expect(await open().send([message(), message(2)], context)).toEqual([
      { reference: reference(1), result: 'accepted', externalIds: ['1'] },
      { reference: reference(2), result: 'accepted', externalIds: ['2'] },
    ]);
    const link_preview_options = { is_disabled: true };
    expect(peer.sent).toEqual([
      { chat_id: 5001, text: 'Чай <готов> & ждёт', link_preview_options },
      { chat_id: 5002, text: 'Чай <готов> & ждёт', link_preview_options },
    ]);
  });

  it('shows previews if the channel does', async () => {
    await open({ previewLinks: true }).send([message()], context);
    expect(peer.sent).toMatchObject([{ link_preview_options: { is_disabled: false } }]);
  });

  it('counts as delivered when Telegram has it', async () => {
    const submitted = { reference: reference(1), type: 'telegram' as const, recipient: phone(1) };
    const submittedAt = new Date(context.now.getTime() - 1);
    const { reports, nextAt } = await open().query!(
      [
        { ...submitted, submittedAt, state: 'submitted' },
        { ...submitted, reference: reference(2), submittedAt, state: 'unknown' },
      ],
      { ...context, since: null },
    );
    expect(reports).toEqual([{ reference: reference(1), status: 'delivered', at: submittedAt }]);
    expect(nextAt).toBeNull();
  });

  it.each([
    ['to a number without a chat', { recipient: '+79001234569' }, 'not_a_user'],
    ['to an address of another kind', { recipient: 'a@tea.example' }, 'not_a_user'],
    ['without a text', { payload: {} }, 'invalid_payload'],
    ['with a blank text', { payload: { text: ' \n' } }, 'invalid_payload'],
    ['with a long text', { payload: { text: 'x'.repeat(4097) } }, 'too_long'],
    // Two units of UTF-16 each.
    ['with many pictures in its text', { payload: { text: '🍵'.repeat(2049) } }, 'too_long'],
    ['with a long caption', { payload: { text: 'x'.repeat(1025), image: 'tea' } }, 'too_long'],
    ['with two files', { payload: { text: 'x', image: 'tea', file: 'bill' } }, 'invalid_payload'],
    ['with a file that is gone', { payload: { text: 'x', file: 'gone' } }, 'invalid_payload'],
  ])('%s never leaves', async (_, changes, code) => {
    const results = await open().send([message(1, changes), message(2)], context);
    expect(results).toMatchObject([
      { reference: reference(1), result: 'rejected', code },
      { reference: reference(2), result: 'accepted' },
    ]);
    expect(peer.calls).toEqual(['sendMessage']);
  });

  it('of the longest text and the longest caption goes', async () => {
    const batch = [
      message(1, { payload: { text: '🍵'.repeat(2048) } }),
      message(2, { payload: { text: 'x'.repeat(1024), image: 'tea' } }),
    ];
    const results = await open().send(batch, context);
    expect(results.map(({ result }) => result)).toEqual(['accepted', 'accepted']);
  });

  it('waits while the chats cannot be read', async () => {
    chats.isAway = true;
    expect(await failure(open().send([message()], context))).toBeInstanceOf(ChannelDown);
    expect(peer.calls).toEqual([]);
  });
});

describe('a file', () => {
  it.each([
    ['image', 'tea', 'photo', 'image/png'],
    ['image', 'cat', 'animation', 'image/gif'],
    ['file', 'tea', 'document', 'image/png'],
    ['file', 'bill', 'document', 'application/pdf'],
  ])('as %s, %s, goes as %s, and is uploaded once', async (field, id, kind, type) => {
    const driver = open();
    const with1 = message(1, { payload: { text: 'Чай', [field]: id } });
    const with2 = message(2, { payload: { text: 'Ещё чай', [field]: id } });
    const results = await driver.send([with1, with2], context);
    expect(results.map(({ result }) => result)).toEqual(['accepted', 'accepted']);
    const { filename, bytes } = FILES[id as keyof typeof FILES];
    expect(peer.uploads).toEqual([{ field: kind, filename, type, bytes: bytes.length }]);
    expect(peer.sent).toEqual([
      { chat_id: 5001, caption: 'Чай', [kind]: 'file-1' },
      { chat_id: 5002, caption: 'Ещё чай', [kind]: 'file-1' },
    ]);
  });

  it('that Telegram does not know any more is uploaded again, and sent once', async () => {
    const driver = open();
    const payload = { text: 'Чай', image: 'tea' };
    await driver.send([message(1, { payload })], context);
    peer.files.clear();
    const results = await driver.send([message(2, { payload })], context);
    expect(results).toMatchObject([{ result: 'accepted', externalIds: ['2'] }]);
    expect(peer.uploads).toHaveLength(2);
    expect(peer.sent).toHaveLength(2);
  });

  it('that cannot be read now lets its message wait, and no other', async () => {
    files.isAway = true;
    const batch = [message(1, { payload: { text: 'Чай', image: 'tea' } }), message(2)];
    expect(await open().send(batch, context)).toMatchObject([
      { result: 'throttled', retryAfter: 10_000 },
      { result: 'accepted' },
    ]);
  });
});

describe('an answer', () => {
  it.each([
    [BLOCKED, 'blocked', true],
    [botError(403, 'Forbidden: user is deactivated'), 'not_a_user', true],
    [botError(403, "Forbidden: bot can't initiate conversation with a user"), 'not_a_user', true],
    [NO_CHAT, 'not_a_user', true],
    [botError(400, 'Bad Request: message is too long'), 'too_long', false],
    [botError(413, 'Request Entity Too Large'), 'too_long', false],
    [botError(400, 'Bad Request: message text is empty'), 'invalid_payload', false],
    [botError(400, 'Bad Request: PHOTO_INVALID_DIMENSIONS'), 'invalid_payload', false],
    [botError(400, 'Bad Request: SOMETHING_NEW'), 'rejected', false],
    [botError(403, 'Forbidden: something new'), 'rejected', false],
    [botError(451, 'Something new'), 'rejected', false],
  ])('%j fails the message with %s; its chat ends: %s', async (answer, code, hasEnded) => {
    const { error_code, description } = answer.body as Record<string, unknown>;
    expect(await scripted(answer)).toEqual([
      {
        reference: reference(1),
        result: 'rejected',
        code,
        carrierCode: error_code,
        text: description,
      },
    ]);
    expect(chats.ended).toEqual(hasEnded ? ['5001'] : []);
  });

  it('that ends a chat fails the message also if the store is away', async () => {
    const ending = scripted(BLOCKED);
    chats.isAway = false;
    chats.end = () => Promise.reject(new Error('The store is away'));
    expect(await ending).toMatchObject([{ result: 'rejected', code: 'blocked' }]);
  });

  it.each([
    [botError(401, 'Unauthorized'), 60_000, false],
    [botError(404, 'Not Found'), 60_000, false],
    [botError(409, 'Conflict'), 60_000, false],
    [botError(429, 'Too Many Requests: retry after 17', 17), 17_000, true],
    [botError(429, 'Too Many Requests', 86_400), 3_600_000, true],
    [botError(429, 'Too Many Requests'), 5_000, false],
    [{ status: 429, body: '' }, 5_000, false],
    [{ status: 302, body: '' }, 60_000, false],
    [{ status: 403, body: '<html>' }, 60_000, false],
  ])('%j holds the bot for %i ms; asked for: %s', async (answer, retryAfter, isAsked) => {
    const error = await failure(scripted(answer as ScriptedAnswer));
    expect(error).toBeInstanceOf(ChannelDown);
    expect(error).toMatchObject({ retryAfter, isAsked });
    expect(error.message).not.toContain(BOT.token.split(':')[1]);
  });

  it('that asks to wait is heeded by all calls, of which none is made', async () => {
    const driver = open();
    await driver.send([message(3)], context);
    peer.script.push(botError(429, 'Too Many Requests', 600));
    // In the middle of a batch: the second and the third have not left.
    const first = message(1);
    peer.script.unshift({ body: { ok: true, result: { message_id: 9 } } });
    expect(await driver.send([first, message(2), message(3)], context)).toEqual([
      { reference: reference(1), result: 'accepted', externalIds: ['9'] },
      { reference: reference(2), result: 'unsent' },
      { reference: reference(3), result: 'unsent' },
    ]);
    const error = await failure(driver.send([message(2)], context));
    expect(error).toMatchObject({ name: 'ChannelDown', isAsked: true });
    expect((error as ChannelDown).retryAfter).toBeGreaterThan(0);
    expect((error as ChannelDown).retryAfter).toBeLessThanOrEqual(600_000);
    expect(peer.calls).toHaveLength(3);
  });

  it.each<[string, ScriptedAnswer, object]>([
    ['500', botError(500, 'Internal Server Error'), {}],
    ['502 without words', { status: 502, body: '<html>' }, {}],
    ['nothing readable', { body: 'OK' }, {}],
    ['no id', { body: { ok: true, result: {} } }, {}],
    ['no answer', { fault: 'silent' }, { timeoutMs: 2_000 }],
    ['a connection that breaks', { fault: 'close' }, {}],
  ])('of %s leaves the outcome unknown', async (_, answer, options) => {
    expect(await failure(scripted(answer, options))).toBeInstanceOf(UnknownOutcome);
    expect(peer.calls).toHaveLength(1);
  });

  it('of 503 lets the bot wait', async () => {
    const answer = { status: 503, body: '', headers: { 'retry-after': '7' } };
    expect(await failure(scripted(answer))).toMatchObject({
      name: 'ChannelDown',
      retryAfter: 7_000,
    });
  });
});

test('an address that is not allowed is not called', async () => {
  expect(await failure(open({}, '').send([message()], context))).toBeInstanceOf(ChannelDown);
  expect(await failure(open({}, '').announce!(context.signal))).toBeInstanceOf(ChannelDown);
  expect(peer.calls).toEqual([]);
});

describe('the address of callbacks', () => {
  it('is told with a secret that is not the token', async () => {
    await open().announce!(context.signal);
    expect(peer.webhook).toEqual({
      url: BOT.callbackUrl,
      secret_token: secretOf(BOT.token),
      allowed_updates: ['message', 'my_chat_member'],
    });
    expect(peer.webhook!.secret_token).not.toContain(BOT.token.split(':')[1]);
  });

  it.each<[ScriptedAnswer, RegExp]>([
    [botError(401, 'Unauthorized'), /token of the bot is refused/],
    [botError(400, 'Bad Request: bad webhook: no such host'), /callbacks is refused: .*no such/],
    [botError(500, 'Internal Server Error'), /500/],
    [{ fault: 'close' }, /no answer/],
  ])('is told again later after %j', async (answer, words) => {
    peer.refusesWebhook = answer;
    const error = await failure(open().announce!(context.signal));
    expect(error).toBeInstanceOf(ChannelDown);
    expect(error.message).toMatch(words);
  });
});

describe('an update', () => {
  const now = new Date(Math.floor(Date.now() / 1000) * 1000);
  const seconds = now.getTime() / 1000;
  const door = (options: object = {}) => telegramBotDriver.describe(parsed(options)).callback!;
  const read = async (update: object, options: object = {}) =>
    door(options).read({ update_id: 1, ...update }, now);
  const answer = (text: string) => JSON.parse(text) as Record<string, never>;

  it.each([
    ['the secret', { 'x-telegram-bot-api-secret-token': secretOf(BOT.token) }, true],
    ['another secret', { 'x-telegram-bot-api-secret-token': secretOf('4200:another') }, false],
    ['the token itself', { 'x-telegram-bot-api-secret-token': BOT.token }, false],
    ['the secret twice', { 'x-telegram-bot-api-secret-token': [secretOf(BOT.token)] }, false],
    ['an empty secret', { 'x-telegram-bot-api-secret-token': '' }, false],
    ['nothing', {}, false],
  ])('with %s is genuine or not', (_, headers, isGenuine) => {
    const call = { headers, search: '', body: Buffer.from('{}') };
    expect(door().isGenuine(call)).toBe(isGenuine);
  });

  it('of a person who opens the bot is answered with a button that shares the number', async () => {
    const { chat, ignored } = await read(wrote(5001, { text: '/start', date: seconds }));
    expect(ignored).toBe(0);
    expect(chat).toMatchObject({ chat: '5001', at: now });
    expect(chat).not.toHaveProperty('phone');
    expect(chat).not.toHaveProperty('message');
    expect(answer(chat!.answer(false))).toMatchObject({
      method: 'sendMessage',
      chat_id: 5001,
      text: expect.stringContaining('поделитесь своим номером'),
      reply_markup: { keyboard: [[{ text: 'Поделиться номером', request_contact: true }]] },
    });
    expect(answer(chat!.answer(true))).toMatchObject({
      text: expect.stringContaining('Готово'),
      reply_markup: { remove_keyboard: true },
    });
  });

  it.each([
    ['pt-br', /compartilhe/],
    ['de', /Telefonnummer/],
    ['uk', /share your phone number/],
    [undefined, /share your phone number/],
    [7, /share your phone number/],
  ])('of a person whose Telegram speaks %j is answered so', async (language_code, words) => {
    const from = { id: 5001, is_bot: false, language_code };
    const { chat } = await read(wrote(5001, { text: '/start', from }));
    expect(answer(chat!.answer(false)).text).toMatch(words);
  });

  it('is answered in the words of the channel, if it has some', async () => {
    const { chat } = await read(wrote(5001, { text: '/start' }), { greeting: 'Поделитесь "им"!' });
    expect(answer(chat!.answer(false)).text).toBe('Поделитесь "им"!');
  });

  it('with the own contact gives the number', async () => {
    for (const given of ['+79001234567', '79001234567', '7 900 123-45-67']) {
      const { chat } = await read(shared(5001, given));
      expect(chat).toMatchObject({ chat: '5001', phone: '+79001234567' });
    }
  });

  it.each<[string, object]>([
    ['of somebody else', shared(5001, '+79001234567', 5002)],
    ['of nobody in Telegram', shared(5001, '+79001234567', null)],
    ['whose owner is a text', shared(5001, '+79001234567', '5001')],
    [
      'that was forwarded',
      shared(5001, '+79001234567', 5001, { forward_origin: { type: 'user' } }),
    ],
    ['written by another bot', shared(5001, '+79001234567', 5001, { via_bot: { id: 1 } })],
    ['without a number', shared(5001, 'none')],
  ])('with a contact %s gives none, and asks again', async (_, update) => {
    const { chat } = await read(update);
    expect(chat).not.toHaveProperty('phone');
    for (const isKnown of [true, false])
      expect(answer(chat!.answer(isKnown))).toMatchObject({
        text: expect.stringContaining('Этот контакт не подходит'),
        reply_markup: { keyboard: [[{ request_contact: true }]] },
      });
  });

  it.each([
    [{ text: 'Да, жду' }, 'Да, жду'],
    [{ text: '/started' }, '/started'],
    [{ text: 'a\0b\ud800' }, 'ab\ufffd'],
    [{ photo: [{ file_id: 'x' }], caption: 'Вот' }, '[photo] Вот'],
    [{ voice: { file_id: 'x' } }, '[voice]'],
    // An animation is a document, too.
    [{ animation: { file_id: 'x' }, document: { file_id: 'x' } }, '[animation]'],
  ])('with %j is a message, and not answered', async (content, text) => {
    const { chat } = await read(wrote(5001, { ...content, date: seconds }));
    expect(chat!.message).toEqual({ id: '4200:5001:7', text, at: now });
    expect(chat!.answer(true)).toBe('');
    expect(answer(chat!.answer(false))).toMatchObject({ reply_markup: { keyboard: [[{}]] } });
  });

  it('of the future counts as of now', async () => {
    const { chat } = await read(wrote(5001, { text: 'Да', date: seconds + 3_600 }));
    expect(chat!.at).toEqual(now);
  });

  it('of a person who blocks the bot ends the chat', async () => {
    const { chat } = await read(blocking(5001, 'kicked', seconds - 5));
    expect(chat).toMatchObject({ chat: '5001', hasEnded: true });
    expect(chat!.at).toEqual(new Date(now.getTime() - 5_000));
    expect(chat!.answer(false)).toBe('');
  });

  it.each<[string, object]>([
    ['of a group', wrote(5001, { text: '/start', chat: { id: -100, type: 'group' } })],
    [
      'of another chat than that of its person',
      wrote(5001, { text: 'x', chat: { id: 5002, type: 'private' } }),
    ],
    ['of a bot', wrote(5001, { text: 'x', from: { id: 5001, is_bot: true } })],
    ['of a person who comes back', blocking(5001, 'member')],
    ['of a kind that is not read', { edited_message: wrote(5001, { text: 'x' }).message }],
    ['without anything', {}],
    ['with a chat that is too large', wrote(2 ** 60, { text: '/start' })],
    ['with a text that is none', wrote(5001, { text: { a: 1 } })],
  ])('%s is ignored', async (_, update) => {
    expect(await read(update)).toEqual({ reports: [], messages: [], ignored: 1, answer: '' });
  });
});

test('what is logged has neither token, text, number nor the person', async () => {
  const exchanges: Exchange[] = [];
  chats = new KnownChats({ [phone(1)]: '7100005001', [phone(2)]: '7100005002' });
  const options = optionsOf();
  const shown = shownOptions(telegramBotDriver, options).options;
  expect(shown).not.toHaveProperty('token');
  const secrets = secretsOf(options, (name) => Object.hasOwn(shown, name));
  const log = {
    takes: () => true,
    takesFailed: () => true,
    add: (one: Exchange) => void exchanges.push(one),
  };
  const driver = open();
  const send = logged('bot', driver, secrets, log);
  await send([message()], context);
  await send([message(2, { payload: { text: 'Чай <готов> & ждёт', image: 'tea' } })], context);
  peer.script.push(botError(400, `Bad Request: /bot${BOT.token}/sendMessage failed`));
  await send([message()], context);
  peer.script.push(botError(401, `Unauthorized ${BOT.token}`));
  await send([message()], context).catch(() => undefined);
  expect(exchanges).toHaveLength(4);
  expect(exchanges[0]!.request).toContain('/bot***/sendMessage');
  expect(exchanges[0]!.answer).toBe('200\n{"ok":true,"result":{"message_id":1}}');
  const text = JSON.stringify(exchanges);
  for (const secret of [BOT.token, BOT.token.split(':')[1], secretOf(BOT.token)])
    expect(text).not.toContain(secret);
  for (const secret of ['готов', '9001234561', '710000500', 'Анна', 'anna_tea'])
    expect(text).not.toContain(secret);
});

test('a refusal does not repeat the token', async () => {
  const results = await scripted(botError(400, `Bad Request: bot${BOT.token} is wrong`));
  expect(JSON.stringify(results)).not.toContain(BOT.token);
});
