import {
  auth,
  billings,
  recovery,
  tokens,
  users,
  type ApiError,
  type NewAccount,
} from '@heliograph/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { problems } from '../../../test/factories.ts';
import { type Person, World } from '../../../test/world.ts';
import { Mailer } from '../../core/mail/mailer.ts';

let world: World;
let reseller: Person;
let sibling: Person;
let manager: Person;
let administrator: Person;

beforeAll(async () => {
  world = await World.start();
  reseller = await world.person({ level: 'reseller' });
  sibling = await world.person({ level: 'reseller' });
  manager = await world.person({ level: 'manager' });
  administrator = await world.person({ level: 'manager', grants: { add: ['users.all'] } });
});
afterAll(() => world.stop());

type Input = Partial<Omit<NewAccount, 'data'>> & { data?: NewAccount['data'] };
let count = 0;
const create = (by: Person, { data = {}, ...input }: Input = {}) =>
  by.api(users.create, { body: { username: `created-${++count}`, data, ...input } });
const configure = (by: Person, id: string, body: object) =>
  by.api(users.configure, { params: { id }, body: body as never });
const codeOf = (answer: Promise<unknown>) =>
  answer.then(
    () => 'answered',
    (error: ApiError) => error.code,
  );
const keyOf = (url: string | null) => url!.split('/').at(-1)!;
const PASSWORD = 'tea & 3 cups';

test('who gets the link chooses the password once, and signs in to an account with tariff, balance and sender name', async () => {
  const data = { firstName: 'Anna', phone: '+79161234567' };
  const { user, invitation } = await create(reseller, { data });
  expect(invitation).toMatchObject({ email: null, url: expect.stringContaining('/recover/') });
  expect(user).toMatchObject({
    level: 'me',
    ResellerId: reseller.id,
    isActive: true,
    isTest: false,
    balance: 0,
    invitedAt: expect.any(String),
    phoneConfirmedAt: expect.any(String),
    emailConfirmedAt: null,
  });
  const params = { key: keyOf(invitation.url) };
  const visitor = world.client();
  expect(await visitor(recovery.check, { params })).toMatchObject({
    username: user.username,
    isInvitation: true,
  });
  await visitor(recovery.reset, { params, body: { password: PASSWORD } });
  expect(await codeOf(visitor(recovery.check, { params }))).toBe('not_found');
  const own = world.client(await world.login(user.username, PASSWORD));
  const me = await own(users.get, { params: { id: user.id }, query: { $scope: ['full'] } });
  expect(me).toMatchObject({ Tariffs: [{ title: 'Standard' }], Sendernames: [{ name: 'DEMO' }] });
  const seen = await reseller.api(users.get, { params: { id: user.id } });
  expect(seen.invitedAt).toBeNull();
  const again = reseller.api(users.invite, { params: { id: user.id }, body: {} });
  expect(await codeOf(again)).toBe('conflict');
  expect(await problems(world)).toEqual([]);
});

test('with mail the link is sent and not shown, and its use confirms the e-mail; another invitation ends the former', async () => {
  const sent: { to: string; url: string }[] = [];
  const mailer = world.api.get(Mailer);
  const { send } = mailer;
  mailer.send = async (to, { link }) => void sent.push({ to, url: link.url });
  const email = 'berta@tea.example';
  const first = await create(administrator, { username: undefined, data: { email } });
  expect(first.invitation).toMatchObject({ email, url: null });
  expect(first.user.username).toBe(email);
  const params = { id: first.user.id };
  await administrator.api(users.invite, { params, body: {} });
  await expect.poll(() => sent.length).toBe(2);
  mailer.send = send;
  expect(sent.map(({ to }) => to)).toEqual([email, email]);
  const body = { password: PASSWORD };
  const reset = (i: number) =>
    codeOf(world.client()(recovery.reset, { params: { key: keyOf(sent[i]!.url) }, body }));
  expect([await reset(0), await reset(1), await reset(1)]).toEqual([
    'not_found',
    'answered',
    'not_found',
  ]);
  const confirmed = await administrator.api(users.get, { params });
  expect(confirmed.emailConfirmedAt).toEqual(expect.any(String));
});

