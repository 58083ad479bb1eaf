import {
  billings,
  notifications,
  registration,
  sendernames,
  sendings,
  settings,
  users,
} from '@heliograph/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reasonsOf } from '../../../test/settled.ts';
import { type Person, World } from '../../../test/world.ts';
import { verifyLedger } from '../billings/verify.store.ts';

let world: World;
let reseller: Person;
let accountManager: Person;

beforeAll(async () => {
  world = await World.start({
    REGISTRATION_CREDIT: '12.5',
    REGISTRATION_LIMIT: '1000',
    CAPTCHA_AFTER: '1000',
    TRUST_PROXY: '1',
  });
  accountManager = await world.person({ level: 'manager' });
  reseller = await world.person({ level: 'reseller', managerId: accountManager.id });
});
afterAll(() => world.stop());

const PASSWORD = 'tea & 2 cups';
let n = 0;
const phoneOf = (i: number) => `8 (900) 123-45-${String(i).padStart(2, '0')}`;
const form = (changes: object = {}, data: object = {}) => ({
  username: `new-user-${n++}`,
  password: PASSWORD,
  ...changes,
  data: { email: 'Anna@Tea.example', phone: phoneOf(n), firstName: 'Анна', ...data },
});

/** Each call from another address unless one is given. */
async function post(body: object, address = `10.0.0.${n}`): Promise<Response> {
  return fetch(`${world.base}/api/registration`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify(body),
  });
}
async function register(body = form()) {
  const { id } = await world.client()(registration.create, { body });
  return { id, api: world.client(await world.login(body.username, body.password)) };
}

test('a registered user has prices, a credit and a sender name', async () => {
  const { id, api } = await register(form({}, { phone: '8 (900) 123-45-67' }));
  const me = await api(users.me, { query: { scope: ['full'] } });
  expect(me).toMatchObject({
    id,
    OwnerId: id,
    level: 'me',
    balance: 12.5,
    $verified: false,
    data: { email: 'anna@tea.example', phone: '+79001234567', firstName: 'Анна' },
    Tariffs: [{ title: 'Standard' }],
    Sendernames: [{ name: 'DEMO', type: 'sms', moderation: 'approved' }],
  });
  const { data } = await api(billings.find);
  expect(data).toMatchObject([{ source: 'accrual', amount: 12.5, status: 'complete' }]);
  expect((await api(settings.get)).session).toMatchObject({
    isTest: true,
    isRestricted: true,
    hasFreeCredit: true,
  });
  const notified = await api(notifications.find);
  expect(notified.data.map(({ type }) => type)).toEqual(['BalanceAccrual', 'AuthRegistration']);
  expect((await api(sendernames.find)).total).toBe(1);
  expect(await verifyLedger(world.db)).toEqual([]);
});

test('a form is taken as well as JSON', async () => {
  const username = `form-${n++}`;
  const answer = await fetch(`${world.base}/api/registration`, {
    method: 'POST',
    body: new URLSearchParams({
      username,
      password: PASSWORD,
      'data[email]': 'vera@tea.example',
      'data[phone]': '+79001234567',
      'data[firstName]': 'Vera',
      'data[meta][source]': 'partner',
    }),
  });
  expect(answer.status).toBe(201);
  const api = world.client(await world.login(username, PASSWORD));
  expect((await api(users.me)).data).toMatchObject({
    firstName: 'Vera',
    meta: { source: 'partner' },
  });
});

test('a first message to the own phone is sent and paid from the credit', async () => {
  const body = form();
  const { api } = await register(body);
  const payload = { sender: 'DEMO', text: 'Hello' };
  const sent = await api(sendings.create, {
    body: { type: 'sms', recipient: body.data.phone, payload },
  });
  expect(sent).toMatchObject({ status: 'pending', error: null });
  expect((await api(users.me)).balance).toBeLessThan(12.5);
});

