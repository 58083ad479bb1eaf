import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';

import { callContext, failure, openContext, reference } from '../../../test/open-channel.ts';
import { KnownChats } from '../../../test/peers/chats.ts';
import { KnownFiles } from '../../../test/peers/message-files.ts';
import {
  BOT,
  cardOf,
  contact,
  MaxBotPeer,
  maxError,
  NO_DIALOG,
  NOT_READY,
  opened,
  type ScriptedAnswer,
  shared,
  signed,
  STOPPED,
  wrote,
} from '../../../test/peers/max-bot-peer.ts';
import { ChannelDown, type Driver, type OutgoingMessage, UnknownOutcome } from '../channel.ts';
import { type Exchange, logged, secretsOf } from '../exchanges.ts';
import { parseOptions, shownOptions } from '../options.ts';
import { secretOf } from './callbacks.ts';
import { maxBotDriver } from './max-bot.driver.ts';

const context = callContext();
const phone = (n: number) => `+7900123456${n}`;
const message = (n = 1, changes: Partial<OutgoingMessage> = {}): OutgoingMessage => ({
  reference: reference(n),
  type: 'max',
  sender: 'Mir Tea',
  recipient: phone(n),
  payload: { text: 'Чай *готов* & <b>ждёт</b>' },
  segments: 1,
  tries: 0,
  ...changes,
});

const FILES = {
  tea: { filename: 'tea.png', type: 'image/png', bytes: Buffer.alloc(300, 1) },
  bill: { filename: 'счёт.pdf', type: 'application/pdf', bytes: Buffer.alloc(100, 1) },
};

let peer: MaxBotPeer;
let chats: KnownChats;
let files: KnownFiles;
const closing: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  peer = new MaxBotPeer();
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
  parseOptions('bot', maxBotDriver.options, optionsOf(options));

