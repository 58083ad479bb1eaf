import {
  accountChanges,
  accountClosings,
  ADMINISTRATOR_GRANTS,
  auth,
  billings,
  packageOffers,
  packages,
  payments,
  recurrentPayments,
  sendings,
  tasks,
  tokens,
  users,
  webhooks,
  type ApiError,
} from '@heliograph/contract';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { Carrier } from '../../../test/carrier.ts';
import { approve, balance, contactList, problems } from '../../../test/factories.ts';
import { notificationsOf } from '../../../test/notified.ts';
import { type Person, until, World } from '../../../test/world.ts';

let world: World;
let carrier: Carrier;
let reseller: Person;
let administrator: Person;

beforeAll(async () => {
  world = await World.start();
  await world.startWorker();
  carrier = await Carrier.start(world, ['sms'], { maxBatch: 1 });
  reseller = await world.person({ level: 'reseller' });
  administrator = await world.person({ level: 'manager', grants: { add: ADMINISTRATOR_GRANTS } });
});
afterEach(async () => {
  const found = await problems(world);
  if (found.length) throw new Error(`data contradict one another: ${JSON.stringify(found)}`);
});
afterAll(async () => {
  await world.stop();
  carrier.stop();
});

const reason = 'The contract has ended';
const close = (by: Person, { id }: { id: string }, shown: number, note = 'Paid out') =>
  by.api(accountClosings.close, {
    params: { id },
    body: { reason, settlement: { balance: shown, ...(shown && { note }) } },
  });
const reopen = (by: Person, { id }: { id: string }) =>
  by.api(accountClosings.reopen, { params: { id } });
const preview = (by: Person, { id }: { id: string }) =>
  by.api(accountClosings.preview, { params: { id } });
const codeOf = (answer: Promise<unknown>) =>
  answer.then(
    () => 'answered',
    (error: ApiError) => error.code,
  );
const settlementsOf = async (who: { id: string }, by = administrator) => {
  const { data } = await by.api(billings.find, { query: { filter: { OwnerId: who.id } } });
  return data
    .filter(({ meta }) => meta.origin?.type === 'settlement')
    .map(({ amount, status }) => [amount, status]);
};
const stateOf = async (id: string) =>
  (await administrator.api(tasks.get, { params: { id } })).state;
const payload = { sender: 'MIRTEA', text: 'Tea is ready' };
async function bulk(owner: Person, people: number, schedule?: object): Promise<string> {
  const recipient = { include: [await contactList(world, owner.id, people)] };
  const body = { type: 'sms', payload, recipient, schedule };
  return ((await owner.api(sendings.create, { body: body as never })) as { id: string }).id;
}
const tomorrow = () => ({
  delay: new Date(world.clock.now().getTime() + 86_400_000).toISOString(),
});
async function givePackage({ id: OwnerId }: Person): Promise<string> {
  const body = {
    title: 'A thousand SMS',
    types: ['sms' as const],
    mccmnc: [],
    units: 1000,
    price: 900,
    currency: 'RUB',
    days: 30,
    isActive: true,
  };
  const { id: OfferId } = await administrator.api(packageOffers.create, { body: body as never });
  const gift = { OwnerId, OfferId, price: 900 };
  return (await administrator.api(packages.create, { body: gift })).id;
}

