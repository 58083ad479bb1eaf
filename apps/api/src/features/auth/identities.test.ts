import {
  ADMINISTRATOR_GRANTS,
  audit,
  auth,
  identities,
  identityProviders,
  notifications,
  tokens,
  users,
  type IdentityProvider,
  type Session,
} from '@heliograph/contract';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { through, withIdentity, withProvider } from '../../../test/identities.ts';
import { Browser, OidcPeer } from '../../../test/peers/oidc-peer.ts';
import { refusal } from '../../../test/refusal.ts';
import { withSecondFactor } from '../../../test/second-factor.ts';
import { PASSWORD, type Person, World } from '../../../test/world.ts';
import { Refusals } from '../../core/audit/refusals.ts';

let world: World;
let peer: OidcPeer;
let provider: IdentityProvider;

beforeAll(async () => {
  world = await World.start();
  peer = await new OidcPeer().start();
  provider = await withProvider(world, peer);
});
afterAll(async () => {
  await peer.stop();
  await world.stop();
});
beforeEach(() => {
  peer.person = `person-${randomUUID()}`;
  peer.forge = null;
});

const paramsOf = ({ id }: { id: string }) => ({ params: { id } });
const start = (browser: Browser, at = provider) =>
  through(world, browser)(identities.start, paramsOf(at));
const signIn = (browser: Browser, answer: string, at = provider): Promise<Session> =>
  through(world, browser)(identities.signIn, { ...paramsOf(at), body: { answer } });
const confirm = (browser: Browser, code: string): Promise<Session> =>
  through(world, browser)(identities.confirm, { ...paramsOf(provider), body: { code } });
/** From the start to the answer of the provider. */
async function visited(at = provider): Promise<{ browser: Browser; answer: string }> {
  const browser = new Browser();
  const { url } = await start(browser, at);
  return { browser, answer: await browser.follow(url) };
}
/** The whole sign-in. */
async function tried(at = provider): Promise<string> {
  const { browser, answer } = await visited(at);
  return refusal(signIn(browser, answer, at));
}
const begin = (user: Person, browser: Browser, code?: string, at = provider) =>
  through(
    world,
    browser,
    user,
  )(identities.begin, {
    ...paramsOf(at),
    body: { password: PASSWORD, code },
  });
const link = (user: Person, browser: Browser, answer: string, at = provider) =>
  through(world, browser, user)(identities.create, { ...paramsOf(at), body: { answer } });
const typesOf = async ({ api }: Person) =>
  (await api(notifications.find)).data.map(({ type }) => type);
const actionsOf = async ({ api }: Person) =>
  (await api(audit.find)).data.map(({ action }) => action);
const administrator = () =>
  world.person({ level: 'manager', grants: { add: ADMINISTRATOR_GRANTS } });

