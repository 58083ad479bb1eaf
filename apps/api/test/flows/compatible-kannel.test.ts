import { sendings, tasks, webhooks } from '@heliograph/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { approve, balance, problems, setCarrier } from '../factories.ts';
import { WebhookReceiver } from '../webhook-receiver.ts';
import { type Person, until, World } from '../world.ts';
import { callVendor, newTokenParts, type TokenParts, type VendorAnswer } from './compatible.ts';

let world: World;
let receiver: WebhookReceiver;
let owner: Person;
let token: TokenParts;

beforeAll(async () => {
  // No lease ends because a test moves the clock.
  world = await World.start({ COMPATIBLE_APIS: 'kannel', LEASE_SECONDS: '3600' });
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

const PHONE = '79161234567';
const sendsms = (
  given: Record<string, string> = {},
  { method = 'GET', by = token }: { method?: string; by?: TokenParts } = {},
): Promise<VendorAnswer> => {
  const credentials = { username: by.prefix, password: by.secret };
  const message = { from: 'MIRTEA', to: PHONE, text: 'Tea is ready' };
  return callVendor(
    world,
    '/cgi-bin/sendsms',
    { ...credentials, ...message, ...given },
    { method },
  );
};
const messages = async () => (await owner.api(sendings.find, { query: {} })).data;

test.each(['GET', 'POST'])('a message by %s is accepted, stored and charged', async (method) => {
  const answer = await sendsms({ text: 'Чай {готов} + 100%' }, { method });
  expect(answer).toMatchObject({ status: 202, text: '0: Accepted for delivery' });
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  const [message] = await messages();
  expect(message).toMatchObject({
    type: 'sms',
    recipient: `+${PHONE}`,
    payload: { sender: 'MIRTEA', text: 'Чай {готов} + 100%' },
  });
  expect(await balance(world, owner.id)).toBeLessThan(1000);
  const stored = await world.db.query(`select body from sendings where id = $1`, [message!.id]);
  expect(stored).toEqual([{ body: 'Чай {готов} + 100%' }]);
  expect(await problems(world)).toEqual([]);
});

test('names of parameters and forms of the credentials are those of Kannel', async () => {
  const { prefix, token: whole } = token;
  const parameters = { user: prefix, pass: whole, from: 'MIRTEA', to: `+${PHONE}`, text: 'a' };
  expect((await callVendor(world, '/cgi-bin/sendsms', parameters)).status).toBe(202);
  expect((await callVendor(world, '/CGI-BIN/sendsms/', parameters)).status).toBe(202);
});

test.each([
  ['charset=windows-1251&text=%CF%F0%E8%E2%E5%F2', 'Привет'],
  ['coding=2&text=%04%1F%04%40%04%38', 'При'],
  ['coding=2&charset=UTF-8&text=%D0%9F', 'П'],
  ['coding=0&charset=ISO-8859-1&text=caf%E9', 'café'],
])('a text with %s is read as %s', async (query, expected) => {
  const { prefix, secret } = token;
  const url = `${world.base}/cgi-bin/sendsms?username=${prefix}&password=${secret}&from=MIRTEA&to=${PHONE}&${query}`;
  expect((await fetch(url)).status).toBe(202);
  expect((await messages()).map(({ payload }) => payload.text)).toEqual([expected]);
});

test('several receivers are one bulk; who is no number is named', async () => {
  const answer = await sendsms({ to: `${PHONE} 79161234568  +79161234569 office ${PHONE}` });
  expect(answer).toMatchObject({
    status: 202,
    text: '0: Accepted for delivery Denied receivers are: office',
  });
  await until(async () => (await messages()).length === 3, 'three messages');
  const list = await owner.api(tasks.find, { query: {} });
  expect(list.data.map(({ meta }) => meta.counters.total)).toEqual([3]);
});

test('a number with a space behind its calling code reaches no stranger', async () => {
  for (const to of ['+1 9161234567', '1 9161234567', `${PHONE} + 79161234567`])
    expect((await sendsms({ to })).status).toBe(400);
  expect(await messages()).toEqual([]);
});

test('a deferred message is queued, and validity is in minutes', async () => {
  const answer = await sendsms({ deferred: '60', validity: '120' });
  expect(answer).toMatchObject({ status: 202, text: '3: Queued for later delivery' });
  const [batch] = await world.db.query<{ wait: number; valid: number }>(
    `select extract(epoch from due_at - created_at)::int as wait, extract(epoch from valid_until - due_at)::int as valid from batches where owner_id = $1`,
    [owner.id],
  );
  expect(batch).toEqual({ wait: 3600, valid: 7200 });
});

test.each([
  [{ to: '' }, 'Empty receiver number not allowed, rejected'],
  [{ to: '12 x' }, 'Number(s) has/have been denied by white- and/or black-lists.'],
  [{ from: '' }, 'Sender missing and no global set, rejected'],
  [{ text: '' }, 'Text missing, rejected'],
  [{ coding: '1' }, 'Binary messages are not supported, rejected'],
  [{ coding: '7' }, 'Coding field misformed, rejected'],
  [{ charset: 'klingon' }, 'Charset or body misformed, rejected'],
  [{ udh: '\u0005' }, 'UDH is not supported, rejected'],
  [{ mclass: '0' }, 'Flash messages are not supported, rejected'],
  [{ mwi: '1' }, 'MWI is not supported, rejected'],
  [{ priority: '9' }, 'Priority field misformed, rejected'],
  [{ validity: 'x' }, 'Validity field misformed, rejected'],
  [{ 'dlr-mask': '64' }, 'DLR-Mask field misformed, rejected'],
])('%j is refused: %s', async (given, text) => {
  expect(await sendsms(given)).toMatchObject({ status: 400, text });
  expect(await messages()).toEqual([]);
  expect(await balance(world, owner.id)).toBe(1000);
});

test('a refusal by the rules of the account is one of the call', async () => {
  const unknown = await sendsms({ from: 'NOT-MINE' });
  expect(unknown.status).toBe(422);
  expect(unknown.text).toMatch(/sender name .*rejected$/);
  await world.db.query(`update balances set balance = 0 where owner_id = $1`, [owner.id]);
  const poor = await sendsms();
  expect(poor.status).toBe(402);
  expect(poor.text).toMatch(/balance .*rejected$/);
});

test('without a token that may send, from this address, nobody is authorized', async () => {
  const refused = { status: 403, text: 'Authorization failed for sendsms' };
  expect(await sendsms({ password: 'x' })).toMatchObject(refused);
  expect(await sendsms({ password: token.secret.slice(0, 8) })).toMatchObject(refused);
  expect(await sendsms({ username: owner.username, password: 'heliograph' })).toMatchObject(
    refused,
  );
  expect(await sendsms({ username: '', password: '' })).toMatchObject(refused);
  const elsewhere = await newTokenParts(owner, { ipWhitelist: ['192.0.2.0/24'] });
  expect(await sendsms({}, { by: elsewhere })).toMatchObject(refused);
  const reader = await newTokenParts(owner, { permissions: ['sendings.get'] });
  expect((await sendsms({}, { by: reader })).status).toBe(403);
  expect(await messages()).toEqual([]);
  const denied = await world.db.query(
    `select after from audit_log where action = 'access.denied' and owner_id = $1`,
    [owner.id],
  );
  expect(JSON.stringify(denied)).toContain('GET /cgi-bin/sendsms');
  expect(JSON.stringify(denied)).not.toContain(reader.secret);
});

test('methods, bodies and services that there are none of', async () => {
  const other = await fetch(`${world.base}/cgi-bin/sendsms`, { method: 'PUT' });
  expect([other.status, other.headers.get('allow')]).toEqual([405, 'GET, POST']);
  const body = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } };
  expect((await fetch(`${world.base}/cgi-bin/sendsms`, body)).status).toBe(415);
  const large = `text=${'x'.repeat(70_000)}`;
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const sent = await fetch(`${world.base}/cgi-bin/sendsms`, {
    method: 'POST',
    body: large,
    headers,
  });
  expect(sent.status).toBe(413);
  const off = await fetch(`${world.base}/2010-04-01/Accounts/AC1/Messages.json`);
  expect(off.status).toBe(404);
  const { base } = await world.startApi({ COMPATIBLE_APIS: [] });
  const none = await callVendor({ base }, '/cgi-bin/sendsms', { to: PHONE });
  expect(none.status).toBe(404);
});