test('a closed account is signed out, its bulks, packages and whatever recurs end, and its balance is settled', async () => {
  const customer = await world.person();
  await approve(world, customer.id);
  const scheduled = await bulk(customer, 2, tomorrow());
  const paused = await bulk(customer, 2, tomorrow());
  await customer.api(tasks.update, { params: { id: paused }, body: { state: 'paused' } });
  const packageId = await givePackage(customer);
  const hook = await customer.api(webhooks.create, {
    body: { title: 'W', event: 'sendings.status', url: 'http://127.0.0.1:9/' } as never,
  });
  await customer.api(recurrentPayments.create, {
    body: {
      type: 'frequency',
      frequency: 'monthly',
      method: 'sandbox',
      amount: 500,
      isOfferAccepted: true,
    },
  });
  const { token } = await customer.api(tokens.create, {
    body: { description: 'C', permissions: ['users.get'] },
  });
  expect(await preview(administrator, customer)).toMatchObject({
    balance: 1000,
    currency: 'RUB',
    bulks: 2,
    packages: 1,
    units: 1000,
    webhooks: 1,
    recurrentPayments: 1,
    customers: 0,
  });
  const closed = await close(administrator, customer, 1000);
  expect(closed).toMatchObject({
    isActive: false,
    closedAt: expect.any(String),
    suspension: { reason },
    balance: 0,
  });
  expect(await settlementsOf(customer)).toEqual([[-1000, 'complete']]);
  expect([await stateOf(scheduled), await stateOf(paused)]).toEqual(['stopped', 'stopped']);
  const left = await administrator.api(packages.find, {
    query: { filter: { OwnerId: customer.id } },
  });
  expect(left.data).toMatchObject([{ id: packageId, unitsLeft: 1000 }]);
  expect(Date.parse(left.data[0]!.endsAt)).toBe(Date.parse(closed.closedAt!));
  const id = hook.id;
  expect(await administrator.api(webhooks.get, { params: { id } })).toMatchObject({
    state: 'disabled',
  });
  expect(await preview(administrator, customer)).toMatchObject({
    bulks: 0,
    packages: 0,
    webhooks: 0,
    recurrentPayments: 0,
  });
  const answers = [customer.token, token].map((one) => codeOf(world.client(one)(users.me)));
  expect(await Promise.all(answers)).toEqual(['session_ended', 'unauthorized']);
  const credentials = { username: customer.username, password: 'heliograph' };
  expect(await codeOf(world.client()(auth.login, { body: credentials }))).toBe('wrong_credentials');
  expect(await codeOf(administrator.api(auth.loginAs, { params: { id: customer.id } }))).toBe(
    'not_found',
  );
  // No package is given to it, and nobody resumes what has ended.
  expect(await codeOf(givePackage(customer))).toBe('account_inactive');
  const go = { params: { id: paused }, body: { state: 'scheduled' as const } };
  expect(await codeOf(administrator.api(tasks.update, go))).not.toBe('answered');
  expect(await notificationsOf(world, customer)).toContainEqual(
    expect.objectContaining({
      type: 'AccountClosed',
      data: { username: customer.username, reason, amount: 1000, currency: 'RUB' },
    }),
  );
  const [record] = await world.db.query(
    `select actor_id as by, before, after from audit_log where target_id = $1 and action = 'users.close' and after is not null`,
    [customer.id],
  );
  expect(record).toMatchObject({
    by: administrator.id,
    before: { isActive: true, isClosed: false, balance: 1000 },
    after: { isActive: false, isClosed: true, reason, balance: 0, bulks: 2, units: 1000 },
  });
});

test('a balance that has changed since it was shown is a conflict, and nothing is done', async () => {
  const customer = await world.person();
  await approve(world, customer.id);
  const scheduled = await bulk(customer, 1, tomorrow());
  // A payment arrives between the preview and the closing.
  const { balance: shown } = await preview(administrator, customer);
  const { id, url } = await customer.api(payments.create, {
    body: { amount: 500, method: 'sandbox' },
  });
  await world.acquirer.pay(url, { card: '4242 4242 4242 4242' });
  const [sent] = world.acquirer.sent.splice(0);
  await fetch(`${world.base}/api/payments/webhook/sandbox`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-sandbox-signature': sent!.signature },
    body: sent!.body,
  });
  expect(await customer.api(payments.get, { params: { id } })).toMatchObject({
    status: 'completed',
  });
  expect(await codeOf(close(administrator, customer, shown))).toBe('conflict');
  expect(await customer.api(users.me)).toMatchObject({ isActive: true, balance: 1500 });
  expect(await stateOf(scheduled)).toBe('scheduled');
  expect(await settlementsOf(customer)).toEqual([]);
});

test('of two closings at once one settles', async () => {
  const customer = await world.person();
  const codes = await Promise.all(
    [1, 2, 3].map(() => codeOf(close(administrator, customer, 1000))),
  );
  expect(codes.sort()).toEqual(['answered', 'conflict', 'conflict']);
  expect(await settlementsOf(customer)).toEqual([[-1000, 'complete']]);
  expect(await balance(world, customer.id)).toBe(0);
});

