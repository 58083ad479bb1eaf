import {
  ADMINISTRATOR_GRANTS,
  audit,
  billings,
  identities,
  identityProviders,
  members,
  notifications,
  settings,
  type GroupRole,
  type IdentityProvider,
  type IdentityProviderInput,
  type Session,
} from '@heliograph/contract';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { through, withIdentity, withProvider } from '../../../test/identities.ts';
import { Browser, OidcPeer } from '../../../test/peers/oidc-peer.ts';
import { refusal } from '../../../test/refusal.ts';
import { withSecondFactor } from '../../../test/second-factor.ts';
import { type Person, World } from '../../../test/world.ts';
import { Refusals } from '../../core/audit/refusals.ts';

let world: World;
let peer: OidcPeer;
let owner: Person;
let provider: IdentityProvider;

const ROLES: GroupRole[] = [
  { group: 'finance', role: 'accountant' },
  { group: 'staff', role: 'sender' },
];

beforeAll(async () => {
  world = await World.start();
  peer = await new OidcPeer().start();
});
afterAll(async () => {
  await peer.stop();
  await world.stop();
});
beforeEach(async () => {
  peer.person = `person-${randomUUID()}`;
  peer.claims = { groups: ['staff'] };
  owner = await world.person();
  provider = await managing(owner);
});

const managing = ({ id }: Person, values: Partial<IdentityProviderInput> = {}) =>
  withProvider(world, peer, { AccountId: id, roles: ROLES, ...values });
async function visited(at = provider): Promise<{ browser: Browser; answer: string }> {
  const browser = new Browser();
  const { url } = await through(world, browser)(identities.start, { params: { id: at.id } });
  return { browser, answer: await browser.follow(url) };
}
const signIn = ({ browser, answer }: Awaited<ReturnType<typeof visited>>, at = provider) =>
  through(world, browser)(identities.signIn, { params: { id: at.id }, body: { answer } });
/** Later sign-ins begin later than those before them. */
async function entered(at = provider): Promise<Session> {
  world.clock.forward(1);
  return signIn(await visited(at), at);
}
const tried = (at = provider) => refusal(entered(at));
const personOf = ({ id, username, token }: Session): Person => ({
  id,
  username,
  token,
  OwnerId: owner.id,
  api: world.client(token),
});
const teamOf = async ({ api }: Person) =>
  (await api(members.find)).data
    .filter(({ isHolder }) => !isHolder)
    .map(({ username, role }) => `${username} ${role}`);
const administrator = () =>
  world.person({ level: 'manager', grants: { add: ADMINISTRATOR_GRANTS } });
const unlink = async ({ api }: Person) => {
  const { identities: own } = await api(identities.find);
  return refusal(api(identities.remove, { params: { id: own[0]!.id } }));
};
const change = async (body: object, at = provider) =>
  (await administrator()).api(identityProviders.update, { params: { id: at.id }, body });