describe('a linked identity', () => {
  test('signs in without a password, and the user is told of a new device', async () => {
    const who = await world.person();
    const linked = await withIdentity(world, who, provider);
    expect(linked).toMatchObject({
      name: `${peer.person}@tea.example`,
      provider: { id: provider.id, title: 'Tea House' },
      lastUsedAt: null,
    });
    const { browser, answer } = await visited();
    const session = await signIn(browser, answer);
    expect(session).toMatchObject({ id: who.id, username: who.username });
    expect((await world.client(session.token)(users.me)).id).toBe(who.id);
    const { identities: found } = await who.api(identities.find);
    expect(found).toMatchObject([{ id: linked.id, lastUsedAt: expect.any(String) }]);
    expect(await actionsOf(who)).toEqual(
      expect.arrayContaining(['identities.create', 'auth.login']),
    );
    expect(await typesOf(who)).toContain('AuthIdentityAdded');
  });

  test('is unlinked by its user, who is told, and signs in no more', async () => {
    const [who, other] = [await world.person(), await world.person()];
    const { id } = await withIdentity(world, who, provider);
    expect(await refusal(other.api(identities.remove, { params: { id } }))).toBe('not_found');
    await who.api(identities.remove, { params: { id } });
    expect(await tried()).toBe('unknown_identity');
    expect((await typesOf(who))[0]).toBe('AuthIdentityRemoved');
    expect((await who.api(identities.find)).providers).toContainEqual({
      id: provider.id,
      title: 'Tea House',
    });
  });

  test('is of one user, who has one of each provider', async () => {
    const [who, other] = [await world.person(), await world.person()];
    await withIdentity(world, who, provider);
    expect(await refusal(withIdentity(world, other, provider))).toBe('conflict');
    peer.person = `another-${randomUUID()}`;
    expect(await refusal(withIdentity(world, who, provider))).toBe('conflict');
    expect(await tried()).toBe('unknown_identity');
  });

  test('is for active users of the levels of an active provider', async () => {
    const reseller = await world.person({ level: 'reseller' });
    const manager = await administrator();
    const of = await withProvider(world, peer, { levels: ['reseller'] });
    await withIdentity(world, reseller, of);
    expect(await tried(of)).toBe('accepted');
    const change = (body: object) =>
      manager.api(identityProviders.update, { ...paramsOf(of), body });
    await change({ levels: ['me'] });
    expect(await tried(of)).toBe('unknown_identity');
    await change({ levels: ['reseller'] });
    expect(await tried(of)).toBe('accepted');
    await world.db.query(`update users set is_active = false where id = $1`, [reseller.id]);
    expect(await tried(of)).toBe('unknown_identity');
    await world.db.query(`update users set is_active = true where id = $1`, [reseller.id]);
    const { browser, answer } = await visited(of);
    await change({ isActive: false });
    expect(await refusal(signIn(browser, answer, of))).toBe('not_found');
    expect(await refusal(start(new Browser(), of))).toBe('not_found');
  });
});

describe('linking', () => {
  test('needs the password and, while the second factor is on, a code', async () => {
    const who = await world.person();
    const body = { password: 'not-this-one' };
    const wrong = who.api(identities.begin, { ...paramsOf(provider), body });
    expect(await refusal(wrong)).toBe('wrong');
    const app = await withSecondFactor(world, who);
    expect(await refusal(begin(who, new Browser()))).toBe('required');
    expect(await refusal(begin(who, new Browser(), 'WRONG-CODES'))).toBe('code_wrong');
    expect(await refusal(begin(who, new Browser(), app.next()))).toBe('accepted');
  });

  test('goes on only in the browser and for the user that began it', async () => {
    const [who, other] = [await world.person(), await world.person()];
    const browser = new Browser();
    const { url } = await begin(who, browser);
    const answer = await browser.follow(url);
    expect(await refusal(link(who, new Browser(), answer))).toBe('wrong_identity');
    expect(await refusal(link(other, browser, answer))).toBe('wrong_identity');
    // What was begun to link does not sign in, and the other way round.
    expect(await refusal(signIn(browser, answer))).toBe('wrong_identity');
    const visit = await visited();
    expect(await refusal(link(who, visit.browser, visit.answer))).toBe('wrong_identity');
    expect(await refusal(link(who, browser, answer))).toBe('accepted');
  });

  test('is done by nobody who has borrowed the session, and by no token', async () => {
    const manager = await world.person({ level: 'manager' });
    const who = await world.person({ managerId: manager.id });
    const { id } = await withIdentity(world, who, provider);
    const { token } = await manager.api(auth.loginAs, { params: { id: who.id } });
    const borrowed = { ...who, token, api: world.client(token) };
    expect(await refusal(begin(borrowed, new Browser()))).toBe('borrowed_session');
    expect(await refusal(link(borrowed, new Browser(), 'code=a'))).toBe('borrowed_session');
    expect(await refusal(borrowed.api(identities.remove, { params: { id } }))).toBe(
      'borrowed_session',
    );
    const secret = await who.api(tokens.create, { body: { description: 'A' } });
    const program = { ...who, token: secret.token };
    expect(await refusal(begin(program, new Browser()))).toBe('session_required');
    expect(await refusal(link(program, new Browser(), 'code=a'))).toBe('session_required');
  });
});

