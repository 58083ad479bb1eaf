import { sendings } from '@heliograph/contract';
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { approve, balance, problems, setCarrier } from '../factories.ts';
import { WebhookReceiver, type Received } from '../webhook-receiver.ts';
import { type Person, until, World } from '../world.ts';
import { callVendor, newTokenParts, type TokenParts } from './compatible.ts';

let world: World;
let receiver: WebhookReceiver;
let owner: Person;
let token: TokenParts;

beforeAll(async () => {
  world = await World.start({ COMPATIBLE_APIS: 'twilio, kannel' });
  await world.startWorker();
  await setCarrier(world, {});
  receiver = await new WebhookReceiver().start();
});
afterAll(async () => {
  receiver.stop();
  await world.stop();
});
beforeEach(async () => {
  owner = await world.person({ balance: 1000 });
  await approve(world, owner.id);
  token = await newTokenParts(owner);
  receiver.take();
  receiver.answer = (_, response) => response.end('ok');
});

const PHONE = '+79161234567';
const RFC_2822 =
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} \+0000$/;

interface Resource {
  sid: string;
  status: string;
  [field: string]: unknown;
}

const accountOf = ({ prefix }: TokenParts) => `AC${prefix}`;
const basic = (user: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
  accept: 'application/json',
});

async function call(
  path: string,
  parameters: Record<string, string>,
  { method = 'GET', by = token, headers = basic(accountOf(by), by.secret) } = {},
): Promise<{ status: number; body: Resource; headers: Headers }> {
  const url = `/2010-04-01/Accounts/${accountOf(by)}/${path}`;
  const answer = await callVendor(world, url, parameters, { method, headers });
  return { ...answer, body: JSON.parse(answer.text) as Resource };
}
const MESSAGE = { To: PHONE, From: 'MIRTEA', Body: 'Tea is ready' };
const post = (given: Record<string, string> = {}, options: object = {}) =>
  call('Messages.json', { ...MESSAGE, ...given }, { method: 'POST', ...options });
const fetched = (sid: string, options: object = {}) => call(`Messages/${sid}.json`, {}, options);
const set = (sid: string, given: Record<string, string>, options: object = {}) =>
  call(`Messages/${sid}.json`, given, { method: 'POST', ...options });
const messages = async () => (await owner.api(sendings.find, { query: {} })).data;

test('a message is created, charged, and fetched until it is delivered', async () => {
  const { status, body } = await post({ Body: 'Чай {готов}', ValidityPeriod: '14400' });
  expect(status).toBe(201);
  expect(body).toEqual({
    account_sid: accountOf(token),
    api_version: '2010-04-01',
    body: 'Чай {готов}',
    date_created: expect.stringMatching(RFC_2822) as string,
    date_sent: null,
    date_updated: expect.stringMatching(RFC_2822) as string,
    direction: 'outbound-api',
    error_code: null,
    error_message: null,
    from: 'MIRTEA',
    messaging_service_sid: null,
    num_media: '0',
    num_segments: '1',
    price: null,
    price_unit: 'RUB',
    sid: expect.stringMatching(/^SM[\da-f]{32}$/) as string,
    status: 'queued',
    subresource_uris: {
      media: `/2010-04-01/Accounts/${accountOf(token)}/Messages/${body.sid}/Media.json`,
    },
    to: PHONE,
    uri: `/2010-04-01/Accounts/${accountOf(token)}/Messages/${body.sid}.json`,
  });
  await until(async () => (await fetched(body.sid)).body.status === 'delivered', 'the delivery');
  const { status: found, body: last } = await fetched(body.sid);
  expect(found).toBe(200);
  expect(last).toMatchObject({
    sid: body.sid,
    body: 'Чай {готов}',
    date_sent: expect.stringMatching(RFC_2822) as string,
    price: expect.stringMatching(/^-\d+\.\d{5}$/) as string,
    error_code: null,
  });
  expect(1000 + Number(last.price)).toBeCloseTo(await balance(world, owner.id), 4);
  expect(await problems(world)).toEqual([]);
});

