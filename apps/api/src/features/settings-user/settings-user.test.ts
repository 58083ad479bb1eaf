import {
  auth,
  MAX_LISTS,
  MAX_VIEWS,
  settings,
  settingsUser,
  type ApiError,
  type Client,
  type SettingChange,
} from '@heliograph/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
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
const read = (who: Person, accountId = who.id) =>
  who.api(settingsUser.get, { params: { accountId } });
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

function range(count: number): number[] {
  return Array.from({ length: count }, (_, n) => n);
}

function views(count: number, query: string) {
  return range(count).map((n) => ({ name: `View ${n}`, query, columns: {} }));
}
