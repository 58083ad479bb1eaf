import {
  analytics,
  billings,
  channels,
  contactLists,
  contacts,
  integrations,
  invoices,
  messageRuleGroups,
  otpWidgets,
  patterns,
  payments,
  reportSchedules,
  routingGroups,
  sendernames,
  sendings,
  sendingsIncoming,
  storage,
  tasks,
  templates,
  users,
  wapi,
  webhooks,
  type AnalyticsDimension,
} from '@heliograph/contract';
import { SandboxServer, type SandboxView } from '@heliograph/simulators';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LISTS, PEOPLE } from '../../../seeds/demo.ts';
import { Files } from '../src/core/files/files.ts';
import { SandboxPaymentsStore } from '../src/features/payments/sandbox.store.ts';
import { loadDemo } from '../src/demo.ts';
import { verify } from '../src/verify.ts';
import { World } from './world.ts';

let world: World;

beforeAll(async () => {
  world = await World.start();
  await loadDemo(world.db, world.config, world.api.get<Files>(Files));
});
afterAll(() => world.stop());

test('its users sign in and see the data of their level', async () => {
  const seen: Record<string, number> = {};
  for (const name of Object.keys(PEOPLE)) {
    const api = world.client(await world.login(name));
    seen[name] = (await api(users.find)).total;
  }
  expect(seen).toEqual({ manager: 7, reseller: 6, customer: 1, customer2: 1 });
});

test('its manager administers the channels', async () => {
  const api = world.client(await world.login('manager'));
  expect((await api(channels.find, { query: {} })).data.map((channel) => channel.name)).toEqual([
    'wapi',
    'simulator',
  ]);
});

test('its customer has WhatsApp instances in every state, with messages', async () => {
  const api = world.client(await world.login('customer'));
  const { data } = await api(wapi.find, {});
  expect(data.map(({ state, isPaid }) => [state, isPaid]).toSorted()).toEqual([
    ['authorized', false],
    ['authorized', true],
    ['deleted', false],
    ['notAuthorized', true],
    ['sleep', true],
  ]);
  const query = { filter: { type: ['wapi' as const] } };
  expect((await api(sendings.find, { query })).data).toMatchObject([
    { recipient: '+79990000010', state: { status: 'delivered' } },
    { recipient: '+79990000001', state: { status: 'delivered' } },
  ]);
  const { data: replies } = await api(sendingsIncoming.find, { query });
  expect(replies.map(({ from }) => from)).toEqual(['+79990000010', '+79990000001']);
});

test('its customer has integrations that work and one that waits', async () => {
  const api = world.client(await world.login('customer'));
  const { data } = await api(integrations.find, {});
  expect(data.map(({ kind, state }) => `${kind} ${state}`).toSorted()).toEqual([
    'bitrix24 working',
    'crm waiting',
    'crm working',
  ]);
});

test('its widget has statistics', async () => {
  const api = world.client(await world.login('customer'));
  const [widget] = (await api(otpWidgets.find)).data;
  const found = await api(otpWidgets.statistics, { params: { id: widget!.id } });
  expect(found).toMatchObject({ sessions: 45, confirmed: 41 });
  expect(found.channels).toMatchObject(
    [
      { channelType: 'telegramcode', sent: 45, confirmed: 27 },
      { channelType: 'sms', sent: 13, confirmed: 5 },
      { channelType: 'flashcall', sent: 18, confirmed: 9 },
    ].toSorted((a, b) => b.sent - a.sent),
  );
});

test('its customer has a running and a paused schedule of reports', async () => {
  const { data } = await world.client(await world.login('customer'))(reportSchedules.find, {});
  expect(data.map(({ isActive, frequency }) => [isActive, frequency]).toSorted()).toEqual([
    [false, 'monthly'],
    [true, 'weekly'],
  ]);
});

test('its customer has webhooks that work and one that was paused, with their logs', async () => {
  const api = world.client(await world.login('customer'));
  const { data } = await api(webhooks.find, {});
  expect(data.map(({ title, state, reason }) => [title, state, reason]).toSorted()).toEqual([
    ['CRM', 'active', null],
    ['Make: новые шаблоны', 'active', null],
    ['Бухгалтерия', 'paused', 'failing'],
  ]);
  const logs = data.map(async ({ id, title }) => {
    const { data: rows } = await api(webhooks.deliveries, { params: { id } });
    const details = await Promise.all(
      rows.map((row) => api(webhooks.delivery, { params: { id, deliveryId: row.id } })),
    );
    expect(details.map(({ request }) => request.body)).not.toContain(null);
    expect(details.map(({ tries, attempts }) => tries - attempts.length)).toEqual(
      details.map(() => 0),
    );
    // Nothing is called while a webhook is paused.
    expect(rows.map(({ nextAt }) => nextAt)).toEqual(rows.map(() => null));
    return [title, rows.map(({ state, status }) => `${state} ${status}`)];
  });
  expect(Object.fromEntries(await Promise.all(logs))).toEqual({
    CRM: ['delivered 200', 'delivered 200', 'delivered 200'],
    'Make: новые шаблоны': ['delivered 200'],
    Бухгалтерия: [
      'waiting null',
      'waiting 503',
      'waiting 503',
      'delivered 204',
      'failed 503',
      'delivered 204',
    ],
  });
});

