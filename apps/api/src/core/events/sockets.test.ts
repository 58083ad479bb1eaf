import { AsyncLocalStorage } from 'node:async_hooks';
import {
  auth,
  links,
  RESYNC,
  telemetry,
  tokens,
  users,
  type EventBody,
  type Permission,
} from '@heliograph/contract';
import { io } from 'socket.io-client';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { listen } from '../../../test/listen.ts';
import { type Person, until, World } from '../../../test/world.ts';
import { TariffsService } from '../../features/tariffs/tariffs.service.ts';
import { Authenticator } from '../auth/authenticator.ts';
import { Db } from '../db/db.ts';
import { Notifications } from '../notifications.ts';
import { Events } from './events.ts';
import { Rooms } from './rooms.ts';
import { Sockets } from './sockets.ts';

let world: World;
const heard = (who: Awaited<ReturnType<World['person']>>, name: string) =>
  listen<EventBody>(world, who, name);

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

/** More changes than are sent with their fields, so they arrive as a count. */
const change = (OwnerId: string, resource: 'billings' | 'contacts' = 'billings') =>
  world.api.get(Events).counted(resource, 'created', OwnerId, null, 40);

const granted = (id: string, grants: { add?: Permission[]; remove?: Permission[] }) =>
  world.db.query(`update users set grants = $2 where id = $1`, [id, grants]);

test('a socket receives events of the lists that its user may read, and no others, at every level', async () => {
  const manager = await world.person({ level: 'manager' });
  const reseller = await world.person({ level: 'reseller', grants: { remove: ['contacts.get'] } });
  const customer = await world.person({
    resellerId: reseller.id,
    managerId: manager.id,
    grants: { remove: ['billings.find', 'notifications.get'] },
  });
  const notificationEvents = await heard(customer, 'notifications.sent');
  const [billings, contacts, ofReseller, resellersContacts, ofManager] = await Promise.all([
    heard(customer, 'billings.created'),
    heard(customer, 'contacts.created'),
    heard(reseller, 'billings.created'),
    heard(reseller, 'contacts.created'),
    heard(manager, 'billings.created'),
  ]);
  await world.api.get(Notifications).notify(customer.id, 'SendingsBulkResumed', { title: 'Sale' });
  change(customer.id);
  change(customer.id, 'contacts');
  await until(
    async () => contacts.length && ofReseller.length && ofManager.length,
    'those who may hear of it do',
  );
  expect([billings, resellersContacts, notificationEvents]).toEqual([[], [], []]);
});

test('events of users, links, visits and tariffs go to the account and its superiors', async () => {
  const reseller = await world.person({ level: 'reseller' });
  const customer = await world.person({ resellerId: reseller.id });
  const stranger = await world.person();
  const names = [
    'users.updated',
    'links.created',
    'links.updated',
    'links.removed',
    'telemetry.created',
    'tariffs.created',
  ];
  const hear = (who: Person) => Promise.all(names.map((name) => heard(who, name)));
  const [own, above, others] = await Promise.all([customer, reseller, stranger].map(hear));
  await customer.api(users.update, {
    params: { id: customer.id },
    body: { data: { firstName: 'Anna' } },
  });
  const url = 'https://tea.example/sale';
  const link = await customer.api(links.create, { body: { url } });
  const visit = await customer.api(telemetry.create, { body: {} });
  await until(async () => own![1]!.length, 'the link is told');
  // A program that says what it is would be no click.
  const headers = { 'user-agent': 'Mozilla/5.0 (Android 14; Mobile; rv:127.0) Firefox/127.0' };
  await fetch(`${world.base}/s/${link.shortUrl.split('/').at(-1)}`, {
    redirect: 'manual',
    headers,
  });
  await until(async () => own![2]!.length, 'the click is told');
  await customer.api(links.remove, { params: { id: link.id } });
  await world.db.query(`delete from users_tariffs where owner_id = $1`, [customer.id]);
  await world.api.get(TariffsService, { strict: false }).giveDefaults(customer.id);
  for (const who of [own!, above!]) {
    await until(async () => who.every(({ length }) => length), 'everything is told');
    expect(who.map(([body]) => body)).toMatchObject([
      { items: [{ id: customer.id, data: { firstName: 'Anna' }, currency: 'RUB' }] },
      { items: [{ id: link.id, url, clicks: 0 }] },
      { items: [{ id: link.id, clicks: 1 }] },
      { ids: [link.id] },
      { items: [{ id: visit.id, action: 'login' }] },
      { groupId: null, count: expect.any(Number) },
    ]);
  }
  expect(others!.flat()).toEqual([]);
});

test('a socket whose user’s grants change gets other rooms and a resync', async () => {
  const person = await world.person({ grants: { remove: ['billings.find'] } });
  const billings = await heard(person, 'billings.created');
  const contacts = await heard(person, 'contacts.created');
  const resyncs = await heard(person, RESYNC);
  await world.api.get(Sockets).recheck();
  await granted(person.id, { remove: ['contacts.get'] });
  await world.api.get(Sockets).recheck();
  change(person.id);
  change(person.id, 'contacts');
  await until(async () => billings.length, 'it hears of what it was granted');
  expect(contacts).toEqual([]);
  expect(resyncs).toHaveLength(1);
});

