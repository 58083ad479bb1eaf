import { contactLists, templates, users } from '@heliograph/contract';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createChannel } from '../channel.ts';
import { raw } from '../raw.ts';
import { PASSWORD, type Person, until, World } from '../world.ts';

let world: World;
let person: Person;
let other: Person;

// All within one window of time.
const minute = () => Math.floor(Date.now() / 60_000) * 60_000;

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: minute() });
  world = await World.start({ RATE_SCALE: '0.05', RATE_MESSAGES: '80' });
  person = await world.person();
  other = await world.person();
});
afterAll(async () => {
  vi.useRealTimers();
  await world.stop();
});

const headersOf = ({ headers }: { headers: Headers }) => [
  headers.get('ratelimit-policy'),
  headers.get('ratelimit'),
];
const list = (who: Pick<Person, 'token'>, query = '') => raw(world, who, 'GET', `/tasks${query}`);

test('every answer has the rate limit and the remaining calls', async () => {
  const policy = '"list";q=180;w=60, "list-session";q=90;w=60';
  expect(headersOf(await list(person))).toEqual([
    policy,
    '"list";r=179;t=60, "list-session";r=89;t=60',
  ]);
  // A search costs more, and a refusal counts too.
  expect(headersOf(await list(person, '?$search=tea'))[1]).toMatch('"list";r=175;');
  expect(headersOf(await list(person, '?nonsense=1'))[1]).toMatch('"list";r=174;');
  const me = await raw(world, person, 'GET', '/users/me');
  expect(headersOf(me)).toEqual(['"read";q=1500;w=60', '"read";r=1499;t=60']);
  const made = await raw(world, person, 'POST', '/contactLists', { title: 'Tea', type: 'regular' });
  expect(headersOf(made)[0]).toBe('"write";q=300;w=60, "write-session";q=150;w=60');
  const health = await fetch(`${world.base}/api/health`);
  expect(headersOf(health)).toEqual([null, null]);
});

test('a session over its rate limit is refused, other sessions and accounts are not', async () => {
  const second = { token: await world.login(other.username) };
  const answers = [];
  for (let n = 0; n < 24; n++) answers.push(await list(other, '?$search=tea'));
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused).toHaveLength(2);
  expect(refused[0]).toMatchObject({ status: 429, json: { code: 'rate_limited' } });
  expect(refused[0]!.headers.get('retry-after')).toBe('60');
  expect(refused[0]!.json.payload.expires_at).toBe(new Date(minute() + 60_000).toISOString());
  // Other calls of it, its other sessions, other accounts.
  await other.api(users.me, { query: {} });
  expect((await list(second)).status).toBe(200);
  expect((await list(person)).status).toBe(200);
  for (let n = 0; n < 22; n++) await list(second, '?$search=tea');
  // Now the account has none left, however many sessions it opens.
  const third = { token: await world.login(other.username) };
  expect((await list(third, '?$search=tea')).status).toBe(429);
});

test('all processes share the count', async () => {
  const { base } = await world.startApi();
  const api = world.client(other.token, base);
  const find = () => api(templates.find, {}).catch((error: { status: number }) => error.status);
  await until(async () => (await find()) === 429, 'what the other process counted');
  expect(await api(contactLists.create, { body: { title: 'Tea', type: 'regular' } })).toMatchObject(
    { count: 0 },
  );
});

test('messages have a number of their own; a list of recipients counts as twenty', async () => {
  const message = { type: 'viber', payload: { sender: 'TEA', text: 'Tea' } };
  const send = (recipient: unknown) =>
    raw(world, person, 'POST', '/sendings', { ...message, recipient });
  expect(headersOf(await send('+79990000000'))).toEqual([
    '"message";q=40;w=10',
    '"message";r=39;t=10',
  ]);
  expect(headersOf(await send(['+79990000000']))[1]).toBe('"message";r=19;t=10');
  expect((await send(['+79990000000'])).status).toBe(429);
  expect((await send('+79990000000')).status).toBe(200);
});

test('wrong tokens and signatures are counted per network; valid ones are accepted', async () => {
  const guess = () => raw(world, { token: 'guess' }, 'GET', '/users/me');
  const { name, headersFor } = await createChannel(world);
  const body = { statuses: [] };
  const report = (headers: Record<string, string>) =>
    raw(world, { token: '' }, 'POST', `/channels/${name}/statuses`, body, headers);
  expect((await report({})).status).toBe(401);
  expect((await report(headersFor(body))).status).toBe(200);
  const seen = [];
  for (let n = 0; n < 16; n++) seen.push((await guess()).status);
  expect(seen).toEqual([...Array.from({ length: 14 }, () => 401), 429, 429]);
  expect((await report(headersFor({}))).status).toBe(429);
  expect((await raw(world, person, 'GET', '/users/me')).status).toBe(200);
});

test('guessed passwords and keys are counted per network', async () => {
  const login = () =>
    raw(world, { token: '' }, 'POST', '/login', { username: person.username, password: PASSWORD });
  let answer = await login();
  expect(headersOf(answer)[0]).toBe('"login";q=6;w=60');
  expect(answer.headers.get('x-ratelimit-limit')).toBe('5');
  for (let n = 0; n < 6 && answer.status === 200; n++) answer = await login();
  expect([answer.status, answer.json.code]).toEqual([429, 'rate_limited']);
  const look = () => raw(world, { token: '' }, 'GET', `/recover/${'k'.repeat(43)}`);
  const seen = [];
  for (let n = 0; n < 4; n++) seen.push((await look()).status);
  expect(seen).toEqual([404, 404, 404, 429]);
});
