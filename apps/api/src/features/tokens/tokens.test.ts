import { audit, auth, billings, notifications, tokens, users } from '@heliograph/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TokenUses } from '../../core/auth/token-uses.ts';
import { reasonsOf } from '../../../test/settled.ts';
import { type Person, until, World } from '../../../test/world.ts';
import { TokenExpiryService } from './token-expiry.service.ts';

let world: World;
let reseller: Person;
let manager: Person;
let who: Person;

beforeAll(async () => {
  world = await World.start({ TRUST_PROXY: '1', QUOTA_TOKENS: '20' });
  manager = await world.person({ level: 'manager', grants: { add: ['users.all'] } });
  reseller = await world.person({ level: 'reseller' });
});
afterAll(() => world.stop());

const person = async () => (who = await world.person({ resellerId: reseller.id }));
const create = (body: object = {}, by = who) =>
  by.api(tokens.create, { body: { description: 'Shop', ...body } });
const inDays = (days: number) =>
  new Date(world.clock.now().getTime() + days * 86_400_000).toISOString();
/** The status, and the code of a refusal. */
async function call(token: string, headers: object = {}, path = '/users/me'): Promise<string> {
  const answer = await fetch(`${world.base}/api${path}`, {
    headers: { authorization: token, ...headers },
  });
  const { code } = (await answer.json()) as { code?: string };
  return [answer.status, code].filter(Boolean).join(' ');
}
const refusal = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'accepted',
    (error: { status: number; code: string }) => `${error.status} ${error.code}`,
  );

test('a token is created, shown once, listed without its secret and stored as a hash', async () => {
  await person();
  const { token, ...created } = await create({ ipWhitelist: ['10.1.2.3/8', '::ffff:1.2.3.4'] });
  expect(token).toMatch(/^hg_[a-z2-9]{12}_[\w-]{43}$/);
  expect(created).toMatchObject({
    prefix: token.slice(0, 15),
    ipWhitelist: ['10.0.0.0/8', '1.2.3.4'],
    permissions: null,
    expiredAt: null,
    lastUsedAt: null,
    previous: null,
    OwnerId: who.id,
    UserId: who.id,
  });
  const listed = await who.api(tokens.find, { query: { search: 'shop' } });
  expect(listed.data).toEqual([created]);
  const [row] = await world.db.query(`select to_jsonb(t) as row from tokens t where id = $1`, [
    created.id,
  ]);
  expect(JSON.stringify(row)).not.toContain(token.slice(16));
});

test('a token is accepted raw and after Bearer, with the rights of its user', async () => {
  await person();
  const { token } = await create();
  expect(await world.client(token)(users.me)).toMatchObject({ id: who.id });
  expect(await call(`Bearer ${token}`)).toBe('200');
  expect(await call(`bearer  ${token}`)).toBe('200');
});

test('a token is refused on account security and money, and the refusal is in the audit log', async () => {
  await person();
  const { token, id } = await create({}, reseller);
  const client = world.client(token);
  const refused = '403 session_required';
  expect(await refusal(client(tokens.find))).toBe(refused);
  expect(await refusal(client(tokens.create, { body: { description: 'Second' } }))).toBe(refused);
  expect(await refusal(client(tokens.rotate, { params: { id }, body: {} }))).toBe(refused);
  expect(await refusal(client(auth.renew))).toBe(refused);
  expect(await refusal(client(auth.logout))).toBe(refused);
  expect(await refusal(client(auth.loginAs, { params: { id: who.id } }))).toBe(refused);
  const entry = { source: 'accrual' as const, amount: 5, OwnerId: who.id };
  expect(await refusal(client(billings.create, { body: entry }))).toBe(refused);
  const found = await until(
    async () =>
      (
        await reseller.api(audit.find, { query: { filter: { action: ['access.denied'] } } })
      ).data.find(({ after }) => String(after?.call).endsWith('/billings')),
    'the refusal is recorded',
  );
  expect(found).toMatchObject({ Token: { id, description: 'Shop' }, Actor: { id: reseller.id } });
});

test('a token changes the profile of its user, but not username, e-mail, phone and referral code', async () => {
  await person();
  const client = world.client((await create()).token);
  const change = (body: object) => client(users.update, { params: { id: who.id }, body });
  expect(await change({ data: { firstName: 'Anna' } })).toMatchObject({
    data: { firstName: 'Anna' },
  });
  const password = 'heliograph';
  const refused = '403 session_required';
  expect(await refusal(change({ username: 'another-name', password }))).toBe(refused);
  expect(await refusal(change({ data: { email: 'a@tea.example' }, password }))).toBe(refused);
  expect(await refusal(change({ data: { phone: '+79001234567' }, password }))).toBe(refused);
  expect(await refusal(change({ referralCode: 'TAKEN-OVER' }))).toBe(refused);
  const { referralCode } = await who.api(users.get, { params: { id: who.id } });
  expect(await change({ referralCode })).toMatchObject({ referralCode });
});

