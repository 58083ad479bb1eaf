import { billings, referrals } from '@heliograph/contract';
import { parseMoney } from '@heliograph/domain';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { uuidv7 } from '../../core/uuid.ts';
import { type Person, World } from '../../../test/world.ts';
import { verifyLedger } from '../billings/verify.store.ts';
import { ReferralsService } from './referrals.service.ts';

let world: World;
let service: ReferralsService;

beforeAll(async () => {
  world = await World.start();
  service = world.api.get(ReferralsService);
});
afterEach(async () => {
  const problems = await verifyLedger(world.db);
  if (problems.length) throw new Error(`the ledger does not add up: ${JSON.stringify(problems)}`);
});
afterAll(() => world.stop());

const balanceOf = async (who: Person) =>
  (await who.api(billings.balance, { params: { id: who.id } })).result;
const refer = (referred: Person, referrer: Person) =>
  world.db.query(`update users set referrer_id = $2 where id = $1`, [referred.id, referrer.id]);
const payment = () => ({ type: 'payment' as const, id: uuidv7() });
const pay = (who: Person, amount: number, origin = payment()) =>
  service.onPayment(who.id, parseMoney(amount), origin);

async function pair(): Promise<{ referrer: Person; referred: Person }> {
  const referrer = await world.person({ balance: 0 });
  const referred = await world.person({ balance: 0 });
  await refer(referred, referrer);
  return { referrer, referred };
}

test('the referrer receives a tenth of a payment, once, also by ten at once', async () => {
  const { referrer, referred } = await pair();
  const origin = payment();
  await Promise.all(Array.from({ length: 10 }, () => pay(referred, 500, origin)));
  expect(await balanceOf(referrer)).toBe(50);
  const { data } = await referrer.api(billings.find);
  expect(data[0]).toMatchObject({
    amount: 50,
    source: 'accrual',
    meta: { origin: { type: 'referral' } },
  });
});

test('no bonus after a year, without a referrer, for an inactive one or too small a payment', async () => {
  const { referrer, referred } = await pair();
  await pay(await world.person(), 500);
  await pay(referred, 0.0009);
  await world.db.query(`update users set is_active = false where id = $1`, [referrer.id]);
  await pay(referred, 500);
  await world.db.query(`update users set is_active = true where id = $1`, [referrer.id]);
  await world.db.query(`update users set created_at = now() - interval '366 days' where id = $1`, [
    referred.id,
  ]);
  await pay(referred, 500);
  expect(await balanceOf(referrer)).toBe(0);
});

test('no bonus for oneself, for one person with two accounts, in a circle or in another currency', async () => {
  const self = await world.person({ balance: 0 });
  await refer(self, self);
  await pay(self, 500);
  expect(await balanceOf(self)).toBe(0);

  const { referrer, referred } = await pair();
  await refer(referrer, referred);
  await pay(referred, 500);
  await pay(referrer, 500);
  expect([await balanceOf(referrer), await balanceOf(referred)]).toEqual([0, 0]);

  const twins = await pair();
  for (const { id } of [twins.referrer, twins.referred])
    await world.db.query(
      `update users set data = data || '{"phone":"+79995550001"}' where id = $1`,
      [id],
    );
  await pay(twins.referred, 500);
  expect(await balanceOf(twins.referrer)).toBe(0);

  const tagged = await pair();
  for (const [{ id }, email] of [
    [tagged.referrer, 'anna@gmail.com'],
    [tagged.referred, 'an.na+2@googlemail.com'],
  ] as const)
    await world.db.query(
      `update users set data = data || jsonb_build_object('email', $2::text) where id = $1`,
      [id, email],
    );
  await pay(tagged.referred, 500);
  expect(await balanceOf(tagged.referrer)).toBe(0);

  const abroad = await pair();
  await world.db.query(
    `update users set settings = '{"billings":{"currency":"MXN"}}' where id = $1`,
    [abroad.referred.id],
  );
  await pay(abroad.referred, 500);
  expect(await balanceOf(abroad.referrer)).toBe(0);
});

test('refunds take the bonus back in proportion, once, and no more than is there', async () => {
  const { referrer, referred } = await pair();
  const origin = payment();
  await pay(referred, 300, origin);
  expect(await balanceOf(referrer)).toBe(30);
  const refund = (total: number) => service.onRefund(origin, parseMoney(total));
  await Promise.all([refund(100), refund(100), refund(100)]);
  expect(await balanceOf(referrer)).toBe(20);
  await world.db.query(`update balances set balance = 5 where owner_id = $1`, [referrer.id]);
  await world.db.query(`insert into billings (owner_id, source, amount) values ($1, -2, -15)`, [
    referrer.id,
  ]);
  await refund(300);
  await refund(300);
  expect(await balanceOf(referrer)).toBe(0);
  const [row] = await world.db.query(
    `select b.returned::float8 as returned, sum(r.taken)::float8 as taken
       from referral_bonuses b join referral_returns r on r.bonus_id = b.id where b.owner_id = $1 group by b.id`,
    [referrer.id],
  );
  expect(row).toEqual({ returned: 30, taken: 15 });
  await service.onRefund(payment(), parseMoney(5));
});

