import { contactLists, sendings, tasks, type SendingReceipt } from '@heliograph/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Carrier } from '../carrier.ts';
import { approve, balance, finished, problems, setCarrier } from '../factories.ts';
import { raw } from '../raw.ts';
import { type Person, until, World } from '../world.ts';

let world: World;
let owner: Person;
let carrier: Carrier;

beforeAll(async () => {
  world = await World.start();
  await setCarrier(world, {});
  carrier = await Carrier.start(world, ['viber', 'email']);
  await world.startWorker();
  owner = await world.person({ balance: 1000 });
  await approve(world, owner.id);
});
afterAll(async () => {
  carrier.stop();
  await world.stop();
});

const sender = 'MIRTEA';
/** Three people, of whom one has a value that can be seen. */
async function people({ api } = owner): Promise<string> {
  const { id } = await api(contactLists.create, {
    body: { title: 'People', type: 'regular' },
  });
  await world.db.query(
    `insert into contacts (list_id, phone, first_name, email, gender, date, custom)
     select $1, '+790200000' || lpad(n::text, 2, '0'), name, 'p' || n || '@tea.example', 'female', '1990-12-05', custom
       from (values (1, 'Anna', '{"custom01": "A1"}'::jsonb), (2, null, '{"custom01": "  "}'), (3, 'Olga', '{}')) p(n, name, custom)`,
    [id],
  );
  await world.db.query(`update contact_lists set count = 3 where id = $1`, [id]);
  return id;
}
const sent = (groupId: string) =>
  world.db.query<{ phone: string; body: string; amount: string }>(
    `select phone, body, amount::float8 as amount from sendings where group_id = $1 order by phone`,
    [groupId],
  );

test('recipients without a value are skipped, counted before and after, and cost nothing', async () => {
  const list = await people();
  const body = {
    type: 'sms',
    recipient: { include: [list, '+79161234567'] },
    payload: { sender, text: '{custom01}' },
  };
  const estimate = await owner.api(sendings.estimate, { body: body as never });
  expect(estimate).toMatchObject({ recipients: 1, skipped: { noValue: 3 } });
  const before = await balance(world, owner.id);
  const { id } = (await owner.api(sendings.create, { body: body as never })) as { id: string };
  const task = await finished(owner, id);
  expect(task.meta.counters).toMatchObject({ total: 1, skipped: { noValue: 3 } });
  expect(await sent(id)).toMatchObject([{ phone: '+79020000001', body: 'A1' }]);
  expect(before - (await balance(world, owner.id))).toBeCloseTo(estimate.amount, 4);
  expect(await problems(world)).toEqual([]);
});

test('a default is a value for everybody, also for a typed phone', async () => {
  const body = {
    type: 'sms',
    recipient: { include: [await people(), '+79161234567'] },
    payload: { sender, text: 'Order {custom01|soon}' },
  };
  const { id } = (await owner.api(sendings.create, { body: body as never })) as { id: string };
  await finished(owner, id);
  expect((await sent(id)).map((row) => row.body)).toEqual([
    'Order A1',
    'Order soon',
    'Order soon',
    'Order soon',
  ]);
});

test('a bulk in which nobody has the value is refused for it', async () => {
  const body = {
    type: 'sms',
    recipient: { include: [await people()] },
    payload: { sender, text: 'Order {custom20}' },
  };
  for (const path of ['/sendings', '/sendings/estimate'])
    expect(await raw(world, owner, 'POST', path, body)).toMatchObject({
      status: 422,
      json: { code: 'no_value', payload: { skipped: { noValue: 3 } } },
    });
});

test('a single has no values but its address', async () => {
  const body = (text: string) => ({
    type: 'sms',
    recipient: '+79161234567',
    payload: { sender, text },
  });
  const before = await balance(world, owner.id);
  for (const text of ['Hi {firstName}', '{custom01|}', '{custom01|\u200b}']) {
    const receipt = (await owner.api(sendings.create, {
      body: body(text) as never,
    })) as SendingReceipt;
    expect(receipt).toMatchObject({ status: 'failed', code: 'no_value' });
    const { status, json } = await raw(world, owner, 'POST', '/sendings/estimate', body(text));
    expect([status, json.code]).toEqual([422, 'no_value']);
  }
  expect(await balance(world, owner.id)).toBe(before);
  const { id } = (await owner.api(sendings.create, {
    body: body('{phone} {firstName|friend}') as never,
  })) as SendingReceipt;
  const { payload } = await owner.api(sendings.get, { params: { id } });
  expect(payload.text).toBe('+79161234567 friend');
  expect(await problems(world)).toEqual([]);
});

