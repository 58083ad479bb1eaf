import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { entry, quiet, TestBrowser } from '../test-browser.ts';

let browser: TestBrowser;

beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser.close());

/** Collects calls of this kind. */
function calls(page: Page, wanted: string): string[] {
  const made: string[] = [];
  page.on('request', (request) => {
    const call = `${request.method()} ${new URL(request.url()).pathname}`;
    if (call === wanted) made.push(call);
  });
  return made;
}

/** Two clicks before the result of the first one is rendered. */
const twice = (button: Locator) =>
  button.evaluate((e: HTMLElement) => {
    e.click();
    e.click();
  });

test('a double click submits a form once, in every form', async () => {
  const page = await browser.signedIn('customer2');
  const dialog = page.getByRole('dialog').first();
  const submit = dialog.locator('[type=submit]');
  const expectOne = async (wanted: string, act: () => Promise<void>) => {
    const made = calls(page, wanted);
    await act();
    await expect.poll(() => made.length).toBeGreaterThan(0);
    await quiet(page);
    expect(made).toEqual([wanted]);
  };

  await page.goto(`${browser.url}/contacts?action=create`);
  await dialog.getByLabel(/^Title/).fill('Twice');
  await expectOne('POST /api/contactLists', () => twice(submit));
  await dialog.waitFor({ state: 'hidden' });
  await entry(page, 'Twice').getByRole('link').first().click();
  await page.getByRole('button', { name: 'Add a contact' }).first().click();
  await dialog.getByLabel(/^Phone/).fill('+79035550101');
  await expectOne('POST /api/contacts', () => twice(submit));
  await dialog.waitFor({ state: 'hidden' });

  await page.goto(`${browser.url}/messages/templates?create=true`);
  await dialog.getByLabel(/^Title/).fill('Twice');
  await dialog.getByLabel(/^Text/).fill('Tea');
  await expectOne('POST /api/templates', () => twice(submit));
  await dialog.waitFor({ state: 'hidden' });

  await page.goto(`${browser.url}/send?type=viber&recipient=%2B79990000000&sender=BEANBAR`);
  await page.getByRole('textbox', { name: /^Text/ }).first().fill('Tea');
  for (let i = 0; i < 2; i++) await page.getByRole('button', { name: 'Next', exact: true }).click();
  const send = page.getByRole('button', { name: /^Send 1 message for/ });
  await expect.poll(() => send.isEnabled()).toBe(true);
  await expectOne('POST /api/sendings', () => twice(send));
  await page.waitForURL(/step=message/);
  expect(browser.consoleErrors).toEqual([]);
});

test('a double click changes a balance once', async () => {
  const page = await browser.signedIn('reseller');
  await page.goto(`${browser.url}/users`);
  await entry(page, /customer2/)
    .getByRole('button', { name: /balance/ })
    .click();
  const dialog = page.getByRole('dialog').first();
  await dialog.getByLabel(/^Amount/).fill('1');
  const made = calls(page, 'POST /api/billings');
  await twice(dialog.locator('[type=submit]'));
  await dialog.waitFor({ state: 'hidden' });
  await quiet(page);
  expect(made).toHaveLength(1);
  expect(browser.consoleErrors).toEqual([]);
});

test('saving without a network reports the failure and keeps the form; saving again works', async () => {
  const page = await browser.signedIn('customer2');
  await page.goto(`${browser.url}/contacts?action=create`);
  const dialog = page.getByRole('dialog').first();
  await dialog.getByLabel(/^Title/).fill('Through the tunnel');
  await page.context().setOffline(true);
  await dialog.locator('[type=submit]').click();
  await dialog.getByRole('alert').waitFor();
  await expect.poll(() => dialog.getByLabel(/^Title/).inputValue()).toBe('Through the tunnel');
  await expect.poll(() => dialog.locator('[type=submit]').isEnabled()).toBe(true);
  await page.context().setOffline(false);
  await dialog.locator('[type=submit]').click();
  await dialog.waitFor({ state: 'hidden' });
  await entry(page, 'Through the tunnel').waitFor();
  // The browser logs the failed calls.
  expect(
    browser.consoleErrors.filter((one) => !/ERR_INTERNET_DISCONNECTED|WebSocket/.test(one)),
  ).toEqual([]);
});
