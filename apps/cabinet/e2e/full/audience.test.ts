import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { entry, expectAccessible, TestBrowser, wide, WIDTHS } from '../test-browser.ts';
import { chooseSender } from '../choose-sender.ts';

let browser: TestBrowser;

beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser.close());

test.each(WIDTHS)(
  'a list is created from a link, imported with a corrected mapping, and its rejected rows are imported again: %i wide',
  async (width) => {
    const title = `Tea club ${width}`;
    const page = await browser.page(wide(width));
    await browser.signIn(page, 'customer');
    await page.goto(`${browser.url}/contacts?action=create`);
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/^Title/).fill(title);
    await expect.poll(() => new URL(page.url()).search).toBe('');
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('link', { name: title }).click();
    await page.getByRole('heading', { level: 1, name: title }).waitFor();

    const choose = async (csv: string) => {
      await page.getByRole('button', { name: 'Import', exact: true }).first().click();
      const buffer = Buffer.from(csv);
      const file = { name: 'club.csv', mimeType: 'text/csv', buffer };
      await page.locator('input[type=file]').setInputFiles(file);
      await page.getByText('Check where each column goes').waitFor();
    };
    await choose('A;Скидка;Имя\n+79161230001;10;Анна\nнет;5;Пётр\n+79161230003;7;Ольга\n');
    const confirm = page.getByRole('button', { name: 'Import contacts' });
    await expect.poll(() => confirm.isDisabled()).toBe(true);
    await page.getByLabel('Where the column “A” goes').selectOption('phone');
    await page.getByLabel('Where the column “Скидка” goes').selectOption('custom01');
    await expectAccessible(page);
    await confirm.click();
    await page.getByText('2 contacts imported').first().waitFor();
    const coming = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download the rejected rows' }).click();
    const rejected = await readFile((await (await coming).path())!, 'utf8');
    expect(rejected).toContain('нет;5;Пётр;3;phone');
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();

    await choose(rejected.replace('нет;', '+79161230002;'));
    await confirm.click();
    await page.getByText('1 contact imported').first().waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
    const { rows } = await browser.db.query(
      `select c.phone, c.first_name, c.custom->>'custom01' as discount from contacts c join contact_lists l on l.id = c.list_id
      where l.title = $1 order by c.phone`,
      [title],
    );
    expect(rows).toEqual([
      { phone: '+79161230001', first_name: 'Анна', discount: '10' },
      { phone: '+79161230002', first_name: 'Пётр', discount: '5' },
      { phone: '+79161230003', first_name: 'Ольга', discount: '7' },
    ]);

    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.getByRole('switch', { name: 'Edit in table' }).check();
    const name = page.getByLabel('First name of +79161230002');
    await name.fill('Павел');
    await name.press('Enter');
    await expect
      .poll(async () => {
        const found = await browser.db.query(
          `select first_name from contacts c join contact_lists l on l.id = c.list_id
          where c.phone = '+79161230002' and l.title = $1`,
          [title],
        );
        return found.rows[0].first_name;
      })
      .toBe('Павел');
    await page.getByRole('switch', { name: 'Edit in table' }).uncheck();
    // Cards have no checkbox that selects all rows.
    if (width > 600)
      await page.getByRole('checkbox', { name: 'Select all rows on the page' }).check();
    else
      for (const box of await page.locator('[data-row]').getByRole('checkbox').all())
        await box.check();
    await page.getByRole('button', { name: 'Delete selected' }).click();
    await page.getByRole('button', { name: 'Delete 3 contacts' }).click();
    await page.getByText('No contacts in this list yet').waitFor();
    expect(browser.consoleErrors).toEqual([]);
  },
);