test('its files are of every kind, can be opened, and one is about to expire', async () => {
  const token = await world.login('customer');
  const { data } = await world.client(token)(storage.find);
  expect(data.map(({ type }) => type).toSorted()).toEqual([
    'application/pdf',
    'audio/wav',
    'audio/wav',
    'image/png',
    'text/csv',
    'text/plain',
  ]);
  for (const { id, size } of data) {
    const headers = { authorization: token };
    const answer = await fetch(`${world.base}/api/storage/${id}`, { headers });
    expect((await answer.arrayBuffer()).byteLength).toBe(size);
  }
  const [expiry, ...others] = data.flatMap(({ expiredAt }) => expiredAt ?? []);
  expect(others).toEqual([]);
  expect(Date.parse(expiry!) - Date.now()).toBeLessThan(3_600_000);
  expect(data.filter(({ url }) => url)).toHaveLength(1);
});

test('its ledger is consistent', async () => {
  expect(await verify(world.db)).toEqual([]);
  // At no time somebody had less than nothing.
  const overdrawn = await world.db.query(
    `select owner_id, min(left_over) as least from (
       select owner_id, sum(amount) over (partition by owner_id order by id) as left_over from billings where status = 1) s
      group by owner_id having min(left_over) < 0`,
  );
  expect(overdrawn).toEqual([]);
});

test('its history is of the past, of many kinds, and equal in analytics, tasks and ledger', async () => {
  const api = world.client(await world.login('customer'));
  const to = new Date();
  const from = new Date(+to - 62 * 86_400_000);
  const figures = async (by: AnalyticsDimension) =>
    api(analytics.get, { query: { by, from: from.toISOString(), to: to.toISOString() } });
  const keysOf = async (by: AnalyticsDimension) =>
    (await figures(by)).data.map(({ key }) => key).filter(Boolean);
  const { total, data: days } = await figures('day');
  expect(days.length).toBeGreaterThan(58);
  expect(days.filter(({ figures: { messages } }) => messages < 20).length).toBeLessThan(3);
  for (const part of ['seen', 'failed', 'cancelled', 'replies', 'optOuts', 'clicks'] as const)
    expect([part, total[part]! > 0]).toEqual([part, true]);
  expect((await keysOf('type')).toSorted()).toEqual([
    'email',
    'flashcall',
    'sms',
    'telegramcode',
    'viber',
    'whatsapp',
  ]);
  expect((await keysOf('country')).toSorted()).toEqual(['BY', 'KZ', 'RU', 'UZ']);
  expect(await keysOf('operator')).toEqual(
    expect.arrayContaining(['25001', '25002', '25020', '25099']),
  );
  expect(await keysOf('sender')).toEqual(['MIRTEA', 'DEMO']);
  expect((await keysOf('hour')).length).toBeGreaterThan(16);
  // What was paid is there or was spent.
  const { result } = await api(billings.balance, { params: { id: PEOPLE.customer } });
  expect(result + total.cost!).toBeCloseTo(50_399.5, 4);
  const future = await world.db.query(
    `select id from sendings where greatest(uuid_extract_timestamp(id), sent_at, delivered_at, seen_at, failed_at) > now()
     union all select id from tasks where greatest(created_at, started_at, finished_at) > now()`,
  );
  expect(future).toEqual([]);
  const bulks = await api(tasks.find, { query: { filter: { type: ['sendings:bulk'] } } });
  const byTask = new Map((await figures('task')).data.map((row) => [row.key, row.figures]));
  expect(bulks.total).toBe(13);
  for (const { id, title, meta } of bulks.data)
    expect([title, meta.counters!.total]).toEqual([
      title,
      expect.toSatisfy((n: number) => n > 0 && n <= byTask.get(id)!.messages),
    ]);
  expect(bulks.data.map(({ state }) => state).toSorted()[12]).toBe('stopped');
});

test('its customer has invoices in every status, whose documents can be made', async () => {
  const api = world.client(await world.login('customer'));
  const { data } = await api(invoices.find);
  expect(data.map(({ status, amount }) => [status, amount])).toEqual([
    ['pending', 3000],
    ['pending', 7500.5],
    ['rejected', 50_000],
    ['paid', 12_000],
  ]);
  for (const { id } of data) await api(invoices.document, { params: { id } });
});

