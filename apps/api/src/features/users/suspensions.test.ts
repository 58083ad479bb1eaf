import {
  auth,
  sendings,
  tasks,
  tokens,
  users,
  type ApiError,
  type SendingReceipt,
} from '@heliograph/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Carrier } from '../../../test/carrier.ts';
import {
  approve,
  balance,
  contactList,
  ended,
  finished,
  problems,
} from '../../../test/factories.ts';
import { listen } from '../../../test/listen.ts';
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
  administrator = await world.person({ level: 'manager', grants: { add: ['users.all'] } });
});
afterAll(async () => {
  await world.stop();
  carrier.stop();
});

const reason = 'The invoice is not paid';
const suspend = (by: Person, { id }: { id: string }) =>
  by.api(users.suspend, { params: { id }, body: { reason } });
const resume = (by: Person, { id }: { id: string }) => by.api(users.resume, { params: { id } });
const codeOf = (answer: Promise<unknown>) =>
  answer.then(
    () => 'answered',
    (error: ApiError) => error.code,
  );
const stateOf = async (id: string) => {
  const task = await administrator.api(tasks.get, { params: { id } });
  return [task.state, task.reason];
};
const payload = { sender: 'MIRTEA', text: 'Tea is ready' };
async function bulk(owner: Person, people: number, schedule?: object): Promise<string> {
  const recipient = { include: [await contactList(world, owner.id, people)] };
  const body = { type: 'sms', payload, recipient, schedule };
  return ((await owner.api(sendings.create, { body: body as never })) as { id: string }).id;
}
/** Another user of an account, without a balance of its own. */
async function subUser({ id: OwnerId }: Person): Promise<Person> {
  const second = await world.person({ balance: 0 });
  await world.db.query(`delete from billings where owner_id = $1`, [second.id]);
  await world.db.query(`delete from balances where owner_id = $1`, [second.id]);
  await world.db.query(`delete from users_tariffs where owner_id = $1`, [second.id]);
  await world.db.query(`update users set owner_id = $1, role = 'owner' where id = $2`, [
    OwnerId,
    second.id,
  ]);
  return { ...second, OwnerId };
}
const at = (seconds: number) => ({
  delay: new Date(world.clock.now().getTime() + seconds * 1000).toISOString(),
});

test('a suspended account is signed out everywhere at once: sessions, other users, tokens, sockets, login-as', async () => {
  const customer = await world.person({ resellerId: reseller.id });
  const second = await subUser(customer);
  const { token } = await customer.api(tokens.create, {
    body: { description: 'S', permissions: ['users.get'] },
  });
  const borrowed = await reseller.api(auth.loginAs, { params: { id: customer.id } });
  const all = [customer.token, second.token, token, borrowed.token];
  const lost = await Promise.all(
    all.map((one) => listen(world, { ...customer, token: one }, 'disconnect')),
  );
  const suspended = await suspend(reseller, customer);
  expect(suspended).toMatchObject({
    isActive: false,
    suspension: { reason, at: expect.any(String) },
    balance: 1000,
  });
  await until(async () => lost.every(({ length }) => length), 'the sockets are cut off');
  const answers = await Promise.all(all.map((one) => codeOf(world.client(one)(users.me))));
  expect(answers).toEqual(['session_ended', 'session_ended', 'unauthorized', 'session_ended']);
  const credentials = { username: customer.username, password: 'heliograph' };
  expect(await codeOf(world.client()(auth.login, { body: credentials }))).toBe('wrong_credentials');
  expect(await codeOf(reseller.api(auth.loginAs, { params: { id: customer.id } }))).toBe(
    'not_found',
  );
  await resume(reseller, customer);
  const again = await world.login(customer.username);
  expect(await world.client(again)(users.me)).toMatchObject({ isActive: true, balance: 1000 });
  // API tokens outlive the suspension; sessions do not.
  expect(await codeOf(world.client(token)(users.me))).toBe('answered');
  expect(await codeOf(customer.api(users.me))).toBe('session_ended');
});

test('a running bulk submits nothing more, keeps its money, and goes on exactly there', async () => {
  const customer = await world.person({ resellerId: reseller.id });
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
  await suspend(reseller, customer);
  const [charged] = await world.db.query<{ amount: string }>(
    `select sum(amount)::text as amount from billings where owner_id = $1 and status = 1`,
    [customer.id],
  );
  expect(await balance(world, customer.id)).toBe(Number(charged!.amount));
  release();
  // Calls that had begun end; what they took is final.
  const inHands = () =>
    world.db.query(`select 1 from batches where task_id = $1 and stage in (1, 2)`, [id]);
  await until(async () => (await inHands()).length === 0, 'no batch is in hands');
  const submitted = carrier.taken.length;
  await new Promise((resolve) => setTimeout(resolve, 2000));
  expect(carrier.taken).toHaveLength(submitted);
  expect(submitted).toBeLessThan(300);
  expect(await stateOf(id)).toEqual(['paused', 'account_inactive']);
  const task = { params: { id }, body: { state: 'scheduled' as const } };
  expect(await codeOf(reseller.api(tasks.update, task))).toBe('account_inactive');
  expect(await problems(world)).toEqual([]);

  await resume(reseller, customer);
  await until(async () => carrier.taken.length >= 300, 'the rest is submitted');
  expect(new Set(carrier.taken).size).toBe(300);
  await carrier.report(
    carrier.taken.map((reference) => ({
      reference,
      status: 'delivered' as const,
      at: world.clock.now().toISOString(),
    })),
  );
  await finished(administrator, id);
  expect((await administrator.api(tasks.get, { params: { id } })).meta.counters).toMatchObject({
    total: 300,
    completed: 300,
    errored: 0,
  });
  expect(await problems(world)).toEqual([]);
});

