import { auth, emails, notifications, recovery, users, type ApiError } from '@heliograph/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { SmtpSink } from '../../../../../scripts/lib/smtp-sink.mjs';
import { type Person, PASSWORD, until, World } from '../../../test/world.ts';
import { Mailer } from '../../core/mail/mailer.ts';
import { setEmail } from './set-email.ts';

const sink = new SmtpSink();
let world: World;
let silent: World;
let manager: Person;
let reseller: Person;

const mailer = () => world.api.get(Mailer, { strict: false });

beforeAll(async () => {
  const smtp = {
    MAIL_TRANSPORT: 'smtp',
    SMTP_URL: await sink.open(),
    MAIL_FROM: 'Beacon <noreply@beacon.example>',
    PUBLIC_URL: 'https://beacon.example',
  };
  world = await World.start({ ...smtp, TRUST_PROXY: '1' });
  silent = await World.start({ MAIL_TRANSPORT: 'off' });
  manager = await world.person({ level: 'manager', grants: { add: ['users.all'] } });
  reseller = await world.person({ level: 'reseller' });
});
afterAll(async () => {
  await world.stop();
  await silent.stop();
  sink.close();
});
beforeEach(async () => {
  await mailer().settled();
  sink.emails = [];
});

let n = 0;
/** Each call from another address. */
const from = () => ({ 'x-forwarded-for': `10.3.${n >> 8}.${n++ & 255}` });
const newAddress = () => `new${n++}@tea.example`;

async function customer(email: string | null = `p${n++}@tea.example`): Promise<Person> {
  const made = await world.person({ resellerId: reseller.id });
  await world.db.query(`update users set data = $2 where id = $1`, [
    made.id,
    email ? { email } : {},
  ]);
  return made;
}
const emailOf = async (who: Person) => (await who.api(users.me)).data.email;
const change = (by: Person, id: string, body: object, password: string | undefined = PASSWORD) =>
  by.api(users.update, { params: { id }, body: { ...body, password }, headers: from() });
const give = (by: Person, id: string, email: string) => change(by, id, { data: { email } });
const refusal = (work: Promise<unknown>): Promise<ApiError> =>
  work.then(
    () => Promise.reject(new Error('it was not refused')),
    (error: ApiError) => error,
  );
const fieldsOf = async (work: Promise<unknown>) => {
  const { status, body } = await refusal(work);
  return [status, ...(body.data ?? []).map(({ field, type }) => `${field} ${type}`)];
};
async function emailTo(address: string) {
  await until(
    async () => sink.emails.some(({ to }) => to[0] === address),
    `an email to ${address}`,
  );
  return sink.emails.find(({ to }) => to[0] === address)!;
}
const keyTo = async (address: string) =>
  /\/confirm\?key=([\w-]+)\s/.exec((await emailTo(address)).text)![1]!;
const confirm = (key: string) =>
  world.client()(emails.confirm, { params: { key }, headers: from() });
const check = (key: string) => world.client()(emails.check, { params: { key }, headers: from() });
/** The address to which recovery e-mails are sent. */
async function recoveredBy(login: string): Promise<string[]> {
  await mailer().settled();
  sink.emails = [];
  await world.client()(recovery.request, { body: { login }, headers: from() });
  await mailer().settled();
  return sink.emails.map(({ to }) => to[0]!).sort();
}

test('the person whose e-mail was changed is told, not the holder of the account', async () => {
  const [holder, sub] = [await customer(), await customer()];
  await world.db.query(`update users set owner_id = $2, role = 'owner' where id = $1`, [
    sub.id,
    holder.id,
  ]);
  const next = newAddress();
  await give(sub, sub.id, next);
  await confirm(await keyTo(next));
  const told = await world.db.query<{ id: string }>(
    `select user_id as id from notifications where owner_id = $1 and type = 'AuthEmail' and channel = 'web'`,
    [holder.id],
  );
  expect(told).toEqual([{ id: sub.id }]);
});