test('charges at the same time as a closing leave a balance that the ledger explains', async () => {
  const customer = await world.person();
  await approve(world, customer.id);
  const send = () =>
    customer.api(sendings.create, {
      body: { type: 'sms', payload, recipient: '+79161234567' } as never,
    });
  const codes = await Promise.all([
    ...Array.from({ length: 8 }, () => codeOf(send())),
    codeOf(close(administrator, customer, 1000)),
  ]);
  expect(['answered', 'conflict']).toContain(codes.at(-1));
  const { balance: rest } = await preview(administrator, customer);
  await close(administrator, customer, rest);
  expect(await balance(world, customer.id)).toBe(0);
});

test('a running bulk submits nothing after the closing, and what it refunds is settled by the same call', async () => {
  const customer = await world.person();
  await approve(world, customer.id);
  carrier.calls.length = 0;
  let release = () => {};
  const gate = new Promise<void>((resolve) => (release = resolve));
  carrier.meanwhile = async () => {
    if (carrier.taken.length > 20) await gate;
    return { result: 'accepted' };
  };
  const id = await bulk(customer, 300);
  await until(async () => carrier.taken.length > 20, 'the bulk is under way');
  await until(
    async () =>
      (await world.db.query(`select 1 from tasks where id = $1 and is_expanded`, [id])).length > 0,
    'all of it is charged',
  );
  const shown = await balance(world, customer.id);
  await close(administrator, customer, shown);
  expect(await stateOf(id)).toBe('stopped');
  release();
  const open = () =>
    world.db.query(`select 1 from batches where task_id = $1 and stage in (0, 1, 2)`, [id]);
  await until(async () => (await open()).length === 0, 'no batch is open');
  const submitted = carrier.taken.length;
  expect(submitted).toBeLessThan(300);
  const late = await balance(world, customer.id);
  const [refunded] = await world.db.query<{ sum: string }>(
    `select -sum(amount) as sum from billings where owner_id = $1 and status = 2`,
    [customer.id],
  );
  expect(late).toBeGreaterThan(0);
  expect(late).toBe(Number(refunded!.sum));
  // Nothing was lost: what was charged is settled, refunded or sent.
  expect(await administrator.api(users.get, { params: { id: customer.id } })).toMatchObject({
    balance: late,
    closedAt: expect.any(String),
  });
  expect(await codeOf(close(administrator, customer, shown))).toBe('conflict');
  await close(administrator, customer, late);
  expect(await settlementsOf(customer)).toEqual([
    [-late, 'complete'],
    [-shown, 'complete'],
  ]);
  // With nothing to settle, another call changes nothing.
  await close(administrator, customer, 0);
  const records = await world.db.query(
    `select count(*) from audit_log where target_id = $1 and after is not null and after->>'balance' = '0'`,
    [customer.id],
  );
  expect(records).toEqual([{ count: '2' }]);
  expect(await settlementsOf(customer)).toHaveLength(2);
  expect((await notificationsOf(world, customer)).map(({ type }) => type)).toContain(
    'AccountSettled',
  );
  expect(carrier.taken).toHaveLength(submitted);
});

test('what is owed is written off by an entry as well, and needs a note', async () => {
  const customer = await world.person({ balance: 0 });
  await world.db.query(
    `with e as (insert into billings (owner_id, source, amount) values ($1, -2, -30))
     update balances set balance = -30, overdraft = 50 where owner_id = $1`,
    [customer.id],
  );
  const body = { reason, settlement: { balance: -30 } };
  const call = { params: { id: customer.id }, body };
  expect(await codeOf(administrator.api(accountClosings.close, call))).toBe('validation');
  await close(administrator, customer, -30, 'Written off');
  expect(await balance(world, customer.id)).toBe(0);
  expect(await settlementsOf(customer)).toEqual([[30, 'complete']]);
  expect((await notificationsOf(world, customer)).map(({ type }) => type)).not.toContain(
    'BalanceAccrual',
  );
});

