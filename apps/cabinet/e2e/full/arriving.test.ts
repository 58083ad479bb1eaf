import { afterAll, beforeAll, expect, test } from 'vitest';
import { Stage } from '../stage.ts';
import { furnish, isCovered, nameOf, newcomer, screensOf, settled } from './screens.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await Stage.open();
  await furnish(stage);
});
afterAll(() => stage.close());

test.each(['customer', 'reseller'])(
  'who goes from page to page within the cabinet arrives at a heading and under a name of its own: %s',
  async (role) => {
    const page = await stage.signedIn(role);
    await page.goto(`${stage.url}/about`);
    await settled(page);
    const found: string[] = [];
    const titles = new Map<string, string>();
    // One that is refused is as good as another.
    const refused = role === 'customer' ? /^\/users|queue$/ : /^$/;
    const screens = (await screensOf(stage, role)).filter(
      (screen) =>
        !isCovered(screen) &&
        !/[?&](step|type)=/.test(screen) &&
        !refused.test(screen) &&
        screen !== '/about',
    );
    for (const screen of screens) {
      const before = await page.title();
      // As the links of the menu do it, without loading the page anew.
      await page.evaluate((to) => {
        const state = { idx: (history.state as { idx: number }).idx + 1, key: to, usr: null };
        history.pushState(state, '', to);
        dispatchEvent(new PopStateEvent('popstate', { state }));
      }, screen);
      await expect.poll(() => page.title(), { timeout: 15_000 }).not.toBe(before);
      await settled(page);
      const { focused, title, arrived } = await page.evaluate(() => ({
        focused: document.activeElement?.matches('h1') ?? false,
        title: document.title,
        arrived: location.pathname,
      }));
      if (!focused) found.push(`${nameOf(screen)}: the focus is not on the heading`);
      const other = titles.get(title);
      if (other && other !== arrived) found.push(`${nameOf(screen)} is called as ${nameOf(other)}`);
      titles.set(title, arrived);
    }
    found.push(...stage.complaints.splice(0));
    expect(found).toEqual([]);
  },
  300_000,
);

test('what leads nowhere leads home, and what is not there says so', async () => {
  const page = await stage.signedIn('customer');
  await page.goto(`${stage.url}/no/such/page`);
  await settled(page);
  expect(new URL(page.url()).pathname).toBe('/');
  await page.goto(`${stage.url}/users`);
  await page.getByRole('heading', { level: 1, name: 'Access denied' }).waitFor();
  await page.getByText('users.get').waitFor();
  expect(stage.complaints).toEqual([]);

  const nobody = '01930000-0000-7000-8000-00000000dead';
  for (const path of [`/contacts/${nobody}`, `/messages/tasks?id=${nobody}`]) {
    await page.goto(stage.url + path);
    await page.getByText('Not found. It may have been deleted.').first().waitFor();
    await page.getByRole('button', { name: 'Try again' }).first().waitFor();
  }
  // It would ask again while the next ones look.
  await page.close();
  // The browser tells of refused calls by itself.
  const refused = /Failed to load resource: the server responded with a status of 404/;
  expect(stage.complaints.splice(0).filter((text) => !refused.test(text))).toEqual([]);
});

test('who may read incoming messages and neither outgoing nor tasks nor templates has no such page', async () => {
  const page = await stage.signedIn('customer');
  await page.route('**/api/settings', async (route) => {
    const answer = await route.fetch();
    const settings = (await answer.json()) as { permissions: Record<string, string> };
    for (const part of ['sendings', 'tasks', 'templates'])
      delete settings.permissions[`${part}.get`];
    await route.fulfill({ response: answer, json: settings });
  });
  for (const path of ['/messages', '/messages/incoming']) {
    await page.goto(stage.url + path);
    await page.getByRole('heading', { level: 1, name: 'Access denied' }).waitFor();
    expect(await page.getByRole('link', { name: 'Incoming' }).count()).toBe(0);
  }
  await page.close();
});

/** The list, its call, and a filter under which nothing is. */
const LISTS: [path: string, resource: string, filter: string][] = [
  ['/messages/outgoing', 'sendings', 'f.recipient=%2B70000000000'],
  ['/messages/incoming', 'sendingsIncoming', 'q=nothing-like-it'],
  ['/messages/tasks', 'tasks', 'q=nothing-like-it'],
  ['/messages/templates', 'templates', 'q=nothing-like-it'],
  ['/contacts', 'contactLists', 'q=nothing-like-it'],
  ['/settings/sendernames', 'sendernames', 'q=nothing-like-it'],
  ['/notifications', 'notifications', 'period=yesterday'],
];

test.each(LISTS)(
  'a list that is empty, finds nothing or cannot be had says which of it, and what to do: %s',
  async (path, resource, filter) => {
    const empty = await stage.signedIn(await newcomer(stage));
    const main = empty.locator('main');
    const clear = main.getByRole('button', { name: 'Clear filters' });
    await empty.goto(stage.url + path);
    await settled(empty);
    // A new account has a name to try with and a word of welcome.
    const isEmpty = (await main.locator('[data-row]').count()) === 0;
    const first = isEmpty && (await main.locator('[class*=EmptyState-title]').innerText());
    expect(await clear.count()).toBe(0);
    await empty.goto(`${stage.url}${path}?${filter}`);
    await settled(empty);
    await main.getByText('Nothing found').waitFor();
    await clear.first().click();
    if (first) await main.getByText(first, { exact: true }).waitFor();
    else await main.locator('[data-row]').first().waitFor();

    const page = await stage.signedIn('customer');
    const refuse = new RegExp(`/api/${resource}\\?`);
    await page.route(refuse, (route) =>
      route.fulfill({ status: 503, json: { error: 503, code: 'unavailable', message: 'Later' } }),
    );
    await page.goto(stage.url + path);
    const again = page.locator('main').getByRole('button', { name: 'Try again' });
    await again.waitFor({ timeout: 20_000 });
    await page.unroute(refuse);
    await again.click();
    await page.locator('main [data-row]').first().waitFor();
    const refused = /Failed to load resource: the server responded with a status of 503/;
    expect(stage.complaints.splice(0).filter((text) => !refused.test(text))).toEqual([]);
  },
  90_000,
);
