import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SmtpSink } from '../../../../scripts/lib/smtp-sink.mjs';
import { press } from '../keys.ts';
import { entry, field, TestBrowser, wide, WIDTHS } from '../test-browser.ts';
import { expectUsable } from '../usable.ts';
import { newcomer } from './screens.ts';

const sink = new SmtpSink();
let browser: TestBrowser;

beforeAll(async () => {
  await sink.open(Number(process.env.E2E_SMTP_PORT));
  browser = await TestBrowser.open();
});
afterAll(async () => {
  await browser.close();
  sink.close();
});

const section = (page: Page) => page.getByRole('region', { name: 'Scheduled reports' });

/** A time zone in which it is about noon, so that the day does not change meanwhile. */
function noonZone(): string {
  const behind = new Date().getUTCHours() - 12;
  return `Etc/GMT${behind < 0 ? '' : '+'}${behind}`;
}

/** An account with a confirmed e-mail, which reports are announced to, and a message of yesterday. */
async function customer(): Promise<string> {
  const username = await newcomer(browser);
  await browser.db.query(
    `with owner as (
       update users set email_confirmed_at = now() where username = $1 returning id
     ), batch as (
       insert into batches (owner_id, channel, type, priority, stage, size, first_id, last_id, due_at, closed_at)
       select id, 'simulator', 1, 1, 3, 1, uuidv7(), uuidv7(), now(), now() from owner returning id
     )
     insert into sendings (id, owner_id, batch_id, type, segments, status, outcome, amount, sender, phone, body, delivered_at)
     select uuidv7(-interval '24 hours'), owner.id, batch.id, 1, 1, 3, 1, 1.5, 'TEA', '+79161234567', 'Tea', now()
       from owner, batch`,
    [username],
  );
  return username;
}

/** As if the time of the next run had come. */
const makeDue = (username: string) =>
  browser.db.query(
    `update report_schedules set next_run_at = now() - interval '1 second'
      where owner_id = (select id from users where username = $1)`,
    [username],
  );

test.each(WIDTHS)(
  'a scheduled report is made, announced by e-mail and downloaded at %i px',
  async (width) => {
    sink.emails = [];
    const username = await customer();
    const page = await browser.signedIn(username, {
      ...wide(width),
      timezoneId: noonZone(),
    });
    await page.goto(`${browser.url}/reports`);
    await section(page).getByRole('button', { name: 'Add schedule' }).click();
    const dialog = page.getByRole('dialog');
    await field(page, 'Report').selectOption('sendings.details');
    await field(page, 'How often').selectOption('weekly');
    await field(page, 'Day of the week').selectOption({ label: 'Wednesday' });
    await field(page, 'How often').selectOption('daily');
    await field(page, 'Time').selectOption('07:00');
    await field(page, 'Encoding').selectOption('utf8');
    if (width === 1280) await expectUsable(browser, page, 'schedule-dialog');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await section(page).getByText('Every day, for the day before').waitFor();
    const before = await section(page)
      .getByText(/^Next report:/)
      .innerText();
    if (width === 1280) await expectUsable(browser, page, 'schedules');

    await makeDue(username);
    // Without a reload.
    const row = entry(page, 'Messages in detail', 'Completed');
    await row.waitFor();
    await expect
      .poll(() =>
        section(page)
          .getByText(/^Next report:/)
          .innerText(),
      )
      .toBe(before);
    const address = `${username}@tea.example`;
    const announced = () =>
      sink.emails.filter(({ to, text }) => to[0] === address && text.includes('/reports'));
    await expect.poll(() => announced().length).toBe(1);
    expect(announced()[0]!.text).toContain('sendings.details_');
    const download = page.waitForEvent('download');
    await row.getByRole('button', { name: /^Download/ }).click();
    const file = await (await download).path();
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\r\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain(';TEA;+79161234567;Tea;');

    await section(page).getByRole('switch').click({ force: true });
    await section(page).getByText('Paused').waitFor();
    await section(page)
      .getByRole('button', { name: /^Delete/ })
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await section(page).getByText('Every day, for the day before').waitFor({ state: 'hidden' });
    expect(browser.consoleErrors).toEqual([]);
  },
);

test('a schedule is created by keyboard alone and appears in a second browser', async () => {
  const username = await customer();
  const second = await browser.signedIn(username);
  await second.goto(`${browser.url}/reports`);
  await section(second).getByRole('button', { name: 'Add schedule' }).waitFor();
  const page = await browser.signedIn(username);
  await page.goto(`${browser.url}/reports`);
  await section(page).getByRole('button', { name: 'Add schedule' }).waitFor();
  await press(page, /^Add schedule$/);
  await field(page, 'Report').focus();
  await page.keyboard.type('Messages by day');
  await press(page, /^Save$/);
  await section(page).getByText('Messages by day').waitFor();
  await section(second).getByText('Messages by day').waitFor();
  expect(browser.consoleErrors).toEqual([]);
});
