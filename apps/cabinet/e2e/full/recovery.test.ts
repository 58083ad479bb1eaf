import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { quiet, Stage, wide, WIDTHS } from '../stage.ts';
import { Cluster } from './cluster.ts';

let cluster: Cluster;
let stage: Stage;
let token: string;
let list: string;

beforeAll(async () => {
  cluster = await Cluster.open();
  stage = await Stage.open(cluster.url, cluster.database.url);
  token = await stage.token('customer');
  // Statuses come for half a minute, so that there is always something to miss; none after a task has ended.
  const spread = {
    sentDelay: [1000, 15_000],
    deliveredDelay: [1000, 12_000],
    silent: 0,
    seen: 0,
    replies: 0,
  };
  await stage.db.query(
    `update channels set options = options || $1::jsonb where name = 'simulator'`,
    [JSON.stringify(spread)],
  );
  const { rows } = await stage.db.query(
    `select id from contact_lists where title = 'Customers' and owner_id = (select id from users where username = 'customer')`,
  );
  list = rows[0].id;
}, 300_000);
afterAll(async () => {
  await stage?.close();
  await cluster?.close();
});

/** What a server that is away makes the browser itself complain of. */
const NETWORK = /Failed to load resource|WebSocket connection to|ERR_(CONNECTION|EMPTY|NETWORK)/;
/** Many processes share the machine with as many pages. */
const PATIENCE_MS = 40_000;
const AWAY = 'Reconnecting…';
const SAID = 'No connection to the server';

const message = (text: string) => ({ type: 'viber', payload: { sender: 'MIRTEA', text } });

async function bulk(title: string): Promise<void> {
  const recipient = { include: [list] };
  await stage.call(
    'POST',
    '/sendings',
    { ...message('Tea'), recipient, options: { title } },
    token,
  );
}

/** Every cell, count, badge and sum that is shown; not the clock. */
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

/** What the page tells is there at once; what it asks for every half minute, by then. */
async function expectAsLoadedAnew(page: Page, path: string, timeout = 5000): Promise<void> {
  const fresh = await stage.signedIn('customer', { viewport: page.viewportSize() });
  fresh.setDefaultTimeout(PATIENCE_MS);
  await fresh.goto(stage.url + path);
  await fresh.getByText('Live updates on').waitFor({ state: 'attached' });
  await quiet(fresh);
  const expected = await shown(fresh);
  await fresh.context().close();
  await expect.poll(() => shown(page), { timeout, message: path }).toBe(expected);
}

const settled = async () => {
  const { rows } = await stage.db.query(
    `select count(*)::int as n from tasks t where state not in ('completed', 'failed', 'stopped')
       and owner_id = (select id from users where username = 'customer')`,
  );
  return rows[0].n as number;
};

test.each(WIDTHS)(
  'what is open recovers by itself from every loss and shows what a fresh load shows: %i wide',
  async (width) => {
    const open = async (path: string) => {
      const page = await stage.signedIn('customer', wide(width));
      page.setDefaultTimeout(PATIENCE_MS);
      await page.goto(stage.url + path);
      await page.getByText('Live updates on').waitFor({ state: 'attached' });
      return page;
    };
    const lists = ['/messages/outgoing', '/messages/tasks', '/notifications'];
    const pages: Page[] = [];
    for (const path of lists) pages.push(await open(path));
    const home = await open('/');
    const wizard = await open('/send?type=viber');
    const text = wizard.getByLabel(/^Text/).first();
    await wizard
      .getByLabel(/^Sender/)
      .first()
      .selectOption('MIRTEA');
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
    // A page that was not open before: it comes when the server does.
    await home
      .getByRole('link', { name: 'Send', exact: true })
      .first()
      .click({ noWaitAfter: true });
    await sleep(6000);
    expect(await home.getByRole('heading', { level: 1 }).innerText()).toMatch(/Good/);
    await stage.picture(pages[0]!, `away-${width}`);
    await stage.picture(wizard, `away-wizard-${width}`);
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
    expect(await text.inputValue()).toBe('Half of a message');
    expect(stage.complaints.filter((complaint) => !NETWORK.test(complaint))).toEqual([]);
  },
  420_000,
);

test.each(WIDTHS)(
  'a sending that was asked for while nobody answered is sent once: %i wide',
  async (width) => {
    const page = await stage.signedIn('customer', wide(width));
    page.setDefaultTimeout(PATIENCE_MS);
    await page.goto(`${stage.url}/send?type=viber`);
    await page
      .getByLabel(/^Sender/)
      .first()
      .selectOption('MIRTEA');
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
    await stage.picture(page, `refused-${width}`);
    await cluster.startApis();
    await page.getByText(AWAY).waitFor({ state: 'detached' });
    await expect.poll(() => send.isEnabled(), { timeout: 15_000 }).toBe(true);
    await send.click();
    await page.getByRole('link', { name: 'View progress' }).waitFor();
    const { rows } = await stage.db.query(`select count(*)::int as n from tasks where title = $1`, [
      `Once ${width}`,
    ]);
    expect(rows).toEqual([{ n: 1 }]);
    expect(stage.complaints.filter((complaint) => !NETWORK.test(complaint))).toEqual([]);
  },
  120_000,
);

test.each([
  ['/api/settings', 'Couldn’t open the page'],
  ['/api/sendings?', 'Couldn’t load the list'],
])('what a gateway refused for want of a server comes by itself: %s', async (call, said) => {
  const page = await stage.signedIn('customer');
  const isAsked = (url: URL) => url.href.includes(call);
  await page.route(isAsked, (route) => route.fulfill({ status: 502 }));
  await page.goto(`${stage.url}/messages/outgoing`);
  await page.getByText(said).first().waitFor({ timeout: 30_000 });
  await page.unroute(isAsked);
  await page.locator('[data-row]').first().waitFor({ timeout: 30_000 });
  expect(await page.getByText(said).count()).toBe(0);
  expect(stage.complaints.filter((complaint) => !NETWORK.test(complaint))).toEqual([]);
});
