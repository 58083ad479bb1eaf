import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectFocus, press, tabTo, type } from '../keys.ts';
import { field, TestBrowser, wide, WIDTHS } from '../test-browser.ts';
import { expectUsable } from '../usable.ts';
import { newcomer } from './screens.ts';

const PASSWORD = 'heliograph';
let browser: TestBrowser;

beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser.close());

/** The code of this time step or of a later one, each of which is accepted once; that of a former one may be too old when it arrives. */
const codeOf = (secret: string, steps: number) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: Date.now() + steps * 30_000,
  });
const section = (page: Page) => page.getByRole('region', { name: 'Two-factor sign-in' });
const sessions = (page: Page) => page.getByRole('region', { name: 'Open sessions' });

async function enterPassword(page: Page, username: string): Promise<void> {
  await page.goto(`${browser.url}/login`);
  await field(page, 'Username').fill(username);
  await field(page, 'Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Enter the code' }).waitFor();
}
/** `expectUsable` looks at both widths, so one of the two journeys suffices. */
async function expectUsableOnce(width: number, page: Page, name: string): Promise<void> {
  if (width === 1280) await expectUsable(browser, page, name);
}
const isSignedIn = (page: Page) =>
  page.waitForURL(({ pathname }) => !pathname.startsWith('/login'));

/** The messages of the browser for calls that were refused. */
const unexpected = () =>
  browser.consoleErrors.filter(
    (text) => !/Failed to load resource: the server responded with a status of 4/.test(text),
  );

test.each(WIDTHS)(
  'the second factor is turned on, asked for and replaced by a recovery code at %i px',
  async (width) => {
    const username = await newcomer(browser);
    const page = await browser.page(wide(width));
    await browser.signIn(page, username);
    await page.goto(`${browser.url}/account/password`);
    await section(page).getByText('Off').waitFor();
    await section(page).getByRole('button', { name: 'Turn on' }).click();
    const dialog = page.getByRole('dialog');
    await field(page, 'Your password').fill('not-this-one');
    await page.keyboard.press('Enter');
    await dialog.getByText('This password is incorrect.').first().waitFor();
    await field(page, 'Your password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await dialog.getByRole('img', { name: 'QR code with the key' }).waitFor();
    const key = await dialog.locator('code').innerText();
    const secret = key.replaceAll(' ', '');
    await expectUsableOnce(width, page, 'second-factor-setup');
    await field(page, 'Code from the app').fill(codeOf(secret, 0));
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    await dialog.getByRole('list', { name: 'Recovery codes' }).waitFor();
    const codes = await dialog.locator('[data-code]').allInnerTexts();
    expect(codes).toHaveLength(10);
    await expectUsableOnce(width, page, 'second-factor-codes');
    const download = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Download' }).click();
    expect((await download).suggestedFilename()).toBe('recovery-codes.txt');
    await dialog.getByRole('button', { name: 'I have saved the codes' }).click();
    await section(page).getByText('Recovery codes left: 10.').waitFor();
    await expectUsableOnce(width, page, 'second-factor-on');

    // A sign-in elsewhere: a wrong code, then the right one.
    const second = await browser.page(wide(width));
    await enterPassword(second, username);
    const code = field(second, 'Code from the app');
    await expect.poll(() => code.getAttribute('autocomplete')).toBe('one-time-code');
    await code.fill('000000');
    await second.keyboard.press('Enter');
    await second.getByText('Incorrect code.').waitFor();
    await expectUsableOnce(width, second, 'sign-in-code');
    await expect.poll(() => code.inputValue()).toBe('');
    await code.fill(codeOf(secret, 1));
    await second.keyboard.press('Enter');
    await isSignedIn(second);

    // With a recovery code; it is used up.
    const third = await browser.page(wide(width));
    await enterPassword(third, username);
    await third.getByRole('button', { name: 'Use a recovery code' }).click();
    await field(third, 'Recovery code').fill(codes[0]!.toLowerCase());
    await third.keyboard.press('Enter');
    await isSignedIn(third);
    await page.reload();
    await section(page).getByText('Recovery codes left: 9.').waitFor();

    // The other browsers are signed out from here.
    await page.goto(`${browser.url}/account/telemetry`);
    const rows = sessions(page).getByRole('listitem');
    await expect.poll(() => rows.count()).toBeGreaterThanOrEqual(3);
    await sessions(page).getByText('This session').waitFor();
    await expectUsableOnce(width, page, 'sessions');
    const before = await rows.count();
    await rows
      .first()
      .getByRole('button', { name: /^Sign out: Chrome/ })
      .or(rows.nth(1).getByRole('button', { name: /^Sign out: Chrome/ }))
      .first()
      .click();
    await page.getByText('Session ended').first().waitFor();
    await expect.poll(() => rows.count()).toBe(before - 1);
    await sessions(page).getByRole('button', { name: 'Sign out everywhere else' }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: 'Sign out everywhere else' })
      .click();
    await expect.poll(() => rows.count()).toBe(1);
    for (const other of [second, third])
      await other.waitForURL(({ pathname }) => pathname === '/login', { timeout: 20_000 });
    expect(unexpected()).toEqual([]);
  },
  240_000,
);

