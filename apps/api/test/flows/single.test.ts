import { sendings } from '@heliograph/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { approve, balance, contactList, ended, problems, setCarrier } from '../factories.ts';
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
const message = { type: 'sms', payload };
const PHONE = '+79020000001';
const post = (body: object, query = '', headers = {}, who = owner) =>
  raw(world, who, 'POST', `/sendings${query}`, body, headers);

test('one message is answered with a receipt, is delivered and billed', async () => {
  const { status, json } = await post({ ...message, recipient: '8 902 000-00-01' });
  expect(status).toBe(200);
  expect(json).toEqual({
    id: expect.any(String),
    recipient: PHONE,
    status: 'pending',
    error: null,
  });
  const sending = await ended(owner, json.id);
  expect(sending).toMatchObject({
    recipient: PHONE,
    payload,
    state: { status: 'delivered', error: null, code: null },
    chainId: json.id,
    groupId: null,
    meta: { billing: { refunded: false } },
  });
  expect(await balance(world, owner.id)).toBeCloseTo(100 - sending.meta.billing!.amount, 4);
  const { amount, price, multiplier } = sending.meta.billing!;
  expect((price as number) * multiplier).toBeCloseTo(amount, 4);
  expect(sending.timeline!.map((e) => e.event)).toEqual(
    expect.arrayContaining(['created', 'charged', 'sent', 'delivered']),
  );
  expect(await problems(world)).toEqual([]);
});

test('a refusal after validation has the shape of a receipt, is stored and not charged', async () => {
  await contactList(world, owner.id, 1, { first: 500, type: 'blacklist' });
  const poor = await world.person({ balance: 1 });
  await approve(world, poor.id);
  const unpriced = await world.person({ balance: 100 });
  await approve(world, unpriced.id);
  await world.db.query(`delete from users_tariffs where owner_id = $1`, [unpriced.id]);
  const cases: [string, object, Person][] = [
    ['insufficient_funds', { ...message, recipient: PHONE }, poor],
    ['invalid_recipient', { ...message, recipient: '12' }, owner],
    ['blacklisted', { ...message, recipient: '+79020000501' }, owner],
    [
      'sender_not_approved',
      { type: 'sms', payload: { ...payload, sender: 'OTHER' }, recipient: PHONE },
      owner,
    ],
    ['no_price', { ...message, recipient: PHONE }, unpriced],
  ];
  for (const [code, body, who] of cases) {
    const before = await balance(world, who.id);
    const { status, json } = await post(body, '', {}, who);
    expect([code, status]).toEqual([code, 400]);
    expect(json).toMatchObject({ status: 'failed', code, error: expect.any(String) });
    const kept = await who.api(sendings.get, { params: { id: json.id } });
    expect(kept).toMatchObject({ state: { status: 'failed', code }, meta: { billing: null } });
    expect(await balance(world, who.id)).toBe(before);
  }
  expect(await problems(world)).toEqual([]);
});

test('callbackData is returned with the message, its fallbacks and each message of a bulk', async () => {
  const fallbacks = [{ type: 'viber', payload, options: { onStatus: ['failed'] } }];
  const callbackData = 'order 17';
  const single = { ...message, recipient: '+79990000002', fallbacks, callbackData };
  const { json } = await post(single);
  const bulk = await post({ ...message, recipient: [PHONE], callbackData });
  await ended(owner, json.id);
  const all = await until(async () => {
    const { data } = await owner.api(sendings.find);
    return data.length === 3 && data;
  }, 'the fallback and the bulk');
  expect(all.map((s) => [s.attempt, s.callbackData]).sort()).toEqual([
    [0, callbackData],
    [0, callbackData],
    [1, callbackData],
  ]);
  expect(all.filter((s) => s.groupId === bulk.json.id)).toHaveLength(1);
});

test('a blacklisted e-mail gets nothing, whatever else its contact has', async () => {
  const list = await contactList(world, owner.id, 1, { first: 500, type: 'blacklist' });
  await world.db.query(`update contacts set email = 'anna@tea.example' where list_id = $1`, [list]);
  const mail = {
    type: 'email',
    payload: { ...payload, sender: 'tea@tea.example', subject: 'Tea' },
  };
  const { json } = await post({ ...mail, recipient: ' Anna@Tea.example' });
  expect(json).toMatchObject({ status: 'failed', code: 'blacklisted' });
  expect((await post({ ...mail, recipient: 'boris@tea.example' })).json.status).toBe('pending');
});

test('a variable about the address of a typed recipient is filled, in its fallback as well', async () => {
  const said = (text: string) => ({ sender: 'MIRTEA', text });
  const text = 'For {phone|unknown}{ email |}, {firstName|}!';
  const fallbacks = [{ type: 'viber', payload: said(text), options: { onStatus: ['failed'] } }];
  const body = { ...message, payload: said(text), recipient: '8 999 000-00-02', fallbacks };
  for (const recipient of [body.recipient, [body.recipient]]) {
    const { json } = await post({ ...body, recipient });
    const filter = typeof recipient === 'string' ? { chainId: json.id } : { groupId: json.id };
    const attempts = await until(async () => {
      const { data } = await owner.api(sendings.find, { query: { filter } });
      return data.length === 2 && data;
    }, 'the fallback');
    expect(attempts.map((s) => s.payload.text)).toEqual(Array(2).fill('For +79990000002, !'));
  }
  const mail = { type: 'email', payload: { ...said(text), subject: 'Tea' } };
  for (const recipient of ['anna@tea.example', ['anna@tea.example']]) {
    const { json } = await post({ ...mail, recipient });
    const sent = await until(async () => {
      const { data } = await owner.api(sendings.find, { query: { filter: { type: ['email'] } } });
      return data.find(({ id, groupId }) => [id, groupId].includes(json.id));
    }, 'the message');
    expect(sent.payload.text).toBe('For unknownanna@tea.example, !');
  }
});

