import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectUsable } from '../usable.ts';
import { entry, TestBrowser, wide, WIDTHS } from '../test-browser.ts';

let browser: TestBrowser;

beforeAll(async () => {
  browser = await TestBrowser.open();
  const reseller = await browser.token('reseller');
  const { data } = await browser.call<{ data: { id: string; username: string }[] }>(
    'GET',
    '/users?$search=customer2',
    undefined,
    reseller,
  );
  const { id } = data.find(({ username }) => username === 'customer2')!;
  const { token } = await browser.call('POST', `/login/as/${id}`, {}, reseller);
  await browser.call('PUT', `/users/${id}`, { data: { country: 'KZ' } }, reseller);
  const title = 'Written by the reseller';
  const payload = { sender: 'MIRTEA', text: 'Tea' };
  await browser.call('POST', '/templates', { title, type: 'viber', payload }, token);
});
afterAll(() => browser.close());

test.each(WIDTHS)('at %d the account reads what superiors did in it', async (width) => {
  const page = await browser.signedIn('customer2', wide(width));
  await page.goto(browser.url);
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitem', { name: 'Account activity' }).click();
  await page.getByRole('heading', { level: 1, name: 'Account activity' }).waitFor();
  await entry(page, 'Templates: created', 'reseller as customer2').waitFor();
  await entry(page, 'Signed in as the user').waitFor();
  await entry(page, 'User changed').getByRole('link').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('row', { name: /country.*KZ/ }).waitFor();
  if (width === 1280) await expectUsable(browser, page, 'audit-record');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await dialog.waitFor({ state: 'hidden' });
  if (width === 1280) await expectUsable(browser, page, 'account-audit');
  expect(browser.consoleErrors).toEqual([]);
});

test('a reseller narrows the log to an action and an address', async () => {
  const page = await browser.signedIn('reseller');
  await page.goto(`${browser.url}/audit`);
  await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor();
  await entry(page, 'User changed', 'customer2').waitFor();
  await expectUsable(browser, page, 'audit');
  await page.goto(`${browser.url}/audit?f.action=auth.loginAs`);
  await entry(page, 'Signed in as the user', 'customer2').waitFor();
  await expect
    .poll(() => page.locator('[data-row]').filter({ hasText: 'User changed' }).count())
    .toBe(0);
  await page.getByLabel('IP address').fill('10.11.12.13');
  await page.getByText('Nothing found').waitFor();
});
