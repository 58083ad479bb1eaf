import {
  settings,
  tokens,
  TOKEN_PERMISSIONS,
  USER_FIELD_PERMISSIONS,
  users,
  type Permission,
} from '@heliograph/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PASSWORD, type Person, World } from '../../../test/world.ts';

let world: World;
let customer: Person;
let reseller: Person;
let manager: Person;
let accountManager: Person;
let stranger: Person;

beforeAll(async () => {
  world = await World.start();
  manager = await world.person({ level: 'manager', grants: { add: ['users.all'] }, balance: 5 });
  accountManager = await world.person({ level: 'manager' });
  reseller = await world.person({ level: 'reseller', balance: 7 });
  customer = await world.person({
    resellerId: reseller.id,
    managerId: accountManager.id,
    balance: 250.5,
  });
  stranger = await world.person();
});
afterAll(() => world.stop());

test('each level lists the accounts within its reach', async () => {
  const seen = async (who: Person) =>
    (await who.api(users.find)).data.map((u) => u.username).sort();
  const names = (...people: Person[]) => people.map((p) => p.username).sort();
  expect(await seen(customer)).toEqual(names(customer));
  expect(await seen(reseller)).toEqual(names(reseller, customer));
  expect(await seen(accountManager)).toEqual(names(accountManager, customer));
  expect(await seen(manager)).toEqual(names(manager, accountManager, reseller, customer, stranger));
});

test('a list is searched, filtered by manager and ordered by balance', async () => {
  await world.db.query(`update users set data = $2 where id = $1`, [
    customer.id,
    { email: 'ann_100@mirtea.example', firstName: 'Anna' },
  ]);
  const found = await manager.api(users.find, { query: { search: 'N_100' } });
  expect(found).toMatchObject({ total: 1, data: [{ id: customer.id, balance: 250.5 }] });
  expect((await manager.api(users.find, { query: { search: 'a_n' } })).total).toBe(0);
  const managed = await manager.api(users.find, {
    query: { filter: { ManagerId: accountManager.id } },
  });
  expect(managed.data.map((u) => u.id)).toEqual([customer.id]);
  expect(managed.data[0]!.data.partnership).toMatchObject({ ManagerId: accountManager.id });
  const managers = await manager.api(users.find, { query: { filter: { level: ['manager'] } } });
  expect(managers.data.map((u) => u.id).sort()).toEqual([manager.id, accountManager.id].sort());
  const ordered = await manager.api(users.find, {
    query: { order: [{ field: 'balance', direction: 'asc' }], limit: 3 },
  });
  expect(ordered.data.map((u) => u.balance)).toEqual([5, 7, 250.5]);
});

test('a profile is changed field by field; null clears', async () => {
  const params = { id: customer.id };
  const change = (body: object) => customer.api(users.update, { params, body });
  await world.db.query(`update users set phone_confirmed_at = null where id = $1`, [customer.id]);
  const data = { phone: '8 (900) 123-45-67', lastName: 'Smirnova' };
  await change({ data, password: PASSWORD });
  const after = await change({ data: { lastName: null, country: 'RU' } });
  expect(after.data).toMatchObject({ phone: '+79001234567', country: 'RU' });
  expect(after.data).not.toHaveProperty('lastName');
  expect(await customer.api(users.me)).toMatchObject({ id: customer.id, data: after.data });
  await expect(change({ data: { phone: '12345' } })).rejects.toMatchObject({
    status: 422,
    body: { data: [{ field: 'data.phone' }] },
  });
});

test('an unconfirmed phone is replaced at once, a confirmed one waits for the code to the other', async () => {
  const who = await world.person();
  const change = (data: object, password?: string) =>
    who.api(users.update, { params: { id: who.id }, body: { data, password } });
  const isConfirmed = { phoneConfirmedAt: expect.any(String) };
  await world.db.query(`update users set phone_confirmed_at = null where id = $1`, [who.id]);
  const first = await change({ phone: '+79001234500' }, PASSWORD);
  expect(first).toMatchObject({ phoneConfirmedAt: null, pendingPhone: null });
  await world.db.query(`update users set phone_confirmed_at = now() where id = $1`, [who.id]);
  const same = await change({ phone: '8 900 123-45-00', firstName: 'Vera' });
  expect(same).toMatchObject({ ...isConfirmed, pendingPhone: null });
  expect(await change({ phone: '+79001234501' }, PASSWORD)).toMatchObject({
    ...isConfirmed,
    pendingPhone: '+79001234501',
    data: { phone: '+79001234500' },
  });
});

