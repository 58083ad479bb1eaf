import { createECDH } from 'node:crypto';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { NO_FILES } from '../../../test/peers/message-files.ts';
import { NO_CHATS } from '../../../test/peers/chats.ts';
import { Devices } from '../../../test/peers/push-devices.ts';
import {
  type WebPushAnswer,
  type WebPushFault,
  WebPushPeer,
} from '../../../test/peers/web-push-peer.ts';
import { Outbound } from '../../core/http/outbound.ts';
import type { Driver, DriverContext, OutgoingMessage, PushDevice } from '../channel.ts';
import { parseOptions } from '../options.ts';
import { webPushDriver } from './web-push.driver.ts';

const now = new Date('2026-03-04T05:06:07Z');
const context: DriverContext = {
  now,
  signal: new AbortController().signal,
  progress: () => undefined,
};

function newKeys() {
  const pair = createECDH('prime256v1');
  const publicKey = pair.generateKeys('base64url');
  const privateKey = Buffer.alloc(32);
  const bytes = pair.getPrivateKey();
  bytes.copy(privateKey, 32 - bytes.length);
  return { publicKey, privateKey: privateKey.toString('base64url') };
}

let peer: WebPushPeer;
const keys = newKeys();
const closing: (() => unknown)[] = [];
beforeEach(async () => {
  peer = await new WebPushPeer().start();
  closing.push(() => peer.stop());
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const message = (reference: string, changes: Partial<OutgoingMessage> = {}): OutgoingMessage => ({
  reference,
  type: 'push',
  sender: 'MIRTEA',
  recipient: '+4915112345678',
  payload: { text: 'Ваш заказ готов: https://tea.example/o/1.' },
  segments: 1,
  tries: 0,
  ...changes,
});

function driverOf(devices: Devices, options: object = {}, allowed = '127.0.0.0/8'): Driver {
  const given = { subject: 'mailto:push@tea.example', ...keys, timeoutMs: 10_000, ...options };
  const driver = webPushDriver.open(parseOptions('push', webPushDriver.options, given), {
    channel: 'push',
    outbound: new Outbound(allowed, 'CHANNEL_ALLOWED_HOSTS'),
    senders: { send: () => Promise.reject(new Error('no senders')) },
    files: NO_FILES,
    devices,
    chats: NO_CHATS,
    inbox: { reports: () => Promise.resolve(), messages: () => Promise.resolve() },
  });
  closing.push(() => driver.close!());
  return driver;
}
/** A browser that has subscribed for each of the messages. */
async function browsers(...references: string[]) {
  const all: Record<string, PushDevice> = {};
  for (const one of references) all[one] = await peer.subscribe(keys.publicKey);
  const byReference = Object.entries(all).map(([one, device]) => [one, [device]]);
  return { all, devices: new Devices(Object.fromEntries(byReference) as never) };
}

describe('a message', () => {
  it('is encrypted for the browser, and names who sends it', async () => {
    const { all, devices } = await browsers('a', 'b');
    const validity = { until: '2026-03-04T05:07:07Z', seconds: 60 };
    const batch = [message('a'), message('b', { validity, payload: { text: 'Hello' } })];
    expect(await driverOf(devices).send(batch, context)).toEqual([
      { reference: 'a', result: 'accepted' },
      { reference: 'b', result: 'accepted' },
    ]);
    expect(peer.taken.toSorted((one, other) => other.ttl - one.ttl)).toEqual([
      {
        id: all.a!.id,
        ttl: 2_419_200,
        urgency: 'high',
        content: {
          id: 'a',
          title: 'MIRTEA',
          body: 'Ваш заказ готов: https://tea.example/o/1.',
          link: 'https://tea.example/o/1',
        },
      },
      {
        id: all.b!.id,
        ttl: 60,
        urgency: 'high',
        content: { id: 'b', title: 'MIRTEA', body: 'Hello' },
      },
    ]);
    // One token for the service.
    expect(new Set(peer.authorizations).size).toBe(1);
  });

  it('that is larger than each service takes is not sent', async () => {
    const { devices } = await browsers('a');
    const long = message('a', { payload: { text: 'ж'.repeat(2_000) } });
    const results = await driverOf(devices).send([long], context);
    expect(results).toEqual([{ reference: 'a', result: 'rejected', code: 'too_long' }]);
    expect(peer.calls).toBe(0);
    const fits = message('a', { payload: { text: 'ж'.repeat(1_970) } });
    expect(await driverOf(devices).send([fits], context)).toMatchObject([{ result: 'accepted' }]);
  });

  it('to a number without a browser fails', async () => {
    const results = await driverOf(new Devices({})).send([message('a')], context);
    expect(results).toEqual([{ reference: 'a', result: 'rejected', code: 'not_a_user' }]);
  });

  it('to a subscription of another key fails, and the subscription stays', async () => {
    const { devices } = await browsers('a');
    const results = await driverOf(devices, newKeys()).send([message('a')], context);
    expect(results).toMatchObject([{ result: 'rejected', code: 'not_authorized' }]);
    expect(devices.removed).toEqual([]);
  });
});

describe('an answer', () => {
  const rejected = { result: 'rejected' };
  it.each<[WebPushAnswer, object, boolean]>([
    [{ status: 404 }, { ...rejected, code: 'not_a_user', carrierCode: 404 }, true],
    [{ status: 410 }, { ...rejected, code: 'not_a_user', carrierCode: 410 }, true],
    [{ status: 413 }, { ...rejected, code: 'too_long', carrierCode: 413 }, false],
    [
      { status: 400, body: 'BadTtl' },
      { ...rejected, code: 'rejected', carrierCode: 400, text: 'BadTtl' },
      false,
    ],
    [
      { status: 401, body: 'Unauthorized' },
      { ...rejected, code: 'not_authorized', carrierCode: 401 },
      false,
    ],
    [
      { status: 403, body: '{"reason":"BadJwtToken"}' },
      { ...rejected, code: 'not_authorized', text: '{"reason":"BadJwtToken"}' },
      false,
    ],
    [
      { status: 307, headers: { location: 'http://127.0.0.1:9/' } },
      { ...rejected, code: 'rejected', carrierCode: 307 },
      false,
    ],
    [
      { status: 429, headers: { 'retry-after': '7' } },
      { result: 'throttled', retryAfter: 7_000 },
      false,
    ],
    [{ status: 429 }, { result: 'throttled', retryAfter: 30_000 }, false],
    [
      { status: 503, headers: { 'retry-after': '5' } },
      { result: 'throttled', retryAfter: 5_000 },
      false,
    ],
  ])('%j', async (answer, expected, isGone) => {
    const { all, devices } = await browsers('a', 'b');
    peer.answers[all.a!.id] = answer;
    const results = await driverOf(devices).send([message('a'), message('b')], context);
    expect(results).toMatchObject([
      { reference: 'a', ...expected },
      { reference: 'b', result: 'accepted' },
    ]);
    expect(devices.removed).toEqual(isGone ? [all.a!.id] : []);
  });

  it.each<WebPushAnswer | WebPushFault>([
    { status: 500 },
    { status: 502, body: 'Bad gateway' },
    'drop',
    'silence',
    { status: 400, body: 'x'.repeat(100_000) },
  ])('%j leaves the outcome of the one message unknown', async (answer) => {
    const { all, devices } = await browsers('a', 'b');
    peer.answers[all.a!.id] = answer;
    const driver = driverOf(devices, answer === 'silence' ? { timeoutMs: 2_000 } : {});
    const results = await driver.send([message('a'), message('b')], context);
    expect(results).toEqual([{ reference: 'b', result: 'accepted' }]);
  });
});

describe('a push service', () => {
  it.each([
    [0, 30_000],
    [3, 240_000],
    [99, 3_600_000],
  ])('that is away after %i tries is asked later, others at once', async (tries, retryAfter) => {
    const server = createServer();
    const port = await new Promise<number>((done) =>
      server.listen(0, '127.0.0.1', () => done((server.address() as AddressInfo).port)),
    );
    await new Promise((done) => server.close(done));
    const { all } = await browsers('b');
    const away = { ...all.b!, address: `http://127.0.0.1:${port}/push/1` };
    const devices = new Devices({ a: [away], b: [all.b!] });
    const batch = [message('a', { tries }), message('b')];
    expect(await driverOf(devices).send(batch, context)).toEqual([
      { reference: 'a', result: 'throttled', retryAfter },
      { reference: 'b', result: 'accepted' },
    ]);
  });

  it('is called at allowed addresses only', async () => {
    const { devices } = await browsers('a');
    const results = await driverOf(devices, {}, '10.0.0.0/8').send([message('a')], context);
    expect(results).toMatchObject([{ result: 'rejected', code: 'invalid_recipient' }]);
    expect(peer.calls).toBe(0);
  });

  it('is left alone once the time of the call is over', async () => {
    const { all, devices } = await browsers('a', 'b');
    peer.answers[all.a!.id] = 'silence';
    const driver = driverOf(devices, { connections: 1 });
    const stop = new AbortController();
    const sending = driver.send([message('a'), message('b')], { ...context, signal: stop.signal });
    await expect.poll(() => peer.calls).toBe(1);
    stop.abort();
    const results = await sending;
    expect(results).toEqual([{ reference: 'b', result: 'unsent' }]);
  });
});

it('what is said is noted without texts, numbers, addresses and keys', async () => {
  const { all, devices } = await browsers('a');
  peer.answers[all.a!.id] = { status: 400, body: `no ${all.a!.address}` };
  const parts: string[] = [];
  await driverOf(devices).send([message('a', { payload: { text: 'Code 482913' } })], {
    ...context,
    trace: (part) => parts.push(JSON.stringify(part())),
  });
  expect(parts).toHaveLength(2);
  expect(parts.join()).toContain('[11]');
  for (const one of ['482913', '12345678', all.a!.id, all.a!.keys!.auth, keys.privateKey, 'vapid'])
    expect(parts.join()).not.toContain(one);
});