test('permissions are chosen out of those of the user, and one that the user loses is lost by the token', async () => {
  await person();
  const { token } = await create({ permissions: ['contacts.get', 'users.get'] });
  expect(await call(token, {}, `/users/${who.id}`)).toBe('200');
  expect(await call(token, {}, '/templates')).toBe('403 forbidden');
  expect(await refusal(create({ permissions: ['channels.get'] }))).toBe('422 validation');
  expect(await refusal(create({ permissions: ['billings.generate'] }))).toBe('422 validation');
  expect(await refusal(create({ permissions: [] }))).toBe('422 validation');
  await world.db.query(`update users set grants = '{"remove":["users.get"]}' where id = $1`, [
    who.id,
  ]);
  await until(async () => (await call(token, {}, `/users/${who.id}`)) === '403 forbidden', 'lost');
});

test('a manager without the permission for all accounts in its token sees its own only', async () => {
  const { token } = await create({ permissions: ['users.get'] }, manager);
  expect((await manager.api(users.find)).total).toBeGreaterThan(2);
  const found = await world.client(token)(users.find);
  expect(found.data.map(({ id }) => id)).toEqual([manager.id]);
});

test.each([
  [['192.0.2.7'], '192.0.2.7', '200'],
  [['192.0.2.7'], '192.0.2.8', '403 address_not_allowed'],
  [['192.0.2.0/24'], '::ffff:192.0.2.9', '200'],
  [['::ffff:192.0.2.0/120'], '192.0.2.9', '200'],
  [['2001:db8:1::/48'], '2001:db8:1:2::3', '200'],
  [['2001:db8:1::/48'], '2001:db8:2::3', '403 address_not_allowed'],
  [['10.0.0.0/8', '2001:db8::1'], '2001:db8:0:0::1', '200'],
  [['0.0.0.0/0'], '2001:db8::1', '403 address_not_allowed'],
])('a token limited to %j answers to %s with %s', async (ipWhitelist, from, answer) => {
  await person();
  const { token, id } = await create({ ipWhitelist });
  expect(await call(token, { 'x-forwarded-for': from })).toBe(answer);
  if (answer === '200') return;
  const refused = await until(
    async () =>
      (await who.api(audit.find, { query: { filter: { action: ['tokens.refused'] } } })).data[0],
    'the refusal is recorded',
  );
  expect(refused).toMatchObject({ target: { type: 'tokens', id }, Token: { id }, ip: from });
});

test.each([
  '999.1.1.1',
  '1.2.3',
  '10.0.0.0/33',
  '::1/129',
  'localhost',
  '1.2.3.4 ; drop',
  '',
  // Octal, hexadecimal, short and decimal forms, which other parsers take for other addresses.
  '010.0.0.1',
  '0x7f000001',
  '127.1',
  '2130706433',
  '1.2.3.4/08',
  '1.2.3.4/1e1',
  '1.2.3.4/',
  'fe80::1%eth0',
  'fe80::1%eth0/64',
  '::ffff:10.0.0.0/8',
  '0:0:0:0:0:ffff:a00:0/95',
  '::1.2.3.4',
])('refuses the address %j', async (address) => {
  await person();
  expect(await refusal(create({ ipWhitelist: [address] }))).toBe('422 validation');
});

test('refuses more than 50 addresses, no description, and an expiry that is past or over a year ahead', async () => {
  await person();
  const many = Array.from({ length: 51 }, (_, i) => `10.0.0.${i}`);
  expect(await refusal(create({ ipWhitelist: many }))).toBe('422 validation');
  expect(await refusal(create({ description: ' ' }))).toBe('422 validation');
  expect(await refusal(create({ expiredAt: inDays(-1) }))).toBe('422 validation');
  expect(await refusal(create({ expiredAt: inDays(367) }))).toBe('422 validation');
  const { id } = await create({ expiredAt: inDays(364) });
  const update = (body: object) => refusal(who.api(tokens.update, { params: { id }, body }));
  expect(await update({ expiredAt: inDays(400) })).toBe('422 validation');
  expect(await update({ expiredAt: null, permissions: ['contacts.get'] })).toBe('accepted');
  expect(await who.api(tokens.get, { params: { id } })).toMatchObject({ expiredAt: null });
});

