import type { RouteObject } from 'react-router';
import type { Page } from 'playwright';
import { quiet, type TestBrowser } from '../test-browser.ts';

// Pages that need a session; those without one are listed below.
const modules = import.meta.glob<Record<string, unknown>>(
  ['../../src/features/*/routes.tsx', '!../../src/features/auth/routes.tsx'],
  { eager: true },
);

const LIST = '/contacts/:id';

/** Every page of the cabinet, also those of no feature. */
export const PAGES = [
  ...Object.values(modules)
    // A function composes tabs that other modules export.
    .flatMap((routes) => Object.values(routes).filter((value) => Array.isArray(value)))
    .flatMap((routes) => routes as RouteObject[])
    // The page of a contact list is opened with one; the others without their parameter.
    // An index route has the path of its parent.
    .flatMap(({ path }) => path ?? [])
    // The pages behind a wildcard have the title of the one without.
    .filter((path) => !path.endsWith('*'))
    .map((path) => (path === LIST ? path : path.replace(/\/:\w+\??/, ''))),
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

/** Lists whose details open with `?id=`, and their resource. */
const DETAILS: [page: string, resource: string][] = [
  ['/messages/outgoing', 'sendings'],
  ['/messages/incoming', 'sendingsIncoming'],
  ['/messages/tasks', 'tasks'],
  ['/messages/templates', 'templates'],
  ['/settings/sendernames', 'sendernames'],
  ['/notifications', 'notifications'],
  ['/tariffs', 'tariffs'],
  ['/users', 'users'],
  ['/audit', 'audit'],
  ['/account/audit', 'audit'],
  ['/channels', 'channels'],
  ['/patterns', 'patterns'],
  ['/routingGroups', 'routingGroups'],
  ['/messageRuleGroups', 'messageRuleGroups'],
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
  const username = `new${Date.now() % 1e9}`;
  const data = {
    email: `${username}@tea.example`,
    phone: `+7900${username.slice(-7)}`,
    firstName: 'Vera',
  };
  await browser.call('POST', '/registration', { username, password: 'heliograph', data });
  return username;
}

/** Every page that a user may open, and the details over lists. */
export async function screensOf(browser: TestBrowser, username: string): Promise<string[]> {
  const token = await browser.token(username);
  const newest = async (resource: string) => {
    const path = `/${resource}?$limit=1`;
    const answer = await browser
      .call<{ data: { id: string }[] }>('GET', path, undefined, token)
      .catch(() => ({ data: [] }));
    return answer.data[0]?.id;
  };
  const list = await newest('contactLists');
  const pages = PAGES.flatMap((path) =>
    path.includes(':id') ? (list ? [path.replace(':id', list)] : []) : [path],
  );
  const opened: string[] = [];
  const { permissions } = await browser.call<{ permissions: Record<string, string> }>(
    'GET',
    '/settings',
    undefined,
    token,
  );
  for (const [page, resource] of DETAILS) {
    // A customer reads its own account and audit log, which have pages of their own.
    if (page === '/users' && permissions['users.get'] === 'me') continue;
    if (page === '/audit' && permissions['audit.find'] === 'me') continue;
    const id = await newest(resource);
    if (id) opened.push(`${page}?id=${id}`);
  }
  const asked = ['/contacts?action=create', '/settings/sendernames?create=sms'];
  const steps = ['/send?step=recipients', '/send?step=send', '/send?type=voice', '/send?type=vk'];
  return [...pages, ...opened, ...asked, ...steps];
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

/** Opens a screen and waits for its data and its dialog. */
export async function visit(browser: TestBrowser, page: Page, screen: string): Promise<void> {
  await page.goto(browser.url + screen);
  await settled(page);
  if (isCovered(screen))
    await page.getByRole('dialog').first().waitFor({ state: 'visible', timeout: 5000 });
}