test('a new e-mail takes effect when its key is used, once; the former address is notified before', async () => {
  const who = await customer('former@tea.example');
  const next = newAddress();
  const answer = await give(who, who.id, next);
  expect(answer).toMatchObject({ pendingEmail: next, data: { email: 'former@tea.example' } });
  expect((await who.api(users.me)).pendingEmail).toBe(next);

  const notice = await emailTo('former@tea.example');
  expect(notice.text).toContain(who.username);
  expect(notice.text).toContain(`n***@tea.example`);
  expect(notice.text).not.toContain(next);
  expect(notice.text).toContain('https://beacon.example/recover\n');
  const key = await keyTo(next);
  expect(notice.source).not.toContain(key);
  const [kept] = await world.db.query<{ row: string }>(
    `select email_changes::text as row from email_changes where user_id = $1`,
    [who.id],
  );
  expect(kept!.row).not.toContain(key);

  expect(await check(key)).toMatchObject({ username: who.username, email: next });
  expect(await emailOf(who)).toBe('former@tea.example');
  expect(await confirm(key)).toEqual({ username: who.username, email: next });
  expect(await who.api(users.me)).toMatchObject({
    pendingEmail: null,
    emailConfirmedAt: expect.any(String),
    data: { email: next },
  });
  const notification = (await who.api(notifications.find)).data[0]!;
  expect(notification).toMatchObject({ type: 'AuthEmail', data: { email: next } });
  for (const again of [check, confirm]) expect((await refusal(again(key))).code).toBe('not_found');
});

test('recovery uses the former e-mail until then; its keys are invalid afterwards', async () => {
  const former = `former${n++}@tea.example`;
  const who = await customer(former);
  const next = newAddress();
  await give(who, who.id, next);
  const key = await keyTo(next);
  expect(await recoveredBy(who.username)).toEqual([former]);
  const [old] = sink.emails.filter(({ to }) => to[0] === former);
  const toPassword = /\/recover\/([\w-]+)\s/.exec(old!.text)![1]!;
  await confirm(key);
  const opens = world.client()(recovery.check, { params: { key: toPassword }, headers: from() });
  expect((await refusal(opens)).code).toBe('not_found');
  expect(await recoveredBy(who.username)).toEqual([next]);
  expect(await recoveredBy(former)).toEqual([]);
});

test('the own password is required, and wrong ones are counted', async () => {
  const who = await customer();
  const next = newAddress();
  const params = { id: who.id };
  const body = { data: { email: next } };
  expect(await fieldsOf(who.api(users.update, { params, body }))).toEqual([
    422,
    'password required',
  ]);
  const renamed = { username: `name-${n++}` };
  expect(await fieldsOf(who.api(users.update, { params, body: renamed }))).toEqual([
    422,
    'password required',
  ]);
  const headers = { 'x-forwarded-for': '10.4.4.4' };
  const guess = () =>
    who.api(users.update, { params, body: { ...body, password: 'not this one' }, headers });
  for (let i = 0; i < 5; i++) expect(await fieldsOf(guess())).toEqual([422, 'password wrong']);
  expect((await refusal(guess())).code).toBe('rate_limited');
  // The same e-mail, and what is no identity, need none.
  const same = { data: { email: (await emailOf(who))!.toUpperCase(), firstName: 'Anna' } };
  expect((await who.api(users.update, { params, body: same })).data.firstName).toBe('Anna');
  await mailer().settled();
  expect(sink.emails).toEqual([]);
});

test('an e-mail is replaced, not removed', async () => {
  const who = await customer();
  expect(await fieldsOf(change(who, who.id, { data: { email: null } }))).toEqual([
    422,
    'data.email required',
  ]);
});

test('a superior changes it with the own password, and the same e-mails are sent', async () => {
  const who = await customer('kept@tea.example');
  const next = newAddress();
  expect((await give(reseller, who.id, next)).pendingEmail).toBe(next);
  const notice = await emailTo('kept@tea.example');
  expect(notice.text).toContain(reseller.username);
  expect(await emailOf(who)).toBe('kept@tea.example');
  await confirm(await keyTo(next));
  expect(await emailOf(who)).toBe(next);
});

