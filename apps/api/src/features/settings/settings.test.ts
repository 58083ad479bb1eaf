import {
  billings,
  notifications,
  sendings,
  settings,
  settingsUser,
  tasks,
  tokens,
  users,
  type Permission,
} from '@heliograph/contract';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Config } from '../../core/config.ts';
import { VERSION } from '../../core/version.ts';
import { World } from '../../../test/world.ts';
import { featuresOf, typesOf } from './brands.ts';

const TITLE = 'Beacon "& <Co>"';
const OFFER_URL = 'https://beacon.example/offer?of=2026&in=en';

let world: World;
let cabinet: string;

beforeAll(async () => {
  cabinet = mkdtempSync(join(tmpdir(), 'heliograph-cabinet-'));
  const page = new URL('../../../../cabinet/index.html', import.meta.url);
  writeFileSync(join(cabinet, 'index.html'), readFileSync(page));
  const worker = new URL('../../../../cabinet/public/service-worker.js', import.meta.url);
  writeFileSync(join(cabinet, 'service-worker.js'), readFileSync(worker));
  world = await World.start({
    BRAND: 'alternate',
    TITLE,
    OFFER_URL,
    SUPPORT_EMAIL: 'help@cabinet.example',
    SUPPORT_PHONE: '+7 495 000-00-00',
    SUPPORT_CHAT_URL: 'https://chat.example/beacon',
    BLOG_URL: 'https://beacon.example/blog',
    CABINET_DIR: cabinet,
  });
});
afterAll(async () => {
  await world.stop();
  rmSync(cabinet, { recursive: true });
});

test('a customer gets the settings of its account, brand and level', async () => {
  const customer = await world.person();
  const found = await customer.api(settings.get);
  expect(found).toMatchObject({
    frontend: {
      title: TITLE,
      brand: 'alternate',
      documents: { privacy: null, offer: OFFER_URL },
      support: {
        email: 'help@cabinet.example',
        phone: '+7 495 000-00-00',
        chat: 'https://chat.example/beacon',
      },
      recovery: true,
      passkeys: true,
      identityProviders: false,
      registration: true,
      password: { min: 6, max: 18 },
    },
    billings: { currency: 'RUB', overdraft: 0, processChildrenOperations: true, creditLine: 0 },
    sendings: { sendernamesCheck: ['sms'], grantedSender: 'DEMO', range: 31 },
    payments: {
      methods: ['sandbox'],
      minAmount: 10,
      maxAmount: 300_000,
      defaults: { individual: 3000, legal: 1000 },
      wallet: null,
    },
    advanced: { isRestricted: false, hasWallet: false },
    features: { integrations: false, blog: 'https://beacon.example/blog' },
    secret: { loginAs: false },
    storage: { maxSize: 20_971_520 },
    version: VERSION,
  });
  expect(found.sendings.types).toContain('telegramcode');
  for (const other of ['wapi', 'vk', 'chat_vk']) expect(found.sendings.types).not.toContain(other);
  expect(found.permissions['sendings.generate']).toBe('me');
  expect(found.permissions).not.toHaveProperty('billings.generate');
  expect(found.session).toEqual({
    UserId: customer.id,
    OwnerId: customer.id,
    username: customer.username,
    level: 'me',
    isTest: false,
    mustSetUpSecondFactor: false,
    isRestricted: false,
    hasFreeCredit: false,
    impersonator: null,
  });
});

test('the settings say who may sign in as another user', async () => {
  for (const [person, loginAs] of [
    [{ level: 'reseller' }, true],
    [{ level: 'manager' }, true],
    [{ level: 'manager', grants: { remove: ['secret.loginAs'] } }, false],
    [{ level: 'me', grants: { add: ['secret.loginAs'] } }, false],
  ] as const)
    expect((await (await world.person(person as never)).api(settings.get)).secret).toEqual({
      loginAs,
    });
});

test('connections to other programs are offered by the main brand unless they are off', () => {
  const of = (BRAND: 'main' | 'alternate', INTEGRATIONS: boolean) =>
    featuresOf({ BRAND, INTEGRATIONS } as Config);
  expect(of('main', true)).toEqual({ integrations: true, blog: null });
  expect(of('main', false).integrations).toBe(false);
  expect(of('alternate', true).integrations).toBe(false);
});