describe('a provider of an account', () => {
  test('signs in its users and its customers, and nobody else', async () => {
    const [reseller, other] = [
      await world.person({ level: 'reseller' }),
      await world.person({ level: 'reseller' }),
    ];
    const customer = await world.person({ resellerId: reseller.id });
    const of = await withProvider(world, peer, { AccountId: reseller.id });
    expect(of.account).toEqual({ id: reseller.id, username: reseller.username });
    const strangers = [other, await world.person({ resellerId: other.id }), await administrator()];
    for (const stranger of strangers) {
      expect(await refusal(begin(stranger, new Browser(), undefined, of))).toBe('not_found');
      expect(await refusal(link(stranger, new Browser(), 'code=a', of))).toBe('not_found');
      const { providers } = await stranger.api(identities.find);
      expect(providers.map(({ id }) => id)).not.toContain(of.id);
    }
    await withIdentity(world, customer, of);
    expect(await tried(of)).toBe('accepted');
    // A customer that moved to another reseller is no longer signed in by the provider of the former one.
    await world.db.query(`update users set reseller_id = $2 where id = $1`, [
      customer.id,
      other.id,
    ]);
    expect(await tried(of)).toBe('unknown_identity');
    peer.person = `reseller-${randomUUID()}`;
    await withIdentity(world, reseller, of);
    expect(await tried(of)).toBe('accepted');
    const { data } = await world.client()(identities.offered);
    expect(data.map(({ id }) => id)).toContain(provider.id);
    expect(data.map(({ id }) => id)).not.toContain(of.id);
  });
});

describe('an answer is refused', () => {
  let who: Person;
  let other: OidcPeer;

  beforeAll(async () => {
    other = await new OidcPeer().start();
  });
  afterAll(() => other.stop());
  beforeEach(async () => {
    who = await world.person();
    await withIdentity(world, who, provider);
  });

  test('with another state, or none', async () => {
    const { browser, answer } = await visited();
    const changed = new URLSearchParams(answer);
    changed.set('state', 'another');
    expect(await refusal(signIn(browser, changed.toString()))).toBe('wrong_identity');
    changed.delete('state');
    expect(await refusal(signIn(browser, changed.toString()))).toBe('wrong_identity');
    expect(await refusal(signIn(browser, answer))).toBe('accepted');
    await world.api.get(Refusals).flush();
  });

  test('in another browser, and with the cookie of another visit', async () => {
    const { browser, answer } = await visited();
    expect(await refusal(signIn(new Browser(), answer))).toBe('wrong_identity');
    expect(await refusal(signIn(new Browser('visit=AAAA'), answer))).toBe('wrong_identity');
    const later = await visited();
    expect(await refusal(signIn(later.browser, answer))).toBe('wrong_identity');
    expect(await refusal(signIn(browser, later.answer))).toBe('wrong_identity');
  });

  test('a second time, and after a later sign-in', async () => {
    const former = await visited();
    world.clock.forward(1);
    const browser = new Browser();
    const { url } = await start(browser);
    const answer = await browser.follow(url);
    // The provider gives another code for the same visit.
    const again = await browser.follow(url);
    const copy = new Browser(browser.header);
    expect(await refusal(signIn(browser, answer))).toBe('accepted');
    expect(await refusal(signIn(copy, answer))).toBe('wrong_identity');
    expect(await refusal(signIn(copy, again))).toBe('wrong_identity');
    expect(await refusal(signIn(former.browser, former.answer))).toBe('wrong_identity');
  });

  test('after ten minutes', async () => {
    const { browser, answer } = await visited();
    world.clock.forward(601);
    expect(await refusal(signIn(browser, answer))).toBe('wrong_identity');
  });

  test('to another nonce, or with another challenge of the code', async () => {
    for (const name of ['nonce', 'code_challenge']) {
      const browser = new Browser();
      const url = new URL((await start(browser)).url);
      expect(url.searchParams.get('code_challenge_method')).toBe('S256');
      url.searchParams.set(name, 'A'.repeat(43));
      const answer = await browser.follow(url.href);
      expect(await refusal(signIn(browser, answer))).toBe('wrong_identity');
    }
  });

  test('whose token is of another issuer, for another client, too old, or not signed by the provider', async () => {
    const now = Math.floor(Date.now() / 1000);
    const key = peer.otherKey();
    const forged: ((token: string) => string)[] = [
      (token) => peer.signed(token, { iss: other.url }),
      (token) => peer.signed(token, { aud: 'another-client' }),
      (token) => peer.signed(token, { aud: [peer.clientId, 'another-client'] }),
      (token) => peer.signed(token, { exp: now - 60 }),
      (token) => peer.signed(token, { nonce: undefined }),
      (token) => peer.signed(token, { sub: '' }),
      (token) => peer.signed(token, { sub: `${peer.person}\0` }),
      (token) => peer.signed(token, { sub: '\ud800' }),
      (token) => peer.signed(token, {}, { key }),
      (token) => peer.signed(token, {}, { alg: 'none' }),
      () => 'not-a-token',
    ];
    for (const forge of forged) {
      peer.forge = forge;
      expect(await tried()).toBe('wrong_identity');
    }
    peer.forge = (token) => peer.signed(token, {});
    expect(await tried()).toBe('accepted');
  });

  test('of a person who has cancelled, or whom nobody is linked to', async () => {
    peer.person = null;
    expect(await tried()).toBe('wrong_identity');
    peer.person = `stranger-${randomUUID()}`;
    expect(await tried()).toBe('unknown_identity');
  });

  test('of another provider, also of the same person there, and passed on by it', async () => {
    const of = await withProvider(world, other, { title: 'Elsewhere' });
    other.person = peer.person;
    expect(await tried(of)).toBe('unknown_identity');
    const elsewhere = await visited(of);
    const here = await visited();
    expect(await refusal(signIn(elsewhere.browser, here.answer))).toBe('wrong_identity');
    expect(await refusal(signIn(elsewhere.browser, here.answer, of))).toBe('wrong_identity');
    expect(await refusal(signIn(here.browser, elsewhere.answer))).toBe('wrong_identity');
    expect(await refusal(signIn(here.browser, here.answer, of))).toBe('wrong_identity');
  });

  test('of a second provider at the same issuer', async () => {
    const twin = await withProvider(world, peer, { title: 'Twin' });
    const here = await visited();
    expect(await refusal(signIn(here.browser, here.answer, twin))).toBe('wrong_identity');
    expect(await tried(twin)).toBe('unknown_identity');
  });
});

