import { afterAll, beforeAll, expect, test } from 'vitest';
import { chooseSender } from '../choose-sender.ts';
import { tabTo } from '../keys.ts';
import { entry, TestBrowser, wide, WIDTHS } from '../test-browser.ts';
import { expectUsable } from '../usable.ts';

let browser: TestBrowser;
/** Of India, whose time of half an hour no recipient of another journey has. */
const PHONE = '+919876543210';
const MORNING = 330;

beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(async () => {
  await browser.db.query(`delete from quiet_hours`);
  await browser.close();
});

/** The time in India, so many minutes from now, as a field takes it. */
const inIndia = (minutes: number) =>
  new Date(Date.now() + (MORNING + minutes) * 60_000).toISOString().slice(11, 16);

test.each(WIDTHS)(
  'a bulk waits for the end of the quiet hours, and is sent then: %i wide',
  async (width) => {
    await browser.db.query(`delete from quiet_hours`);
    const title = `Quiet ${width}`;
    const page = await browser.signedIn('customer', wide(width));
    const usable = (name: string) =>
      width > 600 ? expectUsable(browser, page, name) : Promise.resolve();
    await page.goto(`${browser.url}/settings/suppressions`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await tabTo(page, /^Quiet hours$/);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Quiet hours' });
    await dialog.getByLabel('Keep quiet hours').focus();
    await page.keyboard.press('Space');
    await dialog.getByLabel('From').fill(inIndia(-10));
    await dialog.getByLabel('Until').fill(inIndia(15));
    const zone = dialog.getByRole('combobox', { name: 'Time zone of the others' });
    // Browsers have either of the two names.
    const zones = await page.evaluate(() => Intl.supportedValuesOf('timeZone'));
    await zone.fill(zones.includes('Asia/Kolkata') ? 'kolk' : 'calc');
    await page.getByRole('option', { name: /Kolkata|Calcutta/ }).waitFor();
    await usable('quiet-hours-zone');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => zone.inputValue()).toMatch(/^Asia\/(Kolkata|Calcutta)$/);
    await dialog.getByRole('button', { name: 'Save' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Quiet hours saved').waitFor();

    await page.goto(`${browser.url}/send?type=sms`);
    await chooseSender(page, 'MIRTEA');
    const text = page.getByLabel(/^Text/).first();
    await text.fill('Tea is on sale. Enough? {unsubscribe}');
    // The preview has a link as long as the one that is billed.
    const bubble = page.getByRole('region', { name: 'Message as it arrives' });
    await expect.poll(() => bubble.innerText()).toMatch(/Enough\? https?:\/\/\S+\/u\/\S{34}$/);
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    await page.getByLabel(/^Phone numbers/).fill(`${PHONE}\n+79990000000`);
    await page
      .getByText(/^Wait until/)
      .first()
      .waitFor();
    await usable('quiet-wizard');
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    await page.getByLabel(/^Title/).fill(title);
    await page.getByRole('button', { name: /^Send 2 messages for/ }).click();
    const details = page.getByRole('dialog', { name: title });
    await details.getByText(/^Waiting until/).waitFor();
    await usable('quiet-task');
    const id = new URL(page.url()).searchParams.get('id')!;
    await page.goto(`${browser.url}/messages/outgoing?groupId=${id}`);
    const row = entry(page, /9876543210/);
    await row.getByText(/^Waits until/).waitFor();
    await entry(page, /9990000000/)
      .getByText('Delivered')
      .waitFor();
    await usable('quiet-list');
    await row.getByRole('link').first().focus();
    await page.keyboard.press('Enter');
    const sending = page.getByRole('dialog');
    await sending.getByText(/^Waits until/).waitFor();
    await usable('quiet-message');

    // Without quiet hours it is sent at once.
    await page.goto(`${browser.url}/settings/suppressions`);
    await page.getByRole('button', { name: 'Quiet hours' }).click();
    await dialog.getByLabel('Keep quiet hours').focus();
    await page.keyboard.press('Space');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Quiet hours saved').waitFor();
    await page.goto(`${browser.url}/messages/outgoing?groupId=${id}`);
    await row.getByText('Delivered').waitFor();
    expect(browser.consoleErrors).toEqual([]);
  },
  240_000,
);
