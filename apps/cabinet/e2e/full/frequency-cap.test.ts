import { afterAll, beforeAll, expect, test } from 'vitest';
import { tabTo } from '../keys.ts';
import { TestBrowser, wide, WIDTHS } from '../test-browser.ts';
import { expectUsable } from '../usable.ts';

let browser: TestBrowser;

beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(async () => {
  await browser.db.query(`delete from frequency_caps`);
  await browser.close();
});

test.each(WIDTHS)('a frequency cap is set and read again: %i wide', async (width) => {
  await browser.db.query(`delete from frequency_caps`);
  const page = await browser.signedIn('customer', wide(width));
  await page.goto(`${browser.url}/settings/suppressions`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await tabTo(page, /^Frequency cap$/);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Frequency cap' });
  const messages = dialog.getByRole('spinbutton', { name: /^Messages at most/ });
  await messages.waitFor();
  await expectUsable(browser, page, 'frequency-cap', '[role="dialog"]');
  await dialog.getByLabel('Keep to a frequency cap').focus();
  await page.keyboard.press('Space');
  await messages.fill('5');
  await dialog.getByRole('spinbutton', { name: /^Period, in days/ }).fill('30');
  await dialog.getByRole('button', { name: 'Save' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('Frequency cap saved').waitFor();
  const { rows } = await browser.db.query(
    `select is_active, messages, days, singles from frequency_caps`,
  );
  expect(rows).toEqual([{ is_active: true, messages: 5, days: 30, singles: false }]);
  await page.reload();
  await page.getByRole('button', { name: 'Frequency cap' }).click();
  await expect.poll(() => messages.inputValue()).toBe('5');
  expect(browser.consoleErrors).toEqual([]);
});
