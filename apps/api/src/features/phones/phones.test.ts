import {
  audit,
  auth,
  billings,
  phones,
  recovery,
  sendings,
  sendingsIncoming,
  settings,
  users,
  type ApiError,
} from '@heliograph/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { SmtpSink } from '../../../../../scripts/lib/smtp-sink.mjs';
import { setCarrier } from '../../../test/factories.ts';
import { MESSAGE } from '../../../test/scene.ts';
import { PASSWORD, type Person, until, World } from '../../../test/world.ts';
import { SYSTEM_OWNER } from '../../core/auth/actor.ts';
import { PhonesService } from './phones.service.ts';

const sink = new SmtpSink();
let world: World;
let manager: Person;
let reseller: Person;

beforeAll(async () => {
  const smtp = { MAIL_TRANSPORT: 'smtp', SMTP_URL: await sink.open(), MAIL_FROM: 'a@tea.example' };
  world = await World.start({
    ...smtp,
    PUBLIC_URL: 'https://tea.example',
    TRUST_PROXY: '1',
    DEMO: '1',
  });
  await setCarrier(world, {});
  await world.startWorker();
  manager = await world.person({ level: 'manager', grants: { add: ['users.all'] } });
  reseller = await world.person({ level: 'reseller' });
});
afterAll(async () => {
  await world.stop();
  sink.close();
});

let n = 0;
let who: Person;
let phone: string;
beforeEach(async () => {
  phone = newPhone();
  who = await newcomer(phone);
});

const newPhone = () => `+7900555${String(1000 + n++)}`;
/** Each call from another address. */
const from = () => ({ 'x-forwarded-for': `10.7.${n >> 8}.${n++ & 255}` });
const sql = <R extends object>(text: string, values: unknown[] = [who.id]) =>
  world.db.query<R>(text, values);

/** As registration leaves it: with a credit that its phone had. */
async function newcomer(registered: string): Promise<Person> {
  const made = await world.person({ resellerId: reseller.id, balance: 0 });
  await sql(
    `update users set is_test = true, phone_confirmed_at = null, data = jsonb_build_object('phone', $2::text, 'email', username || '@tea.example') where id = $1`,
    [made.id, registered],
  );
  await sql(
    `insert into free_credits (phone, owner_id, amount) values ($2, $1, 70) on conflict do nothing`,
    [made.id, registered],
  );
  return made;
}
async function customer(confirmed: string): Promise<Person> {
  const made = await newcomer(confirmed);
  await sql(`update users set is_test = false, phone_confirmed_at = now() where id = $1`, [
    made.id,
  ]);
  return made;
}
const ask = (by = who, body: object = {}) => by.api(phones.sendCode, { body, headers: from() });
const confirm = (code: string, by = who) =>
  by.api(phones.confirm, { body: { code }, headers: from() });
const me = (by = who) => by.api(users.me);
const change = (by: Person, id: string, body: object) =>
  by.api(users.update, { params: { id }, body, headers: from() });
const give = (by: Person, id: string, to: string | null) =>
  change(by, id, { data: { phone: to }, password: PASSWORD });
const textTo = async (to: string): Promise<string> => {
  const [row] = await sql<{ body: string }>(
    `select body from sendings where owner_id = $1 and phone = $2 order by id desc limit 1`,
    [SYSTEM_OWNER, to],
  );
  return row!.body;
};
const codeTo = async (to: string) => /\d{6}/.exec(await textTo(to))![0];
const other = (code: string) => String((Number(code) + 1) % 1e6).padStart(6, '0');
const refusal = (work: Promise<unknown>): Promise<ApiError> =>
  work.then(
    () => Promise.reject(new Error('it was not refused')),
    (error: ApiError) => error,
  );
const codeOf = async (work: Promise<unknown>) => (await refusal(work)).code;
const ruleOf = async (work: Promise<unknown>) => {
  const { status, body } = await refusal(work);
  return [status, ...(body.data ?? []).map(({ field, type }) => `${field} ${type}`)];
};
const isRestricted = async (by = who) => (await by.api(settings.get)).session.isRestricted;

