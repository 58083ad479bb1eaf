import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DELIVERED, MESSAGE } from '../scene.ts';
import { until, type Person } from '../world.ts';
import { Target } from './target.ts';

let target: Target;
let manager: Person;
let reseller: Person;
let customer: Person;
beforeAll(async () => {
  target = await Target.start();
  manager = await target.person({ level: 'manager', grants: { add: ['users.all'] } });
  reseller = await target.person({ level: 'reseller', managerId: manager.id, balance: 100 });
  customer = await target.person({ resellerId: reseller.id, balance: 10 });
});
afterAll(() => target.stop());

async function balances(): Promise<number> {
  const [row] = await target.world.db.query<{ sum: string }>(`select sum(balance) from balances`);
  return Number(row!.sum);
}
async function balanceOf({ id }: Person): Promise<number> {
  const [row] = await target.world.db.query<{ balance: string }>(
    `select balance from balances where owner_id = $1`,
    [id],
  );
  return Number(row!.balance);
}
const entry = (amount: unknown, OwnerId: unknown, source: unknown = 'accrual') => ({
  source,
  amount,
  OwnerId,
});
const book = (who: Person, body: object, headers = {}) =>
  target.shoot('/api/billings', { token: who.token, body, headers });

const AMOUNTS: [name: string, bytes: string][] = [
  ['0.1 + 0.2', '0.30000000000000004'],
  ['five digits of a fraction', '1.00001'],
  ['1e13', '1e13'],
  ['1e308', '1e308'],
  ['beyond all numbers', '1e999'],
  ['less than nothing', '-5'],
  ['nothing', '0'],
  ['minus nothing', '-0'],
  ['a text', '"5"'],
  ['a list', '[5]'],
  ['an object', '{"valueOf":5}'],
  ['true', 'true'],
  ['null', 'null'],
  ['tiny', '0.00001'],
  ['smaller than all', '5e-324'],
];
test.each(AMOUNTS)('an amount of %s is refused to everyone', async (_, amount) => {
  const before = await balances();
  await target.attack(async () => {
    for (const who of [manager, reseller]) {
      const bytes = JSON.stringify(entry('$', customer.id)).replace('"$"', amount);
      const { status } = await target.shoot('/api/billings', {
        token: who.token,
        bytes,
        headers: { 'content-type': 'application/json' },
      });
      expect([400, 422]).toContain(status);
    }
  });
  expect(await balances()).toBe(before);
});

const OVERS: [name: string, data: object][] = [
  ['a multiplier beyond all', { multiplier: 1e308 }],
  ['a multiplier of 2^53', { multiplier: 2 ** 53 }],
  ['a multiplier that is no number', { multiplier: 'x' }],
  ['a negative multiplier', { multiplier: -1 }],
  ['a long comment', { hidden: { comment: 'x'.repeat(10_000) } }],
  ['a comment that is an object', { hidden: { comment: { a: 1 } } }],
];
test.each(OVERS)('%s of an entry is refused', async (_, data) => {
  const before = await balances();
  await target.attack(async () => {
    const { status } = await book(manager, { ...entry(1, customer.id, 'subtract'), data });
    expect(status).toBe(422);
  });
  expect(await balances()).toBe(before);
});

describe('a reseller', () => {
  test('concurrent transfers do not exceed the balance', async () => {
    const before = await balances();
    await target.attack(async () => {
      expect((await book(reseller, entry(1_000_000, customer.id))).status).toBe(402);
    });
    expect(await book(reseller, entry(30, customer.id))).toMatchObject({ status: 201 });
    expect(await balances()).toBe(before);
    expect(await balanceOf(reseller)).toBe(70);
  });

  test('is applied once by fifty concurrent calls', async () => {
    const before = await balances();
    const all = await Promise.all(
      Array.from({ length: 50 }, () => book(reseller, entry(30, customer.id))),
    );
    const given = all.filter(({ status }) => status === 201).length;
    expect(given).toBeLessThanOrEqual(2);
    expect(await balances()).toBe(before);
    expect(await balanceOf(reseller)).toBeGreaterThanOrEqual(0);
  });

  test('cannot give money to itself, to another account or to its manager', async () => {
    const stranger = await target.person();
    const before = await balances();
    await target.attack(async () => {
      for (const who of [reseller, stranger, manager]) {
        for (const source of ['accrual', 'subtract']) {
          const { status } = await book(reseller, entry(1, who.id, source));
          expect([403, 404]).toContain(status);
        }
      }
    });
    expect(await balances()).toBe(before);
  });

  test('takes no more from a customer than its balance', async () => {
    const before = await balances();
    await target.attack(async () => {
      const { status } = await book(reseller, entry(1_000_000, customer.id, 'subtract'));
      expect([402, 409]).toContain(status);
    });
    expect(await balances()).toBe(before);
  });
});

test('a customer cannot create entries', async () => {
  const before = await balances();
  await target.attack(async () => {
    for (const source of ['accrual', 'subtract', 'sms', 'sendings.sms']) {
      expect((await book(customer, entry(5, customer.id, source))).status).toBe(403);
    }
  });
  expect(await balances()).toBe(before);
});

test('one key, fifty calls at once: booked once', async () => {
  const before = await balanceOf(customer);
  const headers = { 'idempotency-key': 'fifty-at-once' };
  const all = await Promise.all(
    Array.from({ length: 50 }, () => book(manager, entry(7, customer.id), headers)),
  );
  for (const { status } of all) expect([201, 409, 429]).toContain(status);
  expect(await balanceOf(customer)).toBe(before + 7);
});

test('a balance for three messages pays for three of many concurrent calls', async () => {
  const poor = await target.person({ balance: 7 });
  const send = () =>
    target.shoot('/api/sendings', {
      token: poor.token,
      body: { ...MESSAGE, recipient: DELIVERED },
    });
  const all = await Promise.all(Array.from({ length: 40 }, send));
  const sent = all.filter(({ status, json }) => status === 200 && json.status !== 'failed').length;
  expect(sent, all[0]!.text).toBe(3);
  expect(await balanceOf(poor)).toBeGreaterThanOrEqual(0);
});

describe('prices', () => {
  test('cannot be set by the caller', async () => {
    await target.attack(async () => {
      for (const extra of [
        { price: 0 },
        { data: { price: 0 } },
        { meta: { billing: 0 } },
        { TariffId: null },
        { status: 'delivered' },
        { id: customer.id },
      ]) {
        const before = await balanceOf(customer);
        const { status, json } = await target.shoot('/api/sendings', {
          token: customer.token,
          body: { ...MESSAGE, recipient: DELIVERED, ...extra },
        });
        const isTaken = status === 200 && json.status !== 'failed';
        const spent = before - (await balanceOf(customer));
        expect(isTaken ? spent : 1).toBeGreaterThan(0);
      }
    });
  });

  test('of a dropped sending is refunded once', async () => {
    const who = await target.person({ balance: 100 });
    const delay = new Date(Date.now() + 3_600_000).toISOString();
    const task = await target.shoot('/api/sendings', {
      token: who.token,
      body: { ...MESSAGE, recipient: ['+79001230001', '+79001230002'], schedule: { delay } },
    });
    const stop = () =>
      target.shoot(`/api/tasks/${task.json.id}`, {
        method: 'PUT',
        token: who.token,
        body: { state: 'stopped' },
      });
    await Promise.all(Array.from({ length: 20 }, stop));
    await until(async () => (await balanceOf(who)) === 100, 'the money is back');
    expect(await balanceOf(who)).toBe(100);
  });
});
