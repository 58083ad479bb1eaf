import { createHmac } from 'node:crypto';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';

import { callContext, failure, openContext, reference } from '../../../test/open-channel.ts';
import { KnownFiles } from '../../../test/peers/message-files.ts';
import {
  callOf,
  happened,
  metaError,
  type PeerTemplate,
  type Scripted,
  WHATSAPP,
  WhatsappPeer,
} from '../../../test/peers/whatsapp-peer.ts';
import { ChannelDown, type Driver, type OutgoingMessage, UnknownOutcome } from '../channel.ts';
import { type Exchange, logged, secretsOf } from '../exchanges.ts';
import { parseOptions, shownOptions } from '../options.ts';
import { whatsappDriver } from './whatsapp.driver.ts';

const { businessAccountId, ...ACCESS } = WHATSAPP;
const context = callContext();

function message(payload: object, n = 1): OutgoingMessage {
  return {
    reference: reference(n),
    type: 'whatsapp',
    sender: 'Helio',
    recipient: `+7900123456${n}`,
    payload: payload as OutgoingMessage['payload'],
    segments: 1,
    tries: 0,
  };
}

const IMAGE = '01890000-0000-7000-8000-0000000000f1';
const VIDEO = '01890000-0000-7000-8000-0000000000f2';
const SOUND = '01890000-0000-7000-8000-0000000000f3';
const PDF = '01890000-0000-7000-8000-0000000000f4';
const ZIP = '01890000-0000-7000-8000-0000000000f5';
const LARGE = '01890000-0000-7000-8000-0000000000f6';
const FILES = {
  [IMAGE]: { filename: 'tea.png', type: 'image/png', bytes: Buffer.from('png') },
  [VIDEO]: { filename: 'tea.mp4', type: 'video/mp4', bytes: Buffer.from('mp4') },
  [SOUND]: { filename: 'tea.mp3', type: 'audio/mpeg', bytes: Buffer.from('mp3') },
  [PDF]: { filename: 'счёт.pdf', type: 'application/pdf', bytes: Buffer.from('pdf') },
  [ZIP]: { filename: 'tea.zip', type: 'application/zip', bytes: Buffer.from('zip') },
  [LARGE]: { filename: 'a.mp4', type: 'video/mp4', bytes: Buffer.alloc(17 * 1024 * 1024) },
};
let files: KnownFiles;

let peer: WhatsappPeer;
const closing: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  peer = new WhatsappPeer();
  await peer.listen();
  files = new KnownFiles(FILES);
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await peer.close();
});

const optionsOf = (options: object = {}) => ({
  url: peer.url,
  timeoutMs: 10_000,
  ...ACCESS,
  ...options,
});

function open(options: object = {}, allowed?: string): Driver {
  const given = parseOptions('wa', whatsappDriver.options, optionsOf(options));
  const driver = whatsappDriver.open(given, openContext({ channel: 'wa', files }, allowed));
  closing.push(() => driver.close!());
  return driver;
}

const content = (payload: object) => {
  const { messaging_product, recipient_type, to, biz_opaque_callback_data, ...own } = payload as {
    [name: string]: unknown;
  };
  expect({ messaging_product, recipient_type, to, biz_opaque_callback_data }).toEqual({
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    to: '+79001234561',
    biz_opaque_callback_data: reference(1),
  });
  return own;
};
const button = (text: string, action: string) => ({ text, action });
const reply = (title: string, id: string) => ({ type: 'reply', reply: { id, title } });