test('its payments are known to its acquirer, which refunds what is left of them and nothing more', async () => {
  const api = world.client(await world.login('manager'));
  const { OwnerId } = await world.client(await world.login('customer'))(users.me);
  const { data } = await api(payments.find, { query: { filter: { OwnerId } } });
  const sandbox = new SandboxServer({
    store: world.api.get(SandboxPaymentsStore),
    newId: () => 'new',
    now: Date.now,
    baseUrl: '/sandbox',
    isAuthorized: () => true,
    notify: () => undefined,
    later: () => undefined,
  });
  const respond = (method: string, path: string, more: object) =>
    sandbox.respond({ method, path, authorization: undefined, query: {}, body: {}, ...more });
  const viewOf = async (reference: string) =>
    (await respond('GET', '/payments', { query: { reference } })).json as SandboxView;
  const seen = await Promise.all(
    data.map(async ({ id, status }) => [status, (await viewOf(id)).status]),
  );
  expect(seen).toEqual([
    ['init', 'pending'],
    ['completed', 'paid'],
    ['completed', 'paid'],
    ['error', undefined],
    ['completed', 'paid'],
    ['completed', 'paid'],
    ['partialRefunded', 'paid'],
    ['refunded', 'paid'],
    ['completed', 'paid'],
    ['completed', 'paid'],
  ]);
  for (const { id, amount, refunded, meta } of data.filter((row) => row.completedAt)) {
    expect(Number((await viewOf(id)).refunded)).toBe(refunded);
    const refund = async (name: string, sum: number) => {
      const body = { id: name, amount: sum.toFixed(2) };
      return (await respond('POST', `/payments/${meta.externalId}/refunds`, { body })).status;
    };
    expect(await refund('more', amount - refunded + 0.01)).toBe(422);
    const rest = amount - refunded;
    expect(rest && (await refund('rest', rest))).toBe(rest && 200);
  }
});

test('its contact lists satisfy the validation rules', async () => {
  const api = world.client(await world.login('customer'));
  const page = await api(contactLists.find);
  const counts = Object.fromEntries(page.data.map((list) => [list.title, list.count]));
  expect(counts).toEqual({ Customers: 1000, VIP: 57, Blacklist: 16, 'Test numbers': 20 });
  const lists = Object.values(LISTS).filter((id) => id !== LISTS.customer2);
  for (const ListId of lists) {
    const query = { filter: { ListId }, limit: 200, offset: 0 };
    const found = await api(contacts.find, { query });
    expect(found.total).toBe(page.data.find((list) => list.id === ListId)!.count);
  }
  const found = await api(contacts.find, {
    query: { filter: { ListId: LISTS.testNumbers, phone: '+79990000008' } },
  });
  expect(found.data[0]).toMatchObject({
    lastName: 'failed not a user on messengers delivered elsewhere',
    custom01: 'failed: not_a_user on messengers, delivered elsewhere',
  });
});

test('its accounts are in groups', async () => {
  const api = world.client(await world.login('manager'));
  expect((await api(routingGroups.find)).data).toMatchObject([
    { routes: [{ type: 'sms', ChannelId: 'simulator' }], accounts: 2 },
  ]);
  expect((await api(messageRuleGroups.find)).data).toMatchObject([{ accounts: 1 }]);
});

test('its sender names and templates are presentable', async () => {
  const api = world.client(await world.login('customer'));
  const names = await api(sendernames.find, { query: { filter: { moderation: ['approved'] } } });
  expect(names.data.map((row) => row.name)).toEqual(['74951234567', 'DEMO', 'MIRTEA']);
  const registered = (await api(patterns.find)).data;
  expect(registered).toHaveLength(1);
  for (const { title, type, sender, text, group, mccmnc, OwnerId } of registered) {
    const given = { title, type, sender, text, group, mccmnc, OwnerId };
    expect(patterns.create.body!.safeParse(given).error).toBeUndefined();
  }
  const { data } = await api(templates.find);
  expect(data).toHaveLength(5);
  // Stored values are valid input of the API.
  for (const { meta } of (await api(sendernames.find)).data) {
    const body = sendernames.update.body!.safeParse({ meta: { comment: meta.comment } });
    expect(body.error).toBeUndefined();
  }
  for (const { id } of data) {
    const { title, type, payload, recipient, fallbacks } = await api(templates.get, {
      params: { id },
      query: {},
    });
    const body = templates.create.body!.safeParse({ title, type, payload, recipient, fallbacks });
    expect(body.error).toBeUndefined();
  }
});
