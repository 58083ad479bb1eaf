import { sendings, type Sending } from '@heliograph/contract';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { approve, contactList, setCarrier } from '../factories.ts';
import { raw } from '../raw.ts';
import { PASSWORD, type Person, until, World } from '../world.ts';

let world: World;
let owner: Person;

beforeAll(async () => {
  world = await World.start({ CORS_ORIGINS: 'https://shop.example' });
  await setCarrier(world, {});
  await world.startWorker();
  owner = await world.person({ balance: 1000 });
  await approve(world, owner.id);
});
afterAll(() => world.stop());

const PHONE = '+79020000001';
const payload = { sender: 'MIRTEA', text: 'Your code is 1234' };
const sms = { type: 'sms', recipient: PHONE, payload };
const viber = { ...sms, type: 'viber' };
const post = (body: object) => raw(world, owner, 'POST', '/sendings', body);
const get = (id: string): Promise<Sending> => owner.api(sendings.get, { params: { id } });

describe('bodies as clients of this API family send them', () => {
  const single = { status: 'pending', error: null };
  const $options = {
    onStatus: ['failed'],
    onTimeout: { timeout: 120, except: ['delivered', 'seen'] },
    onIncomingPayload: { text: '' },
  };
  test.each<[string, object, number, object]>([
    ['one phone', sms, 200, { ...single, recipient: PHONE }],
    [
      'one phone in another spelling',
      { ...sms, recipient: '8 (902) 000-00-01' },
      200,
      { ...single, recipient: PHONE },
    ],
    [
      'one phone with a comma behind it',
      { ...sms, recipient: `${PHONE},` },
      200,
      { ...single, recipient: PHONE },
    ],
    [
      'phones with commas between',
      { ...sms, recipient: '+79020000002, +79020000003;+79020000004' },
      201,
      { meta: { counters: { expected: 3 } } },
    ],
    [
      'an array of one',
      { ...sms, recipient: [PHONE] },
      201,
      { meta: { counters: { expected: 1 } } },
    ],
    [
      'lists and phones',
      {
        ...sms,
        recipient: { include: [PHONE], exclude: [] },
        fallbacks: [],
        schedule: { delay: 0 },
      },
      201,
      {},
    ],
    [
      'an empty button and image',
      { ...viber, payload: { ...payload, button: { text: '', url: '' }, image: '' } },
      200,
      single,
    ],
    [
      'no button and image',
      { ...viber, payload: { ...payload, button: null, image: null } },
      200,
      single,
    ],
    [
      'a button',
      { ...viber, payload: { ...payload, button: { text: 'Buy', url: 'https://tea.example' } } },
      200,
      single,
    ],
    [
      'a fallback with $options',
      { ...viber, fallbacks: [{ type: 'sms', payload, $options }] },
      200,
      single,
    ],
    [
      'a code by telegram',
      { type: 'telegramcode', recipient: PHONE, payload: { sender: '-', text: '1234' } },
      200,
      single,
    ],
    [
      'a flash call',
      { type: 'flashcall', recipient: PHONE, payload: { sender: 'any', text: '1234' } },
      200,
      single,
    ],
    ['a lone brace', { ...sms, payload: { ...payload, text: 'Sum {5 and {"a": 1}' } }, 200, single],
    ['an unknown field', { ...sms, urgency: 1 }, 422, { code: 'unknown_field' }],
    [
      'an unknown payload field',
      { ...sms, payload: { ...payload, ttl: 1 } },
      422,
      { code: 'unknown_field' },
    ],
    ['no recipient', { ...sms, recipient: ' , ,' }, 422, {}],
  ])('%s', async (_, body, status, answer) => {
    const { json, ...got } = await post(body);
    expect([got.status, json]).toEqual([status, expect.objectContaining({})]);
    expect(json).toMatchObject(answer);
  });
});

