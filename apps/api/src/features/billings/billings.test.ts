import { billings, MAX_MONEY, sendings, settings, type BillingInput } from '@heliograph/contract';
import { parseMoney, typeCode } from '@heliograph/domain';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { uuidv7 } from '../../core/uuid.ts';
import { reasonsOf } from '../../../test/settled.ts';
import { type Person, World } from '../../../test/world.ts';
import { BillingsService } from './billings.service.ts';
import { ChargesService } from './charges.service.ts';
import { verifyLedger } from './verify.store.ts';

let world: World;
let reseller: Person;
let manager: Person;

beforeAll(async () => {
  world = await World.start();
  reseller = await world.person({ level: 'reseller' });
  manager = await world.person({ level: 'manager', grants: { add: ['users.all'] } });
});
afterEach(async () => {
  const problems = await verifyLedger(world.db);
  if (problems.length) throw new Error(`the ledger does not add up: ${JSON.stringify(problems)}`);
});
afterAll(() => world.stop());

const customerOf = (balance: number) => world.person({ resellerId: reseller.id, balance });
const enter = (who: Person, body: BillingInput, headers?: Record<string, string>) =>
  who.api(billings.create, { body, headers });
const balanceOf = async (who: Person) =>
  (await who.api(billings.balance, { params: { id: who.id } })).result;

test('an accrual adds, notifies the owner and hides its comment from the owner', async () => {
  const customer = await customerOf(10);
  const entry = await enter(reseller, {
    source: 'accrual',
    amount: 90.1234,
    OwnerId: customer.id,
    data: { hidden: { comment: 'paid in cash', noRef: true } },
  });
  expect(entry).toMatchObject({
    source: 'accrual',
    amount: 90.1234,
    status: 'complete',
    meta: { billings: { ids: [entry.id, expect.any(String)] }, origin: null },
    data: {
      price: null,
      multiplier: 1,
      params: null,
      hidden: { comment: 'paid in cash', noRef: true },
    },
  });
  expect(await balanceOf(customer)).toBe(100.1234);
  const seen = await customer.api(billings.get, { params: { id: entry.id } });
  expect(seen.data).not.toHaveProperty('hidden');
  expect(seen.meta).toEqual({ billings: { ids: [entry.id] }, origin: null });
  const [notification] = await world.db.query(
    `select type, data from notifications where owner_id = $1`,
    [customer.id],
  );
  expect(notification).toMatchObject({
    type: 'BalanceAccrual',
    data: { amount: 90.1234, balance: 100.1234, currency: 'RUB' },
  });
});

test('a payment ends the test status of an account, a subtraction does not', async () => {
  const customer = await customerOf(10);
  await world.db.query(`update users set is_test = true where id = $1`, [customer.id]);
  const isTest = async () => (await customer.api(settings.get)).session.isTest;
  await enter(reseller, { source: 'subtract', amount: 1, OwnerId: customer.id });
  expect(await isTest()).toBe(true);
  await enter(reseller, { source: 'accrual', amount: 1, OwnerId: customer.id });
  expect(await isTest()).toBe(false);
});

test('other entries subtract, down to the overdraft and not below', async () => {
  const customer = await customerOf(10);
  await world.db.query(`update balances set overdraft = 5 where owner_id = $1`, [customer.id]);
  const OwnerId = customer.id;
  const taken = await enter(manager, {
    source: 'sms' as 'sendings.sms',
    amount: 3,
    OwnerId,
    data: { multiplier: 4 },
  });
  expect(taken).toMatchObject({
    source: 'sendings.sms',
    amount: -12,
    data: { price: 3, multiplier: 4 },
  });
  expect(await balanceOf(customer)).toBe(-2);
  await expect(
    enter(manager, { source: 'subtract', amount: 3.0001, OwnerId }),
  ).rejects.toMatchObject({ status: 402, body: { code: 'insufficient_funds' } });
  await enter(manager, { source: 'subtract', amount: 3, OwnerId });
  const found = await customer.api(billings.balance, { params: { id: OwnerId } });
  expect(found).toEqual({ result: -5, balance: -5, overdraft: 5 });
});