describe('a message within the day', () => {
  it.each([
    [
      'a text',
      { text: 'Чай готов' },
      { type: 'text', text: { body: 'Чай готов', preview_url: false } },
    ],
    [
      'a picture',
      { text: 'Look', image: IMAGE },
      { type: 'image', image: { id: 'media-1', caption: 'Look' } },
    ],
    ['a picture alone', { image: IMAGE }, { type: 'image', image: { id: 'media-1' } }],
    [
      'a video',
      { text: 'Look', file: VIDEO },
      { type: 'video', video: { id: 'media-1', caption: 'Look' } },
    ],
    ['a sound', { text: '', file: SOUND }, { type: 'audio', audio: { id: 'media-1' } }],
    [
      'a sound with a text, which has no caption',
      { text: 'Hear', file: SOUND },
      { type: 'document', document: { id: 'media-1', caption: 'Hear' } },
    ],
    [
      'a document',
      { text: 'Read', file: PDF },
      { type: 'document', document: { id: 'media-1', caption: 'Read', filename: 'счёт.pdf' } },
    ],
    [
      'replies',
      { text: 'Tea?', buttons: [button('Yes', 'yes'), button('No', 'no'), button('Later', 'l')] },
      {
        type: 'interactive',
        interactive: {
          type: 'button',
          body: { text: 'Tea?' },
          action: { buttons: [reply('Yes', 'yes'), reply('No', 'no'), reply('Later', 'l')] },
        },
      },
    ],
    [
      'a link under a picture',
      { text: 'Tea', image: IMAGE, buttons: [button('Open', 'https://tea.example/a')] },
      {
        type: 'interactive',
        interactive: {
          type: 'cta_url',
          header: { type: 'image', image: { id: 'media-1' } },
          body: { text: 'Tea' },
          action: {
            name: 'cta_url',
            parameters: { display_text: 'Open', url: 'https://tea.example/a' },
          },
        },
      },
    ],
    [
      'replies under a document',
      { text: 'Tea', file: PDF, buttons: [button('Yes', 'yes')] },
      {
        type: 'interactive',
        interactive: {
          type: 'button',
          header: { type: 'document', document: { id: 'media-1', filename: 'счёт.pdf' } },
          body: { text: 'Tea' },
          action: { buttons: [reply('Yes', 'yes')] },
        },
      },
    ],
  ])('is %s', async (_, payload, body) => {
    const results = await open().send([message(payload)], context);
    expect(results).toEqual([
      { reference: reference(1), result: 'accepted', externalIds: ['wamid.1'] },
    ]);
    expect(content(peer.sent[0]!)).toEqual(body);
  });

  it('shows what is behind a link if the channel says so', async () => {
    await open({ previewLinks: true }).send([message({ text: 'https://tea.example' })], context);
    expect(peer.sent[0]).toMatchObject({ text: { preview_url: true } });
  });

  it.each([
    ['without anything', { text: ' ' }, 'invalid_payload'],
    [
      'with four buttons',
      { text: 'a', buttons: ['1', '2', '3', '4'].map((n) => button(n, n)) },
      'invalid_payload',
    ],
    [
      'with a long button',
      { text: 'a', buttons: [button('x'.repeat(21), 'x')] },
      'invalid_payload',
    ],
    [
      'with a long action',
      { text: 'a', buttons: [button('x', 'x'.repeat(257))] },
      'invalid_payload',
    ],
    [
      'with buttons of one text',
      { text: 'a', buttons: [button('x', '1'), button('x', '2')] },
      'invalid_payload',
    ],
    [
      'with buttons of one action',
      { text: 'a', buttons: [button('x', '1'), button('y', '1')] },
      'invalid_payload',
    ],
    [
      'with a link beside a reply',
      { text: 'a', buttons: [button('x', '1'), button('y', 'https://a.example')] },
      'invalid_payload',
    ],
    ['with buttons alone', { image: IMAGE, buttons: [button('x', '1')] }, 'invalid_payload'],
    ['with a long text', { text: 'x'.repeat(4097) }, 'too_long'],
    ['with a long caption', { text: 'x'.repeat(1025), image: IMAGE }, 'too_long'],
    [
      'with a long text above buttons',
      { text: 'x'.repeat(1025), buttons: [button('x', '1')] },
      'too_long',
    ],
    [
      'with a file that is gone',
      { file: '01890000-0000-7000-8000-0000000000ff' },
      'invalid_payload',
    ],
    ['with a large video', { file: LARGE }, 'too_long'],
  ])('%s is not even submitted', async (_, payload, code) => {
    const [result] = await open().send([message(payload)], context);
    expect(result).toMatchObject({ result: 'rejected', code });
    expect(peer.calls).not.toContain('POST messages');
  });

  it('to something other than a phone is not submitted', async () => {
    const odd = { ...message({ text: 'a' }), recipient: 'tea@mail.example' };
    expect(await open().send([odd], context)).toMatchObject([{ code: 'invalid_recipient' }]);
  });
});

