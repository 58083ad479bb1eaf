import { sendings, type Sending } from '@heliograph/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { approve, contactList, ended, problems, setCarrier } from '../factories.ts';
import { raw } from '../raw.ts';
import { type Person, until, World } from '../world.ts';

let world: World;
let owner: Person;

beforeAll(async () => {
  world = await World.start();
  await setCarrier(world, {});
  await world.startWorker();
});
afterAll(() => world.stop());
beforeEach(async () => {
  owner = await world.person({ balance: 100 });
  await approve(world, owner.id);
});

const payload = { sender: 'MIRTEA', text: 'Your code is 1234' };
const post = (body: object, query = '', headers = {}, who = owner) =>
  raw(world, who, 'POST', `/sendings${query}`, body, headers);
const get = (id: string): Promise<Sending> => owner.api(sendings.get, { params: { id } });
const chainOf = async (id: string) =>
  (
    await owner.api(sendings.find, {
      query: { filter: { chainId: id }, order: [{ field: 'createdAt', direction: 'asc' }] },
    })
  ).data;

const sms = { type: 'sms', payload: { sender: 'MIRTEA', text: 'By SMS' } };
/** Viber to a test number, then an SMS. */
const withFallback = (digits: string, $options: object) =>
  post({
    type: 'viber',
    payload,
    recipient: `+799900000${digits}`,
    fallbacks: [{ ...sms, $options }],
  });
const sent = (id: string) =>
  until(async () => (await get(id)).sentAt !== null, `the sending ${id} to be submitted`);

test('a failure starts the fallback by status, under the same chain, charged like any other', async () => {
  const { json } = await withFallback('02', { onStatus: ['failed'] });
  await sent(json.id);
  world.clock.forward(3);
  const chain = await until(async () => {
    const attempts = await chainOf(json.id);
    return attempts.length === 2 && attempts;
  }, 'the fallback');
  expect(chain.map((s) => [s.type, s.attempt, s.chainId])).toEqual([
    ['viber', 0, json.id],
    ['sms', 1, json.id],
  ]);
  expect(chain[0]).toMatchObject({ state: { code: 'absent_subscriber' } });
  expect(chain[1]!.payload.text).toBe('By SMS');
  expect(chain[0]!.meta.billing!.refunded).toBe(true);
  expect(await problems(world)).toEqual([]);
});

test('a timeout starts the fallback, counted from the submit, except for the excepted statuses', async () => {
  const options = { onTimeout: { timeout: 20, except: ['delivered', 'seen'] } };
  const silent = await withFallback('04', options);
  const delivered = await withFallback('00', options);
  await sent(silent.json.id);
  await sent(delivered.json.id);
  world.clock.forward(10);
  await ended(owner, delivered.json.id);
  expect(await chainOf(silent.json.id)).toHaveLength(1);
  world.clock.forward(12);
  await until(async () => (await chainOf(silent.json.id)).length === 2, 'the fallback');
  expect(await chainOf(delivered.json.id)).toHaveLength(1);
  expect(await problems(world)).toEqual([]);
});

test('a reply starts the fallback: the same sender and phone, trimmed, in any case', async () => {
  const { json } = await withFallback('04', { onIncomingPayload: { text: 'Да' } });
  await sent(json.id);
  const reply = (over: object, text = ' дА ') =>
    raw(world, owner, 'POST', '/sendingsIncoming', {
      type: 'viber',
      from: '+79990000004',
      to: 'MIRTEA',
      payload: { text },
      ...over,
    });
  const strangers: [object, string?][] = [
    [{ to: 'OTHER' }],
    [{ from: '+79990000005' }],
    [{ type: 'sms' }],
    [{}, 'да, конечно'],
    [{}, ''],
  ];
  for (const [over, text] of strangers) expect((await reply(over, text)).status).toBe(201);
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(await chainOf(json.id)).toHaveLength(1);
  const answer = await reply({ from: '8 999 000-00-04' });
  expect(answer.json).toMatchObject({ SendingId: json.id, from: '+79990000004' });
  await until(async () => (await chainOf(json.id)).length === 2, 'the fallback');
  expect((await reply({})).status).toBe(201);
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(await chainOf(json.id)).toHaveLength(2);
  expect(await problems(world)).toEqual([]);
});

test('an empty reply text is off', async () => {
  const { status, json } = await withFallback('04', { onIncomingPayload: { text: ' ' } });
  expect([status, json.code]).toEqual([422, 'validation']);
  const mixed = await withFallback('04', {
    onStatus: ['failed'],
    onIncomingPayload: { text: '' },
  });
  await sent(mixed.json.id);
  await raw(world, owner, 'POST', '/sendingsIncoming', {
    type: 'viber',
    from: '+79990000004',
    to: 'MIRTEA',
    payload: { text: '' },
  });
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(await chainOf(mixed.json.id)).toHaveLength(1);
});

test('a fallback that cannot be paid ends failed, with its reason and without a charge', async () => {
  const poor = await world.person({ balance: 2.5 });
  await approve(world, poor.id);
  const { json } = await post(
    {
      type: 'viber',
      payload,
      recipient: '+79990000004',
      fallbacks: [{ ...sms, $options: { onTimeout: { timeout: 5, except: ['delivered'] } } }],
    },
    '',
    {},
    poor,
  );
  await until(async () => {
    const [row] = await world.db.query(`select 1 from sendings_now where id = $1 and stage = 3`, [
      json.id,
    ]);
    return row;
  }, 'the submit');
  world.clock.forward(6);
  const chain = await until(async () => {
    const { data } = await poor.api(sendings.find, { query: { filter: { chainId: json.id } } });
    return data.length === 2 && data;
  }, 'the fallback');
  expect(chain.find((s) => s.attempt === 1)).toMatchObject({
    state: { status: 'failed', code: 'insufficient_funds' },
    meta: { billing: null },
  });
  expect(await problems(world)).toEqual([]);
});

