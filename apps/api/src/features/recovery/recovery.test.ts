import { notifications, passwords, recovery, settings, type ApiError } from '@heliograph/contract';
import { Writable } from 'node:stream';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { SmtpSink } from '../../../../../scripts/lib/smtp-sink.mjs';
import { reasonsOf } from '../../../test/settled.ts';
import { type Person, PASSWORD, until, World } from '../../../test/world.ts';
import { loadConfig } from '../../core/config.ts';
import { createLog, redactUrl } from '../../core/log.ts';
import { Mailer } from '../../core/mail/mailer.ts';

const sink = new SmtpSink();
const NEW = 'tea & 3 cups';
const PUBLIC_URL = 'https://beacon.example/';
const MAIL_FROM = 'Beacon <noreply@beacon.example>';

let world: World;
let silent: World;
let smtp: string;

beforeAll(async () => {
  smtp = await sink.open();
  const mail = { MAIL_TRANSPORT: 'smtp', SMTP_URL: smtp, MAIL_FROM, PUBLIC_URL };
  silent = await World.start({ MAIL_TRANSPORT: 'off', DEMO: '1' });
  world = await World.start({
    ...mail,
    TITLE: 'Маяк',
    TRUST_PROXY: '1',
    CAPTCHA_AFTER: '1000',
  });
});
afterAll(async () => {
  await world.stop();
  await silent.stop();
  sink.close();
});
/** Until no e-mail is being prepared or sent. */
const mailed = () => world.api.get(Mailer, { strict: false }).settled();
beforeEach(async () => {
  await mailed();
  sink.emails = [];
  sink.refuse = [];
  sink.attempts = 0;
});

let n = 0;
/** Each call from an address of its own unless one is given. */
const from = (address = `10.1.${n >> 8}.${n++ & 255}`) => ({ 'x-forwarded-for': address });
const ask = (login: string, more: object = {}, headers: object = from()) =>
  world.client()(recovery.request, {
    body: { login, locale: 'en' as const, ...more },
    headers: { ...headers },
  });
const check = (key: string) => world.client()(recovery.check, { params: { key }, headers: from() });
const reset = (key: string, password = NEW, headers = from()) =>
  world.client()(recovery.reset, { params: { key }, body: { password }, headers });
const refusal = (work: Promise<unknown>): Promise<ApiError> =>
  work.then(
    () => Promise.reject(new Error('it was not refused')),
    (error: ApiError) => error,
  );

async function person(email: string | null = `p${n++}@tea.example`): Promise<Person> {
  const made = await world.person();
  await world.db.query(`update users set data = $2 where id = $1`, [made.id, { email }]);
  return made;
}
async function nextEmail() {
  await until(async () => sink.emails.length > 0, 'an email');
  return sink.emails.shift()!;
}
const keyIn = (text: string) => /\/recover\/([\w-]+)\s/.exec(text)![1]!;
async function keyOf(who: Person): Promise<string> {
  await ask(who.username);
  return keyIn((await nextEmail()).text);
}

test('the person whose password was recovered is told, not the holder of the account', async () => {
  const [holder, sub] = [await person(), await person()];
  await world.db.query(`update users set owner_id = $2, role = 'owner' where id = $1`, [
    sub.id,
    holder.id,
  ]);
  await reset(await keyOf(sub));
  const told = await world.db.query<{ id: string }>(
    `select user_id as id from notifications where owner_id = $1 and type = 'AuthRecover' and channel = 'web'`,
    [holder.id],
  );
  expect(told).toEqual([{ id: sub.id }]);
});

