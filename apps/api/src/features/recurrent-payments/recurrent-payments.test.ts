import {
  auth,
  billings,
  MAX_SHOWN_PAYMENTS,
  notifications,
  payments,
  recurrentPayments,
  settingsUser,
  tasks,
  tokens,
} from '@heliograph/contract';
import { nextChargeAt } from '@heliograph/domain';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { balance, problems } from '../../../test/factories.ts';
import { type Person, World } from '../../../test/world.ts';
import { PaymentSweepService } from '../payments/payment-sweep.service.ts';
import { RecurrentChargesService } from './recurrent-charges.service.ts';

let world: World;
let who: Person;
let manager: Person;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());
beforeEach(async () => {
  manager = await world.person({ level: 'manager' });
  who = await world.person({ managerId: manager.id, balance: 1000 });
});

const GOOD = '4242424242424242';
/** Paid once; later charges are declined. */
const ONCE = '4000000000000341';
const MONTHLY = {
  type: 'frequency' as const,
  frequency: 'monthly' as const,
  method: 'sandbox' as const,
  amount: 500,
  isOfferAccepted: true as const,
};
const BELOW_800 = { ...MONTHLY, type: 'threshold' as const, threshold: 800, frequency: undefined };

const get = (id: string) => who.api(recurrentPayments.get, { params: { id } });
const set = (id: string, status: 'ready' | 'pause') =>
  who.api(recurrentPayments.update, { params: { id }, body: { status } });
const sweep = (seconds = 0) => {
  world.clock.forward(seconds);
  return world.api.get(RecurrentChargesService).chargeDue();
};
const chargesOf = async (id: string) => {
  const filter = { RecurrentPaymentId: id };
  const { data } = await who.api(payments.find, { query: { filter } });
  return data.map(({ status }) => status);
};
const spend = (amount: number) =>
  manager.api(billings.create, { body: { source: 'subtract', amount, OwnerId: who.id } });

async function pay(url: string, card: string): Promise<void> {
  await world.acquirer.pay(url, { card });
  for (const { body, signature } of world.acquirer.sent.splice(0)) {
    const headers = { 'content-type': 'application/json', 'x-sandbox-signature': signature };
    await fetch(`${world.base}/api/payments/webhook/sandbox`, { method: 'POST', headers, body });
  }
}
async function ready(body: object = MONTHLY, card = GOOD): Promise<string> {
  const { id, url, status } = await who.api(recurrentPayments.create, { body: body as never });
  expect(status).toBe('init');
  await pay(url, card);
  expect((await get(id)).status).toBe('ready');
  return id;
}

test('recurring payments and payments are searched by id, sum and card', async () => {
  const id = await ready();
  const { data } = await who.api(payments.find, {});
  const other = await world.person({ managerId: manager.id });
  const found = async (search: string, by = who) => [
    (await by.api(recurrentPayments.find, { query: { search } })).data.map((row) => row.id),
    (await by.api(payments.find, { query: { search } })).data.map((row) => row.id),
  ];
  const both = [[id], [data[0]!.id]];
  for (const search of [id, '500', '500,00', '4242', '424']) {
    expect(await found(search)).toEqual(both);
    expect(await found(search, manager)).toEqual(both);
    expect(await found(search, other)).toEqual([[], []]);
  }
  expect(await found(data[0]!.id)).toEqual([[], both[1]]);
  for (const search of ['501', '4111', '%', 'sandbox'])
    expect(await found(search)).toEqual([[], []]);
  // The bank numbers payments as well: 501 is a sum, not a part of such a number.
  await world.db.query(`update payments set external_id = '5012345678' where id = $1`, [
    data[0]!.id,
  ]);
  expect(await found('501')).toEqual([[], []]);
  for (const by of [who, manager])
    expect(await found('5012345678', by)).toEqual([[], [data[0]!.id]]);
});

