import {
  auth,
  MAX_LISTS,
  MAX_VIEWS,
  notificationSettings,
  ReportInput,
  ReportScheduleUpdate,
  settings,
  settingsUser,
  tokens,
  webhooks,
  type ApiError,
  type Client,
  type Permission,
  type SettingChange,
} from '@heliograph/contract';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listen } from '../../../test/listen.ts';
import { type Person, until, World } from '../../../test/world.ts';

let world: World;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

const put = (who: { id: string; api: Client }, key: string, value: unknown) =>
  who.api(settingsUser.update, {
    params: { accountId: who.id, key: key as 'theme' },
    body: { value: value as never },
  });
const readAll = (who: { id: string; api: Client }, accountId = who.id) =>
  who.api(settingsUser.get, { params: { accountId } });
/** Without the notifications, which are always there. */
const read = async (who: { id: string; api: Client }, accountId = who.id) =>
  Object.fromEntries(
    Object.entries(await readAll(who, accountId)).filter(([key]) => !key.startsWith('events.')),
  );
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: ApiError) => error,
  );

test('keeps a value of each key and gives all of them with the settings of the session', async () => {
  const person = await world.person();
  expect(await read(person)).toEqual({});
  const values = {
    locale: 'de',
    timeZone: 'Asia/Vladivostok',
    theme: 'dark',
    density: 'compact',
    shortcuts: false,
    hidePersonalData: true,
    reports: { encoding: 'win1251', delimiter: ';' },
    'list.sendings': {
      columns: { price: true },
      views: [{ name: 'Failed', query: 'f.status=failed', columns: {} }],
    },
  };
  for (const [key, value] of Object.entries(values))
    expect(await put(person, key, value)).toMatchObject({ key, value });
  expect(await read(person)).toEqual(values);
  expect((await person.api(settings.get)).personal).toEqual(values);
});

test.each([
  ['semicolon', ';'],
  ['comma', ','],
] as const)('a delimiter named %s is kept as %s, of reports too', async (name, delimiter) => {
  const person = await world.person();
  await put(person, 'reports', { delimiter: name });
  expect(await read(person)).toEqual({ reports: { delimiter } });
  const preset = 'billings.details';
  expect(ReportInput.parse({ preset, delimiter: name }).delimiter).toBe(delimiter);
  expect(ReportScheduleUpdate.parse({ delimiter: name })).toEqual({ delimiter });
});

test('the last change of a key wins, null removes it, other keys stay', async () => {
  const person = await world.person();
  await put(person, 'theme', 'dark');
  await put(person, 'locale', 'it');
  const first = await put(person, 'theme', 'light');
  const second = await put(person, 'theme', 'system');
  expect(second.updatedAt > first.updatedAt).toBe(true);
  expect(await read(person)).toEqual({ theme: 'system', locale: 'it' });
  await put(person, 'theme', null);
  expect(await read(person)).toEqual({ locale: 'it' });
});

test.each([
  ['locale', 'tlh'],
  ['locale', true],
  ['timeZone', 'Mars/Phobos'],
  ['timeZone', '+03:00'],
  ['timeZone', 'U'.repeat(65)],
  ['theme', 'auto'],
  ['density', {}],
  ['shortcuts', 'yes'],
  ['reports', { encoding: 'utf16' }],
  ['reports', { delimiter: 'tab' }],
  ['reports', { columns: {} }],
  ['list.sendings', 'dark'],
  ['list.sendings', { encoding: 'utf8' }],
  ['list.sendings', { columns: { price: 'yes' } }],
  ['list.sendings', { columns: Object.fromEntries(range(61).map((n) => [`c${n}`, true])) }],
  ['list.sendings', { views: views(MAX_VIEWS + 1, '') }],
  ['list.sendings', { views: views(1, 'q'.repeat(2001)) }],
  ['list.sendings', { views: views(20, 'q'.repeat(1000)) }],
])('refuses %s %j', async (key, value) => {
  const person = await world.person();
  const refused = await refusal(put(person, key, value));
  expect([refused?.status, refused?.body?.data?.[0]?.field]).toEqual([
    422,
    expect.stringMatching(/^value/),
  ]);
  expect(await read(person)).toEqual({});
});

