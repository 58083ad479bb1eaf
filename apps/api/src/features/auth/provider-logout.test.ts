import { audit, auth, identities, type IdentityProvider } from '@heliograph/contract';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { through, withIdentity, withProvider } from '../../../test/identities.ts';
import { Browser, OidcPeer } from '../../../test/peers/oidc-peer.ts';
import { type Person, World } from '../../../test/world.ts';

let world: World;
let peer: OidcPeer;
let user: Person;
let provider: IdentityProvider;

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
  user = await world.person();
  provider = await withProvider(world, peer);
  await withIdentity(world, user, provider);
});

const isOpen = ({ api }: Pick<Person, 'api'>) =>
  api(identities.find).then(
    () => true,
    () => false,
  );
const logout = (token: string, id = provider.id) =>
  world.client()(identities.logout, { params: { id }, body: { logout_token: token } });
const refusal = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'accepted',
    (error: { body: { code: string } }) => error.body.code,
  );

test('a person who signs out at the provider is signed out here', async () => {
  const { pathname } = new URL(provider.logoutUri);
  peer.logoutUri = `${world.base}${pathname}`;
  peer.register(provider.redirectUri);
  const browser = new Browser();
  const api = through(world, browser);
  const params = { id: provider.id };
  world.clock.forward(1);
  const { url } = await api(identities.start, { params });
  const answer = await browser.follow(url);
  const { token } = await api(identities.signIn, { params, body: { answer } });
  expect(await isOpen({ api: world.client(token) })).toBe(true);
  await browser.signOut(peer.url);
  expect(await isOpen({ api: world.client(token) })).toBe(false);
  expect(await isOpen(user)).toBe(false);
  peer.logoutUri = null;
});

test('a token ends the sessions that were opened until then, once, and is audited', async () => {
  const [again, other] = [await world.login(user.username), await world.person()];
  const manager = await world.person({ level: 'manager' });
  await world.db.query(`update users set manager_id = $2 where id = $1`, [user.id, manager.id]);
  const borrowed = await manager.api(auth.loginAs, { params: { id: user.id } });
  const token = peer.logoutToken();
  expect(await logout(token)).toEqual({ ended: 3 });
  for (const ended of [user.token, again, borrowed.token])
    expect(await isOpen({ api: world.client(ended) })).toBe(false);
  for (const open of [manager, other]) expect(await isOpen(open)).toBe(true);
  // A minute later than the token: clocks differ by up to 30 seconds.
  const later = { ...user, api: world.client(await world.login(user.username)) };
  await world.db.query(
    `update sessions set signed_in_at = now() + interval '1 minute' where user_id = $1 and revoked_at is null`,
    [user.id],
  );
  expect(await logout(token)).toEqual({ ended: 0 });
  expect(await isOpen(later)).toBe(true);
  const { data } = await later.api(audit.find);
  const facts = data.filter(({ action }) => action === 'auth.logout');
  expect(facts).toMatchObject([
    { Actor: { id: user.id }, after: { ended: 3, provider: 'Tea House' } },
  ]);
});

test('a token of another person, or of a person who is unlinked, ends nothing', async () => {
  expect(await logout(peer.logoutToken({ sub: 'somebody else' }))).toEqual({ ended: 0 });
  const another = await withProvider(world, peer);
  expect(await logout(peer.logoutToken(), another.id)).toEqual({ ended: 0 });
  expect(await isOpen(user)).toBe(true);
});

test('what is not a logout token of the provider is refused', async () => {
  const now = Math.floor(Date.now() / 1000);
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
  const good = peer.logoutToken();
  const tokens = {
    'no token': 'x',
    'no signature': peer.logoutToken({}, { alg: 'none' }),
    'a signature by the secret': peer.logoutToken({}, { alg: 'HS256' }),
    'a signature by another key': peer.logoutToken({}, { key: peer.otherKey() }),
    'a changed token': good.replace(/\.(.)/, (_, first: string) => `.${first === 'e' ? 'f' : 'e'}`),
    'another issuer': peer.logoutToken({ iss: 'https://elsewhere.example' }),
    'another client': peer.logoutToken({ aud: 'another' }),
    'an ID token': peer.logoutToken({ events: undefined }),
    'another event': peer.logoutToken({ events: { other: {} } }),
    'an event that is a text': peer.logoutToken({ events: Object.keys(events)[0] }),
    'a nonce': peer.logoutToken({ nonce: 'n' }),
    'no person': peer.logoutToken({ sub: undefined, sid: 'session' }),
    'a person that is no text': peer.logoutToken({ sub: [peer.person] }),
    'no id': peer.logoutToken({ jti: undefined }),
    'no time': peer.logoutToken({ iat: undefined }),
    'an end in the past': peer.logoutToken({ exp: now - 60 }),
    'an age of an hour': peer.logoutToken({ iat: now - 3600, exp: now + 60 }),
    'a time to come': peer.logoutToken({ iat: now + 3600, exp: now + 7200 }),
  };
  for (const [what, token] of Object.entries(tokens))
    expect(await refusal(logout(token)), what).toBe('bad_request');
  expect(await refusal(logout('x'.repeat(8001)))).toBe('validation');
  expect(await isOpen(user)).toBe(true);
  expect(await refusal(logout(good, randomUUID()))).toBe('not_found');
  expect(await logout(good)).toEqual({ ended: 1 });
});
