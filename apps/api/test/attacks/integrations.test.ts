import { hooks, integrations } from '@heliograph/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Bitrix24Peer } from '../peers/bitrix24-peer.ts';
import { World, type Person } from '../world.ts';

let world: World;
let portal: Bitrix24Peer;
let who: Person;

beforeAll(async () => {
  world = await World.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1/32', SENDERNAMES_CHECK: 'none' });
  portal = await new Bitrix24Peer().start();
  who = await world.person();
});
afterAll(async () => {
  portal.stop();
  await world.stop();
});

const CRM = {
  kind: 'crm',
  title: 'Shop',
  sender: 'MIRTEA',
  recipient: 'phone',
  text: '{{ a }}',
} as const;
const local = (url: string) => url.replace(/^https?:\/\/[^/]+/, world.base);
const create = async (person: Person, body: object = CRM) => {
  const row = await person.api(integrations.create, { body: body as typeof CRM });
  return { id: row.id, url: local(row.url) };
};
const post = (url: string, body: string | URLSearchParams, type = 'application/json') =>
  fetch(url, { method: 'POST', headers: { 'content-type': type }, body });
const status = (call: Promise<unknown>) =>
  call.then(
    () => 200,
    (error: { status: number }) => error.status,
  );
const count = async () => {
  const [row] = await world.db.query<{ n: number }>(`select count(*)::int as n from sendings`);
  return row!.n;
};

const INSIDE = [
  'http://127.0.0.2/',
  'http://169.254.169.254/latest/meta-data/',
  'http://[::1]/',
  'http://2130706434/',
  'http://10.0.0.1/',
  'http://8.8.8.8:6379/',
  'http://no-such-name.invalid/',
];
test.each(INSIDE)('no portal and no subscription at %s', async (url) => {
  const portalOf = { kind: 'bitrix24', title: 'x', sender: 'MIRTEA', portal: url };
  expect(await status(create(who, portalOf))).toBe(422);
  const body = { event: 'tasks.state', target_url: url } as const;
  expect(await status(who.api(hooks.subscribe, { body }))).toBe(422);
});

test.each(['https://user:pass@8.8.8.8/', 'file:///etc/passwd', 'javascript:alert(1)'])(
  'no portal with the URL %s',
  async (url) => {
    const body = { kind: 'bitrix24', title: 'x', sender: 'MIRTEA', portal: url };
    expect(await status(create(who, body))).toBe(422);
  },
);

test('the secret of one integration does not open another, nor the other kind', async () => {
  const mine = await create(who);
  const other = await create(await world.person());
  const before = await count();
  const swapped = mine.url.replace(mine.id, other.id);
  const body = JSON.stringify({ phone: '+79990000001', a: 'Tea' });
  expect((await post(swapped, body)).status).toBe(401);
  expect((await post(mine.url.replace('/messages/', '/bitrix24/'), body)).status).toBe(401);
  expect((await post(`${mine.url.slice(0, -1)}x`, body)).status).toBe(401);
  expect((await post(mine.url.slice(0, -1), body)).status).toBe(422);
  expect(await count()).toBe(before);
});

test('the hooks and integrations of another account do not exist', async () => {
  const body = { event: 'tasks.state', target_url: 'http://127.0.0.1:9/' } as const;
  const { id } = await who.api(hooks.subscribe, { body });
  const { id: integration } = await create(who);
  const foreign = await world.person();
  expect(await status(foreign.api(hooks.unsubscribe, { params: { id } }))).toBe(404);
  const params = { id: integration };
  expect(await status(foreign.api(integrations.rotate, { params }))).toBe(404);
  expect(await status(foreign.api(integrations.remove, { params }))).toBe(404);
  expect(await status(foreign.api(integrations.update, { params, body: { title: 'x' } }))).toBe(
    404,
  );
});

test('the token of another portal sends nothing and ends nothing', async () => {
  const row = { kind: 'bitrix24', title: 'x', sender: 'MIRTEA', portal: portal.url };
  const { id, url } = await create(who, row);
  expect((await portal.install(url)).status).toBe(200);
  portal.relocate(url);
  const before = await count();
  const forged = { 'auth[application_token]': 'of another portal' };
  expect((await portal.send('m1', 'Tea', forged)).status).toBe(401);
  const uninstall = new URLSearchParams({
    event: 'ONAPPUNINSTALL',
    'auth[application_token]': 'of another portal',
  });
  expect((await fetch(url, { method: 'POST', body: uninstall })).status).toBe(401);
  expect(await who.api(integrations.get, { params: { id } })).toMatchObject({ state: 'working' });
  expect(await count()).toBe(before);
});

test('large, deep, wide and strange bodies are refused or cut', async () => {
  const { url } = await create(who);
  expect((await post(url, JSON.stringify({ a: 'x'.repeat(70_000) }))).status).toBe(413);
  expect((await post(url, `${'{"a":'.repeat(30)}1${'}'.repeat(30)}`)).status).toBe(400);
  expect((await post(url, '[1]')).status).toBe(422);
  expect((await post(url, '<a/>', 'application/xml')).status).toBe(415);
  const deep = `phone=%2B79990000001&a${'[a]'.repeat(2000)}=1`;
  const form = 'application/x-www-form-urlencoded';
  expect([200, 400, 422]).toContain((await post(url, deep, form)).status);
  const proto = await post(url, '{"__proto__":{"phone":"+79990000001"},"a":"Tea"}');
  expect(proto.status).toBe(422);
  const wide = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`f${i}`, 1]));
  expect((await post(url, JSON.stringify(wide))).status).toBe(422);
});

test('values of a call are text: they add no recipient, variable or sender', async () => {
  const { url } = await create(who);
  const before = await count();
  for (const phone of ['+79990000001,+79990000002', '+79990000001\n+79990000002'])
    expect((await post(url, JSON.stringify({ phone, a: 'Tea' }))).status).toBe(422);
  expect(await count()).toBe(before);
  expect((await post(url, '{"phone":"+79990000001","a":"{{phone}} {firstName}"}')).status).toBe(
    200,
  );
  const [row] = await world.db.query<{ text: string }>(
    `select data->'payload'->>'text' as text from sendings where owner_id = $1 order by id desc limit 1`,
    [who.id],
  );
  expect(row!.text).toBe('{{{{phone}}}} {{firstName}}');
});

test('a template of many variables takes no time and makes no large text', async () => {
  const { url } = await create(who, { ...CRM, text: '{{ a }}'.repeat(280) });
  const body = JSON.stringify({ phone: '+79990000001', a: '{'.repeat(9000) });
  expect([200, 422]).toContain((await post(url, body)).status);
});

test('guesses of a secret are limited by network', async () => {
  const { app, base } = await world.startApi({ RATE_SCALE: 0.01 });
  const { url } = await create(who);
  const at = url.replace(world.base, base).slice(0, -3);
  const statuses: number[] = [];
  // Three in a window of time, of which a second one may begin meanwhile.
  for (let i = 0; i < 7; i++) statuses.push((await post(`${at}AA${i}`, '{}')).status);
  expect(statuses).toContain(429);
  await app.close();
});