test('the account holder’s row has another value', async () => {
  const customer = await world.person();
  await world.db.query(`update users set settings = $2 where id = $1`, [
    customer.id,
    {
      billings: { currency: 'EUR', processChildrenOperations: false, creditLine: 12.5 },
      sendings: { sendernamesCheck: ['sms', 'voice'], types: ['sms', 'voice'] },
    },
  ]);
  await world.db.query(`update balances set overdraft = 99.5 where owner_id = $1`, [customer.id]);
  expect(await customer.api(settings.get)).toMatchObject({
    billings: {
      currency: 'EUR',
      overdraft: 99.5,
      processChildrenOperations: false,
      creditLine: 12.5,
    },
    sendings: { sendernamesCheck: ['sms', 'voice'], types: ['sms', 'voice'] },
  });
});

test('an account has one currency for its estimates, messages, balance and notifications, for every actor', async () => {
  const reseller = await world.person({ level: 'reseller' });
  const customer = await world.person({ resellerId: reseller.id });
  await world.db.query(`update users set settings = $2 where id = $1`, [
    customer.id,
    { billings: { currency: 'MXN' } },
  ]);
  const body = {
    type: 'viber' as const,
    recipient: '+79161234567',
    payload: { sender: 'TEA', text: 'Hello' },
  };
  const asked = { body: { ...body, OwnerId: customer.id } };
  expect((await customer.api(sendings.estimate, { body })).currency).toBe('MXN');
  expect((await reseller.api(sendings.estimate, asked)).currency).toBe('MXN');
  expect((await reseller.api(sendings.estimate, { body })).currency).toBe('RUB');
  const { data } = await reseller.api(users.find);
  expect(data.map(({ id, currency }) => [id, currency])).toEqual([
    [customer.id, 'MXN'],
    [reseller.id, 'RUB'],
  ]);
  await customer.api(sendings.create, { body });
  const [seen] = (await reseller.api(sendings.find)).data;
  expect(seen!.Owner).toEqual({ id: customer.id, username: customer.username, currency: 'MXN' });
  const later = { schedule: { delay: new Date(Date.now() + 3_600_000).toISOString() } };
  const bulk = { ...body, ...later, recipient: [body.recipient] };
  await customer.api(sendings.create, { body: bulk });
  const [task] = (await reseller.api(tasks.find)).data;
  expect(task!.Owner).toEqual(seen!.Owner);
  const paused = { params: { id: task!.id }, body: { state: 'paused' as const } };
  expect((await reseller.api(tasks.update, paused)).Owner).toEqual(seen!.Owner);
  expect((await customer.api(tasks.find)).data[0]).not.toHaveProperty('Owner');
  const accrual = { source: 'accrual' as const, amount: 5, OwnerId: customer.id };
  const manager = await world.person({ level: 'manager', grants: { add: ['users.all'] } });
  const entry = await manager.api(billings.create, { body: accrual });
  expect(entry.Owner).toEqual(seen!.Owner);
  const ledger = (await reseller.api(billings.find)).data;
  expect(ledger.map(({ Owner }) => Owner?.currency)).toEqual(['MXN', 'MXN', 'MXN', 'RUB']);
  expect((await customer.api(billings.find)).data[0]).not.toHaveProperty('Owner');
  const notification = (await customer.api(notifications.find)).data.find(
    (n) => n.type === 'BalanceAccrual',
  );
  expect(notification).toMatchObject({ type: 'BalanceAccrual', data: { currency: 'MXN' } });
});

test.each([
  [{ level: 'reseller' as const }, 93],
  [{ level: 'manager' as const }, 93],
  [{ level: 'manager' as const, grants: { add: ['users.all'] } }, 186],
  [
    { level: 'manager' as const, grants: { add: ['users.all'], remove: ['advanced.users.find'] } },
    93,
  ],
])('%j may look at %i days of messages', async (who, days) => {
  const person = await world.person(who);
  expect((await person.api(settings.get)).sendings.range).toBe(days);
});

