import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectFocus, go, press, tabTo, type, typeSender } from '../keys.ts';
import { TestBrowser } from '../test-browser.ts';

let browser: TestBrowser;

beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser.close());

test('a visitor registers, answers the survey and sends a test to the own phone by keyboard alone', async () => {
  const page = await browser.page();
  await page.goto(`${browser.url}/login`);
  await press(page, /^Sign up$/);
  await page.waitForURL('**/registration');
  await expectFocus(page);
  await type(page, /^Username/, 'keys.alone');
  await type(page, /^Password \*/, 'tea & 2 cups');
  await type(page, /^Confirm password/, 'tea & 3 cups');
  await type(page, /^First name/, 'Kira');
  await type(page, /^E-mail/, 'kira@tea.example');
  await type(page, /^Phone/, '8 (999) 000-00-12');
  await press(page, /^Sign up$/);
  await page.getByText('Passwords do not match.').waitFor();
  // The field to correct has the focus.
  await page.keyboard.type('tea & 2 cups');
  await type(page, /^Confirm password/, 'tea & 2 cups');
  await press(page, /^Sign up$/);

  await page.getByRole('heading', { name: 'What brings you here?' }).waitFor();
  await expectFocus(page, /What brings you here/);
  await tabTo(page, /^1 /);
  await page.keyboard.press('Enter');
  await page.getByText('Which channel do you want').waitFor();
  await expectFocus(page, /^1/);
  await press(page, /^2 Viber/);
  await page.waitForURL((url) => url.pathname === '/');
  await page.getByText('This is a test account').waitFor();
  await expectFocus(page);

  await go(page, 's', /\/send/);
  await expectFocus(page, /New message/);
  const isViber = () =>
    page.evaluate(() => (document.activeElement as HTMLInputElement).value === 'viber');
  await tabTo(page, /^(SMS|Viber)/);
  for (let i = 0; i < 10 && !(await isViber()); i++) await page.keyboard.press('ArrowDown');
  await typeSender(page, 'DEMO');
  await type(page, /^Text \*/, 'Is it there?');
  await press(page, /^Send a test to me$/);
  await page.getByText('Test message sent to +79990000012.').first().waitFor();
  await expectFocus(page, /^Send a test to me$/);
  // The actions of a message have keys.
  await page.keyboard.press('z');
  await page.waitForURL(/\/messages\/outgoing\?id=/);
  const drawer = page.getByRole('dialog', { name: /Message/ });
  await drawer.getByText('Delivered', { exact: true }).first().waitFor({ timeout: 30_000 });
  expect(browser.consoleErrors).toEqual([]);
});

test('a reseller rejects a sender name and approves the next one by keyboard alone', async () => {
  const token = await browser.token('customer2');
  for (const name of ['KEYS-NO', 'KEYS-YES']) {
    const meta = { comment: 'Beans LLC, tax id 7700000009' };
    await browser.call('POST', '/sendernames', { name, type: 'sms', meta }, token);
  }
  const page = await browser.signedIn('reseller');
  await page.goto(`${browser.url}/settings/sendernames`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await press(page, /^Moderation queue$/);
  await page.waitForURL('**/queue');
  const waiting = page.getByRole('heading', { level: 2 });
  await waiting.waitFor();
  const shown = () => waiting.first().textContent();
  for (let i = 0; i < 20 && (await shown()) !== 'KEYS-NO'; i++) {
    const before = await shown();
    await press(page, /^Skip for now$/);
    await expect.poll(shown).not.toBe(before);
    await expectFocus(page);
  }
  await page.keyboard.press('r');
  // The field for the reason has the focus.
  await page.keyboard.type('Whose name is it?');
  await press(page, /^Reject$/);
  await page.getByText('“KEYS-NO” rejected.').waitFor();
  await expect.poll(shown).toBe('KEYS-YES');
  await expectFocus(page, /KEYS-YES/);
  await page.keyboard.press('a');
  await page.getByText('“KEYS-YES” approved.').waitFor();
  await expectFocus(page);
  const { rows } = await browser.db.query(
    `select name, moderation from sendernames where name like 'KEYS-%' order by name`,
  );
  expect(rows).toEqual([
    { name: 'KEYS-NO', moderation: 'rejected' },
    { name: 'KEYS-YES', moderation: 'approved' },
  ]);
  expect(browser.consoleErrors).toEqual([]);
});

test('a reseller changes a balance, signs in as the customer and returns by keyboard alone', async () => {
  const page = await browser.page();
  await browser.signIn(page, 'reseller');
  await go(page, 'u', /\/users$/);
  await expectFocus(page, /Users/);
  await page.keyboard.press('/');
  await page.keyboard.type('customer2');
  const row = page.getByRole('row', { name: /customer2/ });
  await row.waitFor();
  await expect.poll(() => page.getByRole('table').getByRole('row').count()).toBe(2);
  await press(page, /^Change the balance of customer2$/);
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await expectFocus(page, /^Amount/);
  await page.keyboard.type('12,34');
  await type(page, /^Comment/, 'By keys');
  await press(page, /^Add to balance$/);
  await dialog.waitFor({ state: 'hidden' });
  await expectFocus(page, /^Change the balance of customer2$/);
  const { rows } = await browser.db.query(
    `select b.comment from billings b join users u on u.id = b.owner_id
      where u.username = 'customer2' and b.amount = 12.34`,
  );
  expect(rows).toEqual([{ comment: 'By keys' }]);

  await press(page, /^Sign in as customer2$/);
  await page.getByText('You are acting as customer2. Signed in as reseller.').waitFor();
  await press(page, /^Return to my account$/);
  await page.waitForURL('**/users');
  await row.waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('customer2');
  await expect.poll(() => page.getByRole('table').getByRole('row').count()).toBe(2);
  // From the search past the filter, where letters choose a state, to the row and its actions.
  await tabTo(page, /^State/);
  await page.keyboard.press('Tab');
  await page.keyboard.press('j');
  await expectFocus(page, /customer2/);
  for (const action of [/^Change the balance/, /^Sign in as/, /^Change the balance/]) {
    await page.keyboard.press('.');
    await expectFocus(page, action);
  }
  expect(browser.consoleErrors).toEqual([]);
});
