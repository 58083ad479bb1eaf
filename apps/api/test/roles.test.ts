import {
  can,
  contract,
  permissionsOf,
  rolePermissionsOf,
  ROLES,
  type Endpoint,
  type Permission,
  type Role,
} from '@heliograph/contract';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { raw } from './raw.ts';
import { World, type Person } from './world.ts';

/** A member of a team does what its role says, and nothing else: tried on every endpoint of the contract. */

const ENDPOINTS = Object.entries(contract).flatMap(([noun, endpoints]) =>
  Object.entries(endpoints as Record<string, Endpoint>).map(([verb, def]) => ({
    name: `${noun}.${verb}`,
    def,
  })),
);
const GUARDED = ENDPOINTS.filter(
  ({ def }) => !['public', 'session', 'carrier'].includes(def.can) && !def.orWith,
);

let world: World;
let owner: Person;
let other: Person;
let foreign: Person;
let team: Record<Role, Person>;

const teamOf = async (account: Person) =>
  Object.fromEntries(
    await Promise.all(ROLES.map(async (role) => [role, await world.member(account, role)])),
  ) as Record<Role, Person>;

beforeAll(async () => {
  world = await World.start({ DEMO: '1' });
  owner = await world.person({ level: 'reseller' });
  other = await world.person();
  team = await teamOf(owner);
  foreign = (await teamOf(other)).sender;
});
afterAll(() => world.stop());

test.each(ROLES)(
  '%s: calls that the role does not have are refused by their permission',
  async (role) => {
    const held = rolePermissionsOf(permissionsOf('me'), role);
    const lacked = GUARDED.filter(({ def }) => !can(held, def.can as Permission, def.accept));
    expect(lacked.length).toBeGreaterThan(20);
    const wrong: string[] = [];
    for (const { name, def } of lacked) {
      const path = def.path.replace(/:\w+/g, () => randomUUID());
      const body = def.method === 'GET' || def.upload ? undefined : {};
      const { status, json } = await raw(world, team[role], def.method, path, body);
      if (status !== 403 || json.payload?.permission !== def.can) wrong.push(`${name}: ${status}`);
    }
    expect(wrong).toEqual([]);
  },
);

test('each role has what it is for', () => {
  const of = (role: Role) => rolePermissionsOf(permissionsOf('me'), role);
  const has: [Role, Permission, boolean][] = [
    ['owner', 'members.create', true],
    ['owner', 'payments.create', true],
    ['sender', 'sendings.generate', true],
    ['sender', 'contacts.remove', true],
    ['sender', 'billings.find', false],
    ['sender', 'tokens.create', false],
    ['analyst', 'reports.create', true],
    ['analyst', 'sendings.generate', false],
    ['analyst', 'contacts.get', false],
    ['accountant', 'payments.create', true],
    ['accountant', 'billings.find', true],
    ['accountant', 'sendings.get', false],
    ['developer', 'tokens.create', true],
    ['developer', 'webhooks.create', true],
    ['developer', 'payments.create', false],
    ['readOnly', 'billings.find', true],
    ['readOnly', 'contacts.get', true],
    ['readOnly', 'contacts.create', false],
  ];
  for (const [role, permission, expected] of has)
    expect([role, permission, can(of(role), permission)]).toEqual([role, permission, expected]);
  for (const role of ROLES.slice(1))
    for (const permission of ['members.create', 'members.update', 'persons.erase'] as const)
      expect([role, permission, can(of(role), permission)]).toEqual([role, permission, false]);
});

type Attempt = [name: string, method: string, path: () => string, body?: () => unknown];
const FIELDS: Record<string, unknown> = {
  role: 'owner',
  level: 'manager',
  grants: { add: ['users.all'] },
  permissions: { 'users.all': 'manager' },
  OwnerId: randomUUID(),
  isHolder: true,
  isActive: true,
};
const ACCOUNTS = {
  'the holder': () => owner.id,
  'the holder of another account': () => other.id,
  'a member of another account': () => foreign.id,
};
/** What nobody of a team may do, whatever the role. */
const OF_NOBODY: Attempt[] = [
  ...Object.entries(ACCOUNTS).flatMap(([whom, idOf]): Attempt[] => [
    [`to give ${whom} a role`, 'PUT', () => `/members/${idOf()}`, () => ({ role: 'readOnly' })],
    [`to remove ${whom}`, 'DELETE', () => `/members/${idOf()}`],
    [`to invite ${whom}`, 'POST', () => `/members/${idOf()}/invite`, () => ({})],
    [`to change ${whom}`, 'PUT', () => `/users/${idOf()}`, () => ({ data: { firstName: 'X' } })],
    [`to suspend ${whom}`, 'POST', () => `/users/${idOf()}/suspend`, () => ({ reason: 'x' })],
    [`to sign in as ${whom}`, 'POST', () => `/login/as/${idOf()}`, () => ({})],
    [`to configure ${whom}`, 'PUT', () => `/users/${idOf()}/account`, () => ({ overdraft: 9 })],
    [`to give ${whom} tariffs`, 'PUT', () => `/users/${idOf()}/tariffs`, () => ({ tariffs: [] })],
  ]),
  ['to open an account', 'POST', () => '/users', () => ({ username: 'x-new', data: {} })],
];
const ofItself = (who: () => Person): Attempt[] => [
  ['to give itself a role', 'PUT', () => `/members/${who().id}`, () => ({ role: 'owner' })],
  ['to remove itself', 'DELETE', () => `/members/${who().id}`],
  ...Object.entries(FIELDS).map(([field, value]): Attempt => [
    `to set its ${field}`,
    'PUT',
    () => `/users/${who().id}`,
    () => ({ [field]: value }),
  ]),
  ...Object.entries(FIELDS).map(([field, value]): Attempt => [
    `to invite somebody with ${field}`,
    'POST',
    () => '/members',
    () => ({
      email: 'thief@tea.example',
      role: 'sender',
      [field]: field === 'role' ? 'root' : value,
    }),
  ]),
];