describe('a file', () => {
  it('is uploaded once for all messages that have it', async () => {
    const driver = open();
    const bulk = [1, 2, 3].map((n) => message({ text: `Tea ${n}`, image: IMAGE }, n));
    await Promise.all([driver.send(bulk, context), driver.send(bulk, context)]);
    expect([peer.uploads.length, files.reads, peer.sent.length]).toEqual([1, 1, 6]);
    expect(peer.uploads[0]).toEqual({
      type: 'image/png',
      filename: 'tea.png',
      bytes: Buffer.from('png'),
    });
  });

  it('that Meta does not take fails its message alone, and is tried again with the next', async () => {
    const driver = open();
    const batch = [message({ text: 'a', file: ZIP }, 1), message({ text: 'b' }, 2)];
    expect(await driver.send(batch, context)).toMatchObject([
      { result: 'rejected', code: 'invalid_payload', carrierCode: 100 },
      { result: 'accepted' },
    ]);
    await driver.send(batch, context);
    expect(files.reads).toBe(2);
  });

  it('whose store is away waits, and others do not', async () => {
    files.isAway = true;
    const batch = [message({ text: 'a', file: PDF }, 1), message({ text: 'b' }, 2)];
    expect(await open().send(batch, context)).toMatchObject([
      { result: 'throttled', retryAfter: 6_000 },
      { result: 'accepted' },
    ]);
  });

  it('that Meta has lost is uploaded again for the next message', async () => {
    const driver = open();
    peer.script.push(metaError(131053));
    const [lost] = await driver.send([message({ image: IMAGE })], context);
    expect(lost).toMatchObject({ result: 'rejected', code: 'invalid_payload' });
    await driver.send([message({ image: IMAGE })], context);
    expect(peer.uploads).toHaveLength(2);
  });
});

const HELLO: PeerTemplate = {
  name: 'order_ready',
  language: 'en_US',
  category: 'UTILITY',
  components: [
    { type: 'HEADER', format: 'TEXT', text: 'Order {{1}}' },
    { type: 'BODY', text: 'Hello, {{1}}!\n\nYour tea costs {{2}}.' },
    { type: 'FOOTER', text: 'Mir Tea' },
  ],
};
const SALE: PeerTemplate = {
  name: 'sale',
  language: 'ru',
  category: 'MARKETING',
  parameter_format: 'NAMED',
  components: [
    { type: 'HEADER', format: 'IMAGE' },
    { type: 'BODY', text: '{{first_name}}, скидка {{percent}} %' },
    {
      type: 'BUTTONS',
      buttons: [
        { type: 'URL', text: 'Каталог', url: 'https://tea.example/c/{{1}}' },
        { type: 'QUICK_REPLY', text: 'Нет' },
      ],
    },
  ],
};
const CODE: PeerTemplate = {
  name: 'code',
  language: 'en_US',
  category: 'AUTHENTICATION',
  components: [
    { type: 'BODY', text: '*{{1}}* is your verification code.' },
    {
      type: 'BUTTONS',
      buttons: [
        {
          type: 'URL',
          text: 'Copy code',
          url: 'https://www.whatsapp.com/otp/code/?otp_type=COPY_CODE&code=otp{{1}}',
        },
      ],
    },
  ],
};
const COUPON: PeerTemplate = {
  name: 'coupon',
  language: 'en_US',
  components: [
    { type: 'HEADER', format: 'TEXT', text: 'For you' },
    { type: 'BODY', text: 'A present of us' },
    {
      type: 'BUTTONS',
      buttons: [
        { type: 'COPY_CODE', text: 'Copy' },
        { type: 'PHONE_NUMBER', text: 'Call', phone_number: '+15550783881' },
        { type: 'URL', text: 'Shop', url: 'https://tea.example/' },
      ],
    },
  ],
};
const LINK: PeerTemplate = {
  name: 'link',
  language: 'en_US',
  components: [
    { type: 'BODY', text: 'Look at {{1}}' },
    {
      type: 'BUTTONS',
      buttons: [{ type: 'URL', text: 'Open', url: 'https://tea.example/c/{{1}}' }],
    },
  ],
};
const text = (given: string, name?: string) => ({
  type: 'text',
  ...(name && { parameter_name: name }),
  text: given,
});
const asTemplate = (name: string, code: string, components?: object[]) => ({
  type: 'template',
  template: { name, language: { code }, ...(components && { components }) },
});