test('the own balance cannot be changed, a customer changes none, and an account may be blacklisted', async () => {
  const customer = await customerOf(10);
  const accrual = (OwnerId: string) => ({ source: 'accrual' as const, amount: 1, OwnerId });
  for (const who of [customer, reseller, manager])
    await expect(enter(who, accrual(who.id))).rejects.toMatchObject({ status: 403 });
  const blacklisted = await world.person({ level: 'reseller' });
  const its = await world.person({ resellerId: blacklisted.id });
  await world.db.query(`update users set settings = $2 where id = $1`, [
    blacklisted.id,
    { billings: { processChildrenOperations: false } },
  ]);
  await expect(enter(blacklisted, accrual(its.id))).rejects.toMatchObject({
    status: 403,
    message: expect.stringContaining('Ask an administrator'),
  });
  await expect(enter(blacklisted, accrual(customer.id))).rejects.toMatchObject({ status: 404 });
});

test.each([0, -5, 0.00001, 0.1 + 0.2, 1e12, 1e21])('the amount %d is refused', async (amount) => {
  const customer = await customerOf(1);
  await expect(
    enter(reseller, { source: 'accrual', amount, OwnerId: customer.id }),
  ).rejects.toMatchObject({ status: 422, body: { data: [{ field: 'amount' }] } });
});

test('a balance that would not fit is a wrong amount, and so is a multiplier', async () => {
  const customer = await customerOf(1);
  const OwnerId = customer.id;
  const most = 10n ** 14n - 1n;
  const [entry] = await world.db.query<{ id: string }>(
    `insert into billings (owner_id, source, amount) values ($1, -1, $2) returning id`,
    [OwnerId, most - 1n],
  );
  await world.db.query(`update balances set balance = $2 where owner_id = $1`, [OwnerId, most]);
  await expect(
    enter(manager, { source: 'accrual', amount: MAX_MONEY, OwnerId }),
  ).rejects.toMatchObject({ status: 422, body: { data: [{ field: 'amount', type: 'too_big' }] } });
  await world.db.query(`delete from billings where id = $1`, [entry!.id]);
  await world.db.query(`update balances set balance = 1 where owner_id = $1`, [OwnerId]);
  for (const [amount, multiplier] of [
    [1, 1_000_000_001],
    [MAX_MONEY, 2_147_483_647],
    [1, 2_147_483_648],
  ] as const)
    await expect(
      enter(manager, {
        source: 'sendings.sms',
        amount,
        OwnerId,
        data: { multiplier },
      }),
    ).rejects.toMatchObject({ status: 422, body: { data: [{ field: 'data.multiplier' }] } });
});

