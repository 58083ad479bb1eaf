import {
  ADMINISTRATOR_GRANTS,
  audit,
  auth,
  identities,
  identityProviders,
  members,
  notifications,
  passkeys,
  type IdentityProvider,
  type IdentityProviderInput,
  type Session,
} from '@heliograph/contract';
import { STATUS } from '@heliograph/smpp';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { withPasskey } from '../../../test/authenticator.ts';
import { through, withIdentity, withProvider } from '../../../test/identities.ts';
import { Browser, OidcPeer } from '../../../test/peers/oidc-peer.ts';
import { smppClient } from '../../../test/peers/smpp-client.ts';
import { refusal } from '../../../test/refusal.ts';
import { withSecondFactor } from '../../../test/second-factor.ts';
import { PASSWORD, type Person, World } from '../../../test/world.ts';
import { hashPassword } from '../../core/auth/passwords.ts';

let world: World;
let peer: OidcPeer;
let owner: Person;

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
  peer.claims = {};
  owner = await world.person();
});

const required = (values: Partial<IdentityProviderInput> = {}, account = owner) =>
  withProvider(world, peer, { AccountId: account.id, isRequired: true, ...values });
const change = async (provider: IdentityProvider, body: object) => {
  const { api } = await world.person({ level: 'manager', grants: { add: ADMINISTRATOR_GRANTS } });
  return api(identityProviders.update, { params: { id: provider.id }, body });
};
const login = ({ username }: Person, password = PASSWORD) =>
  world.client()(auth.login, { body: { username, password } });
const isOpen = ({ api }: Person) =>
  refusal(api(identities.find)).then((code) => code === 'accepted');
async function visited(at: IdentityProvider) {
  // Later sign-ins begin later than those before them.
  world.clock.forward(1);
  const browser = new Browser();
  const api = through(world, browser);
  const { url } = await api(identities.start, { params: { id: at.id } });
  const answer = await browser.follow(url);
  const params = { id: at.id };
  return {
    signIn: (): Promise<Session> => api(identities.signIn, { params, body: { answer } }),
    confirm: (code: string): Promise<Session> =>
      api(identities.confirm, { params, body: { code } }),
  };
}
const enter = async (at: IdentityProvider) => (await visited(at)).signIn();
const tried = async (at: IdentityProvider) => refusal(enter(at));
/** The user has the e-mail of the person whom the provider signs in. */
async function named(user: Person): Promise<Person> {
  const username = `${peer.person}@tea.example`;
  await world.db.query(`update users set username = $2 where id = $1`, [user.id, username]);
  return { ...user, username };
}

test('members sign in by it alone, neither by password nor by passkey, as long as it is required', async () => {
  const member = await world.member(owner, 'sender');
  const provider = await required({ isRequired: false });
  await withIdentity(world, member, provider);
  const device = await withPasskey(world, member);
  const byPasskey = async () => {
    const api = world.client();
    const credential = device.sign(await api(passkeys.signInOptions));
    return refusal(api(passkeys.signIn, { body: { credential } }));
  };
  expect(await byPasskey()).toBe('accepted');
  await change(provider, { isRequired: true });
  await expect(login(member)).rejects.toMatchObject({
    status: 401,
    body: {
      code: 'identity_required',
      payload: { provider: { id: provider.id, title: provider.title } },
    },
  });
  expect(await refusal(login(member, 'not this one'))).toBe('wrong_credentials');
  expect(await byPasskey()).toBe('identity_required');
  expect((await enter(provider)).id).toBe(member.id);
  // One that is switched off, for other levels or not required binds nobody.
  for (const off of [{ isActive: false }, { isRequired: false }]) {
    await change(provider, { isRequired: true, isActive: true });
    expect(await refusal(login(member))).toBe('identity_required');
    await change(provider, off);
    expect(await refusal(login(member))).toBe('accepted');
    expect(await byPasskey()).toBe('accepted');
  }
});

test('it binds the members of its account: not the holder, not customers, not others', async () => {
  const reseller = await world.person({ level: 'reseller' });
  const customer = await world.person({ resellerId: reseller.id });
  const member = await world.member(reseller, 'sender');
  const ofCustomer = await world.member(customer, 'sender');
  await required({}, reseller);
  for (const free of [reseller, customer, ofCustomer, owner])
    expect(await refusal(login(free))).toBe('accepted');
  expect(await refusal(login(member))).toBe('identity_required');
});

test('another provider to which a member is linked does not sign it in instead', async () => {
  const member = await world.member(owner, 'sender');
  const ofAll = await withProvider(world, peer);
  await withIdentity(world, member, ofAll);
  expect(await tried(ofAll)).toBe('accepted');
  const only = await required();
  expect(await tried(ofAll)).toBe('identity_required');
  // Of two that are required each will do.
  const second = await required();
  await named(member);
  expect(await tried(only)).toBe('accepted');
  expect(await tried(second)).toBe('accepted');
});

test('the open sessions of those whom it binds end, and no others', async () => {
  const [member, late] = [await world.member(owner, 'sender'), await world.member(owner, 'owner')];
  const other = await world.person();
  const { api } = await world.person({ level: 'manager', grants: { add: ADMINISTRATOR_GRANTS } });
  await required();
  for (const ended of [member, late]) expect(await isOpen(ended)).toBe(false);
  for (const open of [owner, other]) expect(await isOpen(open)).toBe(true);
  // Who looks after the account goes on signing in as its members.
  const { token } = await api(auth.loginAs, { params: { id: member.id } });
  expect(await isOpen({ ...member, api: world.client(token) })).toBe(true);
});

