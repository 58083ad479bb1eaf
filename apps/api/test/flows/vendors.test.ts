import { channels, sendings, sendingsIncoming, type Sending } from '@heliograph/contract';
import { createHmac, randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ADMINISTRATOR_GRANTS } from '@heliograph/contract';
import { Log } from '../../src/core/log.ts';
import { RepliesService } from '../../src/features/sendings/reports/replies.service.ts';
import { type Person, until, World } from '../world.ts';

/** Vendors with interfaces of their own: each takes what its documents allow, answers in its own words and calls back in its own way. */
type Vendor = (call: VendorCall) => { status?: number; body: string; callback?: Promise<Response> };
interface VendorCall {
  method: string;
  path: string;
  headers: Record<string, string | string[] | undefined>;
  fields: Record<string, string>;
  body: string;
}

let world: World;
let administrator: Person;
let owner: Person;
let server: Server;
const vendors: Record<string, Vendor> = {};
const answered: Promise<Response>[] = [];

beforeAll(async () => {
  world = await World.start();
  administrator = await world.person({
    level: 'manager',
    grants: { add: ADMINISTRATOR_GRANTS },
  });
  owner = await world.person({ balance: 10_000 });
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { pathname, search } = new URL(request.url!, 'http://vendor');
      const [, name, ...path] = pathname.split('/');
      const body = Buffer.concat(chunks).toString();
      const fields = Object.fromEntries(new URLSearchParams(body || search));
      const { method = '', headers } = request;
      const answer = vendors[name!]!({ method, path: path.join('/'), headers, fields, body });
      response.writeHead(answer.status ?? 200).end(answer.body);
      if (answer.callback) answered.push(answer.callback);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  await world.startWorker();
});
afterAll(async () => {
  await world.stop();
  server.closeAllConnections();
  server.close();
});

const SECRET = 'a-secret-of-callbacks';

/** A channel as an administrator makes it from a preset, with the address of the vendor and the access data. */
async function connect(
  preset: string,
  type: 'telegram' | 'vk' | 'ok' | 'viber',
  path: string,
  own: Record<string, string> = {},
) {
  const name = `${preset}-${randomUUID().slice(0, 8)}`;
  const { data } = await administrator.api(channels.drivers, {});
  const { options } = data
    .find((driver) => driver.name === 'http-mapping')!
    .presets.find((one) => one.name === preset)!;
  const { port } = server.address() as AddressInfo;
  const callbackUrl = `${world.base}/api/callbacks/${name}`;
  await administrator.api(channels.create, {
    body: {
      name,
      driver: 'http-mapping',
      types: [type],
      isActive: true,
      priority: 10,
      options: {
        ...(options as Record<string, string>),
        url: `http://127.0.0.1:${port}/${preset}/${path}`,
        username: 'user',
        password: 'password',
        token: 'key',
        callbackUrl,
        callbackSecret: SECRET,
        ...own,
      },
    },
  });
  world.forgetChannels();
  return { name, callbackUrl };
}

async function send(type: string, text = 'Чай готов'): Promise<string> {
  const body = { type, recipient: PHONE, payload: { sender: 'TEA', text } };
  return ((await owner.api(sendings.create, { body: body as never })) as { id: string }).id;
}
const PHONE = '+79020000001';

const stateOf = async (id: string) =>
  ((await owner.api(sendings.get, { params: { id } })) as Sending).state;
const becomes = (id: string, status: string) =>
  until(async () => {
    const state = await stateOf(id);
    return state.status === status && state;
  }, `${status} of ${id}`);