test('texts of invisible characters are empty', async () => {
  const body = {
    type: 'sms',
    recipient: '+79161234567',
    payload: { sender, text: '\u200b\u3164 ' },
  };
  expect(await raw(world, owner, 'POST', '/sendings', body)).toMatchObject({ status: 422 });
});

test('a fallback without a value fails for it and is free', async () => {
  const { id } = (await owner.api(sendings.create, {
    body: {
      type: 'viber',
      recipient: { include: [await people()] },
      payload: { sender, text: 'Hi {firstName|friend}' },
      fallbacks: [
        { type: 'sms', payload: { sender, text: '{custom01}' }, options: { onStatus: ['failed'] } },
      ],
    } as never,
  })) as { id: string };
  await until(
    async () => (await owner.api(tasks.get, { params: { id } })).meta.counters.total === 3,
    'the audience',
  );
  await until(
    async () => carrier.calls.flat().filter((m) => m.payload.text?.startsWith('Hi ')).length === 3,
    'three messages',
  );
  await carrier.report(
    carrier.taken.map((reference) => ({
      reference,
      status: 'failed',
      code: 'not_a_user',
    })) as never,
  );
  await finished(owner, id);
  const rows = await world.db.query(
    `select phone, error, amount::float8 as amount, body from sendings where attempt = 1 and chain_id in (select id from sendings where group_id = $1) order by phone`,
    [id],
  );
  expect(rows).toMatchObject([
    { phone: '+79020000001', error: null, body: 'A1' },
    { phone: '+79020000002', error: 'no_value', amount: 0, body: null },
    { phone: '+79020000003', error: 'no_value', amount: 0, body: null },
  ]);
  expect(await problems(world)).toEqual([]);
});

test('every field that a carrier gets has values, dates and genders in the language of the account', async () => {
  // An account whose settings nothing has read yet.
  const german = await world.person({ balance: 1000 });
  await approve(world, german.id);
  await world.db.query(
    `insert into settings_user (user_id, key, value) values ($1, 'locale', '"de"')`,
    [german.id],
  );
  const from = carrier.calls.length;
  const { id } = (await german.api(sendings.create, {
    body: {
      type: 'email',
      recipient: { include: [await people(german)] },
      payload: { sender, subject: 'For {firstName}', text: '{date} {gender}' },
    } as never,
  })) as { id: string };
  await until(async () => carrier.calls.slice(from).flat().length === 2, 'the messages');
  const got = carrier.calls
    .slice(from)
    .flat()
    .map((m) => m.payload);
  expect(got.map((payload) => payload.subject).toSorted()).toEqual(['For Anna', 'For Olga']);
  expect(new Set(got.map((payload) => payload.text))).toEqual(new Set(['05.12.1990 weiblich']));
  const { data } = await german.api(sendings.find, { query: { filter: { groupId: id } } });
  expect(data.map(({ payload }) => payload.subject).toSorted()).toEqual(['For Anna', 'For Olga']);
});

test.each([
  ['email', { subject: 'For {frstName}', text: 'Hi' }, 'payload.subject'],
  [
    'viber',
    { text: 'Hi', button: { text: '{x}', url: 'https://tea.example' } },
    'payload.button.text',
  ],
  [
    'viber',
    { text: 'Hi', button: { text: 'x', url: 'https://tea.example/{x}' } },
    'payload.button.url',
  ],
  ['vk', { text: 'Hi', buttons: [{ text: 'x', action: '{x}' }] }, 'payload.buttons.0.action'],
])('an unknown variable is refused in every field: %s %j', async (type, payload, field) => {
  const recipient = type === 'email' ? 'a@tea.example' : '+79161234567';
  const body = { type, recipient, payload: { sender, ...payload } };
  const { status, json } = await raw(world, owner, 'POST', '/sendings', body);
  expect([status, json.data[0].field]).toEqual([422, field]);
});