test('a fallback of a type without a channel fails, and the chain continues', async () => {
  const types = (change: string) =>
    world.db.query(`update channels set types = ${change}(types, 'sms') where name = 'simulator'`);
  await types('array_remove');
  world.forgetChannels();
  try {
    const { json } = await post({
      type: 'viber',
      payload,
      recipient: '+79990000002',
      fallbacks: [
        { ...sms, $options: { onStatus: ['failed'] } },
        { type: 'whatsapp', payload, $options: { onStatus: ['failed'] } },
      ],
    });
    await sent(json.id);
    world.clock.forward(3);
    const chain = await until(async () => {
      const attempts = await chainOf(json.id);
      return attempts.length === 3 && attempts;
    }, 'the last fallback');
    expect(chain.map((s) => s.type)).toEqual(['viber', 'sms', 'whatsapp']);
    expect(chain.slice(0, 2).map((s) => s.state.code)).toEqual([
      'absent_subscriber',
      'channel_down',
    ]);
    expect(chain[1]!.meta.billing).toBeNull();
    expect(await problems(world)).toEqual([]);
  } finally {
    await types('array_append');
    world.forgetChannels();
  }
});

test('a trigger that cannot be processed does not delay the others', async () => {
  const { json: alone } = await post({ type: 'viber', payload, recipient: '+79990000000' });
  await sent(alone.id);
  // It has no fallbacks, so this leads nowhere.
  await world.db.query(
    `insert into fallback_triggers (sending_id, trigger, due_at) values ($1, 1, '2000-01-01')`,
    [alone.id],
  );
  const { json } = await withFallback('02', { onStatus: ['failed'] });
  await sent(json.id);
  world.clock.forward(3);
  await until(async () => (await chainOf(json.id)).length === 2, 'the fallback');
  const left = await world.db.query(
    `delete from fallback_triggers where sending_id = $1 and due_at > '2000-01-02' returning 1`,
    [alone.id],
  );
  expect(left).toHaveLength(1);
  expect(await chainOf(alone.id)).toHaveLength(1);
});

test('a fallback to an e-mail address is checked against the blacklists', async () => {
  const friends = await contactList(world, owner.id, 2);
  await world.db.query(
    `update contacts set phone = case when phone like '%1' then '+79990000002' else '+79990000003' end,
            email = case when phone like '%1' then 'Anna@tea.example' else 'vera@tea.example' end where list_id = $1`,
    [friends],
  );
  const blacklisted = await contactList(world, owner.id, 1, { first: 500, type: 'blacklist' });
  await world.db.query(`update contacts set email = 'anna@tea.example' where list_id = $1`, [
    blacklisted,
  ]);
  const mail = { type: 'email', payload: { ...payload, sender: 'a@tea.example', subject: 'Tea' } };
  const { json } = await post({
    type: 'viber',
    payload,
    recipient: { include: [friends] },
    fallbacks: [{ ...mail, $options: { onStatus: ['failed'] } }],
  });
  const all = async () =>
    (await owner.api(sendings.find, { query: { filter: { groupId: json.id } } })).data;
  await until(async () => (await all()).filter((s) => s.sentAt).length >= 2, 'the submits');
  world.clock.forward(3);
  const mails = await until(async () => {
    const second = (await all()).filter((s) => s.type === 'email' && s.state.status !== 'pending');
    return second.length === 2 && second;
  }, 'the e-mails');
  expect(mails.map((s) => [s.recipient, s.state.code]).sort()).toEqual([
    ['anna@tea.example', 'blacklisted'],
    ['vera@tea.example', null],
  ]);
  expect(await problems(world)).toEqual([]);
});

test('a price for a contact list applies to its fallbacks, too, in the estimate and in the charge', async () => {
  const list = await contactList(world, owner.id, 3, { first: 970_000 });
  await world.db.query(
    `with t as (insert into tariffs (title, source) values ('For this list', 'sms') returning id),
          r as (insert into tariff_rules (tariff_id, action, price, conditions, priority)
                select id, 'decrease', '{0.5}', $2, 1 from t)
     insert into users_tariffs (owner_id, tariff_id, priority) select $1, id, 100 from t`,
    [owner.id, JSON.stringify([{ tag: 'contactList', value: list }])],
  );
  await setCarrier(world, { failed: 1 });
  try {
    const body = {
      type: 'viber' as const,
      payload,
      recipient: { include: [list], exclude: [] },
      fallbacks: [{ ...sms, $options: { onStatus: ['failed' as const] } }],
    };
    const said = await owner.api(sendings.estimate, { body: body as never });
    const { json } = await post(body);
    const attempts = await until(async () => {
      const { data } = await owner.api(sendings.find, { query: { filter: { groupId: json.id } } });
      return data.length === 6 && data;
    }, 'the fallbacks');
    const billed = attempts.reduce((sum, s) => sum + (s.meta.billing?.amount ?? 0), 0);
    expect(billed).toBeCloseTo(said.max, 4);
  } finally {
    await setCarrier(world, {});
  }
});