test('the e-mail goes to the address of the account; its key sets a new password once and ends every session', async () => {
  const anna = await person('Anna@Tea.example');
  expect(await ask(anna.username.toUpperCase(), { locale: 'ru' })).toEqual({ expiresIn: 3600 });
  const { from: sender, to, subject, text, html, source } = await nextEmail();
  expect([sender, to]).toEqual(['noreply@beacon.example', ['anna@tea.example']]);
  expect(subject).toBe('Новый пароль: Маяк');
  expect(source).toContain('Auto-Submitted: auto-generated');
  const key = keyIn(text);
  expect(key).toHaveLength(43);
  expect(text).toContain(`https://beacon.example/recover/${key}\n`);
  expect(html).toContain(`href="https://beacon.example/recover/${key}"`);
  for (const said of [text, html]) expect(said).toContain(anna.username);

  const [kept] = await world.db.query<{ row: string }>(
    `select recovery_keys::text as row from recovery_keys where user_id = $1`,
    [anna.id],
  );
  expect(kept!.row).not.toContain(key);

  expect(await check(key)).toMatchObject({ username: anna.username });
  const weak = await refusal(reset(key, 'пароль'));
  expect([weak.status, weak.body.data![0]!.field]).toEqual([422, 'password']);
  const second = await world.login(anna.username);
  expect(await reset(key)).toEqual({ username: anna.username });
  await until(
    async () => (await refusal(anna.api(settings.get))).code === 'session_ended',
    'the first session ends',
  );
  expect((await refusal(world.client(second)(settings.get))).status).toBe(401);
  await expect(world.login(anna.username, PASSWORD)).rejects.toThrow('could not sign in: 401');
  const api = world.client(await world.login(anna.username, NEW));
  const notification = (await api(notifications.find)).data[0]!;
  expect(notification).toMatchObject({ type: 'AuthRecover', data: { ip: expect.any(String) } });
  expect(notification.text).toContain('A new password was set from 10.1.');

  for (const again of [check, reset]) expect((await refusal(again(key))).code).toBe('not_found');
  await mailed();
  expect(sink.emails).toEqual([]);
});

test('a key is accepted once from concurrent calls', async () => {
  const key = await keyOf(await person());
  const passwords = [1, 2, 3, 4].map((i) => `password ${i}`);
  const results = await Promise.allSettled(passwords.map((password) => reset(key, password)));
  expect(results.map(({ status }) => status).sort()).toEqual([
    'fulfilled',
    'rejected',
    'rejected',
    'rejected',
  ]);
  for (const reason of reasonsOf(results)) expect(reason).toMatchObject({ code: 'not_found' });
});

