import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { entry, TestBrowser, wide, WIDTHS } from '../test-browser.ts';
import { expectUsable } from '../usable.ts';

let browser: TestBrowser;

beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser.close());

const GUEST = '+79990000010';

/** What a person does on the phone that the code opens. */
async function scan(page: Page, phone: string): Promise<void> {
  const [opened] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('link', { name: 'Open the simulated phone' }).click(),
  ]);
  await opened.getByLabel('Phone number').fill(phone);
  await opened.getByRole('button', { name: 'Scan the code' }).click();
  await opened.getByText('The device is linked.').waitFor();
  await opened.close();
}

/** Moves the paid time of an instance, so that it has just ended. */
const end = (id: string) =>
  browser.db.query(
    `with t as (select date_trunc('milliseconds', now()) as at),
     w as (update wapi_instances set anchor = anchor - (expired_at - t.at), expired_at = t.at from t where id = $1)
     update wapi_periods set starts_at = starts_at - interval '40 days', ends_at = t.at from t where instance_id = $1`,
    [id],
  );

test.each(WIDTHS)(
  'an instance is connected, sends, gets a reply, ends and renews itself: %i wide',
  async (width) => {
    const phone = `+7999000${String(width).padStart(4, '0')}`;
    const usable = async (name: string) => {
      if (width > 600) await expectUsable(browser, page, name);
    };
    const page = await browser.signedIn('customer', wide(width));
    await page.goto(`${browser.url}/settings/wapi`);
    await entry(page, 'Connected').waitFor();
    await usable('wapi-list');
    await page.keyboard.press('n');
    const dialog = page.getByRole('dialog');
    const pay = dialog.getByRole('button', { name: /^Pay/ });
    await expect.poll(() => pay.isEnabled()).toBe(true);
    await usable('wapi-create');
    await pay.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'WhatsApp instance' }).waitFor();
    const id = new URL(page.url()).searchParams.get('id')!;
    await dialog.getByRole('img', { name: 'QR code to connect a phone' }).waitFor();
    await usable('wapi-code');
    await scan(page, phone);
    await dialog.getByRole('status').getByText(`Connected to ${phone}`).waitFor();
    await usable('wapi-connected');

    const token = await browser.token('customer');
    const body = {
      type: 'wapi',
      recipient: GUEST,
      payload: { sender: phone, text: 'Tea is ready' },
    };
    const { id: sending } = await browser.call('POST', '/sendings', body, token);
    const status = async () => {
      const { state } = (await browser.call(
        'GET',
        `/sendings/${sending}`,
        undefined,
        token,
      )) as unknown as { state: { status: string } };
      return state.status;
    };
    await expect.poll(status, { timeout: 30_000 }).toBe('delivered');
    await page.goto(`${browser.url}/messages/incoming`);
    await entry(page, 'WAPI', 'да').waitFor();

    await page.goto(`${browser.url}/settings/wapi?id=${id}`);
    await dialog.getByText('Auto-renewal').waitFor();
    await end(id);
    const paid = async () => {
      const { rows } = await browser.db.query<{ n: number }>(
        `select count(*)::int as n from wapi_periods where instance_id = $1`,
        [id],
      );
      return rows[0]!.n;
    };
    await expect.poll(paid, { timeout: 30_000 }).toBe(2);
    await dialog.getByRole('status').getByText(`Connected to ${phone}`).waitFor();
    await page.goto(`${browser.url}/balance/billings`);
    await entry(page, 'WhatsApp instance subscription').waitFor();

    await page.goto(`${browser.url}/settings/wapi?id=${id}`);
    await dialog.getByRole('button', { name: 'Log out' }).click();
    const question = page.getByRole('dialog', { name: 'Log out the phone?' });
    await question.getByRole('button', { name: 'Log out' }).click();
    await page.getByText('The phone was logged out').waitFor();
    await dialog.getByRole('img', { name: 'QR code to connect a phone' }).waitFor();
  },
  180_000,
);