describe('a text that reads like an approved template', () => {
  const templates = [HELLO, SALE, CODE, COUPON, LINK];

  it.each([
    [
      'with values above and in it',
      { text: 'Order 17\nHello, Anna!\nYour tea costs 3 €.\nMir Tea' },
      asTemplate('order_ready', 'en_US', [
        { type: 'header', parameters: [text('17')] },
        { type: 'body', parameters: [text('Anna'), text('3 €')] },
      ]),
    ],
    [
      'with a picture and buttons',
      {
        text: 'Анна, скидка 10 %',
        image: IMAGE,
        buttons: [button('Каталог', 'https://tea.example/c/a?b=1'), button('Нет', 'no')],
      },
      asTemplate('sale', 'ru', [
        { type: 'header', parameters: [{ type: 'image', image: { id: 'media-1' } }] },
        { type: 'body', parameters: [text('Анна', 'first_name'), text('10', 'percent')] },
        { type: 'button', sub_type: 'url', index: '0', parameters: [text('a?b=1')] },
        {
          type: 'button',
          sub_type: 'quick_reply',
          index: '1',
          parameters: [{ type: 'payload', payload: 'no' }],
        },
      ]),
    ],
    [
      'with a code, which its button copies',
      { text: '482913 is your verification code.' },
      asTemplate('code', 'en_US', [
        { type: 'body', parameters: [text('482913')] },
        { type: 'button', sub_type: 'url', index: '0', parameters: [text('482913')] },
      ]),
    ],
    [
      'with a coupon',
      {
        text: 'A present of us',
        buttons: [
          button('Copy', 'TEA-10'),
          button('Call', 'tel:+15550783881'),
          button('Shop', 'https://tea.example/'),
        ],
      },
      asTemplate('coupon', 'en_US', [
        {
          type: 'button',
          sub_type: 'copy_code',
          index: '0',
          parameters: [{ type: 'coupon_code', coupon_code: 'TEA-10' }],
        },
      ]),
    ],
  ])('%s goes as that, also to people who have not written', async (_, payload, body) => {
    peer.templates = templates;
    peer.window = new Set();
    const [result] = await open({ businessAccountId }).send([message(payload)], context);
    expect(result).toMatchObject({ result: 'accepted' });
    expect(content(peer.sent[0]!)).toEqual(body);
  });

  it.each([
    ['has another word', { text: 'Order 17\nHello, Anna!\nYour coffee costs 3 €.\nMir Tea' }],
    ['lacks a value above it', { text: 'Hello, Anna!\nYour tea costs 3 €.' }],
    ['lacks the picture', { text: 'Анна, скидка 10 %' }],
    ['has a value of two lines', { text: '48\n13 is your verification code.' }],
    ['lacks the coupon', { text: 'A present of us' }],
    [
      'has a link to elsewhere',
      { text: 'Look at tea', buttons: [button('Open', 'https://evil.example/c/a')] },
    ],
    ['has another button', { text: 'Look at tea', buttons: [button('Show', 'x')] }],
    ['has no value', { text: ' is your verification code.' }],
  ])('but %s is free text, which only the day allows', async (_, payload) => {
    peer.templates = templates;
    peer.window = new Set();
    const [result] = await open({ businessAccountId }).send([message(payload)], context);
    expect(peer.sent).toEqual([]);
    expect(result).toEqual({
      reference: reference(1),
      result: 'rejected',
      code: 'outside_window',
      carrierCode: 131047,
      text: 'More than 24 hours have passed.',
    });
  });

  it.each([
    ['paused', { ...CODE, status: 'PAUSED' }],
    [
      'with a carousel',
      { ...CODE, components: [...CODE.components, { type: 'CAROUSEL', cards: [] }] },
    ],
    [
      'with a form',
      {
        ...CODE,
        components: [
          CODE.components[0]!,
          { type: 'BUTTONS', buttons: [{ type: 'FLOW', text: 'Go' }] },
        ],
      },
    ],
    [
      'with a place above it',
      { ...CODE, components: [{ type: 'HEADER', format: 'LOCATION' }, ...CODE.components] },
    ],
    [
      'whose values touch',
      { ...CODE, components: [{ type: 'BODY', text: '{{1}}{{2}} is your verification code.' }] },
    ],
    ['that is not understood', { name: 'x', language: 'en' } as PeerTemplate],
  ])('of a template %s is free text', async (_, template) => {
    peer.templates = [template];
    await open({ businessAccountId }).send(
      [message({ text: '1 is your verification code.' })],
      context,
    );
    expect(peer.sent[0]).toMatchObject({ type: 'text' });
  });

  it('is found on any page of the list, which is read once', async () => {
    peer.templates = [HELLO, SALE, COUPON, { ...HELLO, name: 'other' }, CODE];
    const driver = open({ businessAccountId });
    const batch = [message({ text: '1 is your verification code.' })];
    await Promise.all([1, 2, 3].map(() => driver.send(batch, context)));
    expect(peer.calls.filter((call) => call === 'GET message_templates')).toHaveLength(3);
    expect(peer.sent.map(({ type }) => type)).toEqual(['template', 'template', 'template']);
  });

  it('waits while the list cannot be read', async () => {
    const driver = open({
      businessAccountId,
      phoneNumberId: '1'.repeat(9),
      accessToken: 'x'.repeat(20),
    });
    const error = await failure(driver.send([message({ text: 'a' })], context));
    expect(error).toBeInstanceOf(ChannelDown);
    expect(error.message).toBe(
      'the templates were not read: refused: 190 the access token is not valid',
    );
    expect(peer.calls).toEqual(['GET message_templates']);
  });

  it('is compared in linear time', async () => {
    const word = 'ab '.repeat(20);
    peer.templates = Array.from({ length: 200 }, (_, n) => ({
      name: `t${n}`,
      language: 'en',
      components: [{ type: 'BODY', text: `{{1}} ${word}{{2}} ${word}{{3}} ${n}` }],
    }));
    peer.pageSize = 100;
    const driver = open({ businessAccountId });
    await driver.send([message({ text: 'a' })], context);
    const before = process.threadCpuUsage();
    const results = await driver.send([message({ text: 'ab '.repeat(1300) })], context);
    expect(process.threadCpuUsage(before).user).toBeLessThan(500_000);
    expect(results).toMatchObject([{ result: 'accepted' }]);
  });
});

