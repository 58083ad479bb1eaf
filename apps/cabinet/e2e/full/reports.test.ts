import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectFocus, press, tabTo } from '../keys.ts';
import { entry, TestBrowser, wide } from '../test-browser.ts';
import { expectUsable } from '../usable.ts';
import { newcomer } from './screens.ts';

let browser: TestBrowser;
/** An account whose messages are those of this file. */
let username: string;
const ROWS = 100_000;

beforeAll(async () => {
  browser = await TestBrowser.open();
  username = await newcomer(browser);
  await browser.db.query(
    `with owner as (select id from users where username = $2), batch as (
       insert into batches (owner_id, channel, type, priority, stage, size, first_id, last_id, due_at, closed_at)
       select id, 'simulator', 1, 1, 3, 1, uuidv7(), uuidv7(), now(), now() from owner returning id)
     insert into sendings (id, owner_id, batch_id, type, segments, status, outcome, amount, sender, phone, body, delivered_at)
     select uuidv7(-n * interval '1 millisecond'), owner.id, batch.id, 1, 1, 3, 1, 1.5, 'TEA',
            '+7916' || lpad(n::text, 7, '0'), 'Чай «Ассам»; ' || n, now() from owner, batch, generate_series(1, $1) n`,
    [ROWS, username],
  );
});
afterAll(() => browser.close());

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'New report' });

/** By keyboard alone. */
async function request(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1, name: 'Reports' }).waitFor();
  await press(page, /^New report$/);
  await dialogOf(page).waitFor();
  await tabTo(page, /^Report/);
  await page.keyboard.type('Messages in detail');
  await press(page, /^Last hour$/);
  await press(page, /^Create report$/);
}

test.each([1280, 390])(
  'a report of 100,000 messages is made and opened by keyboard alone at %i',
  async (width) => {
    const page = await browser.page(wide(width));
    await browser.signIn(page, username);
    await page.goto(`${browser.url}/reports`);
    const download = page.waitForEvent('download');
    await request(page);
    const file = await (await download).path();
    const text = new TextDecoder().decode(await readFile(file));
    const lines = text.trimEnd().split('\r\n');
    expect(lines).toHaveLength(ROWS + 1);
    expect(lines[1]).toMatch(/;TEA;\+7916\d{7};"Чай «Ассам»; \d+";/);
    const dialog = dialogOf(page);
    await dialog.getByText('100,000 rows.').waitFor();
    if (width === 1280) await expectUsable(browser, page, 'report-finished');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await expectFocus(page);
    await entry(page, 'Messages in detail', 'Completed').first().waitFor();
    if (width === 1280) await expectUsable(browser, page, 'reports');
  },
);

test('a running report is cancelled', async () => {
  const page = await browser.page();
  await browser.signIn(page, username);
  await page.goto(`${browser.url}/reports`);
  const blocker = await browser.db.connect();
  try {
    await blocker.query('begin; lock table sendings in access exclusive mode');
    await request(page);
    await dialogOf(page).getByRole('button', { name: 'Cancel report' }).click();
    await dialogOf(page).getByText('Cancelled').waitFor();
    await expect
      .poll(() => dialogOf(page).getByRole('button', { name: 'Cancel report' }).count())
      .toBe(0);
  } finally {
    await blocker.query('rollback');
    blocker.release();
  }
});

test('a report is requested from the filtered list by keyboard alone', async () => {
  const page = await browser.page();
  await browser.signIn(page, username);
  await page.goto(`${browser.url}/messages/outgoing?f.status=failed`);
  await page.getByRole('button', { name: 'Report', exact: true }).focus();
  await page.keyboard.press('Enter');
  const dialog = dialogOf(page);
  await dialog.getByText('only the messages that match the filter').waitFor();
  await dialog.getByLabel('Report').focus();
  await page.keyboard.type('Messages by day');
  await dialog.getByRole('button', { name: 'Create report' }).focus();
  await page.keyboard.press('Enter');
  await dialog.getByText('No data for the period').waitFor();
  await expect.poll(() => dialog.getByRole('button', { name: 'Download' }).isEnabled()).toBe(true);
});
