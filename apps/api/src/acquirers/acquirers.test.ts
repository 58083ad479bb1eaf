import { notifications, payments, recurrentPayments, settings } from '@heliograph/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { balance, problems } from '../../test/factories.ts';
import type { Fault, Peer, Sent } from '../../test/peers/peer.ts';
import { StripePeer } from '../../test/peers/stripe-peer.ts';
import { TinkoffPeer } from '../../test/peers/tinkoff-peer.ts';
import { type Person, World } from '../../test/world.ts';
import { Log } from '../core/log.ts';
import { PaymentSweepService } from '../features/payments/payment-sweep.service.ts';
import { RecurrentChargesService } from '../features/recurrent-payments/recurrent-charges.service.ts';

const stripe = new StripePeer();
const tinkoff = new TinkoffPeer();
let world: World;
let who: Person;
let manager: Person;

beforeAll(async () => {
  await Promise.all([stripe.start(), tinkoff.start()]);
  world = await World.start({
    ...stripe.env(),
    ...tinkoff.env(),
    PAYMENT_METHODS: 'stripe,tinkoff',
    PAYMENT_COMMISSION: 'stripe:2.5,tinkoff:2.5',
  });
  manager = await world.person({ level: 'manager' });
});
afterAll(async () => {
  await world.stop();
  stripe.stop();
  tinkoff.stop();
});
beforeEach(async () => {
  who = await world.person({ managerId: manager.id, balance: 10 });
  for (const peer of [stripe, tinkoff]) {
    peer.sent.length = peer.calls.length = 0;
    Object.assign(peer, { bank: 'paid', refusesRefunds: false });
    for (const act of ['create', 'charge', 'refund'] as const) delete peer.faults[act];
  }
});

const get = (id: string, by = who) => by.api(payments.get, { params: { id } });
const statusOf = async (id: string) => (await get(id)).status;
const refund = async (id: string, amount?: number) => {
  const { refunded } = await get(id);
  return manager.api(payments.refund, { params: { id }, body: { amount, refunded } });
};
const sweep = (seconds: number) => {
  world.clock.forward(seconds);
  return world.api.get(PaymentSweepService).resolveOpen();
};
const chargeAfterMonth = (id: string) => {
  world.clock.forward(32 * 86_400);
  return world.api.get(RecurrentChargesService).charge(id);
};
async function notify(method: string, { headers, body }: Sent): Promise<number> {
  const url = `${world.base}/api/payments/webhook/${method}`;
  const all = { 'content-type': 'application/json', ...headers };
  return (await fetch(url, { method: 'POST', headers: all, body })).status;
}
async function deliver(peer: Peer, order = (sent: Sent[]) => sent): Promise<number[]> {
  const answers: number[] = [];
  for (const one of order(peer.sent.splice(0))) answers.push(await notify(peer.method, one));
  return answers;
}
const MONTHLY = {
  type: 'frequency' as const,
  frequency: 'monthly' as const,
  amount: 500,
  isOfferAccepted: true as const,
};
test('the methods are those that are configured, for the currency of the account', async () => {
  const { payments: offered } = await who.api(settings.get);
  expect(offered.methods).toEqual(['stripe', 'tinkoff']);
  const methods = await who.api(payments.methods, { query: {} });
  expect(methods.map(({ method, isRecurrent }) => [method, isRecurrent])).toEqual([
    ['stripe', true],
    ['tinkoff', true],
  ]);
});