describe('a reseller transfers', () => {
  const resellerWith = async (balance: number, { overdraft = 0, creditLine = 0 } = {}) => {
    const who = await world.person({ level: 'reseller', balance });
    await world.db.query(`update balances set overdraft = $2 where owner_id = $1`, [
      who.id,
      overdraft,
    ]);
    await world.db.query(`update users set settings = $2 where id = $1`, [
      who.id,
      { billings: { creditLine } },
    ]);
    const customer = await world.person({ resellerId: who.id, balance: 0 });
    const give = (amount: number) =>
      enter(who, { source: 'accrual', amount, OwnerId: customer.id });
    const take = (amount: number) =>
      enter(who, { source: 'subtract', amount, OwnerId: customer.id });
    const left = async () => [await balanceOf(who), await balanceOf(customer)];
    return { who, customer, give, take, left };
  };
  const uncovered = { status: 402, body: { code: 'insufficient_funds' } };

  test('transfers between a reseller and its customer; a manager adds money', async () => {
    const { who, customer, give, take, left } = await resellerWith(100);
    const given = await give(60.5);
    expect(await left()).toEqual([39.5, 60.5]);
    await expect(give(39.5001)).rejects.toMatchObject(uncovered);
    await take(20.5);
    await expect(take(40.0001)).rejects.toMatchObject(uncovered);
    expect(await left()).toEqual([60, 40]);
    await enter(manager, { source: 'accrual', amount: 5, OwnerId: customer.id });
    expect(await left()).toEqual([60, 45]);

    const own = await who.api(billings.find, { query: { filter: { OwnerId: who.id } } });
    expect(
      own.data.map(({ source, amount, Counterpart }) => [source, amount, Counterpart?.id]),
    ).toEqual([
      ['transfer', 20.5, customer.id],
      ['transfer', -60.5, customer.id],
      ['accrual', 100, undefined],
    ]);
    expect(given.Counterpart).toEqual({ id: who.id, username: who.username });
    const seen = await customer.api(billings.get, { params: { id: given.id } });
    expect(seen).toMatchObject({ source: 'accrual', amount: 60.5 });
    expect(seen).not.toHaveProperty('Counterpart');
    const bySource = { query: { filter: { source: ['transfer' as const] } } };
    expect((await who.api(billings.find, bySource)).total).toBe(2);
  });

  test('below zero only as far as its credit line and its overdraft go', async () => {
    const plain = await resellerWith(10, { overdraft: 100 });
    await expect(plain.give(11)).rejects.toMatchObject(uncovered);
    const { give, left } = await resellerWith(10, { overdraft: 100, creditLine: 30 });
    await give(40);
    await expect(give(0.0001)).rejects.toMatchObject(uncovered);
    expect(await left()).toEqual([-30, 40]);
    const bounded = await resellerWith(10, { overdraft: 5, creditLine: 30 });
    await expect(bounded.give(16)).rejects.toMatchObject(uncovered);
    await bounded.give(15);
  });

  test('refuses to transfer the free credit or the overdraft of a customer', async () => {
    const { customer, give, take, left } = await resellerWith(10);
    await world.db.query(`update balances set overdraft = 100 where owner_id = $1`, [customer.id]);
    await expect(take(0.0001)).rejects.toMatchObject(uncovered);
    await enter(manager, { source: 'accrual', amount: 70, OwnerId: customer.id });
    await world.db.query(
      `insert into free_credits (phone, owner_id, amount) values ('+79001112200', $1, 70)`,
      [customer.id],
    );
    await give(5);
    await expect(take(5.0001)).rejects.toMatchObject(uncovered);
    await take(5);
    expect(await left()).toEqual([10, 70]);
  });

  test('twenty at once, both ways, from a balance that covers ten', async () => {
    const { give, take, left } = await resellerWith(10);
    await give(5);
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) => (i % 2 ? give(1) : take(1))),
    );
    const done = (parity: number) =>
      results.filter((r, i) => i % 2 === parity && r.status === 'fulfilled').length;
    for (const reason of reasonsOf(results)) expect(reason).toMatchObject(uncovered);
    expect(await left()).toEqual([5 - done(1) + done(0), 5 + done(1) - done(0)]);
  });

  test('refuses to refund one side of a transfer, and transfers between currencies', async () => {
    const { who, customer, give } = await resellerWith(10);
    const wrong = { source: 'transfer' as 'accrual', amount: 1, OwnerId: customer.id };
    await expect(enter(who, wrong)).rejects.toMatchObject({ status: 422 });
    await world.db.query(`update users set settings = $2 where id = $1`, [
      customer.id,
      { billings: { currency: 'MXN' } },
    ]);
    await expect(give(1)).rejects.toMatchObject({ body: { code: 'currency_mismatch' } });
  });
});

test('twenty at once against a balance that covers ten: exactly ten succeed', async () => {
  const customer = await customerOf(10);
  const tries = Array.from({ length: 20 }, () =>
    enter(reseller, { source: 'subtract', amount: 1, OwnerId: customer.id }),
  );
  const results = await Promise.allSettled(tries);
  expect(results.filter((r) => r.status === 'fulfilled')).toHaveLength(10);
  for (const reason of reasonsOf(results)) expect(reason).toMatchObject({ status: 402 });
  expect(await balanceOf(customer)).toBe(0);
});