test('expired, removed, unknown and malformed tokens get the same answer', async () => {
  await person();
  const removed = await create();
  expect(await call(removed.token)).toBe('200');
  await who.api(tokens.remove, { params: { id: removed.id } });
  const lasting = await create();
  const expired = await create({ expiredAt: inDays(1) });
  await world.db.query(`update tokens set expired_at = now() - interval '1 s' where id = $1`, [
    expired.id,
  ]);
  const bodyOf = async (token: string) => {
    const answer = await fetch(`${world.base}/api/users/me`, {
      headers: { authorization: token },
    });
    return { ...((await answer.json()) as object), requestId: '' };
  };
  const unknown = await bodyOf(`hg_aaaaaaaaaaaa_${'A'.repeat(43)}`);
  expect(unknown).toMatchObject({ error: 401, code: 'unauthorized' });
  const wrongSecret = `${lasting.prefix}_${'A'.repeat(43)}`;
  for (const token of [
    removed.token,
    expired.token,
    wrongSecret,
    'hg_',
    'hg_x_y',
    `${lasting.token}A`,
    lasting.token.slice(0, -1),
    `hg_${'a'.repeat(3000)}`,
    'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.',
    `hg_aaaaaaaaaaaa_${'é'.repeat(10)}`.normalize('NFD').replace(/[^\x20-\x7e]/g, '%'),
  ])
    expect(await bodyOf(token)).toEqual(unknown);
  expect(await call(lasting.token)).toBe('200');
});

test('a megabyte of token is refused and breaks nothing', async () => {
  const headers = { authorization: `hg_${'a'.repeat(1_000_000)}` };
  const answer = await fetch(`${world.base}/api/users/me`, { headers }).catch(() => null);
  expect(answer?.status ?? 431).toBe(431);
  await person();
  expect(await call((await create()).token)).toBe('200');
});

test('a token ends with its user, its account, and when its user changes the account', async () => {
  await person();
  const { token } = await create();
  const set = (sql: string) => world.db.query(`update users set ${sql} where id = $1`, [who.id]);
  const becomes = (answer: string) => until(async () => (await call(token)) === answer, answer);
  await becomes('200');
  await set('is_active = false');
  await becomes('401 unauthorized');
  await set('is_active = true');
  await becomes('200');
  await world.db.query(`update users set owner_id = $2, role = 'owner' where id = $1`, [
    who.id,
    reseller.id,
  ]);
  await becomes('401 unauthorized');
  await world.db.query(`update users set owner_id = id, role = null where id = $1`, [who.id]);
  await becomes('200');
});

test('a rotated token works with both secrets until the overlap ends, and with the new one after that', async () => {
  await person();
  const old = await create();
  const params = { id: old.id };
  const next = await who.api(tokens.rotate, { params, body: { overlapDays: 2 } });
  expect(next).toMatchObject({ id: old.id, previous: { prefix: old.prefix } });
  expect(next.prefix).not.toBe(old.prefix);
  expect([await call(old.token), await call(next.token)]).toEqual(['200', '200']);
  const again = who.api(tokens.rotate, { params, body: { overlapDays: 1 } });
  expect(await refusal(again)).toBe('409 conflict');
  world.clock.forward(2 * 86_400 + 1);
  expect([await call(old.token), await call(next.token)]).toEqual(['401 unauthorized', '200']);
  const last = await who.api(tokens.rotate, { params, body: { overlapDays: 0 } });
  expect(last.previous).toBeNull();
  expect([await call(next.token), await call(last.token)]).toEqual(['401 unauthorized', '200']);
  for (const overlapDays of [-1, 8, 0.5])
    expect(await refusal(who.api(tokens.rotate, { params, body: { overlapDays } }))).toBe(
      '422 validation',
    );
});

test('of two rotations at once one is made and one refused', async () => {
  await person();
  const { id, prefix, token } = await create();
  const rotate = (overlapDays: number) =>
    who.api(tokens.rotate, { params: { id }, body: { overlapDays, prefix } });
  for (const overlapDays of [1, 0]) {
    const [row] = await world.db.query<{ prefix: string }>(
      `update tokens set previous_prefix = null, previous_hash = null, previous_until = null where id = $1 returning prefix`,
      [id],
    );
    const body = { overlapDays, prefix: row!.prefix };
    const both = await Promise.allSettled([
      who.api(tokens.rotate, { params: { id }, body }),
      who.api(tokens.rotate, { params: { id }, body }),
    ]);
    expect(reasonsOf(both)).toEqual([expect.objectContaining({ code: 'conflict' })]);
  }
  expect(await refusal(rotate(1))).toBe('409 conflict');
  expect(await call(token)).toBe('401 unauthorized');
});

