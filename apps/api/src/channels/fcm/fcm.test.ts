import { type AddressInfo, createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { callContext, failure, openContext } from '../../../test/open-channel.ts';
import { type FcmAnswer, FcmPeer } from '../../../test/peers/fcm-peer.ts';
import { Devices } from '../../../test/peers/push-devices.ts';
import { ChannelDown, type Driver, type OutgoingMessage, type PushDevice } from '../channel.ts';
import { parseOptions } from '../options.ts';
import { fcmDriver } from './fcm.driver.ts';

const now = new Date('2026-03-04T05:06:07Z');
const context = callContext(now);

let peer: FcmPeer;
let account: Awaited<ReturnType<FcmPeer['start']>>;
const closing: (() => unknown)[] = [];
beforeEach(async () => {
  peer = new FcmPeer();
  account = await peer.start();
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
  payload: { text: 'Ваш заказ готов' },
  segments: 1,
  tries: 0,
  ...changes,
});
const device = (address: string): PushDevice => ({ id: `id-of-${address}`, address });

function driverOf(devices: Devices, options: object = {}, allowed?: string): Driver {
  const given = { ...account, timeoutMs: 10_000, ...options };
  const driver = fcmDriver.open(
    parseOptions('push', fcmDriver.options, given),
    openContext({ channel: 'push', devices }, allowed),
  );
  closing.push(() => driver.close!());
  return driver;
}
/** One device for each of the messages. */
const each = (...references: string[]) =>
  new Devices(Object.fromEntries(references.map((one) => [one, [device(`token-${one}`)]])));

describe('a message', () => {
  it('is one request for each device of the recipient, and accepted once', async () => {
    const devices = new Devices({ a: [device('phone'), device('tablet')], b: [device('other')] });
    const results = await driverOf(devices).send([message('a'), message('b')], context);
    expect(results).toEqual([
      { reference: 'a', result: 'accepted' },
      { reference: 'b', result: 'accepted' },
    ]);
    expect(peer.taken.map(({ token }) => token).toSorted()).toEqual(['other', 'phone', 'tablet']);
    expect(peer.taken[0]).toEqual({
      token: 'phone',
      notification: { title: 'MIRTEA', body: 'Ваш заказ готов' },
      data: { id: 'a' },
      android: { ttl: '2419200s', priority: 'HIGH' },
      apns: { headers: { 'apns-expiration': '1775019967' } },
      webpush: { headers: { TTL: '2419200' } },
    });
    expect(peer.granted).toHaveLength(1);
  });

  it.each([
    ['Order: https://tea.example/o/1?a=b.', 'https://tea.example/o/1?a=b', true],
    ['(http://tea.example/o)', 'http://tea.example/o', false],
    ['Готов https://чай.рф/1', 'https://чай.рф/1', true],
    ['https:// nothing', undefined, false],
    ['no link', undefined, false],
  ])('%j opens %s', async (text, link, isOpenedByBrowsers) => {
    const sent = message('a', { payload: { text } });
    const [result] = await driverOf(each('a')).send([sent], context);
    expect(result).toMatchObject({ result: 'accepted' });
    expect(peer.taken[0]).toMatchObject({ data: link ? { id: 'a', link } : { id: 'a' } });
    expect(peer.taken[0]!.webpush.fcm_options).toEqual(isOpenedByBrowsers ? { link } : undefined);
  });

  it('is kept by the service as long as it is valid', async () => {
    const validity = { until: '2026-03-04T05:07:07Z', seconds: 60 };
    await driverOf(each('a')).send([message('a', { validity })], context);
    expect(peer.taken[0]).toMatchObject({
      android: { ttl: '60s' },
      apns: { headers: { 'apns-expiration': String(now.getTime() / 1000 + 60) } },
      webpush: { headers: { TTL: '60' } },
    });
  });

  it('that is larger than the service takes is not sent', async () => {
    const long = message('a', { payload: { text: 'ж'.repeat(2_100) } });
    const results = await driverOf(each('a')).send([long], context);
    expect(results).toEqual([{ reference: 'a', result: 'rejected', code: 'too_long' }]);
    expect(peer.calls).toBe(0);
  });

  it('to a number without a device fails', async () => {
    const results = await driverOf(new Devices({})).send([message('a')], context);
    expect(results).toEqual([{ reference: 'a', result: 'rejected', code: 'not_a_user' }]);
    expect(peer.granted).toEqual([]);
  });
});

describe('an answer', () => {
  const rejected = { result: 'rejected' };
  it.each<[string, FcmAnswer, object]>([
    [
      'no such app any more',
      { status: 404, error: { status: 'NOT_FOUND', errorCode: 'UNREGISTERED' } },
      { ...rejected, code: 'not_a_user', carrierCode: 'UNREGISTERED' },
    ],
    [
      'no registration token, by its text',
      {
        status: 400,
        error: {
          status: 'INVALID_ARGUMENT',
          errorCode: 'INVALID_ARGUMENT',
          message: 'The registration token is not a valid FCM registration token',
        },
      },
      { ...rejected, code: 'not_a_user', carrierCode: 'INVALID_ARGUMENT' },
    ],
    [
      'no registration token, by its field',
      { status: 400, error: { status: 'INVALID_ARGUMENT', field: 'message.token' } },
      { ...rejected, code: 'not_a_user', carrierCode: 'INVALID_ARGUMENT' },
    ],
    [
      'too big',
      { status: 400, error: { status: 'INVALID_ARGUMENT', message: 'Message too big' } },
      { ...rejected, code: 'too_long', text: 'Message too big' },
    ],
    [
      'another argument',
      { status: 400, error: { status: 'INVALID_ARGUMENT', field: 'message.data' } },
      { ...rejected, code: 'invalid_payload', carrierCode: 'INVALID_ARGUMENT' },
    ],
    [
      'the app of another project',
      { status: 403, error: { status: 'PERMISSION_DENIED', errorCode: 'SENDER_ID_MISMATCH' } },
      { ...rejected, code: 'not_authorized', carrierCode: 'SENDER_ID_MISMATCH' },
    ],
    [
      'a key for Apple that is wrong',
      { status: 401, error: { status: 'UNAUTHENTICATED', errorCode: 'THIRD_PARTY_AUTH_ERROR' } },
      { ...rejected, code: 'not_authorized', carrierCode: 'THIRD_PARTY_AUTH_ERROR' },
    ],
    [
      'too many',
      {
        status: 429,
        headers: { 'retry-after': '7' },
        error: { status: 'RESOURCE_EXHAUSTED', errorCode: 'QUOTA_EXCEEDED' },
      },
      { result: 'throttled', retryAfter: 7_000 },
    ],
    [
      'too many, without a time',
      { status: 429, error: { status: 'RESOURCE_EXHAUSTED' } },
      { result: 'throttled', retryAfter: 60_000 },
    ],
    [
      'overloaded',
      { status: 503, headers: { 'retry-after': '3' }, error: { status: 'UNAVAILABLE' } },
      { result: 'throttled', retryAfter: 3_000 },
    ],
    ['away', { status: 503 }, { result: 'throttled', retryAfter: 30_000 }],
  ])('%s', async (_, answer, expected) => {
    peer.answers['token-a'] = answer;
    const results = await driverOf(each('a', 'b')).send([message('a'), message('b')], context);
    expect(results).toMatchObject([
      { reference: 'a', ...expected },
      { reference: 'b', result: 'accepted' },
    ]);
  });

  it.each<[string, FcmAnswer | 'silence' | 'drop']>([
    ['an internal error', { status: 500, error: { status: 'INTERNAL' } }],
    ['a gateway', { status: 502, body: 'Bad gateway' }],
    ['no name of a message', { status: 200, body: '{}' }],
    ['the page of a proxy', { status: 200, body: '<html>' }],
    ['a broken connection', 'drop'],
    ['silence', 'silence'],
  ])('with %s leaves the outcome of the one message unknown', async (_, answer) => {
    peer.answers['token-a'] = answer;
    const driver = driverOf(each('a', 'b'), answer === 'silence' ? { timeoutMs: 2_000 } : {});
    const results = await driver.send([message('a'), message('b')], context);
    expect(results).toEqual([{ reference: 'b', result: 'accepted' }]);
  });

  it.each<[string, FcmAnswer]>([
    ['no such project', { status: 404, error: { status: 'NOT_FOUND' } }],
    ['the API is switched off', { status: 403, error: { status: 'PERMISSION_DENIED' } }],
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:9/' }, body: '' }],
    ['a proxy', { status: 400, body: 'Bad request' }],
  ])('%s: the channel is down, and nothing more is sent', async (_, answer) => {
    peer.answers['token-a'] = answer;
    const driver = driverOf(each('a', 'b', 'c'), { connections: 1 });
    const error = await failure<ChannelDown>(driver.send([message('a'), message('b')], context));
    expect(error).toBeInstanceOf(ChannelDown);
    expect(error.retryAfter).toBe(60_000);
    expect(peer.calls).toBe(1);
    const mixed = await driver.send([message('b'), message('a'), message('c')], context);
    expect(mixed.map(({ result }) => result)).toEqual(['accepted', 'unsent', 'unsent']);
  });
});

describe('of several devices', () => {
  const unregistered: FcmAnswer = {
    status: 404,
    error: { status: 'NOT_FOUND', errorCode: 'UNREGISTERED' },
  };
  const busy: FcmAnswer = { status: 503 };

  it.each<[string, (FcmAnswer | 'drop' | undefined)[], string | undefined]>([
    ['one has it', [unregistered, undefined, busy, 'drop'], 'accepted'],
    ['one may have it', [busy, 'drop', unregistered], undefined],
    ['one is to be tried again', [unregistered, busy], 'throttled'],
    ['none is there', [unregistered, unregistered], 'rejected'],
  ])('%s', async (_, answers, expected) => {
    const all = answers.map((answer, n) => {
      if (answer) peer.answers[`token-${n}`] = answer;
      return device(`token-${n}`);
    });
    const devices = new Devices({ a: all });
    const results = await driverOf(devices).send([message('a')], context);
    expect(results.map(({ result }) => result)).toEqual(expected ? [expected] : []);
    const gone = answers.flatMap((answer, n) =>
      answer === unregistered ? [`id-of-token-${n}`] : [],
    );
    expect(devices.removed.toSorted()).toEqual(gone);
  });

  it('those that are gone do no harm if they cannot be removed', async () => {
    peer.answers['token-a'] = unregistered;
    const devices = each('a');
    devices.remove = () => Promise.reject(new Error('the store is away'));
    const results = await driverOf(devices).send([message('a')], context);
    expect(results).toMatchObject([{ result: 'rejected', code: 'not_a_user' }]);
  });

  it('nothing leaves while they cannot be read', async () => {
    const devices = each('a');
    devices.isAway = true;
    expect(await failure(driverOf(devices).send([message('a')], context))).toBeInstanceOf(
      ChannelDown,
    );
    expect(peer.calls).toBe(0);
  });
});

describe('the access token', () => {
  it('is asked for once, and again before it expires', async () => {
    const driver = driverOf(each('a', 'b', 'c'));
    await driver.send([message('a'), message('b'), message('c')], context);
    await driver.send([message('a')], context);
    expect(peer.granted).toHaveLength(1);
    peer.expiresIn = 0.02;
    const brief = driverOf(each('a'));
    await brief.send([message('a')], context);
    await new Promise((done) => setTimeout(done, 30));
    await brief.send([message('a')], context);
    expect(peer.granted).toHaveLength(3);
  });

  it('is replaced once when it is refused, also for many messages at a time', async () => {
    const driver = driverOf(each('a', 'b', 'c', 'd'));
    await driver.send([message('a')], context);
    peer.revoked.add(peer.granted[0]!);
    const results = await driver.send(
      ['a', 'b', 'c', 'd'].map((one) => message(one)),
      context,
    );
    expect(results.map(({ result }) => result)).toEqual(Array(4).fill('accepted'));
    expect(peer.granted).toHaveLength(2);
  });

  it('that is refused again takes the channel down', async () => {
    const driver = driverOf(each('a'));
    for (let n = 0; n < 3; n++) peer.revoked.add(`ya29.token-${n}`);
    const error = await failure<ChannelDown>(driver.send([message('a')], context));
    expect(error).toBeInstanceOf(ChannelDown);
    expect(error.retryAfter).toBe(60_000);
    expect(peer.calls).toBe(2);
  });

  it.each<[string, FcmAnswer, number]>([
    ['another key', { status: 400, body: '{"error":"invalid_grant"}' }, 60_000],
    ['too many questions', { status: 429, headers: { 'retry-after': '4' } }, 4_000],
    ['an error', { status: 500 }, 10_000],
    ['no token', { status: 200, body: '{"access_token":"a b","expires_in":1}' }, 10_000],
    ['a page', { status: 200, body: '<html>' }, 10_000],
  ])('is not there, by %s: nothing has left', async (_, answer, wait) => {
    peer.tokenAnswers.push(answer);
    const error = await failure<ChannelDown>(driverOf(each('a')).send([message('a')], context));
    expect(error).toBeInstanceOf(ChannelDown);
    expect(error.retryAfter).toBe(wait);
    expect(peer.calls).toBe(0);
  });

  it('is not granted to another key', async () => {
    const other = new FcmPeer();
    const { serviceAccount } = await other.start();
    closing.push(() => other.stop());
    const driver = driverOf(each('a'), { serviceAccount });
    expect((await failure(driver.send([message('a')], context))).message).toContain('400');
  });
});

describe('a connection', () => {
  it('that is refused takes nothing', async () => {
    const server = createServer();
    const port = await new Promise<number>((done) =>
      server.listen(0, '127.0.0.1', () => done((server.address() as AddressInfo).port)),
    );
    await new Promise((done) => server.close(done));
    const driver = driverOf(each('a', 'b'), { url: `http://127.0.0.1:${port}` });
    const error = await failure<ChannelDown>(driver.send([message('a'), message('b')], context));
    expect(error).toBeInstanceOf(ChannelDown);
  });

  it('goes to allowed addresses only', async () => {
    const driver = driverOf(each('a'), {}, '10.0.0.0/8');
    const error = await failure<ChannelDown>(driver.send([message('a')], context));
    expect(error.message).toContain('CHANNEL_ALLOWED_HOSTS');
    expect(peer.granted).toEqual([]);
  });

  it('carries one request at a time, and there are as many as the options say', async () => {
    const references = Array.from({ length: 30 }, (_, n) => `m${n}`);
    peer.delayMs = 20;
    const driver = driverOf(each(...references), { connections: 20 });
    const batch = references.map((one) => message(one));
    expect(await driver.send(batch, context)).toHaveLength(30);
    expect(peer.most).toBe(5);
  });

  it('is left alone once the time of the call is over', async () => {
    peer.answers['token-a'] = 'silence';
    const driver = driverOf(each('a', 'b'), { connections: 1 });
    const stop = new AbortController();
    const sending = driver.send([message('a'), message('b')], { ...context, signal: stop.signal });
    await expect.poll(() => peer.calls).toBe(1);
    stop.abort();
    const results = await sending;
    expect(results).toEqual([{ reference: 'b', result: 'unsent' }]);
    const never = driver.send([message('a')], { ...context, signal: AbortSignal.abort() });
    await expect(never).resolves.toEqual([{ reference: 'a', result: 'unsent' }]);
  });
});

it('what is said is noted without texts, numbers, tokens and keys', async () => {
  const token = 'dQw4w9WgXcQ:APA91bHPRgkF3JUikC4ENAHEeMrd';
  const parts: string[] = [];
  peer.answers[token] = { status: 400, body: `no ${token}` };
  const driver = driverOf(new Devices({ a: [device(token)] }));
  await failure(
    driver.send([message('a', { payload: { text: 'Code 482913' } })], {
      ...context,
      trace: (part) => parts.push(JSON.stringify(part())),
    }),
  );
  expect(parts).toHaveLength(2);
  expect(parts.join()).toContain('…eMrd');
  expect(parts.join()).not.toMatch(/482913|12345678|APA91|ya29|PRIVATE/);
});

it('messages count as delivered after a while, as nobody tells', async () => {
  const submitted = (reference: string, seconds: number, state: 'submitted' | 'unknown') => ({
    reference,
    type: 'push' as const,
    recipient: '+4915112345678',
    submittedAt: new Date(now.getTime() - seconds * 1000),
    state,
  });
  const driver = driverOf(new Devices({}), { deliveredAfter: 60 });
  const asked = [
    submitted('a', 61, 'submitted'),
    submitted('b', 20, 'submitted'),
    submitted('c', 99, 'unknown'),
  ];
  expect(await driver.query!(asked, { now, since: null, signal: context.signal })).toEqual({
    reports: [{ reference: 'a', status: 'delivered', at: new Date(now.getTime() - 1_000) }],
    replies: [],
    nextAt: new Date(now.getTime() + 40_000),
  });
});
