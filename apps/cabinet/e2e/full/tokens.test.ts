import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectFocus, press, tabTo, type } from '../keys.ts';
import { entry, TestBrowser, wide, WIDTHS } from '../test-browser.ts';
import { expectUsable } from '../usable.ts';
import { newcomer } from './screens.ts';
import { closeSecret } from './secret-once.ts';

let browser: TestBrowser;

beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser.close());

/** The status of a call that curl makes with the token. */
async function curl(token: string, path = '/users/me'): Promise<string> {
  const header = `Authorization: Bearer ${token}`;
  const options = ['-s', '-o', '/dev/null', '-w', '%{http_code}', '-H', header];
  const { stdout } = await promisify(execFile)('curl', [...options, `${browser.url}/api${path}`]);
  return stdout;
}

const field = (page: Page, name: string) =>
  page.getByLabel(new RegExp(`^${name}( \\*)?$`)).and(page.locator('input'));

/** The day so many days ahead, as a date field takes it. */
function day(ahead: number): string {
  const time = new Date(Date.now() + ahead * 86_400_000);
  return time.toLocaleDateString('sv');
}

/** The secret in the open dialog. */
async function secretOf(page: Page): Promise<string> {
  const dialog = page.getByRole('dialog', { name: 'Copy the token' });
  const shown = field(page, 'Token');
  await expect.poll(() => shown.inputValue()).toMatch(/^hg_[a-z2-9]{12}•+$/);
  await dialog.getByRole('button', { name: 'Show' }).click();
  return shown.inputValue();
}

test.each(WIDTHS)(
  'a token is created, used by curl, rotated and deleted at %i px',
  async (width) => {
    const username = await newcomer(browser);
    const page = await browser.signedIn(username, wide(width));
    await page.goto(`${browser.url}/account/tokens`);
    await page.getByText('No API tokens yet').waitFor();
    if (width > 600) await expectUsable(browser, page, 'tokens-empty');
    await page.getByRole('button', { name: 'Create token' }).click();
    await field(page, 'Description').fill('Online shop');
    await field(page, 'Expires').fill(day(30));
    await page.getByText('30 days from today').waitFor();
    await field(page, 'Allowed IP addresses').pressSequentially('127.0.0.0/8,::1,');
    await page.getByLabel('Chosen permissions').check();
    await page.getByRole('button', { name: 'Select all' }).click();
    if (width > 600) await expectUsable(browser, page, 'tokens-create');
    const create = page.getByRole('dialog', { name: 'New API token' });
    await create.getByRole('button', { name: 'Create token' }).click();
    const token = await secretOf(page);
    await expect.poll(() => page.getByText('API token created').count()).toBe(0);
    expect([await curl(token), await curl(token, '/tokens')]).toEqual(['200', '403']);
    if (width > 600) await expectUsable(browser, page, 'tokens-copy');
    await closeSecret(page);
    const row = entry(page, 'Online shop', '30 days left');
    await row.waitFor();
    expect(await page.content()).not.toContain(token);

    await row.getByRole('button', { name: 'Rotate “Online shop”' }).click();
    if (width > 600) await expectUsable(browser, page, 'tokens-rotate');
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
    const next = await secretOf(page);
    await page.getByText(`The previous secret ${token.slice(0, 15)}… works until`).waitFor();
    expect([await curl(token), await curl(next)]).toEqual(['200', '200']);
    await closeSecret(page);

    await row.getByRole('button', { name: 'Delete “Online shop”' }).click();
    const question = page.getByRole('dialog', { name: 'Delete the token “Online shop”?' });
    await question.getByText('Created on').waitFor();
    await question.getByRole('button', { name: 'Delete “Online shop”' }).click();
    await page.getByText('No API tokens yet').waitFor();
    expect([await curl(token), await curl(next)]).toEqual(['401', '401']);
    // The browser reports the answers of curl nowhere.
    expect(browser.consoleErrors).toEqual([]);
  },
);

test.each(WIDTHS)(
  'a token is created, used, edited and deleted with the keyboard alone at %i px',
  async (width) => {
    const page = await browser.signedIn(await newcomer(browser), wide(width));
    await page.goto(`${browser.url}/account/tokens`);
    await page.getByText('No API tokens yet').waitFor();
    await page.keyboard.press('n');
    await page.getByRole('dialog', { name: 'New API token' }).waitFor();
    await expectFocus(page, /^Description/);
    await page.keyboard.type('Night report');
    await type(page, /^Allowed IP addresses/, '127.0.0.0/8');
    await page.keyboard.press('Enter');
    await tabTo(page, /^All of my permissions/);
    await page.keyboard.press('ArrowDown');
    await press(page, /^Select all$/);
    await press(page, /^Create token$/);
    await page.getByRole('dialog', { name: 'Copy the token' }).waitFor();
    await press(page, /^Show$/);
    const token = await field(page, 'Token').inputValue();
    expect(await curl(token)).toBe('200');
    // Escape would lose it.
    await page.keyboard.press('Escape');
    await press(page, /^Close$/);
    await entry(page, 'Night report').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });

    await press(page, /^Night report/);
    await page.getByRole('dialog', { name: 'Night report' }).waitFor();
    await type(page, /^Description/, 'Day report');
    await page.keyboard.press('Enter');
    await entry(page, 'Day report').waitFor();
    // The dialog keeps the focus until it has closed.
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    // Its button on a card has a word as well.
    await press(page, /^Delete “Day report”/);
    await page.getByRole('dialog', { name: 'Delete the token “Day report”?' }).waitFor();
    await press(page, /^Delete “Day report”$/);
    await page.getByText('No API tokens yet').waitFor();
    expect(await curl(token)).toBe('401');
    expect(browser.consoleErrors).toEqual([]);
  },
);

test('the tokens of the demo customer tell when they expire', async () => {
  const page = await browser.signedIn('customer');
  await page.goto(`${browser.url}/account/tokens`);
  await entry(page, 'Выгрузка отчётов', /\d days? left/).waitFor();
  await entry(page, 'CRM', '203.0.113.10').waitFor();
  await expectUsable(browser, page, 'tokens-list');
});
