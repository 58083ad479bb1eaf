import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectUsable } from './usable.ts';
import { field, TestBrowser } from './test-browser.ts';

let browser: TestBrowser;

beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser.close());

const expectUsableAt = (page: Page, name: string) => expectUsable(browser, page, name);

/** By its label, with or without the mark of a required field. */

test('a visitor registers, is signed in, answers the survey and has a credit', async () => {
  await browser.db.query(`update users set referral_code = 'TEA' where username = 'reseller'`);
  const page = await browser.page();
  await page.goto(`${browser.url}/login`);
  await page.getByRole('link', { name: 'Sign up' }).click();
  await page.goto(`${browser.url}/registration/?ref=tea&source=ads`);

  // Errors are shown at their fields; the first one has the focus.
  await page.getByRole('button', { name: 'Sign up' }).click();
  await expect.poll(() => page.getByText('Fill in this field.').count()).toBe(6);
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('name')))
    .toBe('username');
  await field(page, 'Username').fill('customer');
  await field(page, 'Password').fill('tea & 2 cups');
  await field(page, 'Confirm password').fill('tea & 3 cups');
  await field(page, 'First name').fill('Vera');
  await field(page, 'E-mail').fill('vera@tea.example');
  await field(page, 'Phone').fill('8 (900) 555-77-11');
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.getByText('Passwords do not match.').waitFor();
  await expect.poll(() => field(page, 'Password').inputValue()).toBe('');
  await expectUsableAt(page, 'registration');
  await page.getByLabel('Language').selectOption('ru');
  await page.getByText('Пароли не совпадают.').waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await browser.picture(page, 'registration-390-ru');
  await page.getByLabel('Язык').selectOption('en');

  // The draft is restored after a reload, without the password.
  await page.reload();
  await expect.poll(() => field(page, 'E-mail').inputValue()).toBe('vera@tea.example');
  await expect.poll(() => field(page, 'Phone').inputValue()).toBe('+79005557711');
  await expect.poll(() => page.evaluate(() => JSON.stringify(localStorage))).not.toContain('cups');
  for (const name of ['Password', 'Confirm password']) await field(page, name).fill('tea & 2 cups');
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.getByText('This username is already taken. Choose another one.').waitFor();
  await field(page, 'Username').fill('vera.tea');
  await page.getByRole('button', { name: 'Sign up' }).click();

  await page.getByRole('heading', { name: 'What brings you here?' }).waitFor();
  await expect.poll(() => new URL(page.url()).pathname).toBe('/survey');
  await expect
    .poll(() => page.evaluate(() => JSON.stringify([localStorage, sessionStorage])))
    .not.toMatch(/vera@/);
  await expectUsableAt(page, 'survey');
  await page.keyboard.press('1');
  await page.getByText('Which channel do you want').waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Viber' }).waitFor();
  await expectUsableAt(page, 'survey-2');
  await page.keyboard.press('2');
  await page.waitForURL((url) => url.pathname !== '/survey');
  await page.getByText('This is a test account').waitFor();
  await expectUsableAt(page, 'first-home');

  const { rows } = await browser.db.query(
    `select u.data->'meta' as meta, k.username as reseller, b.balance::float8 as balance
       from users u join users k on k.id = u.reseller_id join balances b on b.owner_id = u.id
      where u.username = 'vera.tea'`,
  );
  expect(rows).toEqual([
    {
      meta: { usedReferralCode: 'tea', source: 'ads', survey: 'batchMailing:viber' },
      reseller: 'reseller',
      balance: 70,
    },
  ]);
});
