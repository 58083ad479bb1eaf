import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { quiet, TestBrowser, wide, WIDTHS } from '../test-browser.ts';
import { Cluster } from './cluster.ts';
import { chooseSender } from '../choose-sender.ts';

let cluster: Cluster;
let browser: TestBrowser;
let token: string;
let list: string;

beforeAll(async () => {
  cluster = await Cluster.open();
  browser = await TestBrowser.open(cluster.url, cluster.database.url);
  token = await browser.token('customer');
  // Statuses arrive for half a minute, so that every loss misses some.
  const spread = {
    sentDelay: [1000, 15_000],
    deliveredDelay: [1000, 12_000],
    silent: 0,
    seen: 0,
    replies: 0,
  };
  await browser.db.query(
    `update channels set options = options || $1::jsonb where name = 'simulator'`,
    [JSON.stringify(spread)],
  );
  const { rows } = await browser.db.query(
    `select id from contact_lists where title = 'Customers' and owner_id = (select id from users where username = 'customer')`,
  );
  list = rows[0].id;
}, 300_000);
afterAll(async () => {
  await browser?.close();
  await cluster?.close();
});

/** Errors that the browser logs while the server is unreachable. */
const NETWORK = /Failed to load resource|WebSocket connection to|ERR_(CONNECTION|EMPTY|NETWORK)/;
/** Many processes and pages share the machine. */
const PATIENCE_MS = 40_000;
const AWAY = 'Reconnecting…';
const SAID = 'No connection to the server';

const message = (text: string) => ({ type: 'viber', payload: { sender: 'MIRTEA', text } });

async function bulk(title: string): Promise<void> {
  const recipient = { include: [list] };
  await browser.call(
    'POST',
    '/sendings',
    { ...message('Tea'), recipient, options: { title } },
    token,
  );
}

/** Every visible cell, count, badge and sum, without times. */
const shown = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const clock = [...document.querySelectorAll('time')].find(({ dateTime }) =>
      /^[\d:]+$/.test(dateTime),
    );
    const all = ['header', '#main'].map(
      (part) => document.querySelector<HTMLElement>(part)!.innerText,
    );
    return all.join('\n').replace(clock?.innerText ?? '', '');
  });

/** Events arrive at once; polled values within half a minute. */
async function expectAsLoadedAnew(page: Page, path: string, timeout = 5000): Promise<void> {
  const fresh = await browser.signedIn('customer', { viewport: page.viewportSize() });
  fresh.setDefaultTimeout(PATIENCE_MS);
  await fresh.goto(browser.url + path);
  await fresh.getByText('Live updates on').waitFor({ state: 'attached' });
  await quiet(fresh);
  const expected = await shown(fresh);
  await fresh.context().close();
  await expect.poll(() => shown(page), { timeout, message: path }).toBe(expected);
}

const settled = async () => {
  const { rows } = await browser.db.query(
    `select count(*)::int as n from tasks t where state not in ('completed', 'failed', 'stopped')
       and owner_id = (select id from users where username = 'customer')`,
  );
  return rows[0].n as number;
};