const state = () =>
  world.db.query(
    `select u.id, u.username, u.owner_id, u.level, u.role, u.grants, u.is_active, u.removed_at, u.settings, u.data->>'firstName' as name
       from users u order by u.id`,
  );

describe.each(ROLES)('%s: attempts at more', (role) => {
  test('are refused and change nothing', async () => {
    const before = await state();
    const who = () => team[role];
    const codes: [string, number][] = [];
    for (const [name, method, path, body] of [...OF_NOBODY, ...ofItself(who)])
      codes.push([name, (await raw(world, who(), method, path(), body?.())).status]);
    expect(codes.filter(([, status]) => ![403, 404, 422, 400].includes(status))).toEqual([]);
    expect(await state()).toEqual(before);
  });
});

test.each(ROLES.slice(1))('%s: changes nobody of the team', async (role) => {
  const before = await state();
  const who = team[role];
  for (const { id } of Object.values(team)) {
    for (const [method, path, body] of [
      ['PUT', `/members/${id}`, { role: 'owner' }],
      ['DELETE', `/members/${id}`],
      ['POST', `/members/${id}/invite`, {}],
    ] as [string, string, object?][])
      expect((await raw(world, who, method, path, body)).status).toBe(403);
  }
  const invited = { email: 'accomplice@tea.example', role: 'owner' };
  expect((await raw(world, who, 'POST', '/members', invited)).status).toBe(403);
  expect(await state()).toEqual(before);
});

test('a call that was on its way when its caller lost the role changes nothing', async () => {
  const [fallen, victim] = [
    await world.member(owner, 'owner'),
    await world.member(owner, 'sender'),
  ];
  await fallen.api(contract.members.find);
  // Not by the call, which would drop what the guard still knows.
  await world.db.query(`update users set role = 'sender' where id = $1`, [fallen.id]);
  const answer = await raw(world, fallen, 'DELETE', `/members/${victim.id}`);
  expect(answer).toMatchObject({
    status: 403,
    json: { payload: { permission: 'members.remove' } },
  });
});

test('a member of a reseller reaches none of its customers', async () => {
  const customer = await world.person({ resellerId: owner.id });
  const { data } = await team.owner.api(contract.users.find);
  expect(data.map(({ id }) => id)).not.toContain(customer.id);
  const read = await raw(world, team.owner, 'GET', `/users/${customer.id}`);
  expect(read.status).toBe(404);
  const query = { filter: { OwnerId: customer.id } } as never;
  await expect(team.owner.api(contract.sendings.find, { query })).rejects.toMatchObject({
    status: 404,
  });
});

test('a list of users has the members of teams, or account holders alone', async () => {
  const idsOf = async (filter: object) =>
    (await owner.api(contract.users.find, { query: { filter, limit: 100 } as never })).data.map(
      ({ id }) => id,
    );
  expect(await idsOf({ OwnerId: owner.id })).toEqual(
    expect.arrayContaining([owner.id, team.sender.id]),
  );
  expect(await idsOf({ isHolder: true })).not.toContain(team.sender.id);
  expect(await idsOf({ isHolder: true })).toContain(owner.id);
  expect(await idsOf({ isHolder: false })).not.toContain(owner.id);
});

test('what members receive by GET /users has nothing of the money that they may not see', async () => {
  for (const role of ['sender', 'analyst', 'developer'] as const) {
    const { data } = await team[role].api(contract.users.find, {
      query: { scope: ['full'] } as never,
    });
    for (const row of data) {
      expect(row).not.toHaveProperty('balance');
      expect(row).not.toHaveProperty('settings');
    }
    const sorted = await raw(world, team[role], 'GET', '/users?$order=balance');
    expect([403, 422]).toContain(sorted.status);
  }
});
