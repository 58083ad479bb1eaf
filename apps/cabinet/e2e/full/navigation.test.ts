import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestBrowser } from '../test-browser.ts';
import { furnish, isCovered, nameOf, newcomer, screensOf, settled } from './screens.ts';

let browser: TestBrowser;

beforeAll(async () => {
  browser = await TestBrowser.open();
  await furnish(browser);
});
afterAll(() => browser.close());

test.each(['customer', 'reseller'])(
  'navigation within the cabinet focuses the heading of the page and sets its title: %s',
  async (role) => {
    const page = await browser.signedIn(role);
    await page.goto(`${browser.url}/about`);
    await settled(page);
    const found: string[] = [];
    const titles = new Map<string, string>();
    // Refused pages have one title.
    const refused = role === 'customer' ? /^\/users|queue$/ : /^$/;
    const screens = (await screensOf(browser, role)).filter(
      (screen) =>
        !isCovered(screen) &&
        !/[?&](step|type)=/.test(screen) &&
        !refused.test(screen) &&
        screen !== '/about',
    );
    const shown = async () => {
      const { pathname, search } = new URL(page.url());
      return { title: await page.title(), refused: pathname === '/forbidden' ? search : null };
    };
    for (const screen of screens) {
      const before = await shown();
      // Like a link of the menu, without a page load.
      await page.evaluate((to) => {
        const state = { idx: (history.state as { idx: number }).idx + 1, key: to, usr: null };
        history.pushState(state, '', to);
        dispatchEvent(new PopStateEvent('popstate', { state }));
      }, screen);
      // The path is new at once, the title when the page is there. Refused pages in a row differ by the permission.
      await expect
        .poll(
          async () => {
            const { title, refused } = await shown();
            return before.refused && refused ? refused !== before.refused : title !== before.title;
          },
          { timeout: 15_000 },
        )
        .toBe(true);
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
    found.push(...browser.consoleErrors.splice(0));
    expect(found).toEqual([]);
  },
  300_000,
);

test('an unknown path leads to the home page; an unknown row is reported as not found', async () => {
  const page = await browser.signedIn('customer');
  await page.goto(`${browser.url}/no/such/page`);
  await settled(page);
  await expect.poll(() => new URL(page.url()).pathname).toBe('/');
  await page.goto(`${browser.url}/users`);
  await page.getByRole('heading', { level: 1, name: 'Access denied' }).waitFor();
  await page.getByText('Users: View', { exact: true }).waitFor();
  expect(browser.consoleErrors).toEqual([]);

  const nobody = '01930000-0000-7000-8000-00000000dead';
  for (const path of [`/contacts/${nobody}`, `/messages/tasks?id=${nobody}`]) {
    await page.goto(browser.url + path);
    await page.getByText('Not found. It may have been deleted.').first().waitFor();
    await page.getByRole('button', { name: 'Try again' }).first().waitFor();
  }
  // It would send requests during the next tests.
  await page.close();
  // The browser logs refused calls.
  const refused = /Failed to load resource: the server responded with a status of 404/;
  expect(browser.consoleErrors.splice(0).filter((text) => !refused.test(text))).toEqual([]);
});

test('a user who may read only incoming messages has no tabs for outgoing messages, tasks and templates', async () => {
  const page = await browser.signedIn('customer');
  await page.route('**/api/settings', async (route) => {
    const answer = await route.fetch();
    const settings = (await answer.json()) as { permissions: Record<string, string> };
    for (const part of ['sendings', 'tasks', 'templates'])
      delete settings.permissions[`${part}.get`];
    await route.fulfill({ response: answer, json: settings });
  });
  for (const path of ['/messages', '/messages/incoming']) {
    await page.goto(browser.url + path);
    await page.getByRole('heading', { level: 1, name: 'Access denied' }).waitFor();
    await expect.poll(() => page.getByRole('link', { name: 'Incoming' }).count()).toBe(0);
  }
  await page.close();
});

/** A list, its call, and a filter without results. */
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
  'a list tells an empty list, no results and a failed call apart, each with an action: %s',
  async (path, resource, filter) => {
    const empty = await browser.signedIn(await newcomer(browser));
    const main = empty.locator('main');
    const clear = main.getByRole('button', { name: 'Clear filters' });
    await empty.goto(browser.url + path);
    await settled(empty);
    // A new account has a sender name and a notification.
    const isEmpty = (await main.locator('[data-row]').count()) === 0;
    const first = isEmpty && (await main.locator('[class*=EmptyState-title]').innerText());
    await expect.poll(() => clear.count()).toBe(0);
    await empty.goto(`${browser.url}${path}?${filter}`);
    await settled(empty);
    await main.getByText('Nothing found').waitFor();
    await clear.first().click();
    if (first) await main.getByText(first, { exact: true }).waitFor();
    else await main.locator('[data-row]').first().waitFor();

    const page = await browser.signedIn('customer');
    const refuse = new RegExp(`/api/${resource}\\?`);
    await page.route(refuse, (route) =>
      route.fulfill({ status: 503, json: { error: 503, code: 'unavailable', message: 'Later' } }),
    );
    await page.goto(browser.url + path);
    const again = page.locator('main').getByRole('button', { name: 'Try again' });
    await again.waitFor({ timeout: 20_000 });
    await page.unroute(refuse);
    await again.click();
    await page.locator('main [data-row]').first().waitFor();
    const refused = /Failed to load resource: the server responded with a status of 503/;
    expect(browser.consoleErrors.splice(0).filter((text) => !refused.test(text))).toEqual([]);
  },
);
