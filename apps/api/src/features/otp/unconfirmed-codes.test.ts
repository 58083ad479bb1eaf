import { notifications, otpHandler } from '@heliograph/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { OtpCounters } from './handler/otp-counters.ts';
import { Db } from '../../core/db/db.ts';
import { Metrics } from '../../core/metrics/metrics.ts';
import { setCarrier } from '../../../test/factories.ts';
import { otpCode, otpWidget } from '../../../test/otp.ts';
import { at, errorOf, from } from '../../../test/otp/scene.ts';
import { type Person, until, World } from '../../../test/world.ts';

/** Strangers who order codes that nobody confirms, at the cost of an account. docs/decisions/126-codes-that-nobody-confirms.md. */

const HOUR_SECONDS = 3600;
const DAY_SECONDS = 86_400;
let world: World;
let owner: Person;
let widgetId: string;
let visitors = 0;

beforeAll(async () => {
  world = await World.start({ TRUST_PROXY: '1', OTP_UNCONFIRMED_PER_HOUR: '4' });
  await setCarrier(world, {});
});
afterAll(() => world.stop());
beforeEach(async () => {
  world.clock.forward(HOUR_SECONDS - ((world.clock.now().getTime() / 1000) % HOUR_SECONDS));
  owner = await world.person();
  widgetId = await otpWidget(owner, ['viber'], { countries: ['RU', 'BY', 'KZ'] });
});

/** Each from a network of its own. */
const visitor = () => from(`10.${visitors >> 8}.${visitors++ & 255}.1`);
const order = async (recipient: string): Promise<string> => {
  const body = { widgetId, recipient };
  const { requestId } = await world.client()(otpHandler.create, { body, headers: visitor() });
  return requestId;
};
const orders = (numbers: string[]) => Promise.all(numbers.map((number) => errorOf(order(number))));
const refused = (results: (string | undefined)[]) =>
  results.filter((type) => type === 'RateLimitException').length;
const confirm = async (requestId: string) => {
  const code = (await otpCode(world, requestId))!;
  await world.client()(otpHandler.checkCode, { ...at(requestId), body: { code } });
  // The count follows the commit.
  const counters = world.api.get<OtpCounters>(OtpCounters, { strict: false });
  const event = { kind: 'confirmed', key: `${owner.id}:+`, seconds: HOUR_SECONDS } as const;
  await until(async () => (await counters.counts([event], world.clock.now()))[0] === 1, 'counted');
};
const setBalance = (balance: number) =>
  world.db.query(`update balances set balance = $2 where owner_id = $1`, [owner.id, balance]);
/** Of a range of six digits each. */
const range = (from: number, count: number, base = '+7902') =>
  Array.from({ length: count }, (_, i) => `${base}${String((from + i) * 10_000 + 1_000_000)}`);

test('adjacent ranges count together, at once and one after another', async () => {
  expect(refused(await orders(range(0, 9)))).toBe(5);
  expect(refused(await orders(range(20, 2)))).toBe(2);
  const metrics = await world.api.get(Metrics).registry.metrics();
  expect(metrics).toMatch(/otp_refusals_total\{reason="unconfirmed"\} \d/);
  world.clock.forward(HOUR_SECONDS);
  expect(refused(await orders(range(40, 3)))).toBe(0);
});

test('other blocks and countries have no more', async () => {
  expect(refused(await orders([...range(0, 2), ...range(0, 2, '+7926')]))).toBe(0);
  expect(refused(await orders([...range(0, 1, '+7903'), '+375291234567', '+77011234567']))).toBe(3);
});

test('the owner is told once a day of the widest range that takes no more', async () => {
  world.clock.forward(DAY_SECONDS - ((world.clock.now().getTime() / 1000) % DAY_SECONDS));
  const told = async () =>
    (await owner.api(notifications.find)).data.filter(({ type }) => type === 'OtpRangeLimit');
  const rangesOf = async () => (await told()).map(({ data }) => data.range);
  // All numbers and those of the country take 7, a block without customers 4.
  await confirm(await order('+79261234567'));
  expect(refused(await orders(range(0, 4)))).toBe(0);
  expect(await rangesOf()).toEqual([]);
  expect(refused(await orders(range(10, 3)))).toBe(3);
  expect(await rangesOf()).toEqual(['+7902']);
  expect(refused(await orders(range(0, 3, '+7903')))).toBe(1);
  expect(await rangesOf()).toEqual([null, '+7902']);
  const [all, block] = await told();
  const date = new Date(world.clock.now().getTime() + HOUR_SECONDS * 1000).toISOString();
  expect(block!.data).toEqual({ range: '+7902', date: expect.any(String) });
  expect(String(all!.data.date) <= date).toBe(true);
  expect([all!.text, block!.text].map((text) => text.includes('Numbers: +7902'))).toEqual([
    false,
    true,
  ]);
  world.clock.forward(HOUR_SECONDS);
  expect(refused(await orders(range(20, 6)))).toBe(2);
  expect(await rangesOf()).toHaveLength(2);
  world.clock.forward(DAY_SECONDS);
  expect(refused(await orders(range(30, 6)))).toBe(2);
  expect(await rangesOf()).toEqual([null, null, '+7902']);
});

test('of several processes one tells it', async () => {
  const counters = world.api.get<OtpCounters>(OtpCounters, { strict: false });
  const db = world.api.get<Db>(Db, { strict: false });
  const event = { kind: 'told', key: `${owner.id}:RU`, seconds: DAY_SECONDS } as const;
  const firsts = await Promise.all(
    [1, 2, 3].map(() => db.transaction(() => counters.firsts([event], world.clock.now()))),
  );
  expect(firsts.flat()).toEqual([event]);
});

test('confirmed codes make room, in their country and block, in this hour and the next', async () => {
  const [first, ...others] = range(0, 5);
  const id = await order(first!);
  expect(refused(await orders(others.slice(0, 3)))).toBe(0);
  expect(refused(await orders(others.slice(3)))).toBe(1);
  await confirm(id);
  expect(await errorOf(order(others[3]!))).toBeUndefined();
  expect(refused(await orders(range(30, 4)))).toBe(2);
  world.clock.forward(HOUR_SECONDS);
  // Another country has room of its own, not that of the customers: the account has 7, the country 4.
  const abroad = Array.from({ length: 6 }, (_, i) => `+37529${1_234_567 + i * 10_000}`);
  expect(refused(await orders(abroad))).toBe(2);
  expect(refused(await orders(range(50, 4)))).toBe(1);
});

test('a number that was confirmed before gets its code although others used the range up', async () => {
  const [known, ...others] = range(0, 9);
  await confirm(await order(known!));
  expect(refused(await orders(others))).toBe(2);
  expect(await errorOf(order(known!))).toBeUndefined();
});

test('codes that are sent again count, those that are not sent do not', async () => {
  const [first, second, ...others] = range(0, 8);
  const id = await order(first!);
  const resend = () => errorOf(world.client()(otpHandler.resend, at(id)));
  // Too early: nothing is sent.
  expect([await resend(), await resend()]).toEqual(Array(2).fill('RestartCooldownActiveException'));
  world.clock.forward(31);
  expect(await resend()).toBeUndefined();
  // Without money nothing is sent.
  await setBalance(0);
  expect(await errorOf(order(second!))).toBe('NoAvailableChannelsException');
  await setBalance(100);
  expect(refused(await orders(others.slice(0, 3)))).toBe(1);
});