test('a recurring payment has its last payments, for those who may read payments', async () => {
  const id = await ready();
  await world.db.query(
    `insert into payments (owner_id, method, amount, currency, status, url_success, url_fail, expires_at, kind, recurrent_payment_id)
     select $1, 'sandbox', n, 'RUB', 'error', '/', '/', now(), 'first', $2 from generate_series(1, 12) n`,
    [who.id, id],
  );
  const query = { filter: { RecurrentPaymentId: id }, limit: MAX_SHOWN_PAYMENTS };
  for (const by of [who, manager]) {
    const { data } = await by.api(payments.find, { query });
    expect(data).toHaveLength(10);
    expect((await by.api(recurrentPayments.get, { params: { id } })).Payments).toEqual(data);
  }
  const body = { description: 'Program', permissions: ['recurrentPayments.get' as const] };
  const { token } = await who.api(tokens.create, { body });
  const shown = await world.client(token)(recurrentPayments.get, { params: { id } });
  expect([shown.id, 'Payments' in shown]).toEqual([id, false]);
  await who.api(recurrentPayments.remove, { params: { id } });
});

test('the dates of a series are days of the account where it began', async () => {
  const zone = (value: string) =>
    who.api(settingsUser.update, {
      params: { accountId: who.id, key: 'timeZone' },
      body: { value },
    });
  const series = async (id: string) => {
    const [row] = await world.db.query<{ timeZone: string; anchor: Date; nextAt: Date }>(
      `select time_zone as "timeZone", anchor, next_at as "nextAt" from recurrent_payments where id = $1`,
      [id],
    );
    return row!;
  };
  await zone('Asia/Tokyo');
  const id = await ready();
  const begun = await series(id);
  expect(begun.timeZone).toBe('Asia/Tokyo');
  expect(begun.nextAt).toEqual(nextChargeAt(begun, 'monthly', begun.anchor));
  await zone('America/Los_Angeles');
  await set(id, 'pause');
  await set(id, 'ready');
  expect(await series(id)).toEqual(begun);
});

test('the first payment tops up, saves the card and starts the series', async () => {
  const id = await ready();
  expect(await get(id)).toMatchObject({
    isActive: true,
    meta: { bankData: { cardNumber: '4242' } },
    failures: 0,
  });
  expect(await balance(world, who.id)).toBe(1500);
  expect(await chargesOf(id)).toEqual(['completed']);
  const [row] = await world.db.query<{ token: Buffer }>(
    `select card_token as token from recurrent_payments where id = $1`,
    [id],
  );
  expect(row!.token.toString('latin1')).not.toContain('card_');
});

test('a declined first payment leaves it unconfirmed until the card is confirmed again', async () => {
  const { id, url } = await who.api(recurrentPayments.create, { body: MONTHLY });
  await pay(url, '4000000000000002');
  expect((await get(id)).status).toBe('init');
  for (const status of ['ready', 'pause'] as const)
    await expect(set(id, status)).rejects.toMatchObject({ status: 409 });
  const again = await who.api(recurrentPayments.confirm, { params: { id }, body: {} });
  await pay(again.url, GOOD);
  expect((await get(id)).status).toBe('ready');
  const third = who.api(recurrentPayments.confirm, { params: { id }, body: {} });
  await expect(third).rejects.toMatchObject({ status: 409 });
});

test('a period is charged once, also by several processes at once, and shown in the tasks', async () => {
  const id = await ready();
  // APIs, whose own sweeps do not run: those of workers would charge in the middle of other tests.
  const others = [(await world.startApi()).app, (await world.startApi()).app];
  world.clock.forward(32 * 86_400);
  const charge = (app: { get: typeof world.api.get }) =>
    app.get(RecurrentChargesService).charge(id);
  await Promise.all([world.api, ...others].map((app) => charge(app as never)));
  await sweep();
  expect(await chargesOf(id)).toEqual(['completed', 'completed']);
  expect(await balance(world, who.id)).toBe(2000);
  const { data } = await who.api(tasks.find, {
    query: { filter: { type: ['payments:recurrent'] } },
  });
  expect(data).toMatchObject([{ state: 'completed', meta: { counters: { completed: 1 } } }]);
});

test('a threshold charges once for each crossing', async () => {
  const id = await ready(BELOW_800);
  await sweep();
  await spend(800);
  await sweep();
  await sweep();
  expect(await balance(world, who.id)).toBe(1200);
  await spend(1150);
  await sweep();
  expect(await balance(world, who.id)).toBe(550);
  // Still below the threshold, but not crossed again.
  await sweep(7200);
  expect(await chargesOf(id)).toEqual(['completed', 'completed', 'completed']);
});

