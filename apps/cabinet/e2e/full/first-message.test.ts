import { setTimeout as sleep } from 'node:timers/promises';
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestBrowser, wide, WIDTHS } from '../test-browser.ts';

const MINUTES_ALLOWED = 2;
/** The pace of a slow typist, with a pause before each action. */
const KEY_MS = 150;
const THOUGHT_MS = 1200;

let browser: TestBrowser;

beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser.close());

async function write(field: Locator, text: string): Promise<void> {
  await sleep(THOUGHT_MS);
  await field.click();
  await field.pressSequentially(text, { delay: KEY_MS });
}

async function press(target: Locator): Promise<void> {
  await target.waitFor();
  await sleep(THOUGHT_MS);
  await target.click();
}

const field = (page: Page, name: string) => page.getByLabel(new RegExp(`^${name}( \\*)?$`));

test.each(WIDTHS)(
  'a new user registers and sends a test to the own phone within two minutes: %i wide',
  async (width) => {
    const page = await browser.page(wide(width));
    await page.goto(`${browser.url}/login`);
    const since = Date.now();
    await press(page.getByRole('link', { name: 'Sign up' }));
    await write(field(page, 'Login'), `olga.${width}`);
    await write(field(page, 'Password'), 'tea & 2 cups');
    await write(field(page, 'Confirm password'), 'tea & 2 cups');
    await write(field(page, 'First name'), 'Olga');
    await write(field(page, 'E-mail'), `olga${width}@tea.example`);
    // The credit is given once per phone. Both are delivered.
    const last = width === 390 ? '11' : '00';
    await write(field(page, 'Phone'), `8 999 000 00 ${last}`);
    await press(page.getByRole('button', { name: 'Sign up' }));
    await press(page.getByRole('button', { name: /^Bulk messages/ }));
    await press(page.getByRole('button', { name: /^Viber/ }));
    await press(page.getByRole('link', { name: 'Send your first message' }));
    await page.getByRole('heading', { level: 1, name: 'New message' }).waitFor();
    await browser.picture(page, `first-wizard-${width}`);
    await write(page.getByLabel(/^Text/).first(), 'Hello, it is me');
    await press(page.getByRole('button', { name: 'Send a test to me' }));
    await press(page.getByRole('button', { name: 'View progress' }));
    // The draft for the customers is kept.
    await press(page.getByRole('dialog').getByRole('button', { name: 'Leave', exact: true }));
    const drawer = page.getByRole('dialog', { name: /Message/ });
    await drawer.getByText(`+799900000${last}`).first().waitFor();
    await drawer.getByText('Delivered').first().waitFor();
    const minutes = (Date.now() - since) / 60_000;
    await browser.picture(page, `first-delivered-${width}`);
    expect(minutes).toBeLessThan(MINUTES_ALLOWED);
    expect(browser.consoleErrors).toEqual([]);
  },
  240_000,
);
