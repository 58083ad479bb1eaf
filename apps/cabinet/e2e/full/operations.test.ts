import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { press } from '../keys.ts';
import { entry, TestBrowser, wide, widths } from '../test-browser.ts';
import { expectUsable } from '../usable.ts';

let browser: TestBrowser;
beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser.close());

/** Two rows that can be entered and two that cannot. */
const tableOf = (bonus: number) =>
  `Account;Amount;Comment\ncustomer2;${bonus};Bonus\ncustomer2;-20;\nnobody;5;\ncustomer2;many;\n`;
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Bulk operation' });
const choose = (page: Page, name: string, bonus: number) =>
  dialogOf(page)
    .locator('input[type=file]')
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(tableOf(bonus)) });
async function balance(): Promise<number> {
  const { rows } = await browser.db.query(
    `select balance::float8 as balance from balances b join users u on u.id = b.owner_id where u.username = 'customer2'`,
  );
  return (rows[0] as { balance: number }).balance;
}

test.each(widths(1280))(
  'a manager changes balances from a table and reads the report (%i px)',
  async (width) => {
    const before = await balance();
    // Of its own, so that its entry is told from those of the other width.
    const bonus = width === 1280 ? 70 : 71;
    const page = await browser.page(wide(width));
    await browser.signIn(page, 'manager');
    await page.goto(`${browser.url}/balance/billings`);
    await page.getByRole('button', { name: 'Bulk operation' }).click();
    const dialog = dialogOf(page);
    await dialog.getByText('No balance changes until you confirm').waitFor();
    await choose(page, `bonuses-${width}.csv`, bonus);
    await dialog.getByRole('heading', { name: 'Columns' }).waitFor();
    if (width === 1280) await expectUsable(browser, page, 'operations-columns');
    await dialog.getByRole('button', { name: 'Check' }).click();
    await dialog.getByText('Rows to enter: 2 of 4').waitFor();
    await dialog.getByText('You have no customer with this account: 1').waitFor();
    await dialog.getByText('The amount is not a number').first().waitFor();
    if (width === 1280) await expectUsable(browser, page, 'operations-preview');
    expect(await balance()).toBe(before);
    await dialog.getByRole('button', { name: 'Enter 2 rows' }).click();
    const question = page.getByRole('dialog', { name: 'Change balances?' });
    await question.getByText(`add ₽${bonus}.00, subtract ₽20.00, accounts: 1`).waitFor();
    await question.getByRole('button', { name: 'Change balances' }).click();
    await dialog.getByText('Rows entered: 2, refused: 0.').waitFor();
    expect(await balance()).toBe(before + bonus - 20);
    if (width === 1280) await expectUsable(browser, page, 'operations-finished');
    const download = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Download the report' }).click();
    const report = await readFile(await (await download).path());
    expect(report.subarray(0, 4).toString('latin1')).toBe('PK\x03\x04');
    await dialog.getByRole('button', { name: 'Close' }).last().click();

    await entry(page, 'Bulk operation', `₽${bonus}.00`).getByRole('link').first().click();
    const details = page.getByRole('dialog', { name: 'Ledger entry' });
    await details.getByRole('link', { name: 'Task' }).click();
    const task = page.getByRole('dialog').filter({ hasText: `bonuses-${width}.csv` });
    await task.getByText('Completed 2 · failed 0').waitFor();
    await task.getByRole('button', { name: 'Download' }).waitFor();
  },
);

/** A stored file, as an earlier upload leaves it. */
async function store(page: Page, name: string): Promise<void> {
  const file = { name, mimeType: 'text/csv', buffer: Buffer.from(tableOf(60)) };
  const stored = await page.request.post(`${browser.url}/api/storage`, {
    headers: { authorization: await browser.token('manager') },
    multipart: { file },
  });
  expect(stored.status()).toBe(201);
}

test.each(widths(1280))('a stored table is entered by keyboard alone (%i px)', async (width) => {
  const before = await balance();
  const page = await browser.page(wide(width));
  const name = `keyboard-${width}.csv`;
  await store(page, name);
  await browser.signIn(page, 'manager');
  await page.goto(`${browser.url}/balance/billings`);
  await press(page, /^Bulk operation/);
  const dialog = dialogOf(page);
  await dialog.getByRole('button', { name }).waitFor();
  await press(page, new RegExp(`^${name}`));
  await dialog.getByRole('heading', { name: 'Columns' }).waitFor();
  await press(page, /^Check/);
  await dialog.getByText('Rows to enter: 2 of 4').waitFor();
  await press(page, /^Enter 2 rows/);
  await page.getByRole('dialog', { name: 'Change balances?' }).waitFor();
  await press(page, /^Change balances/);
  await dialog.getByText('Rows entered: 2, refused: 0.').waitFor();
  expect(await balance()).toBe(before + 40);
});

test('a customer and a reseller are not offered bulk operations', async () => {
  for (const who of ['customer', 'reseller']) {
    const page = await browser.page();
    await browser.signIn(page, who);
    await page.goto(`${browser.url}/balance/billings`);
    await page.getByRole('heading', { name: 'Ledger' }).waitFor();
    await page.getByRole('button', { name: 'Report', exact: true }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Bulk operation' }).count()).toBe(0);
  }
});