describe('an answer', () => {
  const scripted = async (script: Scripted, n = 1) => {
    peer.script.push(script);
    const batch = Array.from({ length: n }, (_, i) => message({ text: 'a' }, i + 1));
    return open().send(batch, context);
  };

  it.each([
    [100, 'invalid_payload'],
    [130472, 'undeliverable'],
    [130497, 'no_route'],
    [131008, 'invalid_payload'],
    [131009, 'invalid_payload'],
    [131021, 'invalid_recipient'],
    [131026, 'not_a_user'],
    [131030, 'invalid_recipient'],
    [131047, 'outside_window'],
    [131049, 'blocked'],
    [131050, 'unsubscribed'],
    [131051, 'unsupported'],
    [132000, 'template_mismatch'],
    [132001, 'template_mismatch'],
    [132005, 'too_long'],
    [132007, 'content_rejected'],
    [132015, 'template_mismatch'],
    [132999, 'template_mismatch'],
    [139999, 'rejected'],
  ])('of %i is the reason %s', async (code, reason) => {
    const [result] = await scripted(metaError(code));
    expect(result).toMatchObject({ result: 'rejected', code: reason, carrierCode: code });
  });

  it.each([
    [0, 401, 60_000],
    [3, 400, 60_000],
    [4, 400, 300_000],
    [10, 403, 60_000],
    [200, 403, 60_000],
    [368, 403, 60_000],
    [80007, 400, 300_000],
    [130429, 400, 5_000],
    [131016, 500, 5_000],
    [131031, 403, 60_000],
    [131042, 400, 60_000],
    [131048, 400, 300_000],
    [133010, 400, 60_000],
  ])('of %i (%i) is of the number: nothing leaves for %i ms', async (code, status, wait) => {
    const error = await failure(scripted(metaError(code, status), 2));
    expect(error).toBeInstanceOf(ChannelDown);
    expect((error as ChannelDown).retryAfter).toBe(wait);
    expect(peer.sent).toEqual([]);
  });

  it('of a number that the token does not reach is of the number', async () => {
    const error = await failure(
      open({ phoneNumberId: '99999' }).send([message({ text: 'a' })], context),
    );
    expect(error).toBeInstanceOf(ChannelDown);
  });

  it('of a wrong token does not repeat it', async () => {
    const accessToken = 'EAAJB-an-old-token-of-the-channel';
    const error = await failure(open({ accessToken }).send([message({ text: 'a' })], context));
    expect(error).toBeInstanceOf(ChannelDown);
    expect(error.message).toBe('refused: 190 the access token is not valid');
  });

  it('that a person had too many holds their message alone, longer each time', async () => {
    expect(await scripted(metaError(131056), 2)).toMatchObject([
      { result: 'throttled', retryAfter: 6_000 },
      { result: 'accepted' },
    ]);
    peer.script.push(metaError(131056));
    const third = { ...message({ text: 'a' }), tries: 3 };
    expect(await open().send([third], context)).toMatchObject([{ retryAfter: 48_000 }]);
  });

  it.each<[string, Scripted, number]>([
    ['429', { status: 429, body: '' }, 5_000],
    ['503', { status: 503, body: 'Service Unavailable' }, 5_000],
    ['404 of something else', { status: 404, body: '<html>' }, 60_000],
    ['301', { status: 301, body: '' }, 60_000],
  ])('%s without words of Meta took nothing', async (_, script, wait) => {
    const error = await failure(scripted(script));
    expect(error).toBeInstanceOf(ChannelDown);
    expect((error as ChannelDown).retryAfter).toBe(wait);
  });

  it.each<[string, Scripted]>([
    ['that does not come', { fault: 'silent' }],
    ['that breaks', { fault: 'close' }],
    ['of 500 without words', { status: 500, body: '' }],
    ['of an unknown error', metaError(131000, 500)],
    ['of an error that nobody knows', metaError(999, 500)],
    ['of nothing', { body: '' }],
    ['without an id', { body: { messages: [] } }],
    ['with an id that cannot be kept', { body: { messages: [{ id: 'x'.repeat(256) }] } }],
  ])('%s leaves an unknown outcome', async (_, script) => {
    peer.script.push(script);
    const timeoutMs = script.fault === 'silent' ? 2_000 : 10_000;
    const error = await failure(open({ timeoutMs }).send([message({ text: 'a' })], context));
    expect(error).toBeInstanceOf(UnknownOutcome);
  });

  it('that does not come stops the batch: what has not left is sent again, the message itself is not', async () => {
    peer.script.push({ fault: 'close' });
    const batch = [1, 2, 3].map((n) => message({ text: 'a' }, n));
    expect(await open().send(batch, context)).toEqual([
      { reference: reference(2), result: 'unsent' },
      { reference: reference(3), result: 'unsent' },
    ]);
  });

  it('that the number may not send comes after others were taken: the rest has not left', async () => {
    const driver = open();
    await driver.send([message({ text: 'a' })], context);
    const batch = [1, 2, 3].map((n) => message({ text: 'a' }, n));
    peer.script.push({ body: { messages: [{ id: 'wamid.X' }] } }, metaError(130429));
    expect(await driver.send(batch, context)).toEqual([
      { reference: reference(1), result: 'accepted', externalIds: ['wamid.X'] },
      { reference: reference(2), result: 'unsent' },
      { reference: reference(3), result: 'unsent' },
    ]);
  });
});