/** By keyboard alone, to the question for the code. */
async function typePassword(page: Page, username: string): Promise<void> {
  await page.goto(`${browser.url}/login`);
  await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'username');
  await page.keyboard.type(username);
  await tabTo(page, /^Password/);
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await expectFocus(page, /^Code from the app/);
}

test.each(WIDTHS)(
  'the second factor is set up and used, a recovery code too, and a session ended elsewhere, by keyboard alone at %i px',
  async (width) => {
    const username = await newcomer(browser);
    const page = await browser.page(wide(width));
    await browser.signIn(page, username);
    await page.goto(`${browser.url}/account/password`);
    await section(page).getByRole('button', { name: 'Turn on' }).waitFor();
    await press(page, /^Turn on$/);
    await page.waitForFunction(
      () =>
        document.activeElement?.getAttribute('name') === 'password' &&
        !!document.activeElement.closest('[role=dialog]'),
    );
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    const key = page.getByRole('dialog').locator('code');
    const secret = (await key.innerText()).replaceAll(' ', '');
    await type(page, /^Code from the app/, codeOf(secret, 0));
    await page.keyboard.press('Enter');
    await page.getByRole('list', { name: 'Recovery codes' }).waitFor();
    const codes = await page.locator('[data-code]').allInnerTexts();
    await press(page, /^I have saved the codes$/);
    await section(page).getByText('Recovery codes left: 10.').waitFor();

    const other = await browser.page(wide(width));
    await typePassword(other, username);
    await other.keyboard.type(codeOf(secret, 1));
    await other.keyboard.press('Enter');
    await isSignedIn(other);

    const third = await browser.page(wide(width));
    await typePassword(third, username);
    await press(third, /^Use a recovery code$/);
    await expectFocus(third, /^Recovery code/);
    await third.keyboard.type(codes[0]!);
    await third.keyboard.press('Enter');
    await isSignedIn(third);

    await page.goto(`${browser.url}/account/telemetry`);
    const rows = sessions(page).getByRole('listitem');
    await expect.poll(() => rows.count()).toBe(3);
    // The newest other session comes first.
    await press(page, /^Sign out: Chrome/);
    await expect.poll(() => rows.count()).toBe(2);
    await third.waitForURL(({ pathname }) => pathname === '/login');
    await expectFocus(page);
    await press(page, /^Sign out: Chrome/);
    await expect.poll(() => rows.count()).toBe(1);
    await other.waitForURL(({ pathname }) => pathname === '/login');
    await expectFocus(page);
    expect(unexpected()).toEqual([]);
  },
);