test('a dlr-url is called for the reports that its mask asks for', async () => {
  const url = `${receiver.base}/dlr?id=7&type=%d&to=%P&from=%p&at=%T&answer=%A`;
  const answer = await sendsms({ 'dlr-mask': '9', 'dlr-url': url });
  expect(answer.status).toBe(202);
  await sendsms({ 'dlr-mask': '1', 'dlr-url': `${receiver.base}/other?%d`, to: '79990000002' });
  await sendsms();
  await until(async () => receiver.calls.length === 2, 'two reports');
  await until(
    async () => (await messages()).every(({ state }) => /deliv|fail/.test(state.status)),
    'all messages to end',
  );
  const calls = receiver.take();
  expect(calls.map(({ method }) => method)).toEqual(['GET', 'GET']);
  const queries = calls.map(({ url: one }) => new URL(one, 'http://x').searchParams);
  expect(queries.map((one) => one.get('type'))).toEqual(['8', '1']);
  expect(Object.fromEntries(queries[1]!)).toMatchObject({ id: '7', to: PHONE, from: 'MIRTEA' });
  expect(queries[1]!.get('answer')).toContain('stat:DELIVRD');
  expect(calls[0]!.headers['webhook-signature']).toBeUndefined();
  // Nobody sees the queue, and it is no webhook of the quota.
  expect((await owner.api(webhooks.find, { query: {} })).data).toEqual([]);
});

