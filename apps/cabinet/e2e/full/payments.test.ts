import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectFocus, press, tabTo } from '../keys.ts';
import { expectAccessible, TestBrowser, wide, widths } from '../test-browser.ts';
import { expectUsable } from '../usable.ts';
import { acceptAndPay, atSandbox, payWith, startTopUp } from './top-up.ts';

let browser: TestBrowser;
beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser.close());

async function balance(): Promise<number> {
  const { rows } = await browser.db.query<{ balance: number }>(
    `select b.balance::float8 as balance from balances b join users u on u.id = b.owner_id where u.username = 'customer'`,
  );
  return rows[0]!.balance;
}
const formatted = (sum: number) =>
  new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(
    sum,
  );
const balanceOn = (page: Page) => page.getByRole('region', { name: 'Balance' });

test.each(widths(1280))(
  'top up through the sandbox, be declined, abandon and come back, by keyboard alone (%i px)',
  async (width) => {
    const before = await balance();
    const watching = await browser.signedIn('customer', wide(width));
    await watching.goto(`${browser.url}/balance/payments`);
    await balanceOn(watching).getByText(formatted(before)).first().waitFor();
    const page = await browser.signedIn('customer', wide(width));
    await startTopUp(page, browser, 500);
    await expect
      .poll(() => page.getByRole('button', { name: 'Pay', exact: true }).isDisabled())
      .toBe(true);
    await expectUsable(browser, page, 'payments-top-up');
    await acceptAndPay(page);
    await expectAccessible(page);
    await payWith(page, 'Paid at once');
    await page.getByText('Payment accepted').waitFor();
    await page.getByText('Completed').first().waitFor();
    await expectUsable(browser, page, 'payments-page');
    // The other page was not touched.
    await balanceOn(watching)
      .getByText(formatted(before + 500))
      .first()
      .waitFor();
    expect(await balance()).toBe(before + 500);

    await startTopUp(page, browser, 501);
    await acceptAndPay(page);
    await payWith(page, 'Declined by the bank');
    await page.getByText('Payment not completed').waitFor();
    await page.getByText('Failed').first().waitFor();

    await startTopUp(page, browser, 502);
    await acceptAndPay(page);
    await press(page, /^Return without paying$/);
    await page.getByText('Payment not completed').waitFor();
    await page.getByText('Awaiting payment').first().waitFor();
    await expectUsable(browser, page, 'payments-abandoned');
    expect(await balance()).toBe(before + 500);
    expect(browser.consoleErrors).toEqual([]);
  },
  240_000,
);

/** The time of the next charge comes. */
async function makeDue(page: Page): Promise<void> {
  await browser.db.query(`update recurrent_payments set next_at = now() where id = $1`, [
    new URL(page.url()).searchParams.get('id'),
  ]);
}

test.each(widths(1280))(
  'a recurring payment is set up, fails, recovers with another card, charges, and is paused, by keyboard alone (%i px)',
  async (width) => {
    const page = await browser.signedIn('customer', wide(width));
    await page.goto(`${browser.url}/balance/recurrentPayments`);
    await page.getByRole('heading', { level: 1, name: 'Recurring payments' }).waitFor();
    await press(page, /^New recurring payment$/);
    await page.getByRole('dialog', { name: 'New recurring payment' }).waitFor();
    await tabTo(page, /^When to charge/);
    await page.keyboard.type('Reg');
    await tabTo(page, /^How often/);
    await page.keyboard.type('Every day');
    await expectUsable(browser, page, 'recurring-form');
    await press(page, /^Continue to payment$/);
    await atSandbox(page);
    await payWith(page, 'later charges of the saved card are declined');
    await page.getByText('Payment accepted').waitFor();

    await page.goto(`${browser.url}/balance/recurrentPayments`);
    await press(page, /every day$/);
    const detail = page.getByRole('dialog', { name: 'Recurring payment' });
    await detail.getByText('Active').waitFor();
    await expectUsable(browser, page, 'recurring-detail');
    // The open page follows the charges.
    for (const failures of ['1', '2']) {
      await makeDue(page);
      await detail
        .getByRole('definition')
        .filter({ hasText: new RegExp(`^${failures}$`) })
        .waitFor();
    }
    await makeDue(page);
    await detail.getByText('Failed', { exact: true }).waitFor();
    await expectUsable(browser, page, 'recurring-failed');

    await press(page, /^Confirm a card$/);
    await atSandbox(page);
    await payWith(page, 'Paid at once');
    await page.getByText('Payment accepted').waitFor();
    await page.goto(`${browser.url}/balance/recurrentPayments`);
    await press(page, /every day$/);
    await detail.getByText('Active').waitFor();
    const before = await balance();
    await makeDue(page);
    await expect.poll(balance).toBeGreaterThan(before);
    await press(page, /^History of charges$/);
    await page.waitForURL(/RecurrentPaymentId=/);
    await expect.poll(() => page.locator('[data-row]').count()).toBe(6);
    await expect
      .poll(() => page.locator('[data-row]').filter({ hasText: 'Failed' }).count())
      .toBe(3);

    await page.goBack();
    await detail.waitFor();
    await tabTo(page, /^Charge the card$/);
    await page.keyboard.press('Space');
    await detail.getByText('Paused').first().waitFor();
    await expectFocus(page, /^Charge the card$/);
    expect(browser.consoleErrors).toEqual([]);
  },
  240_000,
);
