import { auth, settings, telemetry, users, type Session } from '@heliograph/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PASSWORD, type Person, World } from '../../../test/world.ts';

let world: World;

beforeAll(async () => {
  world = await World.start({ TRUST_PROXY: '1' });
});
afterAll(() => world.stop());

interface Reply {
  status: number;
  limit: number;
  remaining: number;
  reset: number;
  retryAfter: number;
  body: Session & { code?: string };
  cookie: string;
}

async function attempt(
  username: string,
  password: string,
  base = world.base,
  cookie = '',
  address = '127.0.0.1',
): Promise<Reply> {
  const answer = await fetch(`${base}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie, 'x-forwarded-for': address },
    body: JSON.stringify({ username, password }),
  });
  const header = (name: string) => Number(answer.headers.get(name) ?? NaN);
  return {
    status: answer.status,
    limit: header('x-ratelimit-limit'),
    remaining: header('x-ratelimit-remaining'),
    reset: header('x-ratelimit-reset'),
    retryAfter: header('retry-after'),
    body: (await answer.json()) as Reply['body'],
    cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '',
  };
}

const works = async (token: string) => {
  const status = await world
    .client(token)(users.me)
    .then(() => 200)
    .catch((error: { status: number }) => error.status);
  return status === 200;
};
/** The time for which sessions are cached. */
const cacheExpired = () => new Promise((resolve) => setTimeout(resolve, 1100));

test('a login in any case and its password open a session', async () => {
  const { username, id } = await world.person();
  const right = await attempt(username.toUpperCase(), PASSWORD);
  expect(right).toMatchObject({ status: 200, limit: 5, remaining: 5, body: { id, username } });
  expect(await works(right.body.token)).toBe(true);
});

test('a form is taken as well as JSON', async () => {
  const { username, id } = await world.person();
  const answer = await fetch(`${world.base}/api/login`, {
    method: 'POST',
    body: new URLSearchParams({ username, password: PASSWORD }),
  });
  expect(await answer.json()).toMatchObject({ id });
});

test('a wrong password and an unknown login get the same answer, with the attempts left', async () => {
  const { username } = await world.person();
  const wrong = await attempt(username, 'not-this-one');
  expect(wrong).toMatchObject({ status: 401, limit: 5, remaining: 4 });
  expect(wrong.body.code).toBe('wrong_credentials');
  const nobody = await attempt('nobody-by-this-name', PASSWORD);
  expect(nobody).toMatchObject({ status: 401, remaining: 4, body: { code: 'wrong_credentials' } });
});

test('after five failures even the right password is refused, in all processes', async () => {
  const { username } = await world.person();
  const { base } = await world.startApi();
  for (const [n, at] of [world.base, base, world.base, base, world.base].entries())
    expect(await attempt(username, 'wrong', at)).toMatchObject({ status: 401, remaining: 4 - n });
  const now = Date.now() / 1000;
  for (const at of [world.base, base]) {
    const refused = await attempt(username, PASSWORD, at);
    expect(refused).toMatchObject({ status: 429, limit: 5, remaining: 0 });
    expect(refused.body.code).toBe('rate_limited');
    expect(refused.reset).toBeGreaterThan(now + 880);
    expect(refused.reset).toBeLessThan(now + 905);
    expect(refused.retryAfter).toBeGreaterThan(880);
  }
  // Others at the same address are not limited.
  const other = await world.person();
  expect((await attempt(other.username, PASSWORD)).status).toBe(200);
});

test('concurrent attempts do not exceed the limit of a name or an address', async () => {
  const { username } = await world.person();
  const { username: owner } = await world.person();
  const other = await world.startApi();
  const at = (n: number) => (n % 2 ? world.base : other.base);
  const guesses = await Promise.all(
    Array.from({ length: 12 }, (_, n) => attempt(username, `guess-${n}`, at(n), '', '10.0.0.1')),
  );
  const judged = guesses.filter(({ status }) => status === 401);
  expect(judged.map(({ remaining }) => remaining).sort()).toEqual([0, 1, 2, 3, 4]);
  expect(guesses.filter(({ status }) => status === 429)).toHaveLength(7);
  const many = await Promise.all(
    Array.from({ length: 60 }, (_, n) => attempt(`nobody-${n}`, 'wrong!', at(n), '', '10.0.0.2')),
  );
  expect(many.filter(({ status }) => status === 401)).toHaveLength(50);
  // A successful sign-in does not count for the address, and a refused attempt not for its name.
  for (let n = 0; n < 7; n++)
    expect((await attempt(owner, PASSWORD, world.base, '', '10.0.0.1')).status).toBe(200);
  expect((await attempt(owner, PASSWORD, world.base, '', '10.0.0.2')).status).toBe(429);
});

test('failures of others at the same address do not lock a known device', async () => {
  const { username } = await world.person();
  const { username: other } = await world.person();
  const { cookie } = await attempt(username, PASSWORD);
  expect(cookie).toMatch(/^device=/);
  for (let i = 0; i < 5; i++) await attempt(username, 'wrong!');
  expect((await attempt(username, PASSWORD)).status).toBe(429);
  expect((await attempt(username, PASSWORD, world.base, `${cookie}x`)).status).toBe(429);
  const own = await attempt(username, PASSWORD, world.base, cookie);
  expect([own.status, own.cookie]).toEqual([200, cookie]);
  // It has a separate count and is the device of no one else.
  for (let i = 0; i < 5; i++) await attempt(username, 'wrong!', world.base, cookie);
  expect((await attempt(username, PASSWORD, world.base, cookie)).status).toBe(429);
  for (let i = 0; i < 5; i++) await attempt(other, 'wrong!');
  expect((await attempt(other, PASSWORD, world.base, cookie)).status).toBe(429);
});

test('a success clears the failures', async () => {
  const { username } = await world.person();
  for (let i = 0; i < 4; i++) await attempt(username, 'wrong');
  expect((await attempt(username, PASSWORD)).status).toBe(200);
  expect((await attempt(username, 'wrong')).remaining).toBe(4);
});

test('the header takes the token raw or after Bearer; a query does not', async () => {
  const { token } = await world.person();
  const status = async (headers: Record<string, string>, query = '') =>
    (await fetch(`${world.base}/api/users/me${query}`, { headers })).status;
  expect(await status({ authorization: token })).toBe(200);
  expect(await status({ authorization: `Bearer ${token}` })).toBe(200);
  expect(await status({ authorization: `bearer ${token}` })).toBe(200);
  expect(await status({}, `?token=${token}`)).toBe(401);
  expect(await status({})).toBe(401);
  expect(await status({ authorization: `${token.slice(0, -3)}abc` })).toBe(401);
});

test('renewal gives a fresh session and ends the old one', async () => {
  const person = await world.person();
  const fresh = await person.api(auth.renew);
  expect(fresh.token).not.toBe(person.token);
  expect(await works(fresh.token)).toBe(true);
  expect(await works(person.token)).toBe(false);
});

test('logging out ends this session, or all of them, in every process', async () => {
  const person = await world.person();
  const tokens = [await world.login(person.username), await world.login(person.username)];
  const { base } = await world.startApi();
  const elsewhere = world.client(tokens[0], base);
  await elsewhere(users.me);
  expect(await person.api(auth.logout)).toEqual({ ended: 1 });
  expect(await works(person.token)).toBe(false);
  expect(await works(tokens[1]!)).toBe(true);
  const ended = await world.client(tokens[1])(auth.logout, { body: { everywhere: true } });
  expect(ended).toEqual({ ended: 2 });
  await cacheExpired();
  await expect(elsewhere(users.me)).rejects.toMatchObject({ status: 401, code: 'session_ended' });
});

test('a deactivated user is signed out within a second and cannot sign in', async () => {
  const person = await world.person();
  await person.api(users.me);
  await world.db.query(`update users set is_active = false where id = $1`, [person.id]);
  await cacheExpired();
  expect(await works(person.token)).toBe(false);
  expect((await attempt(person.username, PASSWORD)).status).toBe(401);
});

test('a deactivated account signs out its other users, who cannot sign in', async () => {
  const owner = await world.person();
  const sub = await world.person();
  await world.db.query(`update users set owner_id = $2, role = 'owner' where id = $1`, [
    sub.id,
    owner.id,
  ]);
  await cacheExpired();
  expect(await works(sub.token)).toBe(true);
  await world.db.query(`update users set is_active = false where id = $1`, [owner.id]);
  await cacheExpired();
  expect(await works(sub.token)).toBe(false);
  expect((await attempt(sub.username, PASSWORD)).status).toBe(401);
  await world.db.query(`update users set is_active = true where id = $1`, [owner.id]);
  expect((await attempt(sub.username, PASSWORD)).status).toBe(200);
});

test('login-as works within the access scope only', async () => {
  const reseller = await world.person({ level: 'reseller' });
  const customer = await world.person({ resellerId: reseller.id });
  const stranger = await world.person();
  const as = (who: Person, id: string, by = auth.loginAs) => who.api(by, { params: { id } });
  const session = await as(reseller, customer.id);
  expect(session).toMatchObject({ id: customer.id, username: customer.username });
  expect(await world.client(session.token)(users.me)).toMatchObject({
    id: customer.id,
    level: 'me',
  });
  const twin = await as(reseller, customer.id, auth.loginAsGet);
  expect(await works(twin.token)).toBe(true);
  await expect(as(reseller, stranger.id)).rejects.toMatchObject({ status: 404 });
  await expect(as(reseller, reseller.id)).rejects.toMatchObject({ status: 409 });
  await expect(as(customer, reseller.id)).rejects.toMatchObject({ status: 403 });
  // The session names who opened it, and ends with all of the customer's.
  await customer.api(auth.logout, { body: { everywhere: true } });
  await cacheExpired();
  expect(await works(session.token)).toBe(false);
  const [row] = await world.db.query(
    `select actor_id from sessions where user_id = $1 and actor_id is not null`,
    [customer.id],
  );
  expect(row).toEqual({ actor_id: reseller.id });
});

test('an impersonated session shows the impersonator in settings and visits', async () => {
  const reseller = await world.person({ level: 'reseller' });
  const customer = await world.person({ resellerId: reseller.id });
  const { token } = await reseller.api(auth.loginAs, { params: { id: customer.id } });
  const api = world.client(token);
  const impersonator = { id: reseller.id, username: reseller.username };
  expect((await api(settings.get)).session).toMatchObject({ UserId: customer.id, impersonator });
  const fresh = world.client((await api(auth.renew)).token);
  expect((await fresh(settings.get)).session).toMatchObject({ impersonator });
  const seen = await customer.api(telemetry.find, { query: { filter: { action: 'loginAs' } } });
  expect(seen.data).toMatchObject([{ UserId: customer.id, data: { actorId: reseller.id } }]);
  const forged = fresh(telemetry.create, { body: { data: { actorId: 'forged' } as never } });
  await expect(forged).rejects.toMatchObject({ status: 422, body: { code: 'unknown_field' } });
  const visit = await fresh(telemetry.create, { body: {} });
  expect(visit).toMatchObject({ UserId: customer.id, data: { actorId: reseller.id } });
});

test('an impersonated session ends with all sessions of the impersonator', async () => {
  const reseller = await world.person({ level: 'reseller' });
  const customer = await world.person({ resellerId: reseller.id });
  const borrow = async () =>
    (await reseller.api(auth.loginAs, { params: { id: customer.id } })).token;
  const [first, second] = [await borrow(), await world.login(reseller.username)];
  await world.client(second)(auth.logout, { body: { everywhere: true } });
  await cacheExpired();
  expect(await works(first)).toBe(false);
  expect(await works(customer.token)).toBe(true);
  const again = world.client(await world.login(reseller.username));
  const { token } = await again(auth.loginAs, { params: { id: customer.id } });
  await world.db.query(`update users set is_active = false where id = $1`, [reseller.id]);
  await cacheExpired();
  expect(await works(token)).toBe(false);
});

test('users of the same or a higher level cannot be impersonated', async () => {
  const all = { grants: { add: ['users.all'] } };
  const manager = await world.person({ level: 'manager', ...all });
  const other = await world.person({ level: 'manager' });
  const reseller = await world.person({ level: 'reseller' });
  const deputy = await world.person({ level: 'reseller' });
  await world.db.query(`update users set owner_id = $2, role = 'owner' where id = $1`, [
    deputy.id,
    reseller.id,
  ]);
  await cacheExpired();
  const as = (who: Person, id: string) => who.api(auth.loginAs, { params: { id } });
  await expect(as(manager, other.id)).rejects.toMatchObject({ status: 403 });
  await expect(as(deputy, reseller.id)).rejects.toMatchObject({ status: 403 });
  const borrowed = await as(manager, reseller.id);
  expect(borrowed).toMatchObject({ id: reseller.id });
  const customer = await world.person({ resellerId: reseller.id });
  const further = world.client(borrowed.token)(auth.loginAs, { params: { id: customer.id } });
  await expect(further).rejects.toMatchObject({ status: 403 });
});