test('a message goes over Kannel, and its reports come as the query of a GET', async () => {
  vendors.kannel = ({ method, path, fields }) => {
    const isValid =
      method === 'GET' &&
      path === 'cgi-bin/sendsms' &&
      fields.username === 'user' &&
      fields.password === 'password' &&
      fields.to === PHONE &&
      fields.from === 'TEA' &&
      fields.coding === '2' &&
      fields.text === 'Чай готов';
    if (!isValid) return { status: 403, body: 'Authorization failed for sendsms' };
    const url = fields['dlr-url']!.replace('%d', '1').replace('%T', '1772600768').replace('%A', '');
    return { status: 202, body: '0: Accepted for delivery', callback: fetch(url) };
  };
  const { name, callbackUrl } = await connect('kannel', 'telegram', 'cgi-bin/sendsms');
  const id = await send('telegram');
  await becomes(id, 'delivered');
  const [answer] = await Promise.all(answered.splice(0));
  expect(await answer!.text()).toBe('OK');

  const forged = await fetch(`${callbackUrl}?token=wrong&reference=${id}&status=2`);
  expect(forged.status).toBe(401);
  expect((await fetch(`${callbackUrl}?reference=${id}&status=2`)).status).toBe(401);
  expect((await stateOf(id)).status).toBe('delivered');

  // What nobody gets is said in the log, without what it says.
  const info = vi.spyOn(world.api.get(Log, { strict: false }), 'info');
  expect((await fetch(`${callbackUrl}?token=${SECRET}&nothing=1`)).status).toBe(200);
  expect(info).toHaveBeenCalledWith({ channel: name, ignored: 1 }, expect.any(String));
  const replies = world.api.get(RepliesService, { strict: false });
  const message = { from: '+79020009999', to: 'NOBODY', type: 'telegram', payload: {} } as const;
  expect(await replies.receive(message, { channel: name, webhookId: randomUUID() })).toBeNull();
  await replies.push(name, [
    { from: '+79020009999', to: 'NOBODY', type: 'telegram', text: 'Hi', at: world.clock.now() },
  ]);
  expect(info.mock.calls.slice(1)).toEqual([
    [{ channel: name, dropped: 1 }, expect.any(String)],
    [{ channel: name, dropped: 1 }, expect.any(String)],
  ]);
  info.mockRestore();
});

test('a refusal of SMS.ru is a failure with a reason, and its reports come as lines', async () => {
  const accepted = (number: string, id: string) =>
    JSON.stringify({
      status: 'OK',
      status_code: 100,
      sms: { [number]: { status: 'OK', status_code: 100, sms_id: id } },
    });
  vendors['sms-ru'] = ({ fields }) => {
    const { api_id: key, to, msg } = fields;
    if (key !== 'key') return { body: '{"status":"ERROR","status_code":200}' };
    if (msg === 'Нет')
      return {
        body: JSON.stringify({
          status: 'OK',
          status_code: 100,
          sms: { [to!]: { status: 'ERROR', status_code: 204, status_text: 'Sender' } },
        }),
      };
    return { body: accepted(to!, '000000-1') };
  };
  const { callbackUrl } = await connect('sms-ru', 'vk', 'sms/send');
  const refused = await send('vk', 'Нет');
  expect(await becomes(refused, 'failed')).toMatchObject({ code: 'rejected_sender' });

  const id = await send('vk');
  await becomes(id, 'sent');
  const body = new URLSearchParams([
    ['data[0]', `sms_status\n000000-1\n103\n1772600768`],
    ['data[1]', `sms_status\nunknown\n103\n1772600768`],
    ['data[2]', 'balance'],
  ]);
  const answer = await fetch(`${callbackUrl}?token=${SECRET}`, { method: 'POST', body });
  expect([answer.status, await answer.text()]).toEqual([200, '100']);
  await becomes(id, 'delivered');
});