test('every other call as clients of this API family make it', async () => {
  const call = async (method: string, path: string, body?: unknown, headers = {}) => {
    const answer = await raw(world, owner, method, path, body, headers);
    expect([method, path, answer.status, answer.json]).toEqual([
      method,
      path,
      method === 'POST' && path !== '/login' ? 201 : 200,
      expect.anything(),
    ]);
    return answer.json;
  };
  const list = '$offset=0&$limit=5&$order[0][0]=createdAt&$order[0][1]=desc';
  const page = { data: expect.any(Array), total: expect.any(Number), limit: 5, offset: 0 };

  // Sign in by JSON and by a form; the token alone or behind Bearer.
  const secret = { username: owner.username, password: PASSWORD };
  const signedIn = { token: expect.any(String), id: owner.id, username: owner.username };
  expect(await call('POST', '/login', secret)).toMatchObject(signedIn);
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const { token } = await call('POST', '/login', String(new URLSearchParams(secret)), form);
  for (const authorization of [token, `Bearer ${token}`])
    expect(await call('GET', '/users/me', undefined, { authorization })).toMatchObject({
      id: owner.id,
      isActive: true,
      balance: expect.any(Number),
    });
  expect(await call('GET', `/users/${owner.id}?$scope[0]=full`)).toMatchObject({
    Tariffs: [expect.anything()],
  });
  const data = { firstName: 'Anna', lastName: 'Petrova' };
  const changed = await call('PUT', `/users/${owner.id}`, { username: owner.username, data });
  expect(changed).toMatchObject({ data });
  expect(await call('GET', `/billings/balance/${owner.id}`)).toMatchObject({
    result: expect.any(Number),
  });

  for (const order of ['createdAt DESC', 'createdAt:desc, title asc', '-createdAt'])
    expect(
      await call('GET', `/contactLists?${new URLSearchParams({ $order: order })}`),
    ).toMatchObject({ data: expect.any(Array) });

  // A registration as a site passes it on, with a field for its sales program.
  expect(
    await call('POST', '/registration', {
      username: `site-${randomUUID().slice(0, 8)}@shop.example`,
      password: PASSWORD,
      data: { phone: '+79020001100', firstName: 'Anna', lastName: 'Petrova' },
      $amo_confirmed: true,
    }),
  ).toMatchObject({ id: expect.any(String) });

  // Files, raw and in a form; contacts from them.
  const csv = 'phone;email;name;lastname;\n79161234567;;Anna;Petrova;\n';
  const file = await call('POST', '/storage', csv, { 'content-type': 'text/csv' });
  expect(file).toMatchObject({ id: expect.any(String), key: file.id, title: expect.any(String) });
  expect(await call('GET', `/storage/${file.id}?return=meta`)).toMatchObject({ id: file.id });
  const listed = await call('POST', '/contactLists', {
    title: 'Shop',
    isActive: true,
    type: 'regular',
  });
  const ListId = listed.id;
  expect(await call('PUT', '/contacts', { ListId, from: { key: file.key } })).toMatchObject({
    total: 1,
  });
  const contact = await call('POST', '/contacts', { ListId, phone: '+79020000009' });
  await call('PUT', `/contacts/${contact.id}`, { firstName: 'Olga', custom01: 'Omsk' });
  // With fields of their own, and the whole row as it was read.
  const free = { ListId, phone: '+79020000010', city: 'Omsk', group: { name: 'Tea' }, note: null };
  const own = await call('POST', '/contacts', free);
  expect(own).not.toHaveProperty('city');
  const again = { ...own, firstName: 'Olga', city: 'Omsk' };
  expect(await call('PUT', `/contacts/${own.id}`, again)).toMatchObject({
    id: own.id,
    ListId,
    firstName: 'Olga',
  });
  await call('DELETE', `/contacts/${own.id}`);
  expect((await call('GET', `/contacts?ListId=${ListId}&${list}`)).total).toBe(2);
  expect(await call('DELETE', `/contacts/${contact.id}`)).toEqual({ id: contact.id });

  // Names, templates and what came in.
  const comment = 'Tea LLC, INN 7707083893';
  const name = { name: 'TEASHOP', type: 'sms', comment, meta: { comment } };
  expect(await call('POST', '/sendernames', name)).toMatchObject({ moderation: 'pending' });
  expect(await call('GET', `/sendernames?${list}`)).toMatchObject(page);
  const template = await call('POST', '/templates', {
    type: 'sms',
    recipient: { include: [ListId], exclude: [] },
    payload,
    fallbacks: [],
    title: 'Sale',
    OwnerId: owner.id,
  });
  const { id } = await call('PUT', `/templates/${template.id}`, { title: 'Autumn sale' });
  expect(await call('DELETE', `/templates/${id}`)).toEqual({ id });
  const incoming = { from: PHONE, to: 'MIRTEA', type: 'sms', payload: { text: 'Yes' } };
  expect(await call('POST', '/sendingsIncoming', incoming)).toMatchObject(incoming);

  // Messages to lists, immediate and scheduled, with receipts, and their results.
  const many = { ...sms, recipient: { include: [ListId, PHONE], exclude: [] }, fallbacks: [] };
  const later = new Date(world.clock.now().getTime() + 3_600_000).toISOString();
  for (const delay of [0, later]) await call('POST', '/sendings', { ...many, schedule: { delay } });
  const each = await raw(world, owner, 'POST', '/sendings?return=each', {
    ...sms,
    recipient: [PHONE],
  });
  expect([each.status, each.json]).toEqual([200, [expect.objectContaining({ recipient: PHONE })]]);
  const one = each.json[0].id as string;
  expect(await call('GET', `/sendings/${one}?$scope[0]=full`)).toMatchObject({
    id: one,
    chainId: one,
    recipient: PHONE,
    state: { status: expect.any(String), error: null },
  });
  const since = new Date(world.clock.now().getTime() - 3_600_000).toISOString();
  const asked = `${list}&$scope[0]=full&createdAt[$gt]=${since}&OwnerId=${owner.id}`;
  for (const noun of ['sendings', 'sendingsIncoming'])
    expect(
      await call(
        'GET',
        `/${noun}?${asked.replace(noun === 'sendings' ? '' : '&$scope[0]=full', '')}`,
      ),
    ).toMatchObject(page);
});

