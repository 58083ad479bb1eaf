import { sendings } from '@heliograph/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { approve, balance, problems, setCarrier } from '../factories.ts';
import { type Person, until, World } from '../world.ts';
import { callVendor, newTokenParts, type TokenParts } from './compatible.ts';

let world: World;
let owner: Person;
let token: TokenParts;

beforeAll(async () => {
  world = await World.start({ COMPATIBLE_APIS: 'smsc' });
  await world.startWorker();
  await setCarrier(world, {});
});
afterAll(() => world.stop());
beforeEach(async () => {
  owner = await world.person({ balance: 1000 });
  await approve(world, owner.id);
  token = await newTokenParts(owner);
});

const PHONE = '79161234567';
type Given = Record<string, string>;
async function call(script: string, given: Given, { method = 'GET', by = token } = {}) {
  const credentials = { login: by.prefix, psw: by.secret };
  const path = `/sys/${script}.php`;
  return callVendor(world, path, { ...credentials, ...given }, { method });
}
const MESSAGE = { phones: PHONE, mes: 'Чай готов', charset: 'utf-8', sender: 'MIRTEA' };
const send = async (given: Given = {}, options: object = {}) =>
  (await call('send', { ...MESSAGE, ...given }, options)).text;
const sendJson = async (given: Given = {}, options: object = {}) =>
  JSON.parse(await send({ fmt: '3', ...given }, options)) as Record<string, unknown>;
const status = async (id: unknown, given: Given = {}) =>
  (await call('status', { phone: PHONE, id: String(id), ...given })).text;
const messages = async () => (await owner.api(sendings.find, { query: {} })).data;

test('a message is sent, charged and known by its number until it is delivered', async () => {
  const answer = await sendJson({}, { method: 'POST' });
  expect(answer).toEqual({ id: expect.any(Number) as number, cnt: 1 });
  const [message] = await messages();
  expect(message).toMatchObject({
    recipient: `+${PHONE}`,
    payload: { sender: 'MIRTEA', text: 'Чай готов' },
  });
  await until(async () => (await status(answer.id, { fmt: '1' })).startsWith('1,'), 'the delivery');
  const seconds = String(
    Math.floor(new Date((await messages())[0]!.deliveredAt!).getTime() / 1000),
  );
  expect(await status(answer.id, { fmt: '1' })).toBe(`1,${seconds},0`);
  expect(await status(answer.id)).toMatch(/^Status = 1, check_time = \d\d\.\d\d\.\d{4} [\d:]{8}$/);
  expect(JSON.parse(await status(answer.id, { fmt: '3', all: '1' }))).toEqual({
    status: 1,
    last_date: expect.stringMatching(/^\d\d\.\d\d\.\d{4} /) as string,
    last_timestamp: Number(seconds),
    err: 0,
    send_date: expect.any(String) as string,
    send_timestamp: expect.any(Number) as number,
    phone: PHONE,
    cost: (1000 - (await balance(world, owner.id))).toFixed(2),
    sender_id: 'MIRTEA',
    status_name: 'Доставлено',
    message: 'Чай готов',
  });
  expect(await status(message!.id, { fmt: '1' })).toBe(`1,${seconds},0`);
  expect(await problems(world)).toEqual([]);
});

test('all forms of the answer, and prices with the balance as the libraries ask for them', async () => {
  expect(await send()).toMatch(/^OK - 1 SMS, ID - \d+$/);
  expect(await send({ fmt: '1' })).toMatch(/^\d+,1$/);
  expect(await send({ fmt: '2' })).toMatch(/<result><id>\d+<\/id><cnt>1<\/cnt><\/result>/);
  const before = await balance(world, owner.id);
  const [cost, cnt] = (await send({ fmt: '1', cost: '1' })).split(',');
  expect(cnt).toBe('1');
  expect(await balance(world, owner.id)).toBe(before);
  const price = before - Number(cost);
  expect(await send({ fmt: '1', cost: '3' })).toMatch(
    new RegExp(String.raw`^\d+,1,${cost},${price.toFixed(2)}$`),
  );
  expect((await sendJson({ cost: '2' })).cost).toBe(cost);
  const left = (await balance(world, owner.id)).toFixed(2);
  expect((await call('balance', {})).text).toBe(left);
  expect(JSON.parse((await call('balance', { fmt: '3', cur: '1' })).text)).toEqual({
    balance: left,
    currency: 'RUB',
  });
});

test('an apikey is a whole token, also in the place of the password', async () => {
  const parameters = { ...MESSAGE, fmt: '1' };
  const keys: Given[] = [{ apikey: token.token }, { login: '', psw: token.token }];
  for (const key of keys) {
    const { text } = await callVendor(world, '/sys/send.php', { ...parameters, ...key });
    expect(text).toMatch(/^\d+,1$/);
  }
});

test.each([
  ['mes=%D7%E0%E9', 'Чай'],
  ['mes=%D0%A7%D0%B0%D0%B9', 'Чай'],
  ['charset=koi8-r&mes=%FE%C1%CA', 'Чай'],
])('the text %s is read as %s', async (query, expected) => {
  const url = `${world.base}/sys/send.php?apikey=${token.token}&phones=${PHONE}&sender=MIRTEA&${query}`;
  expect(await (await fetch(url)).text()).toMatch(/^OK - 1/);
  expect((await messages())[0]!.payload.text).toBe(expected);
});