test.each(WIDTHS)(
  'a sheet of a workbook is chosen, a long import tells how far it is, and the report says what was left out: %i wide',
  async (width) => {
    const title = `Old books ${width}`;
    const page = await browser.page(wide(width));
    await browser.signIn(page, 'customer');
    await page.goto(`${browser.url}/contacts?action=create`);
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/^Title/).fill(title);
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('link', { name: title }).click();
    await page.getByRole('heading', { level: 1, name: title }).waitFor();

    await page.getByRole('button', { name: 'Import', exact: true }).first().click();
    const workbook = new URL('../../../api/test/contacts.xls', import.meta.url);
    await page.locator('input[type=file]').setInputFiles(fileURLToPath(workbook));
    const sheet = page.getByLabel('Sheet', { exact: true });
    await sheet.waitFor();
    await expect.poll(() => sheet.inputValue()).toBe('Контакты');
    await expect
      .poll(() => page.getByLabel('Where the column “ФИО” goes').inputValue())
      .toBe('fullName');
    await sheet.focus();
    await sheet.selectOption('Другие');
    await page.getByLabel('Where the column “phone” goes').waitFor();
    // The selection is kept.
    expect(await sheet.evaluate((e) => e === document.activeElement)).toBe(true);
    const nothing = { columns: [], rows: [] };
    await page.route(
      '**/api/contacts/preview',
      async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, json: { ...(await response.json()), ...nothing } });
      },
      { times: 1 },
    );
    await sheet.selectOption('Контакты');
    await page.getByText('This sheet has no rows.').waitFor();
    await expect
      .poll(() => page.getByRole('button', { name: 'Import contacts' }).isDisabled())
      .toBe(true);
    await sheet.selectOption('Другие');
    await page.getByLabel('Where the column “phone” goes').waitFor();
    await sheet.selectOption('Контакты');
    await page.getByLabel('Where the column “ФИО” goes').waitFor();
    await expectAccessible(page);
    const confirm = page.getByRole('button', { name: 'Import contacts' });
    await confirm.click();
    await page.getByText('2 contacts imported').first().waitFor();
    for (const text of ['Комментарий', 'Not a date: 1', 'Unknown gender: 1'])
      await page.getByText(text, { exact: true }).waitFor();
    // A notification reports the end.
    await page
      .getByRole('status')
      .filter({ hasText: `Contacts imported${title}` })
      .waitFor();
    await expectAccessible(page);

    await page.getByRole('button', { name: 'Import another file' }).click();
    const rows = Array.from(
      { length: 40_000 },
      (_, i) => `7916${2_000_000 + i};${'x'.repeat(200)}`,
    );
    const buffer = Buffer.from(`phone;custom1\n${rows.join('\n')}\n79162000000;\n`);
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'many.csv', mimeType: 'text/csv', buffer });
    // However fast the import is, its answer comes when its progress was seen.
    const { promise: isSeen, resolve: see } = Promise.withResolvers<void>();
    await page.route(
      '**/api/contacts',
      async (route) => {
        const response = await route.fetch();
        await isSeen;
        await route.fulfill({ response });
      },
      { times: 1 },
    );
    await confirm.click();
    await page.getByRole('progressbar', { name: 'Progress of the import' }).waitFor();
    await page.getByText(/^Rows read: [\d,]+(, about [\d,]+ left|\. Saving…)$/).waitFor();
    see();
    await page.getByText('40,000 contacts imported').first().waitFor();
    await page.getByText('Repeated in the file').waitFor();
  },
);

test.each(WIDTHS)(
  'a sender name is requested, rejected with a reason by keyboard, requested again and approved: %i wide',
  async (width) => {
    const asked = `COFFEE${width}`;
    const customer = await browser.page(wide(width));
    await browser.signIn(customer, 'customer2');
    await customer.goto(`${browser.url}/settings/sendernames?create=sms`);
    const form = customer.getByRole('dialog');
    const name = form.getByLabel(/^Name/);
    await name.fill('КОФЕ');
    await form.getByText('Latin letters, digits and ! ? - _ . ( ), no spaces (not met)').waitFor();
    await name.fill(asked);
    await form.getByLabel('Company').fill('Beans LLC');
    const taxId = form.getByLabel('Tax ID');
    await taxId.fill('7700000001');
    await form.getByRole('button', { name: 'Send for moderation' }).click();
    await form.getByText('Check the INN').waitFor();
    await expect.poll(() => taxId.evaluate((e) => e === document.activeElement)).toBe(true);
    await taxId.fill('7700000009');
    await form.getByRole('button', { name: 'Send for moderation' }).click();
    await form.waitFor({ state: 'hidden' });

    const reseller = await browser.page(wide(width));
    await browser.signIn(reseller, 'reseller');
    await reseller.goto(`${browser.url}/settings/sendernames/queue`);
    const waiting = reseller.getByRole('heading', { level: 2 });
    await waiting.waitFor();
    await expectAccessible(reseller);
    while ((await waiting.first().textContent()) !== asked) {
      const before = await waiting.first().textContent();
      await reseller.getByRole('button', { name: 'Skip for now' }).click();
      await expect.poll(() => waiting.first().textContent()).not.toBe(before);
    }
    await reseller.getByRole('heading', { level: 1 }).click();
    await reseller.keyboard.press('r');
    const reason = reseller.getByLabel('Comment for the customer');
    await expect.poll(() => reason.evaluate((e) => e === document.activeElement)).toBe(true);
    await reason.fill('Which contract?');
    await reseller.getByLabel('Private comment').fill('Ask the lawyer');
    await reseller.getByRole('button', { name: 'Reject' }).click();
    await reseller.getByText(`“${asked}” rejected.`).waitFor();

    const row = entry(customer, asked);
    await row.getByText('Rejected').waitFor();
    await row.getByRole('link', { name: asked }).click();
    // The notification contains the reason, too.
    await form.getByText('Which contract?').first().waitFor();
    await expect.poll(() => customer.getByText('Ask the lawyer').count()).toBe(0);
    await customer.keyboard.press('Escape');
    await form.waitFor({ state: 'hidden' });
    await row.getByRole('button', { name: `Edit “${asked}”` }).click();
    await expect.poll(() => form.getByLabel('Tax ID').inputValue()).toBe('7700000009');
    await form.getByLabel('For the moderator').fill('Contract 12');
    await form.getByRole('button', { name: 'Save' }).click();
    await row.getByText('Under review').waitFor();

    await reseller.goto(`${browser.url}/settings/sendernames?q=${asked}`);
    await reseller.getByRole('link', { name: asked }).click();
    await reseller.getByRole('button', { name: 'Approve' }).click();
    await row.getByText('Approved').waitFor();
    expect(browser.consoleErrors).toEqual([]);
  },
);