test('a code by SMS confirms the phone, and the account may send to others', async () => {
  expect(await isRestricted()).toBe(true);
  expect(await ask(who, { locale: 'de' })).toEqual({ phone, expiresIn: 600 });
  expect(await textTo(phone)).toMatch(/^Heliograph: Ihr Code ist \d{6}\. /);
  expect(await confirm(await codeTo(phone))).toEqual({ phone });
  expect(await me()).toMatchObject({ phoneConfirmedAt: expect.any(String), data: { phone } });
  expect(await isRestricted()).toBe(false);
  const [record] = (
    await who.api(audit.find, { query: { filter: { action: ['phones.confirm'] } } })
  ).data;
  expect(record).toMatchObject({ after: { phoneConfirmedAt: expect.any(String) } });
  expect(await codeOf(ask())).toBe('conflict');
});

test('the code is readable in the SMS only', async () => {
  await ask();
  const code = await codeTo(phone);
  const [{ id, amount }] = (await sql<{ id: string; amount: string }>(
    `select id, amount from sendings where owner_id = $1 and phone = $2`,
    [SYSTEM_OWNER, phone],
  )) as [{ id: string; amount: string }];
  expect(Number(amount)).toBe(0);
  const [kept] = await sql<{ row: string }>(
    `select phone_codes::text as row from phone_codes where user_id = $1`,
  );
  expect(kept!.row).not.toContain(code);
  await until(
    async () =>
      (
        await sql(
          `select 1 from batches b join sendings s on s.batch_id = b.id where s.id = $1 and b.submitted_at is not null`,
          [id],
        )
      ).length > 0,
    'the SMS to be with the carrier',
  );
  for (const { api } of [who, reseller, manager]) {
    for (const query of [
      {},
      { filter: { recipient: phone } },
      { filter: { id } },
      { $search: phone },
      { filter: { status: ['sent', 'delivered', 'pending', 'processing'] } },
    ])
      expect((await api(sendings.find, { query: query as never })).data).toEqual([]);
    expect(await codeOf(api(sendings.get, { params: { id } }))).toBe('not_found');
    expect(await codeOf(api(sendings.find, { query: { filter: { OwnerId: SYSTEM_OWNER } } }))).toBe(
      'not_found',
    );
    expect((await api(sendingsIncoming.find)).data).toEqual([]);
    const listed = await api(users.find, { query: { limit: 200 } });
    expect(JSON.stringify(listed)).not.toContain(SYSTEM_OWNER);
    expect(JSON.stringify(await api(audit.find))).not.toContain(code);
    expect(await codeOf(api(users.get, { params: { id: SYSTEM_OWNER } }))).toBe('not_found');
  }
  expect(await sql(`select 1 from billings where owner_id = $1`, [SYSTEM_OWNER])).toEqual([]);
});

test('a code may be tried five times, also concurrently', async () => {
  await ask();
  const code = await codeTo(phone);
  for (let i = 0; i < 4; i++)
    expect(await ruleOf(confirm(other(code)))).toEqual([422, 'code code_wrong']);
  const tries = [other(code), other(code), code].map((typed) => ruleOf(confirm(typed)));
  await Promise.allSettled(tries);
  const [row] = await sql<{ tries: number }>(`select tries from phone_codes where user_id = $1`);
  const isConfirmed = (await me()).phoneConfirmedAt !== null;
  expect(row ? row.tries === 5 : isConfirmed).toBe(true);
  expect(await ruleOf(confirm(code))).toEqual([422, 'code code_expired']);
});

test.each(['12345', '1234567', '12345a', '١٢٣٤٥٦'])('%s is no code', async (code) => {
  expect((await refusal(confirm(code))).body.data![0]).toMatchObject({ field: 'code' });
});

