import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectAccessible, TestBrowser, wide, widths } from '../test-browser.ts';
import { expectUsable } from '../usable.ts';

let browser: TestBrowser;

beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser.close());

const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { level: 1, name, exact: true });
const contents = (page: Page) => page.getByRole('navigation', { name: 'Contents' });
const COPYING = { permissions: ['clipboard-read', 'clipboard-write'] };

test('without a session it is read in three languages, and the language keeps the page', async () => {
  const page = await browser.page();
  await page.goto(`${browser.url}/login`);
  await page.getByRole('link', { name: 'Documentation' }).click();
  await heading(page, 'User guide').waitFor();
  expect(new URL(page.url()).pathname).toBe('/documentation/platform/user/instruction');
  await page.getByRole('navigation', { name: 'Pages' }).getByText('HTTP API').click();
  await heading(page, 'HTTP API').waitFor();
  for (const [language, title] of [
    ['Русский', 'HTTP API'],
    ['Español', 'API HTTP'],
  ] as const) {
    await page.getByRole('banner').getByRole('button').first().click();
    await page.getByRole('menuitem', { name: language }).click();
    await page
      .getByRole('article')
      .getByText(title === 'API HTTP' ? 'Primer mensaje' : 'Первое сообщение')
      .first()
      .waitFor();
    await heading(page, title).waitFor();
    expect(new URL(page.url()).pathname).toBe('/documentation/api/HTTP-REST');
  }
  // A language without pages gets the English ones, and says so.
  await page.getByRole('banner').getByRole('button').first().click();
  await page.getByRole('menuitem', { name: 'Deutsch' }).click();
  await page.getByText('Angezeigt wird die englische Fassung.').waitFor();
  await heading(page, 'HTTP API').waitFor();
  expect(browser.consoleErrors).toEqual([]);
}, 120_000);

test('a person who is signed in finds a word, copies an example and runs it', async () => {
  const page = await browser.signedIn('customer', COPYING);
  await page.goto(`${browser.url}/documentation/api/HTTP-REST`);
  await heading(page, 'HTTP API').waitFor();
  await page.getByRole('navigation', { name: 'Main navigation' }).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('estim');
  await page.getByRole('status').filter({ hasText: 'result' }).waitFor();
  const found = page.getByRole('region', { name: 'Search results' });
  await found.locator('mark').first().waitFor();
  await expectAccessible(page);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await found.waitFor({ state: 'hidden' });

  await page.goto(`${browser.url}/documentation/api/HTTP-REST?id=first-message`);
  await page.getByRole('button', { name: 'Copy Example 4', exact: true }).click();
  const command = await page.evaluate(() => navigator.clipboard.readText());
  expect(command).toContain(`curl '${browser.url}/api/sendings'`);
  const { stdout } = await promisify(execFile)('sh', ['-c', command], {
    env: { ...process.env, TOKEN: await browser.token('customer') },
  });
  expect(JSON.parse(stdout)).toMatchObject({ recipient: '+79990000000', error: null });

  await page.getByRole('button', { name: 'payload' }).first().click();
  await page.getByText('Copied: payload').waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('payload');
  expect(browser.consoleErrors).toEqual([]);
}, 120_000);

test('an address with a heading opens there, and the contents follow the text', async () => {
  const page = await browser.page({ viewport: { width: 1400, height: 900 } });
  await page.goto(`${browser.url}/documentation/api/HTTP-REST?id=errors`);
  const errors = page.getByRole('heading', { level: 2, name: 'Errors' });
  await errors.waitFor();
  await expect
    .poll(() => errors.evaluate((e) => Math.round(e.getBoundingClientRect().top)))
    .toBeLessThan(200);
  await contents(page).locator('[aria-current=true]', { hasText: 'Errors' }).waitFor();
  await contents(page).getByRole('link', { name: 'Idempotency' }).click();
  await expect.poll(() => new URL(page.url()).search).toBe('?id=idempotency');
  await contents(page).locator('[aria-current=true]', { hasText: 'Idempotency' }).waitFor();
  // At 1380 px and below the contents are a dropdown above the text.
  await page.setViewportSize({ width: 1380, height: 900 });
  await page.getByText('Contents', { exact: true }).click();
  await contents(page).getByRole('link', { name: 'Statuses' }).click();
  await expect.poll(() => new URL(page.url()).search).toBe('?id=statuses');
  expect(browser.consoleErrors).toEqual([]);
}, 60_000);

test('an HTML page in place of markdown is an error that can be retried; a missing page says its status', async () => {
  const page = await browser.page();
  let isHtml = true;
  await page.route('**/docs/en/api/HTTP-REST.md', (route) =>
    isHtml
      ? route.fulfill({ contentType: 'text/html', body: '<!doctype html>' })
      : route.continue(),
  );
  await page.goto(`${browser.url}/documentation/api/HTTP-REST`);
  await page.getByText('Failed to load documentation. Please try again later.').waitFor();
  isHtml = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await heading(page, 'HTTP API').waitFor();
  await page.goto(`${browser.url}/documentation/api/nothing`);
  await expect.poll(() => page.getByRole('alert').filter({ hasText: '404' }).count()).toBe(1);
  // The browser reports the refused request.
  browser.consoleErrors.splice(0);
}, 60_000);

test.each(widths(1280))(
  'by keyboard alone, without barriers, %i px wide',
  async (width) => {
    const page = await browser.signedIn('customer', wide(width));
    await page.goto(`${browser.url}/documentation`);
    await heading(page, 'User guide').waitFor();
    await expectUsable(browser, page, 'documentation');
    await page.setViewportSize(wide(width).viewport);
    await page.keyboard.press('/');
    await page.keyboard.type('idempotency');
    await page.getByRole('status').filter({ hasText: 'result' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await heading(page, /HTTP API|Code examples|API reference/).waitFor();
    expect(browser.consoleErrors).toEqual([]);
  },
  120_000,
);