test('grants add to the permissions of a level and take from them', async () => {
  const person = await world.person({
    grants: { add: ['billings.generate'], remove: ['telemetry.get'] },
  });
  const { permissions } = await person.api(settings.get);
  expect(permissions['billings.generate']).toBe('me');
  expect(permissions).not.toHaveProperty('telemetry.get');
});

test('a token receives the overdraft, the credit line and personal settings with their permissions only', async () => {
  const person = await world.person();
  await world.db.query(`update balances set overdraft = 99.5 where owner_id = $1`, [person.id]);
  const dark = { params: { accountId: person.id, key: 'theme' as const }, body: { value: 'dark' } };
  await person.api(settingsUser.update, dark);
  const seenWith = async (permissions: Permission[]) => {
    const body = { description: 'Shop', permissions };
    const { token } = await person.api(tokens.create, { body });
    const found = await world.client(token)(settings.get);
    return { billings: found.billings, personal: found.personal };
  };
  const own = await person.api(settings.get);
  expect(own).toMatchObject({ billings: { overdraft: 99.5, creditLine: 0 } });
  expect(own.personal).toEqual({ theme: 'dark' });
  const without = { currency: 'RUB', processChildrenOperations: true };
  expect(await seenWith(['contacts.get'])).toEqual({ billings: without, personal: null });
  expect(await seenWith(['billings.find'])).toEqual({ billings: own.billings, personal: null });
  expect(await seenWith(['settingsUser.get'])).toEqual({
    billings: without,
    personal: own.personal,
  });
});

test('open tabs receive the version', async () => {
  const answer = await fetch(`${world.base}/version.json`);
  expect(answer.headers.get('cache-control')).toBe('no-cache');
  expect(await answer.json()).toEqual({ version: VERSION });
});

test('the service worker is another script with each version, is not cached and caches nothing', async () => {
  const answer = await fetch(`${world.base}/service-worker.js`);
  expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(answer.headers.get('cache-control')).toBe('no-cache');
  const handlers = new Map<string, (event: unknown) => void>();
  const deleted: string[] = [];
  const received: unknown[] = [];
  runInNewContext(await answer.text(), {
    self: {
      addEventListener: (name: string, handler: () => void) => handlers.set(name, handler),
      clients: {
        matchAll: async () => [{ postMessage: (message: unknown) => received.push(message) }],
      },
    },
    caches: { keys: async () => ['former'], delete: async (name: string) => deleted.push(name) },
  });
  // A handler of `fetch` could answer with a page of a former release, or hide that the server is away.
  expect([...handlers.keys()]).toEqual(['install', 'activate']);
  await new Promise((activated) => handlers.get('activate')!({ waitUntil: activated }));
  expect(deleted).toEqual(['former']);
  expect(received).toEqual([{ type: 'version', version: VERSION }]);
});

test('the page itself has the title and the brand before the sign-in', async () => {
  const answer = await fetch(`${world.base}/login?to=%2Fsend`);
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(answer.headers.get('cache-control')).toBe('no-cache');
  const html = await answer.text();
  expect(html).toContain('<title>Beacon &quot;&amp; &lt;Co&gt;&quot;</title>');
  expect(html).toContain('href="/favicon-alternate.svg"');
  const content = /<meta name="frontend" content="([^"]*)"/.exec(html)![1]!;
  const signs: Record<string, string> = { quot: '"', amp: '&', lt: '<', gt: '>' };
  const frontend: unknown = JSON.parse(
    content.replace(/&(\w+);/g, (_, name: string) => signs[name]!),
  );
  expect(frontend).toEqual((await (await world.person()).api(settings.get)).frontend);
});

test('paths that are no pages are 404', async () => {
  const headers = { accept: 'application/json' };
  expect((await fetch(`${world.base}/login`, { headers })).status).toBe(404);
  expect((await fetch(`${world.base}/api/nothing`)).status).toBe(404);
});

test('the first brand has VK', () => {
  expect(typesOf('main')).toEqual(expect.arrayContaining(['vk', 'chat_vk', 'sms']));
  expect(typesOf('main')).not.toContain('wapi');
});
