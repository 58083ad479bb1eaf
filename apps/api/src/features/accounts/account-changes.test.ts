import {
  accountChanges,
  ADMINISTRATOR_GRANTS,
  spendCaps,
  tariffs,
  tokens,
  users,
  type AccountChange,
  type ApiError,
} from '@heliograph/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Person, World } from '../../../test/world.ts';

let world: World;
let administrator: Person;
let manager: Person;
let reseller: Person;
let first: Person;
let second: Person;

beforeAll(async () => {
  world = await World.start();
  administrator = await world.person({ level: 'manager', grants: { add: ADMINISTRATOR_GRANTS } });
  manager = await world.person({ level: 'manager' });
});
beforeEach(async () => {
  reseller = await world.person({ level: 'reseller' });
  const kept = { resellerId: reseller.id, managerId: manager.id };
  first = await world.person(kept);
  second = await world.person(kept);
});
afterAll(() => world.stop());

type Parts = Omit<AccountChange, 'id'>;
const each = (parts: Parts, ...of: { id: string }[]) => of.map(({ id }) => ({ id, ...parts }));
const apply = async (by: Person, changes: AccountChange[]) =>
  (await by.api(accountChanges.apply, { body: { changes } })).data;
/** The code, and the field, of each refusal; `null` of those that were changed. */
const outcomes = async (by: Person, changes: AccountChange[]) =>
  (await apply(by, changes)).map(({ error }) => error && (error.field ?? error.code));
const codeOf = (answer: Promise<unknown>) =>
  answer.then(
    () => 'answered',
    (error: ApiError) => error.code,
  );
const stateOf = ({ id }: Person) =>
  administrator.api(users.get, { params: { id }, query: { $scope: ['full'] } });
const auditOf = ({ id }: Person) =>
  world.db.query<{ action: string; by: string }>(
    `select action, actor_id as by from audit_log where target_id = $1 order by id`,
    [id],
  );

test('settings, tariffs and caps of several accounts change, each with the audit record of the single call', async () => {
  const { id: tariff } = await administrator.api(tariffs.create, {
    body: {
      title: 'Of many',
      source: 'standard',
      isDefault: false,
      rules: [{ action: 'increase', price: 2, conditions: [], priority: 0 }],
    },
  });
  const parts: Parts = {
    settings: { overdraft: 50, types: ['sms'], ManagerId: administrator.id },
    tariffs: [{ id: tariff, priority: 3 }],
    caps: { day: 100, month: null, timeZone: 'Europe/Moscow' },
  };
  expect(await outcomes(administrator, each(parts, first, second))).toEqual([null, null]);
  for (const one of [first, second]) {
    const { overdraft, settings, Tariffs, Manager } = await stateOf(one);
    expect({ overdraft, settings, Manager }).toMatchObject({
      overdraft: 50,
      settings: { sendings: { types: ['sms'] } },
      Manager: { id: administrator.id },
    });
    expect(Tariffs!.map(({ id }) => id)).toEqual([tariff]);
    const caps = await administrator.api(spendCaps.find, { query: { OwnerId: one.id } });
    expect(caps.data).toMatchObject([{ period: 'day', limit: 100 }]);
    expect(await auditOf(one)).toEqual([
      { action: 'users.configure', by: administrator.id },
      { action: 'tariffs.assign', by: administrator.id },
      { action: 'spendCaps.set', by: administrator.id },
    ]);
  }
});

test('accounts are suspended and active again; the state that one has is no change', async () => {
  const suspend = { suspend: { reason: 'No payment' } };
  await apply(manager, each(suspend, first));
  expect(await outcomes(manager, each(suspend, first, second))).toEqual([null, null]);
  expect((await stateOf(second)).suspension).toMatchObject({ reason: 'No payment' });
  expect(await outcomes(manager, each({ resume: true }, first, second))).toEqual([null, null]);
  expect(await stateOf(first)).toMatchObject({ isActive: true, suspension: null });
  const actions = (await auditOf(first)).map(({ action }) => action);
  expect(actions).toEqual(['users.suspend', 'users.resume']);
});

test('an account that refuses stays as it was, wholly, and keeps no other back', async () => {
  const before = await stateOf(first);
  const changes = [
    // The settings could be changed, the tariff is none.
    {
      id: first.id,
      settings: { isTest: true },
      tariffs: [{ id: reseller.id, priority: 0 }],
    },
    ...each({ settings: { ManagerId: first.id } }, second),
    ...each({ settings: { isTest: true } }, administrator, await world.member(first, 'sender')),
    { id: '01930000-0000-7000-8000-0000000000ff', settings: { isTest: true } },
    ...each({ settings: { isTest: true } }, second),
  ];
  expect(await outcomes(administrator, changes)).toEqual([
    'tariffs',
    'ManagerId',
    'forbidden',
    'conflict',
    'not_found',
    null,
  ]);
  expect(await stateOf(first)).toEqual(before);
  expect(await auditOf(first)).toEqual([]);
  expect(await stateOf(second)).toMatchObject({ isTest: true });
});

test('a reseller changes its customers only, within its bounds', async () => {
  await administrator.api(users.configure, {
    params: { id: reseller.id },
    body: { maxCustomerOverdraft: 100, types: ['sms'] },
  });
  const stranger = await world.person();
  expect(await outcomes(reseller, each({ settings: { overdraft: 100 } }, first, stranger))).toEqual(
    [null, 'not_found'],
  );
  const refused = async (parts: Parts) => (await outcomes(reseller, each(parts, second)))[0];
  expect(await refused({ settings: { overdraft: 101 } })).toBe('overdraft');
  expect(await refused({ settings: { types: ['viber'] } })).toBe('types');
  expect(await refused({ settings: { ManagerId: manager.id } })).toBe('forbidden');
  expect(await stateOf(second)).toMatchObject({ overdraft: 0, Manager: { id: manager.id } });
});

test('a part needs the permission of its single call', async () => {
  const bare = await world.person({
    level: 'manager',
    grants: { remove: ['users.suspend', 'spendCaps.update'] },
  });
  await world.db.query(`update users set manager_id = $2 where id = $1`, [first.id, bare.id]);
  const refused = async (parts: Parts) => (await outcomes(bare, each(parts, first)))[0];
  expect(await refused({ suspend: { reason: 'x' } })).toBe('forbidden');
  expect(await refused({ tariffs: [] })).toBe('forbidden');
  expect(await refused({ caps: { day: 1, month: null, timeZone: 'UTC' } })).toBe('forbidden');
  expect(await stateOf(first)).toMatchObject({ isActive: true });
});

test('customers and tokens change nothing, and a call has at most a hundred accounts and a change for each', async () => {
  const changes = each({ settings: { isTest: true } }, first);
  expect(await codeOf(apply(first, changes))).toBe('forbidden');
  const { token } = await administrator.api(tokens.create, { body: { description: 'All' } });
  const program = { ...administrator, api: world.client(token) };
  expect(await codeOf(apply(program, changes))).toBe('session_required');
  for (const wrong of [
    [],
    [{ id: first.id }],
    each({ suspend: { reason: 'x' }, resume: true }, first),
    Array.from({ length: 101 }, () => changes[0]!),
  ])
    expect(await codeOf(apply(administrator, wrong))).toBe('validation');
});
