import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectFocus, press, tabTo, type } from '../keys.ts';
import { entry, expectAccessible, TestBrowser, wide, WIDTHS } from '../test-browser.ts';
import { expectUsable } from '../usable.ts';
import { newcomer } from './screens.ts';
import { topUp } from './top-up.ts';

let browser: TestBrowser;

beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser.close());

async function choose(dialog: Locator, field: RegExp, option: RegExp): Promise<void> {
  await dialog.getByRole('combobox', { name: field }).click();
  await dialog.page().getByRole('option', { name: option }).click();
}

/** The first page of a document, painted. */
const painted = (page: Page) => page.getByRole('img', { name: /Page 1 of/ });

async function issue(page: Page, dialog: Locator, amount: string): Promise<string> {
  await choose(dialog, /^Company details/, /^ООО/);
  await choose(dialog, /^Supplier/, /Гелиограф/);
  await dialog.getByLabel(/^Amount/).fill(amount);
  await dialog.getByRole('button', { name: 'Issue the invoice' }).click();
  const shown = page.getByRole('dialog', { name: /^Invoice 2/ });
  await shown.waitFor();
  await painted(page).waitFor();
  return new URL(page.url()).searchParams.get('id')!;
}

test.each(WIDTHS)(
  'an invoice is issued, its PDF is looked at, and it is marked as paid, which adds to the balance (%i px)',
  async (width) => {
    const page = await browser.signedIn('customer', wide(width));
    await page.goto(`${browser.url}/balance/invoices?create=true`);
    const dialog = page.getByRole('dialog', { name: 'New invoice' });
    await dialog.getByRole('combobox', { name: /^Company details/ }).waitFor();
    if (width > 600) await expectUsable(browser, page, 'invoice-form');
    const id = await issue(page, dialog, '1234.5');
    if (width > 600) await expectUsable(browser, page, 'invoice');
    const balance = async () => {
      const [row] = (
        await browser.db.query(
          `select b.balance::float8 as balance from balances b join users u on u.id = b.owner_id where u.username = 'customer'`,
        )
      ).rows as { balance: number }[];
      return row!.balance;
    };
    const before = await balance();

    const manager = await browser.signedIn('manager', wide(width));
    await manager.goto(`${browser.url}/balance/invoices?id=${id}`);
    await manager.getByRole('button', { name: 'Mark as paid' }).click();
    const question = manager.getByRole('dialog', { name: /is paid\?|paid\?$/ });
    await question.getByText('1,234.50').waitFor();
    await question.getByRole('button', { name: 'Mark as paid' }).click();
    await manager.getByText(/is paid: /).waitFor();

    // The customer sees both without a reload.
    await page.getByRole('dialog').getByText('Paid').first().waitFor();
    expect(await balance()).toBe(before + 1234.5);
    const shown = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2 }).format(
      before + 1234.5,
    );
    await page.keyboard.press('Escape');
    if (width > 600) await page.getByRole('banner').getByText(shown).waitFor();
    expect(browser.consoleErrors).toEqual([]);
  },
);

test('an invoice is rejected with a reason, which the customer reads', async () => {
  const page = await browser.signedIn('customer');
  await page.goto(`${browser.url}/balance/invoices?create=true`);
  const id = await issue(page, page.getByRole('dialog', { name: 'New invoice' }), '10');
  const manager = await browser.signedIn('manager');
  await manager.goto(`${browser.url}/balance/invoices?id=${id}`);
  await manager.getByRole('button', { name: 'Reject' }).click();
  const dialog = manager.getByRole('dialog', { name: /^Reject invoice/ });
  await dialog.getByLabel('Reason').fill('<b>No contract</b>');
  await dialog.getByRole('button', { name: 'Reject' }).click();
  await page.getByRole('dialog').getByText('<b>No contract</b>').waitFor();
  await page.getByRole('dialog').getByText('Rejected').first().waitFor();
  expect(browser.consoleErrors).toEqual([]);
});