test.each(['password', '__proto__', 'constructor', 'list.', 'list.a b', `list.${'a'.repeat(41)}`])(
  'refuses the unknown key %s',
  async (key) => {
    const person = await world.person();
    expect((await refusal(put(person, key, 'dark')))?.status).toBe(422);
    expect(await read(person)).toEqual({});
  },
);

test('a body without a value and one with more is refused', async () => {
  const { id, token } = await world.person();
  const send = (body: string) =>
    fetch(`${world.base}/api/settingsUser/${id}/theme`, {
      method: 'PUT',
      headers: { authorization: token, 'content-type': 'application/json' },
      body,
    }).then(({ status }) => status);
  expect(await send('{}')).toBe(422);
  expect(await send('{"value":"dark","UserId":"x"}')).toBe(422);
  expect(await send('[]')).toBe(422);
});

test('nobody reads or changes the settings of another, a manager neither', async () => {
  const person = await world.person();
  await put(person, 'theme', 'dark');
  const manager = await world.person({ level: 'manager', grants: { add: ['users.all'] } });
  expect((await refusal(read(manager, person.id)))?.code).toBe('not_found');
  const change = put({ id: person.id, api: manager.api }, 'theme', 'light');
  expect((await refusal(change))?.code).toBe('not_found');
  expect(await read(person)).toEqual({ theme: 'dark' });
});

test('an impersonated session has no personal settings of its own and changes none', async () => {
  const manager = await world.person({ level: 'manager', grants: { add: ['users.all'] } });
  const person = await world.person();
  await put(person, 'theme', 'dark');
  const { token } = await manager.api(auth.loginAs, { params: { id: person.id } });
  const borrowed = { id: person.id, api: world.client(token) };
  expect((await borrowed.api(settings.get)).personal).toBeNull();
  expect((await refusal(put(borrowed, 'theme', 'light')))?.code).toBe('borrowed_session');
  const heard = await listen<SettingChange>(world, { token }, 'settingsUser.updated');
  const own = await listen<SettingChange>(
    world,
    { token: await world.login(person.username) },
    'settingsUser.updated',
  );
  await put(person, 'theme', 'system');
  await until(async () => own.length > 0, 'the own session hears it');
  expect(heard).toEqual([]);
});

test('a change reaches the other sessions of the user and nobody else', async () => {
  const person = await world.person();
  const other = { ...person, token: await world.login(person.username) };
  const [here, there, stranger] = await Promise.all(
    [person, other, await world.person()].map((who) =>
      listen<SettingChange>(world, who, 'settingsUser.updated'),
    ),
  );
  await put(person, 'timeZone', 'Europe/Samara');
  await until(async () => there!.length > 0, 'the other session hears it');
  expect(there).toEqual([
    { key: 'timeZone', value: 'Europe/Samara', updatedAt: expect.any(String) },
  ]);
  expect([here, stranger]).toEqual([[], []]);
});

test('a user keeps a limited number of lists, also when they are added at once', async () => {
  const person = await world.person();
  await world.db.query(
    `insert into settings_user (user_id, key, value)
     select $1, 'list.l' || n, '{}' from generate_series(1, $2::int) n`,
    [person.id, MAX_LISTS - 2],
  );
  const added = await Promise.all(range(6).map((n) => refusal(put(person, `list.new${n}`, {}))));
  expect(added.filter((error) => error === null)).toHaveLength(2);
  expect(added.find((error) => error)?.code).toBe('quota_exceeded');
  expect(await refusal(put(person, 'list.l1', { columns: { price: true } }))).toBeNull();
  expect(await refusal(put(person, 'theme', 'dark'))).toBeNull();
});