test('Twilio signs its callbacks; what a person answers is an incoming message', async () => {
  vendors.twilio = ({ headers, fields }) =>
    headers.authorization === `Basic ${Buffer.from('user:password').toString('base64')}` &&
    fields.To === PHONE
      ? { status: 201, body: JSON.stringify({ sid: 'SM1', status: 'queued', code: null }) }
      : { status: 401, body: '{"code":20003,"message":"Authenticate"}' };
  const { callbackUrl } = await connect('twilio', 'ok', '2010-04-01/Accounts/AC1/Messages.json');
  const id = await send('ok');
  await becomes(id, 'sent');
  const post = (fields: Record<string, string>, secret = SECRET) => {
    const pairs = Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1));
    const signature = createHmac('sha1', secret)
      .update(callbackUrl + pairs.flat().join(''))
      .digest('base64');
    return fetch(callbackUrl, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { 'x-twilio-signature': signature },
    });
  };
  const failure = { MessageSid: 'SM1', MessageStatus: 'undelivered', ErrorCode: '30006' };
  expect((await post(failure, 'another-secret-of-it')).status).toBe(401);
  expect((await post(failure)).status).toBe(200);
  expect(await becomes(id, 'failed')).toMatchObject({ code: 'landline' });

  const reply = { MessageSid: 'SM2', From: PHONE, To: 'TEA', Body: 'Спасибо' };
  for (let repeat = 0; repeat < 2; repeat++) expect((await post(reply)).status).toBe(200);
  const { data } = await owner.api(sendingsIncoming.find, { query: {} });
  expect(data.map(({ from, payload, SendingId }) => [from, payload.text, SendingId])).toEqual([
    [PHONE, 'Спасибо', id],
  ]);
});

