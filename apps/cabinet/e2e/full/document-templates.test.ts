import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { press, tabTo } from '../keys.ts';
import { entry, TestBrowser, wide, WIDTHS } from '../test-browser.ts';
import { expectUsable } from '../usable.ts';

let browser: TestBrowser;

beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser.close());

const pdf = (page: Page) => page.getByRole('img', { name: /^Preview\. Page 1 of/ });
/** The picture of the preview, once it is painted. */
async function picture(page: Page, other = ''): Promise<string> {
  await pdf(page).waitFor();
  const read = () =>
    pdf(page).evaluate((canvas) => {
      const { width, height } = canvas as HTMLCanvasElement;
      const { data } = (canvas as HTMLCanvasElement)
        .getContext('2d')!
        .getImageData(0, 0, width, height);
      const dark = data.filter((value, i) => i % 4 === 0 && value < 128 && data[i + 3]! > 0);
      return dark.length ? (canvas as HTMLCanvasElement).toDataURL() : '';
    });
  await expect.poll(async () => !['', other].includes(await read())).toBe(true);
  return read();
}

test.each(WIDTHS)(
  'a manager edits a template; wrong variables are named with their place, and the preview changes (%i px)',
  async (width) => {
    const page = await browser.signedIn('manager', wide(width));
    await page.goto(`${browser.url}/documentTemplates`);
    if (width > 600) await expectUsable(browser, page, 'document-templates');
    await entry(page, 'Счёт на оплату', /Гелиограф$|Гелиограф»/)
      .getByRole('link')
      .first()
      .click();
    await page.getByRole('heading', { level: 1, name: 'Счёт на оплату' }).waitFor();
    await page.getByRole('button', { name: 'Show PDF' }).click();
    const before = await picture(page);
    if (width > 600) await expectUsable(browser, page, 'document-template');

    const heading = page.getByRole('group', { name: 'Block 3' }).getByLabel(/^Text/);
    await heading.fill('Счёт {nubmer}');
    await page.getByRole('button', { name: 'Refresh PDF' }).click();
    await page
      .getByText('Documents of this type have no variable {nubmer}: line 1, character 6.')
      .first()
      .waitFor();
    await heading.fill(`Счёт-оферта № {number} для ${width}`);
    await page.getByRole('button', { name: 'Refresh PDF' }).click();
    await picture(page, before);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/is saved\. Documents that were issued/).waitFor();
    expect(browser.consoleErrors).toEqual([]);
  },
);

test('a manager makes a template for a company, activates it and deletes the former one', async () => {
  const page = await browser.signedIn('manager');
  await page.goto(`${browser.url}/documentTemplates/create`);
  await page.getByLabel(/^Title/).fill('Short act');
  await page.getByRole('combobox', { name: /^Company/ }).click();
  await page.getByRole('option', { name: /Связь/ }).click();
  await page.getByLabel('Type').selectOption('act');
  await expectUsable(browser, page, 'document-template-create');
  await page.getByRole('button', { name: 'Delete block 4' }).click();
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { level: 1, name: 'Short act' }).waitFor();
  await page.getByText('Not in use').waitFor();
  await page.getByRole('button', { name: 'Use it' }).click();
  await page.getByText('In use', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Back to document templates' }).click();
  const former = entry(page, 'Акт', 'Not in use');
  await former.getByRole('button', { name: /^Delete/ }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Delete/ })
    .click();
  await former.waitFor({ state: 'detached' });
  expect(browser.consoleErrors).toEqual([]);
});

test('a company is added, corrected and deleted', async () => {
  const page = await browser.signedIn('manager');
  await page.goto(`${browser.url}/companies`);
  await entry(page, 'ООО «Гелиограф Связь»').waitFor();
  await expectUsable(browser, page, 'companies');
  await page.getByRole('button', { name: 'Add company' }).click();
  const form = page.getByRole('dialog', { name: 'New company' });
  const fields = {
    Name: 'Seller',
    'Full name': 'ООО «Продавец»',
    INN: '7700000009',
    Address: '101000, Москва',
    'Name of the bank': 'ПАО Сбербанк',
    BIK: '044525225',
    'Settlement account': '40702810200000012346',
    'Correspondent account': '30101810400000000225',
    'Full name of the signer': 'Орлова Марина Сергеевна',
    Position: 'Директор',
  };
  const field = (label: string) => form.getByLabel(new RegExp(`^${label}( \\*)?$`));
  for (const [label, value] of Object.entries(fields)) await field(label).fill(value);
  await form.getByRole('button', { name: 'Create' }).click();
  await form.getByText('The account does not match the BIK').first().waitFor();
  await expectUsable(browser, page, 'company-errors');
  await field('Settlement account').fill('40702810200000012345');
  await form.getByRole('button', { name: 'Create' }).click();
  const row = entry(page, 'Seller', 'All accounts');
  await row.waitFor();
  await row.getByRole('button', { name: /^Delete/ }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Delete/ })
    .click();
  await row.waitFor({ state: 'detached' });
  expect(browser.consoleErrors).toEqual([]);
});

test('a template is edited and previewed with the keyboard alone', async () => {
  const page = await browser.signedIn('manager');
  await page.goto(`${browser.url}/documentTemplates`);
  await entry(page, 'Договор').waitFor();
  await press(page, /^Договор$/);
  await page.getByRole('heading', { level: 1, name: 'Договор' }).waitFor();
  await tabTo(page, /^Text/);
  await page.keyboard.press('End');
  await page.keyboard.type(' {{приложение}}');
  await press(page, /^Show PDF$/);
  await picture(page);
  expect(browser.consoleErrors).toEqual([]);
});