describe('a person whom nobody is linked to', () => {
  test('becomes a member with the role of its group, and is the same one later', async () => {
    const session = await entered();
    const username = `${peer.person}@tea.example`;
    expect(session.username).toBe(username);
    expect(await teamOf(owner)).toEqual([`${username} sender`]);
    const { data } = await owner.api(members.find);
    expect(data.find(({ id }) => id === session.id)).toMatchObject({
      email: username,
      isActive: true,
      invitedAt: null,
    });
    expect((await entered()).id).toBe(session.id);
    expect(await teamOf(owner)).toHaveLength(1);
    const { data: facts } = await owner.api(audit.find);
    const created = facts.filter(({ action }) => action === 'members.create');
    expect(created).toMatchObject([
      { target: { id: session.id }, after: { username, role: 'sender', provider: 'Tea House' } },
    ]);
    expect(facts.filter(({ action }) => action === 'auth.login').length).toBeGreaterThan(1);
    const { identities: own } = await personOf(session).api(identities.find);
    expect(own).toMatchObject([{ provider: { id: provider.id }, lastUsedAt: expect.any(String) }]);
  });

  test('of no group that has a role is not let in, unless an entry is for everybody', async () => {
    for (const groups of [[], ['others'], 'staff', { 0: 'staff' }, [['staff']], 7, null]) {
      peer.claims = { groups };
      expect(await tried()).toBe('unknown_identity');
    }
    peer.claims = { teams: ['staff'] };
    expect(await tried()).toBe('unknown_identity');
    expect(await teamOf(owner)).toEqual([]);
    await change({ groupsClaim: 'teams' });
    expect(await tried()).toBe('accepted');
    peer.person = `another-${randomUUID()}`;
    peer.claims = { teams: 'staff' };
    await change({ roles: [...ROLES, { group: null, role: 'readOnly' }] });
    expect(await tried()).toBe('accepted');
    expect(await teamOf(owner)).toContain(`${peer.person}@tea.example readOnly`);
  });

  test('without an e-mail, or with one that is said to be unverified, is not let in', async () => {
    const groups = ['staff'];
    for (const claims of [
      { email: undefined },
      { email: 'not an e-mail' },
      { email: ['a@tea.example'] },
      { email_verified: false },
      { email_verified: 'false' },
    ]) {
      peer.claims = { groups, ...claims };
      expect(await tried()).toBe('unknown_identity');
    }
    expect(await teamOf(owner)).toEqual([]);
    peer.claims = { groups, email: `Ann-${randomUUID()}@Tea.Example`, email_verified: true };
    expect((await entered()).username).toBe(String(peer.claims.email).toLowerCase());
  });

  test('with the e-mail of a user is not linked to that one', async () => {
    const name = `${peer.person}@tea.example`;
    const holder = await world.person({ name: name.toUpperCase() });
    expect(await tried()).toBe('unknown_identity');
    expect((await holder.api(identities.find)).identities).toEqual([]);
    expect(await teamOf(owner)).toEqual([]);
  });

  test('who signs in twice at once is one member', async () => {
    const former = await visited();
    world.clock.forward(1);
    const latter = await visited();
    const results = await Promise.all([former, latter].map((one) => refusal(signIn(one))));
    // After the later one the one that was begun before is refused, as always.
    expect(results[1]).toBe('accepted');
    expect(['accepted', 'wrong_identity']).toContain(results[0]);
    expect(await teamOf(owner)).toEqual([`${peer.person}@tea.example sender`]);
  });

  test('whom a user links to itself meanwhile is no second one', async () => {
    const visit = await visited();
    const linking = world.hold(async () => {
      await world.db.query(
        `insert into identities (user_id, provider_id, subject, name, begun_at) values ($1, $2, $3, '', 'epoch')`,
        [owner.id, provider.id, peer.person],
      );
      const signing = refusal(signIn(visit));
      await world.waitedFor('the sign-in waits for the link');
      return { signing };
    });
    expect(await (await linking).signing).toBe('wrong_identity');
    expect(await teamOf(owner)).toEqual([]);
    expect((await entered()).id).toBe(owner.id);
  });

  test('is let in once by an answer', async () => {
    const visit = await visited();
    const copy = { ...visit, browser: new Browser(visit.browser.header) };
    expect(await refusal(signIn(visit))).toBe('accepted');
    expect(await refusal(signIn(copy))).toBe('wrong_identity');
  });

  test('is refused when the team is full or the account is suspended', async () => {
    const identitiesOf = () =>
      world.db.query(`select 1 from identities where provider_id = $1`, [provider.id]);
    await world.db.query(
      `insert into users (username, password_hash, owner_id, level, role) select $1::uuid::text || n, '', $1, 'me', 'sender' from generate_series(1, 100) n`,
      [owner.id],
    );
    expect(await tried()).toBe('quota_exceeded');
    expect(await identitiesOf()).toEqual([]);
    const [one] = (await owner.api(members.find)).data.filter(({ isHolder }) => !isHolder);
    await owner.api(members.remove, { params: { id: one!.id } });
    await world.db.query(`update users set is_active = false where id = $1`, [owner.id]);
    expect(await tried()).toBe('account_inactive');
    expect(await identitiesOf()).toEqual([]);
    await world.db.query(`update users set is_active = true where id = $1`, [owner.id]);
    expect(await tried()).toBe('accepted');
    await world.api.get(Refusals).flush();
  });

  test('is refused when the roles were changed between the answer and its use', async () => {
    const visit = await visited();
    // Between the roles that were read and the transaction.
    peer.forge = async (token) => {
      peer.forge = null;
      await change({ roles: [{ group: 'staff', role: 'readOnly' }] });
      return token;
    };
    expect(await refusal(signIn(visit))).toBe('wrong_identity');
    expect(await teamOf(owner)).toEqual([]);
  });

  test('and whose group makes it an owner is one as those who were invited', async () => {
    await change({ roles: [{ group: 'staff', role: 'owner' }] });
    const member = personOf(await entered());
    const invited = await world.member(owner, 'owner');
    const [given, usual] = await Promise.all([member, invited].map(({ api }) => api(settings.get)));
    expect(given!.permissions).toEqual(usual!.permissions);
    const { id } = owner;
    const removed = member.api(members.remove, { params: { id } });
    expect(await refusal(removed)).toBe('forbidden');
    expect(await refusal(member.api(identityProviders.find))).toBe('forbidden');
  });

  test('becomes no member of an account whose provider has no roles', async () => {
    await change({ roles: [] });
    expect(await tried()).toBe('unknown_identity');
    expect(await teamOf(owner)).toEqual([]);
  });
});

