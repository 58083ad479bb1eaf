import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Gateway } from '../gateway.ts';
import { eventOf } from './events.ts';
import { openHttpGateway } from './http.gateway.ts';

let server: Server;
let gateway: Gateway;
let calls: { method: string; url: string; body: unknown }[] = [];
let answer: { status?: number; headers?: Record<string, string>; json?: unknown; text?: string };

const REF = { id: '1101', token: 'own' };

beforeAll(async () => {
  server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += chunk));
    request.on('end', () => {
      const { method, url } = request as { method: string; url: string };
      calls.push({ method, url, body: text ? JSON.parse(text) : null });
      response
        .writeHead(answer.status ?? 200, answer.headers)
        .end(answer.text ?? JSON.stringify(answer.json ?? null));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  gateway = openHttpGateway({ url: `http://127.0.0.1:${port}`, token: 'partner' });
});
afterAll(() => server.close());
beforeEach(() => {
  calls = [];
});

test('instances are created, found and removed with the token of the partner', async () => {
  answer = { json: { idInstance: 1101, apiTokenInstance: 'own', typeInstance: 'whatsapp' } };
  expect(await gateway.create('a')).toEqual(REF);
  answer = {
    json: [
      { idInstance: 7, apiTokenInstance: 'x', name: 'b' },
      { ...(answer.json as object), name: 'a' },
    ],
  };
  expect(await gateway.find('a')).toEqual(REF);
  expect(await gateway.find('c')).toBeNull();
  answer = { json: { deleteInstanceAccount: true } };
  await gateway.remove('1101');
  answer = { status: 404 };
  await gateway.remove('1101');
  expect(calls.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'POST /partner/createInstance/partner',
    'GET /partner/getInstances/partner',
    'GET /partner/getInstances/partner',
    'POST /partner/deleteInstanceAccount/partner',
    'POST /partner/deleteInstanceAccount/partner',
  ]);
});

test.each([
  [{ stateInstance: 'authorized', phone: '79990000001' }, 'authorized', '+79990000001'],
  [{ stateInstance: 'notAuthorized', phone: '' }, 'notAuthorized', null],
  [{ stateInstance: 'blocked' }, 'notAuthorized', null],
  [{ stateInstance: 'sleepMode', phone: '79990000001' }, 'sleep', '+79990000001'],
])('the state %j', async (json, state, phone) => {
  answer = { json };
  expect(await gateway.state(REF)).toEqual({ state, phone });
  expect(calls[0]!.url).toBe('/waInstance1101/getWaSettings/own');
});

test('an instance that the gateway does not know is deleted; other states are no answer', async () => {
  answer = { status: 401 };
  expect(await gateway.state(REF)).toEqual({ state: 'deleted', phone: null });
  answer = { json: { stateInstance: 'starting' } };
  await expect(gateway.state(REF)).rejects.toMatchObject({ code: 'unavailable' });
});

test.each([
  [
    { type: 'qrCode', message: 'iVBORw0KGgoAAA=' },
    { type: 'code', code: null, image: 'iVBORw0KGgoAAA=' },
  ],
  [
    { type: 'qrCode', message: '<svg onload=x>' },
    { type: 'code', code: null, image: null },
  ],
  [
    { type: 'qrCode', code: 'https://phone' },
    { type: 'code', code: 'https://phone', image: null },
  ],
  [{ type: 'alreadyLogged', message: '' }, { type: 'authorized' }],
  [
    { type: 'error', message: 'device-link-beta' },
    { type: 'refused', reason: 'device_link_beta' },
  ],
])('the code %j', async (json, expected) => {
  answer = { json };
  expect(await gateway.qr(REF)).toEqual(expected);
});

test('a code that is not ready is no answer', async () => {
  answer = { json: { type: 'error', message: 'instance is starting' } };
  await expect(gateway.qr(REF)).rejects.toMatchObject({ code: 'unavailable' });
});

