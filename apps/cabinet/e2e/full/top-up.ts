import type { Page } from 'playwright';
import { press, tabTo, type } from '../keys.ts';
import type { TestBrowser } from '../test-browser.ts';

/** By keyboard alone, from the payments to the form of a payment by card. */
export async function startTopUp(page: Page, browser: TestBrowser, amount: number): Promise<void> {
  await page.goto(`${browser.url}/balance/payments`);
  await page.getByRole('region', { name: 'Balance' }).waitFor();
  await press(page, /^Top up$/);
  await page.getByRole('dialog', { name: 'Top up' }).waitFor();
  await press(page, /^Individual$/);
  await press(page, /^Bank card$/);
  await type(page, /^Amount/, String(amount));
}

/** By keyboard alone, from that form to the payment page. */
export async function acceptAndPay(page: Page): Promise<void> {
  await tabTo(page, /^I accept the offer/);
  await page.keyboard.press('Space');
  await press(page, /^Pay$/);
  await atSandbox(page);
}

export const atSandbox = (page: Page) =>
  page.getByRole('heading', { name: 'Sandbox payment' }).waitFor();

/** By keyboard alone, pays with one of the test cards. */
export async function payWith(page: Page, card: string): Promise<void> {
  const radio = page.getByRole('radio', { name: card });
  await tabTo(page, /Paid at once$/);
  const cards = await page.getByRole('radio').count();
  for (let i = 0; i < cards && !(await radio.isChecked()); i++)
    await page.keyboard.press('ArrowDown');
  await press(page, /^Pay$/);
}

/** Tops up with the card that pays at once. */
export async function topUp(page: Page, browser: TestBrowser, amount: number): Promise<void> {
  await startTopUp(page, browser, amount);
  await acceptAndPay(page);
  await payWith(page, 'Paid at once');
  await page.getByText('Payment accepted').waitFor();
}
