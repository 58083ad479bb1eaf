import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestBrowser } from '../test-browser.ts';

let browser: TestBrowser;

beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser.close());

test('a top-up whose answer was lost is not booked twice by the reopened form', async () => {
  const page = await browser.signedIn('reseller');
  let isLost = true;
  await page.route('**/api/billings', async (route) => {
    if (route.request().method() !== 'POST' || !isLost) return route.continue();
    isLost = false;
    await route.fetch();
    await route.abort();
  });
  await page.goto(`${browser.url}/users`);
  const dialog = page.getByRole('dialog');
  const fill = async () => {
    await page
      .getByRole('button', { name: 'Change the balance of customer2', exact: true })
      .click();
    await dialog.getByLabel(/^Amount/).fill('17.17');
    await dialog.getByRole('button', { name: 'Add to balance' }).click();
  };
  await fill();
  await dialog.getByRole('alert').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await fill();
  await dialog.waitFor({ state: 'hidden' });
  const booked = async () =>
    (await browser.db.query(`select count(*)::int as n from billings where amount = 17.17`)).rows[0]
      .n;
  expect(await booked()).toBe(1);
  // After a known result, the same values are another top-up.
  await fill();
  await dialog.waitFor({ state: 'hidden' });
  expect(await booked()).toBe(2);
  // The browser logs the lost call.
  expect(browser.consoleErrors.filter((text) => !text.includes('ERR_FAILED'))).toEqual([]);
});
