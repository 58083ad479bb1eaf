import { ADMINISTRATOR_GRANTS, channels, users } from '@heliograph/contract';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { keepHeartbeat } from '../src/core/heartbeat.ts';
import { Db } from '../src/core/db/db.ts';
import { createLog } from '../src/core/log.ts';
import { demoPasswordProblem, loadDemo, replaceDemoPasswords } from '../src/demo.ts';
import { createAdministrator } from '../src/features/users/create-administrator.ts';
import { setPhone } from '../src/features/users/set-phone.ts';
import { problems } from './factories.ts';
import { seedBase } from '../../../seeds/base.ts';
import { walkFirstStart } from './first-start.ts';
import { raw } from './raw.ts';
import { until, World } from './world.ts';

let world: World;
const folder = mkdtempSync(join(tmpdir(), 'heliograph-start-'));

const HERE = { HOST: '127.0.0.1' };
const EXPOSED = { HOST: '0.0.0.0' };

beforeAll(async () => {
  world = await World.start();
});
afterAll(async () => {
  await world.stop();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  // Every row that a test adds has a user, but for price lists; emptying a hundred tables takes long.
  if ((await world.db.query(`select 1 from users limit 1`)).length === 0) return;
  await world.db.query(
    `truncate users, billings, contact_lists, sendernames, templates, notification_broadcasts, simulated_phones, sendings, batches, sendings_incoming, price_lists cascade`,
  );
  // Tariffs belong to users, the one of every installation to none.
  await seedBase((sql, parameters) => world.db.query(sql, parameters));
});

test('an administrator is created once and can configure channels', async () => {
  await createAdministrator(world.db, { username: 'captain', password: 'aye-aye' });
  const api = world.client(await world.login('captain', 'aye-aye'));
  expect((await api(users.me)).level).toBe('manager');
  expect((await api(channels.find, { query: {} })).data.length).toBeGreaterThan(0);
  const made = await world.db.query<{ id: string }>(`select * from users`);
  expect(made).toMatchObject([{ username: 'captain', grants: { add: ADMINISTRATOR_GRANTS } }]);

  const recordsSql = `select action, actor_id, owner_id, after->>'username' as username from audit_log where target_id = $1`;
  const id = made[0]!.id;
  const fact = { action: 'users.create', actor_id: null, owner_id: id, username: 'captain' };
  expect(await world.db.query(recordsSql, [id])).toEqual([fact]);

  const again = { username: 'Captain', password: 'another-one' };
  await expect(createAdministrator(world.db, again)).rejects.toThrow(
    'The name Captain is taken. Nothing was changed.',
  );
  expect(await world.db.query(`select * from users`)).toEqual(made);
});

test.each([
  ['me', 'long-enough', 'The name must have'],
  ['with space', 'long-enough', 'The name must have'],
  ['captain', 'short', 'The password must have'],
  ['captain', 'пароль-пароль', 'The password must have'],
])('an administrator %s with the password %s is refused', async (username, password, message) => {
  await expect(createAdministrator(world.db, { username, password })).rejects.toThrow(message);
  expect(await world.db.query(`select 1 from users`)).toEqual([]);
});

test('where other machines reach the API, the demo world has random passwords, shown once', async () => {
  const shown = (await loadDemo(world.db, EXPOSED)) as Record<string, string>;
  expect(Object.keys(shown)).toEqual(['manager', 'reseller', 'customer', 'customer2']);
  expect(new Set(Object.values(shown)).size).toBe(4);
  for (const [name, password] of Object.entries(shown)) await world.login(name, password);
  await expect(world.login('manager', 'heliograph')).rejects.toThrow('401');
  expect(await demoPasswordProblem(world.db, EXPOSED)).toBeNull();
  expect(await loadDemo(world.db, EXPOSED)).toBe(false);
});

test('the built-in carrier comes with the demo world alone', async () => {
  const { db } = world;
  const names = () => db.query(`select name, is_active as "isActive" from channels order by name`);
  await db.query(`delete from channels`);
  await seedBase((sql, parameters) => db.query(sql, parameters));
  expect(await names()).toEqual([]);
  await loadDemo(db, HERE);
  expect(await names()).toEqual([
    { name: 'simulator', isActive: true },
    { name: 'wapi', isActive: true },
  ]);
});

test('the documented password is refused where other machines reach the API, until it is replaced', async () => {
  expect(await loadDemo(world.db, HERE)).toBe(true);
  const token = await world.login('customer', 'heliograph');
  expect(await demoPasswordProblem(world.db, HERE)).toBeNull();
  const exposed = [
    EXPOSED,
    { ...HERE, PUBLIC_URL: 'https://app.example' },
    { ...EXPOSED, BIND: '10.0.0.7' },
  ];
  for (const addresses of exposed) {
    const problem = await demoPasswordProblem(world.db, addresses);
    expect(problem).toContain('manager, reseller, customer, customer2');
    expect(problem).toContain('cli.js demo-passwords');
  }
  const changed = await replaceDemoPasswords(world.db);
  const records = await world.db.query(
    `select u.username from audit_log a join users u on u.id::text = a.target_id where a.action = 'recovery.reset'`,
  );
  expect(records.map((row) => row.username).toSorted()).toEqual(Object.keys(changed).toSorted());
  await world.login('customer', changed.customer);
  await until(
    async () => (await raw(world, { token }, 'GET', '/users/me')).status === 401,
    'the sessions of the former password to end',
  );
  expect(await demoPasswordProblem(world.db, EXPOSED)).toBeNull();
  expect(await replaceDemoPasswords(world.db)).toEqual({});
});

test('the database connection of the password check serves the API', async () => {
  const { dataSource } = world.db;
  const first = new Db(dataSource);
  expect(await demoPasswordProblem(first, EXPOSED)).toBeNull();
  // As many as there are connections: each has prepared the statement of `first`.
  await Promise.all(Array.from({ length: 12 }, () => first.query(`select 'first' as name`)));
  const second = new Db(dataSource);
  for (const name of ['second', 'third', 'fourth'])
    expect(await second.query(`select '${name}' as name`)).toEqual([{ name }]);
});

test('the heartbeat file shows that a worker runs and reaches its database', async () => {
  const file = join(folder, 'heartbeat');
  const stop = keepHeartbeat(file, world.db, createLog('silent', 'test'), 20);
  const touched = () => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const first = await until(() => Promise.resolve(touched()), 'a heartbeat');
  await until(() => Promise.resolve(touched() > first), 'another');
  stop();
  let tries = 0;
  const gone = {
    query: () => {
      tries++;
      return Promise.reject(new Error('no database'));
    },
  };
  const silent = join(folder, 'silent');
  const stopSilent = keepHeartbeat(silent, gone, createLog('silent', 'test'), 20);
  await until(() => Promise.resolve(tries > 2), 'three tries');
  expect(existsSync(silent)).toBe(false);
  stopSilent();
});

test('an own administrator, an own channel, a first customer: a message is delivered without the demo world', async () => {
  const start = await World.start({ SENDERNAMES_CHECK: 'all', DEMO: '0' });
  try {
    await start.db.query(`delete from channels`);
    await start.startWorker();
    const captain = { username: 'captain', password: 'aye-aye' };
    await createAdministrator(start.db, captain);
    const texts = await walkFirstStart(
      {
        base: start.base,
        login: (username, password) => start.login(username, password),
        setPhone: (username, phone) => setPhone(start.db, { username, phone }),
      },
      captain,
    );
    expect(texts).toEqual(['Is it on?', 'Your order is ready']);
    expect(await problems(start)).toEqual([]);
  } finally {
    await start.stop();
  }
});
