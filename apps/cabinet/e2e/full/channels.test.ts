import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signed } from '../../../api/src/core/http/standard-webhooks.ts';
import { expectUsable } from '../usable.ts';
import { entry, TestBrowser, wide, WIDTHS } from '../test-browser.ts';

let browser: TestBrowser;
let carrier: Server;
/** The carrier accepts and delivers messages, or it is down. */
let isDown = false;
const secrets: Record<string, string> = {};

beforeAll(async () => {
  browser = await TestBrowser.open();
  carrier = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      if (isDown) return response.writeHead(503, { 'retry-after': '60' }).end();
      const { channel, messages } = JSON.parse(body) as {
        channel: string;
        messages: { reference: string }[];
      };
      const results = messages.map(({ reference }) => ({ reference, result: 'accepted' }));
      response.end(JSON.stringify({ results }));
      void report(channel, messages);
    });
  });
  await new Promise<void>((resolve) => carrier.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  carrier.close();
  await browser.close();
});

async function report(channel: string, messages: { reference: string }[]): Promise<void> {
  const statuses = messages.map(({ reference }) => ({ reference, status: 'delivered' }));
  const body = JSON.stringify({ statuses });
  await fetch(`${browser.url}/api/channels/${channel}/statuses`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...signed(secrets[channel]!, body) },
    body,
  });
}

test.each(WIDTHS)(
  'an administrator connects a carrier, tests it, and sees that it is down: %d wide',
  async (width) => {
    const name = `carrier-${width}`;
    const { port } = carrier.address() as AddressInfo;
    const page = await browser.signedIn('manager', wide(width));
    const dialog = page.getByRole('dialog');
    const closed = () => dialog.waitFor({ state: 'hidden' });
    await page.goto(`${browser.url}/channels`);
    await entry(page, 'simulator').waitFor();
    if (width === 1280) await expectUsable(browser, page, 'channels');

    await page.keyboard.press('n');
    await dialog.getByLabel(/^Name( \*)?$/).fill(name);
    await dialog.getByLabel('WAPI').check();
    await dialog.getByLabel('Carrier address').fill(`http://127.0.0.1:${port}/messages`);
    await dialog.getByRole('button', { name: 'Generate' }).click();
    secrets[name] = await dialog.locator('code').innerText();
    if (width === 1280) await expectUsable(browser, page, 'channel-form');
    await dialog.getByRole('button', { name: 'Add a channel' }).click();
    await closed();

    await entry(page, name, 'Off')
      .getByRole('button', { name: `Test “${name}”` })
      .click();
    await dialog.getByLabel('Phone').fill('+79001234567');
    await dialog.getByLabel('Sender').fill('TEA');
    await dialog.getByRole('button', { name: 'Send', exact: true }).click();
    await dialog.getByText('The channel works: the message was delivered').waitFor();
    isDown = true;
    await dialog.getByRole('button', { name: 'Send again' }).click();
    await dialog.getByText('answered 503').waitFor();
    if (width === 1280) await expectUsable(browser, page, 'channel-test');
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await closed();

    await page.getByRole('button', { name: `Turn on “${name}”` }).click();
    await entry(page, name, 'Failing', 'answered 503').waitFor();
    await entry(page, name).getByRole('link').first().click();
    await dialog.getByText(`/api/channels/${name}/statuses`).waitFor();
    if (width === 1280) await expectUsable(browser, page, 'channel');
    isDown = false;

    await dialog.getByRole('button', { name: 'Enter prices' }).click();
    const prices = page.getByRole('dialog', { name: `Purchase prices of “${name}”` });
    await prices.getByLabel(/^Destination( \*)?$/).fill('RU');
    await prices.getByLabel(/^Price( \*)?$/).fill('0.0485');
    await prices.getByRole('button', { name: 'Save prices' }).click();
    await prices.waitFor({ state: 'hidden' });
    await dialog.getByRole('cell', { name: 'In force' }).waitFor();

    // Another address requires the secret again.
    await dialog.getByRole('button', { name: 'Edit' }).click();
    const form = page.getByRole('dialog', { name: `Edit “${name}”` });
    await form.getByLabel('Carrier address').fill('http://127.0.0.1:9/');
    await form.getByText('A secret belongs to one address').waitFor();
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('Enter a valid value.').waitFor();
    await form.getByRole('button', { name: 'Cancel' }).click();
    await form.waitFor({ state: 'hidden' });
    await dialog.getByRole('button', { name: 'Close' }).click();
    await closed();

    await page.getByRole('button', { name: `Turn off “${name}”`, exact: true }).click();
    await browser.db.query(`update batches set closed_at = now() where channel = $1`, [name]);
    await entry(page, name, 'Off')
      .getByRole('button', { name: `Delete “${name}”` })
      .click();
    await dialog.getByRole('button', { name: `Delete “${name}”` }).click();
    await closed();
    await entry(page, name).waitFor({ state: 'detached' });
    // The refusal of the form is a refused call.
    expect(browser.consoleErrors.filter((said) => !said.includes('422'))).toEqual([]);
  },
);

test('a manager without the permission for channels does not see them', async () => {
  const page = await browser.signedIn('reseller');
  await page.goto(`${browser.url}/channels`);
  await page.getByRole('heading', { level: 1, name: 'Access denied' }).waitFor();
  await expect.poll(() => page.getByRole('link', { name: 'Delivery channels' }).count()).toBe(0);
});