test('what was not delivered has the number of its error', async () => {
  const { body } = await post({ To: '+79990000002' });
  await until(async () => (await fetched(body.sid)).body.status === 'undelivered', 'the failure');
  const { body: last } = await fetched(body.sid);
  expect(last).toMatchObject({ error_code: 30003, price: null });
  expect(last.error_message).toMatch(/subscriber/);
});

const refusal = (code: number, status: number) => ({
  code,
  message: expect.any(String) as string,
  more_info: `https://www.twilio.com/docs/errors/${code}`,
  status,
});

test.each([
  [{ To: '' }, 21604],
  [{ To: '12' }, 21211],
  [{ To: 'whatsapp:+79161234567' }, 21211],
  [{ From: '' }, 21603],
  [{ From: 'NOT-MINE' }, 21606],
  [{ Body: '' }, 21602],
  [{ Body: 'x'.repeat(2001) }, 21617],
  [{ ValidityPeriod: '0' }, 20001],
  [{ ValidityPeriod: '36001' }, 20001],
  [{ MediaUrl: 'https://a.example/a.png' }, 20001],
  [{ MessagingServiceSid: 'MG1' }, 20001],
  [{ ScheduleType: 'fixed' }, 20001],
  [{ SendAt: '2030-01-01T00:00:00Z' }, 20001],
  [{ SendAt: '2030-01-01T00:00:00Z', ScheduleType: 'later' }, 20001],
  [{ SendAt: 'tomorrow', ScheduleType: 'fixed' }, 35114],
  [{ SendAt: '2030-13-01T00:00:00Z', ScheduleType: 'fixed' }, 35114],
  [{ SendAt: '2020-01-01T00:00:00Z', ScheduleType: 'fixed' }, 35114],
  [{ SendAt: '2120-01-01T00:00:00Z', ScheduleType: 'fixed' }, 35114],
  [{ StatusCallback: 'not-a-url' }, 21609],
  [{ StatusCallback: 'http://10.0.0.1/status' }, 21609],
])('%j is refused with %d', async (given, code) => {
  const { status, body } = await post(given as Record<string, string>);
  expect(status).toBe(400);
  expect(body).toEqual(refusal(code, 400));
  expect(await balance(world, owner.id)).toBe(1000);
});

test('funds that do not suffice are a refusal', async () => {
  await world.db.query(`update balances set balance = 0 where owner_id = $1`, [owner.id]);
  expect((await post()).body).toEqual(refusal(30002, 400));
});

test('others than the token are not authenticated, and find nothing', async () => {
  const wrong = [
    {},
    { authorization: 'Basic' },
    { authorization: `Basic ${'A'.repeat(1000)}` },
    { authorization: `Bearer ${token.token}` },
    basic(accountOf(token), 'x'),
    basic(token.prefix, token.secret),
    basic(accountOf(token), token.token),
    basic(`AC${owner.username}`, 'heliograph'),
  ];
  for (const headers of wrong) {
    const { status, body, headers: given } = await post({}, { headers });
    expect(body).toEqual({ ...refusal(20003, 401), message: 'Authenticate' });
    expect([status, given.get('www-authenticate')]).toEqual([401, 'Basic realm="API"']);
  }
  const elsewhere = await newTokenParts(owner, { ipWhitelist: ['192.0.2.0/24'] });
  expect((await post({}, { by: elsewhere })).status).toBe(401);
  const reader = await newTokenParts(owner, { permissions: ['sendings.get'] });
  expect((await post({}, { by: reader })).body).toEqual(refusal(20003, 403));
  const sender = await newTokenParts(owner, { permissions: ['sendings.generate'] });
  const { body } = await post({}, { by: sender });
  expect((await fetched(body.sid, { by: sender })).body).toEqual(refusal(20003, 403));
  const stranger = await newTokenParts(await world.person());
  expect((await fetched(body.sid, { by: stranger })).body).toEqual(refusal(20404, 404));
  const asOther = { headers: basic(accountOf(stranger), stranger.secret) };
  expect((await post({}, asOther)).body).toEqual(refusal(20404, 404));
  expect((await fetched('SMx')).body).toEqual(refusal(20404, 404));
  expect((await call('Calls.json', {})).body).toEqual(refusal(20404, 404));
  expect((await call('Messages.json', {})).body).toEqual(refusal(20004, 405));
  const canceling = (by: TokenParts) => set(body.sid, { Status: 'canceled' }, { by });
  expect((await canceling(reader)).body).toEqual(refusal(20003, 403));
  expect((await canceling(sender)).body).toEqual(refusal(20003, 403));
  expect((await canceling(stranger)).body).toEqual(refusal(20404, 404));
});

