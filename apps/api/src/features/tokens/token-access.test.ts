import {
  audit,
  sendings,
  storage,
  templates,
  tokens,
  users,
  type SendingReceipt,
} from '@heliograph/contract';
import { io, type Socket } from 'socket.io-client';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Sockets } from '../../core/events/sockets.ts';
import { createLog } from '../../core/log.ts';
import { MESSAGE, PHONE, upload } from '../../../test/scene.ts';
import { stopTime } from '../../../test/stopped-time.ts';
import { type Person, until, World } from '../../../test/world.ts';

let world: World;
let who: Person;
const open: Socket[] = [];

beforeAll(async () => {
  // 30 refusals a minute.
  world = await World.start({ TRUST_PROXY: '1', RATE_SCALE: '0.1' });
  who = await world.person();
});
afterAll(async () => {
  for (const socket of open) socket.disconnect();
  await world.stop();
});

const create = (body: object = {}) =>
  who.api(tokens.create, { body: { description: 'Shop', ...body } });
const from = (ip: string) => ({ 'x-forwarded-for': ip });

/** Whether a socket with this token is connected. */
async function connect(token: string, headers: Record<string, string> = {}) {
  const socket = io(world.base, {
    auth: { token },
    transports: ['websocket'],
    extraHeaders: headers,
    reconnection: false,
  });
  open.push(socket);
  const state = { isIn: false, isOut: false };
  socket.on('connect', () => (state.isIn = true));
  socket.on('disconnect', () => (state.isOut = true));
  socket.on('connect_error', () => (state.isOut = true));
  await until(async () => state.isIn || state.isOut, 'the server has decided');
  return { socket, state };
}

test('a socket with a token hears what its permissions allow, and ends with the token', async () => {
  const all = await create();
  const narrow = await create({ permissions: ['contacts.get'] });
  const [one, two] = [await connect(all.token), await connect(narrow.token)];
  expect([one.state, two.state]).toEqual([
    { isIn: true, isOut: false },
    { isIn: true, isOut: false },
  ]);
  const heard: string[] = [];
  one.socket.on('templates.created', () => heard.push('all'));
  two.socket.on('templates.created', () => heard.push('narrow'));
  await who.api(templates.create, { body: { title: 'Sale', ...MESSAGE } });
  await until(async () => heard.length, 'an event');
  expect(heard).toEqual(['all']);
  await who.api(tokens.remove, { params: { id: all.id } });
  await until(async () => one.state.isOut, 'its socket is cut off');
  expect(two.state.isOut).toBe(false);
});

test('a socket with a token hears of users only if it may read their balance, too', async () => {
  const narrow = await create({ permissions: ['users.get'] });
  const both = await create({ permissions: ['users.get', 'billings.find'] });
  const heard: string[] = [];
  for (const [name, { token }] of Object.entries({ narrow, both })) {
    const { socket } = await connect(token);
    socket.on('users.updated', () => heard.push(name));
  }
  const change = { params: { id: who.id }, body: { data: { firstName: 'Anna' } } };
  await who.api(users.update, change);
  await until(async () => heard.length, 'an event');
  expect(heard).toEqual(['both']);
});

test('a socket is refused from another address, and cut off when the address is taken from the list', async () => {
  const { token, id } = await create({ ipWhitelist: ['192.0.2.1'] });
  expect((await connect(token, from('192.0.2.2'))).state.isIn).toBe(false);
  const { state } = await connect(token, from('192.0.2.1'));
  expect(state.isIn).toBe(true);
  const body = { ipWhitelist: ['192.0.2.9'] };
  await who.api(tokens.update, { params: { id }, body });
  await world.api.get(Sockets).recheck();
  await until(async () => state.isOut, 'cut off');
});

