import { randomInt } from 'node:crypto';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { entry, TestBrowser, wide } from '../test-browser.ts';
import { expectUsable } from '../usable.ts';

let browser: TestBrowser;

beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser.close());

const SETTINGS = '/settings/settingsUser';
const chip = (page: Page, channel: string, event: string) =>
  page.getByRole('checkbox', { name: `${channel}: ${event}`, exact: true });

/** Reloads the chat until the bot has written the text. */
async function arrived(chat: Page, text: RegExp): Promise<void> {
  await expect
    .poll(
      async () => {
        await chat.reload();
        return chat.getByRole('list', { name: 'Messages' }).innerText();
      },
      { timeout: 20_000 },
    )
    .toMatch(text);
}

test('a linked Telegram chat receives the decision on a sender name', async () => {
  const page = await browser.signedIn('customer');
  await page.goto(`${browser.url}${SETTINGS}`);
  const link = page.getByRole('button', { name: 'Link Telegram' });
  await link.click();
  const dialog = page.getByRole('dialog', { name: 'Link Telegram' });
  const open = dialog.getByRole('link', { name: 'Open the chat with the bot' });
  const url = await open.getAttribute('href');
  await expectUsable(browser, page, 'notifications-telegram', '[role="dialog"]');

  const chat = await browser.page();
  await chat.goto(url!);
  await chat.getByRole('button', { name: 'Send' }).click();
  await arrived(chat, /customer/);
  await dialog.waitFor({ state: 'hidden' });
  await page.getByText(/^Telegram: Demo, since/).waitFor();

  const telegram = chip(page, 'Telegram', 'Report ready');
  await expect.poll(() => telegram.isChecked()).toBe(false);
  const saved = page.waitForResponse((answer) =>
    answer.url().endsWith('/notificationSettings/ReportReady'),
  );
  await telegram.focus();
  await page.keyboard.press('Space');
  expect((await saved).status()).toBe(200);
  await expect.poll(() => telegram.isChecked()).toBe(true);
  await page.reload();
  await expect.poll(() => telegram.isChecked()).toBe(true);
  await expectUsable(browser, page, 'notifications-settings');

  // The demo customer has chosen Telegram for sender names.
  const name = `TEA-${randomInt(1e5, 1e6)}`;
  const body = { name, type: 'sms', comment: 'Tea House LLC, INN 7700000009' };
  const customer = await browser.token('customer');
  const { id } = await browser.call('POST', '/sendernames', body, customer);
  const manager = await browser.token('manager');
  await browser.call('POST', `/sendernames/${id}/moderation`, { moderation: 'approved' }, manager);
  await arrived(chat, new RegExp(name));

  await chat.getByRole('textbox', { name: 'Message' }).fill('/stop');
  await chat.getByRole('button', { name: 'Send' }).click();
  await arrived(chat, /no longer arrive/);
  await page.reload();
  await link.waitFor();
  expect(browser.consoleErrors).toEqual([]);
});

test('a chip shows its new state at once, and the former one when it cannot be saved', async () => {
  const page = await browser.signedIn('customer2');
  await page.goto(`${browser.url}${SETTINGS}`);
  const email = chip(page, 'E-mail', 'Report ready');
  await email.waitFor({ state: 'attached' });
  let refuse = () => {};
  const asked = new Promise<void>((done) => (refuse = done));
  await page.route('**/notificationSettings/ReportReady', async (route) => {
    await asked;
    await route.fulfill({ status: 403, json: { error: 403, code: 'forbidden', message: 'No' } });
  });
  await email.focus();
  await page.keyboard.press('Space');
  await expect.poll(() => email.isChecked(), { timeout: 15_000 }).toBe(true);
  refuse();
  await expect.poll(() => email.isChecked(), { timeout: 15_000 }).toBe(false);
});

test('a balance limit is added, reached and removed', async () => {
  const page = await browser.signedIn('customer2');
  await page.goto(`${browser.url}${SETTINGS}`);
  await page.getByRole('button', { name: 'Add a limit' }).click();
  const dialog = page.getByRole('dialog', { name: 'Balance limit' });
  await dialog.getByLabel(/^Notify when the balance falls below/).fill('900000');
  await expectUsable(browser, page, 'notifications-limit');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await page.goto(`${browser.url}/notifications`);
  await entry(page, 'Balance is low').waitFor({ timeout: 20_000 });
  await page.goto(`${browser.url}${SETTINGS}`);
  await page.getByText(/below the limit now/).waitFor();
  await page.getByRole('button', { name: /^Delete the limit/ }).click();
  await page.getByText('There are no limits.', { exact: false }).waitFor();
  expect(browser.consoleErrors).toEqual([]);
});

test('a manager tells its customers of an outage', async () => {
  const page = await browser.signedIn('manager');
  await page.goto(`${browser.url}/systemMessages`);
  await page.getByRole('button', { name: 'New message' }).click();
  const dialog = page.getByRole('dialog', { name: 'Message to customers' });
  const title = `Delays ${Date.now()}`;
  await dialog.getByLabel(/^Title/).fill(title);
  await dialog.getByLabel(/^Text/).fill('Messages are <b>late</b>.<script>alert(1)</script>');
  await dialog.getByRole('group', { name: 'What recipients see' }).getByText('late').waitFor();
  await expectUsable(browser, page, 'system-message');
  await dialog.getByRole('button', { name: 'Send' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await entry(page, title).waitFor();
  await expectUsable(browser, page, 'system-messages');

  const customer = await browser.signedIn('customer', wide(1280));
  await customer.goto(`${browser.url}/notifications`);
  await entry(customer, title).waitFor({ timeout: 20_000 });
  await entry(customer, title).click();
  await customer
    .getByRole('dialog', { name: title })
    .locator('strong', { hasText: 'late' })
    .waitFor();
  await expectUsable(browser, customer, 'notification-of-the-system');
  expect(browser.consoleErrors).toEqual([]);
});
