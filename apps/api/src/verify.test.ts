import { invoices, payments, recurrentPayments } from '@heliograph/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sidesOf } from '../test/samples/documents.ts';
import { type Person, World } from '../test/world.ts';
import { RecurrentChargesService } from './features/recurrent-payments/recurrent-charges.service.ts';
import { verify } from './verify.ts';

let world: World;
let who: Person;

const GOOD = '4242424242424242';
const REFERRED_AT = `now() - interval '100 days'`;

/** One account with a payment, refunds, a bonus of its referrer, two charges of a recurring payment and a paid invoice. */
beforeAll(async () => {
  world = await World.start({ PAYMENT_COMMISSION: 'sandbox:2' });
  const manager = await world.person({ level: 'manager', grants: { add: ['users.all'] } });
  const referrer = await world.person({ balance: 0 });
  who = await world.person({ managerId: manager.id });
  await world.db.query(
    `update users set referrer_id = $2, created_at = ${REFERRED_AT} where id = $1`,
    [who.id, referrer.id],
  );
  const refund = (id: string, amount: number) =>
    manager.api(payments.refund, { params: { id }, body: { amount, refunded: 0 } });
  const single = await pay(500);
  await refund(single, 120);
  await who.api(recurrentPayments.create, {
    body: {
      type: 'frequency',
      frequency: 'daily',
      method: 'sandbox',
      amount: 300,
      isOfferAccepted: true,
    },
  });
  await settle();
  for (let day = 0; day < 2; day++) {
    world.clock.forward(86_400);
    await world.api.get(RecurrentChargesService).chargeDue();
  }
  const sides = await sidesOf(world, who);
  const { id } = await who.api(invoices.create, { body: { ...sides, amount: 1000 } });
  await manager.api(invoices.pay, { params: { id } });
  await who.api(invoices.create, { body: { ...sides, amount: 900 } });
  await who.api(payments.create, { body: { amount: 700, method: 'sandbox' } });
});
afterAll(() => world.stop());

async function pay(amount: number): Promise<string> {
  const { id } = await who.api(payments.create, { body: { amount, method: 'sandbox' } });
  await settle();
  return id;
}

/** Pays what is open at the acquirer, and delivers its notifications. */
async function settle(): Promise<void> {
  for (const { id, status } of world.acquirer.acquirer.payments.values())
    if (status === 'pending')
      await world.acquirer.pay(`${world.acquirer.url}/pay/${id}`, { card: GOOD });
  for (const { body, signature } of world.acquirer.sent.splice(0))
    await fetch(`${world.base}/api/payments/webhook/sandbox`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-sandbox-signature': signature },
      body,
    });
}

class Broken extends Error {
  constructor(readonly found: string[]) {
    super();
  }
}

/** What is found while the data is broken; the change is taken back. */
async function findings(sql: string): Promise<string[]> {
  try {
    return await world.db.transaction(async () => {
      if (!(await world.db.execute(sql))) throw new Error('the statement changes nothing');
      const problems = await verify(world.db);
      throw new Broken([...new Set(problems.map(({ what }) => what))]);
    });
  } catch (error) {
    if (error instanceof Broken) return error.found;
    throw error;
  }
}

const SINGLE = `(select id from payments where status = 'partialRefunded')`;
const CHARGE = `(select max(id::text)::uuid from payments where kind = 'charge')`;
const ENTRY = `(select min(id::text)::uuid from billings where origin = 1)`;
const COPY = `owner_id, method, amount, currency, status, url_success, url_fail, kind, recurrent_payment_id, next_query_at, expires_at, completed_at`;

test('finds nothing in what the product has written', async () => {
  const [made] = await world.db.query(
    `select (select count(*) from payments where kind = 'charge' and status = 'completed')::int as charges,
            (select count(*) from referral_returns)::int as returns,
            (select count(*) from invoices where status = 'paid')::int as invoices`,
  );
  expect(made).toEqual({ charges: 2, returns: 1, invoices: 1 });
  expect(await verify(world.db)).toEqual([]);
});

