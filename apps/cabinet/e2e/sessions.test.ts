import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectUsable } from './usable.ts';
import { expectAccessible, field, TestBrowser, wide, widths } from './test-browser.ts';

let browser: TestBrowser;

beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser.close());

const expectUsableAt = (page: Page, name: string) => expectUsable(browser, page, name);

async function visits(): Promise<number> {
  const { rows } = await browser.db.query(
    `select count(*)::int as n from visits v join users u on u.id = v.user_id
      where u.username = 'customer2' and v.action = 'loginAs'`,
  );
  return rows[0].n;
}

/** By its label, with or without the mark of a required field. */

test.each(widths(1280))(
  'a reseller signs in as a customer, sees whose account it is, and returns: %i wide',
  async (width) => {
    const page = await browser.page(wide(width));
    const before = await visits();
    await browser.signIn(page, 'reseller');
    await page.goto(`${browser.url}/users`);
    await page.getByRole('button', { name: 'Sign in as customer2' }).click();
    const bar = page.getByRole('region', { name: 'You are viewing another account' });
    await bar.getByText('You are acting as customer2. Signed in as reseller.').waitFor();
    await expect.poll(() => new URL(page.url()).pathname).not.toBe('/users');
    if (width === 1280) await expectUsableAt(page, 'acting');
    await bar.getByRole('button', { name: 'Return to my account' }).click();
    await page.waitForURL('**/users');
    await page.getByRole('button', { name: 'Sign in as customer2' }).waitFor();
    await expect.poll(() => bar.count()).toBe(0);
    expect(await visits()).toBe(before + 1);
  },
);

test('a warning before the end of a session renews it; without it the session ends with a message', async () => {
  const page = await browser.page();
  await page.clock.install();
  await browser.signIn(page, 'customer');
  const other = await page.context().newPage();
  await other.goto(`${browser.url}/messages/outgoing`);
  await other.getByText('Live updates on').waitFor({ state: 'attached' });
  await page.bringToFront();
  await page.clock.fastForward('05:56:00');
  const stay = page.getByRole('button', { name: 'Stay signed in' });
  await stay.waitFor();
  await expectAccessible(page);
  const renewed = page.waitForResponse('**/api/login/renew');
  await stay.click();
  expect((await renewed).status()).toBe(200);
  // The server closes the socket of the other tab, which then calls with the former token.
  await other.getByRole('link', { name: 'Campaigns' }).first().click();
  await other.getByRole('heading', { level: 1, name: 'Campaigns' }).waitFor();
  await page.clock.fastForward('06:01:00');
  await page.getByText('Your session has ended. Sign in again to continue.').waitFor();
});

test('renewing an impersonated session renews the own one as well', async () => {
  const page = await browser.page();
  await page.clock.install();
  // The browser logs an error for a socket that is closed while it is being opened.
  const live = () => page.getByText('Live updates on').waitFor({ state: 'attached' });
  await browser.signIn(page, 'reseller');
  await live();
  await page.goto(`${browser.url}/users`);
  await live();
  await page.getByRole('button', { name: 'Sign in as customer2' }).click();
  const bar = page.getByRole('region', { name: 'You are viewing another account' });
  await bar.waitFor();
  await live();
  const tokens = () =>
    page.evaluate(() =>
      ['token', 'previousToken'].map((name) => localStorage.getItem(`heliograph.${name}`)),
    );
  const before = await tokens();
  await page.clock.fastForward('05:56:00');
  await page.getByRole('button', { name: 'Stay signed in' }).click();
  await expect.poll(async () => (await tokens()).filter((t, i) => t !== before[i])).toHaveLength(2);
  await live();
  await bar.getByRole('button', { name: 'Return to my account' }).click();
  await page.getByRole('button', { name: 'Sign in as customer2' }).waitFor();
});

