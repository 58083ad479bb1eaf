import { auth, hooks, integrations, sendings, webhooks } from '@heliograph/contract';
import type { Status } from '@heliograph/domain';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Bitrix24Peer } from '../../../test/peers/bitrix24-peer.ts';
import { verified, WebhookReceiver } from '../../../test/webhook-receiver.ts';
import { fieldsOf, raw } from '../../../test/raw.ts';
import { World, type Person } from '../../../test/world.ts';
import { ReportsService } from '../sendings/reports/reports.service.ts';
import { DeliveryService } from '../webhooks/delivery.service.ts';

let world: World;
let receiver: WebhookReceiver;
let portal: Bitrix24Peer;
let who: Person;

const OAUTH = await new Bitrix24Peer().start();

beforeAll(async () => {
  world = await World.start({
    SENDERNAMES_CHECK: 'none',
    BITRIX24_OAUTH_URL: `${OAUTH.url}/oauth/token/`,
  });
  receiver = await new WebhookReceiver().start();
});
afterAll(async () => {
  receiver.stop();
  OAUTH.stop();
  await world.stop();
});
beforeEach(async () => {
  await world.db.query(`update webhooks set state = 'disabled', reason = 'manual'`);
  who = await world.person();
  receiver.take();
  OAUTH.calls.length = 0;
  portal = OAUTH;
});

const CRM = {
  kind: 'crm',
  title: 'Shop',
  sender: 'MIRTEA',
  recipient: 'client.phone',
  text: 'Order {{ order.id|}} is ready, {{client.name|}}',
} as const;
const crm = (changes: object = {}) =>
  who.api(integrations.create, { body: { ...CRM, ...changes } });
const post = (url: string, body: object) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const local = (url: string) => url.replace(/^https?:\/\/[^/]+/, world.base);
const get = (id: string) => who.api(integrations.get, { params: { id } });
const messages = async () => {
  const rows = await world.db.query<{ phone: string; text: string; sender: string }>(
    `select phone, sender, data->'payload'->>'text' as text from sendings where owner_id = $1 order by id`,
    [who.id],
  );
  return rows;
};
const report = (ids: string[], status: Status) =>
  world.api
    .get(ReportsService, { strict: false })
    .apply(ids.map((id) => ({ id, status, at: world.clock.now() })));
async function deliver(): Promise<void> {
  const service = world.api.get(DeliveryService, { strict: false });
  await service.deliver();
  await service.idle();
}

test('a program sends a message by its fields, JSON or a form', async () => {
  const { id, url, state } = await crm();
  expect(state).toBe('waiting');
  const body = { client: { phone: '8 (999) 000-00-01', name: 'Анна {x}' }, order: { id: 42 } };
  const response = await post(local(url), body);
  expect(await response.json()).toMatchObject({
    status: 'pending',
    error: null,
    isRepeated: false,
  });
  const form = new URLSearchParams({ 'client[phone]': '+79990000002', 'order[id]': '7' });
  expect((await fetch(local(url), { method: 'POST', body: form })).status).toBe(200);
  const sent = await messages();
  expect(sent.map(({ phone }) => phone)).toEqual(['+79990000001', '+79990000002']);
  expect(sent[0]!.sender).toBe('MIRTEA');
  const { data } = await who.api(sendings.find, { query: {} });
  expect(data.map(({ payload }) => payload.text).toSorted()).toEqual([
    'Order 42 is ready, Анна {x}',
    'Order 7 is ready, ',
  ]);
  expect(await get(id)).toMatchObject({ state: 'working', error: null });
});

test('a call without a value that the text needs is refused, and sends nothing', async () => {
  const { id, url } = await crm({ text: 'Order {{ order.id }} is ready' });
  const response = await post(local(url), {
    client: { phone: '+79990000001' },
    order: { id: ' ' },
  });
  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject({ data: [{ field: 'order.id', type: 'no_value' }] });
  expect(await messages()).toEqual([]);
  expect(await get(id)).toMatchObject({ state: 'failing' });
});