describe.each<Peer>([stripe, tinkoff])('$method', (peer) => {
  const { method } = peer;
  const start = (amount = 500) => who.api(payments.create, { body: { amount, method } });
  async function completed(amount = 500): Promise<{ id: string; url: string }> {
    const { id, url } = await start(amount);
    peer.pay(url);
    await deliver(peer);
    expect(await statusOf(id)).toBe('completed');
    return { id, url };
  }

  test.each<[string, (sent: Sent[]) => Sent[]]>([
    ['once', (sent) => sent],
    ['twice', (sent) => [...sent, ...sent]],
    ['in the wrong order', (sent) => sent.toReversed()],
  ])('credits the amount once when it is notified %s', async (_, order) => {
    const { id, url } = await start();
    peer.pay(url);
    expect(new Set(await deliver(peer, order))).toEqual(new Set([200]));
    const { status, commission, meta } = await get(id);
    expect([status, commission]).toEqual(['completed', 12.5]);
    expect(meta.bankData?.cardNumber).toMatch(/^\d{4}$/);
    expect(await balance(world, who.id)).toBe(510);
  });

  test('finds what no notification told', async () => {
    const { id, url } = await start();
    peer.pay(url);
    await sweep(31);
    expect(await statusOf(id)).toBe('completed');
    expect(await balance(world, who.id)).toBe(510);
  });

  test('a payment page that expires ends the payment', async () => {
    const { id, url } = await start();
    peer.pay(url, 'declined');
    peer.expire(url);
    await deliver(peer);
    expect(await get(id)).toMatchObject({ status: 'error', reason: 'declined' });
    expect(await balance(world, who.id)).toBe(10);
  });

  test('a notification that is forged, changed or signed by another secret is refused', async () => {
    const { url, id } = await start();
    peer.pay(url);
    const [sent] = peer.sent.splice(0) as [Sent];
    const other = peer.signed(JSON.parse(sent.body) as Record<string, unknown>, 'another secret');
    const changed = {
      ...sent,
      body: sent.body.replace('"id":"', '"id":"x').replace('"Amount":', '"Amount":1'),
    };
    const bare = { headers: {}, body: '{}' };
    for (const forged of [other, changed, bare, { ...bare, body: '[]' }, { ...bare, body: 'null' }])
      expect(await notify(method, forged)).toBe(401);
    expect(await statusOf(id)).toBe('init');
  });

  test('another sum than asked for credits nothing; the manager is told', async () => {
    const { id, url } = await start();
    peer.tamper(url, { amount: 51_251 });
    peer.pay(url);
    await deliver(peer);
    expect(await get(id)).toMatchObject({ status: 'error', reason: 'amount_mismatch' });
    expect(await balance(world, who.id)).toBe(10);
    const { data } = await manager.api(notifications.find);
    const told = data.filter((one) => JSON.stringify(one).includes(id));
    expect(told.map(({ type }) => type)).toEqual(['PaymentsMismatchFailed']);
  });

  test.each<Fault>(['error', 'drop'])(
    'a create with the fault %s leaves no debt',
    async (fault) => {
      peer.faults.create = fault;
      await expect(start()).rejects.toMatchObject({ status: 503 });
      const { data } = await who.api(payments.find);
      expect(data).toMatchObject([{ status: 'init' }]);
      await sweep(24 * 3600 + 31);
      expect(await get(data[0]!.id)).toMatchObject({ status: 'error', reason: 'expired' });
      expect(peer.calls.filter(({ act }) => act === 'create')).toHaveLength(1);
    },
  );

  test('a part is refunded, then the rest', async () => {
    const before = peer.moved().refunded;
    const { id } = await completed();
    expect(await refund(id, 120)).toMatchObject({ status: 'partialRefunded', refunded: 120 });
    expect(await refund(id)).toMatchObject({ status: 'refunded', refunded: 500 });
    expect(peer.moved().refunded - before).toBe(50_000);
    expect(await balance(world, who.id)).toBe(10);
  });

  test('a refused refund is an error, and the money is back on the balance', async () => {
    const { id } = await completed();
    peer.refusesRefunds = true;
    await expect(refund(id)).rejects.toMatchObject({
      status: 402,
      body: { code: 'payment_refused' },
    });
    expect(await get(id)).toMatchObject({ status: 'completed', refunds: [{ status: 'failed' }] });
    expect(await balance(world, who.id)).toBe(510);
  });

  test.each<Fault>(['error', 'drop'])('a refund with the fault %s is made once', async (fault) => {
    const before = peer.moved().refunded;
    const { id } = await completed();
    peer.faults.refund = fault;
    expect(await refund(id, 100)).toMatchObject({ status: 'refundRequested' });
    // Also after the acquirer has forgotten the key.
    await sweep(3 * 86_400);
    expect(await get(id)).toMatchObject({ status: 'partialRefunded', refunded: 100 });
    expect(peer.moved().refunded - before).toBe(10_000);
    const keys = peer.calls.filter(({ act }) => act === 'refund').map(({ key }) => key);
    expect(new Set(keys).size).toBe(1);
    expect(await balance(world, who.id)).toBe(410);
  });

  test('two attempts of a refund at once make one', async () => {
    const before = peer.moved().refunded;
    const { id } = await completed();
    peer.faults.refund = 'hold';
    const asked = refund(id, 100);
    await peer.holding();
    await sweep(31);
    peer.release();
    expect(await asked).toMatchObject({ status: 'partialRefunded', refunded: 100 });
    expect(peer.moved().refunded - before).toBe(10_000);
    expect(await balance(world, who.id)).toBe(410);
  });

  test('a refund at the acquirer takes what is there', async () => {
    const { id, url } = await completed();
    peer.refundThere(url, 51_250);
    await deliver(peer, (sent) => [...sent, ...sent]);
    expect(await get(id)).toMatchObject({ status: 'refunded', refunds: [{ isExternal: true }] });
    expect(await balance(world, who.id)).toBe(10);
  });

  const saved = (id: string) => who.api(recurrentPayments.get, { params: { id } });
  const chargesOf = async (RecurrentPaymentId: string) => {
    const { data } = await who.api(payments.find, { query: { filter: { RecurrentPaymentId } } });
    return data.map(({ status, reason }) => reason ?? status);
  };
  /** A recurring payment with a saved card; what was charged before. */
  async function ready(arrives = () => deliver(peer) as Promise<unknown>) {
    const body = { ...MONTHLY, method };
    const { id, url } = await who.api(recurrentPayments.create, { body });
    peer.pay(url);
    await arrives();
    expect((await saved(id)).status).toBe('ready');
    peer.calls.length = 0;
    return { id, before: peer.moved().charged };
  }
  const SUM = 51_250;

  test('charges a saved card', async () => {
    const { id, before } = await ready();
    await chargeAfterMonth(id);
    expect(await chargesOf(id)).toEqual(['completed', 'completed']);
    expect(peer.moved().charged - before).toBe(SUM);
    expect(await balance(world, who.id)).toBe(1010);
  });

  test('a card that no notification told is charged as well', async () => {
    const { id } = await ready(() => sweep(31));
    await chargeAfterMonth(id);
    expect(await chargesOf(id)).toEqual(['completed', 'completed']);
  });

  test.each(['declined', '3ds'] as const)('a charge that ends in %s has failed', async (bank) => {
    const { id, before } = await ready();
    peer.bank = bank;
    await chargeAfterMonth(id);
    expect(await chargesOf(id)).toEqual(['declined', 'completed']);
    expect(await saved(id)).toMatchObject({ status: 'ready', failures: 1 });
    expect(peer.moved().charged - before).toBe(0);
  });

  test.each<Fault>(['error', 'drop'])('a charge with the fault %s is made once', async (fault) => {
    const { id, before } = await ready();
    peer.faults.charge = fault;
    await chargeAfterMonth(id);
    expect(await chargesOf(id)).toEqual(['init', 'completed']);
    await sweep(31);
    expect(await chargesOf(id)).toEqual(['completed', 'completed']);
    expect(peer.moved().charged - before).toBe(SUM);
    const keys = peer.calls.filter(({ act }) => act === 'charge').map(({ key }) => key);
    expect(new Set(keys).size).toBe(1);
  });

  test('a charge whose answer is late is not made a second time by the sweep', async () => {
    const { id, before } = await ready();
    peer.faults.charge = 'hold';
    const first = chargeAfterMonth(id);
    await peer.holding();
    await sweep(31);
    peer.release();
    await first;
    expect(await chargesOf(id)).toEqual(['completed', 'completed']);
    expect(peer.moved().charged - before).toBe(SUM);
    expect(await balance(world, who.id)).toBe(1010);
  });

  test('a charge that the acquirer does not know after a day is not repeated', async () => {
    const { id, before } = await ready();
    peer.faults.charge = 'error';
    await chargeAfterMonth(id);
    await sweep(25 * 3600);
    expect(await chargesOf(id)).toEqual(['not_charged', 'completed']);
    expect(peer.calls.filter(({ act }) => act === 'charge')).toHaveLength(1);
    expect(peer.moved().charged - before).toBe(0);
  });

  const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
  test.each<[string, string, number]>([
    ['of 10 MB', JSON.stringify({ a: 'x'.repeat(10_000_000) }), 413],
    ['that is deeply nested', nested(5_000), 401],
    ['that is no JSON', '{"a":', 401],
    ['of another type', 'a=1', 401],
  ])('refuses a notification %s', async (_, body, status) => {
    expect(await notify(method, { headers: {}, body })).toBe(status);
  });
});