test('a message with a time is scheduled, and canceled once by its Status', async () => {
  // As the libraries of the vendor write it, with the service that scheduling needs there.
  const SendAt = new Date(world.clock.now().getTime() + 3_600_000).toISOString();
  const time = { SendAt, ScheduleType: 'fixed', MessagingServiceSid: 'MG1' };
  const { status, body } = await post(time);
  expect([status, body.status, body.date_sent]).toEqual([201, 'scheduled', null]);
  const { sid } = body;
  expect((await fetched(sid)).body).toMatchObject({ sid, status: 'scheduled' });
  expect((await messages())[0]).toMatchObject({ dueAt: SendAt, state: { status: 'pending' } });
  for (const wrong of [{}, { Status: 'sent' }, { Body: '' }, { Status: 'canceled', Body: '' }])
    expect((await set(sid, wrong as Record<string, string>)).body).toEqual(refusal(20001, 400));
  expect((await fetched(sid)).body.status).toBe('scheduled');
  const canceled = await set(sid, { Status: 'canceled' });
  expect([canceled.status, canceled.body.status]).toEqual([200, 'canceled']);
  expect(await balance(world, owner.id)).toBe(1000);
  expect((await set(sid, { Status: 'canceled' })).body).toEqual(refusal(30409, 409));
  expect((await fetched(sid)).body).toMatchObject({ sid, status: 'canceled', price: null });
});

/** As the libraries of the vendor verify a callback. */
function isGenuine({ url, body, headers }: Received, authToken: string): boolean {
  const parameters = [...new URLSearchParams(body)].sort(([a], [b]) => (a < b ? -1 : 1));
  const text = parameters.map(([name, value]) => name + value).join('');
  const signed = createHmac('sha1', authToken).update(`${receiver.base}${url}${text}`);
  return signed.digest('base64') === headers['x-twilio-signature'];
}

test('a StatusCallback gets each status, signed with the auth token', async () => {
  const { body } = await post({ StatusCallback: `${receiver.base}/status?order=7` });
  await until(async () => receiver.calls.length === 2, 'two callbacks');
  const calls = receiver.take();
  const parameters = calls.map((one) => Object.fromEntries(new URLSearchParams(one.body)));
  expect(parameters).toEqual(
    ['sent', 'delivered'].map((status) => ({
      AccountSid: accountOf(token),
      ApiVersion: '2010-04-01',
      From: 'MIRTEA',
      MessageSid: body.sid,
      MessageStatus: status,
      SmsSid: body.sid,
      SmsStatus: status,
      To: PHONE,
    })),
  );
  for (const one of calls) {
    expect(one).toMatchObject({ method: 'POST', url: '/status?order=7' });
    expect(one.headers['content-type']).toMatch(/^application\/x-www-form-urlencoded/);
    expect(isGenuine(one, token.secret)).toBe(true);
    expect(isGenuine(one, 'another')).toBe(false);
  }
});

