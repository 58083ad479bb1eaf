import { billings } from '@heliograph/contract';
import { parseMoney } from '@heliograph/domain';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { uuidv7 } from '../../core/uuid.ts';
import { type Person, World } from '../../../test/world.ts';
import { BillingsService } from './billings.service.ts';
import { verifyLedger } from './verify.store.ts';

let world: World;
let service: BillingsService;

beforeAll(async () => {
  world = await World.start();
  service = world.api.get(BillingsService);
});
afterEach(async () => {
  const problems = await verifyLedger(world.db);
  if (problems.length) throw new Error(`the ledger does not add up: ${JSON.stringify(problems)}`);
});
afterAll(() => world.stop());

const balanceOf = async (who: Person) =>
  (await who.api(billings.balance, { params: { id: who.id } })).result;
const money = (amount: number) => parseMoney(amount);

test('an origin is entered once, also by twenty transactions at once', async () => {
  const { id: OwnerId, ...who } = await world.person({ balance: 10 });
  const origin = { type: 'payment' as const, id: uuidv7() };
  const posted = await Promise.all(
    Array.from({ length: 20 }, () => service.post({ OwnerId, amount: money(3.5), origin })),
  );
  expect(posted.filter((entry) => entry)).toHaveLength(1);
  expect(await service.post({ OwnerId, amount: money(4), origin })).toBeNull();
  expect(await balanceOf({ id: OwnerId, ...who } as Person)).toBe(13.5);
});

test('an entry names its origin, is an accrual or a subtraction and notifies of what it adds', async () => {
  const who = await world.person({ balance: 0 });
  const payment = { type: 'payment' as const, id: uuidv7() };
  const entry = await service.post({ OwnerId: who.id, amount: money(5), origin: payment });
  const refund = { type: 'refund' as const, id: uuidv7() };
  const back = await service.post({ OwnerId: who.id, amount: money(-2), origin: refund });
  const shown = (id: string) => who.api(billings.get, { params: { id } });
  expect(await shown(entry!.id)).toMatchObject({
    source: 'accrual',
    amount: 5,
    meta: { origin: payment },
  });
  expect(await shown(back!.id)).toMatchObject({
    source: 'subtract',
    amount: -2,
    meta: { origin: refund },
  });
  const notified = await world.db.query(`select data from notifications where owner_id = $1`, [
    who.id,
  ]);
  expect(notified).toMatchObject([{ data: { amount: 5, balance: 5 } }]);
});

test('refuses what the balance does not cover and leaves nothing', async () => {
  const who = await world.person({ balance: 5 });
  const origin = { type: 'refund' as const, id: uuidv7() };
  await expect(
    service.post({ OwnerId: who.id, amount: money(-5.0001), origin }),
  ).rejects.toMatchObject({ code: 'insufficient_funds' });
  expect(await balanceOf(who)).toBe(5);
  expect(await service.post({ OwnerId: who.id, amount: money(-5), origin })).not.toBeNull();
});

test('what cannot be refused takes as much as is there, once', async () => {
  const who = await world.person({ balance: 5 });
  const origin = { type: 'refund' as const, id: uuidv7() };
  const take = () => service.takeCovered({ OwnerId: who.id, amount: money(8), origin });
  expect(await take()).toMatchObject({ amount: money(-5) });
  expect(await take()).toBeNull();
  const next = { type: 'refund' as const, id: uuidv7() };
  expect(
    await service.takeCovered({ OwnerId: who.id, amount: money(8), origin: next }),
  ).toMatchObject({ amount: 0n });
  expect(await balanceOf(who)).toBe(0);
});

test('a revoked subtraction is invalid and gives its money back once, also ten times at once', async () => {
  const who = await world.person({ balance: 5 });
  const origin = { type: 'refund' as const, id: uuidv7() };
  const entry = await service.post({ OwnerId: who.id, amount: money(-4), origin });
  const revoked = await Promise.all(Array.from({ length: 10 }, () => service.revoke(origin)));
  expect(revoked.filter((done) => done)).toHaveLength(1);
  expect(await balanceOf(who)).toBe(5);
  expect(await who.api(billings.get, { params: { id: entry!.id } })).toMatchObject({
    status: 'invalid',
    amount: -4,
  });
  expect(await service.post({ OwnerId: who.id, amount: money(-4), origin })).toBeNull();
});

