import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';

import { callContext, failure, openContext, reference } from '../../../test/open-channel.ts';
import {
  GATEWAY,
  gatewayError,
  gatewaySignature,
  type ScriptedAnswer,
  TelegramGatewayPeer,
} from '../../../test/peers/telegram-gateway-peer.ts';
import { ChannelDown, type Driver, type OutgoingMessage, UnknownOutcome } from '../channel.ts';
import { type Exchange, logged, secretsOf } from '../exchanges.ts';
import { parseOptions, shownOptions } from '../options.ts';
import { telegramGatewayDriver } from './telegram-gateway.driver.ts';

const context = callContext();

const message = (n = 1, changes: Partial<OutgoingMessage> = {}): OutgoingMessage => ({
  reference: reference(n),
  type: 'telegramcode',
  sender: 'Helio',
  recipient: `+7900123456${n}`,
  payload: { text: '482913' },
  segments: 1,
  tries: 0,
  ...changes,
});

let peer: TelegramGatewayPeer;
const closing: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  peer = new TelegramGatewayPeer();
  await peer.listen();
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await peer.close();
});

const optionsOf = (options: object = {}) => ({ url: peer.url, ...GATEWAY, ...options });
const parsed = (options: object = {}) =>
  parseOptions('codes', telegramGatewayDriver.options, optionsOf(options));

function open(options: object = {}, allowed?: string): Driver {
  const driver = telegramGatewayDriver.open(
    parsed(options),
    openContext({ channel: 'codes' }, allowed),
  );
  closing.push(() => driver.close!());
  return driver;
}

const scripted = (script: ScriptedAnswer, options: object = {}) => {
  peer.script.push(script);
  return open(options).send([message()], context);
};

describe('a code', () => {
  it('goes with our id, the address of reports and its time', async () => {
    expect(await open().send([message(), message(2)], context)).toEqual([
      { reference: reference(1), result: 'accepted', externalIds: ['request-1'] },
      { reference: reference(2), result: 'accepted', externalIds: ['request-2'] },
    ]);
    expect(peer.sent[0]).toEqual({
      phone_number: '+79001234561',
      code: '482913',
      callback_url: GATEWAY.callbackUrl,
      payload: reference(1),
      ttl: 300,
    });
  });

  it('comes in the name of a verified channel', async () => {
    await open({ username: 'mir_tea' }).send([message()], context);
    expect(peer.sent).toMatchObject([{ sender_username: 'mir_tea' }]);
  });

  it.each<[number | undefined, number | undefined, number]>([
    [undefined, undefined, 300],
    [3600, undefined, 3600],
    [600, 120, 120],
    [60, 7200, 60],
    [600, 59.9, 59],
    [600, 5, 30],
  ])('of a channel of %j s, with %j s of its own, has %i s', async (ttl, seconds, given) => {
    const validity = seconds ? { until: '2026-01-01T00:00:00Z', seconds } : undefined;
    await open({ ttl }).send([message(1, { validity })], context);
    expect(peer.sent).toMatchObject([{ ttl: given }]);
  });

  it.each([
    [{ payload: { text: '123' } }, 'invalid_payload'],
    [{ payload: { text: '123456789' } }, 'invalid_payload'],
    [{ payload: { text: 'Code 1234' } }, 'invalid_payload'],
    [{ payload: { text: '1234\n' } }, 'invalid_payload'],
    [{ payload: {} }, 'invalid_payload'],
    [{ recipient: 'a@tea.example' }, 'invalid_recipient'],
    [{ recipient: '79001234567' }, 'invalid_recipient'],
  ])('that is %j never leaves', async (changes, code) => {
    expect(await open().send([message(1, changes)], context)).toEqual([
      { reference: reference(1), result: 'rejected', code },
    ]);
    expect(peer.calls).toBe(0);
  });
});