test.each(WIDTHS)('the price shown for a number is the price billed: %i wide', async (width) => {
  const page = await browser.page(wide(width));
  await browser.signIn(page, 'customer2');
  await page.goto(`${browser.url}/tariffs`);
  await page.getByRole('link', { name: 'Standard' }).click();
  await page.getByText('if the channel is SMS and the operator is MTS (Russia).').waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await chooseSender(page, 'BEANBAR');
  await page.getByLabel(/^Phone number/).fill('8 902 100-00-07');
  await page.getByLabel('Text', { exact: true }).fill('Чай готов. '.repeat(10));
  const shown = page.locator('[aria-live=polite]', { hasText: 'Parts' });
  await shown.getByText('2', { exact: true }).waitFor();
  const price = Number(/[\d.]+/.exec(await shown.innerText())![0]);

  const token = await page.evaluate(() => localStorage.getItem('heliograph.token')!);
  const answer = await fetch(`${browser.url}/api/sendings`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: token },
    body: JSON.stringify({
      type: 'sms',
      recipient: '8 902 100-00-07',
      payload: { sender: 'BEANBAR', text: 'Чай готов. '.repeat(10) },
    }),
  });
  const { id } = (await answer.json()) as { id: string };
  const { rows } = await browser.db.query(`select -amount as amount from billings where id = $1`, [
    id,
  ]);
  expect(price).toBe(Number(rows[0].amount));
  expect(browser.consoleErrors).toEqual([]);
});

test.each(WIDTHS)(
  'a reseller tops up a customer’s account, signs in as the customer and returns: %i wide',
  async (width) => {
    const comment = `Bonus of the month ${width}`;
    const page = await browser.page(wide(width));
    await browser.signIn(page, 'reseller');
    await page.goto(`${browser.url}/users`);
    const own = page.getByRole('button', { name: 'Change the balance of reseller', exact: true });
    await expect.poll(() => own.isDisabled()).toBe(true);
    await expect
      .poll(() => page.getByRole('button', { name: 'Sign in as reseller', exact: true }).count())
      .toBe(0);
    await page
      .getByRole('button', { name: 'Change the balance of customer2', exact: true })
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Add to balance' }).click();
    await dialog.getByText(/^Enter an amount above 0/).waitFor();
    await dialog.getByLabel(/^Amount/).fill('250,50');
    await dialog.getByLabel('Comment').fill(comment);
    const after = dialog.locator('dd strong');
    const expected = Number((await after.innerText()).replaceAll(/[^\d.]/g, ''));
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Add to balance' }).click();
    await dialog.waitFor({ state: 'hidden' });
    const { rows } = await browser.db.query(
      `select m.balance, b.amount from balances m join users u on u.id = m.owner_id
       join billings b on b.owner_id = u.id and b.comment = $1 where u.username = 'customer2'`,
      [comment],
    );
    expect(rows.map((r) => [Number(r.balance), Number(r.amount)])).toEqual([[expected, 250.5]]);

    await page.getByRole('button', { name: 'Sign in as customer2', exact: true }).click();
    await page.getByText('You are acting as customer2. Signed in as reseller.').waitFor();
    await page.goto(`${browser.url}/users`);
    await page.getByRole('heading', { level: 1, name: 'Access denied' }).waitFor();
    await page.getByRole('button', { name: 'Return to my account' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor();
    expect(browser.consoleErrors).toEqual([]);
  },
);