test('the e-mail defaults to a username that is an address, else it is required', async () => {
  const named = form({ username: 'Boris@Tea.example' }, { email: '' });
  const { api } = await register(named);
  expect((await api(users.me)).data.email).toBe('boris@tea.example');
  const refused = await post(form({}, { email: undefined }));
  expect(await refused.json()).toMatchObject({
    error: 422,
    data: [{ field: 'data.email', type: 'required' }],
  });
});

test.each([
  [{ username: `two.dots@${Date.now()}-tea.example` }, { email: '' }],
  [{}, { email: ' Info@Чай.рф' }],
  [{}, { firstName: 'Әлия', lastName: 'O’Brien-Łukasz' }],
])('%j with %j opens an account that can be read', async (changes, data) => {
  const named = form(changes, data);
  const { api } = await register(named);
  const email = 'username' in changes ? changes.username : String(named.data.email);
  expect((await api(users.me)).data).toMatchObject({
    firstName: named.data.firstName,
    email: email!.trim().toLowerCase(),
  });
});

test.each<[string, object, object]>([
  ['username', { username: 'anna' }, {}],
  ['username', { username: 'anna smirnova' }, {}],
  ['username', { username: 'a'.repeat(151) }, {}],
  ['password', { password: '12345' }, {}],
  ['password', { password: '1234567890123456789' }, {}],
  ['password', { password: 'пароль123' }, {}],
  ['data.firstName', {}, { firstName: ' ' }],
  ['data.firstName', {}, { firstName: 'Anna1' }],
  ['data.lastName', {}, { lastName: '<b>' }],
  ['data.phone', {}, { phone: '12345' }],
  ['data.email', {}, { email: 'anna@tea' }],
  ['data.email', { username: 'two..dots@tea.example' }, { email: '' }],
])('a wrong %s is named', async (field, changes, data) => {
  const refused = await post(form(changes, data));
  expect(refused.status).toBe(422);
  expect(await refused.json()).toMatchObject({ data: [{ field }] });
});

test('all faults of a form are in one answer', async () => {
  const faultsOf = async (changes: object, data: object = {}) => {
    const refused = await post(form(changes, data));
    const { data: found } = (await refused.json()) as { data: { field: string; type: string }[] };
    return found.map(({ field, type }) => `${field} ${type}`).toSorted();
  };
  expect(await faultsOf({ password: 'password1', username: 'anna' }, { email: '' })).toEqual([
    'data.email required',
    'password common',
    'username too_small',
  ]);
  expect(await faultsOf({ password: 'password1', username: reseller.username })).toEqual([
    'password common',
    'username unique',
  ]);
  expect(await faultsOf({ password: 'п' })).toEqual([
    'password invalid_format',
    'password too_small',
  ]);
});

test('a taken username is an error of its field, in any case and with concurrent registrations', async () => {
  const taken = { status: 422, body: { data: [{ field: 'username', type: 'unique' }] } };
  const again = { ...form(), username: reseller.username.toUpperCase() };
  await expect(world.client()(registration.create, { body: again })).rejects.toMatchObject(taken);
  const body = form();
  const results = await Promise.allSettled(
    [1, 2, 3].map(() => world.client()(registration.create, { body })),
  );
  expect(results.filter((r) => r.status === 'fulfilled')).toHaveLength(1);
  for (const reason of reasonsOf(results)) expect(reason).toMatchObject(taken);
});

test('a referral code assigns the reseller, and the parameters of the URL are stored', async () => {
  const params = { id: reseller.id };
  await reseller.api(users.update, { params, body: { referralCode: 'TEA-2026' } });
  const meta = { source: 'ads', salon_id: '17', survey: 'spring', usedReferralCode: 'tea-2026' };
  const { id, api } = await register(form({}, { meta }));
  const kept = await reseller.api(users.get, { params: { id } });
  expect(kept).toMatchObject({ ResellerId: reseller.id, data: { meta } });
  const seen = await accountManager.api(users.get, { params: { id } });
  expect(seen.data.partnership).toMatchObject({ ManagerId: accountManager.id });
  await api(registration.survey, { body: { survey: 'batchMailing:sms' } });
  expect((await api(users.me)).data.meta).toEqual({ ...meta, survey: 'batchMailing:sms' });
});