test('a session that was ended elsewhere ends at the next call; a sign-in returns to its page', async () => {
  const page = await browser.page();
  await browser.signIn(page, 'customer');
  // With blurring, the balance is hidden in the account menu as well.
  await page.evaluate(() => localStorage.setItem('heliograph.blur', 'on'));
  await page.goto(`${browser.url}/messages/tasks`);
  await page.getByRole('button', { name: /^Account: Hidden: .* Hidden: balance$/ }).click();
  await page.getByRole('menu').getByText('Hidden: balance').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { level: 1, name: 'Campaigns' }).waitFor();
  // Other journeys use sessions of the same user.
  const token = (await page.evaluate(() => localStorage.getItem('heliograph.token')))!;
  const { sid } = JSON.parse(atob(token.split('.')[1]!)) as { sid: string };
  await browser.db.query(`update sessions set revoked_at = now() where id = $1`, [sid]);
  // Every process reads it within a second.
  const status = () =>
    page.evaluate(async () => {
      const authorization = localStorage.getItem('heliograph.token')!;
      return (await fetch('/api/users/me', { headers: { authorization } })).status;
    });
  await expect.poll(status).toBe(401);
  const ended = page.getByText('Your session has ended. Sign in again to continue.');
  const incoming = page.getByRole('link', { name: 'Incoming' }).first();
  // The page may make a call of its own before.
  await Promise.race([incoming.click().catch(() => undefined), ended.waitFor()]);
  await ended.waitFor();
  // The login is filled in until it is cleared; the password is not.
  await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'password');
  await expect.poll(() => field(page, 'Username').inputValue()).toBe('customer');
  await page.getByRole('button', { name: 'Forget this username' }).click();
  await expect.poll(() => field(page, 'Username').inputValue()).toBe('');
  await field(page, 'Password').dispatchEvent('keydown', { modifierCapsLock: true });
  await page.getByText('Caps Lock is on.').waitFor();
  await expectAccessible(page);
  // A sign-in in one tab signs in the others.
  const other = await page.context().newPage();
  await browser.signIn(other, 'customer');
  await page.waitForURL(/\/messages\/(?:incoming|tasks)$/);
});

test('failed sign-ins count down the attempts, then disable the button', async () => {
  const page = await browser.page();
  await page.clock.install();
  await page.goto(`${browser.url}/login`);
  await field(page, 'Username').fill('nobody-of-ours');
  await field(page, 'Password').fill('not this one');
  for (let left = 4; left >= 0; left--) {
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText(`Attempts left: ${left} of 5.`).waitFor();
  }
  await page.getByRole('button', { name: 'Sign in' }).click();
  const wait = page.getByRole('button', { name: /^Wait \d+ seconds$/ });
  await wait.waitFor();
  await expect.poll(() => wait.isDisabled()).toBe(true);
  await expectUsableAt(page, 'login-blocked');
  // After the waiting time attempts are counted again.
  await page.clock.fastForward('15:01');
  await field(page, 'Username').fill('nobody-else-of-ours');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Attempts left: 4 of 5.').waitFor();
  // The browser logs refused calls.
  const refused = /Failed to load resource: the server responded with a status of (401|422|429)/;
  expect(browser.consoleErrors.filter((text) => !refused.test(text))).toEqual([]);
});

test('a sign-out leaves nothing of the person in the browser, in any of its tabs', async () => {
  const page = await browser.signedIn('customer2');
  await page.goto(`${browser.url}/send`);
  await page.getByRole('textbox', { name: /^Text/ }).first().fill('Dear Ms Clearwater');
  await page.getByText(/^Draft saved/).waitFor();
  const other = await page.context().newPage();
  await other.goto(`${browser.url}/send`);
  await other.getByRole('textbox', { name: /^Text/ }).first().fill('Dear Mr Stillwater');
  await other.getByText(/^Draft saved/).waitFor();
  await page.bringToFront();
  await page
    .getByRole('button', { name: /^Account: / })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL('**/login**');
  await other.waitForURL('**/login**');
  for (const tab of [page, other])
    await expect
      .poll(() => tab.evaluate(() => JSON.stringify([localStorage, sessionStorage])))
      .not.toContain('water');
});

test.each([['localStorage'], ['localStorage', 'sessionStorage']])(
  'a browser that forbids %s and what else can be used',
  async (...areas) => {
    const page = await browser.page();
    await page.addInitScript((names) => {
      for (const name of names)
        Object.defineProperty(globalThis, name, {
          get() {
            throw new DOMException('', 'SecurityError');
          },
        });
    }, areas);
    await browser.signIn(page, 'reseller');
    await page.evaluate(() => {
      history.pushState(null, '', '/users');
      dispatchEvent(new PopStateEvent('popstate'));
    });
    await page.getByRole('button', { name: 'Sign in as customer2' }).click();
    await page.getByText('You are acting as customer2. Signed in as reseller.').waitFor();
    await page.getByRole('button', { name: 'Return to my account' }).click();
    const again = page.getByRole('button', { name: 'Sign in as customer2' });
    await again.waitFor();
    if (areas.length === 1) {
      await page.reload();
      await again.waitFor();
    }
    await expect.poll(() => page.evaluate(() => location.pathname)).toBe('/users');
  },
);