const own = '00000000-0000-4000-8000-000000000000';
const event = (object: unknown) => stripe.signed({ object: 'event', data: { object } });
const note = (values: object) =>
  tinkoff.notification({ Success: true, Status: 'CONFIRMED', Amount: 51_250, ...values });
test.each<[string, () => Sent]>([
  ['stripe', () => stripe.signed({ object: 'event', data: null })],
  ['stripe', () => stripe.signed({ object: 'event', data: [] })],
  ['stripe', () => event({ object: 'charge', payment_intent: 5, metadata: 'x' })],
  ['stripe', () => event({ object: 'payment_intent', id: '../../v1/refunds' })],
  ['stripe', () => event({ object: 'refund', payment_intent: 'pi_999' })],
  ['stripe', () => event({ object: { object: 'charge' } })],
  ['stripe', () => event({ object: 'payment_intent', metadata: { reference: { a: 1 } } })],
  ['stripe', () => event({ object: 'payment_intent', metadata: { reference: 'x' } })],
  ['stripe', () => event({ object: 'payment_intent', metadata: { reference: own } })],
  ['tinkoff', () => note({ OrderId: 5, PaymentId: 'x' })],
  ['tinkoff', () => note({ OrderId: { a: 1 }, PaymentId: 1 })],
  ['tinkoff', () => note({ OrderId: 'x', PaymentId: '1' })],
  ['tinkoff', () => note({ OrderId: own, PaymentId: 1, Amount: 'text', Pan: 7, RebillId: {} })],
  ['tinkoff', () => note({ OrderId: own, PaymentId: -1 })],
])('a signed notification of %s about nothing of ours changes nothing (%#)', async (name, sent) => {
  expect(await notify(name, sent())).toBe(200);
});