test('what a charge lifted above the threshold is charged again, also if it was spent before the next sweep', async () => {
  const id = await ready(BELOW_800);
  await spend(900);
  await sweep();
  expect(await balance(world, who.id)).toBe(1100);
  await spend(1000);
  await sweep();
  expect(await balance(world, who.id)).toBe(600);
  expect(await chargesOf(id)).toEqual(['completed', 'completed', 'completed']);
});

test('three failed charges end in error with a notification; another card recovers', async () => {
  const id = await ready(MONTHLY, ONCE);
  await sweep(32 * 86_400);
  expect(await get(id)).toMatchObject({ status: 'ready', failures: 1 });
  await sweep(60);
  expect((await get(id)).failures).toBe(1);
  await sweep(3601);
  await sweep(3601);
  expect(await get(id)).toMatchObject({ status: 'error', failures: 3, isActive: false });
  await sweep(32 * 86_400);
  expect(await chargesOf(id)).toEqual(['error', 'error', 'error', 'completed']);
  const { data } = await who.api(notifications.find);
  expect(data.filter(({ type }) => type === 'RecurrentPaymentFailed')).toHaveLength(1);
  const block = (isBlocked: boolean) =>
    manager.api(recurrentPayments.block, { params: { id }, body: { isBlocked } });
  await block(true);
  expect((await block(false)).status).toBe('error');
  const { url } = await who.api(recurrentPayments.confirm, { params: { id }, body: {} });
  await pay(url, GOOD);
  expect(await get(id)).toMatchObject({ status: 'ready', failures: 0 });
});

test('a paused or blocked one is not charged', async () => {
  const [paused, blocked] = [await ready(), await ready()];
  expect((await set(paused, 'pause')).status).toBe('pause');
  const block = (isBlocked: boolean, by = manager) =>
    by.api(recurrentPayments.block, { params: { id: blocked }, body: { isBlocked } });
  await expect(block(true, who)).rejects.toMatchObject({ status: 403 });
  expect((await block(true)).status).toBe('block');
  await expect(set(blocked, 'ready')).rejects.toMatchObject({ status: 409 });
  await sweep(32 * 86_400);
  for (const id of [paused, blocked]) expect(await chargesOf(id)).toEqual(['completed']);
  expect((await block(false)).status).toBe('pause');
  expect((await set(blocked, 'ready')).status).toBe('ready');
});

test.each([0, 2])(
  'the dates that pass while it is paused are left out (after %i failures)',
  async (failures) => {
    const id = await ready();
    const { nextAt } = await get(id);
    await world.db.query(`update recurrent_payments set failures = $2 where id = $1`, [
      id,
      failures,
    ]);
    await set(id, 'pause');
    await sweep(62 * 86_400);
    await set(id, 'ready');
    await sweep();
    expect(await chargesOf(id)).toEqual(['completed']);
    const row = await get(id);
    expect(Date.parse(row.nextAt!)).toBeGreaterThan(world.clock.now().getTime());
    expect(new Date(row.nextAt!).getUTCHours()).toBe(new Date(nextAt!).getUTCHours());
    await sweep(32 * 86_400);
    expect(await chargesOf(id)).toEqual(['completed', 'completed']);
    await who.api(recurrentPayments.remove, { params: { id } });
  },
);

test('a date that is still to come when it is resumed stays', async () => {
  const id = await ready();
  const { nextAt } = await get(id);
  await set(id, 'pause');
  expect((await set(id, 'ready')).nextAt).toBe(nextAt);
  await who.api(recurrentPayments.remove, { params: { id } });
});

test('a charge that was lost on its way is made by the sweep, once', async () => {
  const id = await ready();
  const { port } = new URL(world.acquirer.url);
  world.acquirer.stop();
  await sweep(32 * 86_400);
  expect(await chargesOf(id)).toEqual(['init', 'completed']);
  // In flight: no other charge of the account.
  await sweep();
  expect(await chargesOf(id)).toHaveLength(2);
  await world.acquirer.start(Number(port));
  world.clock.forward(31);
  await world.api.get(PaymentSweepService).resolveOpen();
  world.clock.forward(61);
  await world.api.get(PaymentSweepService).resolveOpen();
  expect(await chargesOf(id)).toEqual(['completed', 'completed']);
  expect(await balance(world, who.id)).toBe(2000);
});