test('changes of one key at once leave one of them', async () => {
  const person = await world.person();
  const themes = ['light', 'dark', 'system', 'light', 'dark'];
  const done = await Promise.all(themes.map((theme) => put(person, 'theme', theme)));
  const last = done.toSorted((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1))[0]!;
  expect(await read(person)).toEqual({ theme: last.value });
});

describe('webhooks', () => {
  const url = 'http://127.0.0.1:9/hooks';
  let person: Person;
  beforeEach(async () => {
    person = await world.person();
  });
  const hooksOf = async () => (await person.api(webhooks.find)).data;

  test('they are the webhooks of the account in another spelling, read and written in both', async () => {
    const value = {
      url: `${url}/{{id}}`,
      method: 'GET',
      headers: { 'X-Shop': 'tea' },
      maxConnections: 3,
      successOn: { status: '^20[0-4]$', body: null },
      extras: { statuses: { delivered: true, failed: true, seen: false, paused: false } },
    };
    const shown = {
      ...value,
      headers: [{ name: 'X-Shop', value: null }],
      body: null,
      extras: { statuses: ['delivered', 'failed'] },
    };
    expect(await put(person, 'webhooks.onStatusChange', value)).toMatchObject({
      key: 'webhooks.onStatusChange',
      value: shown,
    });
    const [hook] = await hooksOf();
    expect(hook).toMatchObject({ event: 'sendings.status', url: value.url, maxConnections: 3 });
    const change = { state: 'paused', url: `${url}/new`, method: 'POST' } as const;
    await person.api(webhooks.update, { params: { id: hook!.id }, body: change });
    expect(await read(person)).toEqual({
      'webhooks.onStatusChange': { ...shown, url: `${url}/new`, method: 'POST' },
    });
    // Under the name of the event, as it was read; a pause stays.
    const read1 = (await read(person))['webhooks.onStatusChange' as 'theme'] as unknown as object;
    await put(person, 'webhooks.sendings.status', { ...read1, maxConnections: 7 });
    expect(await hooksOf()).toMatchObject([
      { id: hook!.id, maxConnections: 7, state: 'paused', statuses: ['delivered', 'failed'] },
    ]);
    await put(person, 'webhooks.onStatusChange', null);
    expect([await hooksOf(), await read(person)]).toEqual([[], {}]);
  });

  test('of several of an event it is the first; concurrent calls create one', async () => {
    const body = { title: 'First', event: 'tasks.state', url } as const;
    const first = await person.api(webhooks.create, { body });
    await person.api(webhooks.create, { body: { ...body, title: 'Second' } });
    await put(person, 'webhooks.tasks.state', { url: `${url}/tasks` });
    const urls = (await hooksOf()).map((hook) => [hook.id === first.id, hook.url]);
    expect(urls.toSorted()).toEqual([
      [false, url],
      [true, `${url}/tasks`],
    ]);
    const value = { url, extras: { statuses: ['failed'] } };
    await Promise.all(range(4).map(() => put(person, 'webhooks.onStatusChange', value)));
    expect(await hooksOf()).toHaveLength(3);
  });

  test.each<[string, object, string]>([
    ['onStatusChange', {}, 'value.url'],
    ['onStatusChange', { url: 'tea' }, 'value.url'],
    ['onStatusChange', { url: 'http://10.0.0.1/' }, 'value.url'],
    ['onStatusChange', { url, headers: { Host: 'x' } }, 'value.headers.0.name'],
    ['onStatusChange', { url, extras: { statuses: [] } }, 'value.extras.statuses'],
    [
      'onStatusChange',
      { url, extras: { statuses: { delivered: false } } },
      'value.extras.statuses',
    ],
    [
      'onStatusChange',
      { url, extras: { statuses: { delivered: true, paused: true } } },
      'value.extras.statuses.paused',
    ],
    ['onStatusChange', { url, maxConnections: 0 }, 'value.maxConnections'],
    ['onStatusChange', { url, successOn: { status: '(' } }, 'value.successOn.status'],
    ['onDelivery', { url }, 'key'],
  ])('%s with %j is refused at %s', async (name, value, field) => {
    const refused = await refusal(put(person, `webhooks.${name}`, value));
    expect([refused?.status, refused?.body?.data?.[0]?.field]).toEqual([422, field]);
    expect(await hooksOf()).toEqual([]);
  });

  test('they need the permissions of webhooks and of what they report', async () => {
    await put(person, 'webhooks.tasks.state', { url });
    const tokenWith = async (...permissions: Permission[]) => {
      const body = { description: 'Program', permissions };
      const { token } = await person.api(tokens.create, { body });
      return { id: person.id, api: world.client(token) };
    };
    const plain = await tokenWith('settingsUser.get', 'settingsUser.update');
    expect(await read(plain)).toEqual({});
    const half = await tokenWith('settingsUser.update', 'webhooks.create', 'webhooks.update');
    for (const [who, key, value, permission] of [
      [plain, 'webhooks.onStatusChange', { url }, 'webhooks.create'],
      [plain, 'webhooks.tasks.state', { url }, 'webhooks.update'],
      [plain, 'webhooks.tasks.state', null, 'webhooks.remove'],
      [half, 'webhooks.onStatusChange', { url }, 'sendings.get'],
      [half, 'webhooks.tasks.state', { url: `${url}/x` }, 'tasks.get'],
    ] as const)
      expect(await refusal(put(who, key, value))).toMatchObject({
        status: 403,
        body: { payload: { permission } },
      });
    expect(await hooksOf()).toMatchObject([{ event: 'tasks.state', url }]);
  });
});

