import { MAX_RECIPIENTS, sendings, tasks } from '@heliograph/contract';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { approve, balance, contactList, finished, problems, setCarrier } from '../factories.ts';
import { fieldsOf, raw } from '../raw.ts';
import { PASSWORD, type Person, World } from '../world.ts';

let world: World;
let owner: Person;

beforeAll(async () => {
  world = await World.start();
  await setCarrier(world, {});
  await world.startWorker();
});
afterAll(() => world.stop());
beforeEach(async () => {
  owner = await world.person({ balance: 1000 });
  await approve(world, owner.id);
});

const payload = { sender: 'MIRTEA', text: 'Hello' };
const PHONE = '+79161234567';
const message = { type: 'sms', payload, recipient: PHONE };
const post = (body: unknown) => raw(world, owner, 'POST', '/sendings', body);
const list = (query: string) => raw(world, owner, 'GET', `/sendings?${query}`);
/** Nothing came of what was refused, and the next call is served. */
async function untouched(): Promise<void> {
  expect(await balance(world, owner.id)).toBe(1000);
  expect((await owner.api(sendings.find)).total).toBe(0);
  expect((await owner.api(tasks.find)).total).toBe(0);
  expect((await post(message)).json.status).toBe('pending');
  expect(await problems(world)).toEqual([]);
}

test('bodies that are no JSON, or no object', async () => {
  for (const body of ['{"type": "sms", ', '{type: sms}', 'sms', '"sms"'])
    expect([body, (await post(body)).status]).toEqual([body, 400]);
  expect((await post('{"type": ')).json.code).toBe('malformed_json');
  for (const body of ['[]', '{}']) expect([body, (await post(body)).status]).toEqual([body, 422]);
  const form = await raw(world, owner, 'POST', '/sendings', 'type=sms', {
    'content-type': 'text/plain',
  });
  expect(form.status).toBeGreaterThanOrEqual(400);
  expect(form.status).toBeLessThan(500);
  await untouched();
});

test('null in place of the schedule and the options is as if they were absent', async () => {
  const none = { schedule: null, options: null };
  expect((await post({ ...message, ...none })).json.status).toBe('pending');
  const bulk = await post({ ...message, ...none, recipient: { include: [PHONE] } });
  const { data } = await finished(owner, bulk.json.id);
  expect(data.sending).not.toMatchObject({ schedule: null });
  expect(data.sending).not.toMatchObject({ options: null });
  const each = { type: 'sms', payload, ...none, recipients: [{ to: PHONE }] };
  const { json } = await raw(world, owner, 'POST', '/sendings/each', each);
  expect(json).toMatchObject([{ status: 'pending' }]);
  expect(await problems(world)).toEqual([]);
});

test('a phone of forty digits', async () => {
  const digits = `+7${'9'.repeat(40)}`;
  const single = await post({ ...message, recipient: digits });
  expect(single).toMatchObject({
    status: 400,
    json: { status: 'failed', code: 'invalid_recipient', recipient: digits },
  });
  const alone = await post({ ...message, recipient: { include: [digits] } });
  expect([alone.status, alone.json.code]).toEqual([422, 'no_recipients']);
  const among = await post({ ...message, recipient: { include: [digits, PHONE] } });
  const task = await finished(owner, among.json.id);
  expect(task.meta.counters).toMatchObject({ total: 1, completed: 1, skipped: { invalid: 1 } });
  expect((await post({ ...message, recipient: '9'.repeat(255) })).status).toBe(422);
  expect((await list(`recipient=${'9'.repeat(255)}`)).status).toBe(422);
  expect(await problems(world)).toEqual([]);
});

test('a task has the first thousand typed recipients and their number', async () => {
  owner = await world.person({ balance: 100_000 });
  const include = Array.from({ length: 1002 }, (_, n) => `+7916${String(n).padStart(7, '0')}`);
  const delay = new Date(world.clock.now().getTime() + 86_400_000).toISOString();
  const recipient = { include, exclude: [PHONE] };
  const { json } = await post({ ...message, type: 'telegram', recipient, schedule: { delay } });
  const { data } = await owner.api(tasks.get, { params: { id: json.id } });
  expect(data.recipients!.include).toEqual({
    lists: [],
    recipients: include.slice(0, 1000),
    count: 1002,
  });
  expect(data.recipients!.exclude).toEqual({ lists: [], recipients: [PHONE], count: 1 });
  const listed = await owner.api(tasks.find, { query: { filter: { id: [json.id] } } });
  expect(listed.data[0]!.data.recipients).toEqual({
    include: { lists: [], count: 1002 },
    exclude: { lists: [], count: 1 },
  });
});