test('the full scope has the request, with the address at the place where clients read it', async () => {
  const full = (id: string) =>
    raw(world, owner, 'GET', `/sendings/${id}?$scope[0]=full`).then(({ json }) => json as Sending);
  const single = await post({ ...sms, options: { title: 'Codes' } });
  const now = { delay: 0, until: 0 };
  expect(await full(single.json.id)).toMatchObject({
    recipient: PHONE,
    payload: { ...payload, recipient: PHONE },
    recipients: { include: [PHONE], exclude: [] },
    schedule: now,
    options: { title: 'Codes' },
    fallbacks: [],
    meta: { recipientGroup: 'advertising' },
  });
  const list = await contactList(world, owner.id, 1, { first: 200 });
  const delay = new Date(world.clock.now().getTime() + 1000).toISOString();
  const asked = {
    schedule: { delay, until: 0 },
    options: { title: 'Autumn' },
    fallbacks: [{ type: 'viber', payload, $options: { onStatus: ['failed'] } }],
  };
  const recipient = { include: [list, '+79020000202'], exclude: ['+79020000203'] };
  const bulk = await post({ ...sms, ...asked, recipient });
  const data = await until(async () => {
    const query = `?groupId=${bulk.json.id}&$scope[0]=full`;
    const page = await raw(world, owner, 'GET', `/sendings${query}`);
    return page.json.total === 2 && (page.json.data as Sending[]);
  }, 'the bulk');
  const ones = [await full(data[0]!.id), await full(bulk.json.id)];
  expect(ones.map((one) => one.recipients)).toEqual([recipient, recipient]);
  for (const one of [...data, ...ones])
    expect(one).toMatchObject({
      schedule: { delay, until: 0 },
      options: { title: 'Autumn' },
      fallbacks: [{ type: 'viber', $options: { onStatus: ['failed'] } }],
    });
  expect(data.map((s) => s.payload.recipient)).toEqual(data.map((s) => s.recipient));
  // Without the scope the list has the usual fields.
  const plain = await raw(world, owner, 'GET', `/sendings?groupId=${bulk.json.id}`);
  for (const one of plain.json.data) {
    expect(one).not.toHaveProperty('schedule');
    expect(one.payload).not.toHaveProperty('recipient');
  }
});