describe('a connection', () => {
  it('that is refused takes nothing', async () => {
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    await new Promise((done) => server.close(done));
    const driver = open({ url: `http://127.0.0.1:${port}` });
    expect(await failure(driver.send([message({ text: 'a' })], context))).toBeInstanceOf(
      ChannelDown,
    );
  });

  it('to an address that nobody has allowed is never made', async () => {
    const error = await failure(open({}, '10.0.0.0/8').send([message({ text: 'a' })], context));
    expect(error).toBeInstanceOf(ChannelDown);
    expect(error.message).toContain('CHANNEL_ALLOWED_HOSTS');
    expect(peer.calls).toEqual([]);
  });

  it('is not made when the time of the call is over', async () => {
    const driver = open();
    const over = { ...context, signal: AbortSignal.abort() };
    expect(await failure(driver.send([message({ text: 'a' })], over))).toBeInstanceOf(ChannelDown);
    expect(peer.calls).toEqual([]);
  });
});

test('an exchange is logged without the text, the number, the code and the token', async () => {
  peer.templates = [CODE];
  const options = optionsOf({ businessAccountId });
  const shown = shownOptions(whatsappDriver, options).options;
  const secrets = secretsOf(options, (name) => name in shown);
  const log: Exchange[] = [];
  const sink = {
    takes: () => true,
    takesFailed: () => true,
    add: (one: Exchange) => void log.push(one),
  };
  const send = logged('wa', open({ businessAccountId }), secrets, sink);
  const said = '482913 is your verification code.';
  await send([message({ text: said }), message({ text: 'Geheim', image: IMAGE }, 2)], context);
  const [exchange] = log;
  expect(exchange).toMatchObject({ outcome: 'accepted', references: [reference(1), reference(2)] });
  expect(exchange!.request).toContain('"name":"code"');
  expect(exchange!.request).toContain(`POST ${peer.url}/v23.0/${WHATSAPP.phoneNumberId}/media`);
  expect(exchange!.request).toContain('…4561');
  for (const one of [said, '482913', '79001234561', 'Geheim', WHATSAPP.accessToken])
    expect(JSON.stringify(log)).not.toContain(one);
});

