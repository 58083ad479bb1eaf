import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { press, tabTo, type } from '../keys.ts';
import { entry, TestBrowser, wide, WIDTHS } from '../test-browser.ts';
import { expectUsable } from '../usable.ts';
import { newcomer } from './screens.ts';

let browser: TestBrowser;

beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser.close());

const section = (page: Page, name: string) => page.getByRole('region', { name });
const field = (page: Page, name: string, within = '') =>
  (within ? section(page, within) : page).getByLabel(new RegExp(`^${name}( \\*)?$`)).first();
const card = (page: Page, name: string) => section(page, 'Signer').getByRole('group', { name });

/** Fills the company from its INN in the dialog. */
async function findCompany(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Find by INN' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(/^INN/).fill('7700000001');
  await page.keyboard.press('Enter');
  await dialog.getByText('The INN has a typo').waitFor();
  await dialog.getByLabel(/^INN/).fill('7700 000 009');
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Fill in' }).click();
  await dialog.waitFor({ state: 'hidden' });
}

test.each(WIDTHS)(
  'company details are filled in from INN and BIK, corrected, edited and deleted at %i px',
  async (width) => {
    const page = await browser.signedIn(await newcomer(browser), wide(width));
    await page.goto(`${browser.url}/account/requisites`);
    await page.getByText('No company details yet').waitFor();
    await page.getByRole('link', { name: 'Add company details' }).click();
    await findCompany(page);
    await expect
      .poll(() => field(page, 'Name', 'Organization').inputValue())
      .toBe('Чайный дом «Мирская»');
    await expect
      .poll(() =>
        card(page, 'Genitive')
          .getByLabel(/^Full name/)
          .inputValue(),
      )
      .toBe('Мирской Анны Сергеевны');
    await expect
      .poll(() =>
        card(page, 'Genitive')
          .getByLabel(/^Position/)
          .inputValue(),
      )
      .toBe('Генерального директора');

    const search = page.getByRole('combobox', { name: 'Find a bank' });
    await search.fill('044525225');
    await page.getByRole('option', { name: 'Сбербанк' }).click();
    await expect
      .poll(() => field(page, 'Correspondent account').inputValue())
      .toBe('30101810400000000225');
    await field(page, 'Settlement account').fill('40702810200000012346');
    await field(page, 'OGRN').fill('1267700000018');
    await page.keyboard.press('Enter');
    await page.getByText('The account does not match the BIK').waitFor();
    await page.getByText('The OGRN has a typo').waitFor();
    if (width > 600) await expectUsable(browser, page, 'requisites-errors');

    await field(page, 'Settlement account').fill('40702810200000012345');
    await field(page, 'OGRN').fill('1267700000017');
    await field(page, 'Last name').fill('Мирская');
    await field(page, 'First name').fill('Анна');
    await field(page, 'Phone', 'Contact').fill('8 (900) 555-01-03');
    await field(page, 'E-mail').fill('anna@tea.example');
    await card(page, 'Nominative')
      .getByLabel(/^Acts on/)
      .fill('Устав');
    await page.keyboard.press('Escape');
    await expect
      .poll(() =>
        card(page, 'Genitive')
          .getByLabel(/^Acts on/)
          .inputValue(),
      )
      .toBe('Устава');
    await expect.poll(() => field(page, 'City', 'Addresses').inputValue()).toBe('Москва');
    await field(page, 'E-mail').press('Enter');
    const row = entry(page, 'ООО Чайный дом «Мирская»', '7700000009', 'Without VAT');
    await row.waitFor();

    await row.getByRole('button', { name: /^Edit/ }).click();
    await page.getByLabel('Pays VAT').check();
    // A page that is loaded again keeps what was typed in this tab.
    page.on('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await page.getByText('What you typed and did not save is restored.').waitFor();
    await expect.poll(() => page.getByLabel('Pays VAT').isChecked()).toBe(true);
    await page.getByLabel('Pays VAT').press('Enter');
    await field(page, 'KPP').press('Enter');
    await page.getByText('is saved').first().waitFor();
    await page.getByRole('link', { name: 'Back to company details' }).click();
    const changed = entry(page, '7700000009', 'With VAT');
    await changed.waitFor();
    await changed.getByRole('button', { name: /^Delete/ }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Delete/ })
      .click();
    await page.getByText('No company details yet').waitFor();
    expect(browser.consoleErrors).toEqual([]);
  },
);

test.each(WIDTHS)(
  'company details are created and deleted with the keyboard alone at %i px',
  async (width) => {
    const page = await browser.signedIn(await newcomer(browser), wide(width));
    await page.goto(`${browser.url}/account/requisites`);
    await page.getByText('No company details yet').waitFor();
    await press(page, /^Add company details$/);
    await page.getByRole('heading', { level: 1, name: 'New company details' }).waitFor();
    await press(page, /^Find by INN$/);
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('770000000082');
    await page.keyboard.press('Enter');
    await page.getByText('ИП Зернов Борис Петрович').waitFor();
    await press(page, /^Fill in$/);
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await type(page, /^Last name/, 'Зернов');
    await type(page, /^First name/, 'Борис');
    await type(page, /^Phone/, '+79005550104');
    await type(page, /^E-mail/, 'boris@tea.example');
    await type(page, /^Acts on/, 'Свидетельство');
    await page.keyboard.press('Escape');
    await type(page, /^Find a bank/, '044525593');
    await page.getByRole('option', { name: 'Альфа' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await type(page, /^Settlement account/, '40802810600000000101');
    await page.keyboard.press('Enter');
    await entry(page, 'ИП Зернов Борис Петрович', '770000000082').waitFor();
    await tabTo(page, /^Delete/);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await press(page, /^Delete/);
    await page.getByText('No company details yet').waitFor();
    expect(browser.consoleErrors).toEqual([]);
  },
);

// A test of its own for each page: axe needs long for these forms on a busy machine.
test('the list without company details is usable', async () => {
  const page = await browser.signedIn(await newcomer(browser));
  await page.goto(`${browser.url}/account/requisites`);
  await page.getByText('No company details yet').waitFor();
  await expectUsable(browser, page, 'requisites-empty');
});

test('the list of the demo customer is usable', async () => {
  const page = await browser.signedIn('customer');
  await page.goto(`${browser.url}/account/requisites`);
  await entry(page, 'АНО «Музей самовара»').waitFor();
  await expectUsable(browser, page, 'requisites-list');
});

test('the form of company details of the demo customer is usable', async () => {
  const page = await browser.signedIn('customer');
  await page.goto(`${browser.url}/account/requisites`);
  await entry(page, 'АО «Зерно и обжарка»').getByRole('button', { name: /^Edit/ }).click();
  await page.getByRole('heading', { level: 1, name: 'Details of a company' }).waitFor();
  await page.getByText('АО «Зерно и обжарка»').waitFor();
  await expectUsable(browser, page, 'requisites-form');
});
