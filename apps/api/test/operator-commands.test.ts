import { settings, sendings, users } from '@heliograph/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { databaseProblem } from '../src/core/db/database-problem.ts';
import { createDataSource } from '../src/core/db/data-source.ts';
import { migrate, serverProblems } from '../src/core/db/migrate.ts';
import { createAccount, parseAccount } from '../src/create-account.ts';
import { RegistrationService } from '../src/features/registration/registration.service.ts';
import { setPrices } from '../src/features/tariffs/set-prices.ts';
import { setAccount } from '../src/set-account.ts';
import { withDatabase } from './global-setup.ts';
import { World } from './world.ts';

let world: World;

beforeAll(async () => {
  world = await World.start({ REGISTRATION: 'closed', REGISTRATION_CREDIT: '70' });
});
afterAll(() => world.stop());

const create = (args: string[], password = 'quite-a-long-one') =>
  createAccount(
    world.db,
    world.api.get(RegistrationService, { strict: false }),
    parseAccount(args.length ? [...args, '--first-name', 'Anna'] : args),
    password,
  );

test('an operator opens an account although registration is closed: confirmed, with prices, without free credit', async () => {
  await create(['tea-house', '--phone', '+49 1511 2345678', '--email', 'anna@tea.example']);
  const api = world.client(await world.login('tea-house', 'quite-a-long-one'));
  const me = await api(users.me, {});
  expect(me.data).toMatchObject({ phone: '+4915112345678', email: 'anna@tea.example' });
  expect((await api(settings.get)).session).toMatchObject({ isRestricted: false });
  const estimate = await api(sendings.estimate, {
    body: {
      type: 'sms',
      recipient: ['+4915112345679'],
      payload: { sender: world.config.REGISTRATION_SENDERNAME, text: 'Tea' },
    },
  });
  expect(estimate.operators).toMatchObject([{ name: 'Germany', lines: [{ price: 3.3 }] }]);
  expect(await world.db.query(`select 1 from billings`)).toEqual([]);
  await expect(
    create(['Tea-House', '--phone', '+4915112345670', '--email', 'b@tea.example']),
  ).rejects.toThrow('taken');
});

test.each([
  [['tea'], 'phone'],
  [['tea-room', '--phone', '12'], 'phone'],
  [['tea-room', '--phone', '+4915112345671'], 'email'],
  [['tea-room', '--fax', '1'], 'Usage'],
  [[], 'Usage'],
])('create-account %j is refused by a sentence about %s', async (args, about) => {
  const attempt = async () => create(args);
  await expect(attempt()).rejects.toThrow(about);
});

test('settings of an account are changed one by one, and the others stay', async () => {
  await create(['reseller-1', '--phone', '+4915112345672', '--email', 'r1@tea.example']);
  await setAccount(world.db, 'reseller-1', ['currency=EUR', 'types=sms,viber']);
  await setAccount(world.db, 'Reseller-1', ['creditLine=5000', 'overdraft=100.5']);
  const stored = () =>
    world.db.query(
      `select u.settings, b.overdraft::float8 as overdraft from users u join balances b on b.owner_id = u.id
        where u.username = 'reseller-1'`,
    );
  const sendings = { types: ['sms', 'viber'] };
  expect(await stored()).toEqual([
    { settings: { billings: { currency: 'EUR', creditLine: 5000 }, sendings }, overdraft: 100.5 },
  ]);
  await setAccount(world.db, 'reseller-1', ['creditLine=']);
  expect(await stored()).toMatchObject([{ settings: { billings: { currency: 'EUR' }, sendings } }]);
  for (const wrong of [
    'creditline=5',
    'currency=EURO',
    'types=sms,fax',
    'overdraft=-1',
    'currency',
  ])
    await expect(setAccount(world.db, 'reseller-1', [wrong])).rejects.toThrow(
      /must be|Unknown setting/,
    );
  await expect(setAccount(world.db, 'nobody', ['creditLine=1'])).rejects.toThrow('no account');
  const [{ n }] = (await world.db.query<{ n: number }>(
    `select count(*)::int as n from audit_log a join users u on u.id::text = a.target_id
      where u.username = 'reseller-1' and a.action = 'users.update'`,
  )) as [{ n: number }];
  expect(n).toBe(3);
});

test('an overdraft that is in use cannot be taken back', async () => {
  await create(['reseller-2', '--phone', '+4915112345673', '--email', 'r2@tea.example']);
  await setAccount(world.db, 'reseller-2', ['overdraft=100']);
  await world.db.query(
    `update balances set balance = -50 where owner_id = (select id from users where username = 'reseller-2')`,
  );
  await expect(setAccount(world.db, 'reseller-2', ['overdraft=49'])).rejects.toThrow('below zero');
  await setAccount(world.db, 'reseller-2', ['overdraft=50']);
});

test('the prices of the default tariff are replaced as a whole', async () => {
  const before = await world.db.query(`select * from tariff_rules`);
  for (const wrong of [
    [],
    ['sms'],
    ['fax=1'],
    ['sms=1', 'sms=2'],
    ['voice=1'],
    ['sms=1/2'],
    ['sms=-1'],
  ])
    await expect(setPrices(world.db, wrong)).rejects.toThrow('Usage');
  expect(await world.db.query(`select * from tariff_rules`)).toEqual(before);
  await setPrices(world.db, ['sms=0.08', 'voice=0.02/0.001']);
  const rules = await world.db.query(
    `select action, price::float8[] as price, conditions from tariff_rules_in_force order by price desc`,
  );
  expect(rules).toEqual([
    { action: 'increase', price: [0.08], conditions: [{ tag: 'type', value: 'sms' }] },
    { action: 'increase', price: [0.02, 0.001], conditions: [{ tag: 'type', value: 'voice' }] },
  ]);
});

test('what a server lacks is said at once, before anything is created', () => {
  const good = {
    version: 18,
    encoding: 'UTF8',
    icu: true,
    inSchema: true,
    inDatabase: true,
    available: ['pg_trgm', 'btree_gin'],
    installed: [],
  };
  expect(serverProblems(good)).toEqual([]);
  expect(serverProblems({ ...good, inDatabase: false, installed: good.available })).toEqual([]);
  const bad = {
    version: 15,
    encoding: 'SQL_ASCII',
    icu: false,
    inSchema: false,
    inDatabase: false,
    available: ['pg_trgm'],
    installed: [],
  };
  expect(serverProblems(bad)).toHaveLength(6);
  expect(serverProblems(bad).join()).toContain('the server is 15');
});

test('a database with another encoding is refused and stays empty', async () => {
  const name = `heliograph_latin_${process.pid}`;
  await world.alone(
    `create database ${name} encoding 'LATIN1' locale_provider libc locale 'C' template template0`,
  );
  const source = await createDataSource(
    withDatabase(world.config.directUrl, name),
    [],
  ).initialize();
  try {
    await expect(migrate(source)).rejects.toThrow('must be UTF8');
    const tables = await source.query(`select 1 from pg_tables where schemaname = 'public'`);
    expect(tables).toEqual([]);
    const failure = await source.query(`select 1 from sendings`).catch((error: unknown) => error);
    expect(databaseProblem(failure)).toContain('not migrated');
  } finally {
    await source.destroy();
    await world.alone(`drop database ${name}`);
  }
});

test('a server that does not answer is a sentence', async () => {
  const source = createDataSource('postgres://heliograph:wrong@127.0.0.1:1/heliograph', []);
  const failure = await source.initialize().catch((error: unknown) => error);
  expect(databaseProblem(failure)).toContain('nothing listens');
  expect(databaseProblem(new Error('another'))).toBeNull();
});