describe('the second factor', () => {
  test('is asked for, in the same browser, and a code is used up', async () => {
    const who = await world.person();
    await withIdentity(world, who, provider);
    const app = await withSecondFactor(world, who);
    const { browser, answer } = await visited();
    expect(await refusal(confirm(browser, app.code()))).toBe('wrong_identity');
    expect(await refusal(signIn(browser, answer))).toBe('second_factor_required');
    expect(await refusal(confirm(new Browser(), app.next()))).toBe('wrong_identity');
    expect(await refusal(confirm(browser, 'WRONG-CODES'))).toBe('wrong_code');
    const copy = new Browser(browser.header);
    const code = app.next();
    expect(await confirm(browser, code)).toMatchObject({ id: who.id });
    // Neither the visit nor a code is accepted twice.
    expect(await refusal(confirm(copy, app.next()))).toBe('wrong_identity');
    const second = await visited();
    expect(await refusal(signIn(second.browser, second.answer))).toBe('second_factor_required');
    expect(await refusal(confirm(second.browser, code))).toBe('wrong_code');
    expect(await refusal(confirm(second.browser, app.recovery[0]!))).toBe('accepted');
    expect(await typesOf(who)).toContain('AuthRecoveryCodeUsed');
    await world.api.get(Refusals).flush();
    expect(await actionsOf(who)).toContain('auth.failed');
  });

  test('is that of a provider which is trusted with it', async () => {
    const who = await world.person();
    const of = await withProvider(world, peer, { trustsSecondFactor: true });
    await withIdentity(world, who, of);
    await withSecondFactor(world, who);
    expect(await tried(of)).toBe('accepted');
    const { api } = await administrator();
    await api(identityProviders.update, { ...paramsOf(of), body: { trustsSecondFactor: false } });
    expect(await tried(of)).toBe('second_factor_required');
  });
});