test.each([
  [
    'a credited payment has one entry of its amount without the commission, any other has none',
    `update billings set amount = amount + 10 where id = ${ENTRY}`,
  ],
  [
    'a credited payment has one entry of its amount without the commission, any other has none',
    `delete from billings where id = ${ENTRY}`,
  ],
  [
    'a credited payment has one entry of its amount without the commission, any other has none',
    `update payments set status = 'error', completed_at = null where id = ${CHARGE}`,
  ],
  [
    'a credited payment has one entry of its amount without the commission, any other has none',
    `insert into billings (owner_id, source, amount, origin, origin_id)
     select owner_id, -1, 5, 1, uuidv7() from payments where id = ${SINGLE}`,
  ],
  [
    'a refund has its entry, a failed one has given the money back',
    `update payment_refunds set status = 'failed'`,
  ],
  [
    'a refund has its entry, a failed one has given the money back',
    `delete from billings where origin = 2`,
  ],
  [
    'a payment is refunded by as much as its refunds',
    `update payment_refunds set amount = amount + 1`,
  ],
  [
    'a payment is refunded by as much as its refunds',
    `update payments set refunded = amount where id = ${SINGLE}`,
  ],
  [
    'the status of a payment is that of its refunds',
    `update payments set status = 'refunded' where id = ${SINGLE}`,
  ],
  [
    'the status of a payment is that of its refunds',
    `update payments set status = 'completed' where id = ${SINGLE}`,
  ],
  [
    'the status of a payment is that of its refunds',
    `insert into payment_refunds (payment_id, amount, status) select id, 1, 'failed' from payments where status = 'init'`,
  ],
  [
    'a credited payment has its time, another has none',
    `update payments set completed_at = null where id = ${SINGLE}`,
  ],
  [
    'the acquirer is asked about what is open, and about nothing else',
    `update payments set next_query_at = null where status = 'init'`,
  ],
  [
    'the acquirer is asked about what is open, and about nothing else',
    `update payments set next_query_at = now() where id = ${SINGLE}`,
  ],
  [
    'a period is charged once',
    `insert into payments (id, ${COPY}) select (left(id::text, 24) || '000000000000')::uuid, ${COPY} from payments where id = ${CHARGE}`,
  ],
  ['a charge has a task that ends with it', `delete from tasks where id = ${CHARGE}`],
  [
    'a charge has a task that ends with it',
    `update tasks set state = 'running' where id = ${CHARGE}`,
  ],
  [
    'a charge belongs to the account of its recurring payment',
    `update recurrent_payments set owner_id = (select referrer_id from users where referrer_id is not null)`,
  ],
  [
    'a recurring payment stops after its last failed charge',
    `update recurrent_payments set failures = 3`,
  ],
  [
    'a referral bonus is for a credited payment or invoice of the referred account',
    `update payments set status = 'error' where id = ${SINGLE}`,
  ],
  [
    'a referral bonus is for a credited payment or invoice of the referred account',
    `update referral_bonuses set paid = paid * 2`,
  ],
  [
    'a referral bonus is the share that was agreed',
    `update referral_bonuses set percent = percent + 1`,
  ],
  [
    'a referral bonus is given within its period',
    `update users set created_at = now() - interval '400 days' where referrer_id is not null`,
  ],
  [
    'a refund takes back its part of the referral bonus',
    `update referral_bonuses set returned = returned / 2`,
  ],
  [
    'a paid invoice has its ledger entry, and its amount is that of the invoice',
    `delete from billings where origin = 3`,
  ],
  [
    'a ledger entry of an invoice has a paid invoice',
    `update invoices set status = 'pending', paid_at = null where status = 'paid'`,
  ],
  ['numbers have no gap', `delete from invoices where number = 1`],
  ['a document has a counter', `delete from invoice_counters`],
])('finds where "%s" is broken: %s', async (rule, sql) => {
  expect(await findings(sql)).toContain(rule);
});

test('finds two charges in flight, which an index prevents', async () => {
  const open = `status = 'init', next_query_at = now(), completed_at = null`;
  await world.db.query('drop index payments_charge');
  expect(await findings(`update payments set ${open} where kind = 'charge'`)).toContain(
    'an account has one charge in flight at most',
  );
});