test('a reseller settles against its own balance: the rest returns to it without free credit, and it pays what is owed', async () => {
  const own = await world.person({ level: 'reseller', balance: 40 });
  const rich = await world.person({ resellerId: own.id, balance: 100 });
  await world.db.query(
    `insert into free_credits (phone, owner_id, amount) values ('79990001122', $1, 30)`,
    [rich.id],
  );
  await close(own, rich, 100);
  expect([await balance(world, rich.id), await balance(world, own.id)]).toEqual([0, 110]);
  // The free credit is taken once: what comes later is the reseller's.
  await world.db.query(
    `with e as (insert into billings (owner_id, source, amount) values ($1, -1, 10))
     update balances set balance = 10 where owner_id = $1`,
    [rich.id],
  );
  await close(own, rich, 10);
  expect([await balance(world, rich.id), await balance(world, own.id)]).toEqual([0, 120]);

  const poor = await world.person({ resellerId: own.id, balance: 0 });
  const owe = (sum: number) =>
    world.db.query(
      `with e as (insert into billings (owner_id, source, amount) values ($1, case when $2 > 0 then -1 else -2 end, $2))
       update balances set balance = balance + $2, overdraft = 500 where owner_id = $1`,
      [poor.id, -sum],
    );
  await owe(150);
  expect(await codeOf(close(own, poor, -150, 'Owed'))).toBe('insufficient_funds');
  expect(await administrator.api(users.get, { params: { id: poor.id } })).toMatchObject({
    isActive: true,
    balance: -150,
  });
  await owe(-50);
  await close(own, poor, -100, 'Owed');
  expect([await balance(world, poor.id), await balance(world, own.id)]).toEqual([0, 20]);
  expect(await settlementsOf(own)).toEqual([
    [-100, 'complete'],
    [10, 'complete'],
    [70, 'complete'],
  ]);
});

test('who may: a reseller its customers, a manager its accounts, an administrator all others; nobody itself, an equal or a superior', async () => {
  const manager = await world.person({ level: 'manager' });
  const sibling = await world.person({ level: 'reseller' });
  const customer = await world.person({
    resellerId: reseller.id,
    managerId: manager.id,
    balance: 0,
  });
  const own = await world.person({ resellerId: sibling.id, balance: 0 });
  const outcome = async (by: Person, of: Person) => {
    const codes = [
      await codeOf(preview(by, of)),
      await codeOf(close(by, of, 0)),
      await codeOf(reopen(by, of)),
    ];
    expect(new Set(codes).size).toBe(1);
    return codes[0];
  };
  for (const by of [reseller, manager, administrator])
    expect(await outcome(by, customer)).toBe('answered');
  for (const by of [reseller, manager, administrator])
    expect(await outcome(by, by)).toBe('forbidden');
  expect(await outcome(sibling, customer)).toBe('not_found');
  expect(await outcome(reseller, sibling)).toBe('not_found');
  expect(await outcome(own, own)).toBe('forbidden');
  expect(await outcome(own, sibling)).toBe('forbidden');
  const { token: key } = await administrator.api(tokens.create, { body: { description: 'All' } });
  expect(await outcome({ ...administrator, api: world.client(key) }, own)).toBe('session_required');
  const borrowed = await administrator.api(auth.loginAs, { params: { id: sibling.id } });
  const asSibling = { ...sibling, api: world.client(borrowed.token) };
  expect(await codeOf(close(asSibling, own, 0))).toBe('borrowed_session');
  expect(await codeOf(reopen(asSibling, own))).toBe('borrowed_session');
  const member = await world.member(own, 'sender');
  expect(await codeOf(close(sibling, member, 0))).toBe('conflict');
});

test('a reseller with open customers is not closed, and takes none while it is closed', async () => {
  const old = await world.person({ level: 'reseller', balance: 0 });
  const customer = await world.person({ resellerId: old.id, balance: 0 });
  const error = await close(administrator, old, 0).catch((e: ApiError) => e);
  expect(error).toMatchObject({ code: 'conflict', body: { payload: { customers: 1 } } });
  expect((await preview(administrator, old)).customers).toBe(1);
  await close(old, customer, 0);
  await close(administrator, old, 0);
  // Its customer is not opened again without it.
  expect(await codeOf(reopen(administrator, customer))).toBe('conflict');
  const other = await world.person();
  const move = { params: { id: other.id }, body: { ResellerId: old.id } };
  expect(await codeOf(administrator.api(users.configure, move))).not.toBe('answered');
  await reopen(administrator, old);
  expect(await codeOf(reopen(administrator, customer))).toBe('answered');
});