test('a notification of Stripe that is older than five minutes is refused', async () => {
  const body = { object: 'event', data: { object: {} } };
  expect(await notify('stripe', stripe.signed(body, undefined, -301))).toBe(401);
  expect(await notify('stripe', stripe.signed(body))).toBe(200);
});

test('a notification of one acquirer does not concern payments of another', async () => {
  const { id } = await who.api(payments.create, { body: { amount: 500, method: 'stripe' } });
  expect(await notify('tinkoff', note({ OrderId: id, PaymentId: 1 }))).toBe(200);
  expect(await statusOf(id)).toBe('init');
});

test('an acquirer that cannot be asked gets its notification refused, and repeats it', async () => {
  const { id, url } = await who.api(payments.create, { body: { amount: 500, method: 'stripe' } });
  stripe.pay(url);
  const [sent] = stripe.sent.splice(0) as [Sent];
  stripe.isDown = true;
  expect(await notify('stripe', sent)).toBe(503);
  stripe.isDown = false;
  expect(await notify('stripe', sent)).toBe(200);
  expect(await statusOf(id)).toBe('completed');
});

describe('what only Stripe has', () => {
  async function paid() {
    const { id, url } = await who.api(payments.create, { body: { amount: 500, method: 'stripe' } });
    stripe.pay(url);
    await deliver(stripe);
    return { id, url };
  }

  test('another currency than asked for credits nothing', async () => {
    const body = { amount: 500, method: 'stripe' as const };
    const { id, url } = await who.api(payments.create, { body });
    stripe.tamper(url, { currency: 'usd' });
    stripe.pay(url);
    await deliver(stripe);
    expect(await get(id)).toMatchObject({ status: 'error', reason: 'currency_mismatch' });
  });

  test.each([
    [true, { status: 'completed', reason: null }],
    [false, { status: 'error', reason: 'declined' }],
  ])('a debit does not expire before the bank decides on it (paid: %s)', async (isPaid, end) => {
    const { id, url } = await who.api(payments.create, { body: { amount: 500, method: 'stripe' } });
    stripe.debit(url);
    await deliver(stripe);
    await sweep(3 * 86_400);
    expect(await statusOf(id)).toBe('init');
    stripe.decide(url, isPaid);
    await deliver(stripe);
    expect(await get(id)).toMatchObject(end);
    expect(await balance(world, who.id)).toBe(isPaid ? 510 : 10);
  });

  test('a part that is refunded at Stripe is taken', async () => {
    const { id, url } = await paid();
    stripe.refundThere(url, 4000);
    await deliver(stripe);
    expect(await get(id)).toMatchObject({ status: 'partialRefunded', refunded: 40 });
    expect(await balance(world, who.id)).toBe(470);
  });

  test.each([
    ['succeeded', { status: 'partialRefunded', refunded: 100 }, 410],
    ['failed', { status: 'completed', refunded: 0, refunds: [{ status: 'failed' }] }, 510],
  ])('a refund that Stripe makes later ends in %s', async (status, end, left) => {
    const { id } = await paid();
    stripe.refundStatus = 'pending';
    expect(await refund(id, 100)).toMatchObject({ status: 'refundRequested', refunded: 0 });
    await sweep(31);
    expect(await statusOf(id)).toBe('refundRequested');
    stripe.settleRefund(status);
    await sweep(3600);
    expect(await get(id)).toMatchObject(end);
    expect(await balance(world, who.id)).toBe(left);
  });

  test('a refund that fails after it has succeeded is logged, since the bank has not paid it out', async () => {
    const { id } = await paid();
    await refund(id, 100);
    const error = vi.spyOn(world.api.get(Log), 'error').mockImplementation(() => undefined);
    stripe.settleRefund('failed');
    await deliver(stripe);
    const message = 'the acquirer has refunded less than was recorded';
    expect(error.mock.calls).toEqual([[{ payment: id, refunded: '0.0000' }, message]]);
    error.mockRestore();
    expect(await get(id)).toMatchObject({ status: 'partialRefunded', refunded: 100 });
  });

  test('parts that are refunded there and here add up', async () => {
    const { id, url } = await paid();
    stripe.refundThere(url, 4_000);
    stripe.refundThere(url, 6_000);
    await deliver(stripe, (sent) => sent.toReversed());
    expect(await get(id)).toMatchObject({ status: 'partialRefunded', refunded: 100 });
    expect(await refund(id, 50)).toMatchObject({ refunded: 150 });
    expect(await refund(id)).toMatchObject({ status: 'refunded', refunded: 500 });
    expect(await balance(world, who.id)).toBe(10);
  });

  test('yen have no fraction: neither the amount that Stripe is told nor a refund', async () => {
    await world.db.query(
      `update users set settings = settings || '{"billings":{"currency":"JPY"}}' where id = $1`,
      [who.id],
    );
    const { id, url } = await who.api(payments.create, { body: { amount: 400, method: 'stripe' } });
    const session = stripe.objects.get(url.split('/').at(-1)!)!;
    expect(session.order).toMatchObject({ amount: 410, currency: 'jpy' });
    stripe.pay(url);
    await deliver(stripe);
    await expect(refund(id, 100.5)).rejects.toMatchObject({ status: 422 });
    expect(await refund(id, 100)).toMatchObject({ status: 'partialRefunded', refunded: 100 });
    expect([...stripe.objects.values()].at(-1)).toMatchObject({ object: 'refund', amount: 100 });
    expect(await balance(world, who.id)).toBe(310);
  });

  test('a dispute takes the money when Stripe does, and once', async () => {
    const { id, url } = await paid();
    for (const status of ['warning_needs_response', 'needs_response', 'lost']) {
      stripe.dispute(url, status);
      await deliver(stripe);
    }
    expect(await get(id)).toMatchObject({ status: 'refunded', refunds: [{ isExternal: true }] });
    expect(await balance(world, who.id)).toBe(10);
  });
});