test.each<[typeof answer, object]>([
  [{ json: { idMessage: 'M1' } }, { result: 'accepted', externalId: 'M1' }],
  [{ text: 'OK' }, { result: 'lost' }],
  [{ status: 400 }, { result: 'rejected', code: 'invalid_payload' }],
  [{ status: 401 }, { result: 'rejected', code: 'instance_not_authorized' }],
  [{ status: 403 }, { result: 'rejected', code: 'instance_not_authorized' }],
  [{ status: 404 }, { result: 'rejected', code: 'instance_not_authorized' }],
  [
    { status: 429, headers: { 'retry-after': '7' } },
    { result: 'throttled', retryAfter: 7000 },
  ],
  [{ status: 466 }, { result: 'throttled', retryAfter: 30_000 }],
  [{ status: 500 }, { result: 'lost' }],
])('a message that is answered with %j', async (given, expected) => {
  answer = given;
  expect(await gateway.send(REF, { to: '+79990000001', text: 'Tea' })).toEqual(expected);
  expect(calls[0]).toEqual({
    method: 'POST',
    url: '/waInstance1101/sendMessage/own',
    body: { chatId: '79990000001@c.us', message: 'Tea' },
  });
});

test('without a connection nothing was sent', async () => {
  const former = createServer();
  await new Promise<void>((done) => former.listen(0, '127.0.0.1', done));
  const { port } = former.address() as AddressInfo;
  await new Promise((done) => former.close(done));
  const closed = openHttpGateway({ url: `http://127.0.0.1:${port}`, token: 'partner' });
  const sent = await closed.send(REF, { to: '+79990000001', text: 'Tea' });
  expect(sent.result).toBe('down');
});

test('events are received and acknowledged', async () => {
  answer = { json: null };
  expect(await gateway.receive(REF)).toBeNull();
  answer = { json: { receiptId: 5, body: { typeWebhook: 'deviceInfo' } } };
  expect(await gateway.receive(REF)).toEqual({ receipt: '5', kind: 'other' });
  await gateway.acknowledge(REF, '5');
  expect(calls.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'GET /waInstance1101/receiveNotification/own?receiveTimeout=5',
    'GET /waInstance1101/receiveNotification/own?receiveTimeout=5',
    'DELETE /waInstance1101/deleteNotification/own/5',
  ]);
});

const message = (over: object) => ({
  typeWebhook: 'incomingMessageReceived',
  idMessage: 'I1',
  senderData: { chatId: '79990000001@c.us' },
  messageData: { typeMessage: 'textMessage', textMessageData: { textMessage: 'Hello' } },
  ...over,
});
const status = (name: string) => ({
  typeWebhook: 'outgoingMessageStatus',
  idMessage: 'M1',
  status: name,
  timestamp: 1_700_000_000,
});
const at = new Date(1_700_000_000_000);
test.each([
  [
    { typeWebhook: 'stateInstanceChanged', stateInstance: 'sleepMode' },
    { kind: 'state', state: 'sleep' },
  ],
  [{ typeWebhook: 'stateInstanceChanged', stateInstance: 'yellowCard' }, { kind: 'other' }],
  [status('delivered'), { kind: 'status', externalId: 'M1', status: 'delivered', code: null, at }],
  [
    status('noAccount'),
    { kind: 'status', externalId: 'M1', status: 'failed', code: 'not_a_user', at },
  ],
  [status('pending'), { kind: 'other' }],
  [message({}), { kind: 'message', id: 'I1', from: '+79990000001', text: 'Hello' }],
  [
    message({ messageData: { extendedTextMessageData: { text: 'Link' } } }),
    { kind: 'message', id: 'I1', from: '+79990000001', text: 'Link' },
  ],
  [message({ senderData: { chatId: '120363@g.us' } }), { kind: 'other' }],
  [message({ messageData: { typeMessage: 'imageMessage' } }), { kind: 'other' }],
  [message({ messageData: { textMessageData: { textMessage: 'a\0b' } } }), { kind: 'unreadable' }],
])('the event %j', (body, expected) => {
  expect(eventOf({ receiptId: 1, body })).toEqual({ receipt: '1', ...expected });
});

test('neither a long text nor a time that is none keeps the events after it waiting', () => {
  const textMessage = `x${'😀'.repeat(40_000)}`;
  const long = message({ messageData: { textMessageData: { textMessage } } });
  const event = eventOf({ receiptId: 1, body: long });
  expect(event).toMatchObject({ kind: 'message', text: `x${'😀'.repeat(32_767)}` });
  const late = { ...status('delivered'), timestamp: 1e300 };
  expect(eventOf({ receiptId: 1, body: late })).toMatchObject({ kind: 'status', at: null });
});

test.each([undefined, null, 'text', 5, []])(
  'an event whose body is %j can be acknowledged',
  (body) => {
    expect(eventOf({ receiptId: 1, body })).toEqual({ receipt: '1', kind: 'unreadable' });
  },
);