test('an idempotency key replays a repeat, refuses another body, and does not store insufficient funds', async () => {
  const customer = await customerOf(0);
  const body: BillingInput = { source: 'subtract', amount: 5, OwnerId: customer.id };
  const headers = { 'idempotency-key': uuidv7() };
  await expect(enter(reseller, body, headers)).rejects.toMatchObject({ status: 402 });
  await enter(reseller, { source: 'accrual', amount: 20, OwnerId: customer.id });
  const first = await enter(reseller, body, headers);
  expect(await enter(reseller, body, headers)).toEqual(first);
  await expect(enter(reseller, { ...body, amount: 6 }, headers)).rejects.toMatchObject({
    status: 422,
    body: { code: 'idempotency_mismatch' },
  });
  // A key is its owner's own.
  await enter(manager, body, headers);
  expect(await balanceOf(customer)).toBe(10);
});

test('one idempotency key ten times at once: one effect', async () => {
  const customer = await customerOf(100);
  const body: BillingInput = { source: 'subtract', amount: 5, OwnerId: customer.id };
  const headers = { 'idempotency-key': uuidv7() };
  const results = await Promise.allSettled(
    Array.from({ length: 10 }, () => enter(reseller, body, headers)),
  );
  const ids = new Set(results.flatMap((r) => (r.status === 'fulfilled' ? [r.value.id] : [])));
  expect(ids.size).toBe(1);
  for (const reason of reasonsOf(results))
    expect(reason).toMatchObject({ status: 409, code: 'idempotency_running' });
  expect(await balanceOf(customer)).toBe(95);
});

/** What the engine does in its own statements. */
async function charge(who: Person, n: number, amount: number): Promise<string[]> {
  const ids = Array.from({ length: n }, () => uuidv7());
  await world.db.transaction(async () => {
    await world.db.query(
      `insert into billings (id, owner_id, source, amount, price) select unnest($1::uuid[]), $2, $3, -$4::numeric, array[$4::numeric]`,
      [ids, who.id, typeCode('sms'), amount],
    );
    await world.db.query(
      `update balances set balance = balance - $2::numeric where owner_id = $1`,
      [who.id, n * amount],
    );
  });
  return ids;
}

test('refunds give back each charge once, however often and however many ask at once', async () => {
  const [a, b] = [await customerOf(100), await customerOf(100)];
  const mine = await charge(a, 30, 1.25);
  const theirs = await charge(b, 10, 2.5);
  const all = [...mine, ...theirs];
  const service = world.api.get(ChargesService);
  const asked = await Promise.all([
    service.refund(mine.slice(0, 20)),
    service.refund(all),
    service.refund([...all].reverse()),
    service.refund(theirs),
  ]);
  const total = (who: Person) =>
    asked.flat().reduce((sum, r) => (r.OwnerId === who.id ? sum + r.amount : sum), 0n);
  expect([total(a), total(b)]).toEqual([parseMoney(37.5), parseMoney(25)]);
  expect(await service.refund(all)).toEqual([]);
  expect([await balanceOf(a), await balanceOf(b)]).toEqual([100, 100]);
  const entry = await a.api(billings.get, { params: { id: mine[0]! } });
  expect(entry).toMatchObject({ status: 'refunded', amount: -1.25, data: { price: 1.25 } });
  expect(entry.refundedAt).not.toBeNull();
});

