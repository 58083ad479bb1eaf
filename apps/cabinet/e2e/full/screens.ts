import { randomInt } from 'node:crypto';
import type { RouteObject } from 'react-router';
import type { Page } from 'playwright';
import type { Locale } from '../../src/core/i18n/locales.ts';
import { keepToken, quiet, type TestBrowser } from '../test-browser.ts';

// Pages that need a session; those without one are listed below.
const modules = import.meta.glob<Record<string, unknown>>(
  ['../../src/features/*/routes.tsx', '!../../src/features/auth/routes.tsx'],
  { eager: true },
);

const WITH_ONE: Record<string, string> = {
  '/contacts/:id': '/contacts/:contactLists',
  '/contacts/person/:address': '/contacts/person/%2B79990000000',
  '/messages/tasks/:id': '/messages/tasks/:tasks',
};

/** Every page of the cabinet, also those of no feature. */
export const PAGES = [
  ...Object.values(modules)
    // A function composes tabs that other modules export.
    .flatMap((routes) => Object.values(routes).filter((value) => Array.isArray(value)))
    .flatMap((routes) => routes as RouteObject[])
    // An index route has the path of its parent.
    .flatMap(({ path }) => path ?? [])
    // The pages behind a wildcard have the title of the one without.
    .filter((path) => !path.endsWith('*'))
    // The pages of a contact list and of a bulk are opened with one; the others without their parameter.
    .map((path) => WITH_ONE[path] ?? path.replace(/\/:\w+\??/, '')),
  '/about',
  '/debug',
  '/forbidden?need=users.get',
];

/** Pages without a session. */
const KEY = 'of-the-customer';
export const GATE = [
  '/login',
  '/login?to=%2Fcontacts',
  '/registration',
  '/registration?ref=tea',
  '/recover',
  `/recover/${KEY}`,
  `/confirm?key=${KEY}`,
];

/** Details over lists, of the newest row of a resource. */
const DETAILS = [
  '/messages/outgoing?id=:sendings',
  '/messages/incoming?id=:sendingsIncoming',
  '/messages/tasks?id=:tasks',
  '/messages/templates?id=:templates',
  '/settings/sendernames?id=:sendernames',
  '/notifications?id=:notifications',
  '/tariffs?id=:tariffs',
  '/users?id=:users',
  '/audit?id=:audit',
  '/account/audit?id=:audit',
  '/channels?id=:channels',
  '/patterns?id=:patterns',
  '/routingGroups?id=:routingGroups',
  '/messageRuleGroups?id=:messageRuleGroups',
];

/** Every page with a session, the details over lists, dialogs and steps. */
export const SCREENS = [
  ...PAGES,
  ...DETAILS,
  '/contacts?action=create',
  '/settings/sendernames?create=sms',
  '/send?step=recipients',
  '/send?step=send',
  '/send?type=voice',
  '/send?type=vk',
];

const TEXT =
  'Dear friend of good tea, our autumn harvest of Darjeeling, Ceylon and Keemun has come. '.repeat(
    3,
  );

/** Creates rows in every list, with long texts. */
export async function furnish(browser: TestBrowser): Promise<void> {
  await browser.db.query(
    `insert into recovery_keys
     select id, sha256($1::bytea), now() + interval '1 hour' from users where username = 'customer'
     on conflict (user_id) do update set key_hash = excluded.key_hash, expires_at = excluded.expires_at`,
    [Buffer.from(KEY)],
  );
  await browser.db.query(
    `insert into email_changes (user_id, key_hash, expires_at, address, is_email, requested_by)
     select id, sha256($1::bytea), now() + interval '1 hour', 'anna.mirskaya.of.the.tea.house@heliograph.example', true, id
       from users where username = 'customer' on conflict do nothing`,
    [Buffer.from(KEY)],
  );
  const token = await browser.token('customer');
  const post = (path: string, body: object) => browser.call('POST', path, body, token);
  const payload = { sender: 'MIRTEA', text: TEXT };
  // By their test numbers: delivered, always failed, expired.
  for (const recipient of ['+79990000000', '+79990000002', '+79990000004'])
    for (const type of ['sms', 'viber', 'whatsapp'])
      await post('/sendings', { type, payload, recipient });
  const { data } = await browser.call<{ data: { id: string; count: number }[] }>(
    'GET',
    '/contactLists?type=regular',
    undefined,
    token,
  );
  // Other journeys make lists, too, and empty ones.
  const list = data.findLast(({ count }) => count > 0)!;
  await post('/sendings', {
    type: 'viber',
    payload,
    recipient: { include: [list.id] },
    schedule: { delay: 0, until: 12 },
    options: { title: 'Autumn harvest for everybody who ever asked for a catalogue' },
  });
  // It is not to be sent while other journeys count their messages.
  await post('/recurringSendings', {
    title: 'Autumn harvest for everybody who ever asked for a catalogue',
    type: 'viber',
    payload,
    recipient: { include: [list.id] },
    frequency: 'weekly',
    weekdays: [1, 2, 3, 4, 5, 6, 7],
    time: '09:30',
    timeZone: 'America/Argentina/Buenos_Aires',
    from: '2099-01-01',
    times: 1000,
  });
  await post('/sendingsIncoming', {
    from: '+79990000000',
    to: 'MIRTEA',
    type: 'sms',
    payload: { text: TEXT },
  });
  const fallback = { type: 'sms', payload, options: { onTimeout: { timeout: 50, except: [] } } };
  await post('/templates', {
    title: 'Autumn harvest, a long letter with a fallback',
    type: 'viber',
    payload,
    fallbacks: [fallback],
  });
}