test('the secret of the token is stored nowhere', async () => {
  await post({ StatusCallback: `${receiver.base}/status` });
  await until(async () => receiver.calls.length === 2, 'two callbacks');
  const [{ found }] = (await world.db.query(
    `select concat(
       (select string_agg(w::text, ' ') from webhooks w), (select string_agg(s::text, ' ') from sendings s),
       (select string_agg(e::text, ' ') from webhook_events e), (select string_agg(t::text, ' ') from tokens t)) as found`,
  )) as [{ found: string }];
  expect(found).toContain(token.prefix);
  expect(found).not.toContain(token.secret.slice(0, 20));
  expect(found).not.toContain(Buffer.from(token.secret).toString('hex'));
});

test('a message that fails tells why, and one that is refused tells it at once', async () => {
  const url = `${receiver.base}/status`;
  const { body } = await post({ To: '+79990000002', StatusCallback: url });
  await until(async () => receiver.calls.length === 2, 'two callbacks');
  const [, last] = receiver.take();
  expect(Object.fromEntries(new URLSearchParams(last!.body))).toMatchObject({
    MessageSid: body.sid,
    MessageStatus: 'undelivered',
    ErrorCode: '30003',
  });
  await post({ From: 'NOT-MINE', StatusCallback: url });
  const all = await messages();
  expect(all.map(({ state }) => state.status)).toEqual(['failed', 'failed']);
  const events = await world.db.query(
    `select 1 from webhook_events e join webhooks w on w.id = e.webhook_id where w.owner_id = $1`,
    [owner.id],
  );
  expect(events).toHaveLength(2);
});

test('URLs of one origin share a queue, and an account has as many queues as webhooks', async () => {
  for (const path of ['a', 'b', 'c']) await post({ StatusCallback: `${receiver.base}/${path}` });
  await until(async () => receiver.calls.length === 6, 'two callbacks of each');
  const queues = () =>
    world.db.query<{ url: string }>(`select url from webhooks where owner_id = $1`, [owner.id]);
  expect(await queues()).toEqual([{ url: receiver.base }]);
  await world.db.query(
    `insert into webhooks (owner_id, callback_api, title, event, url, method, secret, used_at)
     select $1, 'kannel', 'x', 'sendings.status', 'https://a' || n || '.example', 'GET', '', now() from generate_series(2, $2::int) n`,
    [owner.id, world.config.QUOTA_WEBHOOKS],
  );
  const full = await post({
    StatusCallback: `http://localhost:1/`.replace('localhost', '127.0.0.2'),
  });
  expect(full.body).toEqual(refusal(20001, 400));
  expect((await post({ StatusCallback: `${receiver.base}/d` })).status).toBe(201);
});

test('a paused queue goes on with the next message that names it', async () => {
  const called = (path: string) => receiver.calls.filter(({ url }) => url === path).length;
  await post({ StatusCallback: `${receiver.base}/first` });
  await until(async () => called('/first') === 2, 'two callbacks');
  const isIdle = async () =>
    (
      await world.db.query(`select 1 from webhooks where owner_id = $1 and lease_until is null`, [
        owner.id,
      ])
    ).length === 1;
  await until(isIdle, 'the lease to end');
  await world.db.query(
    `update webhooks set state = 'paused', reason = 'failing', failures = 3 where owner_id = $1`,
    [owner.id],
  );
  const { base } = await world.startApi();
  const headers = basic(accountOf(token), token.secret);
  const parameters = { ...MESSAGE, StatusCallback: `${receiver.base}/second` };
  const path = `/2010-04-01/Accounts/${accountOf(token)}/Messages.json`;
  await callVendor({ base }, path, parameters, { method: 'POST', headers });
  await until(async () => called('/second') === 2, 'two callbacks');
  const [row] = await world.db.query(`select state, failures from webhooks where owner_id = $1`, [
    owner.id,
  ]);
  expect(row).toEqual({ state: 'active', failures: 0 });
});
