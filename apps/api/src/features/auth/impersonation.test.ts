import { auth, users } from '@heliograph/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, World } from '../../../test/world.ts';
import { Authenticator } from '../../core/auth/authenticator.ts';
import { AuthService } from './auth.service.ts';
import { AuthStore } from './auth.store.ts';

let world: World;
let reseller: Person;
let customer: Person;

beforeAll(async () => {
  world = await World.start({ SESSION_DAYS: '30' });
  reseller = await world.person({ level: 'reseller' });
  customer = await world.person({ resellerId: reseller.id });
});
afterAll(() => world.stop());

const works = (token: string, base = world.base) =>
  world
    .client(
      token,
      base,
    )(users.me)
    .then(
      () => true,
      ({ status }: { status: number }) => {
        expect(status).toBe(401);
        return false;
      },
    );
/** What was changed in the database alone is seen when a session is next looked up. */
const lookAgain = (token: string) => world.api.get(Authenticator).invalidate(bodyOf(token).sid);
const bodyOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as {
    sid: string;
    exp: number;
  };
/** An impersonated session of the customer, opened from a new session. */
async function borrow(by = reseller, whose = customer): Promise<{ own: string; token: string }> {
  const own = await world.login(by.username);
  const session = await world.client(own)(auth.loginAs, { params: { id: whose.id } });
  return { own, token: session.token };
}

test('an impersonated session ends with the one that it was opened from, in every process', async () => {
  const { base } = await world.startApi();
  const [{ own, token }, other] = [await borrow(), await borrow()];
  expect(await works(token, base)).toBe(true);
  await world.client(own)(auth.logout);
  expect(await works(token)).toBe(false);
  await expect.poll(() => works(token, base)).toBe(false);
  expect([await works(other.token), await works(customer.token)]).toEqual([true, true]);
});

test('expires no later than the own session, also after renewals', async () => {
  const { own, token } = await borrow();
  expect(bodyOf(token).exp).toBe(bodyOf(own).exp);
  const end = await world.db.query<{ at: number }>(
    `update sessions set expires_at = now() + interval '100 seconds' where id = $1
     returning floor(extract(epoch from expires_at))::int as at`,
    [bodyOf(own).sid],
  );
  const renewed = await world.client(token)(auth.renew);
  expect(bodyOf(renewed.token).exp).toBe(end[0]!.at);
  await world.db.query(`update sessions set expires_at = now() where id = $1`, [bodyOf(own).sid]);
  lookAgain(renewed.token);
  expect(await works(renewed.token)).toBe(false);
});

test('stays valid when the own session is renewed, and can be renewed as long', async () => {
  const { own, token } = await borrow();
  const fresh = (await world.client(own)(auth.renew)).token;
  expect(await works(token)).toBe(true);
  const renewed = (await world.client(token)(auth.renew)).token;
  expect(bodyOf(renewed).exp).toBe(bodyOf(fresh).exp);
  await world.client(fresh)(auth.logout);
  expect(await works(renewed)).toBe(false);
});

test('logging out everywhere from it ends only itself', async () => {
  const { own, token } = await borrow();
  const result = await world.client(token)(auth.logout, { body: { everywhere: true } });
  expect(result).toEqual({ ended: 1 });
  expect(await works(token)).toBe(false);
  expect([await works(customer.token), await works(own)]).toEqual([true, true]);
});

test.each<[string, (who: Person, by: Person) => [sql: string, ...values: unknown[]]]>([
  [
    'the customer is kept by another reseller',
    (who) => [`update users set reseller_id = null where id = $1`, who.id],
  ],
  [
    'its level is no longer below',
    (who) => [`update users set level = 'reseller' where id = $1`, who.id],
  ],
  [
    'the actor is a customer now',
    (_, by) => [`update users set level = 'me' where id = $1`, by.id],
  ],
  [
    'the actor may not sign in as others any more',
    (_, by) => [`update users set grants = '{"remove": ["secret.loginAs"]}' where id = $1`, by.id],
  ],
  [
    'the actor is deactivated',
    (_, by) => [`update users set is_active = false where id = $1`, by.id],
  ],
])('it ends when %s', async (_, change) => {
  const by = await world.person({ level: 'reseller' });
  const who = await world.person({ resellerId: by.id });
  const { token } = await borrow(by, who);
  expect(await works(token)).toBe(true);
  const [sql, ...values] = change(who, by);
  await world.db.query(sql, values);
  lookAgain(token);
  expect(await works(token)).toBe(false);
});

test('that of a manager ends with another manager of the customer and with the loss of the scope', async () => {
  const all = await world.person({ level: 'manager', grants: { add: ['users.all'] } });
  const one = await world.person({ level: 'manager' });
  const who = await world.person({ managerId: one.id });
  const [{ token: ofAll }, { token: ofOne }] = [await borrow(all, who), await borrow(one, who)];
  await world.db.query(`update users set manager_id = null where id = $1`, [who.id]);
  [ofAll, ofOne].forEach(lookAgain);
  expect([await works(ofAll), await works(ofOne)]).toEqual([true, false]);
  await world.db.query(`update users set grants = '{}' where id = $1`, [all.id]);
  lookAgain(ofAll);
  expect(await works(ofAll)).toBe(false);
});

test('one stored before sessions referenced their impersonator has ended', async () => {
  const { token } = await borrow();
  await world.db.query(`update sessions set actor_session_id = null where id = $1`, [
    bodyOf(token).sid,
  ]);
  lookAgain(token);
  expect(await works(token)).toBe(false);
});

test('a session is renewed until the lifetime of its sign-in ends', async () => {
  let { token } = await world.person();
  const [{ end }] = (await world.db.query(
    `update sessions set signed_in_at = now() - interval '30 days' + interval '600 seconds' where id = $1
     returning floor(extract(epoch from signed_in_at + interval '30 days'))::int as end`,
    [bodyOf(token).sid],
  )) as [{ end: number }];
  for (let i = 0; i < 3; i++) {
    ({ token } = await world.client(token)(auth.renew));
    expect(bodyOf(token).exp).toBe(end);
  }
});

test('of several renewals of one session one succeeds', async () => {
  const token = await world.login(customer.username);
  const renewals = await Promise.allSettled(
    [1, 2, 3, 4].map(() => world.client(token)(auth.renew)),
  );
  expect(renewals.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('a renewal concurrent with the end of all sessions ends as well', async () => {
  const person = await world.person();
  for (let round = 0; round < 8; round++) {
    const tokens = await Promise.all([1, 2, 3].map(() => world.login(person.username)));
    const renewals = tokens.map((token) => world.client(token)(auth.renew));
    const end = world.db.transaction(() => world.api.get(AuthService).endAll(person.id));
    const settled = await Promise.allSettled(renewals);
    await end;
    const fresh = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value.token] : []));
    for (const token of [...tokens, ...fresh]) expect(await works(token)).toBe(false);
  }
});

test('a sign-in with a password that is replaced meanwhile is refused', async () => {
  const person = await world.person();
  const store = world.api.get(AuthStore);
  const user = (await store.byUsername(person.username))!;
  await world.db.query(`update users set password_hash = 'another' where id = $1`, [person.id]);
  const visitor = { ip: '', network: '', useragent: '' };
  const { id: userId, passwordHash } = user;
  const lasting = { seconds: 300, days: 1 };
  expect(await store.open({ userId, passwordHash }, visitor, lasting)).toBeUndefined();
});
