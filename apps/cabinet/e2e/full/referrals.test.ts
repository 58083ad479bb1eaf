import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestBrowser, wide, widths } from '../test-browser.ts';
import { press, tabTo } from '../keys.ts';
import { expectUsable } from '../usable.ts';
import { topUp } from './top-up.ts';

let browser: TestBrowser;
beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser.close());

test.each(widths(1280))(
  'a bonus arrives on the open page when the referred account tops up, by keyboard alone (%i px)',
  async (width) => {
    const page = await browser.signedIn('customer', wide(width));
    await page.goto(`${browser.url}/balance/referrals`);
    await page.getByText('registration?ref=MIRTEA10').waitFor();
    await page.getByText('Bonus for a payment').first().waitFor();
    await expectUsable(browser, page, 'referrals-bonuses');
    const payer = await browser.signedIn('customer2', wide(width));
    const bonus = width / 10;
    await topUp(payer, browser, width);
    await page
      .getByText(new RegExp(`\\b${bonus}\\.00`))
      .first()
      .waitFor();

    await tabTo(page, /^Bonuses$/);
    await page.keyboard.press('ArrowRight');
    await page.getByText('cu•••').first().waitFor();
    await page.getByText('Active', { exact: true }).first().waitFor();
    await expectUsable(browser, page, 'referrals-accounts');
    await expect.poll(() => page.getByText('customer2').count()).toBe(0);

    await press(page, /^QR code$/);
    const dialog = page.getByRole('dialog', { name: 'QR code' });
    await dialog.getByRole('img', { name: 'QR code of the sign-up link' }).waitFor();
    await expectUsable(browser, page, 'referrals-qr');
  },
);

test('the code is changed by keyboard alone, and its link fills the code of the registration', async () => {
  const page = await browser.signedIn('reseller', wide(1280));
  await page.goto(`${browser.url}/balance/referrals`);
  const field = page.getByLabel(/^Code/);
  await field.focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('SEDOV-26');
  await page.keyboard.press('Enter');
  await page.getByText('Code saved').waitFor();
  const link = page.getByText('registration?ref=SEDOV-26');
  await link.waitFor();
  const url = (await link.textContent())!;
  const visitor = await browser.page(wide(1280));
  await visitor.goto(url);
  await visitor.getByRole('button', { name: 'Sign up' }).waitFor();
  const draft = await visitor.evaluate(() => location.search);
  expect(draft).toBe('?ref=SEDOV-26');
});

test.each(widths(1280))('a spend cap is set with what is spent (%i px)', async (width) => {
  const page = await browser.signedIn('customer', wide(width));
  await page.goto(`${browser.url}/balance/billings?caps=true`);
  const dialog = page.getByRole('dialog', { name: 'Spend caps' });
  await dialog.getByLabel('Limit per day').fill('100');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Caps saved').waitFor();
  await page.getByRole('button', { name: 'Spend caps' }).click();
  await dialog.getByText(/^Today: .* of .*100\.00$/).waitFor();
  await expectUsable(browser, page, 'spend-caps');
  await dialog.getByLabel('Limit per day').fill('');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Caps saved').first().waitFor();
  await page.goto(`${browser.url}/balance/payments`);
  await page.getByRole('region', { name: 'Balance' }).waitFor();
  await expectUsable(browser, page, 'balance-panel');
});