test('a repeated call with a key sends nothing, also at the same time', async () => {
  const { url } = await crm({ key: 'order.id' });
  const body = { client: { phone: '+79990000001' }, order: { id: 'A-1' } };
  const responses = await Promise.all([1, 2, 3].map(() => post(local(url), body)));
  const receipts = (await Promise.all(responses.map((r) => r.json()))) as {
    id: string;
    isRepeated: boolean;
  }[];
  expect(new Set(receipts.map((r) => r.id)).size).toBe(1);
  expect(receipts.filter((r) => !r.isRepeated)).toHaveLength(1);
  expect(await messages()).toHaveLength(1);
});

test('a message that was refused for money is sent by a repeated call after a top-up, once', async () => {
  const { url } = await crm({ key: 'order.id' });
  await world.db.query(`update balances set balance = 0 where owner_id = $1`, [who.id]);
  const call = async () => {
    const response = await post(local(url), {
      client: { phone: '+79990000001' },
      order: { id: 1 },
    });
    return (await response.json()) as { id: string; status: string; isRepeated: boolean };
  };
  const first = await call();
  expect(first).toMatchObject({ status: 'failed', isRepeated: false });
  expect(await call()).toMatchObject({ status: 'failed', isRepeated: false });
  await world.db.query(`update balances set balance = 100 where owner_id = $1`, [who.id]);
  const again = await Promise.all([call(), call(), call()]);
  expect(new Set(again.map(({ id }) => id)).size).toBe(1);
  expect(again[0]!.id).not.toBe(first.id);
  expect(again.filter(({ isRepeated }) => !isRepeated)).toMatchObject([{ status: 'pending' }]);
});

test('keys that differ in their ends are those of different messages', async () => {
  const { url } = await crm({ key: 'order.id' });
  for (const end of ['1', '2']) {
    const body = { client: { phone: '+79990000001' }, order: { id: `${'k'.repeat(250)}${end}` } };
    expect(await (await post(local(url), body)).json()).toMatchObject({ isRepeated: false });
  }
  expect(await messages()).toHaveLength(2);
});

test('a long value is cut between characters', async () => {
  const { url } = await crm();
  const body = { client: { phone: '+79990000001', name: `x${'😀'.repeat(1500)}` } };
  expect((await post(local(url), body)).status).toBe(200);
});

test('a call without the phone is refused, and the page says why', async () => {
  const { id, url } = await crm();
  const refused = await post(local(url), { order: { id: 1 } });
  expect(refused.status).toBe(422);
  expect(await get(id)).toMatchObject({
    state: 'failing',
    error: 'The call has no value in the field client.phone',
    refusal: { code: 'validation', fields: [{ field: 'client.phone', rule: 'no_value' }] },
  });
  const several = { client: { phone: '+79990000001, +79990000002' } };
  const wrong = await post(local(url), several);
  expect(wrong.status).toBe(422);
  expect(await messages()).toEqual([]);
});

test.each(['test=test', 'webhook_id=7'])('a test of the URL, %s, sends nothing', async (fields) => {
  const { id, url } = await crm();
  const response = await fetch(local(url), { method: 'POST', body: new URLSearchParams(fields) });
  expect([response.status, await response.json()]).toEqual([
    200,
    { id: null, status: null, error: null, isRepeated: false },
  ]);
  expect(await get(id)).toMatchObject({ state: 'waiting', error: null });
});

test('a new URL ends the former one; a switched off integration takes nothing', async () => {
  const { id, url } = await crm();
  const { url: next } = await who.api(integrations.rotate, { params: { id } });
  const body = { client: { phone: '+79990000001' } };
  expect((await post(local(url), body)).status).toBe(401);
  expect((await post(local(next), body)).status).toBe(200);
  await who.api(integrations.update, { params: { id }, body: { isActive: false } });
  expect((await post(local(next), body)).status).toBe(403);
  await who.api(integrations.remove, { params: { id } });
  expect((await post(local(next), body)).status).toBe(401);
  expect(JSON.stringify(await world.db.query(`select * from integrations`))).not.toContain(
    next.split('/').at(-1),
  );
});

test('an account that may not send, or is closed, sends nothing by its integration', async () => {
  const { url } = await crm();
  const body = { client: { phone: '+79990000001' } };
  await world.db.query(
    `update users set grants = '{"remove":["sendings.generate"]}' where id = $1`,
    [who.id],
  );
  expect((await post(local(url), body)).status).toBe(403);
  await world.db.query(`update users set is_active = false where id = $1`, [who.id]);
  expect((await post(local(url), body)).status).toBe(403);
  expect(await messages()).toEqual([]);
});

