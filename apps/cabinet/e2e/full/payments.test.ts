import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestBrowser, wide, widths } from '../test-browser.ts';
import { expectUsable } from '../usable.ts';

let browser: TestBrowser;
beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser.close());

/** From the balance page to the page of the acquirer. */
async function topUp(page: Page): Promise<void> {
  await page.goto(`${browser.url}/balance/payments?topUp=true`);
  const dialog = page.getByRole('dialog', { name: 'Top up' });
  await dialog.getByRole('button', { name: 'Individual' }).click();
  await dialog.getByRole('button', { name: 'Bank card' }).click();
  await dialog.getByLabel(/^Amount/).fill('500');
  expect(await dialog.getByRole('button', { name: 'Pay' }).isDisabled()).toBe(true);
  await dialog.getByLabel('I accept the offer').check();
  await expectUsable(browser, page, 'payments-top-up');
  await dialog.getByRole('button', { name: 'Pay' }).click();
  await page.getByRole('heading', { name: 'Sandbox payment' }).waitFor();
}

test.each(widths(1280))(
  'top up through the sandbox, be declined, abandon (%i px)',
  async (width) => {
    const page = await browser.signedIn('customer', wide(width));
    await topUp(page);
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.getByText('Payment accepted').waitFor();
    await page.getByText('Completed').first().waitFor();
    await expectUsable(browser, page, 'payments-page');

    await topUp(page);
    await page.getByLabel(/Declined by the bank/).check();
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.getByText('Payment not completed').waitFor();
    await page.getByText('Failed').first().waitFor();

    await topUp(page);
    await page.getByRole('link', { name: 'Return without paying' }).click();
    await page.getByText('Payment not completed').waitFor();
    await page.getByText('Awaiting payment').first().waitFor();
  },
  120_000,
);

test.each(widths(1280))(
  'a recurring payment is confirmed by its first payment and paused (%i px)',
  async (width) => {
    const page = await browser.signedIn('customer', wide(width));
    await page.goto(`${browser.url}/balance/recurrentPayments?create=true`);
    const dialog = page.getByRole('dialog', { name: 'New recurring payment' });
    await dialog.getByLabel('When to charge').selectOption('frequency');
    await dialog.getByLabel('How often').selectOption('daily');
    await expectUsable(browser, page, 'recurring-form');
    await dialog.getByRole('button', { name: 'Continue to payment' }).click();
    await page.getByRole('heading', { name: 'Sandbox payment' }).waitFor();
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.getByText('Payment accepted').waitFor();
    await page.goto(`${browser.url}/balance/recurrentPayments`);
    await page.getByText('every day').first().click();
    const detail = page.getByRole('dialog', { name: 'Recurring payment' });
    await expectUsable(browser, page, 'recurring-detail');
    await detail.getByRole('switch', { name: 'Charges are on' }).press('Space');
    await detail.getByText('Paused').first().waitFor();
  },
  120_000,
);
