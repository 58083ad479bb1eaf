import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFormats } from '../src/core/formats.ts';
import { chooseSender } from './choose-sender.ts';
import { entry, TestBrowser, wide, widths } from './test-browser.ts';
import { expectUsable } from './usable.ts';

const formats = createFormats('en', 'RUB');
let browser: TestBrowser;

beforeAll(async () => {
  browser = await TestBrowser.open();
  // Some fail at once and some get no report, so that fallbacks start by status and by timeout. Those without one end soon.
  await browser.db.query(`update channels set options = $1 where name = 'simulator'`, [
    {
      failed: 0.2,
      temporary: 0,
      silent: 0.2,
      seen: 0,
      replies: 0,
      expiresAfter: 8,
      sentDelay: [100, 300],
      deliveredDelay: [300, 1200],
    },
  ]);
});
afterAll(() => browser.close());

type Scope = Page | ReturnType<Page['getByRole']>;

async function choose(scope: Scope, label: string, option: string): Promise<void> {
  await scope
    .getByLabel(new RegExp(`^${label}`))
    .first()
    .selectOption({ label: option });
}

const sum = async (sql: string, values: unknown[] = []) =>
  Number((await browser.db.query(sql, values)).rows[0].sum);

const REJECTED = ['not a phone', '8 902', ''];

