import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fine } from '../fine.ts';
import { Stage, wide, WIDTHS } from '../stage.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage.close());

const field = (page: Page, name: string) => page.getByLabel(new RegExp(`^${name}( \\*)?$`));
/** What the server says to a network that has had its free attempts. */
const CAPTCHA_REQUIRED = {
  status: 403,
  json: { error: 403, code: 'captcha_required', name: 'AppError', message: '', requestId: 'x' },
};
/** The browser tells of refused calls by itself. */
const complaints = () => stage.complaints.filter((text) => !text.includes('status of 403'));

test.each(WIDTHS)(
  'a page that is asked for it proves by itself that it is no robot: %i wide',
  async (width) => {
    const page = await stage.page(wide(width));
    const last = `${width}`.slice(-2);
    await page.route('**/api/registration', (route) => route.fulfill(CAPTCHA_REQUIRED), {
      times: 1,
    });
    const challenged = page.waitForResponse('**/api/captcha');
    await page.goto(`${stage.url}/registration`);
    await field(page, 'Login').fill(`robot.${width}`);
    for (const name of ['Password', 'Confirm password'])
      await field(page, name).fill('tea & 2 cups');
    await field(page, 'First name').fill('Vera');
    await field(page, 'E-mail').fill('vera@tea.example');
    await field(page, 'Phone').fill(`8 (900) 555-78-${last}`);
    await page.getByRole('button', { name: 'Sign up' }).click();
    await page.getByText('Checking that you are not a robot.').waitFor();
    if (width === 1280) await fine(stage, page, 'captcha');
    expect((await challenged).status()).toBe(200);
    // The server takes what was found.
    await page.getByRole('heading', { name: 'What brings you here?' }).waitFor();

    await page.goto(`${stage.url}/`);
    await page.getByText('Until you confirm your phone, messages go only to test').waitFor();
    await stage.picture(page, `restricted-${width}`);
    expect(complaints()).toEqual([]);
  },
);

test('a letter is asked for with a proof, too', async () => {
  const page = await stage.page();
  await page.route('**/api/recover', (route) => route.fulfill(CAPTCHA_REQUIRED), { times: 1 });
  await page.goto(`${stage.url}/recover`);
  await page.getByLabel('Login or e-mail').fill('customer2');
  await page.getByRole('button', { name: 'Send the link' }).click();
  await page.getByText('If the account exists').waitFor();
  expect(complaints()).toEqual([]);
});

test('an account of a phone that had the credit is told why it has none', async () => {
  const page = await stage.page();
  const open = (username: string) =>
    stage.call('POST', '/registration', {
      username,
      password: 'tea & 2 cups',
      data: { email: `${username}@tea.example`, phone: '+79005557799', firstName: 'Vera' },
    });
  await open('credit.first');
  await open('credit.second');
  await page.goto(`${stage.url}/login`);
  await field(page, 'Login').fill('credit.second');
  await field(page, 'Password').fill('tea & 2 cups');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page
    .getByText('The starting credit for this phone number has already gone to another account')
    .waitFor();
  await fine(stage, page, 'no-credit');
});