test('a free sending has an entry of zero with its description', async () => {
  const customer = await customerOf(0);
  await world.db.query(
    `with t as (insert into tariffs (title, source) values ('For nothing', 'viber') returning id),
          r as (insert into tariff_rules (tariff_id, action, price, conditions) select id, 'increase', '{0}', '[]' from t)
     insert into users_tariffs (owner_id, tariff_id, priority) select $1, id, 100 from t`,
    [customer.id],
  );
  const post = (type: string) =>
    customer.api(sendings.create, {
      body: {
        type,
        recipient: '+79161234567',
        payload: { sender: 'MIRTEA', text: 'Tea' },
      } as never,
    }) as Promise<{ id: string }>;
  const { id } = await post('viber');
  expect(await customer.api(billings.get, { params: { id } })).toMatchObject({
    source: 'sendings.viber',
    amount: 0,
    status: 'complete',
    data: { price: 0, multiplier: 1, params: { type: 'viber', segments: 1, attempt: 0 } },
    meta: { billings: { ids: [id] } },
  });
  const { meta } = await customer.api(sendings.get, { params: { id }, query: {} });
  expect(meta).toMatchObject({ billings: { ids: [id] }, billing: { id, amount: 0 } });
  // What is refused is not charged, not even nothing.
  expect(await post('telegram')).toMatchObject({ status: 'failed', code: 'insufficient_funds' });
  expect((await customer.api(billings.find)).total).toBe(2);
});

test('only charges are refunded, no accruals and no unknown ids', async () => {
  const customer = await customerOf(0);
  const { id } = await enter(reseller, { source: 'accrual', amount: 5, OwnerId: customer.id });
  expect(await world.api.get(ChargesService).refund([id, uuidv7()])).toEqual([]);
  expect(await balanceOf(customer)).toBe(5);
});

test('entries are found by source, status, tariff, id and the time in their ids', async () => {
  const customer = await customerOf(100);
  const old = uuidv7(new Date('2026-01-05T10:00:00Z'));
  await world.db.query(
    `insert into billings (id, owner_id, source, amount, tariff_id) values ($1, $2, 1, 0, $3)`,
    [old, customer.id, reseller.id],
  );
  const [first] = await charge(customer, 2, 3);
  await world.api.get(ChargesService).refund([first!]);
  const find = async (
    query: NonNullable<Parameters<typeof customer.api<typeof billings.find>>[1]>['query'],
  ) => (await customer.api(billings.find, { query })).data;
  expect(await find({})).toHaveLength(4);
  expect((await find({ filter: { status: ['refunded'] } })).map((e) => e.id)).toEqual([first]);
  expect(await find({ filter: { source: ['sendings.sms'], status: ['complete'] } })).toHaveLength(
    2,
  );
  expect(await find({ filter: { source: ['accrual', 'subtract'] } })).toHaveLength(1);
  expect((await find({ filter: { TariffId: reseller.id } })).map((e) => e.id)).toEqual([old]);
  expect(await find({ filter: { TariffId: customer.id } })).toEqual([]);
  const range = { createdAt: { $gt: '2026-01-05T09:59:59Z', $lt: '2026-01-05T10:00:00.001Z' } };
  expect(await find({ range })).toMatchObject([{ id: old, createdAt: '2026-01-05T10:00:00.000Z' }]);
  const cheapest = await find({ order: [{ field: 'amount', direction: 'asc' }], limit: 1 });
  expect(cheapest).toMatchObject([{ amount: -3 }]);
  const OwnerId = customer.id;
  expect((await reseller.api(billings.find, { query: { filter: { OwnerId } } })).total).toBe(4);
});

