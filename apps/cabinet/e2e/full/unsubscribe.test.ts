import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectAccessible, TestBrowser } from '../test-browser.ts';

const STOPS = '+79990000009';

let browser: TestBrowser;

beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser.close());

test('who replies STOP appears in the list, and the next bulk leaves them out', async () => {
  const page = await browser.page();
  await browser.signIn(page, 'customer2');
  const token = await browser.token('customer2');
  const message = { type: 'viber', payload: { sender: 'BEANBAR', text: 'Your tea is ready' } };
  await page.goto(`${browser.url}/settings/suppressions`);
  await page.getByText('Nobody has unsubscribed').waitFor();
  await expectAccessible(page);
  await browser.call('POST', '/sendings', { ...message, recipient: STOPS }, token);
  // The row appears by itself.
  const row = page.getByRole('row', { name: /9990000009/ });
  await row.waitFor({ timeout: 30_000 });
  await row.getByText('Replied with a stop word').waitFor();
  await expectAccessible(page);

  const recipient = { include: [STOPS, '+79990000000'] };
  const options = { title: 'After the stop' };
  const { id } = await browser.call('POST', '/sendings', { ...message, recipient, options }, token);
  await page.goto(`${browser.url}/messages/tasks?id=${id}`);
  const details = page.getByRole('dialog', { name: 'After the stop' });
  await details
    .getByText(/unsubscribed/)
    .first()
    .waitFor();
  await expectAccessible(page);

  await page.goto(`${browser.url}/settings/suppressions`);
  await page.getByRole('button', { name: 'Words and confirmations' }).click();
  const words = page.getByRole('dialog', { name: 'Words and confirmations' });
  await words.getByLabel('Words that end messages').fill('STOP\nENOUGH');
  await expectAccessible(page);
  await words.getByRole('button', { name: 'Save' }).click();
  await words.waitFor({ state: 'hidden' });

  await page.getByRole('button', { name: 'Add' }).click();
  const add = page.getByRole('dialog', { name: 'Do not send to these recipients' });
  await add.getByLabel(/^Numbers or e-mail/).fill('+7 900 555-01-95\nguest@example.com\nnobody');
  await expectAccessible(page);
  await add.getByRole('button', { name: 'Add' }).click();
  await page.getByText('2 recipients added.').waitFor();
  // What is no address comes back, to be corrected.
  await add.getByText('Not recognised: 1.').waitFor();
  await expect.poll(() => add.getByLabel(/^Numbers or e-mail/).inputValue()).toBe('nobody');
  await add.getByRole('button', { name: 'Cancel' }).click();
  await add.waitFor({ state: 'hidden' });
  await page.getByRole('row', { name: /guest@example\.com/ }).waitFor();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  expect((await download).suggestedFilename()).toBe('unsubscribed.csv');

  await row.getByRole('button', { name: /^Allow messages to/ }).click();
  const question = page.getByRole('dialog', { name: /^Allow messages to/ });
  await question.getByRole('button', { name: /^Allow messages to/ }).click();
  await row.waitFor({ state: 'hidden' });
  expect(browser.consoleErrors).toEqual([]);
});