test('a deactivated account is not charged; its date comes when it is active again', async () => {
  const [dated, below] = [await ready(), await ready(BELOW_800)];
  await spend(1900);
  const activate = (isActive: boolean) =>
    world.db.query(`update users set is_active = $2 where id = $1`, [who.id, isActive]);
  await activate(false);
  await sweep(32 * 86_400);
  const charges = `select 1 from payments where owner_id = $1 and kind = 'charge'`;
  expect(await world.db.query(charges, [who.id])).toEqual([]);
  await activate(true);
  await sweep();
  for (const id of [dated, below]) expect(await chargesOf(id)).toEqual(['completed', 'completed']);
});

test('the number of one currency is not charged in another', async () => {
  const id = await ready();
  await world.db.query(
    `update users set settings = jsonb_set(settings, '{billings}', '{"currency": "USD"}') where id = $1`,
    [who.id],
  );
  await sweep(32 * 86_400);
  expect(await get(id)).toMatchObject({ status: 'error', currency: 'RUB' });
  expect(await chargesOf(id)).toEqual(['completed']);
  const { url } = await who.api(recurrentPayments.confirm, { params: { id }, body: {} });
  await pay(url, GOOD);
  expect(await get(id)).toMatchObject({ status: 'ready', currency: 'USD' });
});

test('a removed one is charged no more', async () => {
  const id = await ready();
  await who.api(recurrentPayments.remove, { params: { id } });
  await sweep(32 * 86_400);
  expect(await balance(world, who.id)).toBe(1500);
});

test('the GET of older clients works like its POST twin', async () => {
  const { id } = await who.api(recurrentPayments.create, { body: MONTHLY });
  const { url } = await who.api(recurrentPayments.reInit, { params: { id }, query: {} });
  await pay(url, GOOD);
  expect((await get(id)).status).toBe('ready');
});

test('who has saved a card returns to the recurring payments', async () => {
  const { url } = await who.api(recurrentPayments.create, { body: MONTHLY });
  const back = await world.acquirer.pay(url, { card: GOOD });
  const { pathname, search } = new URL(back);
  const answer = await fetch(`${world.base}${pathname}${search}`, { redirect: 'manual' });
  expect(answer.headers.get('location')).toBe('/balance/recurrentPayments?paid=success');
});

test.each([
  { ...MONTHLY, threshold: 5 },
  { ...MONTHLY, frequency: 'hourly' },
  { ...MONTHLY, type: 'threshold' },
  { ...MONTHLY, amount: 0.001 },
  { ...MONTHLY, amount: 1e9 },
  { ...MONTHLY, isOfferAccepted: false },
  { ...MONTHLY, method: 'tinkoff' },
])('refuses %j', async (body) => {
  const refused = who.api(recurrentPayments.create, { body: body as never });
  await expect(refused).rejects.toMatchObject({ status: 422 });
});

test('a session that was opened for somebody else sets up no card', async () => {
  const { token } = await manager.api(auth.loginAs, { params: { id: who.id } } as never);
  const borrowed = world.client(token);
  const refused = borrowed(recurrentPayments.create, { body: MONTHLY });
  await expect(refused).rejects.toMatchObject({ body: { code: 'borrowed_session' } });
});

test.each(['manager', 'reseller'] as const)(
  'a %s stops the charges of a customer and cannot start them',
  async (level) => {
    const other = await world.person({ level });
    who = await world.person(
      level === 'manager' ? { managerId: other.id } : { resellerId: other.id },
    );
    const id = await ready();
    const params = { id };
    const put = (status: 'ready' | 'pause') =>
      other.api(recurrentPayments.update, { params, body: { status } });
    expect(await put('pause')).toMatchObject({ status: 'pause' });
    const forbidden = { body: { code: 'forbidden' } };
    await expect(put('ready')).rejects.toMatchObject(forbidden);
    expect((await get(id)).status).toBe('pause');

    await world.db.query(`update recurrent_payments set status = 'error' where id = $1`, [id]);
    const reInits = [
      () => other.api(recurrentPayments.reInit, { params }),
      () => other.api(recurrentPayments.confirm, { params, body: {} }),
    ];
    for (const reInit of reInits) await expect(reInit()).rejects.toMatchObject(forbidden);
    expect(await chargesOf(id)).toEqual(['completed']);
    expect(await other.api(recurrentPayments.remove, { params })).toEqual({ id });
  },
);

test('the ledger agrees with what happened', async () => {
  expect(await problems(world)).toEqual([]);
});