test('values that are no recipients', async () => {
  const withoutRecipient: [unknown, string][] = [
    [79161234567, 'recipient'],
    [null, 'recipient'],
    ['', 'recipient'],
    [{}, 'recipient.include'],
    [{ include: 'all' }, 'recipient.include'],
    [[], 'recipient'],
    [[null], 'recipient.0'],
    [{ include: [PHONE], exclude: [PHONE] }, 'recipient.exclude'],
    [{ include: ['8 916 123-45-67'], exclude: [PHONE] }, 'recipient.exclude'],
    [{ include: Array.from({ length: MAX_RECIPIENTS + 1 }, () => PHONE) }, 'recipient.include'],
  ];
  for (const [recipient, field] of withoutRecipient) {
    const answer = await post({ ...message, recipient });
    expect([field, answer.status, fieldsOf(answer)[0]]).toEqual([field, 422, field]);
  }
  for (const empty of [{ include: [] }, { include: [], exclude: [PHONE] }]) {
    const answer = await post({ ...message, recipient: empty });
    expect([answer.status, answer.json.code]).toEqual([422, 'no_recipients']);
  }
  const foreign = await contactList(world, (await world.person()).id, 3);
  const own = await contactList(world, owner.id, 3);
  for (const id of [foreign, randomUUID()]) {
    for (const recipient of [
      { include: [own, id] },
      { include: [own.toUpperCase()], exclude: [id] },
    ])
      expect(await post({ ...message, recipient })).toMatchObject({
        status: 404,
        json: { message: `Contact list not found: ${id}.`, payload: { ids: [id] } },
      });
    const image = await post({ ...message, type: 'viber', payload: { ...payload, image: id } });
    expect(image).toMatchObject({ status: 404, json: { payload: { ids: [id] } } });
  }
  await untouched();
});

test('one recipient is sent to later as a task of one, those of return=each are not', async () => {
  const delay = new Date(world.clock.now().getTime() + 86_400_000).toISOString();
  for (const schedule of [{ delay }, { delay, until: 2 }]) {
    const each = await raw(world, owner, 'POST', '/sendings?return=each', { ...message, schedule });
    expect([each.status, fieldsOf(each)]).toEqual([422, ['schedule']]);
    for (const recipient of [PHONE, [PHONE]]) {
      const { status, json } = await post({ ...message, recipient, schedule });
      expect([status, json.state, json.meta.counters.expected]).toEqual([201, 'scheduled', 1]);
    }
  }
  expect((await owner.api(sendings.find)).total).toBe(0);
  const now = { ...message, schedule: { delay: 0, until: 0 } };
  expect((await post(now)).json.status).toBe('pending');
});

test('an e-mail has a maximum length, and a longer one is skipped in a list', async () => {
  const long = `anna@${`${'a'.repeat(60)}.`.repeat(3)}example`;
  const mail = {
    type: 'email',
    payload: { sender: 'tea@tea.example', subject: 'Tea', text: 'Hi' },
  };
  const recipient = [long, 'Boris@Tea.Example', `${'b'.repeat(240)}@tea`];
  const { status, json } = await post({ ...mail, recipient });
  expect(status).toBe(201);
  const task = await finished(owner, json.id);
  expect(task.meta.counters).toMatchObject({ total: 2, skipped: { invalid: 1 } });
  const found = async (query: string) =>
    (await list(query)).json.data.map((s: { recipient: string }) => s.recipient);
  for (const query of ['recipient=BORIS@tea.example', 'recipient=Boris@te', 'recipient=bor'])
    expect([query, await found(query)]).toEqual([query, ['boris@tea.example']]);
  expect(await found('$search=Boris@Tea.example')).toEqual(['boris@tea.example']);
  expect(await found(`recipient=${long}`)).toEqual([long]);
  await post(message);
  // Its digits are not those of a phone.
  expect(await found('recipient=anna4567@tea')).toEqual([]);
  expect(await found('recipient=4567')).toEqual([PHONE]);
});