test('a message of VK goes over Rapporto; who has none is no user', async () => {
  let id = 0;
  const failed = (status: number, code: number, description: string) => ({
    status,
    body: JSON.stringify({ error: { code, description } }),
  });
  vendors['rapporto-vk'] = ({ method, headers, body }) => {
    const request = JSON.parse(body) as Record<string, unknown>;
    const { login, password, id: reference, destAddr, message, ...more } = request;
    const isJson = method === 'POST' && headers['content-type'] === 'application/json';
    if (!isJson) return failed(400, 4, 'Invalid request');
    if (login !== 'user') return failed(401, 5, 'Invalid login');
    if (password !== 'password') return failed(401, 6, 'Invalid password');
    const { type, data, ...others } = message as { type: string; data: Record<string, unknown> };
    const { text, serviceNumber, ...unknown } = data;
    if (Object.keys({ ...others, ...unknown }).length) return failed(400, 4, 'Invalid request');
    if (serviceNumber !== 'TEA') return failed(400, 7, 'serviceNumber is not defined');
    if (destAddr !== PHONE) return failed(406, 8, 'destAddr is not correct');
    if (type !== 'VK') return failed(406, 9, 'Message type is not correct');
    const { shortenLinks, notifyUrl, ...rest } = more;
    const isValid = shortenLinks === false && Object.keys(rest).length === 0;
    if (!isValid || typeof text !== 'string') return failed(400, 4, 'Invalid request');
    const mtNum = String(7_390_612_217 + ++id);
    const doneDate = new Date(Math.floor(Date.now() / 1000) * 1000)
      .toISOString()
      .replace('.000Z', '+0000');
    const report = {
      id: reference,
      mtNum,
      type,
      sourceAddr: 'TEA',
      destAddr: PHONE,
      text,
      doneDate,
    };
    const told = text === 'Нет' ? { status: 5, errorCode: '6' } : { status: 9, errorCode: '0' };
    return {
      body: JSON.stringify({ mtNum, id: reference }),
      callback: fetch(String(notifyUrl), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...report, ...told }),
      }),
    };
  };
  const { callbackUrl } = await connect('rapporto-vk', 'vk', 'api');
  const seen = await send('vk');
  await becomes(seen, 'seen');
  const missed = await send('vk', 'Нет');
  expect(await becomes(missed, 'failed')).toMatchObject({ code: 'not_a_user' });
  const answers = await Promise.all(answered.splice(0));
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  const forged = JSON.stringify({ id: seen, status: 5, errorCode: '1' });
  const forge = (token: string) =>
    fetch(`${callbackUrl}?token=${token}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: forged,
    });
  expect((await forge('wrong')).status).toBe(401);
  expect((await stateOf(seen)).status).toBe('seen');
});

test('ids are numbers of any length, and callbacks come under any type, in any charset and as a post of nothing', async () => {
  vendors.kannel = () => ({ body: '{"sms":[{"id":9007199254740993}]}' });
  const { callbackUrl } = await connect('kannel', 'viber', 'send', {
    method: 'POST',
    format: 'json',
    request: '{"to":"{{recipient}}"}',
    response: '{"items":"/sms","id":"/id"}',
    callback: JSON.stringify({
      id: '/id',
      status: '/status',
      statuses: { 1: 'delivered', 2: 'failed' },
      from: '/from',
      to: '/to',
      text: '/text',
      proof: { kind: 'query', name: 'token' },
    }),
  });
  const id = await send('viber');
  await becomes(id, 'sent');
  const call = async (
    type: string | undefined,
    body: string | Uint8Array<ArrayBuffer> | undefined,
    query = '',
  ) => {
    const answer = await fetch(`${callbackUrl}?token=${SECRET}${query}`, {
      method: 'POST',
      headers: { ...(type !== undefined && { 'content-type': type }) },
      body,
    });
    return answer.status;
  };
  // The next number, which is the same as a double.
  expect(await call('application/json', '{"id":9007199254740992,"status":2}')).toBe(200);
  // A query beside a body says nothing.
  expect(await call('application/json', '{"status":9}', '&id=9007199254740993&status=2')).toBe(200);
  expect((await stateOf(id)).status).toBe('sent');
  expect(await call(undefined, undefined, '&id=9007199254740993&status=1')).toBe(200);
  await becomes(id, 'delivered');

  const said = (text: string) => ({ from: PHONE, to: 'TEA', text });
  const json = (text: string) => JSON.stringify(said(text));
  const form = (text: string) => new URLSearchParams(said(text)).toString();
  const bytes = (text: string) => new Uint8Array(new TextEncoder().encode(text));
  const inCyrillic = (text: string) =>
    Uint8Array.from(text, (char) => {
      const code = char.charCodeAt(0);
      return code < 0x80 ? code : code - 0x350;
    });
  const escaped = `${form('').replace('%2B', '+')}%C4%E0+5`;
  const calls: [type: string | undefined, body: string | Uint8Array<ArrayBuffer>, text: string][] =
    [
      ['text/json', json('Один'), 'Один'],
      ['application/vnd.carrier.v2+json; charset=UTF-8', json('Два'), 'Два'],
      ['text/plain', json('Три'), 'Три'],
      ['text/plain;charset=utf-8', form('Четыре'), 'Четыре'],
      [undefined, bytes(json('Пять')), 'Пять'],
      ['application/json; charset=windows-1251', inCyrillic(json('Шесть')), 'Шесть'],
      ['application/x-www-form-urlencoded; charset="windows-1251"', escaped, 'Да 5'],
      ['application/json', json('Семь').replace('"Семь"', '7'), '7'],
    ];
  for (const [type, body, text] of calls)
    expect([text, await call(type, body)]).toEqual([text, 200]);
  const { data } = await owner.api(sendingsIncoming.find, { query: {} });
  const texts = data.filter(({ SendingId }) => SendingId === id).map(({ payload }) => payload.text);
  expect(texts.toSorted()).toEqual(calls.map(([, , text]) => text).toSorted());

  // What names no charset is UTF-8, and what cannot be read is not guessed.
  expect(await call('application/json', inCyrillic(json('Нет')))).toBe(400);
  expect(await call('application/json; charset=klingon', json('Нет'))).toBe(415);
  expect(await call('text/xml', '<id>1</id>')).toBe(415);
});

test('options that cannot work are refused with their fields', async () => {
  const refused = administrator.api(channels.create, {
    body: {
      name: `wrong-${randomUUID().slice(0, 8)}`,
      driver: 'http-mapping',
      types: ['sms'],
      options: {
        url: 'https://carrier.example/',
        headers: 'Authorization: Bearer open-secret',
        request: '{"to":"{{number}}"}',
        response: '{"results":{"1":"fine"}}',
      },
    },
  });
  const fields = await refused.then(
    () => [],
    (error: { body: { data: { field: string }[] } }) => error.body.data.map(({ field }) => field),
  );
  expect(fields).toEqual(['options.response.results.1']);
});
