import { audit, auth, sessions, telemetry, users } from '@heliograph/contract';
import { io, type Socket } from 'socket.io-client';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { until } from '../../../test/until.ts';
import { PASSWORD, type Person, World } from '../../../test/world.ts';
import { Db } from '../../core/db/db.ts';
import { uuidv7 } from '../../core/uuid.ts';
import { SessionsStore } from './sessions.store.ts';

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36';
let world: World;
const sockets: Socket[] = [];

beforeAll(async () => {
  world = await World.start();
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close();
});
afterAll(() => world.stop());

/** Another session of the user. */
async function signIn(username: string, useragent = CHROME): Promise<string> {
  const answer = await fetch(`${world.base}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': useragent },
    body: JSON.stringify({ username, password: PASSWORD }),
  });
  return ((await answer.json()) as { token: string }).token;
}
const listOf = async ({ api }: Pick<Person, 'api'>) => (await api(sessions.find)).data;
const isOpen = (token: string) =>
  world
    .client(token)(users.me)
    .then(
      () => true,
      () => false,
    );
const remove = ({ api }: Pick<Person, 'api'>, id: string) =>
  api(sessions.remove, { params: { id } });
/** In other processes a session is cached for so long. */
const cacheExpired = () => new Promise((resolve) => setTimeout(resolve, 1100));

async function connected(token: string): Promise<Socket> {
  const socket = io(world.base, { auth: { token }, transports: ['websocket'] });
  sockets.push(socket);
  await new Promise<void>((resolve, reject) => {
    socket.on('connect', resolve);
    socket.on('connect_error', reject);
  });
  return socket;
}

test('open sessions are listed with client and times, this one marked', async () => {
  const who = await world.person();
  const token = await signIn(who.username);
  const [other, own] = (await listOf(who)).sort(
    (a, b) => Number(a.isCurrent) - Number(b.isCurrent),
  );
  expect(other).toMatchObject({
    isCurrent: false,
    browser: 'Chrome 141',
    system: 'Windows 10',
    device: 'desktop',
    useragent: CHROME,
    ip: '127.0.0.1',
    place: { country: null, city: null, isoCode: null },
    Actor: null,
  });
  expect(own).toMatchObject({ isCurrent: true, browser: null });
  expect(Date.parse(other!.expiresAt)).toBeGreaterThan(Date.parse(other!.signedInAt));
  expect(await listOf({ api: world.client(token) })).toHaveLength(2);
});

test('the list has pages, and ended and expired sessions are not in it', async () => {
  const who = await world.person();
  const tokens = [await signIn(who.username), await signIn(who.username)];
  const page = await who.api(sessions.find, { query: { limit: 2, offset: 1 } });
  expect(page).toMatchObject({ total: 3, limit: 2, offset: 1 });
  expect(page.data).toHaveLength(2);
  await world.client(tokens[0])(auth.logout);
  await world.db.query(
    `update sessions set expires_at = now() - interval '1 second'
      where id = (select id from sessions where user_id = $1 and revoked_at is null order by id desc limit 1)`,
    [who.id],
  );
  expect(await listOf(who)).toMatchObject([{ isCurrent: true }]);
});

test('the place of the sign-in is that of its visit, also after a renewal', async () => {
  const who = await world.person();
  await who.api(telemetry.decide, { body: { isAllowed: true } });
  const { id } = await who.api(telemetry.create, { body: {} });
  await who.api(telemetry.locate, {
    params: { id },
    body: { latitude: 55.79, longitude: 49.12 },
  });
  const place = { country: 'Russia', city: 'Kazan', isoCode: 'RU' };
  expect(await listOf(who)).toMatchObject([{ place }]);
  const fresh = world.client((await who.api(auth.renew)).token);
  expect(await listOf({ api: fresh })).toMatchObject([{ place }]);
  await fresh(telemetry.decide, { body: { isAllowed: false } });
  expect(await listOf({ api: fresh })).toMatchObject([{ place: { country: null, city: null } }]);
});

test('the last use is written, at most once a minute', async () => {
  const who = await world.person();
  const usedAt = async () => {
    const [row] = await world.db.query<{ at: Date }>(
      `select last_used_at as at from sessions where user_id = $1`,
      [who.id],
    );
    return row!.at.getTime();
  };
  const setBack = (seconds: number) =>
    world.db.query(
      `update sessions set last_used_at = now() - make_interval(secs => $2) where user_id = $1`,
      [who.id, seconds],
    );
  await setBack(50);
  const before = await usedAt();
  await cacheExpired();
  await who.api(users.me);
  await cacheExpired();
  expect(await usedAt()).toBe(before);
  await setBack(70);
  await cacheExpired();
  await who.api(users.me);
  await until(async () => Date.now() - (await usedAt()) < 10_000, 'the last use is written');
});

test('a session ended elsewhere is over at once: its calls, its socket; the others are told', async () => {
  const who = await world.person();
  const token = await signIn(who.username);
  const { base } = await world.startApi();
  const elsewhere = world.client(token, base);
  await elsewhere(users.me);
  const socket = await connected(token);
  const own = await connected(who.token);
  const sessionsChanged = new Promise((resolve) => own.on('sessions.changed', resolve));
  const closed = new Promise((resolve) => socket.on('disconnect', resolve));
  const other = (await listOf(who)).find(({ isCurrent }) => !isCurrent)!;
  expect(await remove(who, other.id)).toEqual({ ended: 1 });
  expect(await closed).toBe('io server disconnect');
  expect(await sessionsChanged).toEqual({ count: 1 });
  expect(await isOpen(token)).toBe(false);
  const isRefused = () =>
    elsewhere(users.me).then(
      () => false,
      () => true,
    );
  await until(isRefused, 'the other process refuses the session');
  expect(await isOpen(who.token)).toBe(true);
  await expect(remove(who, other.id)).rejects.toMatchObject({ status: 404 });
  const { data } = await who.api(audit.find, {
    query: { filter: { action: ['sessions.remove'] } },
  });
  expect(data).toMatchObject([{ target: { type: 'sessions', id: other.id } }]);
});

test("another user's session is not found, also in the same account and for those above", async () => {
  const manager = await world.person({ level: 'manager', grants: { add: ['users.all'] } });
  const reseller = await world.person({ level: 'reseller' });
  const who = await world.person({ resellerId: reseller.id });
  const colleague = await world.person();
  await world.db.query(`update users set owner_id = $1, role = 'owner' where id = $2`, [
    who.id,
    colleague.id,
  ]);
  await cacheExpired();
  const [{ id } = { id: '' }] = await listOf(who);
  for (const other of [manager, reseller, colleague, await world.person()]) {
    await expect(remove(other, id)).rejects.toMatchObject({ status: 404 });
    expect((await listOf(other)).map((session) => session.id)).not.toContain(id);
    await other.api(sessions.removeOthers);
  }
  expect(await isOpen(who.token)).toBe(true);
});

test('ending all others leaves this one, and what was opened from it by login-as', async () => {
  const reseller = await world.person({ level: 'reseller' });
  const customer = await world.person({ resellerId: reseller.id });
  const asCustomer = async (token: string) =>
    (await world.client(token)(auth.loginAs, { params: { id: customer.id } })).token;
  const token = await signIn(reseller.username);
  const [own, foreign] = [await asCustomer(reseller.token), await asCustomer(token)];
  expect(await reseller.api(sessions.removeOthers)).toEqual({ ended: 2 });
  expect(await isOpen(token)).toBe(false);
  expect(await isOpen(foreign)).toBe(false);
  expect(await isOpen(reseller.token)).toBe(true);
  expect(await isOpen(own)).toBe(true);
  expect(await reseller.api(sessions.removeOthers)).toEqual({ ended: 0 });
});

test('an impersonated session is shown with who opened it, sees only itself and ends nothing', async () => {
  const reseller = await world.person({ level: 'reseller' });
  const customer = await world.person({ resellerId: reseller.id });
  const { token } = await reseller.api(auth.loginAs, { params: { id: customer.id } });
  const borrowed = { api: world.client(token) };
  const seen = await listOf(customer);
  const foreign = seen.find(({ Actor }) => Actor)!;
  expect(foreign).toMatchObject({
    Actor: { id: reseller.id, username: reseller.username },
    ip: null,
    useragent: null,
    browser: null,
  });
  expect(await listOf(borrowed)).toMatchObject([
    { id: foreign.id, isCurrent: true, ip: '127.0.0.1' },
  ]);
  const own = seen.find(({ isCurrent }) => isCurrent)!;
  for (const call of [() => remove(borrowed, own.id), () => borrowed.api(sessions.removeOthers)])
    await expect(call()).rejects.toMatchObject({ body: { code: 'borrowed_session' } });
  expect(await isOpen(customer.token)).toBe(true);
  // The customer may end it.
  expect(await remove(customer, foreign.id)).toEqual({ ended: 1 });
  expect(await isOpen(token)).toBe(false);
});

test('ending sessions reads those of the user, however many there are', async () => {
  const [who, other] = [await world.person(), await world.person()];
  await world.db.query(
    `insert into sessions (user_id, ip, useragent, signed_in_at, expires_at)
     select $1, '127.0.0.1', 'x', now(), now() + interval '1 day' from generate_series(1, 3000)`,
    [other.id],
  );
  await world.db.query(`analyze sessions`);
  const store = world.api.get(SessionsStore, { strict: false });
  const db = world.api.get(Db, { strict: false });
  const query = vi.spyOn(db, 'query');
  await store.end(who.id, uuidv7());
  await store.endOthers(who.id, uuidv7());
  await store.endAll(who.id);
  const statements = query.mock.calls.filter(([sql]) => sql.includes('update sessions'));
  query.mockRestore();
  expect(statements).toHaveLength(3);
  for (const [sql, values] of statements) {
    const plan = await db.queryUnprepared<{ 'QUERY PLAN': string }>(
      `explain (analyze, costs off, timing off) ${sql}`,
      values,
    );
    const lines = plan.map((row) => row['QUERY PLAN']).join('\n');
    expect(lines).not.toMatch(/Seq Scan|Removed by Filter: \d{3,}/);
  }
});