test('a username is unique whatever its case, and frees the former one', async () => {
  const params = { id: customer.id };
  const taken = { username: stranger.username.toUpperCase(), password: PASSWORD };
  await expect(customer.api(users.update, { params, body: taken })).rejects.toMatchObject({
    status: 422,
    body: { data: [{ field: 'username', type: 'unique' }] },
  });
  const renamed = await customer.api(users.update, {
    params,
    body: { username: 'mirtea@shop', password: PASSWORD },
  });
  expect(renamed.username).toBe('mirtea@shop');
  const same = await customer.api(users.update, {
    params,
    body: { username: 'MirTea@shop', password: PASSWORD },
  });
  expect(same.username).toBe('MirTea@shop');
});

test('of two concurrent registrations of a username one succeeds', async () => {
  const tries = [customer, stranger].map((who) =>
    who.api(users.update, {
      params: { id: who.id },
      body: { username: 'wanted-by-both', password: PASSWORD },
    }),
  );
  const results = await Promise.allSettled(tries);
  expect(results.filter((r) => r.status === 'fulfilled')).toHaveLength(1);
  const lost = results.find((r) => r.status === 'rejected') as PromiseRejectedResult;
  expect(lost.reason).toMatchObject({ status: 422 });
});

test('a referral code is set by the account holder, and by a reseller and above', async () => {
  const set = (who: Person, referralCode: string | null) =>
    who.api(users.update, { params: { id: customer.id }, body: { referralCode } });
  expect((await set(customer, 'MINE')).referralCode).toBe('MINE');
  for (const none of [null, ''])
    await expect(set(customer, none)).rejects.toMatchObject({
      status: 422,
      body: { data: [{ field: 'referralCode', type: 'required' }] },
    });
  expect((await set(reseller, 'TEA2026')).referralCode).toBe('TEA2026');
  expect((await set(customer, 'TEA2026')).referralCode).toBe('TEA2026');
  const another = stranger.api(users.update, {
    params: { id: stranger.id },
    body: { referralCode: 'tea2026' },
  });
  await expect(another).rejects.toMatchObject({
    status: 422,
    body: { data: [{ field: 'referralCode', type: 'unique' }] },
  });
  const same = { params: { id: reseller.id }, body: { referralCode: 'tea2026' } };
  await expect(reseller.api(users.update, same)).rejects.toMatchObject({
    status: 422,
    body: { data: [{ field: 'referralCode', type: 'unique' }] },
  });
  for (const wrong of ['ab', 'two words', 'чай2026', 'a&b=c'])
    await expect(set(reseller, wrong)).rejects.toMatchObject({
      status: 422,
      body: { data: [{ field: 'referralCode', type: 'referral_code' }] },
    });
  expect((await set(reseller, null)).referralCode).toBeNull();
});

test('a sub-user shares the account and can change only itself', async () => {
  const sub = await world.person();
  await world.db.query(`update users set owner_id = $2, role = 'owner' where id = $1`, [
    sub.id,
    stranger.id,
  ]);
  await new Promise((resolve) => setTimeout(resolve, 1100));
  const me = await sub.api(users.me);
  expect(me).toMatchObject({ id: sub.id, OwnerId: stranger.id, balance: 1000 });
  const rename = (id: string) =>
    sub.api(users.update, { params: { id }, body: { data: { firstName: 'Boris' } } });
  await expect(rename(stranger.id)).rejects.toMatchObject({
    status: 403,
    message: expect.stringContaining('account holder'),
  });
  const code = { params: { id: sub.id }, body: { referralCode: 'OURS' } };
  await expect(sub.api(users.update, code)).rejects.toMatchObject({
    status: 403,
    message: expect.stringContaining('account holder'),
  });
  expect((await rename(sub.id)).data.firstName).toBe('Boris');
});

test('the full scope adds tariffs, sender names and settings', async () => {
  const plain = await customer.api(users.me);
  expect(plain).not.toHaveProperty('Tariffs');
  const full = await reseller.api(users.get, {
    params: { id: customer.id },
    query: { scope: ['full'] },
  });
  expect(full.settings).toEqual({});
  expect(full.Tariffs![0]).toMatchObject({ title: 'Standard', priority: 0 });
  expect(full.Sendernames).toEqual([]);
  const voice = full.Tariffs![0]!.finalRules.find((r) => r.conditions[0]?.value === 'voice');
  expect(voice!.price).toEqual([0.6, 0.09]);
  for (const { finalRules, data } of full.Tariffs!) expect(data.rules).toEqual(finalRules);
});