/** Registers an account without rows. */
export async function newcomer(browser: TestBrowser): Promise<string> {
  const username = `new${randomInt(1e8, 1e9)}`;
  const data = {
    email: `${username}@tea.example`,
    phone: `+7900${username.slice(-7)}`,
    firstName: 'Vera',
  };
  await browser.call('POST', '/registration', { username, password: 'heliograph', data });
  return username;
}

/** The screen with the ID of the newest row of its resource; undefined without such a row. */
export async function addressOf(
  browser: TestBrowser,
  screen: string,
  token?: string,
): Promise<string | undefined> {
  const [, resource] = /:(\w+)$/.exec(screen) ?? [];
  if (!resource) return screen;
  // The pages of an account show its own rows, also to those who see the rows of others.
  const own = screen.startsWith('/account/') ? `&OwnerId=${await ownerOf(browser, token)}` : '';
  const { data } = await browser
    .call<{ data: { id: string }[] }>('GET', `/${resource}?$limit=1${own}`, undefined, token)
    .catch(() => ({ data: [] }));
  return data[0] && screen.replace(`:${resource}`, data[0].id);
}

async function ownerOf(browser: TestBrowser, token?: string): Promise<string> {
  const path = '/settings';
  const answer = await browser.call<{ session: { OwnerId: string } }>(
    'GET',
    path,
    undefined,
    token,
  );
  return answer.session.OwnerId;
}

/** The addresses of all screens for which a user has rows. */
export async function screensOf(browser: TestBrowser, username: string): Promise<string[]> {
  const token = await browser.token(username);
  const { permissions } = await browser.call<{ permissions: Record<string, string> }>(
    'GET',
    '/settings',
    undefined,
    token,
  );
  // A customer reads its own account and audit log, which have pages of their own.
  const others = [
    permissions['users.get'] === 'me' && '/users?id=',
    permissions['audit.find'] === 'me' && '/audit?id=',
  ].filter((start) => start !== false);
  const addresses: string[] = [];
  for (const screen of SCREENS) {
    if (others.some((start) => screen.startsWith(start))) continue;
    const address = await addressOf(browser, screen, token);
    if (address) addresses.push(address);
  }
  return addresses;
}

/** Whether a dialog or drawer is open from the start. */
export const isCovered = (screen: string): boolean => /[?&](id|action|create)=/.test(screen);

export const nameOf = (screen: string): string => screen.replaceAll(/[0-9a-f-]{36}/g, 'ID');

/** Waits until the page has loaded its data or shows an error. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
  await quiet(page);
  await page
    .locator('.mantine-Skeleton-root, [aria-busy=true]')
    .first()
    .waitFor({ state: 'detached' });
}

/** Opens an address and waits for its data and its dialog. False if the account may not see it. */
export async function visit(browser: TestBrowser, page: Page, address: string): Promise<boolean> {
  await page.goto(browser.url + address);
  await settled(page);
  if (!address.startsWith('/forbidden') && page.url().includes('/forbidden')) return false;
  if (isCovered(address))
    await page.getByRole('dialog').first().waitFor({ state: 'visible', timeout: 5000 });
  return true;
}

/** A role whose page many tests share: each of them opens its screen in it. */
export interface Visitor {
  page: Page;
  token?: string;
}

/** Without a username: a visitor without a session. Every load is in the language. */
export async function visitorOf(
  browser: TestBrowser,
  locale: Locale,
  username?: string,
): Promise<Visitor> {
  const page = await browser.newPage();
  const token = username && (await browser.token(username));
  if (token) await keepToken(page, token);
  await page.addInitScript((to) => localStorage.setItem('heliograph.locale', to), locale);
  return { page, token };
}

/** Opens a screen in the shared page of a role. Skips the test if the role has no such screen. */
export async function show(
  browser: TestBrowser,
  { page, token }: Visitor,
  screen: string,
  skip: (note: string) => never,
): Promise<void> {
  browser.watch(page);
  const address = await addressOf(browser, screen, token);
  if (!address) skip('no row');
  if (!(await visit(browser, page, address))) skip('no permission');
}

/** Changes the language without a new load: by the list of the pages without a session, else as another tab of the browser does. */
export async function changeLocale(page: Page, locale: Locale): Promise<void> {
  const list = page.locator(`select:has(> option[lang=${locale}])`);
  if (await list.count()) await list.selectOption(locale);
  else
    await page.evaluate((to) => {
      localStorage.setItem('heliograph.locale', to);
      dispatchEvent(new StorageEvent('storage', { key: 'heliograph.locale' }));
    }, locale);
  await page.waitForFunction((to) => document.documentElement.lang === to, locale);
  await quiet(page);
}
