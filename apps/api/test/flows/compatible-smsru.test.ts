import { sendings } from '@heliograph/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { approve, balance, problems, setCarrier } from '../factories.ts';
import { type Person, until, World } from '../world.ts';
import { callVendor, newTokenParts, type TokenParts } from './compatible.ts';

let world: World;
let owner: Person;
let token: TokenParts;

beforeAll(async () => {
  world = await World.start({ COMPATIBLE_APIS: 'smsru' });
  await world.startWorker();
  await setCarrier(world, {});
});
afterAll(() => world.stop());
beforeEach(async () => {
  owner = await world.person({ balance: 1000 });
  await approve(world, owner.id);
  token = await newTokenParts(owner);
});

const PHONE = '79255070602';
const OTHER = '74993221627';
type Given = Record<string, string>;
interface Line {
  status: string;
  status_code: number;
  sms_id: string;
  [field: string]: unknown;
}
interface Body {
  status: string;
  status_code: number;
  sms: Record<string, Line>;
  [field: string]: unknown;
}

const call = async (path: string, given: Given, { method = 'GET', by = token } = {}) =>
  (await callVendor(world, path, { api_id: by.token, ...given }, { method })).text;
const json = async (path: string, given: Given, options: object = {}) =>
  JSON.parse(await call(path, { json: '1', ...given }, options)) as Body;
const MESSAGE = { to: PHONE, msg: 'Чай {готов}', from: 'MIRTEA' };
const messages = async () => (await owner.api(sendings.find, { query: {} })).data;

test('a message is sent, charged, and asked for until it is delivered', async () => {
  const sent = await json('/sms/send', MESSAGE, { method: 'POST' });
  const left = await balance(world, owner.id);
  expect(sent).toEqual({
    status: 'OK',
    status_code: 100,
    sms: { [PHONE]: { status: 'OK', status_code: 100, sms_id: expect.any(String) as string } },
    balance: left,
  });
  const { sms_id: id } = sent.sms[PHONE]!;
  const state = async () => (await json('/sms/status', { sms_id: id })).sms[id]!;
  await until(async () => (await state()).status_code === 103, 'the delivery');
  expect(await state()).toEqual({
    status: 'OK',
    status_code: 103,
    cost: Number((1000 - left).toFixed(4)),
    status_text: 'Сообщение доставлено',
  });
  expect(await call('/sms/status', { sms_id: `${id},${token.id},x` })).toBe('100\n103\n-1\n-1');
  expect((await messages())[0]).toMatchObject({
    recipient: `+${PHONE}`,
    payload: { sender: 'MIRTEA', text: 'Чай {готов}' },
  });
  expect(await problems(world)).toEqual([]);
});

test('each number has its own result, in both forms', async () => {
  const given = { ...MESSAGE, to: `${PHONE}, 12345,${OTHER}` };
  const sent = await json('/sms/send', given);
  expect(sent.status_code).toBe(100);
  expect(sent.sms[PHONE]!.status).toBe('OK');
  expect(sent.sms['12345']).toEqual({
    status: 'ERROR',
    status_code: 202,
    status_text: expect.stringContaining('номер') as string,
  });
  const lines = (await call('/sms/send', given)).split('\n');
  expect(lines).toHaveLength(5);
  expect([lines[0], lines[2]]).toEqual(['100', '202']);
  expect(lines[1]).toMatch(/^[\da-f-]{36}$/);
  expect(lines[4]).toBe(`balance=${(await balance(world, owner.id)).toFixed(2)}`);
});

test.each(['+62 21 5551234,5', '+49 30 123456,57', '(495) ,79161234567'])(
  'the pieces of %s reach no stranger',
  async (to) => {
    const sent = await json('/sms/send', { ...MESSAGE, to });
    expect(Object.values(sent.sms).map(({ status_code }) => status_code)).toEqual([202, 202]);
    expect(await messages()).toEqual([]);
  },
);

test('the same text to the same number is sent and charged once', async () => {
  const given = { ...MESSAGE, to: `${PHONE},+${PHONE},${PHONE}` };
  const [, first, second, third] = (await call('/sms/send', given)).split('\n');
  expect([second, third]).toEqual([first, first]);
  expect(await messages()).toHaveLength(1);
});