describe('the role of a member', () => {
  test('follows the groups, also in open sessions, and is audited', async () => {
    peer.claims = { groups: ['staff', 'finance'] };
    const member = personOf(await entered());
    expect(await refusal(member.api(billings.find))).toBe('accepted');
    peer.claims = { groups: ['staff'] };
    const session = await entered();
    expect(session.id).toBe(member.id);
    expect(await refusal(member.api(billings.find))).toBe('forbidden');
    const { data } = await owner.api(audit.find);
    expect(data.filter(({ action }) => action === 'members.update')).toMatchObject([
      { target: { id: member.id }, before: { role: 'accountant' }, after: { role: 'sender' } },
    ]);
  });

  test('stays, with the open sessions, when no group fits any longer; then nobody signs in', async () => {
    const member = personOf(await entered());
    peer.claims = { groups: ['others'] };
    expect(await tried()).toBe('unknown_identity');
    expect(await teamOf(owner)).toEqual([`${member.username} sender`]);
    expect(await refusal(member.api(notifications.find))).toBe('accepted');
    peer.claims = { groups: ['finance'] };
    expect(await tried()).toBe('accepted');
    expect(await teamOf(owner)).toEqual([`${member.username} accountant`]);
  });

  test('is left alone by an answer that is refused', async () => {
    const former = await visited();
    const member = personOf(await entered());
    await owner.api(members.update, { params: { id: member.id }, body: { role: 'readOnly' } });
    expect(await refusal(signIn(former))).toBe('wrong_identity');
    expect(await teamOf(owner)).toEqual([`${member.username} readOnly`]);
  });

  test('is its own if the member has linked itself, also at the provider of another account', async () => {
    const reseller = await world.person({ level: 'reseller' });
    await world.db.query(`update users set reseller_id = $2 where id = $1`, [
      owner.id,
      reseller.id,
    ]);
    const above = await managing(reseller, { roles: [{ group: null, role: 'owner' }] });
    const member = await world.member(owner, 'analyst');
    await withIdentity(world, member, provider);
    expect(await tried()).toBe('accepted');
    await withIdentity(world, member, above);
    expect(await tried(above)).toBe('accepted');
    expect(await teamOf(owner)).toEqual([`${member.username} analyst`]);
    // One that the provider of this account manages, too.
    peer.person = `managed-${randomUUID()}`;
    const managed = personOf(await entered());
    await world.db.query(
      `insert into identities (user_id, provider_id, subject, name, begun_at) values ($1, $2, $3, '', 'epoch')`,
      [managed.id, above.id, peer.person],
    );
    expect((await entered(above)).id).toBe(managed.id);
    expect(await teamOf(owner)).toContain(`${managed.username} sender`);
  });

  test('is left to the team when the provider has no roles any longer', async () => {
    const member = personOf(await entered());
    await change({ roles: [] });
    await owner.api(members.update, { params: { id: member.id }, body: { role: 'analyst' } });
    expect((await entered()).id).toBe(member.id);
    expect(await teamOf(owner)).toEqual([`${member.username} analyst`]);
  });

  test('waits for the code of the second factor', async () => {
    const member = personOf(await entered());
    await world.db.query(
      `update users set password_hash = (select password_hash from users where id = $2) where id = $1`,
      [member.id, owner.id],
    );
    const app = await withSecondFactor(world, member);
    // Many groups do not make the cookie longer.
    const many = Array.from({ length: 400 }, (_, index) => `group-${index}`);
    peer.claims = { groups: ['finance', ...many] };
    world.clock.forward(1);
    const visit = await visited();
    expect(await refusal(signIn(visit))).toBe('second_factor_required');
    expect(visit.browser.header.length).toBeLessThan(2000);
    expect(await teamOf(owner)).toEqual([`${member.username} sender`]);
    const confirm = (code: string) =>
      through(world, visit.browser)(identities.confirm, {
        params: { id: provider.id },
        body: { code },
      });
    expect(await refusal(confirm('WRONG-CODES'))).toBe('wrong_code');
    expect(await teamOf(owner)).toEqual([`${member.username} sender`]);
    expect((await confirm(app.next())).id).toBe(member.id);
    expect(await teamOf(owner)).toEqual([`${member.username} accountant`]);
    // A role that the provider gave before its roles were changed is none.
    world.clock.forward(30);
    const stale = await visited();
    expect(await refusal(signIn(stale))).toBe('second_factor_required');
    await change({ roles: [{ group: 'finance', role: 'readOnly' }] });
    const late = through(world, stale.browser)(identities.confirm, {
      params: { id: provider.id },
      body: { code: app.next() },
    });
    expect(await refusal(late)).toBe('wrong_identity');
    expect(await teamOf(owner)).toEqual([`${member.username} accountant`]);
    await world.api.get(Refusals).flush();
  });
});

