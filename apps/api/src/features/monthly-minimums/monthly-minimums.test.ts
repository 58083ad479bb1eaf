import { ADMINISTRATOR_GRANTS, billings, monthlyMinimums } from '@heliograph/contract';
import { documentDay } from '@heliograph/domain';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { notificationsOf } from '../../../test/notified.ts';
import { type Person, World } from '../../../test/world.ts';
import { verifyLedger } from '../billings/verify.store.ts';
import { ActsStore } from '../documents/invoices/acts.store.ts';
import { MonthlyFeesService } from './monthly-fees.service.ts';
import { verifyMonthlyMinimums } from './verify.store.ts';

let world: World;
let administrator: Person;
let customer: Person;

beforeAll(async () => {
  world = await World.start();
  // In the middle of a month none ends while a test runs.
  world.clock.forward((dayOf(1, 15).getTime() - Date.now()) / 1000);
  administrator = await world.person({ level: 'manager', grants: { add: ADMINISTRATOR_GRANTS } });
});
beforeEach(async () => {
  customer = await world.person({ balance: 5000 });
});
afterEach(async () => {
  const found = [...(await verifyLedger(world.db)), ...(await verifyMonthlyMinimums(world.db))];
  if (found.length) throw new Error(`the ledger does not add up: ${JSON.stringify(found)}`);
});
afterAll(() => world.stop());

/** A day of a month before or after this one, at noon in Moscow. */
const dayOf = (months: number, day = 10) => {
  const [year = 0, month = 0] = documentDay(world.clock.now()).split('-').map(Number);
  return new Date(Date.UTC(year, month - 1 + months, day, 9));
};
async function atTime<T>(time: Date, work: () => Promise<T>): Promise<T> {
  const back = (world.clock.now().getTime() - time.getTime()) / 1000;
  world.clock.forward(-back);
  return work().finally(() => world.clock.forward(back));
}
const set = (minimum: number, by = administrator, of = customer) =>
  by.api(monthlyMinimums.set, { params: { id: of.id }, body: { minimum } });
const find = (who = customer) => who.api(monthlyMinimums.get, { query: {} });
/** In force from last month on. */
const sinceLastMonth = (minimum: number, by = administrator, of = customer) =>
  atTime(dayOf(-2), () => set(minimum, by, of));

/** An entry of a message, or one of a person for messages. */
const charge = (amount: number, at: Date, { isRefunded = false, createdBy = '' } = {}) =>
  world.db.query(
    `with e as (insert into billings (id, owner_id, source, amount, status, refunded_at, created_by)
       values (uuidv7($2::timestamptz - now()), $1, 1, -$3::numeric, case when $4 then 2 else 1 end,
               case when $4 then now() end, nullif($5, '')::uuid) returning amount, status)
     update balances set balance = balance + coalesce((select sum(amount) filter (where status = 1) from e), 0) where owner_id = $1`,
    [customer.id, at, amount, isRefunded, createdBy],
  );
async function sweep(apps = [world.api]): Promise<void> {
  await Promise.all(
    apps.map(async (app) => {
      const fees = app.get(MonthlyFeesService, { strict: false });
      while (await fees.closeMonth());
      while (await fees.chargeFee());
    }),
  );
}
const entriesOf = async (who = customer) => {
  const { data } = await who.api(billings.find, { query: {} });
  return data.filter(({ meta }) => meta.origin?.type === 'minimum');
};
const told = async () =>
  (await notificationsOf(world, customer, 'web'))
    .map(({ type }) => type)
    .filter((type) => type.startsWith('MonthlyFee'));

test('what messages cost less than the minimum is charged once, whichever worker does it', async () => {
  await sinceLastMonth(1000);
  await charge(400, dayOf(-1));
  await charge(50, dayOf(-1), { isRefunded: true });
  await charge(30, dayOf(-1), { createdBy: administrator.id });
  await charge(70, dayOf(-2));
  await charge(90, dayOf(0, 1));
  const { app } = await world.startApi();
  await sweep([world.api, app]);
  await sweep();
  expect(await entriesOf()).toMatchObject([{ amount: -600, source: 'subtract' }]);
  expect(await told()).toEqual(['MonthlyFee']);
  // This month has begun with the same minimum, and the fee is not part of what messages cost.
  expect(await find()).toMatchObject({
    minimum: 1000,
    spent: 90,
    fee: 910,
    next: 1000,
    unpaid: 0,
    currency: 'RUB',
  });
});

test('a month whose messages cost as much as the minimum is not charged', async () => {
  await sinceLastMonth(1000);
  await charge(1000.01, dayOf(-1));
  await sweep();
  expect(await entriesOf()).toEqual([]);
  expect(await find()).toMatchObject({ minimum: 1000, spent: 0, fee: 1000 });
});

test('the fee is in the act of the month in which it is charged', async () => {
  await sinceLastMonth(300);
  await sweep();
  const acts = world.api.get(ActsStore, { strict: false });
  const due = await acts.due(customer.id, dayOf(0, 1), dayOf(1, 1));
  expect(Number(due)).toBe(300);
});