test('the check of the ledger finds a bonus without its entry', async () => {
  const { referrer, referred } = await pair();
  const [row] = await world.db.query<{ id: string }>(
    `insert into referral_bonuses (owner_id, referred_id, origin, origin_id, paid, amount) values ($1, $2, 1, $3, 10, 1) returning id`,
    [referrer.id, referred.id, uuidv7()],
  );
  expect(await verifyLedger(world.db)).toMatchObject([
    { what: 'a referral bonus and what was taken back of it have their entries', id: row!.id },
  ]);
  await world.db.query(`delete from referral_bonuses where id = $1`, [row!.id]);
});

test('the referrer sees masked accounts, their bonuses and the end of the period, and nothing else of them', async () => {
  const { referrer, referred } = await pair();
  const idle = await world.person({ balance: 0 });
  const former = await world.person({ balance: 0 });
  for (const one of [idle, former]) await refer(one, referrer);
  await world.db.query(
    `update users set created_at = case when id = $1 then '2020-01-01T00:00:00Z' else created_at + interval '1 day' end
      where id in ($1, $2)`,
    [former.id, idle.id],
  );
  const origin = payment();
  await pay(referred, 300, origin);
  await pay(referred, 100);
  await service.onRefund(origin, parseMoney(100));
  const { data, total } = await referrer.api(referrals.find);
  expect(total).toBe(3);
  expect(data.map(({ id }) => id)).toEqual([idle.id, referred.id, former.id]);
  expect(data[1]).toEqual({
    id: referred.id,
    name: `${referred.username.slice(0, 2)}•••`,
    state: 'active',
    bonus: 30,
    payments: 2,
    currency: 'RUB',
    createdAt: expect.any(String),
    endsAt: expect.any(String),
  });
  expect(data[2]).toMatchObject({ state: 'ended', bonus: 0, endsAt: '2020-12-31T00:00:00.000Z' });
  const filtered = async (query: Parameters<typeof referrer.api<typeof referrals.find>>[1]) =>
    (await referrer.api(referrals.find, query)).data.map(({ id }) => id);
  expect(await filtered({ query: { filter: { state: ['ended'] } } })).toEqual([former.id]);
  expect(await filtered({ query: { filter: { state: ['active', 'ended'] } } })).toHaveLength(3);
  expect((await filtered({ query: { order: [{ field: 'bonus', direction: 'desc' }] } }))[0]).toBe(
    referred.id,
  );
  expect((await referrer.api(referrals.find, { query: { limit: 1, offset: 2 } })).total).toBe(3);

  expect(await referrer.api(referrals.statistics)).toEqual({
    code: null,
    percent: 10,
    days: 365,
    accounts: 3,
    paid: 1,
    active: 2,
    bonus: 30,
    monthBonus: 30,
    nextEndsAt: data[1]!.endsAt,
    currency: 'RUB',
  });
  expect((await referred.api(referrals.find)).data).toEqual([]);
  const foreign = { query: { OwnerId: referrer.id } };
  await expect(referred.api(referrals.statistics, foreign)).rejects.toMatchObject({ status: 404 });
});

test('the scope referral lists bonuses with the payment they are a share of', async () => {
  const { referrer, referred } = await pair();
  const origin = payment();
  await pay(referred, 300, origin);
  await service.onRefund(origin, parseMoney(100));
  await world.db.query(`insert into billings (owner_id, source, amount) values ($1, -1, 5)`, [
    referrer.id,
  ]);
  await world.db.query(`update balances set balance = balance + 5 where owner_id = $1`, [
    referrer.id,
  ]);
  const list = async (query: Parameters<typeof referrer.api<typeof billings.find>>[1]) =>
    (await referrer.api(billings.find, query)).data.map(({ amount, meta }) => [
      amount,
      meta.referral,
    ]);
  const name = `${referred.username.slice(0, 2)}•••`;
  const bonus = [30, { name, paid: 300, isReturn: false }];
  const returned = [-10, { name, paid: 300, isReturn: true }];
  expect(await list({ query: { scope: ['referral'] } })).toEqual([returned, bonus]);
  expect(
    await list({ query: { scope: ['referral'], order: [{ field: 'amount', direction: 'desc' }] } }),
  ).toEqual([bonus, returned]);
  expect(await list({})).toEqual([
    [5, undefined],
    [-10, undefined],
    [30, undefined],
    [0, undefined],
  ]);
});
