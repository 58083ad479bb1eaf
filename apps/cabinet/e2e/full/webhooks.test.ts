import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { verified, WebhookReceiver } from '../../../api/test/webhook-receiver.ts';
import { expectFocus, press, type } from '../keys.ts';
import { entry, TestBrowser, wide, WIDTHS } from '../test-browser.ts';
import { expectUsable } from '../usable.ts';
import { closeSecret } from './secret-once.ts';

let browser: TestBrowser;
let receiver: WebhookReceiver;

beforeAll(async () => {
  browser = await TestBrowser.open();
  receiver = await new WebhookReceiver().start();
});
afterAll(async () => {
  await browser.close();
  receiver.stop();
});
beforeEach(() => {
  receiver.take();
  receiver.status(200);
});

const field = (page: Page, name: string) =>
  page.getByLabel(new RegExp(`^${name}( \\*)?$`)).and(page.locator('input'));

const isUncovered = (input: Locator) =>
  input.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return document.elementFromPoint(left + width / 2, top + height / 2) === element;
  });

/** Sends messages of the demo customer that are delivered. Returns their ids. */
async function send(count: number): Promise<string[]> {
  const token = await browser.token('customer');
  const body = {
    type: 'sms',
    recipient: '+79990000000',
    payload: { sender: 'MIRTEA', text: 'Tea' },
  };
  const sent = Array.from({ length: count }, () => browser.call('POST', '/sendings', body, token));
  return (await Promise.all(sent)).map(({ id }) => id!);
}

interface Arrived {
  key: string;
  webhookId: string;
}

/** The calls so far; throws unless the secret has signed each of them. */
const arrived = (secret: string): Arrived[] =>
  receiver.calls.map((call) => {
    const { data } = verified(secret, call) as { data: { id: string } };
    return { key: data.id, webhookId: String(call.headers['webhook-id']) };
  });

/** The secret in the open dialog. */
async function secretOf(page: Page): Promise<string> {
  const shown = field(page, 'Signing secret');
  await expect.poll(() => shown.inputValue()).toMatch(/^whsec_•+$/);
  await page.getByRole('button', { name: 'Show' }).click();
  return shown.inputValue();
}

test.each(WIDTHS)(
  'a webhook reports, is paused when its server fails, and delivers everything after the repair: %i wide',
  async (width) => {
    const title = `Shop ${width}`;
    const usable = async (name: string) => {
      if (width > 600) await expectUsable(browser, page, name);
    };
    const page = await browser.signedIn('customer', wide(width));
    await page.goto(`${browser.url}/settings/webhooks`);
    await page.getByRole('button', { name: 'New webhook' }).click();
    const dialog = page.getByRole('dialog');
    await field(page, 'Name').fill(title);
    await field(page, 'Link').fill('http://10.0.0.1/');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByText(/^This address doesn’t exist or isn’t allowed/).waitFor();
    // The header of the dialog does not cover the refused field.
    await expect.poll(() => isUncovered(field(page, 'Link'))).toBe(true);
    await field(page, 'Link').fill(`${receiver.base}/statuses`);
    await usable('webhooks-create');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('dialog', { name: 'Copy the secret' }).waitFor();
    const secret = await secretOf(page);
    await usable('webhooks-secret');
    await closeSecret(page);
    await dialog.waitFor({ state: 'hidden' });
    await entry(page, title, 'Active').waitFor();
    expect(await page.content()).not.toContain(secret);

    const [first] = await send(1);
    await expect.poll(() => arrived(secret)).toMatchObject([{ key: first }]);
    const original = arrived(secret);
    await page.getByRole('button', { name: `Log of “${title}”` }).click();
    await dialog.getByRole('button', { name: /^Delivered.*HTTP 200/s }).click();
    await dialog.getByRole('group', { name: 'Request' }).getByText(first!).waitFor();
    await usable('webhooks-delivery');
    await dialog.getByRole('button', { name: 'Back to the log' }).click();

    receiver.take();
    receiver.status(500);
    const missed = await send(5);
    await dialog.getByText(/^The server fails\./).waitFor();
    await dialog.getByText(/^Paused: no call has succeeded since/).waitFor();
    await usable('webhooks-log-paused');
    const refused = arrived(secret);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await entry(page, title, 'Paused').waitFor();
    await usable('webhooks-list');

    receiver.take();
    receiver.status(200);
    await page.getByRole('button', { name: `Log of “${title}”` }).click();
    await dialog.getByRole('button', { name: 'Send a test' }).click();
    await dialog.getByRole('button', { name: 'Back to the log' }).waitFor();
    await dialog.getByText('Delivered', { exact: true }).first().waitFor();
    expect(arrived(secret)).toHaveLength(1);
    receiver.take();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: `Resume “${title}”` }).click();
    await entry(page, title, 'Active').waitFor();
    const keys = () => arrived(secret).map(({ key }) => key);
    await expect.poll(() => keys().sort()).toEqual(missed.toSorted());
    // A repeated call has the id of the first one.
    expect(arrived(secret)).toEqual(expect.arrayContaining(refused));

    await page.getByRole('button', { name: `Log of “${title}”` }).click();
    await field(page, 'Object ID').fill(first!);
    await expect.poll(() => dialog.getByRole('button', { name: /^Delivered/ }).count()).toBe(1);
    receiver.take();
    await dialog.getByRole('button', { name: /^Delivered/ }).click();
    await dialog.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('1 event is sent again').waitFor();
    await expect.poll(() => arrived(secret)).toEqual(original);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });

    await page.getByRole('button', { name: `Replace secret of “${title}”` }).click();
    await usable('webhooks-rotate');
    await dialog.getByRole('button', { name: 'Replace secret', exact: true }).click();
    const next = await secretOf(page);
    await closeSecret(page);
    await dialog.waitFor({ state: 'hidden' });
    receiver.take();
    const [last] = await send(1);
    await expect.poll(() => arrived(next)).toMatchObject([{ key: last }]);
    expect(arrived(secret)).toMatchObject([{ key: last }]);

    await page.getByRole('button', { name: `Delete “${title}”` }).click();
    await dialog.getByRole('button', { name: `Delete “${title}”` }).click();
    await entry(page, title).waitFor({ state: 'detached' });
    // The refused address.
    expect(browser.consoleErrors).toEqual([
      expect.stringMatching(/status of 422 .*\/api\/webhooks$/),
    ]);
  },
  180_000,
);

