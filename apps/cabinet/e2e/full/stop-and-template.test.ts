import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectAccessible, TestBrowser } from '../test-browser.ts';
import { chooseSender } from '../choose-sender.ts';

let browser: TestBrowser;

beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser.close());

test('stopping a task shows the cancelled messages and their refund first', async () => {
  const page = await browser.page();
  await browser.signIn(page, 'customer2');
  const { rows: lists } = await browser.db.query(
    `select l.id from contact_lists l join users u on u.id = l.owner_id where u.username = 'customer2' and l.title = 'Regulars'`,
  );
  const sending = {
    type: 'viber',
    payload: { sender: 'BEANBAR', text: 'Your tea is ready' },
    recipient: { include: [lists[0].id] },
    schedule: { delay: 0, until: 12 },
    options: { title: 'Slow week' },
  };
  const { id } = await browser.call('POST', '/sendings', sending, await browser.token('customer2'));
  await page.goto(`${browser.url}/messages/tasks?id=${id}`);
  const details = page.getByRole('dialog', { name: 'Slow week' });
  await details
    .getByText(/per minute|Spread until/)
    .first()
    .waitFor();
  await expectAccessible(page);
  await details.getByRole('button', { name: 'Stop “Slow week”' }).click();
  const question = page.getByRole('dialog', { name: 'Stop “Slow week”?' });
  const said = await question.getByText(/have not been passed to the carrier/).textContent();
  expect(said).toMatch(/^\d+ messages .* ₽[\d,.]+ will return/);
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Stop “Slow week”' }).click();
  await question.waitFor({ state: 'hidden' });
  await details.getByText('Stopped', { exact: true }).waitFor();
  // Cancelled messages are not counted as failed.
  await details.getByText(/^Cancelled \d+/).waitFor();
  await expect.poll(() => details.getByText('Why recipients were not reached').count()).toBe(0);
  await details.getByRole('link', { name: 'Messages of “Slow week”' }).click();
  await page.getByText('Messages of “Slow week”', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Back to the campaign' }).waitFor();
  await page
    .getByRole('row', { name: /Cancelled/ })
    .first()
    .waitFor();
  expect(browser.consoleErrors).toEqual([]);
});

test('a template is created and can be used once the reseller has approved it', async () => {
  const page = await browser.page();
  await browser.signIn(page, 'customer2');
  await page.goto(`${browser.url}/messages/templates`);
  // Only the empty list has the button.
  await page.getByRole('button', { name: 'Create a template' }).click();
  const drawer = page.getByRole('dialog', { name: 'New template' });
  await drawer.getByRole('button', { name: 'Create' }).click();
  // The title is required and has the focus.
  await expect
    .poll(() => drawer.getByLabel(/^Title/).evaluate((e) => e === document.activeElement))
    .toBe(true);
  await page.keyboard.type('Winter');
  await chooseSender(drawer, 'BEANBAR');
  await drawer.getByLabel(/^Text/).fill('{firstName|Friend}, winter tea is here');
  await drawer.getByText('‹firstName›, winter tea is here').waitFor();
  // A placeholder for operators is inserted from the menu and not sent.
  await drawer.getByLabel(/^Text/).press('End');
  await drawer.getByRole('button', { name: 'Variable' }).click();
  await page.keyboard.type('digits');
  await drawer.getByRole('option', { name: /%d\{1,10\}/ }).click();
  await drawer.getByText('‹firstName›, winter tea is here‹%d›').waitFor();
  await drawer.getByText(/for registering a template with an operator/).waitFor();
  await drawer.getByLabel(/^Text/).fill('{firstName|Friend}, winter tea is here');
  await expectAccessible(page);
  await drawer.getByRole('button', { name: 'Create' }).click();
  await drawer.waitFor({ state: 'hidden' });
  const row = page.getByRole('row', { name: /Winter/ });
  await row.getByText('Under review').waitFor();

  const other = await browser.page();
  await browser.signIn(other, 'reseller');
  await other.goto(`${browser.url}/messages/templates?q=Winter`);
  await other.getByRole('link', { name: 'Winter' }).click();
  await other.getByRole('button', { name: 'Approve' }).click();
  await other.getByText('Template “Winter” approved').waitFor();

  // The decision arrives over the socket.
  await row.getByText('Approved').waitFor();
  const use = row.getByRole('button', { name: 'Send with “Winter”' });
  await expect.poll(() => use.isEnabled()).toBe(true);

  // Other parts than the text are edited in the wizard.
  await row.getByRole('link', { name: 'Winter' }).click();
  await page.getByRole('link', { name: 'Edit in the send form' }).click();
  await page.getByText('You are using the template “Winter”.').waitFor();
  await page.getByRole('button', { name: 'Add a fallback' }).click();
  const fallback = page.getByRole('group', { name: /Fallback 1/ });
  await chooseSender(fallback, 'BEANBAR');
  await fallback.getByRole('textbox', { name: /^Text/ }).fill('Winter tea');
  await page.getByRole('button', { name: 'Save changes to “Winter”' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save changes to “Winter”' });
  await dialog.getByText(/will be moderated again/).waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Template “Winter” saved.').waitFor();
  await page.getByRole('button', { name: 'Save changes to “Winter”' }).click();
  await dialog.getByText(/nothing to save/).waitFor();
  await page.keyboard.press('Escape');
  await page.goto(`${browser.url}/messages/templates`);
  await row.getByText('Under review').waitFor();
  await row.getByRole('link', { name: 'Winter' }).click();
  await page.getByRole('dialog', { name: 'Winter' }).getByText('Fallbacks').waitFor();
  expect(browser.consoleErrors).toEqual([]);
});

test('a template says the same in another language, and what it said before is put back', async () => {
  const page = await browser.page();
  await browser.signIn(page, 'customer2');
  const { id } = await browser.call(
    'POST',
    '/templates',
    { title: 'Collection', type: 'sms', payload: { sender: 'BEANBAR', text: 'Ready: {order}' } },
    await browser.token('customer2'),
  );
  await page.goto(`${browser.url}/messages/templates?id=${id}`);
  const drawer = page.getByRole('dialog', { name: 'Collection' });
  const text = drawer.getByLabel('Text', { exact: true }).first();
  await text.fill('Collect {order}, {firstName|friend}');
  await drawer.getByText(/^Only programs give values for {order}\./).waitFor();
  await drawer.getByRole('combobox', { name: 'Add a language' }).fill('Germ');
  await page.getByRole('option', { name: 'German' }).click();
  const german = drawer.getByRole('group', { name: 'German' });
  await german.locator('textarea:focus').fill('Abholen: {order|}');
  await expectAccessible(page);
  await drawer.getByRole('button', { name: 'Save' }).click();
  await drawer.waitFor({ state: 'hidden' });
  await page.getByRole('row', { name: /Collection/ }).click();
  await drawer.getByText('Earlier versions').click();
  const former = drawer.getByRole('listitem').filter({ hasText: 'Version 1' });
  await former.getByText('Ready: {order}').waitFor();
  await expectAccessible(page);
  await former.getByRole('button', { name: 'Put back version 1' }).click();
  const question = page.getByRole('dialog', { name: 'Put back version 1?' });
  await question.getByRole('button', { name: 'Put back' }).click();
  await question.waitFor({ state: 'hidden' });
  await expect.poll(() => text.inputValue()).toBe('Ready: {order}');
  await drawer.getByRole('listitem').filter({ hasText: 'Version 2' }).waitFor();
  await expect.poll(() => german.count()).toBe(0);
  expect(browser.consoleErrors).toEqual([]);
});