test('users of the same or a higher level cannot be changed', async () => {
  const other = await world.person({ level: 'manager' });
  const deputy = await world.person({ level: 'reseller' });
  await world.db.query(`update users set owner_id = $2, role = 'owner' where id = $1`, [
    deputy.id,
    reseller.id,
  ]);
  for (const [by, id] of [
    [manager, other.id],
    [reseller, deputy.id],
  ] as const) {
    expect((await refusal(give(by, id, newAddress()))).code).toBe('forbidden');
    expect((await refusal(change(by, id, { data: { firstName: 'X' } }))).code).toBe('forbidden');
    expect((await refusal(change(by, id, { username: `taken-${n++}` }))).code).toBe('forbidden');
  }
  expect(
    (await change(manager, reseller.id, { data: { firstName: 'Roman' } })).data.firstName,
  ).toBe('Roman');
});

test.each([
  ['the actor was deactivated', `update users set is_active = false where id = $2 and id <> $1`],
  ['the customer is another’s', `update users set reseller_id = null where id = $1 and id <> $2`],
])('a change that somebody above asked for is void when %s', async (_, sql) => {
  const by = await world.person({ level: 'reseller' });
  const who = await customer();
  await world.db.query(`update users set reseller_id = $2 where id = $1`, [who.id, by.id]);
  const next = newAddress();
  await give(by, who.id, next);
  const key = await keyTo(next);
  await world.db.query(sql, [who.id, by.id]);
  expect((await refusal(confirm(key))).code).toBe('not_found');
  expect(await emailOf(who)).not.toBe(next);
});

test('impersonated sessions are refused', async () => {
  const who = await customer();
  const { token } = await reseller.api(auth.loginAs, { params: { id: who.id } });
  const borrowed = { ...who, api: world.client(token) };
  const changes = [
    { data: { email: newAddress() } },
    { data: { phone: '+79001234511' } },
    { username: `borrowed-${n++}` },
  ];
  for (const body of changes)
    expect((await refusal(change(borrowed, who.id, body))).code).toBe('borrowed_session');
  const letter = borrowed.api(emails.sendConfirmation, { headers: from() });
  expect((await refusal(letter)).code).toBe('borrowed_session');
  expect((await change(borrowed, who.id, { data: { firstName: 'Anna' } })).data.firstName).toBe(
    'Anna',
  );
});

test('a login that is an address is confirmed as well, and does not divert another account’s recovery', async () => {
  const victim = await customer('victim@tea.example');
  const thief = await customer('thief@tea.example');
  const wanted = 'Victim@tea.example';
  const answer = await change(thief, thief.id, { username: wanted });
  expect(answer).toMatchObject({ username: thief.username, pendingEmail: 'victim@tea.example' });
  const key = await keyTo('victim@tea.example');
  expect(await recoveredBy(wanted)).toEqual(['victim@tea.example']);
  // Also if an older account has it as its username.
  await world.db.query(`update users set username = $2 where id = $1`, [thief.id, wanted]);
  expect(await recoveredBy(wanted)).toEqual(['thief@tea.example', 'victim@tea.example']);
  expect(key).toBeDefined();
  expect((await victim.api(users.me)).username).toBe(victim.username);
});

test('a login may be the confirmed e-mail at once, and both may change together', async () => {
  const who = await customer('mine@tea.example');
  expect((await change(who, who.id, { username: 'Mine@tea.example' })).username).toBe(
    'Mine@tea.example',
  );
  const next = newAddress();
  const differ = change(who, who.id, { username: next, data: { email: newAddress() } });
  expect(await fieldsOf(differ)).toEqual([422, 'username conflict']);
  await change(who, who.id, { username: next, data: { email: next } });
  expect(await confirm(await keyTo(next))).toEqual({ username: next, email: next });
  expect(await who.api(users.me)).toMatchObject({ username: next, data: { email: next } });
});

