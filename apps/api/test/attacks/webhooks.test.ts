import { webhooks } from '@heliograph/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ServerResponse } from 'node:http';
import { WebhookCaller } from '../../src/features/webhooks/webhook-caller.ts';
import { WebhookReceiver } from '../webhook-receiver.ts';
import { World, type Person } from '../world.ts';

let world: World;
let receiver: WebhookReceiver;
let who: Person;

beforeAll(async () => {
  world = await World.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.2', WEBHOOK_TIMEOUT_SECONDS: '1' });
  receiver = await new WebhookReceiver().start('127.0.0.2');
  who = await world.person();
});
afterAll(async () => {
  receiver.stop();
  await world.stop();
});

const create = (given: object) =>
  who.api(webhooks.create, {
    body: { title: 'Shop', event: 'tasks.state', url: `${receiver.base}/hook`, ...given },
  });
const refusal = (call: Promise<unknown>) =>
  call.then(
    () => null,
    (error: { status: number; body: { errors: { property: string; constraints: object }[] } }) => ({
      status: error.status,
      ...error.body.errors[0],
    }),
  );
const run = async (given: object = {}) => {
  const { id } = await create(given);
  return who.api(webhooks.test, { params: { id } });
};

test.each([
  'http://127.0.0.1/hook',
  'http://127.0.0.1:9/',
  'http://169.254.169.254/latest/meta-data/',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://2130706433/',
  'http://017700000001/',
  'http://0x7f.1/',
  'http://localhost/',
  'http://10.0.0.1/',
  'http://100.64.0.1/',
  'http://192.168.0.1/',
  'http://224.0.0.1/',
  'http://0.0.0.0/',
  'http://no-such-name.invalid/',
  // Ports of other services of public machines.
  'http://8.8.8.8:25/',
  'https://8.8.8.8:6379/',
])('refuses to store a webhook to %s', async (url) => {
  expect(await refusal(create({ url }))).toMatchObject({
    status: 422,
    property: 'url',
    constraints: { webhook_address: expect.any(String) },
  });
});

test.each([
  ['file:///etc/passwd', 'url'],
  ['gopher://8.8.8.8/', 'url'],
  ['http://', 'url'],
  ['http://user:password@8.8.8.8/', 'webhook_credentials'],
  ['http://{{name}}.example/', 'webhook_variable'],
  ['http://8.8.8.8:{{id}}/', 'webhook_variable'],
  ['http://8.8.8.8\\@127.0.0.1/', 'url'],
  ['http://8.8.8.8/\r\nHost: x', 'text'],
])('refuses the URL %j', async (url, rule) => {
  const refused = await refusal(create({ url }));
  expect(refused).toMatchObject({ property: 'url', constraints: { [rule]: expect.any(String) } });
});

test('checks the address again for the call: a name may resolve to another one', async () => {
  const { id } = await create({});
  for (const url of ['http://127.0.0.1:9/', 'http://localhost:9/', 'http://[::1]:9/']) {
    // As if the name had been a public one when the webhook was stored.
    await world.db.query(`update webhooks set url = $2 where id = $1`, [id, url]);
    expect(await who.api(webhooks.test, { params: { id } })).toMatchObject({
      state: 'failed',
      error: 'address_refused',
      status: null,
    });
  }
});

test('does not follow redirects', async () => {
  receiver.answer = (_, response) =>
    response.writeHead(302, { location: `${receiver.base}/inside` }).end();
  receiver.take();
  expect(await run()).toMatchObject({ state: 'failed', error: 'redirect', status: 302 });
  expect(receiver.take().map(({ url }) => url)).toEqual(['/hook']);
  expect(await run({ successOn: { body: '.*' } })).toMatchObject({ error: 'redirect' });
});

test('reads only the beginning of an answer of 10 MB', async () => {
  let sent = 0;
  receiver.answer = (_, response) => {
    const chunk = Buffer.alloc(64 * 1024, 'a');
    const write = (): void => {
      while (sent < 10e6 && !response.destroyed) {
        sent += chunk.length;
        if (!response.write(chunk)) return void response.once('drain', write);
      }
      response.end();
    };
    write();
  };
  const { response, state } = await run();
  expect([state, response?.length]).toEqual(['delivered', 1000]);
  expect(sent).toBeLessThan(10e6);
});

test('limits the time of an answer that drips', async () => {
  const open: ServerResponse[] = [];
  receiver.answer = (_, response) => {
    open.push(response);
    response.writeHead(200);
    const drip = setInterval(() => response.write('.'), 100);
    response.on('close', () => clearInterval(drip));
  };
  const result = await run();
  expect(result).toMatchObject({ state: 'failed', error: 'timeout' });
  // Without a limit it would not end at all.
  expect(result.ms).toBeLessThan(60_000);
  for (const response of open) response.destroy();
});