describe('a provider', () => {
  test('is added, changed and removed by administrators, never shows its secret, and is audited', async () => {
    const { api } = await administrator();
    const { url: issuer, secret } = peer;
    const levels = ['me' as const];
    const input = { title: 'New', issuer, clientId: 'a', secret, levels };
    const added = await api(identityProviders.create, { body: input });
    expect(added).toMatchObject({
      title: 'New',
      issuer,
      clientId: 'a',
      account: null,
      trustsSecondFactor: false,
      isActive: true,
      redirectUri: `http://localhost:3000/login/oidc/${added.id}`,
      users: 0,
    });
    const updated = await api(identityProviders.update, {
      ...paramsOf(added),
      body: { title: 'Newer', secret: 'a-newer-secret' },
    });
    expect(updated).toMatchObject({ title: 'Newer', clientId: 'a' });
    expect((await api(identityProviders.find)).data).toContainEqual(updated);
    const [row] = await world.db.query<{ secret: Buffer }>(
      `select secret from identity_providers where id = $1`,
      [added.id],
    );
    expect(row!.secret.toString()).not.toContain('a-newer-secret');
    await api(identityProviders.remove, paramsOf(added));
    expect(await refusal(api(identityProviders.remove, paramsOf(added)))).toBe('not_found');
    const facts = await world.db.query<{ action: string }>(
      `select action, before, after from audit_log where target_id = $1::text order by id`,
      [added.id],
    );
    expect(facts.map(({ action }) => action)).toEqual([
      'identityProviders.create',
      'identityProviders.update',
      'identityProviders.remove',
    ]);
    expect(JSON.stringify(facts)).not.toContain('secret');
    for (const by of [await world.person(), await world.person({ level: 'manager' })]) {
      expect(await refusal(by.api(identityProviders.find))).toBe('forbidden');
      expect(await refusal(by.api(identityProviders.create, { body: input }))).toBe('forbidden');
    }
  });

  test('has an address that is allowed, over TLS unless it is on the same machine', async () => {
    const { api } = await administrator();
    const add = (issuer: string) =>
      refusal(
        api(identityProviders.create, {
          body: { title: 'A', issuer, clientId: 'a', secret: 'a', levels: ['me'] },
        }),
      );
    expect(await add('https://10.0.0.1')).toBe('address');
    expect(await add('https://169.254.169.254/latest')).toBe('address');
    for (const issuer of [
      'http://login.example',
      'ftp://127.0.0.1',
      'https://a:b@login.example',
      'https://login.example/?a=b',
      'http://127.0.0.1.login.example',
      'login.example',
    ])
      expect(await add(issuer)).toBe('issuer');
  });

  test('that does not answer, or refers to an address that is not allowed, is unavailable', async () => {
    const gone = await new OidcPeer().start();
    const of = await withProvider(world, gone);
    await gone.stop();
    expect(await refusal(start(new Browser(), of))).toBe('unavailable');
    // The list of allowed addresses became shorter.
    const { base } = await world.startApi({ OIDC_ALLOWED_HOSTS: '' });
    const strict = through({ base } as World, new Browser());
    expect(await refusal(strict(identities.start, paramsOf(provider)))).toBe('unavailable');
  });

  test('whose answer is too long once it is unpacked is unavailable', async () => {
    const server = createServer((_, response) => {
      const about = { issuer, authorization_endpoint: `${issuer}/auth` };
      const keys = { token_endpoint: `${issuer}/token`, jwks_uri: `${issuer}/keys` };
      const text = JSON.stringify({ ...about, ...keys }) + ' '.repeat(padding);
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-encoding': 'gzip',
      });
      response.end(gzipSync(text));
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    let padding = 5_000_000;
    const of = await withProvider(world, peer, { issuer });
    expect(await refusal(start(new Browser(), of))).toBe('unavailable');
    padding = 0;
    expect((await start(new Browser(), of)).url).toContain(`${issuer}/auth`);
    server.close();
  });
});