test('a login that was taken meanwhile is refused, and the key stays valid', async () => {
  const who = await customer();
  const next = newAddress();
  await change(who, who.id, { username: next });
  const key = await keyTo(next);
  const other = await world.person({ name: next });
  expect((await refusal(confirm(key))).code).toBe('conflict');
  await world.db.query(`update users set username = 'gave-it-up' where id = $1`, [other.id]);
  expect((await confirm(key)).username).toBe(next);
});

test('a key ends after a day, with a newer one, with its account and with a new password', async () => {
  const make = async () => {
    const who = await customer();
    const next = newAddress();
    await give(who, who.id, next);
    return { who, next, key: await keyTo(next) };
  };
  const [late, gone, safe] = [await make(), await make(), await make()];
  await world.db.query(
    `update email_changes set expires_at = now() - interval '1 second' where user_id = $1`,
    [late.who.id],
  );
  expect((await late.who.api(users.me)).pendingEmail).toBeNull();
  await world.db.query(`update users set is_active = false where id = $1`, [gone.who.id]);
  sink.emails = [];
  await world.client()(recovery.request, { body: { login: safe.who.username }, headers: from() });
  const toPassword = /\/recover\/([\w-]+)\s/.exec(
    (await emailTo((await emailOf(safe.who))!)).text,
  )!;
  const reset = { params: { key: toPassword[1]! }, body: { password: 'tea & 3 cups' } };
  await world.client()(recovery.reset, { ...reset, headers: from() });
  const replaced = await make();
  const newest = newAddress();
  await give(replaced.who, replaced.who.id, newest);
  for (const { key } of [late, gone, safe, replaced])
    expect((await refusal(confirm(key))).code).toBe('not_found');
  await confirm(await keyTo(newest));
});

