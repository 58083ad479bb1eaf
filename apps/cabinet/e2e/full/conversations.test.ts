import { afterAll, beforeAll, expect, test } from 'vitest';
import { entry, TestBrowser, wide, WIDTHS } from '../test-browser.ts';
import { expectUsable } from '../usable.ts';

let browser: TestBrowser;

beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser.close());

test.each(WIDTHS)(
  'a message arrives, is answered by keyboard, delivered and closed: %i wide',
  async (width) => {
    // The simulated carrier delivers to this number.
    const from = `+7900555${String(width).padStart(4, '0')}`;
    const token = await browser.token('customer');
    const write = (text: string) =>
      browser.call(
        'POST',
        '/sendingsIncoming',
        { type: 'viber', from, to: 'MIRTEA', payload: { text } },
        token,
      );
    const page = await browser.signedIn('customer', wide(width));
    await page.goto(`${browser.url}/messages/conversations`);
    await page.locator('[data-row]').first().waitFor();
    if (width > 600) await expectUsable(browser, page, 'conversations-list');

    // The row appears by itself, in front.
    await write('Are you open today?');
    const row = entry(page, from);
    await row.getByText('Are you open today?').waitFor();
    await row.getByText('Waiting for an answer').waitFor();
    await row.getByRole('link').focus();
    await page.keyboard.press('Enter');
    const log = page.getByRole('log', { name: 'Messages' });
    await log.getByText('Are you open today?').waitFor();
    await write('Until nine?');
    await log.getByText('Until nine?').waitFor();

    const text = page.getByRole('textbox', { name: 'Reply' });
    await text.fill('Half a sen');
    await page.reload();
    await expect.poll(() => text.inputValue()).toBe('Half a sen');
    await text.fill('Yes, until nine.');
    await page.getByRole('button', { name: /^Send for/ }).waitFor();
    if (width > 600) await expectUsable(browser, page, 'conversation');
    // The messages scroll, not the page.
    const beyond = await page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
    expect(width > 600 ? beyond : 0).toBe(0);
    await text.press('Control+Enter');
    const sent = log.getByRole('listitem').filter({ hasText: 'Yes, until nine.' });
    await sent.getByText('Delivered').waitFor({ timeout: 30_000 });
    await expect.poll(() => text.inputValue()).toBe('');
    await expect.poll(() => sent.count()).toBe(1);
    await page.getByText('Answered').last().waitFor();

    await page.getByRole('button', { name: 'Close the conversation' }).click();
    await page.getByRole('button', { name: 'Reopen' }).waitFor();
    if (width < 600) {
      await page.getByRole('link', { name: 'Back to the conversations' }).click();
      await entry(page, from).waitFor();
    }
    await entry(page, from).getByText('Closed').waitFor();
    await entry(page, from).getByText('You: Yes, until nine.').waitFor();
    expect(browser.consoleErrors).toEqual([]);
  },
);
