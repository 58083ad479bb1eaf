import type { Locator } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { field, TestBrowser, wide, WIDTHS } from '../test-browser.ts';

/** Half of the two minutes that the first message may take; the other half is for the product. */
const SECONDS_ALLOWED = 60;
/** The pace of a slow typist, with a pause before each action. */
const KEY_SECONDS = 0.15;
const THOUGHT_SECONDS = 1.2;

let browser: TestBrowser;

/** What a person would have needed so far. */
let seconds: number;

beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser.close());

async function write(field: Locator, text: string): Promise<void> {
  seconds += THOUGHT_SECONDS + text.length * KEY_SECONDS;
  await field.click();
  await field.pressSequentially(text);
}

async function press(target: Locator): Promise<void> {
  seconds += THOUGHT_SECONDS;
  await target.click();
}

test.each(WIDTHS)(
  'a new user registers and sends a test to the own phone with less than a minute of typing and thought: %i wide',
  async (width) => {
    seconds = 0;
    const page = await browser.page(wide(width));
    await page.goto(`${browser.url}/login`);
    await press(page.getByRole('link', { name: 'Sign up' }));
    await write(field(page, 'Username'), `olga.${width}`);
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
    const drawer = page.getByRole('dialog', { name: /Message/ });
    await drawer.getByText(`+799900000${last}`).first().waitFor();
    await drawer.getByText('Delivered').first().waitFor();
    await browser.picture(page, `first-delivered-${width}`);
    expect(seconds).toBeLessThan(SECONDS_ALLOWED);
    expect(browser.consoleErrors).toEqual([]);
  },
);