test('only its user changes or rotates a token; managers of the account may remove it', async () => {
  await person();
  const { id } = await create();
  const params = { id };
  expect(
    (await reseller.api(tokens.find, { query: { filter: { OwnerId: who.id } } })).data,
  ).toEqual([expect.objectContaining({ id, Owner: { id: who.id, username: who.username } })]);
  expect(await refusal(reseller.api(tokens.rotate, { params, body: {} }))).toBe('403 forbidden');
  const body = { description: 'Theirs' };
  expect(await refusal(reseller.api(tokens.update, { params, body }))).toBe('403 forbidden');
  const { token } = await reseller.api(auth.loginAs, { params: { id: who.id } });
  const borrowed = world.client(token);
  const refused = '403 borrowed_session';
  expect((await borrowed(tokens.find)).total).toBe(1);
  expect(await refusal(borrowed(tokens.create, { body }))).toBe(refused);
  expect(await refusal(borrowed(tokens.rotate, { params, body: {} }))).toBe(refused);
  expect(await refusal(borrowed(tokens.update, { params, body }))).toBe(refused);
  expect(await refusal(borrowed(tokens.remove, { params }))).toBe(refused);
  expect(await reseller.api(tokens.remove, { params })).toEqual({ id });
});

test('an account has a limited number of tokens', async () => {
  await person();
  for (let i = 0; i < 20; i++) await create();
  expect(await refusal(create())).toBe('409 quota_exceeded');
});

test('the last use is recorded with its address, at most once a minute', async () => {
  await person();
  const { token, id } = await create();
  const used = async (ip: string) => {
    await call(token, { 'x-forwarded-for': ip });
    await world.api.get(TokenUses).flush();
    return who.api(tokens.get, { params: { id } });
  };
  const first = await used('192.0.2.1');
  expect(first).toMatchObject({ lastUsedIp: '192.0.2.1', updatedAt: first.createdAt });
  expect(await used('192.0.2.2')).toMatchObject({ lastUsedAt: first.lastUsedAt });
  world.clock.forward(61);
  expect(await used('192.0.2.3')).toMatchObject({ lastUsedIp: '192.0.2.3' });
});

test('answers to a token have its own rate limit', async () => {
  await person();
  const { token } = await create();
  const answer = await fetch(`${world.base}/api/templates`, { headers: { authorization: token } });
  expect(answer.headers.get('ratelimit-policy')).toContain('"list-token";q=');
  expect(answer.headers.get('ratelimit')).toMatch(/"list-token";r=\d+;t=\d+/);
  const refused = await fetch(`${world.base}/api/tokens`, { headers: { authorization: token } });
  expect(refused.headers.get('ratelimit')).toContain('"list-token";r=');
});

test('the owner is told once a week before a token expires, and once when it has expired', async () => {
  await person();
  const { id } = await create({ description: 'Soon', expiredAt: inDays(8) });
  const sweep = world.api.get(TokenExpiryService);
  const notificationTypes = async () => {
    while (await sweep.notify());
    const { data } = await who.api(notifications.find);
    return data.map((one) => one.type).filter((type) => type !== 'TokenCreated');
  };
  expect(await notificationTypes()).toEqual([]);
  world.clock.forward(1.5 * 86_400);
  expect(await notificationTypes()).toEqual(['TokenExpiring']);
  expect(await notificationTypes()).toEqual(['TokenExpiring']);
  await who.api(tokens.update, { params: { id }, body: { expiredAt: inDays(8) } });
  expect(await notificationTypes()).toEqual(['TokenExpiring']);
  world.clock.forward(9 * 86_400);
  expect(await notificationTypes()).toEqual(['TokenExpired', 'TokenExpiring']);
  expect(await notificationTypes()).toEqual(['TokenExpired', 'TokenExpiring']);
});

test('the audit log tells which token made a change, and contains no secret', async () => {
  const customer = await person();
  const { token, id, prefix } = await create({}, reseller);
  const data = { firstName: 'Olga' };
  await world.client(token)(users.update, { params: { id: customer.id }, body: { data } });
  const query = { filter: { OwnerId: customer.id, action: ['users.update'] } };
  const { data: records } = await reseller.api(audit.find, { query });
  expect(records[0]).toMatchObject({ Token: { id, prefix, description: 'Shop' } });
  await reseller.api(tokens.rotate, { params: { id }, body: {} });
  await reseller.api(tokens.remove, { params: { id } });
  const all = await reseller.api(audit.find, { query: { limit: 100 } });
  expect(JSON.stringify(all)).not.toContain(token.slice(16));
  const after = await reseller.api(audit.find, { query });
  expect(after.data[0]).toMatchObject({ Token: { id, prefix, description: null } });
});
