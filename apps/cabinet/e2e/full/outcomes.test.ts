import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { misfits } from '../fit.ts';
import { entry, expectAccessible, TestBrowser, wide, widths } from '../test-browser.ts';

let browser: TestBrowser;
let token: string;

beforeAll(async () => {
  browser = await TestBrowser.open();
  token = await browser.token('customer2');
});
afterAll(() => browser.close());

const SMS = { type: 'sms', payload: { sender: 'BEANBAR', text: 'By SMS' } };
const bulk = async (title: string, recipient: string[], more: object = {}) => {
  const body = {
    type: 'viber',
    payload: { sender: 'BEANBAR', text: 'Your tea is ready' },
    recipient,
    options: { title },
    ...more,
  };
  return (await browser.call('POST', '/sendings', body, token)).id!;
};

interface Counters {
  completed: number;
  errored: number;
  cancelled: number;
}
const countersOf = async (id: string) =>
  (await browser.call<{ meta: { counters: Counters } }>('GET', `/tasks/${id}`, undefined, token))
    .meta.counters;
const lastDay = async () =>
  (
    await browser.call<{ days: Record<string, number>[] }>('GET', '/summary', undefined, token)
  ).days.at(-1)!;

async function whole(page: Page): Promise<void> {
  await expectAccessible(page);
  expect(await misfits(page)).toEqual([]);
}

test.each(widths(390))(
  'a message delivered by its fallback is shown as delivered and offers no resend: %i wide',
  async (width) => {
    const title = `Saved ${width}`;
    // Delivered by the fallback to SMS; by no channel; at once.
    const [saved, lost, direct] = ['+79990000008', '+79990000002', '+79990000000'] as const;
    const id = await bulk(title, [saved, lost, direct], {
      fallbacks: [{ ...SMS, options: { onStatus: ['failed'] } }],
    });
    const page = await browser.signedIn('customer2', wide(width));
    await expect
      .poll(() => countersOf(id), { timeout: 30_000 })
      .toMatchObject({ completed: 2, errored: 1, cancelled: 0 });

    await page.goto(`${browser.url}/messages/outgoing?groupId=${id}`);
    const first = entry(page, saved, 'Viber');
    await first.getByText('Delivered', { exact: true }).waitFor();
    await first.getByText('This attempt: Failed').waitFor();
    await whole(page);
    await first.getByRole('link').first().click();
    const drawer = page.getByRole('dialog', { name: /Message/ });
    await drawer.getByText('Another attempt reached the recipient.').waitFor();
    await drawer.getByText('The recipient is not a user of this messenger.').waitFor();
    await expect.poll(() => drawer.getByText('Why it failed').count()).toBe(0);
    await expect
      .poll(() => drawer.getByRole('button', { name: /another channel/ }).count())
      .toBe(0);
    await whole(page);
    await browser.picture(page, `outcome-saved-${width}`);
    await drawer.getByRole('link', { name: 'Attempt 2: SMS' }).click();
    await drawer.getByRole('link', { name: 'Attempt 1: Viber' }).waitFor();
    await expect
      .poll(() => drawer.getByText('Another attempt reached the recipient.').count())
      .toBe(0);

    await page.goto(`${browser.url}/messages/tasks?id=${id}`);
    const task = page.getByRole('dialog', { name: title });
    await task.getByText('Delivered 2 · failed 1').waitFor();
    await task.getByText('Why recipients were not reached').waitFor();
    await task.getByText('1 more attempt failed').waitFor();
    await expect.poll(() => task.getByText('not a user').count()).toBe(0);
    await whole(page);
    await browser.picture(page, `outcome-task-${width}`);
    await task.getByRole('link', { name: 'Show these numbers' }).click();
    await page.getByText('Outcome: Failed').waitFor();
    await entry(page, lost).waitFor();
    await expect.poll(() => page.locator('[data-row]').count()).toBe(1);
    await entry(page, lost).getByRole('link').first().click();
    await drawer.getByText('Why it failed').waitFor();
    await drawer.getByRole('button', { name: /^Send (again|through another channel)$/ }).waitFor();
    expect(browser.consoleErrors).toEqual([]);
  },
);

test.each(widths(390))(
  'stopping a paused task shows submitted and refunded messages first and cancels the rest: %i wide',
  async (width) => {
    const title = `Ended ${width}`;
    const before = await lastDay();
    // The carrier reports nothing about the first; the others are due hours later.
    const others = Array.from(
      { length: 29 },
      (_, n) => `+7902${String(width).padStart(4, '0')}${100 + n}`,
    );
    const id = await bulk(title, ['+79990000004', ...others], {
      schedule: { delay: 0, until: 12 },
    });
    const page = await browser.signedIn('customer2', wide(width));
    await page.goto(`${browser.url}/messages/tasks?id=${id}`);
    const task = page.getByRole('dialog', { name: title });
    await task.getByText(/^Spread until \w+/).waitFor();
    await expect.poll(() => task.getByText(/0 per minute/).count()).toBe(0);
    // One is submitted, and its outcome stays open.
    const keep = `update batches set expires_at = now() + interval '1 hour' where task_id = $1 and stage = 3`;
    await expect
      .poll(async () => (await browser.db.query(keep, [id])).rowCount, { timeout: 30_000 })
      .toBe(1);
    await task.getByRole('button', { name: `Pause “${title}”` }).click();
    await task.getByText('Paused', { exact: true }).waitFor();
    await task.getByText('1 message was passed to the carrier before the pause').waitFor();
    await whole(page);
    await browser.picture(page, `outcome-paused-${width}`);

    await task.getByRole('button', { name: `Stop “${title}”` }).click();
    const question = page.getByRole('dialog', { name: `Stop “${title}”?` });
    const text = question.getByText(/have not been passed to the carrier/);
    const said = (await text.textContent())!;
    expect(said).toMatch(/^29 messages .* ₽[\d,.]+ will return/);
    expect(said).toMatch(/1 message is already with the carrier and cannot be recalled/);
    await whole(page);
    await browser.picture(page, `outcome-question-${width}`);
    await question.getByRole('button', { name: `Stop “${title}”` }).click();
    await question.waitFor({ state: 'hidden' });
    await task.getByText('Stopped', { exact: true }).waitFor();
    await task.getByText('Cancelled 29').waitFor();
    await task.getByText('Delivered 0 · failed 0').waitFor();
    await expect.poll(() => task.getByText('Why recipients were not reached').count()).toBe(0);
    await whole(page);
    await browser.picture(page, `outcome-stopped-${width}`);

    await page.goto(`${browser.url}/messages/outgoing?groupId=${id}&outcome=cancelled`);
    await entry(page, 'Cancelled').waitFor();
    await expect.poll(() => page.getByText('This attempt: Failed').count()).toBe(0);
    await page.goto(browser.url);
    await page.getByText(/not delivered, cancelled: /).waitFor();
    await whole(page);
    const after = await lastDay();
    expect(after.cancelled! - before.cancelled!).toBe(29);
    expect(after.failed).toBe(before.failed);
    expect(browser.consoleErrors).toEqual([]);
  },
);
