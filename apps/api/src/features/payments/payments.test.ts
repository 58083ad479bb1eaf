import { billings, COUNT_CAP, notifications, payments, users } from '@heliograph/contract';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { sign } from '../../acquirers/sandbox/signature.ts';
import { SANDBOX_SECRET } from '../../../test/acquirer-peer.ts';
import { balance, problems } from '../../../test/factories.ts';
import { type Person, World } from '../../../test/world.ts';
import { Log } from '../../core/log.ts';
import { AcquirersService } from './acquirers.service.ts';
import { PaymentSweepService } from './payment-sweep.service.ts';

let world: World;
let who: Person;
let manager: Person;

beforeAll(async () => {
  world = await World.start({ PAYMENT_COMMISSION: 'sandbox:2.5' });
});
afterAll(() => world.stop());
beforeEach(async () => {
  manager = await world.person({ level: 'manager' });
  who = await world.person({ managerId: manager.id, balance: 10 });
  world.acquirer.sent.length = 0;
});

const PAID = { card: '4242 4242 4242 4242' };
const DECLINED = { card: '4000000000000002' };
const start = (amount = 500) =>
  who.api(payments.create, { body: { amount, method: 'sandbox' as const } });
const get = (id: string, by = who) => by.api(payments.get, { params: { id } });
const statusOf = async (id: string) => (await get(id)).status;
const credits = async () => {
  const { data } = await who.api(billings.find, { query: { filter: { OwnerId: who.id } } });
  return data.filter(({ meta }) => meta.origin).map(({ amount, status }) => [amount, status]);
};

/** Delivers all notifications of the sandbox that were not delivered yet. */
async function deliver(): Promise<number[]> {
  const statuses: number[] = [];
  for (const { body, signature } of world.acquirer.sent.splice(0))
    statuses.push(await notify(body, signature));
  return statuses;
}
async function notify(body: string, signature: string, method = 'sandbox'): Promise<number> {
  const headers = { 'content-type': 'application/json', 'x-sandbox-signature': signature };
  const url = `${world.base}/api/payments/webhook/${method}`;
  return (await fetch(url, { method: 'POST', headers, body })).status;
}
const notifySigned = (view: object) =>
  notify(JSON.stringify(view), sign(SANDBOX_SECRET, JSON.stringify(view)));
const sweep = (seconds: number) => {
  world.clock.forward(seconds);
  return world.api.get(PaymentSweepService).resolveOpen();
};

test.each(['toString', '__proto__', '4242424242424243', ''])(
  'the sandbox declines the card %j',
  async (card) => {
    const { id, url } = await start();
    await world.acquirer.pay(url, { card });
    await deliver();
    expect(await get(id)).toMatchObject({ status: 'error', reason: 'declined' });
    expect(await credits()).toEqual([]);
  },
);

