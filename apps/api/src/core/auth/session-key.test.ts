import { settings } from '@heliograph/contract';
import { JwtService } from '@nestjs/jwt';
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PASSWORD, type Person, until, World } from '../../../test/world.ts';
import type { Db } from '../db/db.ts';
import { GeneratedSecrets } from './generated-secrets.ts';
import { rotateSessionKey, SessionKey } from './session-key.ts';

let world: World;
let person: Person;
const jwt = new JwtService();

beforeAll(async () => {
  world = await World.start();
  person = await world.person();
});
afterAll(() => world.stop());

const secretOf = async (name: string) =>
  (await world.db.query<{ value: string }>(`select value from secrets where name = $1`, [name]))[0]
    ?.value;
const status = async (token: string, base = world.base) =>
  (await fetch(`${base}/api${settings.get.path}`, { headers: { authorization: token } })).status;
const signIn = (base: string, cookie = '') =>
  fetch(`${base}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify({ username: person.username, password: PASSWORD }),
  });
const tokenOf = async (answer: Promise<Response>) =>
  ((await (await answer).json()) as { token: string }).token;
/** A process that reads the keys now. */
const startedNow = async () => (await world.startApi()).base;
const decoded = (token: string) =>
  token
    .split('.')
    .slice(0, 2)
    .map(
      (part) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>,
    );
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The user's token with another header, signed with the real secret by its algorithm. */
async function forged(header: object, hash = 'sha256'): Promise<string> {
  const body = `${encoded(header)}.${person.token.split('.')[1]}`;
  const secret = (await secretOf('session'))!;
  return `${body}.${createHmac(hash, secret).update(body).digest('base64url')}`;
}

test('a token is verified with HS256 and the key of its id, whatever its header contains', async () => {
  const [header] = decoded(person.token) as [{ kid: string }];
  const { kid } = header;
  expect(header).toEqual({ alg: 'HS256', typ: 'JWT', kid: expect.stringMatching(/^[\w-]{8}$/) });
  expect(await status(await forged(header))).toBe(200);
  // A token of before keys had names.
  expect(await status(await forged({ alg: 'HS256', typ: 'JWT' }))).toBe(200);
  const refused = [
    await forged({ ...header, alg: 'HS384' }, 'sha384'),
    await forged({ ...header, alg: 'HS512' }, 'sha512'),
    await forged({ ...header, alg: 'hs256' }),
    await forged({ ...header, alg: 'none' }),
    await forged({ alg: 'HS256', kid: 'another1' }),
    ...(await Promise.all(
      [null, 1, [kid], { kid }, '', '__proto__', '../../dev/null', 'x'.repeat(5000)].map((odd) =>
        forged({ alg: 'HS256', kid: odd }),
      ),
    )),
    // An unknown key and no signature at all.
    `${encoded({ alg: 'HS256', kid: 'another1' })}.${person.token.split('.')[1]}.`,
    `${encoded({ alg: 'none', kid })}.${person.token.split('.')[1]}.`,
    jwt.sign(decoded(person.token)[1]!, { secret: 'x'.repeat(64), keyid: kid }),
    person.token.slice(0, -4),
    'a.b.c',
    '..',
    `${'x'.repeat(8000)}.x.x`,
  ];
  for (const token of refused)
    expect([token.slice(0, 80), await status(token)]).toEqual([token.slice(0, 80), 401]);
});

test('a rotated key signs at once; its predecessor still verifies, older ones do not', async () => {
  const other = await world.startApi();
  const first = await world.login(person.username);
  expect(await status(first, other.base)).toBe(200);
  const before = await secretOf('session');
  await rotateSessionKey(world.db, false);
  expect(await secretOf('session_previous')).toBe(before);
  // Another process reads the new key first; the others read it when they see the token.
  const base = await startedNow();
  const second = await tokenOf(signIn(base));
  expect(decoded(second)[0]!.kid).not.toBe(decoded(first)[0]!.kid);
  for (const at of [world.base, other.base, base])
    expect([await status(first, at), await status(second, at)]).toEqual([200, 200]);

  await rotateSessionKey(world.db, false);
  const last = await startedNow();
  expect([await status(first, last), await status(second, last)]).toEqual([401, 200]);
});

test('a process stores a session key only if there is none, and all processes use the same', async () => {
  const asked: string[] = [];
  const db = {
    query: (sql: string, parameters: unknown[]) => {
      asked.push(sql);
      return world.db.query(sql, parameters);
    },
  } as unknown as Db;
  await new SessionKey(world.config, db).all();
  expect(asked.filter((sql) => !sql.startsWith('select'))).toEqual([]);

  const name = 'of a test';
  const all = await Promise.all([1, 2, 3, 4].map(() => new GeneratedSecrets(world.db).get(name)));
  expect(new Set(all).size).toBe(1);
  expect(await secretOf(name)).toBe(all[0]);
});

test('a secret that was generated in a transaction is forgotten with it', async () => {
  const secrets = new GeneratedSecrets(world.db);
  const name = 'of a rolled back test';
  const generated = world.db.transaction(async () => {
    await secrets.get(name);
    throw new Error('rolled back');
  });
  await expect(generated).rejects.toThrow('rolled back');
  expect(await secrets.get(name)).toBe(await secretOf(name));
});

test('an unreadable session key is an internal error and ends no session', async () => {
  const key = world.api.get(SessionKey);
  const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  const { of } = key;
  key.of = () => Promise.reject(away);
  expect(await status(person.token)).toBeGreaterThanOrEqual(500);
  key.of = of;
  expect(await status(person.token)).toBe(200);
});

test('a known device is recognised after a key rotation', async () => {
  const cookieOf = (answer: Response) => answer.headers.get('set-cookie')!.split(';')[0]!;
  const cookie = cookieOf(await signIn(await startedNow()));
  await rotateSessionKey(world.db, false);
  const renewed = cookieOf(await signIn(await startedNow(), cookie));
  const device = (value: string) => /device=([\w-]+)\./.exec(value)![1];
  expect(device(renewed)).toBe(device(cookie));
  expect(renewed).not.toBe(cookie);
});

test('a rotation that ends sessions ends all of them', async () => {
  const before = await startedNow();
  const token = await tokenOf(signIn(before));
  expect(await status(token, before)).toBe(200);
  await rotateSessionKey(world.db, true);
  expect(await secretOf('session_previous')).toBeUndefined();
  const records = await world.db.query(
    `select actor_id, owner_id, after from audit_log where action = 'keys.rotate' order by id desc limit 1`,
  );
  expect(records).toEqual([{ actor_id: null, owner_id: null, after: { endsSessions: true } }]);
  const base = await startedNow();
  expect(await status(token, base)).toBe(401);
  expect(await until(async () => (await status(token, before)) === 401, 'the session ends')).toBe(
    true,
  );
  const fresh = await tokenOf(signIn(base));
  expect([await status(fresh, base), await status(fresh, before)]).toEqual([200, 200]);
});

test('configured secrets are rotated in the configuration', async () => {
  const [former, next] = ['former'.repeat(8), 'next-one'.repeat(8)];
  const configured = await World.start({ JWT_SECRET: former });
  const anna = await configured.person();
  Object.assign(configured.config, { JWT_SECRET: next, JWT_SECRET_PREVIOUS: former });
  const { base } = await configured.startApi();
  expect(await status(anna.token, base)).toBe(200);
  Object.assign(configured.config, { JWT_SECRET_PREVIOUS: undefined });
  const { base: last } = await configured.startApi();
  expect(await status(anna.token, last)).toBe(401);
  expect(await configured.db.query(`select 1 from secrets`)).toEqual([]);
  await configured.stop();
});
