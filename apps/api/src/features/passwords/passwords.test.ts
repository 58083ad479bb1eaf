import {
  audit,
  auth,
  notifications,
  passwords,
  users,
  type ApiError,
  type Client,
} from '@heliograph/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { SmtpSink } from '../../../../../scripts/lib/smtp-sink.mjs';
import { PASSWORD, type Person, until, World } from '../../../test/world.ts';

const NEW = 'tea & 3 cups';
const sink = new SmtpSink();
let world: World;

beforeAll(async () => {
  const SMTP_URL = await sink.open();
  const mail = { MAIL_TRANSPORT: 'smtp', SMTP_URL, MAIL_FROM: 'Tea <no@tea.example>' };
  world = await World.start({ ...mail, PASSWORD_MIN: '8', PUBLIC_URL: 'https://tea.example' });
});
afterAll(async () => {
  await world.stop();
  sink.close();
});
beforeEach(() => {
  sink.emails = [];
});

interface Attempt {
  oldPassword?: string;
  newPassword?: string;
  userId?: string;
}
const change = (
  who: { id: string; api: Client },
  { oldPassword = PASSWORD, newPassword = NEW, userId = who.id }: Attempt = {},
) =>
  who.api(passwords.change, {
    body: { userId, passwords: { oldPassword, newPassword }, locale: 'en' },
  });
const refusal = (work: Promise<unknown>): Promise<ApiError> =>
  work.then(
    () => Promise.reject(new Error('it was not refused')),
    (error: ApiError) => error,
  );
const fieldOf = async (work: Promise<unknown>) => {
  const { status, body } = await refusal(work);
  return [status, body?.data?.[0]?.field, body?.data?.[0]?.type];
};
const works = (token: string) =>
  world
    .client(token)(users.me)
    .then(() => true)
    .catch(() => false);
const signsIn = (who: Person, password: string) =>
  world.login(who.username, password).then(
    () => true,
    () => false,
  );

test('other sessions end, this one continues with a new token, the new password signs in', async () => {
  const who = await world.person();
  const elsewhere = await world.login(who.username);
  const session = await change(who);
  expect(session).toMatchObject({ id: who.id, username: who.username });
  expect(await works(session.token)).toBe(true);
  expect([await works(who.token), await works(elsewhere)]).toEqual([false, false]);
  expect([await signsIn(who, PASSWORD), await signsIn(who, NEW)]).toEqual([false, true]);
});

test('the session keeps the time of its sign-in, so that a new password does not prolong it', async () => {
  const who = await world.person();
  await world.db.query(
    `update sessions set signed_in_at = now() - interval '3 days' where user_id = $1`,
    [who.id],
  );
  await change(who);
  const [row] = await world.db.query<{ days: number }>(
    `select extract(day from now() - signed_in_at)::int as days from sessions
      where user_id = $1 and revoked_at is null`,
    [who.id],
  );
  expect(row).toEqual({ days: 3 });
});

test('the user and the audit log learn of it, without either password', async () => {
  const who = await world.person();
  await world.db.query(
    `update users set data = data || '{"email":"anna@tea.example"}' where id = $1`,
    [who.id],
  );
  const { token } = await change(who);
  const api = world.client(token);
  const [notice] = (await api(notifications.find)).data;
  expect(notice).toMatchObject({ type: 'AuthPassword', data: { username: who.username } });
  const log = (await api(audit.find)).data;
  expect(log[0]).toMatchObject({ action: 'passwords.change', Actor: { id: who.id } });
  await until(async () => sink.emails.length > 0, 'the e-mail arrives');
  const [email] = sink.emails;
  expect(email!.to).toEqual(['anna@tea.example']);
  expect(email!.text).toContain(who.username);
  expect(email!.text).toContain('https://tea.example/recover');
  const [row] = await world.db.query<{ rows: string }>(
    `select string_agg(a::text, '') as rows from audit_log a where owner_id = $1`,
    [who.id],
  );
  for (const secret of [PASSWORD, NEW])
    for (const text of [email!.source, JSON.stringify([notice, log]), row!.rows])
      expect(text).not.toContain(secret);
});

test('a wrong old password is refused and counts like a wrong password at sign-in', async () => {
  const who = await world.person();
  const guess = () => change(who, { oldPassword: 'not this one' });
  for (let i = 0; i < 5; i++)
    expect(await fieldOf(guess())).toEqual([422, 'passwords.oldPassword', 'wrong']);
  expect((await refusal(change(who))).code).toBe('rate_limited');
  expect(await works(who.token)).toBe(true);
});

test.each([
  ['short', 'short7!', 'too_small'],
  ['too long', 'x'.repeat(19), 'too_big'],
  ['common', 'password1', 'common'],
  ['not ASCII', 'пароль-пароль', 'invalid_format'],
  ['the old one', PASSWORD, 'unchanged'],
])('a new password that is %s is refused', async (_, newPassword, rule) => {
  const who = await world.person();
  expect(await fieldOf(change(who, { newPassword }))).toEqual([422, 'passwords.newPassword', rule]);
  expect(await works(who.token)).toBe(true);
});

test('the own username is no password', async () => {
  const who = await world.person({ name: 'anna-of-tea' });
  expect(await fieldOf(change(who, { newPassword: 'ANNA-of-tea' }))).toEqual([
    422,
    'passwords.newPassword',
    'common',
  ]);
});

test('a manager, a reseller or an impersonated session cannot change the password of another', async () => {
  const manager = await world.person({ level: 'manager', grants: { add: ['users.all'] } });
  const reseller = await world.person({ level: 'reseller' });
  const who = await world.person({ resellerId: reseller.id });
  for (const above of [manager, reseller])
    expect((await refusal(change(above, { userId: who.id }))).code).toBe('not_found');
  const { token } = await manager.api(auth.loginAs, { params: { id: who.id } });
  const borrowed = { id: who.id, api: world.client(token) };
  expect((await refusal(change(borrowed))).code).toBe('borrowed_session');
  expect(await signsIn(who, PASSWORD)).toBe(true);
});

test('of several changes at once one succeeds', async () => {
  const who = await world.person();
  const wanted = ['tea & 3 cups', 'tea & 4 cups', 'tea & 5 cups'];
  const done = await Promise.allSettled(wanted.map((newPassword) => change(who, { newPassword })));
  const [won, ...more] = wanted.filter((_, i) => done[i]!.status === 'fulfilled');
  expect(more).toEqual([]);
  expect(await signsIn(who, won!)).toBe(true);
});

test('pending changes of addresses and keys of recovery are void', async () => {
  const who = await world.person();
  const hash = `sha256(convert_to('key of ' || $1::uuid, 'UTF8'))`;
  await world.db.query(
    `insert into recovery_keys values ($1, ${hash}, now() + interval '1 hour')`,
    [who.id],
  );
  await world.db.query(
    `insert into email_changes (user_id, key_hash, expires_at, address, is_email, requested_by)
     values ($1, ${hash}, now() + interval '1 hour', 'thief@tea.example', true, $1)`,
    [who.id],
  );
  await world.db.query(`update users set pending_phone = '+79005550011' where id = $1`, [who.id]);
  const { token } = await change(who);
  expect(await world.client(token)(users.me)).toMatchObject({
    pendingEmail: null,
    pendingPhone: null,
  });
  const left = await world.db.query(`select 1 from recovery_keys where user_id = $1`, [who.id]);
  expect(left).toEqual([]);
});