test('fallbacks with an unknown trigger, none, or too many', async () => {
  const fallback = (options: object) => ({
    ...message,
    fallbacks: [{ type: 'viber', payload, ...options }],
  });
  const wrong: [object, string][] = [
    [{ $options: { onMoon: ['full'] } }, 'fallbacks.0.options.onMoon'],
    [{ options: { onStatus: ['failed'], onMoon: true } }, 'fallbacks.0.options.onMoon'],
    [{ options: { onStatus: ['lost'] } }, 'fallbacks.0.options.onStatus.0'],
    [{ options: { onStatus: ['failed', 'paused'] } }, 'fallbacks.0.options.onStatus.1'],
    [{ $options: { onStatus: ['pending'] } }, 'fallbacks.0.options.onStatus.0'],
    [{ options: {} }, 'fallbacks.0.options'],
    [
      { options: { onStatus: [], onTimeout: { timeout: 50, except: [] } } },
      'fallbacks.0.options.onTimeout.except',
    ],
    [
      { options: { onTimeout: { timeout: -5, except: ['seen'] } } },
      'fallbacks.0.options.onTimeout.timeout',
    ],
    [{}, 'fallbacks.0.options'],
    [{ options: { onStatus: ['failed'] }, type: 'pigeon' }, 'fallbacks.0.type'],
  ];
  for (const [options, field] of wrong) {
    const answer = await post(fallback(options));
    expect([options, answer.status, fieldsOf(answer)[0]]).toEqual([options, 422, field]);
  }
  const one = { type: 'viber', payload, options: { onStatus: ['failed'] } };
  const four = await post({ ...message, fallbacks: [one, one, one, one] });
  expect([four.status, fieldsOf(four)]).toEqual([422, ['fallbacks']]);
  await untouched();
});

test('a text of a megabyte, or one that cannot be stored', async () => {
  const million = await post({ ...message, payload: { ...payload, text: 'x'.repeat(1_000_000) } });
  expect([million.status, fieldsOf(million)[0]]).toEqual([422, 'payload.text']);
  const huge = await post({ ...message, payload: { ...payload, text: 'x'.repeat(9_000_000) } });
  expect([huge.status, huge.json.code]).toEqual([413, 'too_large']);
  for (const text of ['Hello \0', 'Half \ud83d']) {
    const answer = await post({ ...message, payload: { ...payload, text } });
    expect([answer.status, fieldsOf(answer)]).toEqual([422, ['payload.text']]);
  }
  const title = await post({ ...message, options: { title: 'x'.repeat(101) } });
  expect([title.status, fieldsOf(title)]).toEqual([422, ['options.title']]);
  await untouched();
});

test('unknown fields are listed with their path', async () => {
  const wrong: [object, string][] = [
    [{ colour: 'red' }, 'colour'],
    [{ payload: { ...payload, colour: 'red' } }, 'payload.colour'],
    [{ schedule: { untill: 3 } }, 'schedule.untill'],
    [{ options: { colour: 'red' } }, 'options.colour'],
  ];
  for (const [over, field] of wrong) {
    const answer = await post({ ...message, ...over });
    expect([answer.status, answer.json.code, fieldsOf(answer)]).toEqual([
      422,
      'unknown_field',
      [field],
    ]);
  }
  const set = await post({ ...message, recipient: { include: [PHONE], exlude: [PHONE] } });
  expect([set.status, fieldsOf(set)[0]]).toEqual([422, 'recipient.exlude']);
  await untouched();
});

test('signing in takes the kind of account that client programs name, and no other', async () => {
  const { username } = await world.person();
  const signIn = (type: string) =>
    fetch(`${world.base}/api/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ type, username, password: PASSWORD }),
    });
  expect((await signIn('local')).status).toBe(200);
  expect((await signIn('ldap')).status).toBe(422);
});

test('invalid filters, orders and pages', async () => {
  const ids = (n: number) =>
    Array.from({ length: n }, (_, i) => `id[${i}]=${randomUUID()}`).join('&');
  const wrong: [string, string][] = [
    ['colour=red', 'colour'],
    ['status=lost', 'status.0'],
    ['id=17', 'id.0'],
    ['groupId=17', 'groupId'],
    ['$order=colour:desc', '$order.0.0'],
    ['$limit=-1', '$limit'],
    ['$limit=501', '$limit'],
    ['$offset=-1', '$offset'],
    ['createdAt[$gt]=yesterday', 'createdAt.$gt'],
    ['createdAt[$near]=2026-01-01T00:00:00Z', 'createdAt.$near'],
    [ids(201), 'id'],
  ];
  for (const [query, field] of wrong) {
    const answer = await list(query);
    expect([field, answer.status, fieldsOf(answer)]).toEqual([field, 422, [field]]);
  }
  // A line over the limit is refused with an error body instead of a closed connection.
  expect(await list(ids(10_000))).toMatchObject({
    status: 431,
    json: { code: 'headers_too_large' },
  });
  expect((await list(ids(200))).status).toBe(200);
  expect((await raw(world, owner, 'GET', '/sendings/17')).status).toBe(422);
  expect((await raw(world, owner, 'GET', `/sendings/${randomUUID()}`)).status).toBe(404);
  await untouched();
});

test('another account is not found', async () => {
  const stranger = await world.person();
  const answer = await post({ ...message, OwnerId: stranger.id });
  expect(answer.status).toBe(404);
  expect((await list(`OwnerId=${stranger.id}`)).status).toBe(404);
  await untouched();
});