test('closed accounts are found by their filter only, read by those who run them, and left out of changes of many', async () => {
  const own = await world.person({ level: 'reseller' });
  const [closed, open] = [
    await world.person({ resellerId: own.id, balance: 0 }),
    await world.person({ resellerId: own.id, balance: 0 }),
  ];
  await close(own, closed, 0);
  const found = async (filter: object) => {
    const query = { filter: { isHolder: true, level: ['me' as const], ...filter } };
    return (await own.api(users.find, { query })).data.map(({ id }) => id);
  };
  expect(await found({})).toEqual([open.id]);
  expect(await found({ isActive: false })).toEqual([]);
  expect(await found({ isClosed: true })).toEqual([closed.id]);
  expect(await found({ OwnerId: closed.id })).toEqual([closed.id]);
  const { id } = closed;
  expect(await own.api(users.get, { params: { id } })).toMatchObject({ username: closed.username });
  expect((await own.api(billings.find, { query: { filter: { OwnerId: id } } })).total).toBe(1);
  expect(await codeOf(own.api(users.suspend, { params: { id }, body: { reason } }))).toBe(
    'conflict',
  );
  expect(await codeOf(own.api(users.resume, { params: { id } }))).toBe('conflict');
  const changes = [
    { id, settings: { isTest: true } },
    { id: open.id, settings: { isTest: true } },
  ];
  const { data } = await own.api(accountChanges.apply, { body: { changes } });
  expect(data.map(({ error }) => error?.code ?? null)).toEqual(['conflict', null]);
});

test('an account that is opened again has its login and API tokens, and nothing that has ended', async () => {
  const customer = await world.person();
  await approve(world, customer.id);
  const scheduled = await bulk(customer, 1, tomorrow());
  await givePackage(customer);
  const { token } = await customer.api(tokens.create, {
    body: { description: 'R', permissions: ['users.get'] },
  });
  await close(administrator, customer, 1000);
  const opened = await reopen(administrator, customer);
  expect(opened).toMatchObject({ isActive: true, closedAt: null, suspension: null, balance: 0 });
  // A repetition changes nothing.
  expect(await reopen(administrator, customer)).toEqual(opened);
  const again = world.client(await world.login(customer.username));
  expect(await again(users.me)).toMatchObject({ isActive: true, balance: 0 });
  expect(await again(users.me)).not.toHaveProperty('closedAt');
  expect(await codeOf(world.client(token)(users.me))).toBe('answered');
  expect(await codeOf(customer.api(users.me))).toBe('session_ended');
  expect(await stateOf(scheduled)).toBe('stopped');
  const { data } = await again(packages.find, { query: {} });
  expect(data.every(({ endsAt }) => Date.parse(endsAt) <= world.clock.now().getTime())).toBe(true);
  expect((await notificationsOf(world, customer)).map(({ type }) => type)).toContain(
    'AccountResumed',
  );
});

test('rules of closed accounts find what contradicts them', async () => {
  const customer = await world.person();
  await approve(world, customer.id);
  const id = await bulk(customer, 1, tomorrow());
  await close(administrator, customer, 1000);
  const broken = async (change: string, back: string) => {
    await world.db.query(change, [id]);
    expect(await problems(world)).not.toEqual([]);
    await world.db.query(back, [id]);
  };
  await broken(
    `update tasks set state = 'paused', finished_at = null where id = $1`,
    `update tasks set state = 'stopped', finished_at = now() where id = $1`,
  );
  await broken(
    `update account_settlements set amount = amount - 1 where account_id = (select owner_id from tasks where id = $1)`,
    `update account_settlements set amount = amount + 1 where account_id = (select owner_id from tasks where id = $1)`,
  );
});
