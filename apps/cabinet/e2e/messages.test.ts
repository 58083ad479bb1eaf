import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectAccessible, TestBrowser, wide, widths } from './test-browser.ts';
import { chooseSender } from './choose-sender.ts';

// Another account, since the other journeys count the messages of `customer`.
let browser: TestBrowser;

beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser.close());

/** A call of the API with the session of a page. */
const call = (page: Page, path: string, body: object) =>
  page.evaluate(
    async ([to, json]) => {
      const token = localStorage.getItem('heliograph.token')!;
      const answer = await fetch(`/api${to}`, {
        method: 'POST',
        headers: { authorization: token, 'content-type': 'application/json' },
        body: json,
      });
      return (await answer.json()) as { id: string };
    },
    [path, JSON.stringify(body)] as const,
  );

const SMS = { type: 'sms', payload: { sender: 'BEANBAR', text: 'Your tea is ready' } };

test.each(widths(390))(
  'a failed message shows the reason and is sent again by another channel at the price shown: %i wide',
  async (width) => {
    const page = await browser.page(wide(width));
    await browser.signIn(page, 'customer2');
    // By their test numbers one is delivered and one always fails.
    await call(page, '/sendings', { ...SMS, recipient: '+79990000000' });
    const { id: first } = await call(page, '/sendings', { ...SMS, recipient: '+79990000002' });
    const since = new Date(Date.now() - 86_400_000).toISOString();
    await page.goto(`${browser.url}/messages/outgoing?type=sms&createdAt[$gt]=${since}`);
    // The query of a link becomes the filter of the list.
    await page.getByText('Channel: SMS').waitFor();
    expect(page.url()).not.toMatch(/[?&]type=/);
    const failed = page
      .locator(`[data-row]:has(a[href*="${first}"])`)
      .filter({ hasText: /\+79990000002.*Failed/ });
    await failed.waitFor({ timeout: 30_000 });
    await failed.getByRole('link').press('Enter');
    const drawer = page.getByRole('dialog', { name: /Message/ });
    await drawer.getByText('Why it failed').waitFor();
    await expectAccessible(page);

    await drawer.getByRole('button', { name: 'Close' }).focus();
    await page.keyboard.press('ArrowRight');
    await drawer.getByText('+79990000000').waitFor();
    expect(new URL(page.url()).searchParams.get('id')).not.toBe(first);
    await page.keyboard.press('ArrowLeft');
    await drawer.getByText('+79990000002').waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get('id')).toBe(first);

    await drawer.getByRole('tab', { name: 'Timeline' }).click();
    await drawer.getByText('SMS: refunded').waitFor();
    await drawer.getByRole('tab', { name: 'API' }).click();
    await drawer.getByText(/curl 'http/).waitFor();
    await drawer.getByRole('tab', { name: 'Overview' }).click();

    await drawer.getByRole('button', { name: /^Send (again|through another channel)$/ }).click();
    const form = page.getByRole('dialog', { name: /Send again to/ });
    await form.getByLabel('Channel').selectOption({ label: 'Viber' });
    await chooseSender(form, 'BEANBAR');
    expect(await form.getByLabel('Text').inputValue()).toBe('Your tea is ready');
    const send = form.getByRole('button', { name: /^Send for / });
    await send.waitFor();
    await expectAccessible(page);
    const price = Number(/[\d.]+/.exec((await send.textContent())!)![0]);
    await send.click();
    await form.waitFor({ state: 'hidden' });
    const shown = () => new URL(page.url()).searchParams.get('id');
    await expect.poll(shown).toSatisfy((id) => id !== null && id !== first);
    const id = shown();
    const { rows } = await browser.db.query(
      `select s.phone, s.body, s.group_id, s.amount::float8 as amount from sendings s where id = $1`,
      [id],
    );
    expect(rows).toEqual([
      { phone: '+79990000002', body: 'Your tea is ready', group_id: null, amount: price },
    ]);
    expect(browser.consoleErrors).toEqual([]);
  },
  90_000,
);

test.each(widths(1280))(
  'a single message waits for its time, and is cancelled with a refund: %i wide',
  async (width) => {
    const page = await browser.page(wide(width));
    await browser.signIn(page, 'customer2');
    const sendAt = new Date(Date.now() + 86_400_000).toISOString();
    const waiting = { ...SMS, recipient: '+79990000000', sendAt };
    const { id } = await call(page, '/sendings', waiting);
    await page.goto(`${browser.url}/messages/outgoing?id=${id}`);
    const drawer = page.getByRole('dialog', { name: /^Message/ });
    await drawer.getByText(/^Waits until/).waitFor();
    await expectAccessible(page);
    await drawer.getByRole('button', { name: 'Cancel sending' }).click();
    const question = page.getByRole('dialog', { name: 'Cancel the message to +79990000000?' });
    const { rows: before } = await browser.db.query(
      `select amount::float8 as amount, status, group_id from sendings s where id = $1`,
      [id],
    );
    expect(before).toEqual([{ amount: expect.any(Number), status: null, group_id: null }]);
    await question.getByText(`₽${before[0].amount.toFixed(2)} will return`).waitFor();
    await expectAccessible(page);
    await question.getByRole('button', { name: 'Cancel sending' }).click();
    await question.waitFor({ state: 'hidden' });
    await drawer.getByText('The message was cancelled before the recipient was reached.').waitFor();
    await drawer.getByText(/^Refunded /).waitFor();
    await expect.poll(() => drawer.getByRole('button', { name: 'Cancel sending' }).count()).toBe(0);
    await drawer.getByRole('button', { name: 'Close' }).click();
    await page
      .locator(`[data-row]:has(a[href*="${id}"])`)
      .filter({ hasText: /Cancelled/ })
      .waitFor();
    expect(browser.consoleErrors).toEqual([]);
  },
  90_000,
);
