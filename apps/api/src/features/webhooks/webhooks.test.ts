import { sendernames, sendings, webhooks, type SendingReceipt } from '@heliograph/contract';
import { webhookExample, type Status } from '@heliograph/domain';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { accepted, DriverPeer, unsent } from '../../../test/driver.ts';
import { intoOneBatch, setCarrier } from '../../../test/factories.ts';
import { verified, WebhookReceiver, type Received } from '../../../test/webhook-receiver.ts';
import { World, type Person } from '../../../test/world.ts';
import { ReportsService } from '../sendings/reports/reports.service.ts';
import { DeliveryQueueStore } from './delivery-queue.store.ts';
import { DeliveryService } from './delivery.service.ts';
import { requestOf } from './webhook-request.ts';

let world: World;
let receiver: WebhookReceiver;
let who: Person;

beforeAll(async () => {
  world = await World.start({ SENDERNAMES_CHECK: 'none' });
  receiver = await new WebhookReceiver().start();
});
afterAll(async () => {
  receiver.stop();
  await world.stop();
});
beforeEach(async () => {
  // Those of other tests get no further turn, and the clock is right again: signatures are valid for some minutes.
  await world.db.query(`update webhooks set state = 'disabled', reason = 'manual'`);
  forward(-ahead);
  who = await world.person();
  receiver.take();
  receiver.answer = (_, response) => response.end('ok');
});

/** Seconds that the clock is ahead of the real time. */
let ahead = 0;
function forward(seconds: number): void {
  ahead += seconds;
  world.clock.forward(seconds);
}

const createBody = (given: object) => ({
  title: 'Shop',
  event: 'sendings.status' as const,
  url: `${receiver.base}/hook`,
  ...given,
});
const create = (given: object = {}) => who.api(webhooks.create, { body: createBody(given) });

async function send(callbackData?: string): Promise<string> {
  const body = {
    type: 'sms' as const,
    recipient: '+79990000001',
    payload: { sender: 'MIRTEA', text: 'Tea' },
    ...(callbackData && { callbackData }),
  };
  return ((await who.api(sendings.create, { body })) as SendingReceipt).id;
}
const report = (ids: string[], status: Status, code?: string) =>
  world.api
    .get(ReportsService, { strict: false })
    .apply(ids.map((id) => ({ id, status, code, at: world.clock.now() })));

/** Delivers everything that is due. */
async function deliver(): Promise<void> {
  const service = world.api.get(DeliveryService, { strict: false });
  await service.deliver();
  await service.idle();
}
const bodies = () =>
  receiver.take().map(({ body }) => JSON.parse(body) as { data: { id: string } });
const get = (id: string) => who.api(webhooks.get, { params: { id } });
const log = async (id: string, query = {}) =>
  (await who.api(webhooks.deliveries, { params: { id }, query })).data;

test('reports a status with a signature of Standard Webhooks', async () => {
  const { secret, ...webhook } = await create();
  expect(webhook).toMatchObject({ state: 'active', statuses: ['delivered', 'seen', 'failed'] });
  const change = (body: object) =>
    who.api(webhooks.update, { params: { id: webhook.id }, body: body as never });
  expect((await change({ statuses: ['sent'] })).statuses).toEqual(['sent']);
  expect((await change({ statuses: null })).statuses).toEqual(webhook.statuses);
  const id = await send('order-1042');
  await report([id], 'sent');
  await report([id], 'delivered');
  await deliver();
  const [call, ...others] = receiver.take();
  expect(others).toEqual([]);
  expect(verified(secret, call!)).toMatchObject({
    type: 'sendings.status',
    data: {
      id,
      chainId: id,
      type: 'sms',
      recipient: '+79990000001',
      sender: 'MIRTEA',
      status: 'delivered',
      error: { code: null, message: null },
      currency: 'RUB',
      callbackData: 'order-1042',
      seenAt: null,
    },
  });
  expect(() => verified('whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', call!)).toThrow(
    'No matching signature found',
  );
  const [entry] = await log(webhook.id);
  expect(entry).toMatchObject({ key: id, state: 'delivered', status: 200, tries: 1, error: null });
  expect(call!.headers['webhook-id']).toBe(entry!.id);
  expect(JSON.stringify(await get(webhook.id))).not.toContain('whsec');
});