test('a session by the provider is renewed, and stays when something else changes', async () => {
  const member = await named(await world.member(owner, 'sender'));
  const provider = await required();
  const first = await enter(provider);
  expect(first.id).toBe(member.id);
  await change(provider, { title: 'Tea Palace', trustsSecondFactor: true });
  const renewed = await world.client(first.token)(auth.renew);
  expect(await isOpen({ ...member, api: world.client(renewed.token) })).toBe(true);
});

test('a member with the e-mail of the person is linked at the first sign-in, and is told', async () => {
  const member = await named(await world.member(owner, 'sender'));
  const provider = await required();
  const session = await enter(provider);
  expect(session.id).toBe(member.id);
  const api = world.client(session.token);
  expect((await api(identities.find)).identities).toMatchObject([
    { name: member.username, lastUsedAt: expect.any(String), isManaged: false },
  ]);
  const { data } = await api(notifications.find);
  expect(data.map(({ type }) => type)).toContain('AuthIdentityAdded');
  const facts = (await owner.api(audit.find)).data;
  expect(facts.find(({ action }) => action === 'identities.create')).toMatchObject({
    Actor: { id: member.id },
    after: { name: member.username, provider: provider.title },
  });
  // The person is known by its `sub` from then on.
  peer.claims = { email: 'renamed@tea.example' };
  expect((await enter(provider)).id).toBe(member.id);
});

test('its groups then give the role', async () => {
  const member = await named(await world.member(owner, 'readOnly'));
  peer.claims = { groups: ['finance'] };
  const roles = [{ group: 'finance', role: 'accountant' as const }];
  const provider = await required({ roles });
  expect((await enter(provider)).id).toBe(member.id);
  const { data } = await owner.api(members.find);
  expect(data.find(({ id }) => id === member.id)).toMatchObject({ role: 'accountant' });
  peer.claims = { groups: [] };
  expect(await tried(provider)).toBe('unknown_identity');
});

test('a linked member with a second factor is still asked for its code', async () => {
  const member = await world.member(owner, 'sender');
  const app = await withSecondFactor(world, member);
  await named(member);
  const visit = await visited(await required());
  expect(await refusal(visit.signIn())).toBe('second_factor_required');
  expect(await refusal(visit.confirm('WRONG-CODES'))).toBe('wrong_code');
  expect((await visit.confirm(app.next())).id).toBe(member.id);
});

test('nobody else is linked by an e-mail', async () => {
  const member = await world.member(owner, 'sender');
  const provider = await required();
  // The holder, a user of another account, and a member whose e-mail the provider has not checked.
  await named(owner);
  expect(await tried(provider)).toBe('unknown_identity');
  peer.person = `person-${randomUUID()}`;
  await named(await world.member(await world.person(), 'sender'));
  expect(await tried(provider)).toBe('unknown_identity');
  peer.person = `person-${randomUUID()}`;
  await named(member);
  for (const claims of [{ email_verified: false }, { email: undefined }]) {
    peer.claims = claims;
    expect(await tried(provider)).toBe('unknown_identity');
  }
  peer.claims = {};
  await change(provider, { isRequired: false });
  expect(await tried(provider)).toBe('unknown_identity');
  await change(provider, { isRequired: true });
  expect(await tried(provider)).toBe('accepted');
  // Neither a member who is linked to another person of it.
  const { person } = peer;
  peer.person = `person-${randomUUID()}`;
  peer.claims = { email: `${person}@tea.example` };
  expect(await tried(provider)).toBe('unknown_identity');
});

test('who was removed stays out, and is let in again after an invitation', async () => {
  const member = await named(await world.member(owner, 'sender'));
  const provider = await required();
  expect(await tried(provider)).toBe('accepted');
  await owner.api(members.remove, { params: { id: member.id } });
  expect(await tried(provider)).toBe('unknown_identity');
  const again = await world.member(await world.person(), 'sender');
  await world.db.query(`update users set owner_id = $2 where id = $1`, [again.id, owner.id]);
  await named(again);
  expect((await enter(provider)).id).toBe(again.id);
});

test('two sign-ins of a new person at once link its member once', async () => {
  const member = await named(await world.member(owner, 'sender'));
  const provider = await required();
  const visits = [await visited(provider), await visited(provider)];
  const ids = await Promise.allSettled(visits.map(({ signIn }) => signIn()));
  // The earlier visit is refused if the later one was used before it.
  const sessions = ids.flatMap((one) => (one.status === 'fulfilled' ? [one.value.id] : []));
  expect(new Set(sessions)).toEqual(new Set([member.id]));
  const rows = await world.db.query(`select 1 from identities where provider_id = $1`, [
    provider.id,
  ]);
  expect(rows).toHaveLength(1);
});

test('a password does not bind over SMPP either, and who is bound is unbound', async () => {
  const member = await world.member(owner, 'owner');
  const systemId = `smpp-${member.id.slice(0, 8)}`;
  await world.db.query(`update users set username = $2, password_hash = $3 where id = $1`, [
    member.id,
    systemId,
    await hashPassword('short123'),
  ]);
  const { port } = await world.startSmpp();
  const credentials = { systemId, password: 'short123' };
  const client = await smppClient(port, credentials);
  await required();
  expect(await client.session.closed).toBe('The peer unbound');
  await expect(smppClient(port, credentials)).rejects.toMatchObject({
    status: STATUS.ESME_RBINDFAIL,
  });
});

test('it is of an account, and signs in members', async () => {
  const refused = (values: Partial<IdentityProviderInput>) =>
    refusal(withProvider(world, peer, { isRequired: true, ...values }));
  expect(await refused({ AccountId: null })).toBe('required');
  expect(await refused({ AccountId: owner.id, levels: ['reseller'] })).toBe('required');
  const provider = await required();
  expect(await refusal(change(provider, { levels: ['reseller'] }))).toBe('required');
});