test('a member who was removed does not return by itself, but links itself after an invitation', async () => {
  const member = personOf(await entered());
  await owner.api(members.remove, { params: { id: member.id } });
  expect(await tried()).toBe('unknown_identity');
  expect(await teamOf(owner)).toEqual([]);
  const kept = await world.db.query(`select name from identities where provider_id = $1`, [
    provider.id,
  ]);
  expect(kept).toEqual([{ name: '' }]);
  const { data } = await (await administrator()).api(identityProviders.find);
  expect(data.find(({ id }) => id === provider.id)).toMatchObject({ users: 0 });
  const again = await world.member(owner, 'analyst');
  await withIdentity(world, again, provider);
  expect((await entered()).id).toBe(again.id);
  expect(await teamOf(owner)).toEqual([`${again.username} analyst`]);
  // One that has linked itself, too.
  await owner.api(members.remove, { params: { id: again.id } });
  expect(await tried()).toBe('unknown_identity');
  expect(await teamOf(owner)).toEqual([]);
});

test('a member cannot unlink the provider that manages it, to return as somebody new after its removal', async () => {
  const member = personOf(await entered());
  const { identities: own } = await member.api(identities.find);
  expect(own).toMatchObject([{ isManaged: true }]);
  expect(await unlink(member)).toBe('forbidden');
  await owner.api(members.remove, { params: { id: member.id } });
  expect(await tried()).toBe('unknown_identity');
  expect(await teamOf(owner)).toEqual([]);
  // Who has linked itself may, and so may all when the provider has no roles any longer.
  const linked = await world.member(owner, 'analyst');
  peer.person = `linked-${randomUUID()}`;
  await withIdentity(world, linked, provider);
  expect(await unlink(linked)).toBe('accepted');
  peer.person = `third-${randomUUID()}`;
  const third = personOf(await entered());
  await change({ roles: [] });
  expect(await unlink(third)).toBe('accepted');
});

test('a member who was removed does not return by way of a customer of the account', async () => {
  const reseller = await world.person({ level: 'reseller' });
  const above = await managing(reseller);
  const { id } = await entered(above);
  await reseller.api(members.remove, { params: { id } });
  const customer = await world.person({ resellerId: reseller.id });
  expect(await refusal(withIdentity(world, customer, above))).toBe('conflict');
  expect(await tried(above)).toBe('unknown_identity');
  expect(await teamOf(reseller)).toEqual([]);
});

test('roles are of the provider of an account that signs in its members, and are bounded', async () => {
  const { api } = await administrator();
  const { url: issuer, secret } = peer;
  const input = { title: 'New', issuer, clientId: 'a', secret, levels: ['me' as const] };
  const create = (over: object) =>
    refusal(api(identityProviders.create, { body: { ...input, roles: ROLES, ...over } }));
  expect(await create({})).toBe('required');
  expect(await create({ AccountId: owner.id, levels: ['reseller'] })).toBe('required');
  const many = Array.from({ length: 21 }, () => ROLES[0]!);
  expect(await create({ AccountId: owner.id, roles: many })).not.toBe('accepted');
  const unknown = [{ group: 'staff', role: 'king' }];
  expect(await create({ AccountId: owner.id, roles: unknown })).not.toBe('accepted');
  const long = [{ group: 'a'.repeat(201), role: 'sender' }];
  expect(await create({ AccountId: owner.id, roles: long })).not.toBe('accepted');
  expect(await create({ AccountId: owner.id, roles: many.slice(1) })).toBe('accepted');
  const ofAll = await withProvider(world, peer);
  expect(ofAll).toMatchObject({ roles: [], groupsClaim: 'groups' });
  expect(await refusal(change({ roles: ROLES }, ofAll))).toBe('required');
  expect(await refusal(change({ levels: ['reseller'] }))).toBe('required');
  expect(await change({ title: 'Renamed' })).toMatchObject({ roles: ROLES });
});