test('reports a message in the order of its statuses, and only the chosen ones', async () => {
  await create({ statuses: ['pending', 'sent', 'delivered', 'seen'], maxConnections: 10 });
  const ids = [await send(), await send(), await send()];
  await report(ids, 'sent');
  await report(ids, 'delivered');
  await report(ids, 'seen');
  await deliver();
  const calls = bodies() as { data: { id: string; status: string } }[];
  for (const id of ids)
    expect(calls.filter(({ data }) => data.id === id).map(({ data }) => data.status)).toEqual([
      'pending',
      'sent',
      'delivered',
      'seen',
    ]);
});

test('a message that a worker submits is reported as processing, then as sent', async () => {
  await setCarrier(world, {});
  await create({ statuses: ['pending', 'processing', 'sent'] });
  const id = await send();
  await world.submit();
  await deliver();
  const calls = bodies() as { data: { id: string; status: string } }[];
  expect(calls.map(({ data }) => `${data.id} ${data.status}`)).toEqual([
    `${id} pending`,
    `${id} processing`,
    `${id} sent`,
  ]);
});

test('a message that did not leave is reported as processing once, however often it is tried', async () => {
  const peer = await DriverPeer.start(world, ['sms']);
  await create({ statuses: ['processing', 'sent'] });
  const ids = [await send(), await send()];
  await intoOneBatch(world, ids);
  // First nothing leaves, then one of both, then the other.
  peer.send = (batch) => Promise.resolve(batch.map(unsent));
  await world.submit();
  peer.send = ([first, ...others]) => Promise.resolve([accepted(first!), ...others.map(unsent)]);
  for (let i = 0; i < 2; i++) {
    forward(2);
    await world.submit();
  }
  await deliver();
  await world.db.query(`update channels set is_active = false where name = $1`, [peer.name]);
  world.forgetChannels();
  expect(peer.calls.map((call) => call.length)).toEqual([2, 2, 1]);
  const calls = bodies() as { data: { id: string; status: string } }[];
  for (const id of ids)
    expect(calls.filter(({ data }) => data.id === id).map(({ data }) => data.status)).toEqual([
      'processing',
      'sent',
    ]);
});

test('a refused message is reported as failed, with its error', async () => {
  await create();
  await world.db.query(`update balances set balance = 0 where owner_id = $1`, [who.id]);
  const id = await send();
  await deliver();
  expect(bodies()).toMatchObject([
    { data: { id, status: 'failed', error: { code: 'insufficient_funds' } } },
  ]);
});

test('a rolled back change is not reported, and accounts without a webhook write nothing', async () => {
  const id = await send();
  await create();
  await expect(
    world.db.transaction(async () => {
      await report([id], 'delivered');
      throw new Error('rolled back');
    }),
  ).rejects.toThrow('rolled back');
  const [count] = await world.db.query(
    `select count(*)::int as n from webhook_events where owner_id = $1`,
    [who.id],
  );
  expect(count).toEqual({ n: 0 });
});

test('batches up to the given size; a repeated batch is the same call', async () => {
  const { secret, id: webhookId } = await create({ batchSize: 2, maxConnections: 1 });
  const ids = [await send(), await send(), await send()];
  await report(ids, 'delivered');
  receiver.status(500);
  await deliver();
  const failed = receiver.take();
  expect(failed).toHaveLength(2);
  receiver.status(200);
  forward(10);
  // A new event does not join a batch that has been sent.
  await report(ids, 'seen');
  await deliver();
  const calls = receiver.take();
  const repeated = calls.slice(0, 2);
  const byId = (some: Received[]) =>
    new Map(some.map(({ headers, body }) => [headers['webhook-id'], body]));
  expect(byId(repeated)).toEqual(byId(failed));
  const seen = calls
    .slice(2)
    .flatMap((call) => (verified(secret, call) as { data: unknown[] }).data);
  expect(seen).toHaveLength(3);
  const details = await Promise.all(
    (await log(webhookId, { state: 'delivered' })).map(({ id: deliveryId }) =>
      who.api(webhooks.delivery, { params: { id: webhookId, deliveryId } }),
    ),
  );
  expect(details.filter(({ tries }) => tries === 2)).toHaveLength(3);
});