test('a refusal after validation is 400 in the shape of a receipt, with a key also when it is repeated', async () => {
  const refused = {
    recipient: PHONE,
    status: 'failed',
    error: expect.any(String),
    code: 'sender_not_approved',
    docs: `${world.config.publicUrl}/documentation/api/errors/sender_not_approved`,
  };
  const body = { ...sms, payload: { ...payload, sender: 'OTHER' } };
  const headers = { 'idempotency-key': 'order-17' };
  const first = await raw(world, owner, 'POST', '/sendings', body, headers);
  expect([first.status, first.json]).toEqual([400, { id: expect.any(String), ...refused }]);
  expect(await get(first.json.id)).toMatchObject({ state: { code: 'sender_not_approved' } });
  const again = await raw(world, owner, 'POST', '/sendings', body, headers);
  expect([again.status, again.json]).toEqual([400, first.json]);
  expect(again.headers.get('idempotency-replay')).toBe('true');
  // The typed client reads it as the answer that it is.
  expect(await owner.api(sendings.create, { body: body as never })).toMatchObject(refused);
});

test('the text is sent unchanged', async () => {
  const text = 'Sum {5 and {"a": 1} for {firstName|you}';
  const { json } = await post({ ...sms, payload: { ...payload, text } });
  expect((await get(json.id)).payload.text).toBe('Sum {5 and {"a": 1} for you');
});

test('the id of a group is answered: of one recipient its message, of more the whole', async () => {
  const one = (await post({ ...sms, recipient: [PHONE] })).json as { id: string };
  const state = (id: string) => async () => {
    const { state: now, ...rest } = await get(id);
    return now.status === 'delivered' && rest;
  };
  expect(['pending', 'processing', 'sent', 'delivered']).toContain(
    (await get(one.id)).state.status,
  );
  expect(await until(state(one.id), 'the only one to be delivered')).toMatchObject({
    recipient: PHONE,
    groupId: one.id,
  });
  const list = await contactList(world, owner.id, 3, { first: 100 });
  const many = (await post({ ...sms, recipient: { include: [list, PHONE] } })).json as {
    id: string;
  };
  const whole = await until(state(many.id), 'the group to be delivered');
  expect(whole).toMatchObject({
    id: many.id,
    recipient: '',
    type: 'sms',
    payload,
    meta: { counters: { total: 4, completed: 4 } },
  });
  const stranger = await world.person();
  expect((await raw(world, stranger, 'GET', `/sendings/${many.id}`)).status).toBe(404);
  expect((await raw(world, stranger, 'GET', `/sendings/${one.id}`)).status).toBe(404);
});

test('pages of named sites call with a token, others do not', async () => {
  const call = (origin: string, method = 'GET') =>
    fetch(`${world.base}/api/users/me`, {
      method,
      headers: {
        origin,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization',
      },
    });
  const shop = await call('https://shop.example', 'OPTIONS');
  expect(shop.status).toBe(204);
  expect(shop.headers.get('access-control-allow-origin')).toBe('https://shop.example');
  expect(shop.headers.get('access-control-allow-headers')).toContain('authorization');
  expect(shop.headers.get('access-control-allow-credentials')).toBeNull();
  expect((await call('https://shop.example')).headers.get('access-control-allow-origin')).toBe(
    'https://shop.example',
  );
  for (const other of ['https://evil.example', 'https://shop.example.evil.example', 'null'])
    expect((await call(other, 'OPTIONS')).headers.get('access-control-allow-origin')).toBeNull();
});