test('sockets of a replaced secret are cut off, with an overlap when it ends', async () => {
  const { token, id } = await create();
  const first = await connect(token);
  const rotate = (overlapDays: number) =>
    who.api(tokens.rotate, { params: { id }, body: { overlapDays } });
  const next = await rotate(1);
  await world.api.get(Sockets).recheck();
  expect(first.state.isOut).toBe(false);
  const second = await connect(next.token);
  world.clock.forward(86_401);
  await world.api.get(Sockets).recheck();
  await until(async () => first.state.isOut, 'the former is out');
  expect(second.state.isOut).toBe(false);
  await rotate(0);
  await until(async () => second.state.isOut, 'the latter is out');
});

test('a removed token ends in other processes, too', async () => {
  const other = await world.startApi();
  const { token, id } = await create();
  const far = world.client(token, other.base);
  expect(await far(users.me)).toMatchObject({ id: who.id });
  await who.api(tokens.remove, { params: { id } });
  await until(
    async () =>
      far(users.me).then(
        () => false,
        (error: { status: number }) => error.status === 401,
      ),
    'refused',
  );
});

test('a token downloads by ?token=, and repeats a call by its idempotency key', async () => {
  const { token } = await create();
  const { id } = await who.api(storage.create, { body: upload('tea') });
  const file = await fetch(`${world.base}/api/storage/${id}?token=${token}`);
  expect([file.status, await file.text()]).toEqual([200, 'tea']);
  const elsewhere = await fetch(`${world.base}/api/users/me?token=${token}`);
  expect(elsewhere.status).toBe(401);
  const client = world.client(token);
  const headers = { 'idempotency-key': 'tea-1' };
  const body = { ...MESSAGE, recipient: PHONE };
  const send = async () => (await client(sendings.create, { body, headers })) as SendingReceipt;
  expect((await send()).id).toBe((await send()).id);
});

test('unknown tokens are limited like failed sign-ins, and one that was used lately keeps working', async () => {
  stopTime();
  const { token } = await create();
  const call = async (authorization: string, ip: string) => {
    const headers = { authorization, ...from(ip) };
    return (await fetch(`${world.base}/api/users/me`, { headers })).status;
  };
  const ip = '198.51.100.7';
  expect(await call(token, ip)).toBe(200);
  const guess = (i: number) => `hg_${'a'.repeat(10)}${i}_${'A'.repeat(43)}`.slice(0, 59);
  const statuses: number[] = [];
  for (let i = 20; i < 55; i++) statuses.push(await call(guess(i), ip));
  expect(new Set(statuses)).toEqual(new Set([401, 429]));
  const before = await lookups();
  for (let i = 0; i < 20; i++) expect(await call(guess(60 + i), ip)).toBe(429);
  expect(await lookups()).toBe(before);
  expect(await call(token, ip)).toBe(200);
  expect(await call(guess(99), '198.51.100.8')).toBe(401);
});

/** Number of look-ups of tokens by prefix in the database. */
async function lookups(): Promise<number> {
  const { ApiTokensStore } = await import('../../core/auth/api-tokens.store.ts');
  const store = world.api.get(ApiTokensStore) as { calls?: number } & InstanceType<
    typeof ApiTokensStore
  >;
  if (store.calls === undefined) {
    const { byPrefixes } = store;
    store.calls = 0;
    store.byPrefixes = (prefixes) => {
      store.calls!++;
      return byPrefixes.call(store, prefixes);
    };
  }
  return store.calls;
}

test('the secret is in no log line, whatever quotes it', async () => {
  const { token } = await create();
  const secret = token.slice(16);
  let written = '';
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      written += chunk.toString();
      done();
    },
  });
  const log = createLog('debug', 'test', sink);
  log.info({ url: `/api/x?token=${token}`, authorization: token, note: `sent ${token} to` }, token);
  log.error({ err: new Error(`bad token ${token}.`, { cause: new Error(token) }) });
  log.error(new Error(`${token}`));
  log.info(`text ${token}`);
  expect(written).toContain('bad token');
  expect(written).not.toContain(secret);
  await who.api(templates.create, { body: { title: token.slice(0, 50), ...MESSAGE } });
  const { data } = await who.api(audit.find, { query: { limit: 100 } });
  expect(JSON.stringify(data)).not.toContain(secret);
});
