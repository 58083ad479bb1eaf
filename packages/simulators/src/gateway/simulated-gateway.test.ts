import { beforeEach, expect, it } from 'vitest';
import type { SimulatedResponse } from '../http.ts';
import { SimulatedGateway } from './simulated-gateway.ts';
import type { SimulatedInstance } from './simulated-phone.ts';

let now: number;
let ids: number;
let instances: Map<string, SimulatedInstance>;
let gateway: SimulatedGateway;
let ref: { idInstance: string; apiTokenInstance: string };

beforeEach(async () => {
  [now, ids] = [1_000_000, 0];
  instances = new Map();
  gateway = new SimulatedGateway({
    store: {
      add: (one) => Promise.resolve(void instances.set(one.id, one)),
      get: (id) => Promise.resolve(instances.get(id)),
      byKey: (key) => Promise.resolve([...instances.values()].find((one) => one.key === key)),
      all: () => Promise.resolve([...instances.values()]),
      remove: (id) => Promise.resolve(void instances.delete(id)),
      change: (id, change) => {
        const before = instances.get(id);
        const after = before && change(before);
        if (after) instances.set(id, after);
        return Promise.resolve(after);
      },
    },
    newId: () => `id-${ids++}`,
    now: () => now,
    baseUrl: 'https://gateway',
    isPartner: (token) => token === 'partner',
    isSameToken: (a, b) => a === b,
  });
  ref = (await call('POST', '/partner/createInstance/partner', { name: 'a' })) as typeof ref;
});

const request = (method: string, path: string, body = {}): Promise<SimulatedResponse> =>
  gateway.respond({ method, path, query: {}, authorization: undefined, body });
const call = async (method: string, path: string, body = {}) =>
  (await request(method, path, body)).json;
const own = (method: string, name: string, body = {}, rest = '') =>
  call(method, `/waInstance${ref.idInstance}/${name}/${ref.apiTokenInstance}${rest}`, body);
const phonePath = () => `/phone/${instances.get(ref.idInstance)!.key}`;
const act = (form: object) => request('POST', phonePath(), form);
const code = async () => {
  const { code: text } = (await own('GET', 'qr')) as { code: string };
  return text.split('code=')[1]!;
};
const link = async () => act({ action: 'scan', code: await code(), phone: '+7 999 000-00-20' });
const next = () =>
  own('GET', 'receiveNotification') as Promise<{ receiptId: number; body: object } | null>;

it('refuses other tokens', async () => {
  expect((await request('POST', '/partner/createInstance/x')).status).toBe(401);
  expect((await request('GET', `/waInstance${ref.idInstance}/qr/x`)).status).toBe(401);
  expect((await request('GET', '/waInstance9/qr/x')).status).toBe(404);
});

it('a code is valid for twenty seconds', async () => {
  const first = await code();
  now += 19_000;
  expect(await code()).toBe(first);
  now += 2_000;
  expect((await act({ action: 'scan', code: first, phone: '+79990000020' })).html).toContain(
    'not possible',
  );
  expect(await code()).not.toBe(first);
});

it('a phone that scans is linked, sleeps, wakes up and is unlinked; each is an event', async () => {
  await link();
  expect(await own('GET', 'getWaSettings')).toEqual({
    stateInstance: 'authorized',
    phone: '79990000020',
  });
  expect(await own('GET', 'qr')).toMatchObject({ type: 'alreadyLogged' });
  for (const action of ['sleep', 'wake', 'unlink']) await act({ action });
  const states = [];
  for (let event = await next(); event; event = await next()) {
    states.push((event.body as { stateInstance: string }).stateInstance);
    await own('DELETE', 'deleteNotification', {}, `/${event.receiptId}`);
  }
  expect(states).toEqual(['authorized', 'sleepMode', 'authorized', 'notAuthorized']);
});

it('a phone in the beta is refused once, and another code follows', async () => {
  await act({ action: 'scan', code: await code(), phone: '+79990000020', isBeta: '1' });
  expect(await own('GET', 'qr')).toEqual({ type: 'error', message: 'device-link-beta' });
  expect(await own('GET', 'qr')).toMatchObject({ type: 'qrCode' });
});

it('reports what it sends and delivers replies, in the order of their times', async () => {
  const message = { chatId: '79990000010@c.us', message: 'Tea?' };
  const path = `/waInstance${ref.idInstance}/sendMessage/${ref.apiTokenInstance}`;
  expect((await request('POST', path, message)).status).toBe(403);
  await link();
  const { idMessage } = (await own('POST', 'sendMessage', message)) as { idMessage: string };
  now += 10_000;
  const events = [];
  for (let event = await next(); event; event = await next()) {
    events.push(event.body);
    await own('DELETE', 'deleteNotification', {}, `/${event.receiptId}`);
  }
  expect(events.slice(1)).toMatchObject([
    { idMessage, status: 'sent' },
    { idMessage, status: 'delivered' },
    { typeWebhook: 'incomingMessageReceived', senderData: { chatId: '79990000010@c.us' } },
  ]);
  expect((await request('GET', phonePath())).html).toContain('to +79990000010: Tea?');
});

it('what people write does not become markup', async () => {
  await link();
  await act({ action: 'write', from: '+79990000011', text: '<script>' });
  const { html } = await request('GET', phonePath());
  expect(html).toContain('&#60;script&#62;');
  expect(html).not.toContain('<script');
});