test('a link that its creator has seen confirms no e-mail; it ends after a week', async () => {
  const { user, invitation } = await create(reseller);
  await world.db.query(
    `update users set data = data || '{"email": "c@tea.example"}' where id = $1`,
    [user.id],
  );
  const params = { key: keyOf(invitation.url) };
  await world.db.query(
    `update recovery_keys set expires_at = expires_at - interval '7 days' where user_id = $1`,
    [user.id],
  );
  expect(await codeOf(world.client()(recovery.check, { params }))).toBe('not_found');
  const { url } = await world.db
    .query(`update users set data = data - 'email' where id = $1`, [user.id])
    .then(() => reseller.api(users.invite, { params: { id: user.id }, body: {} }));
  await world.db.query(
    `update users set data = data || '{"email": "c@tea.example"}' where id = $1`,
    [user.id],
  );
  await world.client()(recovery.reset, {
    params: { key: keyOf(url) },
    body: { password: PASSWORD },
  });
  expect((await reseller.api(users.get, { params: { id: user.id } })).emailConfirmedAt).toBeNull();
});

test('nobody signs in to an invited account before its holder has chosen a password', async () => {
  const { user } = await create(reseller);
  for (const password of ['', 'heliograph', 'null', user.username])
    expect(
      await codeOf(world.client()(auth.login, { body: { username: user.username, password } })),
    ).not.toBe('answered');
});

test('administrators create resellers, managers and their customers; the manager of a reseller is that of its customers', async () => {
  const created = await create(administrator, { level: 'reseller', ManagerId: manager.id });
  expect(created.user).toMatchObject({ level: 'reseller', ResellerId: null });
  const boss = await create(administrator, { level: 'manager' });
  expect(boss.user.level).toBe('manager');
  const customer = await create(administrator, { ResellerId: created.user.id, overdraft: 50 });
  expect(customer.user).toMatchObject({ ResellerId: created.user.id, overdraft: 50 });
  const [row] = await world.db.query<{ manager: string; grants: object }>(
    `select manager_id as manager, grants from users where id = $1`,
    [customer.user.id],
  );
  expect(row).toEqual({ manager: manager.id, grants: {} });
  const [log] = await world.db.query(
    `select action, actor_id as by, after from audit_log where target_id = $1`,
    [customer.user.id],
  );
  expect(log).toMatchObject({
    action: 'users.create',
    by: administrator.id,
    after: { ResellerId: created.user.id, overdraft: 50 },
  });
});

test('a manager creates customers of its own', async () => {
  const { user } = await create(manager, { overdraft: 10, currency: 'EUR' });
  expect(user).toMatchObject({ ResellerId: null, overdraft: 10, currency: 'EUR' });
  expect((await manager.api(users.get, { params: { id: user.id } })).id).toBe(user.id);
  expect(await codeOf(reseller.api(users.get, { params: { id: user.id } }))).toBe('not_found');
});

test.each<[string, () => Person, () => Input, string]>([
  ['a customer', () => reseller, () => ({ level: 'reseller' }), 'forbidden'],
  ['a manager of its own', () => reseller, () => ({ level: 'manager' }), 'forbidden'],
  ['a customer of a sibling', () => reseller, () => ({ ResellerId: sibling.id }), 'forbidden'],
  ['a customer of a manager', () => reseller, () => ({ ManagerId: manager.id }), 'forbidden'],
  ['a customer in credit', () => reseller, () => ({ overdraft: 1 }), 'validation'],
  ['a customer in another currency', () => reseller, () => ({ currency: 'USD' }), 'forbidden'],
  ['a customer without checks', () => reseller, () => ({ sendernamesCheck: [] }), 'forbidden'],
  ['a credit line', () => reseller, () => ({ creditLine: 100 }), 'forbidden'],
  ['bounds', () => reseller, () => ({ maxCustomers: 9 }), 'forbidden'],
  ['a reseller', () => manager, () => ({ level: 'reseller' }), 'forbidden'],
  ['a customer of a reseller', () => manager, () => ({ ResellerId: reseller.id }), 'forbidden'],
  [
    'a reseller of a reseller',
    () => administrator,
    () => ({ level: 'reseller', ResellerId: reseller.id }),
    'validation',
  ],
  [
    'a customer of a customer',
    () => administrator,
    () => ({ ResellerId: manager.id }),
    'validation',
  ],
  ['an unknown currency', () => administrator, () => ({ currency: 'ZZZ' }), 'validation'],
])('nobody creates beyond its bounds: %s', async (_, by, input, code) => {
  const before = await world.db.query(`select count(*) from users`);
  expect(await codeOf(create(by(), input()))).toBe(code);
  expect(await world.db.query(`select count(*) from users`)).toEqual(before);
});

test.each(['grants', 'passwordHash', 'password', 'permissions', 'isVerified'])(
  'a body with %s is refused',
  async (name) => {
    const { user } = await create(reseller);
    expect(await codeOf(create(administrator, { [name]: 'x' } as never))).toBe('unknown_field');
    expect(await codeOf(configure(administrator, user.id, { [name]: 'x' }))).toBe('unknown_field');
  },
);