test('an unknown referral code is stored and assigns no reseller', async () => {
  const { api } = await register(form({}, { meta: { usedReferralCode: 'GONE' } }));
  expect(await api(users.me)).toMatchObject({
    ResellerId: null,
    data: { meta: { usedReferralCode: 'GONE' } },
  });
});

test.each(['batchMailing', 'nothing:sms', 'dialog:'])(
  'the survey %s is refused',
  async (survey) => {
    await expect(reseller.api(registration.survey, { body: { survey } })).rejects.toMatchObject({
      status: 422,
    });
  },
);

test('the credit is given once per phone, in any spelling and with concurrent registrations', async () => {
  const spelled = [
    '8 (903) 777-66-55',
    '+79037776655',
    '9037776655',
    '+7 903 777-66-55',
    '8903 7776655',
  ];
  const opened = await Promise.all(spelled.map((phone) => register(form({}, { phone }))));
  const credits = await Promise.all(opened.map(async ({ api }) => (await api(users.me)).balance));
  expect(credits.toSorted()).toEqual([0, 0, 0, 0, 12.5]);
  const credited = await Promise.all(
    opened.map(async ({ api }) => (await api(settings.get)).session.hasFreeCredit),
  );
  expect(credited).toEqual(credits.map((credit) => credit === 12.5));
  expect(await verifyLedger(world.db)).toEqual([]);
});

test.each(['123456', 'password', 'QWERTY', 'iloveyou'])(
  'the password %s is among the first that are tried',
  async (password) => {
    const refused = await post(form({ password }));
    expect(refused.status).toBe(422);
    expect(await refused.json()).toMatchObject({ data: [{ field: 'password', type: 'common' }] });
  },
);

test('a login cannot be its own password', async () => {
  const refused = await post(form({ username: 'vera.tea.shop', password: 'Vera.Tea.Shop' }));
  expect(await refused.json()).toMatchObject({ data: [{ field: 'password', type: 'common' }] });
});

test('a closed registration is refused with its code', async () => {
  world.config.REGISTRATION = 'closed';
  const refused = await post(form());
  world.config.REGISTRATION = 'open';
  expect(refused.status).toBe(403);
  expect(await refused.json()).toMatchObject({ code: 'registration_closed' });
});

test('a user is put back as it was read; another source of the account is refused', async () => {
  const { id, api } = await register(form({}, { meta: { usedReferralCode: 'GONE' } }));
  const row = await api(users.get, { params: { id } });
  const put = (changes: object) =>
    api(users.update, { params: { id }, body: { ...(row as object), ...changes } });
  const same = { ...row, updatedAt: expect.any(String) };
  expect(row.referralCode).toBeNull();
  expect(await put({})).toEqual(same);
  expect(await put({ data: { meta: {} } })).toEqual(same);
  const meta = { usedReferralCode: 'OTHER' };
  const field = 'data.meta.usedReferralCode';
  await expect(put({ data: { ...row.data, meta } })).rejects.toMatchObject({
    status: 422,
    body: { data: [expect.objectContaining({ field, type: 'invalid_value' })] },
  });
  expect(await api(users.get, { params: { id } })).toMatchObject({ data: row.data });
});

test('a new username has up to 16 characters, unless it is an e-mail address', async () => {
  const long = 'a-name-of-17-char';
  expect(long).toHaveLength(17);
  await expect(register(form({ username: long }))).rejects.toMatchObject({
    status: 422,
    body: { data: [expect.objectContaining({ field: 'username', type: 'too_long' })] },
  });
  const username = `longer-than-a-name-${n}@tea.example`;
  await register(form({ username: long.slice(0, 16) }));
  await register(form({ username }, { email: username }));
});