test('return=each lists a receipt per phone, each with its own refusal', async () => {
  const recipient = [PHONE, '8 902 000 00 01', '+79020000002', 'not a phone', '+79020000003'];
  const { status, json } = await post({ ...message, recipient }, '?return=each');
  expect(status).toBe(200);
  expect(json).toHaveLength(4);
  expect(json.map((r: { status: string }) => r.status).sort()).toEqual([
    'failed',
    'pending',
    'pending',
    'pending',
  ]);
  const excluded = await post(
    { ...message, recipient: { include: [PHONE, '+79020000002'], exclude: ['8 902 000-00-01'] } },
    '?return=each',
  );
  expect(excluded.json.map((r: { recipient: string }) => r.recipient)).toEqual(['+79020000002']);
  const list = await contactList(world, owner.id, 3);
  expect((await post({ ...message, recipient: [list] }, '?return=each')).status).toBe(422);
  const many = Array.from({ length: 101 }, (_, i) => `+7902000${1000 + i}`);
  expect((await post({ ...message, recipient: many }, '?return=each')).status).toBe(422);
});

test('return=each under a key pays for what is covered and refuses the rest', async () => {
  const poor = await world.person({ balance: 10 });
  await approve(world, poor.id);
  const recipient = Array.from({ length: 8 }, (_, i) => `+7902000${1000 + i}`);
  const answer = await post(
    { ...message, recipient },
    '?return=each',
    { 'idempotency-key': 'each' },
    poor,
  );
  expect(answer.status).toBe(200);
  const taken = answer.json.filter((r: { status: string }) => r.status === 'pending');
  const refused = answer.json.filter((r: { code?: string }) => r.code === 'insufficient_funds');
  expect(taken.length).toBeGreaterThan(1);
  expect(taken.length + refused.length).toBe(8);
  expect(await balance(world, poor.id)).toBeLessThan(3.5);
  expect(await problems(world)).toEqual([]);
});

test('of a hundred at once exactly the covered ones are sent', async () => {
  const people = await Promise.all([1000, 1000, 35, 1000].map((b) => world.person({ balance: b })));
  for (const { id } of people) await approve(world, id);
  const estimate = await people[0]!.api(sendings.estimate, {
    body: { ...message, recipient: PHONE } as never,
  });
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, i) => {
      const who = people[i % 4]!;
      return post({ ...message, recipient: `+7902000${1000 + i}` }, '', {}, who).then((a) => ({
        ...a,
        who,
      }));
    }),
  );
  expect(new Set(answers.map((a) => a.status))).toEqual(new Set([200, 400]));
  for (const who of people) {
    const own = answers.filter((a) => a.who === who);
    const sent = own.filter((a) => a.json.status === 'pending');
    const covered = Math.min(
      25,
      Math.floor(((who === people[2] ? 35 : 1000) + 1e-9) / estimate.amount),
    );
    expect(sent).toHaveLength(covered);
    for (const a of own.filter((x) => !sent.includes(x)))
      expect(a.json).toMatchObject({ status: 'failed', code: 'insufficient_funds' });
  }
  expect(await problems(world)).toEqual([]);
  for (const a of answers.filter((x) => x.json.status === 'pending').slice(0, 10)) {
    await until(async () => {
      const s = await a.who.api(sendings.get, { params: { id: a.json.id } });
      return s.state.status === 'delivered';
    }, 'delivery');
  }
});

test('a key has one effect: repeats replay it, another body is refused', async () => {
  const key = { 'idempotency-key': 'order-17' };
  const body = { ...message, recipient: PHONE };
  const first = await post(body, '', key);
  const again = await post(body, '', key);
  expect(first.headers.get('idempotency-replay')).toBeNull();
  expect(again.headers.get('idempotency-replay')).toBe('true');
  expect(again.json).toEqual(first.json);
  const other = await post({ ...body, recipient: '+79020000002' }, '', key);
  expect([other.status, other.json.code]).toEqual([422, 'idempotency_mismatch']);
  expect((await owner.api(sendings.find)).total).toBe(1);
});

test('what the balance did not cover is sent under the same key after a top-up', async () => {
  const poor = await world.person({ balance: 1 });
  await approve(world, poor.id);
  const call = () =>
    post({ ...message, recipient: PHONE }, '', { 'idempotency-key': 'order-18' }, poor);
  expect((await call()).json.code).toBe('insufficient_funds');
  await world.db.query(`update balances set balance = 101 where owner_id = $1`, [poor.id]);
  await world.db.query(`insert into billings (owner_id, source, amount) values ($1, -1, 100)`, [
    poor.id,
  ]);
  const [sent, again] = [await call(), await call()];
  expect(sent.json.status).toBe('pending');
  expect(again.json.id).toBe(sent.json.id);
});

test('fifty clients with one key make one sending', async () => {
  const body = { ...message, recipient: PHONE };
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => post(body, '', { 'idempotency-key': 'same' })),
  );
  const done = answers.filter((a) => a.status === 200);
  expect(done.length).toBeGreaterThan(0);
  expect(new Set(done.map((a) => a.json.id)).size).toBe(1);
  for (const a of answers.filter((x) => x.status !== 200))
    expect([a.status, a.json.code]).toEqual([409, 'idempotency_running']);
  expect((await owner.api(sendings.find)).total).toBe(1);
  expect(await problems(world)).toEqual([]);
});