test('each message of several receivers is reported, and a failing server is called again', async () => {
  let failures = 0;
  receiver.answer = (_, response) => {
    response.statusCode = failures++ < 1 ? 500 : 200;
    response.end();
  };
  const url = `${receiver.base}/dlr?to=%P&type=%d`;
  await sendsms({ to: `${PHONE} 79990000002`, 'dlr-mask': '3', 'dlr-url': url });
  await until(async () => receiver.calls.length >= 1, 'a first call');
  await until(async () => {
    world.clock.forward(30);
    return new Set(receiver.calls.slice(1).map((one) => one.url)).size === 2;
  }, 'both reports');
  const reported = new Set(receiver.take().map((one) => one.url));
  expect([...reported].sort()).toEqual([
    '/dlr?to=79161234567&type=1',
    '/dlr?to=79990000002&type=2',
  ]);
});

test('a callback needs what a webhook needs, and goes to a public address', async () => {
  const dlr = { 'dlr-mask': '3', 'dlr-url': `${receiver.base}/dlr` };
  const sender = await newTokenParts(owner, { permissions: ['sendings.generate'] });
  expect((await sendsms({}, { by: sender })).status).toBe(202);
  expect((await sendsms(dlr, { by: sender })).status).toBe(403);
  for (const url of [
    'ftp://a.example/',
    'x',
    'http://user:secret@a.example/',
    `http://${'a'.repeat(3000)}/`,
  ])
    expect((await sendsms({ ...dlr, 'dlr-url': url })).text).toContain('(dlr-url), rejected');
  const inside = await sendsms({ ...dlr, 'dlr-url': 'http://10.0.0.1/dlr' });
  expect(inside).toMatchObject({ status: 422 });
  expect(inside.text).toContain('not allowed');
  expect(await messages()).toHaveLength(1);
});

test.each(['smsc', 'account', 'text', 'from', 'to', 'charset'])(
  'what is no text, as %s, is refused for good',
  async (name) => {
    const dlr = { 'dlr-mask': '3', 'dlr-url': `${receiver.base}/dlr` };
    expect((await sendsms({ ...dlr, [name]: 'a\0b' })).status).toBe(400);
    expect(await messages()).toEqual([]);
  },
);

test('a test token sends to nobody, for nothing, and gets its reports', async () => {
  const by = await newTokenParts(owner, { isTest: true });
  const dlr = { 'dlr-mask': '3', 'dlr-url': `${receiver.base}/test?to=%P&type=%d` };
  expect((await sendsms(dlr, { by })).status).toBe(202);
  expect((await sendsms({ ...dlr, to: '79990000002' }, { by })).status).toBe(202);
  await until(async () => receiver.calls.length === 2, 'two reports');
  const urls = receiver.take().map(({ url }) => url);
  expect(urls.sort()).toEqual([`/test?to=${PHONE}&type=1`, '/test?to=79990000002&type=2']);
  expect(await balance(world, owner.id)).toBe(1000);
});

test('a removed token is not reported to any more', async () => {
  const doomed = await newTokenParts(owner);
  await setCarrier(world, { deliveredDelay: [600_000, 600_000] });
  try {
    const url = `${receiver.base}/doomed`;
    await sendsms({ 'dlr-mask': '1', 'dlr-url': url }, { by: doomed });
    await world.db.query(`delete from tokens where id = $1`, [doomed.id]);
    await until(async () => (await messages())[0]!.state.status === 'sent', 'the submit');
    world.clock.forward(601);
    await until(
      async () =>
        (
          await world.db.query(
            `select 1 from webhooks where owner_id = $1 and callback_api = 'kannel' and state = 'disabled' and reason = 'forbidden'`,
            [owner.id],
          )
        ).length === 1,
      'the queue to be disabled',
    );
    expect(receiver.calls).toEqual([]);
  } finally {
    await setCarrier(world, {});
  }
});