test('legal entities issue their invoice in the top-up dialog, after they have added their details', async () => {
  const page = await browser.signedIn('customer');
  await page.goto(`${browser.url}/balance/payments?topUp=true`);
  const dialog = page.getByRole('dialog', { name: 'Top up' });
  await dialog.getByRole('button', { name: 'Company' }).click();
  await dialog.getByRole('combobox', { name: /^Company details/ }).waitFor();
  await expectUsable(browser, page, 'top-up-legal');
  await dialog.getByRole('button', { name: 'Back' }).click();
  await dialog.getByRole('button', { name: 'Individual' }).waitFor();
  await dialog.getByRole('button', { name: 'Company' }).click();
  // Its document is downloaded, and its details are left open.
  const downloaded = page.waitForEvent('download');
  await issue(page, dialog, '1500');
  expect((await downloaded).suggestedFilename()).toMatch(/\.pdf$/);
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  // What opened the dialog was on another page.
  await expectFocus(page, /^Invoices$/);

  const empty = await browser.signedIn(await newcomer(browser));
  await empty.goto(`${browser.url}/balance/payments?topUp=legal`);
  await empty.getByRole('link', { name: 'Add company details' }).click();
  await empty.getByRole('heading', { level: 1, name: 'New company details' }).waitFor();
  await empty.getByRole('button', { name: 'Close' }).last().click();
  await empty.waitForURL(/\/balance\/payments\?topUp=legal$/);
  await empty.getByRole('dialog', { name: 'Top up' }).waitFor();
});

test.each(WIDTHS)(
  'an invoice is issued and marked as paid with the keyboard alone (%i px)',
  async (width) => {
    const page = await browser.signedIn('customer', wide(width));
    await page.goto(`${browser.url}/balance/invoices`);
    await entry(page, 'Rejected').waitFor();
    await press(page, /^Issue an invoice$/);
    await page.getByRole('dialog', { name: 'New invoice' }).waitFor();
    for (const [field, option] of [
      [/^Company details/, /АНО/],
      [/^Supplier/, /Гелиограф Связь/],
    ] as const) {
      await tabTo(page, field);
      await page.keyboard.press('ArrowDown');
      await page.getByRole('option', { name: option }).waitFor();
      // The newest requisites and the only supplier come first.
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
    }
    await tabTo(page, /^Amount/);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: /^Invoice ГС-2/ }).waitFor();
    await painted(page).waitFor();
    await expectFocus(page);

    const manager = await browser.signedIn('manager', wide(width));
    await manager.goto(page.url());
    await manager.getByRole('button', { name: 'Mark as paid' }).waitFor();
    await press(manager, /^Mark as paid$/);
    await manager.getByRole('dialog', { name: /paid\?$/ }).waitFor();
    await press(manager, /^Mark as paid$/);
    await manager.getByText(/is paid: /).waitFor();
    await expectFocus(manager);
    await expectAccessible(manager);
    await page.getByRole('dialog').getByText('Paid').first().waitFor();
    expect(browser.consoleErrors).toEqual([]);
  },
);

test.each(WIDTHS)('a contract is downloaded from company details (%i px)', async (width) => {
  const page = await browser.signedIn('customer', wide(width));
  await page.goto(`${browser.url}/account/requisites`);
  await entry(page, 'АО «Зерно и обжарка»')
    .getByRole('button', { name: /^Download contract of/ })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Download contract' });
  await choose(dialog, /^Contractor/, /Гелиограф/);
  if (width > 600) await expectUsable(browser, page, 'contract-download');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Download PDF' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^Договор .+\.pdf$/);
  await dialog.waitFor({ state: 'hidden' });
});

test.each(WIDTHS)(
  'a manager refunds a part of a payment by keyboard alone; the entry leads to it (%i px)',
  async (width) => {
    const page = await browser.signedIn('customer', wide(width));
    await topUp(page, browser, 700);
    await page.getByText('Completed').first().waitFor();

    const manager = await browser.signedIn('manager', wide(width));
    await manager.goto(`${browser.url}/balance/payments`);
    await entry(manager, '700.00', 'Completed').waitFor();
    // The newest row is the payment.
    await manager.keyboard.press('j');
    await manager.keyboard.press('Enter');
    const details = manager.getByRole('dialog', { name: 'Payment' });
    await details.getByText('700.00').first().waitFor();
    await type(manager, /^Amount to refund/, '120');
    await press(manager, /^Refund$/);
    await manager.getByRole('dialog', { name: /^Refund .*120\.00 to .+\?$/ }).waitFor();
    await press(manager, /^Refund$/);
    await details.getByText('Partly refunded').first().waitFor();
    if (width > 600) await expectUsable(browser, manager, 'payment-refunded');

    await page.goto(`${browser.url}/balance/billings`);
    await entry(page, '120.00').getByRole('link').first().click();
    await page.getByRole('dialog').getByRole('link', { name: 'Payment' }).click();
    await page
      .getByRole('dialog', { name: 'Payment' })
      .getByText('Partly refunded')
      .first()
      .waitFor();
    expect(browser.consoleErrors).toEqual([]);
  },
);