test('a page that opens its socket is told that it may have missed events since it began', async () => {
  const person = await world.person();
  const events = await heard(person, 'billings.created');
  change(person.id);
  await until(async () => events.length, 'an event is sent');
  const told = async (pageAge?: unknown) => {
    const heardNames: string[] = [];
    const auth = { token: person.token, pageAge };
    const socket = io(world.base, { auth, transports: ['websocket'], forceNew: true });
    onTestFinished(() => void socket.disconnect());
    socket.onAny((name: string) => heardNames.push(name));
    await until(async () => socket.connected, 'the socket connects');
    // Answered after what the socket asked when it connected.
    await world.api.get(Rooms).missedSince(Date.now(), []);
    change(person.id);
    await until(async () => heardNames.includes('billings.created'), 'the next event');
    return heardNames.includes(RESYNC);
  };
  expect(await told(30_000)).toBe(true);
  for (const age of [undefined, null, -1, 60_001, '30000', {}]) expect(await told(age)).toBe(false);
});

test('a socket hears once of rights that change no room, and a token of its own', async () => {
  const person = await world.person();
  const { token } = await person.api(tokens.create, {
    body: { description: 'S', permissions: ['contacts.get', 'contacts.create'] },
  });
  const [own, ofToken] = [await heard(person, RESYNC), await heard({ ...person, token }, RESYNC)];
  const recheck = () => world.api.get(Sockets).recheck();
  await recheck();
  await granted(person.id, { remove: ['sendings.generate'] });
  await recheck();
  await recheck();
  await until(async () => own.length, 'it hears of what it may no longer do');
  await granted(person.id, { remove: ['sendings.generate', 'contacts.create'] });
  await recheck();
  const both = async () => own.length > 1 && ofToken.length;
  await until(both, 'both hear that they have less');
  expect([own.length, ofToken.length]).toEqual([2, 1]);
});

test('all sockets are checked by one statement; those of ended sessions are disconnected', async () => {
  const people = [await world.person(), await world.person(), await world.person()];
  const lost = await Promise.all(people.map((one) => listen(world, one, 'disconnect')));
  await world.db.query(`update sessions set revoked_at = now() where user_id = $1`, [
    people[0]!.id,
  ]);
  let statements = 0;
  // Not those of others at the same moment.
  const checking = new AsyncLocalStorage<true>();
  const db = world.api.get(Db);
  const { query } = db;
  db.query = (...args) => {
    if (checking.getStore()) statements++;
    return query.apply(db, args) as never;
  };
  await checking.run(true, () => world.api.get(Sockets).recheck());
  db.query = query;
  expect(statements).toBe(1);
  await until(async () => lost[0]!.length, 'the socket is cut off');
  expect(lost.slice(1)).toEqual([[], []]);
});

test('sockets of an ended session are disconnected at once, in every process; others stay', async () => {
  const other = await world.startApi();
  const reseller = await world.person({ level: 'reseller' });
  const who = await world.person({ resellerId: reseller.id });
  const all = (person: Pick<Person, 'token'>, base?: string) =>
    listen(world, person, 'disconnect', base);
  const { token } = await reseller.api(auth.loginAs, { params: { id: who.id } });
  const elsewhere = { token: await world.login(who.username) };
  const [own, far, borrowed, kept] = [
    await all(reseller),
    await all(reseller, other.base),
    await all({ token }, other.base),
    await all(who),
  ];
  await reseller.api(auth.logout);
  await until(async () => own.length && far.length && borrowed.length, 'all are cut off');
  expect(kept).toEqual([]);
  const last = await all(elsewhere, other.base);
  await world.client(elsewhere.token)(auth.logout, { body: { everywhere: true } });
  await until(async () => kept.length && last.length, 'all of a person are cut off');
});

test('a socket that connects while its session ends is refused', async () => {
  const who = await world.person();
  await who.api(users.me);
  const authenticator = world.api.get(Authenticator);
  const { byToken } = authenticator;
  // The session ends after it was looked up and before the socket is in.
  authenticator.byToken = async (given, client) => {
    const actor = await byToken.call(authenticator, given, client);
    await who.api(auth.logout);
    return actor;
  };
  const socket = io(world.base, { auth: { token: who.token }, transports: ['websocket'] });
  let isOut = false;
  const out = () => (isOut = true);
  socket.on('disconnect', out).on('connect_error', out);
  await until(async () => isOut, 'it is out');
  authenticator.byToken = byToken;
  socket.disconnect();
});

test('sessions that ended long ago are dropped', async () => {
  const { id } = await world.person();
  const ended = (days: number) =>
    world.db.query<{ id: string }>(
      `insert into sessions (user_id, ip, useragent, expires_at) values ($1, '', '', now() - make_interval(days => $2)) returning id`,
      [id, days],
    );
  const [[old], [recent]] = [await ended(31), await ended(29)];
  await world.api.get(Authenticator).deleteExpired();
  const left = await world.db.query<{ id: string }>(`select id from sessions where user_id = $1`, [
    id,
  ]);
  expect(left.map((row) => row.id)).toContain(recent!.id);
  expect(left.map((row) => row.id)).not.toContain(old!.id);
  expect(left).toHaveLength(2);
});