test('limits the headers of an answer, and survives what is no HTTP', async () => {
  receiver.answer = (_, response) =>
    response.writeHead(200, { 'x-a': 'a'.repeat(15_000), 'x-b': 'b'.repeat(15_000) }).end();
  expect(await run()).toMatchObject({ error: 'invalid_answer' });
  receiver.answer = (_, response) => response.socket!.end('SSH-2.0-OpenSSH\r\n');
  expect(await run()).toMatchObject({ error: 'invalid_answer' });
  receiver.answer = (_, response) => response.socket!.destroy();
  expect(await run()).toMatchObject({ error: 'closed' });
  receiver.answer = (_, response) => response.end(Buffer.from([0, 0xed, 0xa0, 0x80, 0x41]));
  expect(await run()).toMatchObject({ state: 'delivered' });
});

test.each([
  ['Host', 'internal', 'header_reserved'],
  ['Content-Length', '0', 'header_reserved'],
  ['Transfer-Encoding', 'chunked', 'header_reserved'],
  ['Connection', 'close', 'header_reserved'],
  ['proxy-authorization', 'x', 'header_reserved'],
  ['Webhook-Signature', 'v1,x', 'header_reserved'],
  ['X-A', 'a\r\nX-B: b', 'text'],
  ['X-A', 'a\nb', 'text'],
  ['X-A', 'ключ', 'header_value'],
  ['X A', 'a', 'header_name'],
  ['X-A: b\r\nX-C', 'a', 'text'],
  ['', 'a', 'header_name'],
  ['__proto__', 'a', 'header_name'],
])('refuses the header %j: %j', async (name, value, rule) => {
  const refused = await refusal(create({ headers: [{ name, value }] }));
  expect(refused).toMatchObject({ constraints: { [rule]: expect.any(String) } });
});

test('a pattern takes linear time', async () => {
  receiver.answer = (_, response) => response.end(`${'a'.repeat(15_000)}!`);
  const startedAt = performance.now();
  expect(await run({ successOn: { body: '^(a+)+$' } })).toMatchObject({ error: 'body' });
  // Exponential time would not end at all.
  expect(performance.now() - startedAt).toBeLessThan(20_000);
  expect(await refusal(create({ successOn: { body: '(' } }))).toMatchObject({
    constraints: { pattern: expect.any(String) },
  });
  // Linear in the length of the answer, but thousands of steps for each character.
  expect(await refusal(create({ successOn: { body: '.{1000}'.repeat(8) } }))).toMatchObject({
    constraints: { pattern: expect.any(String) },
  });
  expect(await refusal(create({ successOn: { body: '(?=a)b' } }))).toMatchObject({
    constraints: { pattern: expect.any(String) },
  });
});

test.each([
  [{ body: '{{nothing}}' }, 'body', 'webhook_unknown_variable'],
  [{ body: '{"a": {{id}}}' }, 'body', 'webhook_json'],
  [{ body: 'a', method: 'GET' }, 'body', 'webhook_get'],
  [{ body: '{}', batchSize: 2 }, 'batchSize', 'webhook_batch'],
  [{ method: 'GET', batchSize: 2 }, 'batchSize', 'webhook_batch'],
  [{ headers: [{ name: 'X-A' }] }, 'headers.0.value', 'required'],
  [
    {
      headers: [
        { name: 'X-A', value: '1' },
        { name: 'x-a', value: '2' },
      ],
    },
    'headers.1.name',
    'unique',
  ],
])('refuses %j', async (given, property, rule) => {
  expect(await refusal(create(given))).toMatchObject({
    property,
    constraints: { [rule]: expect.any(String) },
  });
});

test('values of headers are not shown, and are not sent to another server', async () => {
  const headers = [
    { name: 'Authorization', value: 'Bearer s3cret-value' },
    { name: 'Content-Type', value: 'application/json' },
  ];
  const { id, secret, ...shown } = await create({ headers });
  expect(shown.headers).toEqual([{ name: 'Authorization', value: null }, headers[1]]);
  const update = (body: object) => who.api(webhooks.update, { params: { id }, body });
  await update({ title: 'Warehouse', headers: shown.headers });
  receiver.answer = (_, response) => response.end();
  receiver.take();
  const result = await who.api(webhooks.test, { params: { id } });
  expect(receiver.take()[0]!.headers.authorization).toBe('Bearer s3cret-value');
  expect(JSON.stringify(result)).not.toContain('s3cret-value');
  expect(await refusal(update({ url: 'http://8.8.8.8/hook' }))).toMatchObject({
    property: 'headers.0.value',
    constraints: { required: expect.any(String) },
  });
  const [row] = await world.db.query<{ row: string }>(
    `select (w.*)::text || (select coalesce(string_agg(a::text, ''), '') from audit_log a) as row from webhooks w where id = $1`,
    [id],
  );
  expect(row!.row).not.toContain('s3cret-value');
  expect(row!.row).not.toContain(secret);
});

test('the number of webhooks is limited', async () => {
  const other = await world.startApi({ QUOTA_WEBHOOKS: 1 });
  const person = await world.person();
  const api = world.client(person.token, other.base);
  const body = { title: 'Shop', event: 'tasks.state', url: receiver.base } as const;
  const results = await Promise.allSettled([1, 2, 3].map(() => api(webhooks.create, { body })));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('a call never throws', async () => {
  const caller = world.api.get(WebhookCaller, { strict: false });
  for (const url of ['', 'http://', 'nonsense', 'http://127.0.0.1:99999/'])
    expect((await caller.call({ method: 'POST', url, body: '' }, {}, null)).error).not.toBeNull();
});