test('a webhook is told of each balance, also of what is revoked and of many entries at once', async () => {
  const [who, other] = [await world.person({ balance: 100 }), await world.person()];
  await world.db.query(
    `insert into webhooks (owner_id, title, event, url, method, secret) values ($1, 'x', 'billings.balance', 'https://shop.example', 'POST', '')`,
    [who.id],
  );
  const refundOf = () => ({ type: 'refund' as const, id: uuidv7() });
  const origin = refundOf();
  await service.post({ OwnerId: who.id, amount: money(-30), origin });
  await service.revoke(origin);
  const operation = (OwnerId: string, amount: number) => ({
    OwnerId,
    amount: money(amount),
    currency: 'RUB',
    origin: { type: 'operation' as const, id: uuidv7() },
  });
  await service.postAll([
    operation(who.id, 5),
    operation(other.id, 7),
    operation(who.id, -1.5),
    operation(who.id, 0.25),
  ]);
  await service.takeCovered({ OwnerId: who.id, amount: money(200), origin: refundOf() });
  await service.takeCovered({ OwnerId: who.id, amount: money(1), origin: refundOf() });
  const told = await world.db.query<{ data: object }>(
    `select data - 'id' as data from webhook_events where owner_id = any($1) order by seq`,
    [[who.id, other.id]],
  );
  expect(told.map(({ data }) => data)).toEqual(
    [
      [-30, 70],
      [30, 100],
      [5, 105],
      [-1.5, 103.5],
      [0.25, 103.75],
      [-103.75, 0],
    ].map(([amount, balance]) => ({ amount, balance, currency: 'RUB' })),
  );
});

test('what an origin added is not revoked', async () => {
  const who = await world.person({ balance: 0 });
  const origin = { type: 'payment' as const, id: uuidv7() };
  await service.post({ OwnerId: who.id, amount: money(4), origin });
  expect(await service.revoke(origin)).toBe(false);
  expect(await balanceOf(who)).toBe(4);
});

test('an account that pays is no test account any more; an operation leaves it one', async () => {
  const who = await world.person({ balance: 0 });
  await world.db.query(`update users set is_test = true where id = $1`, [who.id]);
  const post = (type: 'operation' | 'payment') =>
    service.post({ OwnerId: who.id, amount: money(4), origin: { type, id: uuidv7() } });
  const isTest = async () =>
    (
      await world.db.query<{ is_test: boolean }>(`select is_test from users where id = $1`, [
        who.id,
      ])
    )[0]!.is_test;
  await post('operation');
  expect(await isTest()).toBe(true);
  await post('payment');
  expect(await isTest()).toBe(false);
});

test('an origin has no amount of the wrong sign', async () => {
  const who = await world.person({ balance: 9 });
  for (const [type, amount] of [
    ['payment', -1],
    ['invoice', -1],
    ['refund', 1],
  ] as const)
    await expect(
      service.post({ OwnerId: who.id, amount: money(amount), origin: { type, id: uuidv7() } }),
    ).rejects.toThrow(RangeError);
});

test('the check of the ledger finds an origin with the wrong sign', async () => {
  const who = await world.person({ balance: 9 });
  const id = uuidv7();
  const [row] = await world.db.query<{ id: string }>(
    `insert into billings (owner_id, source, amount, origin, origin_id) values ($1, -2, -1, 1, $2) returning id`,
    [who.id, id],
  );
  await world.db.query(`update balances set balance = 8 where owner_id = $1`, [who.id]);
  expect(await verifyLedger(world.db)).toMatchObject([
    { what: 'an entry with an origin is a manual one with the sign that its origin demands' },
  ]);
  await world.db.query(`delete from billings where id = $1`, [row!.id]);
  await world.db.query(`update balances set balance = 9 where owner_id = $1`, [who.id]);
});