test('tokens, customers and sessions opened by login-as create and configure nothing', async () => {
  const customer = await world.person({ resellerId: reseller.id });
  const { token } = await administrator.api(tokens.create, { body: { description: 'All' } });
  const borrowed = await administrator.api(auth.loginAs, { params: { id: reseller.id } });
  const callers = [
    [customer, 'forbidden'],
    [{ ...administrator, api: world.client(token) }, 'session_required'],
    [{ ...reseller, api: world.client(borrowed.token) }, 'borrowed_session'],
  ] as const;
  for (const [by, code] of callers) {
    expect(await codeOf(create(by))).toBe(code);
    expect(await codeOf(configure(by, customer.id, { isTest: true }))).toBe(code);
    const invite = by.api(users.invite, { params: { id: customer.id }, body: {} });
    expect(await codeOf(invite)).toBe(code);
  }
});

test('a reseller has a limited number of customers, also when they are created at the same time', async () => {
  const small = await world.person({ level: 'reseller' });
  await configure(administrator, small.id, { maxCustomers: 2 });
  const codes = await Promise.all(Array.from({ length: 4 }, () => codeOf(create(small))));
  expect(codes.toSorted()).toEqual(['answered', 'answered', 'quota_exceeded', 'quota_exceeded']);
});

test('settings are changed one by one, audited, and within the bounds of who changes them', async () => {
  const bounded = await world.person({ level: 'reseller' });
  const customer = await world.person({ resellerId: bounded.id });
  await configure(administrator, bounded.id, {
    maxCustomerOverdraft: 100,
    types: ['sms', 'viber'],
  });
  expect(await codeOf(configure(bounded, customer.id, { overdraft: 101 }))).toBe('validation');
  expect(await codeOf(configure(bounded, customer.id, { types: ['sms', 'voice'] }))).toBe(
    'validation',
  );
  const changed = await configure(bounded, customer.id, { overdraft: 100, types: ['sms'] });
  expect(changed).toMatchObject({ overdraft: 100 });
  expect(await codeOf(configure(bounded, bounded.id, { overdraft: 5 }))).toBe('forbidden');
  expect(await codeOf(configure(sibling, customer.id, { isTest: true }))).toBe('not_found');
  expect(await codeOf(configure(bounded, customer.id, { ResellerId: null }))).toBe('forbidden');
  await configure(administrator, customer.id, { creditLine: 5, types: null });
  const full = await administrator.api(users.get, {
    params: { id: customer.id },
    query: { $scope: ['full'] },
  });
  expect(full.settings).toEqual({ billings: { creditLine: 5 }, sendings: {} });
  const log = await world.db.query(
    `select actor_id as by, before, after from audit_log where target_id = $1 and action = 'users.configure' order by id`,
    [customer.id],
  );
  expect(log[0]).toMatchObject({
    by: bounded.id,
    before: { overdraft: 0 },
    after: { overdraft: 100, 'settings.sendings.types': ['sms'] },
  });
});

test('money sets limits: no overdraft below what is used, no other currency once there are entries', async () => {
  const { user } = await create(administrator, { overdraft: 100 });
  await configure(administrator, user.id, { currency: 'EUR' });
  await administrator.api(billings.create, {
    body: { OwnerId: user.id, source: 'subtract', amount: 60 },
  });
  expect(await codeOf(configure(administrator, user.id, { overdraft: 50 }))).toBe('conflict');
  expect(await codeOf(configure(administrator, user.id, { currency: 'USD' }))).toBe('conflict');
  expect(await configure(administrator, user.id, { overdraft: 60 })).toMatchObject({
    overdraft: 60,
    currency: 'EUR',
  });
  expect(await problems(world)).toEqual([]);
});

test('a level changes only by an administrator, while nobody depends on it and no permissions are its own', async () => {
  const one = await world.person({ level: 'reseller' });
  const customer = await world.person({ resellerId: one.id });
  expect(await codeOf(configure(administrator, one.id, { level: 'me' }))).toBe('conflict');
  expect(await codeOf(configure(one, customer.id, { level: 'reseller' }))).toBe('forbidden');
  await configure(administrator, customer.id, { ResellerId: sibling.id });
  expect(await configure(administrator, one.id, { level: 'me' })).toMatchObject({ level: 'me' });
  const other = await world.person({ level: 'manager', grants: { add: ['users.all'] } });
  expect(await codeOf(configure(administrator, other.id, { level: 'me' }))).toBe('conflict');
  expect(await codeOf(configure(manager, other.id, { level: 'me' }))).toBe('not_found');
  expect(await codeOf(configure(administrator, administrator.id, { overdraft: 1 }))).toBe(
    'forbidden',
  );
});