test('events of a failed batch are reported one by one after the webhook stops to take batches', async () => {
  const { id: webhookId } = await create({ batchSize: 10 });
  const ids = [await send(), await send(), await send()];
  await report(ids, 'delivered');
  receiver.status(500);
  await deliver();
  expect(receiver.take()).toHaveLength(1);
  receiver.status(200);
  const body = { batchSize: 1, body: '{"id":"{{id}}","event":"{{$id}}"}' };
  await who.api(webhooks.update, { params: { id: webhookId }, body });
  forward(10);
  await deliver();
  const calls = receiver.take();
  const reported = calls.map((call) => JSON.parse(call.body) as { id: string; event: string });
  expect(reported.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  expect(calls.map(({ headers }) => headers['webhook-id'])).toEqual(
    reported.map(({ event }) => event),
  );
  const entries = await log(webhookId, { state: 'delivered' });
  expect(entries.map(({ isBatch }) => isBatch)).toEqual([false, false, false]);
});

test('repeats a failed call with the same id, and holds back later events of the same message', async () => {
  const { id: webhookId } = await create();
  const [first, second] = [await send(), await send()];
  await report([first], 'delivered');
  receiver.status(503);
  await deliver();
  const [failed] = receiver.take();
  receiver.status(200);
  await report([first, second], 'seen');
  await deliver();
  // The other message is not delayed.
  expect(bodies()).toMatchObject([{ data: { id: second, status: 'seen' } }]);
  forward(10);
  await deliver();
  const calls = receiver.take();
  expect(calls.map(({ body }) => JSON.parse(body) as unknown)).toMatchObject([
    { data: { id: first, status: 'delivered' } },
    { data: { id: first, status: 'seen' } },
  ]);
  expect(calls[0]!.headers['webhook-id']).toBe(failed!.headers['webhook-id']);
  const entry = (await log(webhookId, { key: first })).find(({ tries }) => tries === 2)!;
  const params = { id: webhookId, deliveryId: entry.id };
  expect(await who.api(webhooks.delivery, { params })).toMatchObject({
    attempts: [
      { status: 503, error: 'status' },
      { status: 200, error: null },
    ],
    request: { method: 'POST', url: `${receiver.base}/hook` },
  });
});

test('gives up after the last attempt, a day after the first', async () => {
  const { id } = await create();
  await report([await send()], 'delivered');
  receiver.status(500);
  const seconds = [0, 6, 331, 1981, 7921, 19_801, 39_601, 55_441, 79_201, 95_041];
  for (const [i, at] of seconds.entries()) {
    forward(at - (seconds[i - 1] ?? 0));
    // The pause between single calls to an endpoint that fails is not the subject here.
    await world.db.query(
      `update webhooks set blocked_until = null, state = 'active', reason = null where id = $1`,
      [id],
    );
    await deliver();
  }
  expect(receiver.take()).toHaveLength(10);
  expect(await log(id)).toMatchObject([{ state: 'failed', tries: 10, nextAt: null }]);
});

test('an endpoint that only fails is called seldom, pauses, and continues when it is resumed', async () => {
  const { id } = await create({ maxConnections: 1 });
  const ids = await Promise.all(Array.from({ length: 8 }, () => send()));
  await report(ids, 'delivered');
  receiver.status(500);
  await deliver();
  expect(receiver.take()).toHaveLength(5);
  expect(await get(id)).toMatchObject({ state: 'active', failures: 5 });
  await deliver();
  expect(receiver.take()).toHaveLength(0);
  forward(60);
  await deliver();
  expect(receiver.take()).toHaveLength(1);
  forward(86_400);
  await deliver();
  expect(await get(id)).toMatchObject({ state: 'paused', reason: 'failing' });
  const [notification] = await world.db.query(
    `select type, data from notifications where owner_id = $1 and type like 'Webhook%'`,
    [who.id],
  );
  expect(notification).toMatchObject({ type: 'WebhookPaused', data: { id, title: 'Shop' } });
  receiver.take();
  receiver.status(200);
  // Events are kept while it is paused.
  const late = await send();
  await report([late], 'delivered');
  await deliver();
  expect(receiver.take()).toHaveLength(0);
  await who.api(webhooks.update, { params: { id }, body: { state: 'active' } });
  await deliver();
  expect(new Set(bodies().map(({ data }) => data.id))).toEqual(new Set([...ids, late]));
  expect(await get(id)).toMatchObject({ state: 'active', failures: 0, failingSince: null });
});

test('410 disables the webhook and notifies its owner', async () => {
  const { id } = await create();
  await report([await send()], 'delivered');
  receiver.status(410);
  await deliver();
  expect(await get(id)).toMatchObject({ state: 'disabled', reason: 'gone' });
  const rows = await world.db.query(
    `select type from notifications where owner_id = $1 and type = 'WebhookDisabled'`,
    [who.id],
  );
  expect(rows).toHaveLength(1);
  await report([await send()], 'delivered');
  expect(await log(id)).toHaveLength(1);
});

test('waits as long as Retry-After says', async () => {
  await create();
  await report([await send()], 'delivered');
  receiver.status(429, { 'retry-after': '120' });
  await deliver();
  forward(60);
  await deliver();
  expect(receiver.take()).toHaveLength(1);
  forward(61);
  await deliver();
  expect(receiver.take()).toHaveLength(1);
});

test('a queue that has just filled up is read once, although the planner takes it for empty', async () => {
  const { id } = await create();
  const { db } = world;
  const store = world.api.get(DeliveryQueueStore, { strict: false });
  const now = world.clock.now();
  const KEYS = 1000;
  const fill = (keys: string[], due: string) =>
    db.query(
      `insert into webhook_events (webhook_id, owner_id, key, due_at, at)
       select $1, $2, unnest($3::uuid[]), $4::timestamptz + $5::interval, $4`,
      [id, who.id, keys, now, due],
    );
  const read = async () => {
    const [rows] = await db.query<{ n: number }>(
      `select (seq_tup_read + idx_tup_fetch)::int as n from pg_stat_xact_user_tables where relname = 'webhook_events'`,
    );
    return rows!.n;
  };
  await db.query(`delete from webhook_events`);
  await db.query(`analyze webhook_events`);
  const keys = Array.from({ length: KEYS }, () => randomUUID());
  await db.transaction(async () => {
    await fill(keys, '-1 s');
    await fill(keys, '-1 s');
    const before = await read();
    const taken = await store.take(id, now, 5000);
    expect(taken.map(({ key }) => key)).toEqual(keys);
    expect((await read()) - before).toBeLessThan(10 * KEYS);
  });
  await db.query(`delete from webhook_events`);
  await db.query(`analyze webhook_events`);
  await db.transaction(async () => {
    await fill(keys, '60 s');
    await fill(keys, '-1 s');
    expect(await store.take(id, now, 5000)).toEqual([]);
    const before = await read();
    await store.postpone(id, now);
    expect((await read()) - before).toBeLessThan(10 * KEYS);
    expect(await store.isDue(now)).toBe(false);
  });
});

test('a slow endpoint delays no other', async () => {
  const slow: (() => void)[] = [];
  receiver.answer = (call, response) => {
    if (call.url === '/slow') slow.push(() => response.end());
    else response.end();
  };
  await create({ url: `${receiver.base}/slow` });
  await create();
  await report([await send(), await send()], 'delivered');
  const service = world.api.get(DeliveryService, { strict: false });
  await service.deliver();
  await expect.poll(() => receiver.calls.filter(({ url }) => url === '/hook').length).toBe(2);
  await expect.poll(() => slow.length).toBe(2);
  for (const answer of slow) answer();
  await service.idle();
});

/** The answer to the first call that reports the object waits until it is released. */
function answerLate(slow: string): () => void {
  const late = Promise.withResolvers<void>();
  let isFirst = true;
  receiver.answer = (call, response) => {
    const { data } = JSON.parse(call.body) as { data: { id: string } };
    if (data.id !== slow || !isFirst) return response.end();
    isFirst = false;
    void late.promise.then(() => response.end());
  };
  return late.resolve;
}
const reported = () =>
  receiver.calls.map((call) => {
    const { data } = JSON.parse(call.body) as { data: { id: string; status: string } };
    return `${data.id} ${data.status}`;
  });

test('one slow answer delays only the later events of its own object', async () => {
  const { id: webhookId } = await create({ maxConnections: 2 });
  const [slow, ...others] = [await send(), await send(), await send(), await send()] as const;
  await report([slow, ...others], 'delivered');
  await report([slow, ...others], 'seen');
  const release = answerLate(slow);
  const service = world.api.get(DeliveryService, { strict: false });
  await service.deliver();
  await expect.poll(() => receiver.calls.length).toBe(7);
  // An event that comes in meanwhile does not wait either.
  const late = await send();
  await report([late], 'delivered');
  await expect.poll(() => receiver.calls.length).toBe(8);
  const calls = reported();
  for (const id of others)
    expect(calls.filter((call) => call.startsWith(id))).toEqual([`${id} delivered`, `${id} seen`]);
  expect(calls.filter((call) => call.startsWith(slow))).toEqual([`${slow} delivered`]);
  expect(calls.at(-1)).toBe(`${late} delivered`);
  release();
  await service.idle();
  expect(reported().slice(8)).toEqual([`${slow} seen`]);
  expect((await log(webhookId)).map(({ state, tries }) => `${state} ${tries}`)).toEqual(
    Array.from({ length: 9 }, () => 'delivered 1'),
  );
});

test('a turn that ends while an answer is awaited goes on with the settings of then', async () => {
  const { id } = await create({ maxConnections: 2 });
  const slow = await send();
  await report([slow], 'delivered');
  const release = answerLate(slow);
  const service = world.api.get(DeliveryService, { strict: false });
  await service.deliver();
  await expect.poll(() => receiver.calls.length).toBe(1);
  await who.api(webhooks.update, { params: { id }, body: { url: `${receiver.base}/new` } });
  forward(11);
  const late = await send();
  await report([late], 'delivered');
  await expect.poll(() => receiver.calls.map(({ url }) => url)).toEqual(['/hook', '/new']);
  release();
  await service.idle();
  expect(reported()).toEqual([`${slow} delivered`, `${late} delivered`]);
  expect((await log(id)).map(({ state }) => state)).toEqual(['delivered', 'delivered']);
});

test('sends a template, with its variables escaped', async () => {
  const body = '{"text": "{{callbackData}}", "state": "{{ status }}", "all": {{$data}}}';
  const headers = [{ name: 'X-Key', value: 'k-1' }];
  await create({ body, headers });
  await report([await send('a "quoted" \\ \n line')], 'delivered');
  await deliver();
  const [call] = receiver.take();
  expect(JSON.parse(call!.body)).toMatchObject({
    text: 'a "quoted" \\ \n line',
    state: 'delivered',
    all: { status: 'delivered' },
  });
  expect(call!.headers['x-key']).toBe('k-1');
});

test.each([
  ['..', '/hooks//end?q=..'],
  ['.', '/hooks//end?q=.'],
  ['../a', '/hooks/..%2Fa/end?q=..%2Fa'],
])('a value %s in the path of the URL does not choose another path', (value, path) => {
  const target = { url: 'https://x.example/hooks/{{id}}/end?q={{id}}', method: 'POST' } as const;
  const report = { ...webhookExample('sendings.status'), data: { id: value } };
  const { url } = requestOf({ ...target, body: null, batchSize: 1, headers: [] }, [report], false);
  const { pathname, search } = new URL(url);
  expect(pathname + search).toBe(path);
});

test('GET passes the fields in the query, or where the URL has variables', async () => {
  const plain = await create({ method: 'GET' });
  const named = await create({
    method: 'GET',
    url: `${receiver.base}/{{id}}?s={{status}}&c={{callbackData}}`,
  });
  const id = await send('a&b=c');
  await report([id], 'delivered');
  await deliver();
  const calls = receiver.take();
  const withPath = calls.find(({ url }) => url.startsWith(`/${id}`))!;
  expect(withPath.url).toBe(`/${id}?s=delivered&c=a%26b%3Dc`);
  const other = calls.find(({ url }) => url.startsWith('/hook?'))!;
  expect(Object.fromEntries(new URL(other.url, receiver.base).searchParams)).toMatchObject({
    event: 'sendings.status',
    id,
    status: 'delivered',
    callbackData: 'a&b=c',
  });
  expect(() => new URL(other.url, receiver.base)).not.toThrow();
  for (const [call, { secret }] of [
    [withPath, named],
    [other, plain],
  ] as const) {
    expect(call.body).toBe('');
    expect(() => verified(secret, { ...call, body: '' })).not.toThrow(/signature/);
  }
});

test('decides by the given patterns whether a call succeeded', async () => {
  const { id } = await create({ successOn: { status: '^(200|404)$', body: '^OK\\b' } });
  receiver.answer = (_, response) => response.writeHead(404).end('OK 1');
  await report([await send()], 'delivered');
  await deliver();
  receiver.answer = (_, response) => response.end('error: OK');
  await report([await send()], 'delivered');
  await deliver();
  expect((await log(id)).map(({ state, error }) => [state, error])).toEqual([
    ['waiting', 'body'],
    ['delivered', null],
  ]);
});

test('a change of one pattern keeps the other; null removes it', async () => {
  const { id } = await create({ successOn: { status: '^200$', body: '^OK' } });
  const change = async (successOn: object | null) => {
    const body = { successOn };
    return (await who.api(webhooks.update, { params: { id }, body })).successOn;
  };
  expect(await change({ status: '^2' })).toEqual({ status: '^2', body: '^OK' });
  expect(await change({ body: null })).toEqual({ status: '^2', body: null });
  expect(await change({ status: null })).toBeNull();
});

test('only the account itself replaces a secret, not who acts for it', async () => {
  const { id } = await create();
  const manager = await world.person({ level: 'manager', grants: { add: ['users.all'] } });
  const rotate = (by: Person) =>
    by.api(webhooks.rotate, { params: { id }, body: { overlapHours: 2 } });
  await expect(rotate(manager)).rejects.toMatchObject({ status: 403 });
  const { secret } = await rotate(who);
  expect(secret).toMatch(/^whsec_/);
});

test('signs with both secrets until the overlap ends', async () => {
  const { id, secret: former } = await create();
  const { secret } = await who.api(webhooks.rotate, { params: { id }, body: { overlapHours: 2 } });
  await report([await send()], 'delivered');
  await deliver();
  const [call] = receiver.take();
  expect([verified(former, call!), verified(secret, call!)]).toHaveLength(2);
  forward(7201);
  await report([await send()], 'delivered');
  await deliver();
  const [later] = receiver.take();
  const signatures = String(later!.headers['webhook-signature']).split(' ');
  expect(signatures).toHaveLength(1);
});

test('a test calls the endpoint at once and shows the answer', async () => {
  const { id, secret } = await create();
  receiver.answer = (_, response) => response.writeHead(422).end('{"no": 1}');
  const result = await who.api(webhooks.test, { params: { id } });
  expect(result).toMatchObject({
    state: 'failed',
    isTest: true,
    status: 422,
    error: 'status',
    response: '{"no": 1}',
  });
  const [call] = receiver.take();
  expect(JSON.parse(call!.body)).toEqual(JSON.parse(result.request.body!));
  expect(call!.headers['webhook-id']).toBe(result.callId);
  expect(String(call!.headers['webhook-signature'])).toMatch(/^v1,/);
  expect(secret).toMatch(/^whsec_/);
  expect(await log(id)).toHaveLength(1);
});

test('a delivery is listed by the time that it shows, which is not that of the event', async () => {
  const { id } = await create();
  world.clock.forward(60);
  await report([await send()], 'delivered');
  const [entry] = await log(id);
  const at = (ms: number) => new Date(Date.parse(entry!.createdAt) + ms).toISOString();
  const range = (createdAt: object) => log(id, { range: { createdAt } });
  expect(await range({ $gt: at(-1), $lt: at(1) })).toEqual([entry]);
  expect(await range({ $gt: at(0) })).toEqual([]);
});

test('replays single deliveries and those of a time', async () => {
  const { id } = await create();
  const ids = [await send(), await send(), await send()];
  await report(ids, 'delivered');
  await deliver();
  const first = receiver.take();
  const [entry] = await log(id);
  const replay = (body: object) => who.api(webhooks.replay, { params: { id }, body });
  expect(await replay({ ids: [entry!.id] })).toEqual({ count: 1, isMore: false });
  await deliver();
  const again = receiver.take();
  expect(again.map(({ headers }) => headers['webhook-id'])).toEqual([entry!.id]);
  const to = new Date(Date.now() + 60_000).toISOString();
  expect(await replay({ from: '2026-01-01T00:00:00.000Z', to })).toEqual({
    count: 3,
    isMore: false,
  });
  await deliver();
  expect(receiver.take()).toHaveLength(first.length);
  expect(await replay({ from: to })).toEqual({ count: 0, isMore: false });
});

test('another worker repeats the calls of one that lost its lease', async () => {
  const { id } = await create();
  await report([await send()], 'delivered');
  let lose: () => Promise<unknown> = async () => undefined;
  receiver.answer = (_, response) => void lose().then(() => response.end());
  lose = () =>
    world.db.query(`update webhooks set lease = lease + 1, lease_until = null where id = $1`, [id]);
  await deliver();
  expect(await log(id)).toMatchObject([{ state: 'waiting', tries: 0 }]);
  lose = async () => undefined;
  await deliver();
  const calls = receiver.take();
  expect(calls).toHaveLength(2);
  expect(new Set(calls.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(await log(id)).toMatchObject([{ state: 'delivered', tries: 1 }]);
});

test('reports the moderation of a sender name', async () => {
  await create({ event: 'sendernames.moderation' });
  const manager = await world.person({ level: 'manager' });
  await world.db.query(`update users set manager_id = $2 where id = $1`, [who.id, manager.id]);
  const name = await who.api(sendernames.create, {
    body: { name: 'TEASHOP', type: 'sms', meta: { comment: 'Tea House LLC, INN 7700000009' } },
  });
  await manager.api(sendernames.moderate, {
    params: { id: name.id },
    body: { moderation: 'approved' },
  });
  await deliver();
  expect(bodies()).toMatchObject([
    { type: 'sendernames.moderation', data: { name: 'TEASHOP', moderation: 'approved' } },
  ]);
});

test('a webhook is put back as it was read; another event is refused', async () => {
  const { id } = await create();
  const row = await who.api(webhooks.get, { params: { id } });
  const put = (changes: object) =>
    who.api(webhooks.update, { params: { id }, body: { ...row, ...changes } });
  expect(await put({})).toEqual({ ...row, updatedAt: expect.any(String) });
  await expect(put({ event: 'sendings.incoming' })).rejects.toMatchObject({
    status: 422,
    body: { data: [expect.objectContaining({ field: 'event', type: 'invalid_value' })] },
  });
});