describe('an answer', () => {
  it.each([
    ['PHONE_NUMBER_INVALID', 'invalid_recipient'],
    ['PHONE_NUMBER_NOT_FOUND', 'not_a_user'],
    ['PHONE_NUMBER_NOT_AVAILABLE', 'not_a_user'],
    ['CODE_INVALID', 'invalid_payload'],
    ['TTL_INVALID', 'rejected'],
    ['SOMETHING_NEW', 'rejected'],
    ['constructor', 'rejected'],
  ])('%s refuses the code: %s', async (name, code) => {
    for (const status of [200, 400])
      expect(await scripted(gatewayError(name, status))).toEqual([
        { reference: reference(1), result: 'rejected', code, carrierCode: name },
      ]);
  });

  it.each<[string, number, number, boolean]>([
    ['ACCESS_TOKEN_INVALID', 200, 60_000, false],
    ['ACCESS_TOKEN_REQUIRED', 401, 60_000, false],
    ['BALANCE_NOT_ENOUGH', 200, 60_000, false],
    ['SENDER_USERNAME_INVALID', 200, 60_000, false],
    ['CALLBACK_URL_INVALID', 200, 60_000, false],
    ['FLOOD_WAIT', 200, 5_000, false],
    ['FLOOD_WAIT_17', 200, 17_000, true],
    ['FLOOD_WAIT_999999999', 429, 3_600_000, true],
    ['SOMETHING_NEW', 429, 5_000, false],
    ['SOMETHING_NEW', 401, 60_000, false],
  ])('%s (%i) holds the channel for %i ms', async (name, status, wait, isAsked) => {
    const error = await failure(scripted(gatewayError(name, status)));
    expect(error).toBeInstanceOf(ChannelDown);
    expect(error).toMatchObject({ retryAfter: wait, isAsked });
    expect(peer.sent).toEqual([]);
  });

  it('of a wrong token does not repeat it', async () => {
    const token = 'an-old-token-of-the-gateway';
    const error = await failure(open({ token }).send([message()], context));
    expect(error).toBeInstanceOf(ChannelDown);
    expect(error.message).toBe('refused: ACCESS_TOKEN_INVALID');
  });

  it.each<[string, ScriptedAnswer]>([
    ['404 of something else', { status: 404, body: '<html>' }],
    ['301', { status: 301, body: '' }],
    ['503', { status: 503, body: '' }],
  ])('%s without words of Telegram took nothing', async (_, script) => {
    expect(await failure(scripted(script))).toBeInstanceOf(ChannelDown);
  });

  it.each<[string, ScriptedAnswer]>([
    ['that does not come', { fault: 'silent' }],
    ['that breaks', { fault: 'close' }],
    ['of 500', { status: 500, body: '' }],
    ['of an unknown error of the server', gatewayError('INTERNAL', 500)],
    ['of nothing', { body: '' }],
    ['without an id', { body: { ok: true, result: {} } }],
    [
      'with an id that cannot be kept',
      { body: { ok: true, result: { request_id: 'x'.repeat(256) } } },
    ],
  ])('%s leaves an unknown outcome', async (_, script) => {
    const timeoutMs = script.fault === 'silent' ? 2_000 : 10_000;
    expect(await failure(scripted(script, { timeoutMs }))).toBeInstanceOf(UnknownOutcome);
    expect(peer.calls).toBe(1);
  });

  it('that does not come concerns one code: the others have not left', async () => {
    peer.script.push({ fault: 'close' });
    expect(
      await open().send(
        [1, 2, 3].map((n) => message(n)),
        context,
      ),
    ).toEqual([
      { reference: reference(2), result: 'unsent' },
      { reference: reference(3), result: 'unsent' },
    ]);
  });

  it('of a limit comes after others were taken: the rest has not left', async () => {
    peer.script.push(
      { body: { ok: true, result: { request_id: 'r' } } },
      gatewayError('FLOOD_WAIT_3'),
    );
    expect(
      await open().send(
        [1, 2, 3].map((n) => message(n)),
        context,
      ),
    ).toEqual([
      { reference: reference(1), result: 'accepted', externalIds: ['r'] },
      { reference: reference(2), result: 'unsent' },
      { reference: reference(3), result: 'unsent' },
    ]);
  });
});

describe('a connection', () => {
  it('to an address that nobody has allowed is never made', async () => {
    const error = await failure(open({}, '10.0.0.0/8').send([message()], context));
    expect(error).toBeInstanceOf(ChannelDown);
    expect(error.message).toContain('CHANNEL_ALLOWED_HOSTS');
    expect(peer.calls).toBe(0);
  });

  it('is not made when the time of the call is over', async () => {
    const over = { ...context, signal: AbortSignal.abort() };
    expect(await failure(open().send([message()], over))).toBeInstanceOf(ChannelDown);
    expect(peer.calls).toBe(0);
  });
});

