import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SmtpSink } from '../../../../scripts/lib/smtp-sink.mjs';
import { expectUsable } from '../usable.ts';
import { field, TestBrowser } from '../test-browser.ts';
import { newcomer } from './screens.ts';

const NEW = 'tea & 4 cups';
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

const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent);

async function ask(page: Page, login: string): Promise<void> {
  await field(page, 'Username or e-mail').fill(login);
  await page.getByRole('button', { name: 'Send the link' }).click();
}

test('a user recovers the password with the key of an e-mail and signs in with the new one', async () => {
  const username = await newcomer(browser);
  const page = await browser.page();
  // No Referer header contains the key, also not to the product itself.
  const referrers = new Set<string | undefined>();
  page.on('request', (request) => referrers.add(request.headers().referer));
  await page.goto(`${browser.url}/login`);
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.getByRole('heading', { level: 1, name: 'Password recovery' }).waitFor();
  expect(await page.title()).toContain('Password recovery');
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('name')))
    .toBe('login');

  // After an error the button is disabled for three seconds.
  await page.route('**/api/recover', (route) => route.abort(), { times: 1 });
  await ask(page, 'nobody-of-ours');
  await page.getByRole('button', { name: /^Wait \d seconds?$/, disabled: true }).waitFor();
  await expectUsable(browser, page, 'recover-error');

  // The answer is the same for an unknown login.
  await page.getByRole('button', { name: 'Send the link' }).click();
  const sent = page.getByText('If the account exists, we’ve sent an e-mail.');
  await sent.waitFor();
  await page.getByText('The link works once, for 60 minutes.').waitFor();
  await expect.poll(() => focused(page)).toBe('Send another e-mail');
  await expectUsable(browser, page, 'recover-sent');
  await page.getByRole('button', { name: 'Send another e-mail' }).click();
  await ask(page, `${username.toUpperCase()}@tea.example`);
  await sent.waitFor();
  // The demo world sends e-mails too.
  const got = () => sink.emails.filter(({ to }) => to.includes(`${username}@tea.example`));
  await expect.poll(() => got().length).toBe(1);
  const { to, subject, text } = got()[0]!;
  expect(to).toEqual([`${username}@tea.example`]);
  expect(subject).toContain('New password');
  const link = /http\S+\/recover\/\S+/.exec(text)![0];
  expect(link.startsWith(browser.url)).toBe(true);

  await page.goto(link);
  await page.getByText(`For the username ${username}`).waitFor();
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('name')))
    .toBe('password');
  const set = page.getByRole('button', { name: 'Set password' });
  await set.click();
  await expect.poll(() => page.getByText('Fill in this field.').count()).toBe(2);
  await field(page, 'New password').fill(NEW);
  await field(page, 'Confirm password').fill(`${NEW}!`);
  await set.click();
  await page.getByText('Passwords do not match.').waitFor();
  await expect.poll(() => field(page, 'New password').inputValue()).toBe('');
  await expectUsable(browser, page, 'reset');
  for (const name of ['New password', 'Confirm password']) await field(page, name).fill(NEW);
  await set.click();
  await page.getByText('Your new password is set.').waitFor();
  await expect.poll(() => focused(page)).toBe('Sign in');
  await expectUsable(browser, page, 'reset-done');

  // The login is filled in.
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'password');
  await expect.poll(() => field(page, 'Username').inputValue()).toBe(username);
  await field(page, 'Password').fill(NEW);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(({ pathname }) => pathname === '/');
  await page.getByText('This is a test account').waitFor();

  // The used link leads back to the request.
  const other = await browser.page();
  await other.goto(link);
  await other.getByText('The link is invalid or has expired.').first().waitFor();
  await expectUsable(browser, other, 'reset-invalid');
  await other.getByRole('link', { name: 'Request a new link' }).click();
  await other.getByRole('button', { name: 'Send the link' }).waitFor();

  expect([...referrers].filter(Boolean)).toEqual([]);
  // The browser logs failed calls.
  const refused =
    /Failed to load resource: (net::ERR_FAILED|the server responded with a status of 404)/;
  expect(browser.consoleErrors.filter((said) => !refused.test(said))).toEqual([]);
}, 180_000);
