import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Running } from '../../../api/test/flows/running.ts';
import { program, root } from '../product.ts';
import { field, TestBrowser, wide, WIDTHS } from '../test-browser.ts';
import { expectUsable } from '../usable.ts';
import { newcomer } from './screens.ts';

const folder = mkdtempSync(join(tmpdir(), 'heliograph-required-'));
let api: Running;
let browser: TestBrowser;

/** One more API process on the same database, which requires the second factor of managers. */
beforeAll(async () => {
  const env = {
    DATABASE_URL: process.env.E2E_DATABASE_URL!,
    REDIS_URL: `${process.env.REDIS_URL!.replace(/\/\d*$/, '')}/15`,
    FILES_DIR: folder,
    CABINET_DIR: join(root, 'apps/cabinet/dist'),
    NODE_ENV: 'production',
    LOG_LEVEL: 'info',
    HOST: '127.0.0.1',
    PORT: '0',
    RATE_SCALE: '20',
    REGISTRATION_LIMIT: '100',
    CAPTCHA_AFTER: '100',
    SECOND_FACTOR_REQUIRED: 'manager',
  };
  api = new Running('api', folder, [program('main.js')], env, (said) =>
    said.includes('API listening'),
  );
  await api.start();
  browser = await TestBrowser.open(api.keepPort(/"port":(\d+)/));
});
afterAll(async () => {
  await browser?.close();
  await api?.kill();
  rmSync(folder, { recursive: true, force: true });
});

async function manager(): Promise<string> {
  const username = await newcomer(browser);
  await browser.db.query(`update users set level = 'manager' where username = $1`, [username]);
  return username;
}
const isSetUp = (page: Page) => page.waitForURL(({ pathname }) => pathname === '/second-factor');

async function signIn(page: Page, username: string): Promise<void> {
  await page.goto(`${browser.url}/login`);
  await field(page, 'Username').fill(username);
  await field(page, 'Password').fill('heliograph');
  await page.getByRole('button', { name: 'Sign in' }).click();
}

test.each(WIDTHS)(
  'a manager must set up the second factor at the next sign-in: %i px',
  async (width) => {
    const username = await manager();
    const page = await browser.page(wide(width));
    await signIn(page, username);
    await isSetUp(page);
    // Neither another page nor a call of the API is available before.
    await page.goto(`${browser.url}/users`);
    await isSetUp(page);
    const token = await browser.token(username);
    await expect(browser.call('GET', '/users', undefined, token)).rejects.toThrow(/403/);
    if (width === 1280) await expectUsable(browser, page, 'required-second-factor');

    await field(page, 'Your password').fill('heliograph');
    await page.keyboard.press('Enter');
    const key = page.locator('code').first();
    const secret = Secret.fromBase32((await key.innerText()).replaceAll(' ', ''));
    const code = (steps: number) =>
      new TOTP({ secret }).generate({ timestamp: Date.now() + steps * 30_000 });
    await field(page, 'Code from the app').fill(code(0));
    await page.keyboard.press('Enter');
    await page.getByRole('list', { name: 'Recovery codes' }).waitFor();
    await page.getByRole('button', { name: 'I have saved the codes' }).click();
    await page.waitForURL(({ pathname }) => pathname === '/users');
    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor();

    const second = await browser.page(wide(width));
    await signIn(second, username);
    await field(second, 'Code from the app').fill(code(1));
    await second.keyboard.press('Enter');
    await second.waitForURL(({ pathname }) => pathname === '/');
    // The browser logs the refused call that asks for the code.
    const unexpected = browser.consoleErrors.filter((text) => !/status of 401/.test(text));
    expect(unexpected).toEqual([]);
  },
);

test('a customer signs in without a second factor, and a manager may sign out instead', async () => {
  const customer = await browser.page();
  await signIn(customer, await newcomer(browser));
  await customer.waitForURL(({ pathname }) => pathname !== '/login');
  expect(new URL(customer.url()).pathname).not.toBe('/second-factor');

  const page = await browser.page();
  await signIn(page, await manager());
  await isSetUp(page);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL(({ pathname }) => pathname === '/login');
});