test('a code is accepted once from concurrent calls', async () => {
  await ask();
  const code = await codeTo(phone);
  const results = await Promise.allSettled([1, 2, 3].map(() => confirm(code)));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('a code ends after ten minutes, with a newer one and with another phone, and is removed from its SMS', async () => {
  await ask();
  const first = await codeTo(phone);
  await ask();
  const texts = () =>
    sql<{ body: string }>(
      `select body from sendings where owner_id = $1 and phone = $2 order by id`,
      [SYSTEM_OWNER, phone],
    );
  expect((await texts())[0]!.body).toContain('******');
  const second = await codeTo(phone);
  expect(await ruleOf(confirm(first === second ? other(first) : first))).toEqual([
    422,
    'code code_wrong',
  ]);
  await sql(`update phone_codes set expires_at = now() - interval '1 second' where user_id = $1`);
  expect(await ruleOf(confirm(second))).toEqual([422, 'code code_expired']);
  await world.api.get(PhonesService, { strict: false }).deleteExpired();
  expect((await texts()).map(({ body }) => /\d/.test(body))).toEqual([false, false]);
  await ask();
  const third = await codeTo(phone);
  const next = newPhone();
  await give(who, who.id, next);
  expect(await ruleOf(confirm(third))).toEqual([422, 'code code_expired']);
  expect((await me()).data.phone).toBe(next);
});

test('codes are limited by account, by phone and by network', async () => {
  const headers = { 'x-forwarded-for': '10.8.8.8' };
  const fromOne = (by: Person) => by.api(phones.sendCode, { headers });
  for (let i = 0; i < 5; i++) await fromOne(who);
  for (let i = 0; i < 15; i++) expect(await codeOf(fromOne(who))).toBe('rate_limited');
  const second = await newcomer(phone);
  expect(await codeOf(fromOne(second))).toBe('rate_limited');
  for (const person of [second, await newcomer(phone)]) {
    await sql(`delete from free_credits where owner_id = $1`, [person.id]);
    for (let i = 0; i < 5; i++) await ask(person);
  }
  expect(await codeOf(ask(await newcomer(phone)))).toBe('rate_limited');
});

test('a paying account keeps its phone, and its scope, until another is confirmed', async () => {
  const before = newPhone();
  const payer = await customer(before);
  expect(await codeOf(ask(payer))).toBe('conflict');
  const next = newPhone();
  const body = { data: { phone: next } };
  expect(await ruleOf(change(payer, payer.id, body))).toEqual([422, 'password required']);
  expect(await ruleOf(change(payer, payer.id, { ...body, password: 'not this' }))).toEqual([
    422,
    'password wrong',
  ]);
  expect(await give(payer, payer.id, next)).toMatchObject({
    pendingPhone: next,
    data: { phone: before },
    phoneConfirmedAt: expect.any(String),
  });
  expect(await isRestricted(payer)).toBe(false);
  expect((await ask(payer)).phone).toBe(next);
  // What is no identity needs no password, and leaves the waiting phone alone.
  expect(await change(payer, payer.id, { data: { firstName: 'Anna' } })).toMatchObject({
    pendingPhone: next,
  });
  expect(await confirm(await codeTo(next), payer)).toEqual({ phone: next });
  expect(await me(payer)).toMatchObject({ pendingPhone: null, data: { phone: next } });
  const [record] = (
    await payer.api(audit.find, { query: { filter: { action: ['phones.confirm'] } } })
  ).data;
  expect(record).toMatchObject({ before: { phone: before }, after: { phone: next } });
});

test('setting the confirmed phone cancels a pending one; a confirmed phone cannot be removed', async () => {
  const before = newPhone();
  const payer = await customer(before);
  await give(payer, payer.id, newPhone());
  expect(await change(payer, payer.id, { data: { phone: before } })).toMatchObject({
    pendingPhone: null,
  });
  expect(await ruleOf(give(payer, payer.id, null))).toEqual([422, 'data.phone required']);
  expect((await give(who, who.id, null)).data.phone).toBeUndefined();
  expect(await codeOf(ask())).toBe('conflict');
});

test('a superior changes the phone with the own password; the user confirms it', async () => {
  const payer = await customer(newPhone());
  const next = newPhone();
  expect(await ruleOf(change(reseller, payer.id, { data: { phone: next } }))).toEqual([
    422,
    'password required',
  ]);
  expect(await give(reseller, payer.id, next)).toMatchObject({ pendingPhone: next });
  expect(await codeOf(give(payer, reseller.id, next))).toBe('not_found');
  await ask(payer);
  await confirm(await codeTo(next), payer);
  expect((await me(payer)).data.phone).toBe(next);
});

test('impersonated sessions are refused', async () => {
  await ask();
  const { token } = await reseller.api(auth.loginAs, { params: { id: who.id } });
  const borrowed = { ...who, api: world.client(token) };
  for (const work of [
    () => ask(borrowed),
    () => confirm('123456', borrowed),
    () => borrowed.api(phones.simulated),
    () => give(borrowed, who.id, newPhone()),
  ])
    expect(await codeOf(work())).toBe('borrowed_session');
});

test('a new password cancels a pending phone', async () => {
  const payer = await customer(newPhone());
  await give(payer, payer.id, newPhone());
  const { email } = (await me(payer)).data;
  sink.emails = [];
  await world.client()(recovery.request, { body: { login: payer.username }, headers: from() });
  const received = await until(
    async () => sink.emails.find(({ to }) => to[0] === email),
    'the email',
  );
  const key = /\/recover\/([\w-]+)\s/.exec(received.text)![1]!;
  await world.client()(recovery.reset, {
    params: { key },
    body: { password: 'tea & 3 cups' },
    headers: from(),
  });
  const api = world.client(await world.login(payer.username, 'tea & 3 cups'));
  expect((await api(users.me)).pendingPhone).toBeNull();
});

test('one phone confirms one free credit', async () => {
  await ask();
  await confirm(await codeTo(phone));
  const second = await newcomer(newPhone());
  await give(second, second.id, phone);
  expect(await codeOf(ask(second))).toBe('phone_used');
  // Nor if both request a code before one of them confirms.
  const [third, fourth] = [await newcomer(newPhone()), await newcomer(newPhone())];
  const shared = newPhone();
  for (const one of [third, fourth]) await give(one, one.id, shared).then(() => ask(one));
  const forFourth = await codeTo(shared);
  await sql(
    `update phone_codes set code_hash = (select code_hash from phone_codes where user_id = $2) where user_id = $1`,
    [third.id, fourth.id],
  );
  await confirm(forFourth, third);
  expect(await codeOf(confirm(forFourth, fourth))).toBe('phone_used');
  expect(await isRestricted(fourth)).toBe(true);
  // A paying account may have the phone as well; without a credit there is nothing to take.
  await manager.api(billings.create, {
    body: { source: 'accrual', amount: 10, OwnerId: fourth.id },
  });
  await ask(fourth);
  await confirm(await codeTo(shared), fourth);
  expect(await isRestricted(fourth)).toBe(false);
  // The phone of the registration can be used by its holder.
  expect(await sql(`select phone from free_credits where owner_id = $1`, [third.id])).toEqual([
    { phone: shared },
  ]);
});

test('with the demo world the simulated phone shows messages to the own phone only', async () => {
  await ask();
  const code = await codeTo(phone);
  const shown = await until(async () => (await who.api(phones.simulated)).data[0], 'the message');
  expect(shown).toMatchObject({
    sender: 'DEMO',
    recipient: phone,
    text: expect.stringContaining(code),
  });
  // Another account that claims the same phone does not get what was sent to this one.
  const thief = await newcomer(phone);
  expect((await thief.api(phones.simulated)).data).toEqual([]);
  expect((await reseller.api(phones.simulated)).data).toEqual([]);
  await confirm(code);
  await sql(`update balances set balance = 10 where owner_id = $1`);
  await who.api(sendings.create, { body: { ...MESSAGE, recipient: phone } });
  const own = await until(async () => (await who.api(phones.simulated)).data[0], 'its own message');
  expect(own).toMatchObject({ text: MESSAGE.payload.text, recipient: phone });
  const { base } = await world.startApi({ DEMO: false });
  expect(await codeOf(world.client(who.token, base)(phones.simulated))).toBe('not_found');
});