test('each number may have a text of its own', async () => {
  const sent = await json(
    '/sms/send',
    { [`to[${PHONE}]`]: 'one', [`to[${OTHER}]`]: 'two', from: 'MIRTEA' },
    { method: 'POST' },
  );
  expect(Object.keys(sent.sms).sort()).toEqual([OTHER, PHONE].sort());
  const texts = (await messages()).map(({ recipient, payload }) => [recipient, payload.text]);
  expect(texts.sort()).toEqual([
    [`+${OTHER}`, 'two'],
    [`+${PHONE}`, 'one'],
  ]);
});

test('a price is told, and nothing is sent', async () => {
  const priced = await json('/sms/cost', { ...MESSAGE, to: `${PHONE},12345` });
  expect(priced).toMatchObject({
    status_code: 100,
    sms: { [PHONE]: { status_code: 100, sms: 1 }, 12345: { status_code: 202 } },
    total_sms: 1,
    total_cost: priced.sms[PHONE]!.cost,
  });
  const [ok, cost, count] = (await call('/sms/cost', MESSAGE)).split('\n');
  expect([ok, count]).toEqual(['100', '1']);
  expect(Number(cost)).toBeGreaterThan(0);
  expect(await balance(world, owner.id)).toBe(1000);
  expect(await messages()).toEqual([]);
});

test('a test is checked and not sent', async () => {
  const tested = await json('/sms/send', { ...MESSAGE, test: '1' });
  expect(tested.sms[PHONE]!.status_code).toBe(100);
  const unknown = await json('/sms/send', { ...MESSAGE, from: 'NOT-MINE', test: '1' });
  expect(unknown.sms[PHONE]!.status_code).toBe(204);
  expect(await messages()).toEqual([]);
});

test('the balance is that of the account', async () => {
  expect(await json('/my/balance', {})).toEqual({ status: 'OK', status_code: 100, balance: 1000 });
  expect(await call('/my/balance', {})).toBe('100\n1000.00');
});

test('a message for later is found while it waits', async () => {
  const time = String(Math.floor(world.clock.now().getTime() / 1000) + 3600);
  const sent = await json('/sms/send', { ...MESSAGE, time, ttl: '60' });
  const { data } = await owner.api(sendings.find, { query: {} });
  expect(data.map(({ dueAt }) => dueAt)).toEqual([new Date(Number(time) * 1000).toISOString()]);
  const { sms_id: id } = sent.sms[PHONE]!;
  expect((await json('/sms/status', { sms_id: id })).sms[id]!.status_code).toBe(100);
  const now = await json('/sms/send', { ...MESSAGE, time: '1000000000' });
  expect(now.sms[PHONE]!.status_code).toBe(100);
});

test.each([
  [{ to: '' }, 202],
  [{ msg: '' }, 203],
  [{ time: 'tomorrow' }, 208],
  [{ ttl: '1441' }, 500],
  [{ translit: '1' }, 500],
  [{ to: Array.from({ length: 101 }, (_, i) => `7916${1_000_000 + i}`).join(',') }, 213],
])('%j is refused as a whole with %d', async (given, code) => {
  const answer = await json('/sms/send', { ...MESSAGE, ...(given as Given) });
  expect(answer).toEqual({
    status: 'ERROR',
    status_code: code,
    status_text: expect.any(String) as string,
  });
  expect(await call('/sms/send', { ...MESSAGE, ...(given as Given) })).toBe(String(code));
  expect(await messages()).toEqual([]);
});

test('refusals of a message, and of a caller', async () => {
  const codeOf = async (given: Given, options: object = {}) => {
    const answer = await json('/sms/send', { ...MESSAGE, ...given }, options);
    return answer.sms?.[PHONE]?.status_code ?? answer.status_code;
  };
  expect(await codeOf({ from: 'NOT-MINE' })).toBe(204);
  expect(await codeOf({ msg: 'x'.repeat(2001) })).toBe(205);
  expect(await codeOf({ api_id: 'x' })).toBe(200);
  const reader = await newTokenParts(owner, { permissions: ['sendings.get'] });
  expect(await codeOf({}, { by: reader })).toBe(200);
  const sender = await newTokenParts(owner, { permissions: ['sendings.generate'] });
  const sent = await json('/sms/send', MESSAGE, { by: sender });
  expect(sent.balance).toBeUndefined();
  const stranger = await newTokenParts(await world.person());
  const { sms_id: id } = sent.sms[PHONE]!;
  expect((await json('/sms/status', { sms_id: id }, { by: stranger })).sms[id]).toMatchObject({
    status: 'ERROR',
    status_code: -1,
  });
  await world.db.query(`update balances set balance = 0 where owner_id = $1`, [owner.id]);
  expect(await codeOf({})).toBe(201);
});
