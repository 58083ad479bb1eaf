import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectFocus, press, tabTo } from '../keys.ts';
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
/** More than there are. */
const LOCALES = 10;
/** The button of the languages, in each of them. */
const LANGUAGE = /^(?:Language|Язык|Idioma|Sprache)$/;
const COPYING = { permissions: ['clipboard-read', 'clipboard-write'] };

/** By keyboard alone, with the focus on the button of the languages, which has it again afterwards. */
async function chooseLanguage(page: Page, language: string): Promise<void> {
  await page.keyboard.press('Enter');
  const item = page.getByRole('menuitem', { name: language });
  await item.waitFor();
  // The current one has the focus.
  const focused = page.getByRole('menuitem').and(page.locator(':focus'));
  await focused.waitFor();
  for (let i = 0; i < LOCALES && (await focused.innerText()).trim() !== language; i++)
    await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await item.waitFor({ state: 'hidden' });
  await expectFocus(page, LANGUAGE);
}

test.each(widths(1280))(
  'without a session it is read in three languages by keyboard alone, and the language keeps the page, %i px wide',
  async (width) => {
    const page = await browser.page(wide(width));
    await page.goto(`${browser.url}/login`);
    await page.getByRole('link', { name: 'Documentation' }).waitFor();
    await press(page, /^Documentation$/);
    await heading(page, 'User guide').waitFor();
    await expect
      .poll(() => new URL(page.url()).pathname)
      .toBe('/documentation/platform/user/instruction');
    await press(page, /^HTTP API$/);
    await heading(page, 'HTTP API').waitFor();
    await page.getByRole('article').getByText('First message').first().waitFor();
    await tabTo(page, LANGUAGE, 'Shift+Tab');
    for (const [language, title, first] of [
      ['Русский', 'HTTP API', 'Первое сообщение'],
      ['Español', 'API HTTP', 'Primer mensaje'],
    ] as const) {
      await chooseLanguage(page, language);
      await page.getByRole('article').getByText(first).first().waitFor();
      await heading(page, title).waitFor();
      await expect.poll(() => new URL(page.url()).pathname).toBe('/documentation/api/HTTP-REST');
      await expectAccessible(page);
    }
    // A language without pages gets the English ones, and says so.
    await chooseLanguage(page, 'Deutsch');
    await page.getByText('Angezeigt wird die englische Fassung.').waitFor();
    await heading(page, 'HTTP API').waitFor();
    expect(browser.consoleErrors).toEqual([]);
  },
);

test.each(widths(1280))(
  'a person who is signed in finds a word, copies an example and runs it by keyboard alone, %i px wide',
  async (width) => {
    const page = await browser.signedIn('customer', { ...wide(width), ...COPYING });
    await page.goto(`${browser.url}/documentation/api/HTTP-REST`);
    await heading(page, 'HTTP API').waitFor();
    await page.getByRole('navigation', { name: 'Main navigation' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('estim');
    await page.getByRole('status').filter({ hasText: 'result' }).waitFor();
    const found = page.getByRole('region', { name: 'Search results' });
    await found.locator('mark').first().waitFor();
    await expectUsable(browser, page, 'documentation-results');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await found.waitFor({ state: 'hidden' });
    // A heading of another page.
    await page.goto(`${browser.url}/documentation/api/HTTP-REST`);
    await heading(page, 'HTTP API').waitFor();
    await page.getByRole('navigation', { name: 'Main navigation' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('request a sender name');
    await found.getByRole('link', { name: 'Request a sender name' }).press('Enter');
    await expectFocus(page, /^Request a sender name/);

    await page.goto(`${browser.url}/documentation/api/HTTP-REST?id=first-message`);
    await expectFocus(page, /^First message/);
    await press(page, /^Copy Example 4$/);
    const command = await page.evaluate(() => navigator.clipboard.readText());
    expect(command).toContain(`curl '${browser.url}/api/sendings'`);
    const { stdout } = await promisify(execFile)('sh', ['-c', command], {
      env: { ...process.env, TOKEN: await browser.token('customer') },
    });
    expect(JSON.parse(stdout)).toMatchObject({ recipient: '+79990000000', error: null });

    await press(page, /^payload$/);
    await page.getByText('Copied: payload').waitFor();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('payload');
    expect(browser.consoleErrors).toEqual([]);
  },
);

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
});

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
});

test.each(widths(1280))('by keyboard alone, without barriers, %i px wide', async (width) => {
  const page = await browser.signedIn('customer', wide(width));
  await page.goto(`${browser.url}/documentation`);
  await heading(page, 'User guide').waitFor();
  await expectUsable(browser, page, 'documentation');
  await page.keyboard.press('/');
  await page.keyboard.type('idempotency');
  await page.getByRole('status').filter({ hasText: 'result' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await heading(page, /HTTP API|Code examples|API reference/).waitFor();
  expect(browser.consoleErrors).toEqual([]);
});