test('an exchange is logged without the code, the number and the token', async () => {
  const options = optionsOf();
  const shown = shownOptions(telegramGatewayDriver, options).options;
  expect(shown).not.toHaveProperty('token');
  const log: Exchange[] = [];
  const sink = {
    takes: () => true,
    takesFailed: () => true,
    add: (one: Exchange) => void log.push(one),
  };
  const send = logged(
    'codes',
    open(),
    secretsOf(options, (name) => name in shown),
    sink,
  );
  peer.script.push({ body: { ok: false, error: `${GATEWAY.token} 482913 +79001234561` } });
  await send([message(), message(2)], context);
  expect(log[0]!.request).toContain(`POST ${peer.url}/sendVerificationMessage`);
  expect(log[0]!.request).toContain('…4561');
  for (const one of ['482913', '79001234561', '79001234562', GATEWAY.token])
    expect(JSON.stringify(log)).not.toContain(one);
});

describe('a callback', () => {
  const NOW = new Date('2026-03-04T05:06:10Z');
  const at = new Date(1772600768_000);
  const door = () => telegramGatewayDriver.describe(parsed()).callback!;
  const text = '{"request_id":"r"}';
  const now = Math.floor(Date.now() / 1000);
  const signed = gatewaySignature(text);

  it.each<[string, Record<string, string | string[]>, string, boolean]>([
    ['signed by Telegram', signed, text, true],
    ['signed a minute ago', gatewaySignature(text, GATEWAY.token, now - 60), text, true],
    ['signed ten minutes ago', gatewaySignature(text, GATEWAY.token, now - 600), text, false],
    ['signed in an hour', gatewaySignature(text, GATEWAY.token, now + 3600), text, false],
    [
      'of another time than it says',
      { ...signed, 'x-request-timestamp': `${now - 1}` },
      text,
      false,
    ],
    ['of no time', { ...signed, 'x-request-timestamp': 'now' }, text, false],
    ['changed by a byte', signed, `${text} `, false],
    ['signed with another token', gatewaySignature(text, 'x'.repeat(20)), text, false],
    ['not signed', { 'x-request-timestamp': String(now) }, text, false],
    ['without a time', { 'x-request-signature': signed['x-request-signature']! }, text, false],
    ['signed twice', { ...signed, 'x-request-signature': ['a', 'b'] }, text, false],
    ['of nothing, not signed', {}, '', false],
  ])('%s', (_, headers, body, isGenuine) => {
    expect(door().isGenuine({ headers, search: '', body: Buffer.from(body) })).toBe(isGenuine);
  });

  const read = (fields: unknown) => door().read(fields, NOW);
  const status = (name: unknown, updated_at: unknown = 1772600768) => ({
    request_id: 'r',
    phone_number: '79001234561',
    request_cost: 0.01,
    delivery_status: { status: name, updated_at },
  });

  it.each<[object, object]>([
    [status('sent'), { externalId: 'r', status: 'sent', at }],
    [status('delivered'), { externalId: 'r', status: 'delivered', at }],
    [status('read'), { externalId: 'r', status: 'seen', at }],
    [status('read', 'soon'), { externalId: 'r', status: 'seen', at: NOW }],
    [
      { ...status('delivered'), payload: reference(1) },
      { reference: reference(1), status: 'delivered', at },
    ],
    [
      { ...status('delivered'), payload: 'of another program' },
      { externalId: 'r', status: 'delivered', at },
    ],
    [
      { ...status('delivered'), verification_status: { status: 'code_valid' } },
      { externalId: 'r', status: 'delivered', at },
    ],
    [
      { ...status('expired'), is_refunded: true },
      {
        externalId: 'r',
        status: 'failed',
        code: 'expired',
        carrierCode: 'expired',
        text: 'Refunded by Telegram.',
        at,
      },
    ],
    [
      status('expired'),
      { externalId: 'r', status: 'failed', code: 'expired', carrierCode: 'expired', at },
    ],
    [
      status('revoked'),
      { externalId: 'r', status: 'failed', code: 'deleted', carrierCode: 'revoked', at },
    ],
  ])('reports %j', (given, report) => {
    expect(read(given)).toEqual({ reports: [report], messages: [], ignored: 0, answer: 'OK' });
  });

  it.each([
    [null],
    [[]],
    [{}],
    [status('constructor')],
    [status('code_valid')],
    [status(7)],
    [{ ...status('read'), request_id: '' }],
    [{ ...status('read'), request_id: 'x'.repeat(256) }],
    [{ request_id: 'r', verification_status: { status: 'code_valid' } }],
  ])('%j says nothing', (given) => {
    expect(read(given)).toEqual({ reports: [], messages: [], ignored: 1, answer: 'OK' });
  });
});