test('scheduled bulks return with the account, but for those that have missed their time or that their owner has paused', async () => {
  const customer = await world.person({ resellerId: reseller.id });
  await approve(world, customer.id);
  const [missed, future, own] = [
    await bulk(customer, 1, at(600)),
    await bulk(customer, 1, at(7200)),
    await bulk(customer, 1, at(7200)),
  ];
  await customer.api(tasks.update, { params: { id: own }, body: { state: 'paused' } });
  await suspend(administrator, customer);
  for (const id of [missed, future])
    expect(await stateOf(id)).toEqual(['paused', 'account_inactive']);
  world.clock.forward(1200);
  await resume(administrator, customer);
  expect(await stateOf(missed)).toEqual(['paused', 'account_inactive']);
  expect(await stateOf(future)).toEqual(['scheduled', null]);
  expect(await stateOf(own)).toEqual(['paused', null]);
  const token = await world.login(customer.username);
  const go = { params: { id: missed }, body: { state: 'scheduled' as const } };
  expect((await world.client(token)(tasks.update, go)).state).toBe('running');
});

test('a message that waits is refunded when it is due while its account is suspended', async () => {
  const customer = await world.person({ resellerId: reseller.id });
  await approve(world, customer.id);
  carrier.isBusy = true;
  const { id } = (await customer.api(sendings.create, {
    body: { type: 'sms', payload, recipient: '+79161234567' } as never,
  })) as SendingReceipt;
  await until(async () => carrier.refused > 0, 'the message waits');
  expect(await balance(world, customer.id)).toBeLessThan(1000);
  await suspend(reseller, customer);
  carrier.isBusy = false;
  const sent = await ended(administrator, id);
  expect(sent.state).toMatchObject({ status: 'failed', error: 'The account was deactivated.' });
  expect(await balance(world, customer.id)).toBe(1000);
  expect(carrier.taken).not.toContain(id);
});

test('each change is audited with its reason and told to the user; a repetition changes nothing', async () => {
  const customer = await world.person({ resellerId: reseller.id });
  const first = await suspend(reseller, customer);
  const second = await reseller.api(users.suspend, {
    params: { id: customer.id },
    body: { reason: 'Another' },
  });
  expect(second).toEqual(first);
  await resume(reseller, customer);
  await resume(reseller, customer);
  const log = await world.db.query(
    `select action, actor_id as by, before, after from audit_log where target_id = $1 and action like 'users.%' and after is not null order by id`,
    [customer.id],
  );
  expect(log).toEqual([
    {
      action: 'users.suspend',
      by: reseller.id,
      before: { isActive: true, reason: null },
      after: { isActive: false, reason },
    },
    {
      action: 'users.resume',
      by: reseller.id,
      before: { isActive: false, reason },
      after: { isActive: true, reason: null },
    },
  ]);
  const told = await world.db.query(
    `select type, data from notifications where user_id = $1 and channel = 'web' order by id`,
    [customer.id],
  );
  expect(told).toMatchObject([
    { type: 'AccountSuspended', data: { username: customer.username, reason } },
    { type: 'AccountResumed' },
  ]);
  expect(await world.client(await world.login(customer.username))(users.me)).not.toHaveProperty(
    'suspension',
  );
});

test('who may: a reseller its customers, a manager its accounts, an administrator all others; nobody itself, an equal or a superior', async () => {
  const manager = await world.person({ level: 'manager' });
  const sibling = await world.person({ level: 'reseller' });
  const customer = await world.person({ resellerId: reseller.id, managerId: manager.id });
  const outcome = async (by: Person, of: Person) => {
    const code = await codeOf(suspend(by, of));
    if (code === 'answered') await resume(administrator, of);
    return code;
  };
  expect(await outcome(reseller, customer)).toBe('answered');
  expect(await outcome(manager, customer)).toBe('answered');
  expect(await outcome(administrator, await world.person({ level: 'reseller' }))).toBe('answered');
  expect(await outcome(administrator, await world.person({ level: 'manager' }))).toBe('answered');
  for (const by of [reseller, manager, administrator])
    expect(await outcome(by, by)).toBe('forbidden');
  expect(await outcome(sibling, customer)).toBe('not_found');
  expect(await outcome(reseller, sibling)).toBe('not_found');
  const token = await world.login(customer.username);
  const asCustomer = { ...customer, api: world.client(token) };
  expect(await outcome(asCustomer, customer)).toBe('forbidden');
  const borrowed = await administrator.api(auth.loginAs, { params: { id: sibling.id } });
  const own = await world.person({ resellerId: sibling.id });
  expect(await outcome({ ...sibling, api: world.client(borrowed.token) }, own)).toBe(
    'borrowed_session',
  );
  const { token: key } = await administrator.api(tokens.create, { body: { description: 'All' } });
  expect(await outcome({ ...administrator, api: world.client(key) }, own)).toBe('session_required');
});

test('a suspended user of an account takes only itself along', async () => {
  const holder = await world.person({ resellerId: reseller.id });
  const second = await subUser(holder);
  await approve(world, holder.id);
  const id = await bulk(holder, 1, at(7200));
  await suspend(reseller, second);
  expect(await codeOf(second.api(users.me))).toBe('session_ended');
  expect(await codeOf(holder.api(users.me))).toBe('answered');
  expect(await stateOf(id)).toEqual(['scheduled', null]);
});