test('entries are searched by id, cause, sum and, by managers, by comment', async () => {
  const customer = await customerOf(0);
  const cause = uuidv7();
  await world.api.get(BillingsService).post({
    OwnerId: customer.id,
    amount: parseMoney(500),
    origin: { type: 'payment', id: cause },
  });
  const enterBy = (source: 'accrual' | 'subtract', amount: number, comment: string) =>
    enter(manager, { source, amount, OwnerId: customer.id, data: { hidden: { comment } } });
  const paid = await enterBy('accrual', 1234.5, 'Invoice 77 50%');
  const taken = await enterBy('subtract', 77, 'by hand');
  const [charged] = await charge(customer, 1, 2.5);
  const find = async (who: Person, search: string, order: 'createdAt' | 'amount' = 'createdAt') => {
    const query = { search, order: [{ field: order, direction: 'asc' as const }] };
    const filter = { OwnerId: customer.id };
    const page = await who.api(billings.find, { query: { ...query, filter } });
    const { count } = await who.api(billings.totals, { query: { search, filter } });
    expect([page.total, count]).toEqual([page.data.length, page.data.length]);
    return page.data.map(({ id }) => id);
  };
  for (const who of [customer, manager]) {
    expect(await find(who, charged!)).toEqual([charged]);
    expect(await find(who, cause)).toHaveLength(1);
    expect(await find(who, '1 234,50')).toEqual([paid.id]);
    expect(await find(who, '-2.5')).toEqual([charged]);
    expect(await find(who, '999')).toEqual([]);
    expect(await find(who, uuidv7())).toEqual([]);
  }
  // The accrual of a balance of 0, once.
  expect(await find(customer, '0')).toHaveLength(1);
  expect(await find(customer, '77')).toEqual([taken.id]);
  expect(await find(customer, 'invoice')).toEqual([]);
  expect(await find(manager, '77')).toEqual([paid.id, taken.id]);
  expect(await find(manager, '77', 'amount')).toEqual([taken.id, paid.id]);
  expect(await find(manager, 'INVOICE')).toEqual([paid.id]);
  expect(await find(manager, '50%')).toEqual([paid.id]);
  const other = await customerOf(1234.5);
  const page = await other.api(billings.find, { query: { search: charged! } });
  expect(page.total).toBe(0);
  expect((await other.api(billings.find, { query: { search: '1234.5' } })).total).toBe(1);
});

