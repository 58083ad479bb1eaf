import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectUsable } from '../usable.ts';
import { field, TestBrowser, wide, WIDTHS } from '../test-browser.ts';

let browser: TestBrowser;

beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser.close());

/** The refusal for a network without free attempts. */
const CAPTCHA_REQUIRED = {
  status: 403,
  json: { error: 403, code: 'captcha_required', name: 'AppError', message: '', requestId: 'x' },
};
/** The browser logs refused calls. */
const consoleErrors = () => browser.consoleErrors.filter((text) => !text.includes('status of 403'));

test.each(WIDTHS)('a page solves the captcha without the user: %i wide', async (width) => {
  const page = await browser.page(wide(width));
  const last = `${width}`.slice(-2);
  await page.route('**/api/registration', (route) => route.fulfill(CAPTCHA_REQUIRED), {
    times: 1,
  });
  const challenged = page.waitForResponse('**/api/captcha');
  await page.goto(`${browser.url}/registration`);
  await field(page, 'Username').fill(`robot.${width}`);
  for (const name of ['Password', 'Confirm password']) await field(page, name).fill('tea & 2 cups');
  await field(page, 'First name').fill('Vera');
  await field(page, 'E-mail').fill('vera@tea.example');
  await field(page, 'Phone').fill(`8 (900) 555-78-${last}`);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.getByText('Checking that you are not a robot.').waitFor();
  if (width === 1280) await expectUsable(browser, page, 'captcha');
  expect((await challenged).status()).toBe(200);
  // The server accepts the solution.
  await page.getByRole('heading', { name: 'What brings you here?' }).waitFor();

  await page.goto(`${browser.url}/`);
  await page.getByText('Until you confirm your phone, messages go only to test').waitFor();
  await browser.picture(page, `restricted-${width}`);
  expect(consoleErrors()).toEqual([]);
});

test('the request of a recovery e-mail solves a captcha, too', async () => {
  const page = await browser.page();
  await page.route('**/api/recover', (route) => route.fulfill(CAPTCHA_REQUIRED), { times: 1 });
  await page.goto(`${browser.url}/recover`);
  await page.getByLabel('Username or e-mail').fill('customer2');
  await page.getByRole('button', { name: 'Send the link' }).click();
  await page.getByText('If the account exists').waitFor();
  expect(consoleErrors()).toEqual([]);
});

test('an account whose phone has had the credit sees why it gets none', async () => {
  const page = await browser.page();
  const open = (username: string) =>
    browser.call('POST', '/registration', {
      username,
      password: 'tea & 2 cups',
      data: { email: `${username}@tea.example`, phone: '+79005557799', firstName: 'Vera' },
    });
  await open('credit.first');
  await open('credit.second');
  await page.goto(`${browser.url}/login`);
  await field(page, 'Username').fill('credit.second');
  await field(page, 'Password').fill('tea & 2 cups');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page
    .getByText('The starting credit for this phone number has already gone to another account')
    .waitFor();
  await expectUsable(browser, page, 'no-credit');
});