test('a webhook is created, tested, paused, resumed and deleted with the keyboard alone', async () => {
  const page = await browser.signedIn('customer');
  await page.goto(`${browser.url}/settings/webhooks`);
  await page.getByRole('button', { name: 'New webhook' }).waitFor();
  await page.keyboard.press('n');
  await page.getByRole('dialog', { name: 'New webhook' }).waitFor();
  await expectFocus(page, /^Name/);
  await page.keyboard.type('Night shop');
  await type(page, /^Link/, `${receiver.base}/night`);
  await page.keyboard.press('Enter');
  const copy = page.getByRole('dialog', { name: 'Copy the secret' });
  await copy.waitFor();
  await press(page, /^Show$/);
  const secret = await field(page, 'Signing secret').inputValue();
  // Escape would lose it.
  await page.keyboard.press('Escape');
  await press(page, /^Close$/);
  await copy.waitFor({ state: 'hidden' });
  await entry(page, 'Night shop', 'Active').waitFor();

  await press(page, /^Log of “Night shop”$/);
  const log = page.getByRole('dialog', { name: 'Log of “Night shop”' });
  await log.waitFor();
  await press(page, /^Send a test$/);
  await expectFocus(page, /^Back to the log$/);
  await log.getByText('Delivered', { exact: true }).first().waitFor();
  expect(arrived(secret)).toHaveLength(1);
  await page.keyboard.press('Enter');
  await expectFocus(page, /^Delivered/);
  await page.keyboard.press('Enter');
  await expectFocus(page, /^Back to the log$/);
  await page.keyboard.press('Escape');
  await log.waitFor({ state: 'hidden' });

  await expectFocus(page, /^Log of “Night shop”$/);
  await press(page, /^Pause “Night shop”$/);
  await entry(page, 'Night shop', 'Paused').waitFor();
  await expectFocus(page, /^Resume “Night shop”$/);
  await page.keyboard.press('Enter');
  await entry(page, 'Night shop', 'Active').waitFor();
  await press(page, /^Delete “Night shop”$/);
  await page.getByRole('dialog', { name: 'Delete “Night shop”?' }).waitFor();
  await press(page, /^Delete “Night shop”$/);
  await entry(page, 'Night shop').waitFor({ state: 'detached' });
  expect(browser.consoleErrors).toEqual([]);
});

test('the webhooks of the demo customer show a healthy and a paused one with their logs', async () => {
  const page = await browser.signedIn('customer');
  await page.goto(`${browser.url}/settings/webhooks`);
  await entry(page, 'CRM', 'Active').waitFor();
  await entry(page, 'Бухгалтерия', 'Paused').waitFor();
  await expectUsable(browser, page, 'webhooks-demo');
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Log of “Бухгалтерия”' }).click();
  await dialog.getByText(/^Paused: no call has succeeded since/).waitFor();
  await dialog
    .getByRole('button', { name: /HTTP 503/ })
    .first()
    .click();
  await dialog.getByRole('group', { name: 'Request' }).waitFor();
  await expectUsable(browser, page, 'webhooks-demo-delivery');
  expect(browser.consoleErrors).toEqual([]);
});
