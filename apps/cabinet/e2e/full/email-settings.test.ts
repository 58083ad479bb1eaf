import { afterAll, beforeAll, expect, test } from 'vitest';
import { tabTo } from '../keys.ts';
import { TestBrowser, wide, WIDTHS } from '../test-browser.ts';
import { expectUsable } from '../usable.ts';

let browser: TestBrowser;

beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(async () => {
  await browser.db.query(`delete from email_settings`);
  await browser.close();
});

test.each(WIDTHS)('an account asks to be told of opened e-mails: %i wide', async (width) => {
  await browser.db.query(`delete from email_settings`);
  const page = await browser.signedIn('customer', wide(width));
  await page.goto(`${browser.url}/settings/suppressions`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await tabTo(page, /^Opened e-mails$/);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Opened e-mails' });
  const asked = dialog.getByLabel('Tell when e-mails are opened');
  await asked.waitFor();
  expect(await asked.isChecked()).toBe(false);
  await expectUsable(browser, page, 'email-settings', '[role="dialog"]');
  await asked.focus();
  await page.keyboard.press('Space');
  await dialog.getByRole('button', { name: 'Save' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('Settings of e-mails saved').waitFor();
  const { rows } = await browser.db.query(`select tells_opened from email_settings`);
  expect(rows).toEqual([{ tells_opened: true }]);
  await page.reload();
  await page.getByRole('button', { name: 'Opened e-mails' }).click();
  await expect.poll(() => asked.isChecked()).toBe(true);
  expect(browser.consoleErrors).toEqual([]);
});