test.each(widths(1280))(
  'a customer signs in, imports 1,000 contacts, sends Viber with fallback to SMS and watches it finish: %i wide',
  async (width) => {
    const page = await browser.page(wide(width));
    await browser.signIn(page, 'customer');
    const { rows } = await browser.db.query(`select id from users where username = 'customer'`);
    const owner = rows[0].id as string;
    // Other journeys use the account, too, so balance and charges are read in one statement.
    const uncovered = () =>
      sum(
        `select balance - (select sum(amount) from billings where owner_id = $1 and status = 1) as sum
         from balances where owner_id = $1`,
        [owner],
      );
    expect(await uncovered()).toBe(0);

    await page.goto(`${browser.url}/contacts`);
    await page.getByRole('button', { name: 'Create a list' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/^Title/).fill(`Autumn ${width}`);
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await dialog.waitFor({ state: 'hidden' });
    const upload = async (csv: string) => {
      await entry(page, `Autumn ${width}`)
        .getByRole('button', { name: /Import/ })
        .click();
      const file = { name: 'contacts.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) };
      await page.locator('input[type=file]').setInputFiles(file);
      await page.getByRole('button', { name: 'Import contacts' }).click();
    };
    const people = Array.from({ length: 1000 }, (_, i) => {
      const phone = String(1000000 + i).replace(/(\d{3})(\d\d)(\d\d)$/, '$1-$2-$3');
      return `${REJECTED[i - 500] ?? `8 902 ${phone}`};Имя${i}`;
    });
    await upload(`Телефон;Имя\n${people.join('\n')}\n`);
    await page.getByText('997 contacts imported').first().waitFor();
    const coming = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download the rejected rows' }).click();
    const rejected = await readFile((await (await coming).path())!, 'utf8');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    const corrected = REJECTED.reduce(
      (csv, wrong, i) => csv.replace(`${wrong};Имя${500 + i}`, `8 902 100-05-0${i};Имя${500 + i}`),
      rejected,
    );
    await upload(corrected);
    await page.getByText('3 contacts imported').first().waitFor();
    await page.keyboard.press('Escape');

    await page.goto(`${browser.url}/send`);
    await page.getByRole('radio', { name: /^Viber/ }).check();
    await chooseSender(page, 'MIRTEA');
    await page.getByLabel(/^Text/).first().fill('Hello {firstName|friend}, tea is on sale');
    await page.getByRole('button', { name: 'Add a fallback' }).click();
    const fallback = page.getByRole('group', { name: 'Fallback 1' });
    await choose(fallback, 'Channel', 'SMS');
    await chooseSender(fallback, 'MIRTEA');
    await fallback.getByLabel(/^Text/).first().fill('Tea is on sale, {firstName|friend}');
    await fallback.getByRole('checkbox', { name: 'Failed' }).first().check();
    await fallback.getByLabel('Seconds after the previous attempt').fill('3');
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    await page.getByRole('checkbox', { name: new RegExp(`^Autumn ${width}`) }).check();
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    await page.getByLabel(/^Title/).fill(`Autumn sale ${width}`);
    const send = page.getByRole('button', { name: /^Send 1,000 messages for/ });
    const said = await send.innerText();
    await send.click();
    await page.waitForURL('**/messages/tasks/*');
    await page.evaluate(() => Object.assign(window, { notReloaded: true }));
    const main = page.getByRole('main');
    const progress = main.getByRole('progressbar');
    await expect
      .poll(() => progress.getAttribute('aria-valuenow'), { timeout: 60_000 })
      .toBe('100');
    await main.getByText('Completed', { exact: true }).first().waitFor();
    expect(await page.evaluate(() => 'notReloaded' in window)).toBe(true);

    const { rows: tasks } = await browser.db.query(`select id from tasks where title = $1`, [
      `Autumn sale ${width}`,
    ]);
    const group = tasks[0].id as string;
    const { rows: kinds } = await browser.db.query<{ error: string | null; n: number }>(
      `select f.error, count(*)::int as n from sendings s join sendings f on f.id = s.chain_id
      where f.group_id = $1 and s.attempt = 1 group by 1`,
      [group],
    );
    const by = (isStatus: boolean) =>
      kinds
        .filter((k) => (k.error !== null && k.error !== 'expired') === isStatus)
        .reduce((n, k) => n + k.n, 0);
    expect(by(true)).toBeGreaterThan(0);
    expect(by(false)).toBeGreaterThan(0);
    expect(
      await sum(
        `select count(*) as sum from sendings where owner_id = $1 and attempt = 1 and chain_id is null`,
        [owner],
      ),
    ).toBe(0);
    expect(
      await sum(`select count(*) as sum from sendings where group_id = $1 and chain_id is null`, [
        group,
      ]),
    ).toBe(1000);
    // The balance fell by exactly the charges that were not refunded.
    const charged = await sum(
      `select -sum(b.amount) as sum from billings b join sendings s on s.id = b.id
      where b.status = 1 and (s.group_id = $1 or s.chain_id in (select id from sendings where group_id = $1))`,
      [group],
    );
    expect(charged).toBeGreaterThan(0);
    const first = await sum(
      `select -sum(b.amount) as sum from billings b join sendings s on s.id = b.id where s.group_id = $1 and s.attempt = 0`,
      [group],
    );
    expect(said).toBe(`Send 1,000 messages for ${formats.money(first)}`);
    expect(await uncovered()).toBe(0);

    const failed = await sum(
      `select count(*) as sum from sendings where group_id = $1 and chain_id is null and outcome = 2`,
      [group],
    );
    expect(failed).toBeGreaterThan(0);
    const shown = formats.number(1000 - failed);
    const summary = main.getByText(`${shown} of 1,000 reached`);
    await expect.poll(() => summary.innerText()).toMatch(/to try again$/);
    await expectUsable(browser, page, 'bulk');
    await main.getByRole('button', { name: `Send again to ${formats.number(failed)}` }).click();
    await chooseSender(dialog, 'MIRTEA');
    const again = dialog.getByRole('button', {
      name: new RegExp(`^Send to ${failed} recipients? for`),
    });
    const price = /for (.*)$/.exec(await again.innerText())![1];
    await again.click();
    await page.waitForURL((url) => !url.pathname.endsWith(group));
    await main.getByText('Sent again to those who were not reached by').waitFor();
    const { rows: resent } = await browser.db.query(
      `select id, expected from tasks where origin_id = $1`,
      [group],
    );
    expect(resent).toMatchObject([{ expected: failed }]);
    await expect
      .poll(() => progress.getAttribute('aria-valuenow'), { timeout: 60_000 })
      .toBe('100');
    const cost = await sum(
      `select -sum(b.amount) as sum from billings b join sendings s on s.id = b.id where s.group_id = $1`,
      [resent[0].id],
    );
    expect(price).toBe(formats.money(cost));
    await main.getByRole('link', { name: `Autumn sale ${width}`, exact: true }).click();
    await main.getByText('Sent again as').waitFor();
    expect(await uncovered()).toBe(0);
    expect(browser.consoleErrors).toEqual([]);
  },
  180_000,
);