test('a minimum applies from the next month on, a lower one at once', async () => {
  expect(await set(500)).toMatchObject({ minimum: 0, next: 500 });
  expect(await set(700)).toMatchObject({ minimum: 0, next: 700 });
  expect(await set(0)).toMatchObject({ minimum: 0, next: 0 });
  await sinceLastMonth(500);
  await sweep();
  expect(await set(800)).toMatchObject({ minimum: 500, next: 800 });
  expect(await set(200)).toMatchObject({ minimum: 200, next: 200 });
  expect(await set(900)).toMatchObject({ minimum: 200, next: 900 });
  expect(await set(200)).toMatchObject({ minimum: 200, next: 200 });
});

test('before the sweep has counted the last month, its minimum is that of this month', async () => {
  await sinceLastMonth(500);
  expect(await find()).toMatchObject({ minimum: 500, next: 500 });
  expect(await set(100)).toMatchObject({ minimum: 100, next: 100 });
  await sweep();
  expect(await entriesOf()).toMatchObject([{ amount: -500 }]);
  expect(await find()).toMatchObject({ minimum: 100, next: 100 });
});

test('each month is charged that ended while nothing ran', async () => {
  await atTime(dayOf(-4), () => set(100));
  await charge(60, dayOf(-2));
  await sweep();
  expect((await entriesOf()).map(({ amount }) => amount).toSorted((a, b) => a - b)).toEqual([
    -100, -100, -40,
  ]);
});

test('a fee that the balance does not cover is told once, and paid by what comes in', async () => {
  customer = await world.person({ balance: 10 });
  await sinceLastMonth(100);
  await sweep();
  world.clock.forward(3601);
  await sweep();
  expect(await entriesOf()).toEqual([]);
  expect(await told()).toEqual(['MonthlyFeeUnpaid']);
  expect(await find()).toMatchObject({ unpaid: 100 });
  await world.db.query(
    `with e as (insert into billings (owner_id, source, amount) values ($1, -1, 95))
     update balances set balance = balance + 95 where owner_id = $1`,
    [customer.id],
  );
  await sweep();
  expect(await entriesOf()).toEqual([]);
  world.clock.forward(3601);
  await sweep();
  expect(await entriesOf()).toMatchObject([{ amount: -100 }]);
  expect(await find()).toMatchObject({ unpaid: 0 });
  expect(await told()).toEqual(['MonthlyFeeUnpaid', 'MonthlyFee']);
});

test('a minimum of 0 waives what is not paid, also of months that no sweep has counted', async () => {
  customer = await world.person({ balance: 10 });
  await sinceLastMonth(100);
  await sweep();
  expect(await set(0)).toMatchObject({ minimum: 0, next: 0, unpaid: 0 });
  const other = await world.person({ balance: 500 });
  await sinceLastMonth(100, administrator, other);
  await set(0, administrator, other);
  world.clock.forward(3601);
  await sweep();
  expect(await entriesOf()).toEqual([]);
  expect(await entriesOf(other)).toEqual([]);
});

test.each([
  ['is suspended', `is_active = false`],
  ['is a test account', `is_test = true`],
])('an account that %s is charged nothing, and its minimum goes on', async (_, change) => {
  await sinceLastMonth(100);
  await world.db.query(`update users set ${change} where id = $1`, [customer.id]);
  await sweep();
  await world.db.query(`update users set is_active = true, is_test = false where id = $1`, [
    customer.id,
  ]);
  await sweep();
  expect(await entriesOf()).toEqual([]);
  expect(await find()).toMatchObject({ minimum: 100, unpaid: 0 });
});

test('resellers set those of their customers, but not what the installation has set', async () => {
  const reseller = await world.person({ level: 'reseller', balance: 100 });
  const own = await world.person({ resellerId: reseller.id, balance: 1000 });
  expect(await set(50, reseller, own)).toMatchObject({ next: 50 });
  await expect(set(50, reseller)).rejects.toMatchObject({ status: 404 });
  await expect(set(50, reseller, reseller)).rejects.toMatchObject({ status: 403 });
  await expect(set(50, own, own)).rejects.toMatchObject({ status: 403 });
  await set(80, administrator, own);
  await expect(set(0, reseller, own)).rejects.toMatchObject({ status: 403 });
});

test('a minimum of a reseller ends with an account that goes to another one', async () => {
  const reseller = await world.person({ level: 'reseller', balance: 100 });
  customer = await world.person({ resellerId: reseller.id, balance: 1000 });
  await sinceLastMonth(100, reseller);
  await world.db.query(`update users set reseller_id = null where id = $1`, [customer.id]);
  expect(await find()).toMatchObject({ minimum: 0, next: 0 });
  await sweep();
  expect(await entriesOf()).toEqual([]);
});

test('another account sees nothing of it', async () => {
  const stranger = await world.person();
  await expect(
    stranger.api(monthlyMinimums.get, { query: { OwnerId: customer.id } }),
  ).rejects.toMatchObject({ status: 404 });
});