test('each kind has its own fields', async () => {
  const create = (body: object) =>
    who.api(integrations.create, { body: body as typeof CRM }).then(
      () => null,
      (error: { body: { errors: { property: string }[] } }) =>
        error.body.errors.map(({ property }) => property),
    );
  expect(await create({ kind: 'crm', title: 'x', sender: 'y' })).toEqual(['recipient', 'text']);
  expect(await create({ kind: 'bitrix24', title: 'x', sender: 'y' })).toEqual(['portal']);
  expect(await create({ ...CRM, portal: portal.url })).toEqual(['portal']);
  expect(await create({ ...CRM, key: 'a b' })).toEqual(['key']);
});

const bitrix = (changes: object = {}) =>
  who.api(integrations.create, {
    body: { kind: 'bitrix24', title: 'CRM', sender: 'MIRTEA', portal: portal.url, ...changes },
  });
/** A portal whose message service is registered. */
async function connected(changes: object = {}) {
  const row = await bitrix(changes);
  expect((await portal.install(local(row.url))).status).toBe(200);
  portal.relocate(local(row.url));
  return row;
}

test('a Bitrix24 portal registers, sends a message and gets its status', async () => {
  const { id } = await connected();
  expect(await get(id)).toMatchObject({ state: 'working', statuses: 'active' });
  expect((await portal.send('m1', 'Your {order} is ready')).status).toBe(200);
  // The portal repeats a call that it lost the answer of.
  expect((await portal.send('m1', 'Your {order} is ready')).status).toBe(200);
  const [sent, ...others] = (await who.api(sendings.find, { query: {} })).data;
  expect(others).toEqual([]);
  expect(sent).toMatchObject({ recipient: '+79990000001', payload: { sender: 'MIRTEA' } });
  await report([sent!.id], 'sent');
  await report([sent!.id], 'delivered');
  await deliver();
  expect(portal.statuses()).toEqual(['m1 delivered']);
  // It is managed by the integration only.
  expect((await who.api(webhooks.find, { query: {} })).data).toEqual([]);
});

test('messages of others are not reported to the portal', async () => {
  await connected();
  const body = {
    type: 'sms' as const,
    recipient: '+79990000001',
    payload: { sender: 'MIRTEA', text: 'Tea' },
  };
  const { id } = (await who.api(sendings.create, { body })) as { id: string };
  await report([id], 'delivered');
  await deliver();
  expect(portal.statuses()).toEqual([]);
});

test('a refused message is reported as undelivered', async () => {
  await connected();
  await world.db.query(`update balances set balance = 0 where owner_id = $1`, [who.id]);
  expect((await portal.send('m2', 'Tea')).status).toBe(200);
  await deliver();
  expect(portal.statuses()).toEqual(['m2 undelivered']);
});

test('reports are repeated while the portal is down', async () => {
  const { id } = await connected();
  await portal.send('m3', 'Tea');
  const [sent] = (await who.api(sendings.find, { query: {} })).data;
  await report([sent!.id], 'delivered');
  portal.refusal = 503;
  await deliver();
  portal.refusal = null;
  expect(portal.statuses()).toEqual([]);
  await who.api(integrations.update, { params: { id }, body: { isActive: true } });
  await deliver();
  expect(portal.statuses()).toEqual(['m3 delivered']);
});

test('access that ended is renewed with the credentials of the application', async () => {
  const { id } = await connected(portal.credentials);
  expect(await get(id)).toMatchObject({ clientId: 'local.1', hasClientSecret: true });
  await portal.send('m4', 'Tea');
  const [sent] = (await who.api(sendings.find, { query: {} })).data;
  portal.endAccess();
  await world.db.query(`update webhooks set failures = 1 where integration_id = $1`, [id]);
  await report([sent!.id], 'delivered');
  await deliver();
  expect(portal.statuses()).toEqual(['m4 delivered']);
  const stored = JSON.stringify(await world.db.query(`select * from integrations`));
  expect(stored).not.toContain(portal.credentials.clientSecret);
});