describe('in the order of amounts, of more entries than are counted', () => {
  let who: Person;
  let customer: Person;

  beforeAll(async () => {
    who = await world.person({ level: 'reseller', balance: 0 });
    customer = await world.person({ resellerId: who.id, balance: 0 });
    await world.db.query(
      `insert into billings (owner_id, source, amount, status, refunded_at)
       select $1, case when a >= 0 then -1 when n % 3 = 0 then 4 else 1 end, a, case when f then 2 else 1 end, case when f then now() end
         from generate_series(1, 12000) n cross join lateral (select (n * 7919 % 500 - 450) / 10.0) t(a)
        cross join lateral (select a < 0 and n % 20 = 0) r(f)`,
      [customer.id],
    );
    await world.db.query(
      `insert into billings (owner_id, source, amount, status, origin, origin_id)
       select $1, -2, -(n % 7), 3, 2, uuidv7() from generate_series(1, 60) n`,
      [customer.id],
    );
    await world.db.query(
      `update balances set balance = (select sum(amount) from billings where owner_id = $1 and status = 1), overdraft = 1000000 where owner_id = $1`,
      [customer.id],
    );
  });

  test.each<[string, string, { source?: string[]; status?: string[] }]>([
    ['all', 'true', {}],
    ['a status', 'status = 2', { status: ['refunded'] }],
    ['a source', 'source = -1', { source: ['accrual'] }],
    ['a common source', 'source = 1', { source: ['sms'] }],
    ['both', 'source = 4 and status = 1', { source: ['viber'], status: ['complete'] }],
    ['none', 'false', { source: ['transfer'] }],
    ['a rare pair', 'source = -2 and status = 3', { source: ['subtract'], status: ['invalid'] }],
    [
      'rare pairs',
      'source in (-1, -2) and status in (2, 3)',
      { source: ['accrual', 'subtract'], status: ['invalid', 'refunded'] },
    ],
    ['a pair that none is', 'false', { source: ['accrual'], status: ['refunded'] }],
  ])('%s', async (_, sql, filter) => {
    const readers: [Person, string[], string?][] = [
      [customer, [customer.id]],
      [manager, [customer.id], customer.id],
      [who, [customer.id, who.id]],
    ];
    for (const [reader, owners, OwnerId] of readers)
      for (const direction of ['asc', 'desc'] as const)
        for (const offset of [0, 7000]) {
          const expected = await world.db.query<{ id: string; total: number }>(
            `select id, count(*) over ()::int as total from billings where owner_id = any($1) and ${sql}
              order by amount ${direction}, id ${direction} limit 25 offset ${offset}`,
            [owners],
          );
          const order = [{ field: 'amount', direction }];
          const query = { order, limit: 25, offset, filter: { ...filter, OwnerId } };
          const page = await reader.api(billings.find, { query: query as never });
          expect(page.data.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
          const total = expected[0]?.total ?? page.total;
          expect(page.total).toBe(Math.min(total, 10_000));
        }
  });
});

describe('totals of a filter', () => {
  const totalsOf = (who: Person, query: object = {}) => who.api(billings.totals, { query });

  test('credits, charges and refunds, without what is invalid', async () => {
    const customer = await customerOf(100);
    const charged = await charge(customer, 4, 2.5);
    await world.api.get(ChargesService).refund(charged.slice(0, 1));
    expect(await totalsOf(customer)).toEqual({
      data: [{ currency: 'RUB', credits: 100, charges: 7.5, refunds: 2.5 }],
      count: 5,
      isComplete: true,
    });
    const { data } = await totalsOf(customer, {
      filter: { source: ['sms'], status: ['complete'] },
    });
    expect(data).toEqual([{ currency: 'RUB', credits: 0, charges: 7.5, refunds: 0 }]);
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    const none = await totalsOf(customer, { range: { createdAt: { $gt: tomorrow } } });
    expect(none).toEqual({ data: [], count: 0, isComplete: true });
  });

  test('by currency for a reseller, and of no account outside of its scope', async () => {
    const who = await world.person({ level: 'reseller', balance: 0 });
    const mexican = await world.person({ resellerId: who.id, balance: 7 });
    await world.person({ resellerId: who.id, balance: 5 });
    await world.db.query(`update users set settings = $2 where id = $1`, [
      mexican.id,
      { billings: { currency: 'MXN' } },
    ]);
    const { data } = await totalsOf(who);
    expect(data).toContainEqual({ currency: 'MXN', credits: 7, charges: 0, refunds: 0 });
    expect(data).toContainEqual({ currency: 'RUB', credits: 5, charges: 0, refunds: 0 });
    const stranger = await world.person({ level: 'reseller' });
    await expect(totalsOf(stranger, { filter: { OwnerId: mexican.id } })).rejects.toMatchObject({
      status: 404,
    });
  });

  test('sums the newest ten thousand and says so', async () => {
    const customer = await customerOf(0);
    await world.db.query(
      `insert into billings (owner_id, source, amount) select $1, -1, 1 from generate_series(1, 10005)`,
      [customer.id],
    );
    await world.db.query(`update balances set balance = 10005 where owner_id = $1`, [customer.id]);
    expect(await totalsOf(customer)).toEqual({
      data: [{ currency: 'RUB', credits: 10_000, charges: 0, refunds: 0 }],
      count: 10_000,
      isComplete: false,
    });
  });
});

test('the check of the ledger finds a balance without entries', async () => {
  const customer = await customerOf(10);
  await world.db.query(`update balances set balance = 11 where owner_id = $1`, [customer.id]);
  expect(await verifyLedger(world.db)).toEqual([
    {
      what: 'a balance is the sum of its valid entries',
      id: customer.id,
      detail: 'balance 11.0000, entries 10.0000',
    },
  ]);
  await world.db.query(`update balances set balance = 10 where owner_id = $1`, [customer.id]);
});

test('the check of the ledger finds a transfer with one entry', async () => {
  const customer = await customerOf(0);
  const { id } = await enter(reseller, { source: 'accrual', amount: 5, OwnerId: customer.id });
  const cut = (counterpart: string | null) =>
    world.db.query<{ counterpart_id: string }>(
      `with before as (select counterpart_id from billings where id = $1)
       update billings b set counterpart_id = $2 from before where b.id = $1 returning before.counterpart_id`,
      [id, counterpart],
    );
  const [was] = await cut(null);
  expect(await verifyLedger(world.db)).toEqual([
    {
      what: 'a transfer has two entries of two accounts, and they sum to zero',
      id: was!.counterpart_id,
      detail: '-5.0000 and nothing',
    },
  ]);
  await cut(was!.counterpart_id);
});