describe('notifications', () => {
  let person: Person;
  beforeEach(async () => {
    person = await world.person();
  });
  const eventsOf = async (who = person) =>
    Object.fromEntries(
      (await who.api(notificationSettings.get)).events.map(({ type, channels }) => [
        type,
        channels,
      ]),
    );
  const settingOf = async (type: string) =>
    (await readAll(person))[`events.${type}` as 'theme'] as unknown;

  test('they are the notification settings in another spelling, read and written in both', async () => {
    const all = Object.entries(await readAll(person)).map(([key, value]) => [
      key.slice('events.'.length),
      (value as unknown as { channels: string[] }).channels,
    ]);
    expect(Object.fromEntries(all)).toEqual(await eventsOf());
    const value = { channels: ['email', 'web', 'email'], settings: null };
    const shown = { channels: ['web', 'email'], settings: null };
    expect(await put(person, 'events.SendernameApproved', value)).toMatchObject({
      key: 'events.SendernameApproved',
      value: shown,
    });
    expect(await settingOf('SendernameApproved')).toEqual(shown);
    expect((await eventsOf()).SendernameApproved).toEqual(shown.channels);
    // As it was read.
    await put(person, 'events.SendernameApproved', shown);
    await person.api(notificationSettings.update, {
      params: { type: 'SendernameApproved' },
      body: { channel: 'telegram', isOn: true },
    });
    expect(await settingOf('SendernameApproved')).toMatchObject({
      channels: ['web', 'telegram', 'email'],
    });
    expect((await eventsOf()).SendernameRejected).toEqual(['web']);
    expect((await put(person, 'events.SendernameApproved', null)).value).toBeNull();
    expect(await settingOf('SendernameApproved')).toEqual({ channels: ['web'], settings: null });
    expect((await person.api(settings.get)).personal).toEqual({});
  });

  test('the limits of the balance are the settings of theirs, and the audit log keeps them', async () => {
    const limit = { balance: 500, includeOverdraft: true, invoice: false };
    const limits = async () =>
      (await person.api(notificationSettings.get)).limits.map(({ balance }) => balance);
    await put(person, 'events.BalanceLimit', { channels: ['web'], settings: [limit] });
    expect(await settingOf('BalanceLimit')).toEqual({ channels: ['web'], settings: [limit] });
    expect(await limits()).toEqual([500]);
    const written = await world.db.query(
      `select after from audit_log where action = 'notificationSettings.setLimits' and owner_id = $1`,
      [person.id],
    );
    expect(written).toMatchObject([{ after: { limits: [{ balance: 500 }] } }]);
    await put(person, 'events.BalanceLimit', { channels: [] });
    expect(await settingOf('BalanceLimit')).toEqual({ channels: [], settings: [limit] });
    await put(person, 'events.BalanceLimit', null);
    expect(await limits()).toEqual([]);
    expect(((await settingOf('BalanceLimit')) as { channels: string[] }).channels).toHaveLength(3);
  });

  const sides = { requisiteId: randomUUID(), companyId: randomUUID() };
  const invoice = { ...sides, type: 'invoice', data: { SERVICE_PRICE: 100 } };
  test.each<[string, object, string]>([
    ['SendernameApproved', {}, 'value.channels'],
    ['SendernameApproved', { channels: ['fax'] }, 'value.channels.0'],
    ['SendernameApproved', { channels: [], settings: [{ balance: 1 }] }, 'value.settings'],
    ['AuthNewDevice', { channels: ['web', 'email'] }, 'value.channels.1'],
    ['BalanceLimit', { channels: [], settings: [{ balance: -1 }] }, 'value.settings.0.balance'],
    [
      'BalanceLimit',
      { channels: [], settings: [{ balance: 1, invoice }] },
      'value.settings.0.invoice.companyId',
    ],
    ['Nothing', { channels: [] }, 'key'],
  ])('%s with %j is refused at %s and changes nothing', async (type, value, field) => {
    const before = await readAll(person);
    const refused = await refusal(put(person, `events.${type}`, value));
    expect([refused?.status, refused?.body?.data?.[0]?.field]).toEqual([422, field]);
    expect(await readAll(person)).toEqual(before);
  });

  test('a token reads them and changes none, nor does a session opened for somebody', async () => {
    const body = {
      description: 'Program',
      permissions: ['settingsUser.get' as const, 'settingsUser.update' as const],
    };
    const { token } = await person.api(tokens.create, { body });
    const program = { id: person.id, api: world.client(token) };
    const before = await readAll(person);
    expect(await readAll(program)).toEqual(before);
    const manager = await world.person({ level: 'manager', grants: { add: ['users.all'] } });
    const login = await manager.api(auth.loginAs, { params: { id: person.id } });
    const borrowed = { id: person.id, api: world.client(login.token) };
    for (const value of [{ channels: [] }, null]) {
      const put1 = (who: typeof program) => refusal(put(who, 'events.BalanceAccrual', value));
      expect((await put1(program))?.code).toBe('session_required');
      expect((await put1(borrowed))?.code).toBe('borrowed_session');
    }
    expect(await readAll(person)).toEqual(before);
  });

  test('who may not read the balance is not told of it', async () => {
    const member = await world.member(person, 'sender');
    const limits = { channels: ['web'], settings: [{ balance: 1 }] };
    for (const [type, value] of [
      ['BalanceDaily', { channels: ['web'] }],
      ['BalanceLimit', limits],
    ] as const)
      expect(await refusal(put(member, `events.${type}`, value))).toMatchObject({
        body: { payload: { permission: 'billings.find' } },
      });
    expect(await refusal(put(member, 'events.BalanceDaily', { channels: [] }))).toBeNull();
    expect(await readAll(member)).not.toHaveProperty(['events.BalanceDaily']);
    expect((await member.api(notificationSettings.get)).limits).toEqual([]);
  });
});

function range(count: number): number[] {
  return Array.from({ length: count }, (_, n) => n);
}

function views(count: number, query: string) {
  return range(count).map((n) => ({ name: `View ${n}`, query, columns: {} }));
}