test('a key is accepted once from concurrent calls', async () => {
  const who = await customer();
  const next = newAddress();
  await give(who, who.id, next);
  const key = await keyTo(next);
  const results = await Promise.allSettled([1, 2, 3, 4].map(() => confirm(key)));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('the e-mail of the registration is confirmed by a key, which can be sent again', async () => {
  const who = await customer();
  const email = (await emailOf(who))!;
  const send = () => who.api(emails.sendConfirmation, { body: { locale: 'de' }, headers: from() });
  expect((await refusal(send())).code).toBe('conflict');
  await world.db.query(`update users set email_confirmed_at = null where id = $1`, [who.id]);
  expect(await send()).toEqual({ email, expiresIn: 86_400 });
  const { subject } = await emailTo(email);
  expect(subject).toBe('E-Mail-Adresse bestätigen: Heliograph');
  await confirm(await keyTo(email));
  expect(await who.api(users.me)).toMatchObject({ emailConfirmedAt: expect.any(String) });
  const next = newAddress();
  await give(who, who.id, next);
  await emailTo(next);
  sink.emails = [];
  expect((await send()).email).toBe(next);
  await confirm(await keyTo(next));
  expect(await emailOf(who)).toBe(next);
});

test('using a recovery key confirms the address', async () => {
  const who = await customer();
  await world.db.query(`update users set email_confirmed_at = null where id = $1`, [who.id]);
  await world.client()(recovery.request, { body: { login: who.username }, headers: from() });
  const toPassword = /\/recover\/([\w-]+)\s/.exec((await emailTo((await emailOf(who))!)).text)!;
  const reset = { params: { key: toPassword[1]! }, body: { password: 'tea & 3 cups' } };
  await world.client()(recovery.reset, { ...reset, headers: from() });
  const api = world.client(await world.login(who.username, 'tea & 3 cups'));
  expect(await api(users.me)).toMatchObject({ emailConfirmedAt: expect.any(String) });
});

test('a confirmed address recovers only the account that confirmed it', async () => {
  const shared = `shared${n++}@tea.example`;
  const [first, owner, second] = [
    await customer(shared),
    await customer(shared),
    await customer(shared),
  ];
  const unconfirmed = [first.id, second.id];
  await world.db.query(`update users set email_confirmed_at = null where id = any($1)`, [
    unconfirmed,
  ]);
  await recoveredBy(shared);
  const received = sink.emails.filter(({ to }) => to[0] === shared);
  expect(received.map(({ text }) => text.includes(owner.username))).toEqual([true]);
  // By its login each is found all the same.
  expect(await recoveredBy(first.username)).toEqual([shared]);
});

test('e-mails are limited by user, by address and by network', async () => {
  const who = await customer();
  const isLimited = async (work: Promise<unknown>) =>
    expect((await refusal(work)).code).toBe('rate_limited');
  for (let i = 0; i < 5; i++) await give(who, who.id, newAddress());
  await isLimited(give(who, who.id, newAddress()));
  const pestered = newAddress();
  for (let i = 0; i < 15; i++) await customer().then((one) => give(one, one.id, pestered));
  const another = await customer();
  await isLimited(give(another, another.id, pestered));
  const headers = { 'x-forwarded-for': '10.5.5.5' };
  const ask = async () => {
    const one = await customer();
    const body = { data: { email: newAddress() }, password: PASSWORD };
    return one.api(users.update, { params: { id: one.id }, body, headers });
  };
  for (let i = 0; i < 20; i++) await ask();
  await isLimited(ask());
});

test('keys can be tried a hundred times an hour from a network', async () => {
  const headers = { 'x-forwarded-for': '10.6.6.6' };
  const attempt = () => world.client()(emails.confirm, { params: { key: 'nonsense' }, headers });
  for (let i = 0; i < 100; i++) await refusal(attempt());
  expect((await refusal(attempt())).code).toBe('rate_limited');
});

test('an e-mail set by the operator is confirmed and cancels a pending one', async () => {
  const who = await customer();
  const next = newAddress();
  await give(who, who.id, next);
  const key = await keyTo(next);
  await setEmail(world.db, { username: who.username.toUpperCase(), email: 'By.Hand@tea.example' });
  expect(await who.api(users.me)).toMatchObject({
    emailConfirmedAt: expect.any(String),
    data: { email: 'by.hand@tea.example' },
  });
  expect((await refusal(confirm(key))).code).toBe('not_found');
  const nobody = setEmail(world.db, { username: 'nobody-of-ours', email: next });
  await expect(nobody).rejects.toThrow('No such user: nobody-of-ours');
  const wrong = setEmail(world.db, { username: who.username, email: 'nonsense' });
  await expect(wrong).rejects.toThrow('Invalid e-mail');
});

test('without mail addresses cannot be changed, with a code of its own', async () => {
  const who = await silent.person();
  const body = { data: { email: 'new@tea.example' }, password: PASSWORD };
  const refused = await refusal(who.api(users.update, { params: { id: who.id }, body }));
  expect(refused).toMatchObject({ status: 503, code: 'mail_off' });
  const renamed = { username: 'no-address', password: PASSWORD };
  expect((await who.api(users.update, { params: { id: who.id }, body: renamed })).username).toBe(
    'no-address',
  );
});

test('a pending change can be cancelled by its user; the key is then void', async () => {
  const who = await customer();
  const cancel = (by = who) => by.api(emails.cancel);
  expect((await refusal(cancel())).code).toBe('conflict');
  const next = newAddress();
  await give(who, who.id, next);
  const key = await keyTo(next);
  const { token } = await reseller.api(auth.loginAs, { params: { id: who.id } });
  const borrowed = { ...who, api: world.client(token) };
  expect((await refusal(cancel(borrowed))).code).toBe('borrowed_session');
  expect(await cancel()).toEqual({ cancelled: next });
  expect((await who.api(users.me)).pendingEmail).toBeNull();
  expect((await refusal(confirm(key))).code).toBe('not_found');
});