describe('what only T-Bank has', () => {
  /** Of the payments of the account, in their order. */
  const initiators = () =>
    [...tinkoff.payments.values()].slice(-2).flatMap(({ initiator }) => initiator ?? []);
  test('of two openings of a charge at once, one is charged', async () => {
    const body = { ...MONTHLY, method: 'tinkoff' as const };
    const { id, url } = await who.api(recurrentPayments.create, { body });
    tinkoff.pay(url);
    await deliver(tinkoff);
    const before = tinkoff.moved().charged;
    tinkoff.faults.create = 'hold';
    const first = chargeAfterMonth(id);
    await tinkoff.holding();
    await sweep(31);
    tinkoff.release();
    await first;
    expect(tinkoff.moved().charged - before).toBe(51_250);
    expect(await balance(world, who.id)).toBe(1010);
  });

  test('a part that is refunded at the bank is not booked, since its sum is unknown', async () => {
    const body = { amount: 500, method: 'tinkoff' as const };
    const { id, url } = await who.api(payments.create, { body });
    tinkoff.pay(url);
    await deliver(tinkoff);
    tinkoff.refundThere(url, 4000);
    expect(await deliver(tinkoff)).toEqual([200]);
    expect(await get(id)).toMatchObject({ status: 'completed', refunded: 0 });
  });

  test.each(['REFUNDED', 'PARTIAL_REFUNDED'])(
    'a payment of which the first that is known is %s credits nothing',
    async (status) => {
      const body = { amount: 500, method: 'tinkoff' as const };
      const { id, url } = await who.api(payments.create, { body });
      tinkoff.pay(url);
      tinkoff.refundThere(url, status === 'REFUNDED' ? 51_250 : 100);
      await deliver(tinkoff, (sent) => sent.toReversed());
      expect(await statusOf(id)).toBe('error');
      expect(await balance(world, who.id)).toBe(10);
    },
  );

  test.each(['REFUNDING', 'ASYNC_REFUNDING', 'CONFIRMED'])(
    'a refund after which the payment is %s stays open until it is made, and is made once',
    async (status) => {
      const before = tinkoff.moved().refunded;
      const body = { amount: 500, method: 'tinkoff' as const };
      const { id, url } = await who.api(payments.create, { body });
      tinkoff.pay(url);
      await deliver(tinkoff);
      tinkoff.refundsSlowly = status;
      expect(await refund(id, 100)).toMatchObject({ status: 'refundRequested', refunded: 0 });
      await sweep(31);
      expect(await statusOf(id)).toBe('refundRequested');
      tinkoff.finishRefunds();
      await sweep(3600);
      expect(await get(id)).toMatchObject({ status: 'partialRefunded', refunded: 100 });
      expect(tinkoff.moved().refunded - before).toBe(10_000);
      expect(await balance(world, who.id)).toBe(410);
    },
  );

  test.each(['3', '98', '1018', '9999'])(
    'a refund that ends in the error %s stays open, and is made once',
    async (code) => {
      const before = tinkoff.moved().refunded;
      const body = { amount: 500, method: 'tinkoff' as const };
      const { id, url } = await who.api(payments.create, { body });
      tinkoff.pay(url);
      await deliver(tinkoff);
      tinkoff.failsInside = code;
      expect(await refund(id, 100)).toMatchObject({ status: 'refundRequested' });
      await sweep(31);
      expect(await get(id)).toMatchObject({ status: 'partialRefunded', refunded: 100 });
      expect(tinkoff.moved().refunded - before).toBe(10_000);
      expect(await balance(world, who.id)).toBe(410);
    },
  );

  test('a charge of which the bank asks the absent payer has failed', async () => {
    const { id, url } = await who.api(recurrentPayments.create, {
      body: { ...MONTHLY, method: 'tinkoff' },
    });
    tinkoff.pay(url);
    await deliver(tinkoff);
    expect(initiators().at(-1)).toBe('1');
    tinkoff.asksPayer = true;
    await chargeAfterMonth(id);
    tinkoff.asksPayer = false;
    expect(initiators()).toEqual(['1', 'R']);
    const saved = await who.api(recurrentPayments.get, { params: { id } });
    expect(saved).toMatchObject({ status: 'ready', failures: 1 });
  });

  test('a payment that saves no card says so', async () => {
    await who.api(payments.create, { body: { amount: 500, method: 'tinkoff' } });
    expect(initiators().at(-1)).toBe('0');
  });

  test('payments and refunds have receipts', async () => {
    const email = 'payer@test.example';
    await world.db.query(`update users set data = data || $2 where id = $1`, [who.id, { email }]);
    const body = { amount: 500, method: 'tinkoff' as const };
    const { id, url } = await who.api(payments.create, { body });
    tinkoff.pay(url);
    await deliver(tinkoff);
    await refund(id, 100);
    const { receipts } = tinkoff.payments.get(url.split('/').at(-1)!)!;
    const item = { PaymentMethod: 'advance', PaymentObject: 'payment' };
    expect(receipts).toMatchObject([
      { Email: email, Items: [{ ...item, Amount: 51_250 }] },
      { Email: email, Items: [{ ...item, Amount: 10_000 }] },
    ]);
  });
});

test('a card that was saved by another method than chosen since is charged where it was saved', async () => {
  const body = { ...MONTHLY, method: 'stripe' as const };
  const { id, url } = await who.api(recurrentPayments.create, { body });
  const other = await who.api(recurrentPayments.confirm, {
    params: { id },
    body: { method: 'tinkoff' },
  });
  stripe.pay(url);
  await deliver(stripe);
  const get = () => who.api(recurrentPayments.get, { params: { id } });
  expect(await get()).toMatchObject({ status: 'ready', method: 'stripe' });
  // The other page is paid, too: it tops up, and its card is not the one that is charged.
  tinkoff.pay(other.url);
  await deliver(tinkoff);
  const before = stripe.moved().charged;
  await chargeAfterMonth(id);
  expect(stripe.moved().charged - before).toBe(51_250);
  expect(await get()).toMatchObject({ status: 'ready', method: 'stripe', failures: 0 });
});

test('the ledger agrees with what happened', async () => {
  expect(await problems(world)).toEqual([]);
});
