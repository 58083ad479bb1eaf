import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SmtpSink } from '../../../../scripts/lib/smtp-sink.mjs';
import { expectUsable } from '../usable.ts';
import { expectFocus, press, type } from '../keys.ts';
import {
  expectAccessible,
  field,
  quiet,
  TestBrowser,
  wide,
  WIDTHS,
  widths,
} from '../test-browser.ts';
import { newcomer } from './screens.ts';

const PASSWORD = 'heliograph';
const NEW = 'tea & 3 cups';
const sink = new SmtpSink();
let browser: TestBrowser;

beforeAll(async () => {
  await sink.open(Number(process.env.E2E_SMTP_PORT));
  browser = await TestBrowser.open();
});
afterAll(async () => {
  await browser.close();
  sink.close();
});

async function settings(page: Page): Promise<void> {
  await page.goto(`${browser.url}/settings/settingsUser`);
  await page.getByRole('heading', { level: 1, name: 'Personal settings' }).waitFor();
}

/** What the account has. */
async function stored(username: string): Promise<Record<string, unknown>> {
  const { rows } = await browser.db.query<{ key: string; value: unknown }>(
    `select s.key, s.value from settings_user s join users u on u.id = s.user_id where u.username = $1`,
    [username],
  );
  return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
}

test('a name is changed; a new e-mail waits for its link and can be taken back', async () => {
  sink.emails = [];
  const username = await newcomer(browser);
  const page = await browser.signedIn(username);
  await page.goto(`${browser.url}/account`);
  await page.waitForURL(({ pathname }) => pathname === '/account/profile');
  const save = page.getByRole('button', { name: 'Save' });
  await page.getByText('Nothing has changed yet.').waitFor();
  await field(page, 'First name').fill('<b>');
  await page.getByText('Check the field “First name”.').waitFor();
  await field(page, 'First name').fill('Anna');
  await save.click();
  await page.getByText('The profile is saved.').first().waitFor();
  await page.getByText('Nothing has changed yet.').waitFor();

  const next = `${username}.new@tea.example`;
  await field(page, 'E-mail').fill(next);
  await page.getByText('Check the field “Your password”.').waitFor();
  await field(page, 'Your password').fill('not this one');
  await save.click();
  await page.getByText('This password is incorrect.').waitFor();
  await field(page, 'Your password').fill(PASSWORD);
  await save.click();
  await page.getByText(`We sent a link to ${next}.`).first().waitFor();
  await expect.poll(() => field(page, 'E-mail').inputValue()).toBe(`${username}@tea.example`);
  await expectUsable(browser, page, 'profile-pending');
  await page.getByRole('button', { name: 'Cancel the change' }).click();
  await page.getByText(`We sent a link to ${next}.`).waitFor({ state: 'hidden' });

  await field(page, 'E-mail').fill(next);
  await field(page, 'Your password').fill(PASSWORD);
  sink.emails = [];
  await save.click();
  await expect.poll(() => sink.emails.filter(({ to }) => to[0] === next).length).toBe(1);
  const { text } = sink.emails.find(({ to }) => to[0] === next)!;
  const other = await browser.page();
  await other.goto(/http\S+\/confirm\?key=\S+/.exec(text)![0]);
  await other.getByRole('button', { name: 'Confirm' }).click();
  await other.getByText('Your e-mail is confirmed.').waitFor();
  await expect.poll(() => field(page, 'E-mail').inputValue()).toBe(next);
});

test.each(WIDTHS)(
  'an e-mail is changed and confirmed by the keyboard alone, at %i',
  async (width) => {
    sink.emails = [];
    const username = await newcomer(browser);
    const page = await browser.signedIn(username, wide(width));
    await page.goto(`${browser.url}/account/profile`);
    await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor();
    const next = `${username}.keys@tea.example`;
    await type(page, /^E-mail/, next);
    await type(page, /^Your password/, PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByText(`We sent a link to ${next}.`).first().waitFor();
    await expectFocus(page);
    await expectAccessible(page);
    await expect.poll(() => sink.emails.filter(({ to }) => to[0] === next).length).toBe(1);
    const { text } = sink.emails.find(({ to }) => to[0] === next)!;
    const link = await browser.page(wide(width));
    await link.goto(/http\S+\/confirm\?key=\S+/.exec(text)![0]);
    await expectFocus(link, /^Confirm$/);
    await expectUsable(browser, link, 'confirm-e-mail');
    await link.keyboard.press('Enter');
    await link.getByText('Your e-mail is confirmed.').waitFor();
    await expectFocus(link);
    await expectAccessible(link);
    await expect.poll(() => field(page, 'E-mail').inputValue()).toBe(next);
  },
);

test.each(widths(1280))('a new password ends another session, at %i', async (width) => {
  const username = await newcomer(browser);
  // A sign-in by the form: `signedIn` would restore the ended session on every load.
  const page = await browser.page(wide(width));
  await browser.signIn(page, username);
  const elsewhere = await browser.signedIn(username);
  await elsewhere.goto(`${browser.url}/`);
  await quiet(elsewhere);
  await page.goto(`${browser.url}/account/password`);
  await page.getByRole('heading', { level: 1, name: 'Password and sign-in' }).waitFor();
  const submit = page.getByRole('button', { name: 'Change password' });
  await page.getByText('Fill in all three fields.').waitFor();
  await field(page, 'Current password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Generate' }).click();
  await expect.poll(() => field(page, 'New password').inputValue()).toMatch(/^[A-Za-z2-9]{8}$/);
  await expect.poll(() => field(page, 'New password').getAttribute('type')).toBe('text');
  expect(await field(page, 'Confirm password').inputValue()).toBe(
    await field(page, 'New password').inputValue(),
  );
  if (width === 1280) await expectUsable(browser, page, 'password');
  await field(page, 'New password').fill(NEW);
  await page.getByText('Passwords do not match.').waitFor();
  await field(page, 'Confirm password').fill(NEW);
  await submit.click();
  await page.getByText('The password is changed.').first().waitFor();
  await elsewhere.reload();
  await elsewhere.waitForURL(({ pathname }) => pathname === '/login');
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Password and sign-in' }).waitFor();
  await expect.poll(() => page.getByRole('button', { name: /^Account: / }).count()).toBe(1);
});