describe('a callback', () => {
  const NOW = new Date('2026-03-04T05:06:10Z');
  const at = new Date(1772600768_000);
  const door = () =>
    whatsappDriver.describe(parseOptions('wa', whatsappDriver.options, optionsOf())).callback!;
  const body = Buffer.from(JSON.stringify(callOf([happened({ statuses: [] })])));
  const sign = (bytes: Buffer, secret = WHATSAPP.appSecret) => ({
    'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(bytes).digest('hex')}`,
  });
  const asked = (changes: Record<string, string>) =>
    `?${new URLSearchParams({
      'hub.mode': 'subscribe',
      'hub.verify_token': WHATSAPP.verifyToken,
      'hub.challenge': '1158201444',
      ...changes,
    }).toString()}`;
  const none = Buffer.alloc(0);

  it.each([
    ['signed by Meta', { headers: sign(body), search: '', body }, true],
    [
      'changed by a byte',
      { headers: sign(body), search: '', body: Buffer.from(`${body} `) },
      false,
    ],
    [
      'signed with another secret',
      { headers: sign(body, 'x'.repeat(20)), search: '', body },
      false,
    ],
    ['not signed', { headers: {}, search: '', body }, false],
    ['not signed, but with the token', { headers: {}, search: asked({}), body }, false],
    ['signed over nothing', { headers: sign(none), search: '', body: none }, false],
    ['signed twice', { headers: { 'x-hub-signature-256': ['a', 'b'] }, search: '', body }, false],
    ['a question with the token', { headers: {}, search: asked({}), body: none }, true],
    [
      'a question with another token',
      { headers: {}, search: asked({ 'hub.verify_token': 'x' }), body: none },
      false,
    ],
    [
      'a question with another mode',
      { headers: {}, search: asked({ 'hub.mode': 'unsubscribe' }), body: none },
      false,
    ],
    [
      'a question that says more',
      { headers: {}, search: asked({ entry: '[]' }), body: none },
      false,
    ],
    ['nothing', { headers: {}, search: '', body: none }, false],
  ])('%s', (_, call, isGenuine) => {
    expect(door().isGenuine(call)).toBe(isGenuine);
  });

  const read = (fields: unknown) => door().read(fields, NOW);
  const status = (one: object) => ({
    timestamp: '1772600768',
    recipient_id: '79001234567',
    ...one,
  });

  it('that asks is answered with what it asks for, if that is a word', () => {
    expect(read({ 'hub.challenge': '1158201444' })).toMatchObject({ answer: '1158201444' });
    expect(read({ 'hub.challenge': '<script>' })).toMatchObject({ answer: 'OK' });
  });

  it.each<[object, object]>([
    [
      { id: 'wamid.A', status: 'sent' },
      { externalId: 'wamid.A', status: 'sent', at },
    ],
    [
      { id: 'wamid.A', status: 'delivered' },
      { externalId: 'wamid.A', status: 'delivered', at },
    ],
    [
      { id: 'wamid.A', status: 'read' },
      { externalId: 'wamid.A', status: 'seen', at },
    ],
    [
      { id: 'wamid.A', status: 'read', biz_opaque_callback_data: reference(1), timestamp: 'x' },
      { reference: reference(1), status: 'seen', at: NOW },
    ],
    [
      { id: 'wamid.A', status: 'delivered', biz_opaque_callback_data: 'of another program' },
      { externalId: 'wamid.A', status: 'delivered', at },
    ],
    [
      {
        id: 'wamid.A',
        status: 'failed',
        errors: [
          { code: 131026, title: 'Message undeliverable', error_data: { details: 'No user' } },
        ],
      },
      {
        externalId: 'wamid.A',
        status: 'failed',
        code: 'not_a_user',
        carrierCode: 131026,
        text: 'No user',
        at,
      },
    ],
    [
      { id: 'wamid.A', status: 'failed' },
      { externalId: 'wamid.A', status: 'failed', at },
    ],
    ...(
      [
        [131047, 'outside_window'],
        [131049, 'blocked'],
        [131050, 'unsubscribed'],
        [131053, 'invalid_payload'],
        [131000, 'unknown'],
        [131042, 'rejected'],
        [131048, 'throttled'],
        [131056, 'throttled'],
        [132015, 'template_mismatch'],
        [139999, 'undeliverable'],
      ] as const
    ).map(([code, reason]): [object, object] => [
      { id: 'wamid.A', status: 'failed', errors: [{ code, title: 'x' }] },
      { externalId: 'wamid.A', status: 'failed', code: reason, carrierCode: code, text: 'x', at },
    ]),
  ])('reports %j', (given, report) => {
    expect(read(callOf([happened({ statuses: [status(given)] })]))).toEqual({
      reports: [report],
      messages: [],
      ignored: 0,
      answer: 'OK',
    });
  });

  const wrote = (one: object) => ({
    from: '79001234567',
    id: 'wamid.I',
    timestamp: '1772600768',
    ...one,
  });
  it.each([
    [{ type: 'text', text: { body: 'да\0' } }, 'да'],
    [{ type: 'button', button: { text: 'Нет', payload: 'no' } }, 'Нет'],
    [
      {
        type: 'interactive',
        interactive: { type: 'button_reply', button_reply: { id: 'yes', title: 'Yes' } },
      },
      'Yes',
    ],
    [
      {
        type: 'interactive',
        interactive: { type: 'list_reply', list_reply: { id: '1', title: 'One' } },
      },
      'One',
    ],
    [{ type: 'image', image: { id: '1', caption: 'my tea' } }, '[image] my tea'],
    [{ type: 'audio', audio: { id: '1', voice: true } }, '[audio]'],
    [{ type: 'location', location: { latitude: 1, longitude: 2 } }, '[location]'],
    [{ type: 'unsupported', errors: [{ code: 131051 }] }, '[unsupported]'],
  ])('brings %j', (given, said) => {
    expect(read(callOf([happened({ messages: [wrote(given)] })]))).toEqual({
      reports: [],
      messages: [{ id: 'wamid.I', from: '79001234567', text: said, at }],
      ignored: 0,
      answer: 'OK',
    });
  });

  it.each([
    [
      'a template that was approved',
      [{ field: 'message_template_status_update', value: { event: 'APPROVED' } }],
    ],
    [
      'another number of the app',
      [happened({ statuses: [status({ id: 'a', status: 'read' })] }, '99999')],
    ],
    [
      'a reaction',
      [happened({ messages: [wrote({ type: 'reaction', reaction: { emoji: '👍' } })] })],
    ],
    ['a new number of a person', [happened({ messages: [wrote({ type: 'system', system: {} })] })]],
    [
      'a status that means nothing here',
      [happened({ statuses: [status({ id: 'a', status: 'deleted' })] })],
    ],
    ['a status of its own', [happened({ statuses: [status({ id: 'a', status: 'constructor' })] })]],
    ['a message without words', [happened({ messages: [wrote({ type: 'text', text: null })] })]],
    ['something', ['x']],
    ['nothing', []],
  ])('that tells of %s says nothing', (_, changes) => {
    expect(read(callOf(changes as object[]))).toEqual({
      reports: [],
      messages: [],
      ignored: 1,
      answer: 'OK',
    });
  });

  it.each([[null], [[]], [{}], [{ entry: 7 }], [{ entry: [{ changes: null }] }]])(
    '%j says nothing',
    (fields) => {
      expect(read(fields)).toMatchObject({ reports: [], messages: [], ignored: 1 });
    },
  );

  it('has many events of several entries', () => {
    const statuses = Array.from({ length: 500 }, (_, n) =>
      status({ id: `wamid.${n}`, status: 'sent' }),
    );
    const changes = [
      happened({ statuses }),
      happened({ statuses, messages: [wrote({ type: 'text', text: { body: 'a' } })] }),
    ];
    const { reports, messages } = read(callOf(changes)) as {
      reports: unknown[];
      messages: unknown[];
    };
    expect([reports.length, messages.length]).toEqual([1000, 1]);
  });
});