test('without a sender the only approved name is meant', async () => {
  const { text } = await call('send', { phones: PHONE, mes: 'a' });
  expect(text).toMatch(/^OK - 1 SMS/);
  expect((await messages())[0]!.payload.sender).toBe('MIRTEA');
  const other = await newTokenParts(await world.person());
  const answer = await call('send', { phones: PHONE, mes: 'a' }, { by: other });
  expect(answer.text).toBe('ERROR = 6 (message is denied)');
});

test('several phones have one id, and a client may choose it', async () => {
  const phones = `${PHONE};79161234568, +79161234569`;
  expect(await sendJson({ phones, id: 'order-7' })).toEqual({ id: 'order-7', cnt: 3 });
  for (const phone of [PHONE, '79161234569'])
    await until(
      async () => (await status('order-7', { phone, fmt: '1' })).startsWith('1,'),
      'the delivery',
    );
  expect(await status('order-8', { fmt: '1' })).toBe('-3,0,0');
  const bulk = await sendJson({ phones });
  await until(async () => (await status(bulk.id, { fmt: '1' })).startsWith('1,'), 'the delivery');
});

test('a message for later waits, in the time of Moscow', async () => {
  const day = new Date(world.clock.now().getTime() + 7 * 86_400_000).toISOString().slice(0, 10);
  const [year, month, date] = day.slice(2).split('-');
  const time = `${date}${month}${year}2359`;
  const { id } = await sendJson({ time, tz: '0', valid: '01:30' });
  const [batch] = await world.db.query<{ dueAt: Date; valid: number }>(
    `select due_at as "dueAt", extract(epoch from valid_until - due_at)::int as valid from batches where owner_id = $1`,
    [owner.id],
  );
  expect(batch).toEqual({ dueAt: new Date(`${day}T20:59:00.000Z`), valid: 5400 });
  expect(await status(id, { fmt: '1' })).toMatch(/^-1,/);
});

test.each([
  [{ phones: '' }, 1, 'parameters error'],
  [{ mes: '' }, 1, 'parameters error'],
  [{ id: 'x y' }, 1, 'parameters error'],
  [{ charset: 'klingon' }, 1, 'parameters error'],
  [{ viber: '1' }, 1, 'parameters error'],
  [{ translit: '1' }, 1, 'parameters error'],
  [{ valid: '25' }, 1, 'parameters error'],
  [{ maxsms: '1', mes: 'ж'.repeat(100) }, 1, 'parameters error'],
  [{ time: '10-18' }, 5, 'invalid date format'],
  [{ sender: 'NOT-MINE' }, 6, 'message is denied'],
  [{ phones: '12' }, 7, 'invalid number'],
  [{ phones: '+62 21 5551234,5' }, 7, 'invalid number'],
  [{ phones: '79161234567;(495)' }, 7, 'invalid number'],
  [{ mes: 'a\0b' }, 1, 'parameters error'],
])('%j has the error %d', async (given, code, text) => {
  const answer = await sendJson(given as Given);
  expect(answer).toEqual({ error: text, error_code: code });
});

test('a time that has passed is now', async () => {
  expect(await sendJson({ time: '0101200000' })).toMatchObject({ cnt: 1 });
  await until(async () => (await messages()).length === 1, 'the message');
});

test('errors in each form, of funds, credentials and permissions', async () => {
  await world.db.query(`update balances set balance = 0 where owner_id = $1`, [owner.id]);
  expect(await send({ id: '7' })).toBe('ERROR = 3 (no money), ID - 7');
  expect(await send({ fmt: '1', id: '7' })).toBe('7,-3');
  expect(await send({ fmt: '2' })).toContain('<error_code>3</error_code>');
  expect(await send({ psw: 'x' })).toBe('ERROR = 2 (authorise error)');
  expect(await send({ login: owner.username, psw: 'heliograph', fmt: '1' })).toBe('0,-2');
  const elsewhere = await newTokenParts(owner, { ipWhitelist: ['192.0.2.0/24'] });
  expect(await send({ fmt: '1' }, { by: elsewhere })).toBe('0,-2');
  const reader = await newTokenParts(owner, { permissions: ['sendings.get'] });
  expect(await send({ fmt: '1' }, { by: reader })).toBe('0,-2');
  expect((await call('balance', { fmt: '1' }, { by: reader })).text).toBe('0,-2');
  const sender = await newTokenParts(owner, { permissions: ['sendings.generate'] });
  const asked = { phone: PHONE, id: '7', fmt: '1' };
  expect((await call('status', asked, { by: sender })).text).toBe('0,-2');
  expect(await status('', { fmt: '1' })).toBe('0,-1');
  expect(await status('7', { phone: 'x', fmt: '1' })).toBe('0,-1');
});

test('nobody finds messages of others', async () => {
  const { id } = await sendJson();
  const stranger = await newTokenParts(await world.person());
  const asked = { phone: PHONE, id: String(id), fmt: '1' };
  expect((await call('status', asked, { by: stranger })).text).toBe('-3,0,0');
});