test('a password is changed by the keyboard alone', async () => {
  const username = await newcomer(browser);
  const page = await browser.signedIn(username);
  await page.goto(`${browser.url}/account/profile`);
  await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor();
  await press(page, /^Password and sign-in$/);
  await page.getByRole('heading', { level: 1, name: 'Password and sign-in' }).waitFor();
  await type(page, /^Current password/, PASSWORD);
  await type(page, /^New password/, NEW);
  await type(page, /^Confirm password/, NEW);
  await page.keyboard.press('Enter');
  await page.getByText('The password is changed.').first().waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement !== document.body)).toBe(true);
});

test('settings follow to a second browser, and to one that is open', async () => {
  const username = await newcomer(browser);
  const page = await browser.signedIn(username, { timezoneId: 'Europe/Moscow' });
  const second = await browser.signedIn(username, { timezoneId: 'Europe/Moscow' });
  await settings(second);
  await quiet(second);
  await settings(page);
  await expectUsable(browser, page, 'settings-user');
  const zone = page.getByRole('combobox', { name: 'Time zone' });
  await zone.click();
  await zone.fill('Honolulu');
  await page.getByRole('option', { name: 'Pacific/Honolulu' }).click();
  await page.getByRole('radio', { name: 'Dark' }).click();
  await page.getByRole('radio', { name: 'Compact' }).click();
  await page.getByRole('switch', { name: 'Hide personal data' }).click();
  await page.getByRole('combobox', { name: 'Language' }).selectOption('de');
  await page.getByRole('heading', { level: 1, name: 'Persönliche Einstellungen' }).waitFor();

  await second.getByRole('heading', { level: 1, name: 'Persönliche Einstellungen' }).waitFor();
  const scheme = (one: Page) => one.locator('html').getAttribute('data-mantine-color-scheme');
  await expect.poll(() => scheme(second)).toBe('dark');

  await expect
    .poll(() => stored(username))
    .toEqual({
      timeZone: 'Pacific/Honolulu',
      theme: 'dark',
      density: 'compact',
      hidePersonalData: true,
      locale: 'de',
    });
  const third = await browser.signedIn(username, { timezoneId: 'Europe/Moscow' });
  await third.goto(`${browser.url}/settings/settingsUser`);
  await third.getByRole('heading', { level: 1, name: 'Persönliche Einstellungen' }).waitFor();
  await expect.poll(() => scheme(third)).toBe('dark');
  await expect
    .poll(() => third.getByRole('switch', { name: 'Personenbezogene Daten' }).isChecked())
    .toBe(true);
  // The page's clock is that of the zone, not of the browser.
  await third.goto(`${browser.url}/`);
  const shown = await third.locator('main time').first().innerText();
  const now = new Date();
  const hours = [0, -60_000].map((ms) =>
    new Date(now.getTime() + ms).toLocaleTimeString('de', {
      timeZone: 'Pacific/Honolulu',
      hour: '2-digit',
    }),
  );
  expect(hours.map((hour) => hour.slice(0, 2))).toContain(shown.slice(0, 2));
});

test('a change without a connection is not lost', async () => {
  const username = await newcomer(browser);
  const page = await browser.signedIn(username);
  await settings(page);
  await quiet(page);
  await page.context().setOffline(true);
  await page.getByRole('radio', { name: 'Compact' }).click();
  expect(await stored(username)).toEqual({});
  await page.context().setOffline(false);
  await page.reload();
  await expect.poll(() => stored(username)).toEqual({ density: 'compact' });
  await expect.poll(() => page.getByRole('radio', { name: 'Compact' }).isChecked()).toBe(true);
});