test('more payments than are counted are in the order of their amounts, whatever they are filtered by', async () => {
  await world.db.query(
    `insert into payments (owner_id, method, amount, currency, status, url_success, url_fail, expires_at)
     select $1, case when n % 100 = 0 then 'stripe' else 'sandbox' end, 1 + n * 7919 % 997, 'RUB', 'error', '/', '/', now()
       from generate_series(1, 10500) n`,
    [who.id],
  );
  const filters: [string, { status?: string[]; method?: string[] }][] = [
    ['true', {}],
    [`status = 'error'`, { status: ['error'] }],
    [`method = 'sandbox'`, { method: ['sandbox'] }],
    [`method = 'stripe'`, { method: ['stripe'], status: ['error', 'init'] }],
    ['false', { method: ['stripe'], status: ['init'] }],
  ];
  for (const [sql, filter] of filters)
    for (const direction of ['asc', 'desc'] as const) {
      const expected = await world.db.query<{ id: string }>(
        `select id from payments where owner_id = $1 and ${sql} order by amount ${direction}, id ${direction} limit 20 offset 10`,
        [who.id],
      );
      const order = [{ field: 'amount', direction }];
      for (const reader of [who, manager]) {
        const OwnerId = reader === who ? undefined : who.id;
        const query = { order, limit: 20, offset: 10, filter: { ...filter, OwnerId } };
        const { data } = await reader.api(payments.find, { query: query as never });
        expect(data.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
      }
    }
});

test('a list beyond the cap is not counted again, unless its filter is of what changes', async () => {
  await world.db.query(
    `insert into payments (owner_id, method, amount, currency, status, url_success, url_fail, expires_at)
     select $1, 'sandbox', 1, 'RUB', 'error', '/', '/', now() from generate_series(1, $2) n`,
    [who.id, COUNT_CAP + 1],
  );
  const lists = [
    {},
    { order: [{ field: 'amount', direction: 'asc' }] },
    { filter: { status: ['error'] } },
    { filter: { status: ['error'] }, order: [{ field: 'amount', direction: 'asc' }] },
  ];
  const count = () =>
    Promise.all(
      lists.map(async (query) => {
        const page = await who.api(payments.find, { query: query as never });
        return [page.total, page.totalIsCapped ?? false];
      }),
    );
  expect(await count()).toEqual(Array(4).fill([COUNT_CAP, true]));
  // As the product never does.
  await world.db.query(
    `delete from payments where id in (select id from payments where owner_id = $1 limit 2)`,
    [who.id],
  );
  const [remembered, counted] = [
    [COUNT_CAP, true],
    [COUNT_CAP - 1, false],
  ];
  expect(await count()).toEqual([remembered, remembered, counted, counted]);
});

test('a payment credits its amount without the commission, once, whatever arrives twice', async () => {
  const { id, url, status } = await start();
  expect(status).toBe('init');
  expect(await (await fetch(url)).text()).toContain('512.50 RUB');
  expect(await world.acquirer.pay(url, PAID)).toContain('/api/payments/webhook/sandbox/success/');
  const [sent] = world.acquirer.sent;
  expect(await deliver()).toEqual([200]);
  expect(await notify(sent!.body, sent!.signature)).toBe(200);
  expect(await get(id)).toMatchObject({
    status: 'completed',
    amount: 500,
    commission: 12.5,
    meta: { bankData: { cardNumber: '4242' } },
  });
  expect(await credits()).toEqual([[500, 'complete']]);
  expect(await balance(world, who.id)).toBe(510);
});

test('a method may have the prefix of a version', async () => {
  const body = { amount: 500, method: 'v1.sandbox' } as never;
  expect(await who.api(payments.create, { body })).toMatchObject({ status: 'init' });
});

test('notifications that come twice and in the wrong order', async () => {
  const { id, url } = await start();
  await world.acquirer.pay(url, { card: '4000000000000077' });
  expect(world.acquirer.sent).toHaveLength(3);
  world.acquirer.sent.reverse();
  await deliver();
  expect(await statusOf(id)).toBe('completed');
  expect(await credits()).toEqual([[500, 'complete']]);
});

test('a declined payment is in error; it is credited if it is paid after all', async () => {
  const { id, url } = await start();
  expect(await world.acquirer.pay(url, DECLINED)).toContain('/fail/');
  await deliver();
  expect(await get(id)).toMatchObject({ status: 'error', reason: 'declined' });
  const { data } = await who.api(notifications.find);
  expect(data.map(({ type }) => type)).toContain('PaymentsFailed');
  const view = { id: 'x', reference: id, status: 'paid', amount: '512.50', currency: 'RUB' };
  expect(await notifySigned(view)).toBe(200);
  expect(await get(id)).toMatchObject({ status: 'completed', reason: null });
  expect(await credits()).toEqual([[500, 'complete']]);
});

test('3-D Secure is confirmed or refused', async () => {
  const [one, two] = [await start(), await start()];
  for (const { url } of [one, two])
    expect(await world.acquirer.pay(url, { card: '4000000000003220' })).toContain('/pay/');
  expect(await world.acquirer.pay(one.url, { answer: 'confirm' })).toContain('/success/');
  expect(await world.acquirer.pay(two.url, { answer: 'refuse' })).toContain('/fail/');
  await deliver();
  expect([await statusOf(one.id), await statusOf(two.id)]).toEqual(['completed', 'error']);
});

test('the sweep finds what no notification told, and ends what was abandoned', async () => {
  const [paid, abandoned] = [await start(), await start()];
  await world.acquirer.pay(paid.url, PAID);
  world.acquirer.sent.length = 0;
  await sweep(31);
  expect([await statusOf(paid.id), await statusOf(abandoned.id)]).toEqual(['completed', 'init']);
  await sweep(24 * 3600);
  expect(await get(abandoned.id)).toMatchObject({ status: 'error', reason: 'expired' });
  await world.acquirer.pay(abandoned.url, PAID);
  await deliver();
  expect(await statusOf(abandoned.id)).toBe('completed');
  expect(await balance(world, who.id)).toBe(1010);
});

test('a payment does not expire while the answer to a question about it is on its way', async () => {
  const { id } = await start();
  const sandbox = await world.api.get(AcquirersService).find('sandbox');
  const { query } = sandbox;
  const late = vi.spyOn(sandbox, 'query').mockImplementation(async (ref) => {
    const state = await query.call(sandbox, ref);
    world.clock.forward(24 * 3600);
    return state;
  });
  await sweep(31);
  late.mockRestore();
  expect(await statusOf(id)).toBe('init');
  await sweep(31);
  expect(await get(id)).toMatchObject({ status: 'error', reason: 'expired' });
});

test('a forged notification is refused before anything else', async () => {
  const { id } = await start();
  const body = JSON.stringify({ reference: id, status: 'paid', amount: '512.50', currency: 'RUB' });
  expect(await notify(body, '')).toBe(401);
  expect(await notify(body, sign('another secret', body))).toBe(401);
  expect(await notify(`${body} `, sign(SANDBOX_SECRET, body))).toBe(401);
  expect(await notify(body, sign(SANDBOX_SECRET, body), 'stripe')).toBe(404);
  expect(await notify(body, sign(SANDBOX_SECRET, body), '..%2Fx')).toBe(404);
  expect(await statusOf(id)).toBe('init');
});

test.each([
  ['1.00', 'RUB', 'amount_mismatch'],
  ['512.51', 'RUB', 'amount_mismatch'],
  [undefined, 'RUB', 'amount_mismatch'],
  ['512.50', 'USD', 'currency_mismatch'],
])('%s %s paid credits nothing; the manager is told once', async (amount, currency, reason) => {
  const { id } = await start();
  const view = { id: 'x', reference: id, status: 'paid', amount, currency };
  expect([await notifySigned(view), await notifySigned(view)]).toEqual([200, 200]);
  expect(await get(id)).toMatchObject({ status: 'error', reason });
  expect(await credits()).toEqual([]);
  const { data } = await manager.api(notifications.find);
  expect(data.map(({ type }) => type)).toEqual(['PaymentsMismatchFailed']);
  // The account of the manager may have another currency.
  expect(data[0]!.text).toContain('Requested: 512.5 RUB');
});

test('a notification about an unknown payment or without one is answered', async () => {
  const unknown = crypto.randomUUID();
  for (const reference of [unknown, 'x', null, {}])
    expect(await notifySigned({ reference, status: 'paid' })).toBe(200);
});

test('eight notifications at once credit once', async () => {
  const { id, url } = await start();
  await world.acquirer.pay(url, PAID);
  const [{ body, signature }] = world.acquirer.sent as [{ body: string; signature: string }];
  const answers = await Promise.all(Array.from({ length: 8 }, () => notify(body, signature)));
  expect(answers).toEqual(Array.from({ length: 8 }, () => 200));
  expect(await statusOf(id)).toBe('completed');
  expect(await credits()).toEqual([[500, 'complete']]);
});

test('two top-ups at once are two payments', async () => {
  const both = await Promise.all([start(100), start(200)]);
  await Promise.all(both.map(({ url }) => world.acquirer.pay(url, PAID)));
  await deliver();
  expect(await balance(world, who.id)).toBe(310);
});

test.each([[0.001], [10.123], [-5], [0], [9], [300_001], [1e12], ['500'], [Number.NaN], [null]])(
  'refuses the amount %s',
  async (amount) => {
    const body = { amount, method: 'sandbox' } as never;
    await expect(who.api(payments.create, { body })).rejects.toMatchObject({ status: 422 });
  },
);

test.each([
  'https://evil.example/',
  'javascript:alert(1)',
  '//evil.example',
  'http://localhost:1@evil.example/',
  'http://localhost.evil.example/',
  'nonsense',
])('refuses to return to %s', async (urlSuccess) => {
  const body = { amount: 500, method: 'sandbox' as const, urlSuccess };
  await expect(who.api(payments.create, { body })).rejects.toMatchObject({
    status: 422,
    body: { errors: [{ property: 'urlSuccess' }] },
  });
});

test('addresses of the return lead to the page of the cabinet, by GET and POST', async () => {
  const at = async (path: string, method: string) => {
    const url = `${world.base}/api/payments/webhook/${path}`;
    const answer = await fetch(url, { method, redirect: 'manual' });
    return [answer.status, answer.headers.get('location')];
  };
  expect(await at('v1.tinkoff/success/', 'GET')).toEqual([303, '/balance/payments?paid=success']);
  expect(await at('stripe/fail', 'POST')).toEqual([303, '/balance/payments?paid=fail']);
  const tab = '/balance/recurrentPayments';
  expect(await at('stripe/success/?recurrent=1', 'GET')).toEqual([303, `${tab}?paid=success`]);
});

test('the page of the built-in sandbox has an absolute address', async () => {
  const { base } = await world.startApi({
    DEMO: true,
    PAYMENT_SANDBOX_URL: undefined,
    PUBLIC_URL: 'https://app.example',
  });
  const answer = await fetch(`${base}/sandbox/payments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${SANDBOX_SECRET}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      reference: randomUUID(),
      amount: '500.00',
      currency: 'RUB',
      description: 'Top-up',
      savesCard: false,
      successUrl: 'https://app.example/ok',
      failUrl: 'https://app.example/no',
      notifyUrl: 'https://app.example/notify',
    }),
  });
  const { url } = (await answer.json()) as { url: string };
  expect(url).toMatch(/^https:\/\/app\.example\/sandbox\/pay\/[\w-]+$/);
});

test('an acquirer that does not answer leaves the payment open', async () => {
  const other = await world.startApi({ PAYMENT_SANDBOX_URL: 'http://127.0.0.1:9' });
  const far = world.client(who.token, other.base);
  const body = { amount: 500, method: 'sandbox' as const };
  await expect(far(payments.create, { body })).rejects.toMatchObject({ status: 503 });
  const { data } = await who.api(payments.find);
  expect(data).toMatchObject([{ status: 'init' }]);
  await sweep(31);
  expect(await statusOf(data[0]!.id)).toBe('init');
});

async function completed(amount = 500): Promise<string> {
  const { id, url } = await start(amount);
  await world.acquirer.pay(url, PAID);
  await deliver();
  return id;
}
const refund = async (id: string, amount?: number, by = manager) => {
  const { refunded } = await get(id);
  return by.api(payments.refund, { params: { id }, body: { amount, refunded } });
};

test('a part is refunded, then the rest; never more', async () => {
  const id = await completed();
  expect(await refund(id, 120)).toMatchObject({
    status: 'partialRefunded',
    refunded: 120,
    refunds: [{ amount: 120, status: 'done', isExternal: false, shortfall: 0 }],
  });
  await deliver();
  expect(await balance(world, who.id)).toBe(390);
  await expect(refund(id, 380.01)).rejects.toMatchObject({ status: 422 });
  expect(await refund(id)).toMatchObject({ status: 'refunded', refunded: 500 });
  await deliver();
  await expect(refund(id)).rejects.toMatchObject({ status: 409 });
  expect(await balance(world, who.id)).toBe(10);
  expect((await get(id)).refunds[0]).not.toHaveProperty('shortfall');
  // The entries of both lead to the payment.
  const { data } = await who.api(billings.find, { query: { filter: { source: ['subtract'] } } });
  expect(data.map(({ meta }) => meta.origin)).toMatchObject([
    { type: 'refund', PaymentId: id },
    { type: 'refund', PaymentId: id },
  ]);
});

test('the same refund again is refused, with a key or without: what was refunded before is named', async () => {
  const id = await completed();
  const body = { amount: 120, refunded: 0 };
  const again = (headers?: Record<string, string>) =>
    manager.api(payments.refund, { params: { id }, body, headers });
  const key = { 'idempotency-key': `refund ${id}` };
  expect(await again(key)).toMatchObject({ status: 'partialRefunded', refunded: 120 });
  await deliver();
  expect(await again(key)).toMatchObject({ status: 'partialRefunded', refunded: 120 });
  await expect(again()).rejects.toMatchObject({ status: 409, code: 'conflict' });
  const error = { message: '120.0000 of the payment are refunded already.' };
  await expect(again({ 'idempotency-key': `other ${id}` })).rejects.toMatchObject(error);
  expect((await get(id)).refunds).toHaveLength(1);
  expect(await balance(world, who.id)).toBe(390);
});

test('customers and resellers cannot refund', async () => {
  const reseller = await world.person({ level: 'reseller' });
  const id = await completed();
  for (const by of [who, reseller])
    await expect(refund(id, 1, by)).rejects.toMatchObject({ status: 403 });
});

test('a refund that the balance does not cover is refused and never asked for', async () => {
  const id = await completed();
  await manager.api(billings.create, {
    body: { source: 'subtract', amount: 400, OwnerId: who.id },
  });
  await expect(refund(id)).rejects.toMatchObject({ status: 402 });
  expect(await get(id)).toMatchObject({ status: 'completed', refunds: [] });
});

test('a refund that the acquirer refuses is an error, and revoked', async () => {
  const id = await completed();
  const payment = [...world.acquirer.acquirer.payments.values()].find((p) => p.reference === id)!;
  world.acquirer.acquirer.payments.set(payment.id, { ...payment, status: 'declined' });
  await expect(refund(id)).rejects.toMatchObject({
    status: 402,
    body: { code: 'payment_refused' },
  });
  expect(await get(id)).toMatchObject({
    status: 'completed',
    refunded: 0,
    refunds: [{ status: 'failed' }],
  });
  expect(await credits()).toContainEqual([-500, 'invalid']);
  expect(await balance(world, who.id)).toBe(510);
});

test('a refund with a lost answer is finished by the sweep, once', async () => {
  const id = await completed();
  const { port } = new URL(world.acquirer.url);
  world.acquirer.stop();
  expect(await refund(id, 100)).toMatchObject({ status: 'refundRequested' });
  expect(await balance(world, who.id)).toBe(410);
  await world.acquirer.start(Number(port));
  await sweep(31);
  expect(await get(id)).toMatchObject({ status: 'partialRefunded', refunded: 100 });
  expect(await balance(world, who.id)).toBe(410);
});

test('a refund at the acquirer takes what is there and tells the manager the rest', async () => {
  const id = await completed();
  await manager.api(billings.create, {
    body: { source: 'subtract', amount: 450, OwnerId: who.id },
  });
  const view = { id: 'x', reference: id, status: 'paid', amount: '512.50', currency: 'RUB' };
  for (const refunded of ['40.00', '40.00', '512.50']) await notifySigned({ ...view, refunded });
  expect(await get(id, manager)).toMatchObject({
    status: 'refunded',
    refunded: 500,
    refunds: [
      { amount: 40, shortfall: 0, isExternal: true },
      { amount: 460, shortfall: 440, isExternal: true },
    ],
  });
  expect(await balance(world, who.id)).toBe(0);
  const { data } = await manager.api(notifications.find);
  expect(data.map(({ type }) => type)).toEqual([
    'PaymentsRefundedAtAcquirer',
    'PaymentsRefundedAtAcquirer',
  ]);
  expect(data[0]!.text).toContain('Not covered by the balance: 440 RUB');
});

test('a notification from before a refund changes nothing and is no error', async () => {
  const id = await completed();
  await refund(id, 120);
  const error = vi.spyOn(world.api.get(Log), 'error').mockImplementation(() => undefined);
  const view = { id: 'x', reference: id, status: 'paid', amount: '512.50', currency: 'RUB' };
  expect(await notifySigned({ ...view, refunded: '0.00' })).toBe(200);
  expect(error.mock.calls).toEqual([]);
  error.mockRestore();
  expect(await get(id)).toMatchObject({ status: 'partialRefunded', refunded: 120 });
});

test('a refund at the acquirer that returns the commission takes only what was credited', async () => {
  const id = await completed();
  const view = { id: 'x', reference: id, status: 'paid', amount: '512.50', currency: 'RUB' };
  await notifySigned({ ...view, refunded: '512.50' });
  expect(await get(id, manager)).toMatchObject({
    status: 'refunded',
    refunded: 500,
    refunds: [{ amount: 500, shortfall: 0, isExternal: true }],
  });
  expect((await credits()).sort()).toEqual(
    [
      [-500, 'complete'],
      [500, 'complete'],
    ].sort(),
  );
  // What the account had besides is untouched.
  expect(await balance(world, who.id)).toBe(10);
  await notifySigned({ ...view, refunded: '512.50' });
  expect(await balance(world, who.id)).toBe(10);
});

test('a refund at the acquirer beside one that is requested here never takes more than was paid', async () => {
  const id = await completed();
  const [sandbox] = [...world.acquirer.acquirer.payments.values()].filter(
    (one) => one.reference === id,
  );
  const { port } = new URL(world.acquirer.url);
  world.acquirer.stop();
  expect(await refund(id, 400)).toMatchObject({ status: 'refundRequested' });
  // Refunded by hand meanwhile: with what is requested here it is more than was paid.
  world.acquirer.acquirer.payments.set(sandbox!.id, { ...sandbox!, refunds: { byHand: '300.00' } });
  const view = { id: 'x', reference: id, status: 'paid', amount: '512.50', currency: 'RUB' };
  await notifySigned({ ...view, refunded: '300.00' });
  expect(await get(id)).toMatchObject({ status: 'refundRequested', refunded: 100 });
  await world.acquirer.start(Number(port));
  await sweep(31);
  expect(await get(id)).toMatchObject({ status: 'partialRefunded', refunded: 300 });
  expect((await credits()).sort()).toEqual(
    [
      [500, 'complete'],
      [-400, 'invalid'],
      [-100, 'complete'],
      [-200, 'complete'],
    ].sort(),
  );
});

test('a refund that is told before the payment credits and takes', async () => {
  const { id } = await start();
  const view = { id: 'x', reference: id, status: 'paid', amount: '512.50', currency: 'RUB' };
  await notifySigned({ ...view, refunded: '100.00' });
  expect(await get(id)).toMatchObject({ status: 'partialRefunded', refunded: 100 });
  expect(await balance(world, who.id)).toBe(410);
});

test('methods belong to an account within the scope', async () => {
  expect(await who.api(payments.methods, { query: {} })).toEqual([
    { id: 'sandbox', method: 'sandbox', commission: 2.5, isRecurrent: true },
  ]);
  const stranger = await world.person();
  const member = await world.member(who, 'accountant');
  for (const { id } of [who, member]) {
    const query = { UserId: id };
    await expect(stranger.api(payments.methods, { query })).rejects.toMatchObject({ status: 404 });
    for (const by of [who, member, manager])
      expect(await by.api(payments.methods, { query })).toHaveLength(1);
  }
  expect((await who.api(users.me)).id).toBe(who.id);
});

test('what waits for its payer is limited', async () => {
  await world.db.query(
    `insert into payments (owner_id, method, amount, currency, url_success, url_fail, expires_at, next_query_at)
     select $1, 'sandbox', 10, 'RUB', '', '', now(), now() + interval '1 year' from generate_series(1, 100)`,
    [who.id],
  );
  await expect(start()).rejects.toMatchObject({
    body: { code: 'quota_exceeded', payload: { isUnfinished: true } },
  });
});

test('the ledger agrees with what happened', async () => {
  expect(await problems(world)).toEqual([]);
});