test('an installation of another portal, or one that the portal refuses, is not stored', async () => {
  const { id, url } = await bitrix();
  const foreign = { 'auth[client_endpoint]': 'https://other.bitrix24.ru/rest/' };
  expect((await portal.install(local(url), foreign)).status).toBe(422);
  expect((await portal.install(local(url), { 'auth[access_token]': 'invented' })).status).toBe(503);
  const refusal = { code: 'unavailable', reason: expect.any(String) };
  expect(await get(id)).toMatchObject({ state: 'failing', refusal });
});

test('a message without the token of the portal is refused', async () => {
  const { url } = await bitrix();
  const fields = { message_id: 'm', message_to: '+79990000001', message_body: 'Tea' };
  const send = (auth: object) => post(local(url), { ...fields, auth });
  expect((await send({ application_token: portal.applicationToken })).status).toBe(401);
  await portal.install(local(url));
  expect((await send({ application_token: 'guess' })).status).toBe(401);
  expect((await send({})).status).toBe(401);
  expect(await messages()).toEqual([]);
});

test('REST hooks: subscribe, sample, event, unsubscribe', async () => {
  const subscription = { event: 'sendings.status', target_url: `${receiver.base}/zap` } as const;
  const { id, secret, target_url: target } = await who.api(hooks.subscribe, { body: subscription });
  expect(target).toBe(subscription.target_url);
  const [sample] = await who.api(hooks.sample, { params: { event: 'sendings.status' } });
  const { url } = await crm();
  const { id: sent } = (await (
    await post(local(url), { client: { phone: '+79990000001' } })
  ).json()) as { id: string };
  await report([sent], 'delivered');
  await deliver();
  const [call] = receiver.take();
  const body = verified(secret, call!) as { type: string; data: object };
  expect(Object.keys(body.data).toSorted()).toEqual(Object.keys(sample!.data).toSorted());
  await who.api(hooks.unsubscribe, { params: { id } });
  expect((await who.api(webhooks.find, { query: {} })).data).toEqual([]);
});

test('a refused subscription names its own fields', async () => {
  const hook = { event: 'tasks.state', target_url: 'http://10.0.0.1/' };
  const refused = async (body: object) => fieldsOf(await raw(world, who, 'POST', '/hooks', body));
  expect(await refused(hook)).toEqual(['target_url']);
  for (const title of ['', '  ', 'x'.repeat(51), 5])
    expect(await refused({ ...hook, title })).toEqual(['title']);
});

test('a superior gets no URL of an integration, neither by its own session nor by login-as', async () => {
  const reseller = await world.person({ level: 'reseller' });
  who = await world.person({ resellerId: reseller.id });
  const { id, url } = await crm();
  const { token } = await reseller.api(auth.loginAs, { params: { id: who.id } });
  const borrowed = world.client(token);
  const params = { id };
  await expect(reseller.api(integrations.rotate, { params })).rejects.toMatchObject({
    status: 403,
  });
  const code = 'borrowed_session';
  await expect(borrowed(integrations.rotate, { params })).rejects.toMatchObject({ body: { code } });
  await expect(borrowed(integrations.create, { body: { ...CRM } })).rejects.toMatchObject({
    body: { code },
  });
  expect((await post(local(url), { client: { phone: '+79161110001' } })).status).toBe(200);
});

test('an integration is put back as it was read; another kind or portal is refused', async () => {
  const bitrix = {
    kind: 'bitrix24',
    title: 'Portal',
    sender: 'MIRTEA',
    portal: OAUTH.url,
  } as const;
  for (const { id } of [await crm(), await who.api(integrations.create, { body: bitrix })]) {
    const row = await get(id);
    const put = (changes: object) =>
      who.api(integrations.update, { params: { id }, body: { ...row, ...changes } });
    const refused = (field: string) => ({
      status: 422,
      body: { data: [expect.objectContaining({ field, type: 'invalid_value' })] },
    });
    expect(await put({})).toEqual({ ...row, updatedAt: expect.any(String) });
    const kind = row.kind === 'crm' ? 'bitrix24' : 'crm';
    await expect(put({ kind })).rejects.toMatchObject(refused('kind'));
    const portal = put({ portal: 'https://another.example' });
    await expect(portal).rejects.toMatchObject(refused('portal'));
    expect(await get(id)).toMatchObject({ kind: row.kind, portal: row.portal });
  }
});