function open(options: object = {}, allowed?: string): Driver {
  const driver = maxBotDriver.open(
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
  it('goes to the person of its number as it is written, and has the id of MAX', async () => {
    expect(await open().send([message(), message(2)], context)).toEqual([
      { reference: reference(1), result: 'accepted', externalIds: ['mid.1'] },
      { reference: reference(2), result: 'accepted', externalIds: ['mid.2'] },
    ]);
    const text = 'Чай *готов* & <b>ждёт</b>';
    expect(peer.sent).toEqual([
      { user_id: 5001, text, disable_link_preview: true },
      { user_id: 5002, text, disable_link_preview: true },
    ]);
  });

  it('shows previews if the channel does', async () => {
    await open({ previewLinks: true }).send([message()], context);
    expect(peer.sent).toMatchObject([{ disable_link_preview: false }]);
  });

  it('counts as delivered when MAX has it', async () => {
    const submitted = { reference: reference(1), type: 'max' as const, recipient: phone(1) };
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
    ['without a text', { payload: {} }, 'invalid_payload'],
    ['with a blank text', { payload: { text: ' \n' } }, 'invalid_payload'],
    ['with a long text', { payload: { text: 'x'.repeat(4001) } }, 'too_long'],
    ['with many pictures in its text', { payload: { text: '🍵'.repeat(2001) } }, 'too_long'],
    ['with two files', { payload: { text: 'x', image: 'tea', file: 'bill' } }, 'invalid_payload'],
    ['with a file that is gone', { payload: { text: 'x', file: 'gone' } }, 'invalid_payload'],
  ])('%s never leaves', async (_, changes, code) => {
    const results = await open().send([message(1, changes), message(2)], context);
    expect(results).toMatchObject([
      { reference: reference(1), result: 'rejected', code },
      { reference: reference(2), result: 'accepted' },
    ]);
    expect(peer.calls).toEqual(['POST /messages']);
  });

  it('of the longest text goes, alone and beside a file', async () => {
    const text = '🍵'.repeat(2000);
    const batch = [
      message(1, { payload: { text } }),
      message(2, { payload: { text, file: 'bill' } }),
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
  const IMAGE = { type: 'image', payload: { photos: { 'abc=': { token: 'token-1' } } } };
  const FILE = { type: 'file', payload: { token: 'token-1' } };

  it.each([
    ['image', 'tea', 'image/png', IMAGE],
    ['file', 'tea', 'image/png', FILE],
    ['file', 'bill', 'application/pdf', FILE],
  ])('as %s, %s, is uploaded once, without the token', async (kind, id, type, attachment) => {
    const driver = open();
    const with1 = message(1, { payload: { text: 'Чай', [kind]: id } });
    const with2 = message(2, { payload: { [kind]: id } });
    const results = await driver.send([with1, with2], context);
    expect(results.map(({ result }) => result)).toEqual(['accepted', 'accepted']);
    const { filename, bytes } = FILES[id as keyof typeof FILES];
    expect(peer.uploads).toEqual([{ kind, filename, type, bytes: bytes.length }]);
    expect(peer.sent).toEqual([
      { user_id: 5001, disable_link_preview: true, text: 'Чай', attachments: [attachment] },
      { user_id: 5002, disable_link_preview: true, attachments: [attachment] },
    ]);
  });

  const payload = { text: 'Чай', image: 'tea' };
  const withFile = message(1, { payload });

  it('that MAX still processes lets its message wait, and no other, and is not uploaded again', async () => {
    const driver = open();
    peer.script.push(NOT_READY);
    expect(await driver.send([withFile, message(2)], context)).toMatchObject([
      { result: 'throttled', retryAfter: 2_000 },
      { result: 'accepted' },
    ]);
    expect(await driver.send([withFile], context)).toMatchObject([{ result: 'accepted' }]);
    expect(peer.uploads).toHaveLength(1);
  });

  it('that MAX does not know any more is uploaded again with the next try', async () => {
    const driver = open();
    await driver.send([withFile], context);
    peer.files.clear();
    expect(await driver.send([withFile], context)).toMatchObject([{ result: 'throttled' }]);
    expect(await driver.send([withFile], context)).toMatchObject([{ result: 'accepted' }]);
    expect(peer.uploads).toHaveLength(2);
    expect(peer.sent).toHaveLength(2);
  });

  it('that was uploaded just now and is refused fails its message', async () => {
    peer.script.push(maxError(400, 'proto.payload', 'attachment.invalid'));
    expect(await open().send([withFile], context)).toMatchObject([
      { result: 'rejected', code: 'invalid_payload' },
    ]);
  });

  it('that cannot be read now lets its message wait, and no other', async () => {
    files.isAway = true;
    expect(await open().send([withFile, message(2)], context)).toMatchObject([
      { result: 'throttled', retryAfter: 10_000 },
      { result: 'accepted' },
    ]);
  });

  it.each<[string, 'placeScript' | 'uploadScript', ScriptedAnswer, object]>([
    ['an address that is none', 'placeScript', { body: { url: 'file:///etc/passwd' } }, {}],
    ['no address', 'placeScript', { body: {} }, {}],
    ['500 to the question where', 'placeScript', maxError(500, 'internal'), {}],
    ['500', 'uploadScript', { status: 500, body: '' }, {}],
    ['429', 'uploadScript', { status: 429, body: '' }, {}],
    ['a redirect', 'uploadScript', { status: 302, body: '' }, {}],
    ['nothing readable', 'uploadScript', { body: 'OK' }, {}],
    ['no answer', 'uploadScript', { fault: 'silent' }, { timeoutMs: 2_000 }],
    ['a connection that breaks', 'uploadScript', { fault: 'close' }, {}],
  ])(
    'whose upload has %s lets its message wait: nothing was sent',
    async (_, script, answer, options) => {
      peer[script].push(answer);
      const results = await open(options).send([withFile, message(2)], context);
      expect(results).toMatchObject([
        { result: 'throttled', retryAfter: 10_000 },
        { result: 'accepted' },
      ]);
      expect(peer.sent).toMatchObject([{ user_id: 5002 }]);
    },
  );

  it.each<[string, ScriptedAnswer]>([
    ['of a size that is not taken', { status: 413, body: '' }],
    ['of a kind that is not taken', { status: 400, body: '{"error_code":"3"}' }],
    ['that has no token', { body: { error_code: '4' } }],
  ])('%s fails its message', async (_, answer) => {
    peer.uploadScript.push(answer);
    const results = await open().send([withFile, message(2)], context);
    expect(results).toMatchObject([
      { result: 'rejected', code: 'invalid_payload' },
      { result: 'accepted' },
    ]);
  });

  it('is not uploaded to an address that is not allowed', async () => {
    peer.placeScript.push({ body: { url: 'http://10.0.0.1/upload.do' } });
    const error = await failure(open().send([withFile], context));
    expect(error).toBeInstanceOf(ChannelDown);
    expect(error.message).toMatch(/10\.0\.0\.1 is not a public address/);
  });
});

describe('an answer', () => {
  it.each([
    [STOPPED, 'blocked', true],
    [NO_DIALOG, 'not_a_user', true],
    [maxError(404, 'dialog.not.found'), 'not_a_user', true],
    [maxError(404, 'user.not.found'), 'not_a_user', true],
    [maxError(404, 'not.found'), 'rejected', false],
    [maxError(403, 'chat.denied', 'Something new'), 'rejected', false],
    [maxError(400, 'proto.payload', 'Wrong body'), 'invalid_payload', false],
    [maxError(400, 'text.too.long'), 'too_long', false],
    [maxError(400, 'something.new'), 'rejected', false],
    [maxError(413, 'request.size'), 'too_long', false],
    [maxError(451, 'something.new'), 'rejected', false],
  ])('%j fails the message with %s; its chat ends: %s', async (answer, code, hasEnded) => {
    const { code: carrierCode, message: text } = answer.body as Record<string, string>;
    expect(await scripted(answer)).toEqual([
      { reference: reference(1), result: 'rejected', code, carrierCode, text },
    ]);
    expect(chats.ended).toEqual(hasEnded ? ['5001'] : []);
  });

  it('that ends a chat fails the message also if the store is away', async () => {
    const ending = scripted(STOPPED);
    chats.end = () => Promise.reject(new Error('The store is away'));
    expect(await ending).toMatchObject([{ result: 'rejected', code: 'blocked' }]);
  });

  const asked = (value: string) => ({
    ...maxError(429, 'too.many.requests'),
    headers: { 'retry-after': value },
  });
  it.each([
    [maxError(401, 'verify.token', 'Invalid access_token'), 60_000, false],
    [{ status: 401, body: '' }, 60_000, false],
    [maxError(405, 'method.not.allowed'), 60_000, false],
    [maxError(429, 'too.many.requests'), 5_000, false],
    [asked('17'), 17_000, true],
    [asked('86400'), 900_000, true],
    [{ status: 302, body: '' }, 60_000, false],
    [{ status: 404, body: '<html>' }, 60_000, false],
  ])('%j holds the bot for %i ms; asked for: %s', async (answer, retryAfter, isAsked) => {
    const error = await failure(scripted(answer as ScriptedAnswer));
    expect(error).toBeInstanceOf(ChannelDown);
    expect(error).toMatchObject({ retryAfter, isAsked });
    expect(error.message).not.toContain(BOT.token);
  });

  it('that asks to wait is heeded by all calls, of which none is made', async () => {
    const driver = open();
    peer.script.push({ body: { message: { body: { mid: 'mid.9' } } } }, asked('600'));
    // In the middle of a batch: the second and the third have not left.
    expect(await driver.send([message(1), message(2), message(3)], context)).toEqual([
      { reference: reference(1), result: 'accepted', externalIds: ['mid.9'] },
      { reference: reference(2), result: 'unsent' },
      { reference: reference(3), result: 'unsent' },
    ]);
    for (const call of [
      driver.send([message(2)], context),
      driver.say!('5001', '{"text":"?"}', context.signal),
      driver.announce!(context.signal),
    ])
      expect(await failure(call)).toMatchObject({ name: 'ChannelDown', isAsked: true });
    expect(peer.calls).toHaveLength(2);
  });

  it.each<[string, ScriptedAnswer, object]>([
    ['500', maxError(500, 'internal'), {}],
    ['502 without words', { status: 502, body: '<html>' }, {}],
    ['nothing readable', { body: 'OK' }, {}],
    ['no id', { body: { message: { body: {} } } }, {}],
    ['no answer', { fault: 'silent' }, { timeoutMs: 2_000 }],
    ['a connection that breaks', { fault: 'close' }, {}],
  ])('of %s leaves the outcome unknown', async (_, answer, options) => {
    expect(await failure(scripted(answer, options))).toBeInstanceOf(UnknownOutcome);
    expect(peer.calls).toHaveLength(1);
  });

  it('of 503 lets the bot wait', async () => {
    const answer = { ...maxError(503, 'service.unavailable'), headers: { 'retry-after': '7' } };
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
    expect(peer.subscription).toEqual({
      url: BOT.callbackUrl,
      secret: secretOf(BOT.token),
      update_types: ['message_created', 'bot_started', 'bot_stopped'],
    });
    expect(peer.subscription!.secret).not.toContain(BOT.token);
  });

  it.each<[ScriptedAnswer, RegExp]>([
    [maxError(401, 'verify.token'), /token of the bot is refused/],
    [maxError(400, 'proto.payload', 'Bad url'), /callbacks is refused: Bad url/],
    // With a status of success.
    [{ body: { success: false, message: 'Bad host' } }, /callbacks is refused: Bad host/],
    [{ body: {} }, /callbacks is refused/],
    [maxError(500, 'internal'), /500/],
    [{ fault: 'close' }, /no answer/],
  ])('is told again later after %j', async (answer, words) => {
    peer.refusesSubscription = answer;
    const error = await failure(open().announce!(context.signal));
    expect(error).toBeInstanceOf(ChannelDown);
    expect(error.message).toMatch(words);
  });
});

describe('what the bot says', () => {
  const said = () => {
    const { chat } = maxBotDriver.describe(parsed()).callback!.read(opened(5001), new Date()) as {
      chat: { chat: string; answer: (isKnown: boolean) => string };
    };
    return { chat: chat.chat, ask: chat.answer(false), linked: chat.answer(true) };
  };

  it('is sent to the person, with a button that shares the number', async () => {
    const { chat, ask, linked } = said();
    const driver = open();
    expect(await driver.say!(chat, ask, context.signal)).toBeUndefined();
    expect(await driver.say!(chat, linked, context.signal)).toBeUndefined();
    expect(peer.sent).toEqual([
      {
        user_id: 5001,
        disable_link_preview: true,
        text: expect.stringContaining('поделитесь своим номером'),
        attachments: [
          {
            type: 'inline_keyboard',
            payload: { buttons: [[{ type: 'request_contact', text: 'Поделиться номером' }]] },
          },
        ],
      },
      { user_id: 5001, disable_link_preview: true, text: expect.stringContaining('Готово') },
    ]);
  });

  it('is refused by a person who has stopped the bot, and says why', async () => {
    peer.script.push(STOPPED);
    expect(await open().say!('5001', said().ask, context.signal)).toMatchObject({
      code: 'blocked',
      carrierCode: 'chat.denied',
    });
  });

  it.each<[string, ScriptedAnswer, string]>([
    ['a bot whose token is refused', maxError(401, 'verify.token'), 'ChannelDown'],
    ['a bot that has to wait', maxError(429, 'too.many.requests'), 'ChannelDown'],
    ['a connection that breaks', { fault: 'close' }, 'UnknownOutcome'],
  ])('to %s ends so', async (_, answer, name) => {
    peer.script.push(answer);
    const saying = open().say!('5001', said().ask, context.signal);
    expect(await failure(saying)).toMatchObject({ name });
  });
});

describe('an update', () => {
  const now = new Date(Math.floor(Date.now() / 1000) * 1000);
  const at = now.getTime();
  const door = (options: object = {}) => maxBotDriver.describe(parsed(options)).callback!;
  const read = async (update: object, options: object = {}) => door(options).read(update, now);
  const answer = (text: string) => JSON.parse(text) as Record<string, never>;

  it.each([
    ['the secret', { 'x-max-bot-api-secret': secretOf(BOT.token) }, true],
    ['another secret', { 'x-max-bot-api-secret': secretOf('another_token_of_a_bot') }, false],
    ['the token itself', { 'x-max-bot-api-secret': BOT.token }, false],
    ['the secret twice', { 'x-max-bot-api-secret': [secretOf(BOT.token)] }, false],
    ['an empty secret', { 'x-max-bot-api-secret': '' }, false],
    ['nothing', {}, false],
  ])('with %s is genuine or not', (_, headers, isGenuine) => {
    const call = { headers, search: '', body: Buffer.from('{}') };
    expect(door().isGenuine(call)).toBe(isGenuine);
  });

  it.each([
    ['the button', opened(5001, 'bot_started', at)],
    [
      'the button, of whom little is said',
      { ...opened(5001, 'bot_started', at), user: { user_id: 5001 } },
    ],
    ['a word', wrote(5001, { text: '/start from-a-link' }, { timestamp: at })],
  ])('of a person who opens the bot by %s asks for the number', async (_, update) => {
    const { chat, ignored, answer: now_ } = await read(update);
    expect([ignored, now_]).toEqual([0, '']);
    expect(chat).toMatchObject({ chat: '5001', at: now });
    expect(chat).not.toHaveProperty('phone');
    expect(chat).not.toHaveProperty('message');
    expect(answer(chat!.answer(false)).attachments).toHaveLength(1);
    expect(answer(chat!.answer(true))).toEqual({ text: expect.stringContaining('Готово') });
  });

  it.each([
    ['pt-BR', /compartilhe/],
    ['de', /Telefonnummer/],
    ['uk', /share your phone number/],
    [null, /share your phone number/],
    [7, /share your phone number/],
  ])('of a person whose MAX speaks %j is answered so', async (locale, words) => {
    const { chat } = await read(wrote(5001, { text: '/start' }, {}, locale));
    expect(answer(chat!.answer(false)).text).toMatch(words);
  });

  it('is answered in the words of the channel, if it has some', async () => {
    const { chat } = await read(opened(5001), { greeting: 'Поделитесь "им"!' });
    expect(answer(chat!.answer(false)).text).toBe('Поделитесь "им"!');
  });

  const cardWith = (number: string) => {
    const card = cardOf('+79001234567').replace('79001234567', number);
    return { vcf_info: card, hash: signed(card) };
  };
  it.each([
    ['as MAX writes it', {}],
    ['with its plus', cardWith('+79001234567')],
    ['with a semicolon after it', cardWith('79001234567;')],
    ['under a hash in capitals', { hash: signed(cardOf('+79001234567')).toUpperCase() }],
    [
      'with ends of lines that were escaped twice',
      { vcf_info: cardOf('+79001234567').replaceAll('\r\n', String.raw`\r\n`) },
    ],
  ])('with the own contact, %s, gives the number', async (_, payload) => {
    const { chat } = await read(shared(5001, '+79001234567', payload));
    expect(chat).toMatchObject({ chat: '5001', phone: '+79001234567' });
    expect(answer(chat!.answer(true)).text).toContain('Готово');
  });

  const stolen = contact(5001, '+79001234567');
  it.each<[string, object]>([
    // What a person sends of its address book is not signed, or as that of somebody else.
    ['of somebody else', shared(5001, '+79001234567', { max_info: { user_id: 5002 } })],
    ['of nobody in MAX', shared(5001, '+79001234567', { max_info: null })],
    ['without a hash', shared(5001, '+79001234567', { hash: null })],
    ['with a wrong hash', shared(5001, '+79001234567', { hash: 'a'.repeat(64) })],
    [
      'signed for another bot',
      shared(5001, '+79001234567', { hash: signed(cardOf('+79001234567'), 'another_token') }),
    ],
    [
      'whose number was changed',
      shared(5001, '+79001234567', { vcf_info: cardOf('+79001234568') }),
    ],
    ['without a card', shared(5001, '+79001234567', { vcf_info: null })],
    ['without a number', shared(5001, '+79001234567', cardWith('none'))],
    ['with two numbers', shared(5001, '+79001234567', cardWith('79001234567\r\nTEL:79001234568'))],
    [
      'that was forwarded',
      wrote(5001, {}, { link: { type: 'forward', message: { attachments: [stolen] } } }),
    ],
    [
      'that was forwarded beside words',
      wrote(
        5001,
        { attachments: [stolen] },
        { link: { type: 'forward', message: { mid: 'mid.1', seq: 1 } } },
      ),
    ],
  ])('with a contact %s gives none, and asks again', async (_, update) => {
    const { chat } = await read(update);
    expect(chat).not.toHaveProperty('phone');
    for (const isKnown of [true, false])
      expect(answer(chat!.answer(isKnown))).toMatchObject({
        text: expect.stringContaining('Этот контакт не подходит'),
        attachments: [{ type: 'inline_keyboard' }],
      });
  });

  it.each<[object, object, string]>([
    [{ text: 'Да, жду' }, {}, 'Да, жду'],
    [{ text: '/started' }, {}, '/started'],
    [{ text: 'a\0b\ud800' }, {}, 'ab\ufffd'],
    [{ text: 'Вот', attachments: [{ type: 'image', payload: {} }] }, {}, '[image] Вот'],
    [{ attachments: [{ type: 'audio', payload: {} }] }, {}, '[audio]'],
    // The preview of a link that was written.
    [{ text: 'https://a.example', attachments: [{ type: 'share' }] }, {}, 'https://a.example'],
    [{}, { link: { type: 'forward', message: { text: 'Их слова' } } }, 'Их слова'],
    [{ text: 'Да' }, { link: { type: 'reply', message: { text: 'Придёте?' } } }, 'Да'],
  ])('with %j and %j is a message, and not answered', async (body, more, text) => {
    const { chat } = await read(wrote(5001, body, { timestamp: at, ...more }));
    expect(chat!.message).toEqual({ id: 'mid.7', text, at: now });
    expect(chat!.answer(true)).toBe('');
    expect(answer(chat!.answer(false))).toMatchObject({ attachments: [{}] });
  });

  it('of the future counts as of now', async () => {
    const { chat } = await read(wrote(5001, { text: 'Да' }, { timestamp: at + 3_600_000 }));
    expect(chat!.at).toEqual(now);
  });

  it('of a person who stops the bot ends the chat', async () => {
    const { chat } = await read(opened(5001, 'bot_stopped', at - 5_000));
    expect(chat).toMatchObject({ chat: '5001', hasEnded: true });
    expect(chat!.at).toEqual(new Date(at - 5_000));
    expect(chat!.answer(false)).toBe('');
  });

  const bot = { sender: { user_id: 5001, first_name: 'Bot', is_bot: true } };
  it.each<[string, object]>([
    ['of a group', wrote(5001, { text: '/start' }, { recipient: { chat_type: 'chat' } })],
    ['of a channel', wrote(5001, { text: 'x' }, { sender: null })],
    ['of a bot', wrote(5001, { text: 'x' }, bot)],
    [
      'of a kind that is not read',
      { ...wrote(5001, { text: 'x' }), update_type: 'message_edited' },
    ],
    ['without anything', {}],
    ['with an id that is too large', opened(2 ** 60)],
    ['with a time in seconds', opened(5001, 'bot_started', 1_739_184_000)],
    ['with a text that is none', wrote(5001, { text: { a: 1 } })],
  ])('%s is ignored', async (_, update) => {
    expect(await read(update)).toEqual({ reports: [], messages: [], ignored: 1, answer: '' });
  });
});

test('what is logged has neither token, text, number nor the person', async () => {
  const exchanges: Exchange[] = [];
  chats = new KnownChats({ [phone(1)]: '7100005001', [phone(2)]: '7100005002' });
  const options = optionsOf();
  const shown = shownOptions(maxBotDriver, options).options;
  expect(shown).not.toHaveProperty('token');
  const secrets = secretsOf(options, (name) => Object.hasOwn(shown, name));
  const log = {
    takes: () => true,
    takesFailed: () => true,
    add: (one: Exchange) => void exchanges.push(one),
  };
  const send = logged('bot', open(), secrets, log);
  await send([message()], context);
  await send([message(2, { payload: { text: 'Чай *готов*', image: 'tea' } })], context);
  peer.script.push(maxError(400, BOT.token, `The token ${BOT.token} failed`));
  await send([message()], context);
  peer.script.push(maxError(401, 'verify.token', BOT.token));
  await send([message()], context).catch(() => undefined);
  expect(exchanges).toHaveLength(4);
  expect(exchanges[0]!.request).toContain('/messages?user_id=…5001&disable_link_preview=true');
  expect(exchanges[0]!.answer).toBe('200\n{"message":{"body":{"mid":"mid.1"}}}');
  const text = JSON.stringify(exchanges);
  for (const secret of [BOT.token, secretOf(BOT.token), 's3cret'])
    expect(text).not.toContain(secret);
  for (const secret of ['готов', '9001234561', '710000500', 'Анна', 'token-1'])
    expect(text).not.toContain(secret);
});

test('a refusal does not repeat the token', async () => {
  const results = await scripted(maxError(400, BOT.token, `${BOT.token} is wrong`));
  expect(JSON.stringify(results)).not.toContain(BOT.token);
});
