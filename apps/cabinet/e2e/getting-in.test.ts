import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fine } from './fine.ts';
import { expectAccessible, Stage, wide, widths } from './stage.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage.close());

const expectFine = (page: Page, name: string) => fine(stage, page, name);

async function visits(): Promise<number> {
  const { rows } = await stage.db.query(
    `select count(*)::int as n from visits v join users u on u.id = v.user_id
      where u.username = 'customer2' and v.action = 'loginAs'`,
  );
  return rows[0].n;
}

/** With or without the mark of a required one. */
const field = (page: Page, name: string) => page.getByLabel(new RegExp(`^${name}( \\*)?$`));

test('a visitor registers, is signed in, answers the survey and finds a credit', async () => {
  await stage.db.query(`update users set referral_code = 'TEA' where username = 'reseller'`);
  const page = await stage.page();
  await page.goto(`${stage.url}/login`);
  await page.getByRole('link', { name: 'Sign up' }).click();
  await page.goto(`${stage.url}/registration/?ref=tea&source=ads`);

  // What is wrong stands at its field; the first one has the focus.
  await page.getByRole('button', { name: 'Sign up' }).click();
  expect(await page.getByText('Fill in this field.').count()).toBe(6);
  expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('username');
  await field(page, 'Login').fill('customer');
  await field(page, 'Password').fill('tea & 2 cups');
  await field(page, 'Confirm password').fill('tea & 3 cups');
  await field(page, 'First name').fill('Vera');
  await field(page, 'E-mail').fill('vera@tea.example');
  await field(page, 'Phone').fill('8 (900) 555-77-11');
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.getByText('Passwords do not match.').waitFor();
  expect(await field(page, 'Password').inputValue()).toBe('');
  await expectFine(page, 'registration');
  await page.getByRole('button', { name: 'Русский' }).click();
  await page.getByText('Пароли не совпадают.').waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await stage.picture(page, 'registration-390-ru');
  await page.getByRole('button', { name: 'English' }).click();

  // The draft is there after a reload, the password is not.
  await page.reload();
  expect(await field(page, 'E-mail').inputValue()).toBe('vera@tea.example');
  expect(await field(page, 'Phone').inputValue()).toBe('+79005557711');
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('cups');
  for (const name of ['Password', 'Confirm password']) await field(page, name).fill('tea & 2 cups');
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.getByText('This login is already taken. Choose another one.').waitFor();
  await field(page, 'Login').fill('vera.tea');
  await page.getByRole('button', { name: 'Sign up' }).click();

  await page.getByRole('heading', { name: 'What brings you here?' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/survey');
  expect(await page.evaluate(() => localStorage.getItem('heliograph.registration'))).toBeNull();
  await expectFine(page, 'survey');
  await page.keyboard.press('1');
  await page.getByText('Which channel do you want').waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Viber' }).waitFor();
  await expectFine(page, 'survey-2');
  await page.keyboard.press('2');
  await page.waitForURL((url) => url.pathname !== '/survey');
  await page.getByText('This is a test account').waitFor();
  await expectFine(page, 'first-home');

  const { rows } = await stage.db.query(
    `select u.data->'meta' as meta, k.username as keeper, b.balance::float8 as balance
       from users u join users k on k.id = u.reseller_id join balances b on b.owner_id = u.id
      where u.username = 'vera.tea'`,
  );
  expect(rows).toEqual([
    {
      meta: { usedReferralCode: 'tea', source: 'ads', survey: 'batchMailing:viber' },
      keeper: 'reseller',
      balance: 70,
    },
  ]);
});

test.each(widths(1280))(
  'a reseller acts as a customer within a frame, and returns: %i wide',
  async (width) => {
    const page = await stage.page(wide(width));
    const before = await visits();
    await stage.signIn(page, 'reseller');
    await page.goto(`${stage.url}/users`);
    await page.getByRole('button', { name: 'Sign in as customer2' }).click();
    const bar = page.getByRole('region', { name: 'You are viewing another account' });
    await bar.getByText('You are acting as customer2. Signed in as reseller.').waitFor();
    expect(new URL(page.url()).pathname).not.toBe('/users');
    if (width === 1280) await expectFine(page, 'acting');
    await bar.getByRole('button', { name: 'Return to my account' }).click();
    await page.waitForURL('**/users');
    await page.getByRole('button', { name: 'Sign in as customer2' }).waitFor();
    expect(await bar.count()).toBe(0);
    expect(await visits()).toBe(before + 1);
  },
);

test('who is about to be signed out is warned and stays; later the session ends with a word', async () => {
  const page = await stage.page();
  await page.clock.install();
  await stage.signIn(page, 'customer');
  await page.clock.fastForward('05:56:00');
  const stay = page.getByRole('button', { name: 'Stay signed in' });
  await stay.waitFor();
  await expectAccessible(page);
  const renewed = page.waitForResponse('**/api/login/renew');
  await stay.click();
  expect((await renewed).status()).toBe(200);
  await page.clock.fastForward('00:10:00');
  await page.getByText('Your session has ended. Sign in again to continue.').waitFor();
});

test('who acts as a customer stays in both accounts', async () => {
  const page = await stage.page();
  await page.clock.install();
  // The browser complains of a socket that a page leaves while it is being opened.
  const live = () => page.getByText('Live updates on').waitFor({ state: 'attached' });
  await stage.signIn(page, 'reseller');
  await live();
  await page.goto(`${stage.url}/users`);
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

test('a session that was ended elsewhere ends here at the next call, and comes back to its page', async () => {
  const page = await stage.page();
  await stage.signIn(page, 'customer');
  // Blurred, what is on the account is nobody's business, wherever it stands.
  await page.evaluate(() => localStorage.setItem('heliograph.blur', 'on'));
  await page.goto(`${stage.url}/messages/tasks`);
  await page.getByRole('button', { name: /^Account: Hidden: .* Hidden: balance$/ }).click();
  await page.getByRole('menu').getByText('Hidden: balance').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { level: 1, name: 'Tasks' }).waitFor();
  await stage.db.query(
    `update sessions set revoked_at = now() where user_id = (select id from users where username = 'customer')`,
  );
  // Known to every process within a second.
  const status = () =>
    page.evaluate(async () => {
      const authorization = localStorage.getItem('heliograph.token')!;
      return (await fetch('/api/users/me', { headers: { authorization } })).status;
    });
  await expect.poll(status, { timeout: 10_000 }).toBe(401);
  await page.getByRole('link', { name: 'Contact lists' }).click();
  await page.getByText('Your session has ended. Sign in again to continue.').waitFor();
  // The name is remembered until it is asked to be forgotten; the password is to be typed.
  await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'password');
  expect(await field(page, 'Login').inputValue()).toBe('customer');
  await page.getByRole('button', { name: 'Forget this login' }).click();
  expect(await field(page, 'Login').inputValue()).toBe('');
  await field(page, 'Password').dispatchEvent('keydown', { modifierCapsLock: true });
  await page.getByText('Caps Lock is on.').waitFor();
  await expectAccessible(page);
  // Signing in in one tab goes on in the others.
  const other = await page.context().newPage();
  await stage.signIn(other, 'customer');
  await page.waitForURL('**/contacts');
});

test('wrong passwords are counted down, then the button waits', async () => {
  const page = await stage.page();
  await page.clock.install();
  await page.goto(`${stage.url}/login`);
  await field(page, 'Login').fill('nobody-of-ours');
  await field(page, 'Password').fill('not this one');
  for (let left = 4; left >= 0; left--) {
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText(`Attempts left: ${left} of 5.`).waitFor();
  }
  await page.getByRole('button', { name: 'Sign in' }).click();
  const wait = page.getByRole('button', { name: /^Wait \d+ seconds$/ });
  await wait.waitFor();
  expect(await wait.isDisabled()).toBe(true);
  await expectFine(page, 'login-blocked');
  // When the time is over it is told again what was wrong.
  await page.clock.fastForward('15:01');
  await field(page, 'Login').fill('nobody-else-of-ours');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Attempts left: 4 of 5.').waitFor();
  // The browser tells of refused calls by itself.
  const refused = /Failed to load resource: the server responded with a status of (401|422|429)/;
  expect(stage.complaints.filter((text) => !refused.test(text))).toEqual([]);
});