/** Runs `work` while sign-ins wait before their session is stored; they go on when it is done or waits for them. */
async function duringSignIn(who: Person, work: () => Promise<unknown>): Promise<string> {
  await world.db.query(`create function wait_for_test() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock_shared(4711); return new; end $$`);
  await world.db.query(
    `create trigger wait_for_test before insert on sessions for each row execute function wait_for_test()`,
  );
  const waiting = async (count: number) => {
    const [row] = await world.db.query<{ n: number }>(
      `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return row!.n >= count;
  };
  const holder = new pg.Client(world.config.directUrl);
  await holder.connect();
  await holder.query('select pg_advisory_lock(4711)');
  try {
    const signedIn = world.login(who.username);
    await until(() => waiting(1), 'the sign-in');
    let isDone = false;
    const working = work().finally(() => (isDone = true));
    await until(
      async () => isDone || waiting(2),
      'the end of the work, or its wait for the sign-in',
    );
    await holder.query('select pg_advisory_unlock(4711)');
    await working;
    return await signedIn;
  } finally {
    await holder.end();
    await world.db.query(`drop function wait_for_test() cascade`);
  }
}

test('a sign-in with the former password that was under way is ended', async () => {
  const who = await person();
  const key = await keyOf(who);
  const token = await duringSignIn(who, () => reset(key));
  await until(
    async () => (await refusal(world.client(token)(settings.get))).status === 401,
    'the end of the session',
  );
});

test('of a reset and a change of the password at once one succeeds', async () => {
  const who = await person();
  const key = await keyOf(who);
  const changed = 'tea & 4 cups';
  const change = who.api(passwords.change, {
    body: {
      userId: who.id,
      passwords: { oldPassword: PASSWORD, newPassword: changed },
      locale: 'en',
    },
  });
  const results = await Promise.allSettled([reset(key), change]);
  const [isReset, isChanged] = results.map(({ status }) => status === 'fulfilled');
  expect(isReset).toBe(!isChanged);
  const [right, wrong] = isReset ? [NEW, changed] : [changed, NEW];
  expect(await world.login(who.username, right)).toBeTruthy();
  await expect(world.login(who.username, wrong)).rejects.toThrow('could not sign in: 401');
});

test('a key ends after an hour, with a newer one and with its account', async () => {
  const late = await person();
  const expired = await keyOf(late);
  await world.db.query(
    `update recovery_keys set expires_at = now() - interval '1 second' where user_id = $1`,
    [late.id],
  );
  const replaced = await keyOf(await person());
  expect(replaced).not.toBe(expired);
  const twice = await person();
  const first = await keyOf(twice);
  const last = await keyOf(twice);
  const gone = await person();
  const closed = await keyOf(gone);
  await world.db.query(`update users set is_active = false where id = $1`, [gone.id]);
  for (const key of [expired, first, closed, 'nonsense', `${last}x`]) {
    expect((await refusal(check(key))).code).toBe('not_found');
    expect((await refusal(reset(key))).code).toBe('not_found');
  }
  await reset(last);
});

test('recovery accepts an e-mail, and each of its accounts gets an e-mail', async () => {
  const shared = `shared${n++}@tea.example`;
  const people = [await person(shared), await person(shared)];
  await ask(` ${shared.toUpperCase()} `);
  const emails = [await nextEmail(), await nextEmail()];
  const named = await Promise.all(emails.map(({ text }) => check(keyIn(text))));
  expect(named.map(({ username }) => username).sort()).toEqual(
    people.map(({ username }) => username).sort(),
  );
});

test('a login that is an address is used if the account has no e-mail', async () => {
  const name = `vera${n++}@tea.example`;
  await world.person({ name });
  await ask(name);
  expect((await nextEmail()).to).toEqual([name]);
});

test('an unknown login, one without an address and a deactivated account get the same answer and no e-mail', async () => {
  const closed = await person();
  await world.db.query(`update users set is_active = false where id = $1`, [closed.id]);
  const logins = ['nobody-of-ours', (await person(null)).username, closed.username];
  for (const login of logins) expect(await ask(login)).toEqual({ expiresIn: 3600 });
  const known = await person();
  await ask(known.username);
  expect((await nextEmail()).text).toContain(known.username);
  await mailed();
  expect(sink.attempts).toBe(1);
});

test('the answer does not wait for the mail server', async () => {
  const who = await person();
  sink.refuse = ['451 later'];
  await ask(who.username);
  // It is tried once more, later.
  expect(sink.attempts).toBeLessThan(2);
  expect(sink.emails).toEqual([]);
  expect((await nextEmail()).text).toContain(who.username);
  expect(sink.attempts).toBe(2);
});

test('the language is that of the request, else of the browser, else English', async () => {
  const subjects: string[] = [];
  for (const [locale, browser] of [
    ['de', 'fr'],
    [undefined, 'fr-CA, fr;q=0.9'],
    [undefined, 'ja'],
  ]) {
    const headers = { ...from(), 'accept-language': browser! };
    await ask((await person()).username, { locale }, headers);
    subjects.push((await nextEmail()).subject);
  }
  expect(subjects).toEqual([
    'Neues Passwort: Маяк',
    'Nouveau mot de passe : Маяк',
    'New password: Маяк',
  ]);
});

test('e-mails are limited by login and by network, keys by network', async () => {
  const { username } = await person(null);
  const isLimited = async (work: Promise<unknown>, limit: string) => {
    const { status, code, headers } = await refusal(work);
    expect([status, code, headers.get('x-ratelimit-limit')]).toEqual([429, 'rate_limited', limit]);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(3000);
  };
  for (const login of [username, 'unknown-here']) {
    // A stranger in one network leaves the person in another one alone.
    for (let i = 0; i < 5; i++) await ask(login, {}, from('10.9.9.6'));
    await isLimited(ask(login.toUpperCase(), {}, from('10.9.9.6')), '5');
    for (let i = 0; i < 10; i++) await ask(login);
    await isLimited(ask(login), '15');
  }
  for (let i = 0; i < 20; i++) await ask(`unknown-${i}`, {}, from('10.9.9.9'));
  await isLimited(ask('unknown-last', {}, from('10.9.9.9')), '20');
  for (let i = 0; i < 100; i++) await refusal(reset('nonsense', NEW, from('10.9.9.8')));
  await isLimited(reset('nonsense', NEW, from('10.9.9.8')), '100');
});

test('a new password resets the failed sign-ins', async () => {
  const who = await person();
  const headers = { 'content-type': 'application/json', ...from('10.9.9.7') };
  const signIn = (password: string) =>
    fetch(`${world.base}/api/login`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ username: who.username, password }),
    });
  for (let i = 0; i < 5; i++) await signIn('not this one');
  expect((await signIn(PASSWORD)).status).toBe(429);
  await reset(await keyOf(who), NEW, from('10.9.9.7'));
  expect((await signIn(NEW)).status).toBe(200);
});

test('without mail recovery is refused', async () => {
  const body = { login: 'customer' };
  const refused = await refusal(silent.client()(recovery.request, { body }));
  expect(refused).toMatchObject({ status: 503, code: 'mail_off' });
  const recovers = async (of: World) =>
    (await (await of.person()).api(settings.get)).frontend.recovery;
  expect([await recovers(silent), await recovers(world)]).toEqual([false, true]);
});

const given = { DATABASE_URL: 'postgres://x', REDIS_URL: 'redis://x' };
const url = 'https://beacon.example/recover/KEY-KEY-KEY';
const words = { locale: 'en' as const, subject: 'Hello', before: ['a'], after: ['b'] };
const LETTER = { ...words, link: { label: '<b>', url } };

/** What a mailer with this configuration leaves in the log. */
async function logOf(env: Record<string, string>): Promise<string> {
  let lines = '';
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines += String(chunk);
      done();
    },
  });
  const mailer = new Mailer(loadConfig({ ...given, ...env }), createLog('debug', 'test', sink));
  await mailer.send('anna@tea.example', LETTER);
  await mailer.beforeApplicationShutdown();
  return lines;
}

test('a refused e-mail is logged without its contents; with MAIL_TRANSPORT=log it is written to the log', async () => {
  sink.refuse = ['550 no such box KEY-KEY-KEY', '550 never'];
  const refused = await logOf({ MAIL_TRANSPORT: 'smtp', SMTP_URL: smtp, MAIL_FROM, PUBLIC_URL });
  expect(refused).toContain('failed to send an e-mail');
  expect(refused).toContain('550');
  expect(refused).not.toContain('KEY-KEY-KEY');
  // What is final is not tried again.
  expect(sink.attempts).toBe(1);
  expect(await logOf({ DEMO: '1' })).toContain(url);
  expect(await logOf({})).toBe('');
});

test('mail over SMTP needs a server, a sender and the address of the cabinet', () => {
  expect(() => loadConfig({ ...given, MAIL_TRANSPORT: 'smtp' })).toThrow(
    /SMTP_URL[^]*MAIL_FROM[^]*PUBLIC_URL/,
  );
  const wrong = { MAIL_TRANSPORT: 'smtp', SMTP_URL: 'https://mail.example', MAIL_FROM, PUBLIC_URL };
  expect(() => loadConfig({ ...given, ...wrong })).toThrow(/SMTP_URL/);
  expect(loadConfig(given).mail).toBe('off');
});

test('the MAIL of a shell, a mailbox, is no setting; the setting of that name is named with its new name', () => {
  expect(loadConfig({ ...given, MAIL: '/var/mail/anna' }).mail).toBe('off');
  expect(() => loadConfig({ ...given, MAIL: 'smtp' })).toThrow(/MAIL_TRANSPORT/);
  expect(loadConfig({ ...given, MAIL: 'log', MAIL_TRANSPORT: 'off' }).mail).toBe('off');
});

test('keys appear neither in the request log nor in the URLs of pages', async () => {
  expect(redactUrl('/api/recover/KEY?x=1')).toBe('/api/recover/[redacted]?x=[redacted]');
  expect(redactUrl('/recover/KEY')).toBe('/recover/[redacted]');
  const { headers } = await fetch(`${world.base}/api/health`);
  expect(headers.get('referrer-policy')).toBe('no-referrer');
});