test('a reseller sees the name of its customer’s manager, the customer does not', async () => {
  const full = (who: Person, id = customer.id) =>
    who.api(users.get, { params: { id }, query: { scope: ['full'] } });
  const named = { id: accountManager.id, username: accountManager.username };
  expect((await full(reseller)).Manager).toEqual(named);
  expect((await full(accountManager)).Manager).toEqual(named);
  expect((await full(manager, stranger.id)).Manager).toBeNull();
  expect(await full(customer)).not.toHaveProperty('Manager');
});

/** A client with a token that has these of the person's permissions. */
async function withToken(who: Person, permissions: Permission[]) {
  const held = (await who.api(settings.get)).permissions;
  const given = permissions.filter((name) => name in held);
  const body = { description: 'Shop', permissions: given };
  return world.client((await who.api(tokens.create, { body })).token);
}
/** The fields of an answer, of which `data` counts if it is not empty. */
const fieldsOf = (user: { data: object }) =>
  Object.keys(user)
    .filter((name) => name !== 'data' || Object.keys(user.data).length > 0)
    .sort();

async function acquainted() {
  const holder = await world.person({ level: 'reseller', balance: 321 });
  await world.db.query(
    `update users set data = '{"email":"anna@tea.example","firstName":"Anna"}', pending_phone = '+79001234599' where id = $1`,
    [holder.id],
  );
  return holder;
}

test('a token without the permissions receives who it is, and nothing else of the person and its money', async () => {
  const holder = await acquainted();
  const narrow = await withToken(holder, ['contacts.get']);
  for (const query of [{}, { scope: ['full' as const] }]) {
    const me = await narrow(users.me, { query });
    expect(me).toMatchObject({ id: holder.id, username: holder.username, data: {} });
    for (const name of Object.keys(USER_FIELD_PERMISSIONS).filter((field) => field !== 'data'))
      expect(me).not.toHaveProperty(name);
    expect(JSON.stringify(me)).not.toMatch(/anna|Anna|234599"|:321/);
  }
});

test.each([...new Set(Object.values(USER_FIELD_PERMISSIONS))])(
  'a token with all permissions but %s receives what needs others, in every answer with users',
  async (missing) => {
    const holder = await acquainted();
    const token = await withToken(
      holder,
      TOKEN_PERMISSIONS.filter((name) => name !== missing),
    );
    const isHidden = (name: string) =>
      (USER_FIELD_PERMISSIONS as Record<string, string>)[name] === missing;
    const params = { id: holder.id };
    const query = { scope: ['full' as const] };
    const body = { data: { firstName: 'Anna' } };
    const answersTo = async (api: Person['api']) => ({
      me: await api(users.me, { query }),
      changed: await api(users.update, { params, body }),
      ...(missing !== 'users.get' && {
        one: await api(users.get, { params, query }),
        listed: (await api(users.find, { query })).data[0]!,
      }),
    });
    const own = Object.entries(await answersTo(holder.api)).map(([, user]) => fieldsOf(user));
    const seen = Object.entries(await answersTo(token)).map(([, user]) => fieldsOf(user));
    expect(own[0]!.some(isHidden)).toBe(true);
    expect(seen).toEqual(own.map((fields) => fields.filter((name) => !isHidden(name))));
  },
);

test('a token with all permissions and a session receive the same', async () => {
  const holder = await acquainted();
  const { token } = await holder.api(tokens.create, { body: { description: 'All' } });
  const query = { scope: ['full' as const] };
  const own = await holder.api(users.me, { query });
  expect(own).toMatchObject({
    balance: 321,
    overdraft: 0,
    currency: 'RUB',
    pendingPhone: '+79001234599',
    data: { email: 'anna@tea.example' },
  });
  expect(await world.client(token)(users.me, { query })).toEqual(own);
});

test('a token that may not read balances cannot order users by them', async () => {
  const order = [{ field: 'balance' as const, direction: 'asc' as const }];
  const narrow = await withToken(reseller, ['users.get']);
  await expect(narrow(users.find, { query: { order } })).rejects.toMatchObject({
    status: 403,
    body: { payload: { permission: 'billings.find' } },
  });
  const both = await withToken(reseller, ['users.get', 'billings.find']);
  expect((await both(users.find, { query: { order } })).total).toBe(2);
});