test.each(WIDTHS)(
  'open pages recover from every loss and show the same as after a reload: %i wide',
  async (width) => {
    const open = async (path: string) => {
      const page = await browser.signedIn('customer', wide(width));
      page.setDefaultTimeout(PATIENCE_MS);
      await page.goto(browser.url + path);
      await page.getByText('Live updates on').waitFor({ state: 'attached' });
      return page;
    };
    const lists = ['/messages/outgoing', '/messages/tasks', '/notifications'];
    const pages: Page[] = [];
    for (const path of lists) pages.push(await open(path));
    const home = await open('/');
    const wizard = await open('/send?type=viber');
    const text = wizard.getByLabel(/^Text/).first();
    await chooseSender(wizard, 'MIRTEA');
    await text.fill('Half of a ');
    await bulk(`Storm ${width}`);

    await cluster.loseApi(0, 1500);
    await cluster.loseApi(1, 1500);
    await bulk(`After the APIs ${width}`);
    await Promise.all([cluster.loseRedis(4000), cluster.loseApi(2, 500)]);
    await bulk(`After Redis ${width}`);

    await cluster.stopApis();
    for (const page of [...pages, home, wizard]) {
      await page.getByText(AWAY).waitFor();
      await page.getByText(SAID).waitFor();
    }
    await text.press('End');
    await text.pressSequentially('message');
    // A page that was not loaded before loads when the server is back.
    await home
      .getByRole('link', { name: 'Send', exact: true })
      .first()
      .click({ noWaitAfter: true });
    await sleep(6000);
    await expect.poll(() => home.getByRole('heading', { level: 1 }).innerText()).toMatch(/Анна/);
    await browser.picture(pages[0]!, `away-${width}`);
    await browser.picture(wizard, `away-wizard-${width}`);
    await cluster.startApis();
    for (const page of [...pages, home, wizard]) {
      await page.getByText(AWAY).waitFor({ state: 'detached' });
      await page.getByText(SAID).waitFor({ state: 'detached' });
    }
    await home.getByRole('heading', { level: 1, name: 'New message' }).waitFor();
    await home.goBack();

    await expect.poll(settled, { timeout: 120_000 }).toBe(0);
    await sleep(3000);
    for (const [i, path] of lists.entries()) await expectAsLoadedAnew(pages[i]!, path);
    await expectAsLoadedAnew(home, '/', PATIENCE_MS);
    await expect.poll(() => text.inputValue()).toBe('Half of a message');
    expect(browser.consoleErrors.filter((complaint) => !NETWORK.test(complaint))).toEqual([]);
  },
  420_000,
);

test.each(WIDTHS)(
  'a sending submitted while the server is unreachable is sent once: %i wide',
  async (width) => {
    const page = await browser.signedIn('customer', wide(width));
    page.setDefaultTimeout(PATIENCE_MS);
    await page.goto(`${browser.url}/send?type=viber`);
    await chooseSender(page, 'MIRTEA');
    await page.getByLabel(/^Text/).first().fill('Once');
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    await page.getByRole('checkbox', { name: /^Test numbers/ }).check();
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    await page.getByLabel(/^Title/).fill(`Once ${width}`);
    const send = page.getByRole('button', { name: /^Send \d+ messages for/ });
    await expect.poll(() => send.isEnabled(), { timeout: 15_000 }).toBe(true);

    await cluster.stopApis();
    await send.click();
    await page
      .getByText(/^(No connection to the server\.|\[502\] An intermediate server failed)/)
      .waitFor();
    await browser.picture(page, `refused-${width}`);
    await cluster.startApis();
    await page.getByText(AWAY).waitFor({ state: 'detached' });
    await expect.poll(() => send.isEnabled(), { timeout: 15_000 }).toBe(true);
    await send.click();
    await page.waitForURL(/\/messages\/tasks\/[\w-]{36}/);
    const { rows } = await browser.db.query(
      `select count(*)::int as n from tasks where title = $1`,
      [`Once ${width}`],
    );
    expect(rows).toEqual([{ n: 1 }]);
    expect(browser.consoleErrors.filter((complaint) => !NETWORK.test(complaint))).toEqual([]);
  },
);

test.each([
  ['/api/settings', 'Couldn’t open the page'],
  ['/api/sendings?', 'Couldn’t load the list'],
])('what a gateway refused for want of a server comes by itself: %s', async (call, said) => {
  const page = await browser.signedIn('customer');
  const isAsked = (url: URL) => url.href.includes(call);
  await page.route(isAsked, (route) => route.fulfill({ status: 502 }));
  await page.goto(`${browser.url}/messages/outgoing`);
  await page.getByText(said).first().waitFor({ timeout: 30_000 });
  await page.unroute(isAsked);
  await page.locator('[data-row]').first().waitFor({ timeout: 30_000 });
  await expect.poll(() => page.getByText(said).count()).toBe(0);
  expect(browser.consoleErrors.filter((complaint) => !NETWORK.test(complaint))).toEqual([]);
});
