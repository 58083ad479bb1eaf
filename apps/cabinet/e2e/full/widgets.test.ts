import { randomBytes } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chooseSender } from '../choose-sender.ts';
import { expectFocus } from '../keys.ts';
import { barriers, entry, TestBrowser, wide, WIDTHS } from '../test-browser.ts';
import { expectUsable } from '../usable.ts';

/** No user of messengers, so that the first channel fails (`apps/simulator`). */
const PHONE = '+7 999 000-00-08';
const CARRIER = 'codes-by-telegram';
/** The page of the customer allows scripts and calls of the product, and nothing inline. */
const SITE = `<!doctype html><html lang="en"><head><title>Tea shop</title>
  <script src="/own.js"></script><script src="PRODUCT/otp/widget.js" defer></script></head>
  <body><main><h1>Tea shop</h1><div id="otp"></div></main></body></html>`;
const OWN = `window.OTP_WIDGETS = [{ widgetId: '<id>', containerId: 'otp' }];
  window.heard = [];
  document.addEventListener('code:check', ({ detail }) => window.heard.push(detail));`;

let browser: TestBrowser;
let carrier: Server;
let site: Server;
let siteUrl: string;
let widgetId = '';
/** What the carrier of the second channel was told to send. */
const codes: string[] = [];

beforeAll(async () => {
  browser = await TestBrowser.open();
  carrier = await listening((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const { messages } = JSON.parse(body) as {
        messages: { reference: string; payload: { text: string } }[];
      };
      codes.push(...messages.map(({ payload }) => payload.text));
      const results = messages.map(({ reference }) => ({ reference, result: 'accepted' }));
      response.end(JSON.stringify({ results }));
    });
  });
  site = await listening((request, response) => {
    response.setHeader(
      'content-security-policy',
      `default-src 'none'; script-src 'self' ${browser.url}; connect-src ${browser.url}`,
    );
    const isScript = request.url === '/own.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? OWN.replace('<id>', widgetId) : SITE.replace('PRODUCT', browser.url));
  });
  siteUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
  await browser.db.query(
    `insert into channels (name, driver, types, priority, options) values ($1, 'http', '{telegramcode}', 1000, $2)`,
    [
      CARRIER,
      {
        url: `http://127.0.0.1:${(carrier.address() as AddressInfo).port}/`,
        secret: `whsec_${randomBytes(24).toString('base64')}`,
      },
    ],
  );
});
afterAll(async () => {
  await browser.db.query(`update batches set closed_at = now() where channel = $1`, [CARRIER]);
  await browser.db.query(`delete from channels where name = $1`, [CARRIER]);
  for (const server of [carrier, site]) server.close();
  await browser.close();
});

async function listening(handle: RequestListener): Promise<Server> {
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

const dialogOf = (page: Page) => page.getByRole('dialog');
const closed = (page: Page) => dialogOf(page).waitFor({ state: 'hidden' });

async function createChannel(page: Page, name: string, type: string, isFirst: boolean) {
  await page.goto(`${browser.url}/widgets/channels`);
  await page.getByRole('button', { name: 'New channel' }).click();
  await dialogOf(page).getByLabel('Name').fill(name);
  await dialogOf(page).getByLabel('Channel', { exact: true }).selectOption(type);
  if (isFirst) await expectUsable(browser, page, 'otp-channel');
  await dialogOf(page).getByRole('button', { name: 'Create' }).click();
  await closed(page);
  await entry(page, name).waitFor();
}

/** A widget over Viber, then Telegram; the order is set by the keyboard. */
async function createWidget(page: Page, name: string, isFirst: boolean): Promise<string> {
  const dialog = dialogOf(page);
  await createChannel(page, `${name} A`, 'telegramcode', isFirst);
  await createChannel(page, `${name} B`, 'viber', false);
  await page.getByRole('link', { name: 'Widgets', exact: true }).click();
  await page.getByRole('button', { name: 'New widget' }).click();
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('Main colour').fill('#9c36b5');
  await dialog.getByLabel('Title').fill('Your tea is near');
  const preview = dialog.locator('heliograph-otp');
  await preview.getByText('Your tea is near').waitFor();
  const accent = () =>
    preview.evaluate((element) => getComputedStyle(element).getPropertyValue('--otp-accent'));
  await expect.poll(accent).toBe('#9c36b5');
  if (isFirst) await expectUsable(browser, page, 'widget-form');
  await dialog.getByRole('button', { name: 'Create' }).click();

  await dialog.getByRole('tab', { name: 'Channels', selected: true }).waitFor();
  await expect.poll(() => dialog.count()).toBe(1);
  await dialog.getByLabel('Channel 1').selectOption({ label: `${name} A · Telegram code` });
  await dialog.getByRole('button', { name: 'Add a channel' }).click();
  await dialog.getByLabel('Channel 2').selectOption({ label: `${name} B · Viber` });
  await dialog.getByRole('button', { name: `Move ${name} B` }).press('ArrowUp');
  await expectFocus(page, new RegExp(`${name} B`));
  const first = dialog.getByLabel('Channel 1').locator('option:checked');
  await expect.poll(() => first.innerText()).toContain(`${name} B`);
  if (isFirst) await expectUsable(browser, page, 'widget-channels');
  await dialog.getByRole('button', { name: 'Save the channels' }).click();
  await page.getByText(`Channels of “${name}” saved`).waitFor();

  await dialog.getByRole('tab', { name: 'Code for the page' }).click();
  const id = new URL(page.url()).searchParams.get('id')!;
  await dialog.getByText(`widget-id="${id}"`).waitFor();
  if (isFirst) await expectUsable(browser, page, 'widget-code');
  return id;
}

const heard = (page: Page) =>
  page.evaluate(() => (window as unknown as { heard: Record<string, string>[] }).heard);

test.each(WIDTHS)(
  'a widget is built in the cabinet, embedded in another site, and confirms a number on its second channel: %d wide',
  async (width) => {
    const name = `Shop ${width}`;
    const page = await browser.signedIn('customer', wide(width));
    widgetId = await createWidget(page, name, width === 1280);

    const visitor = await browser.page(wide(width));
    await visitor.goto(siteUrl);
    await visitor.getByText('Your tea is near').waitFor();
    if (width === 1280) await expectUsable(browser, visitor, 'widget-phone');
    codes.length = 0;
    await visitor.getByLabel('Phone number').fill(PHONE);
    // By the keyboard alone from here.
    await visitor.keyboard.press('Enter');
    await visitor.getByText(`We sent a code to ${PHONE}: Telegram.`).first().waitFor();
    await expect.poll(() => codes).toHaveLength(1);
    const code = codes[0]!;
    const field = visitor.getByLabel('Code', { exact: true });
    await field.focus();
    await visitor.keyboard.type(code.startsWith('0') ? `1${code.slice(1)}` : `0${code.slice(1)}`);
    await visitor.getByText('The code is wrong. Check it and enter it again.').waitFor();
    await visitor.getByText('Attempts left: 2').waitFor();
    expect(await barriers(visitor)).toEqual([]);
    await browser.picture(visitor, `widget-wrong-${width}`);
    // The wrong code is selected, so typing replaces it.
    await visitor.keyboard.type(code);
    await visitor.getByText('✓ The number is confirmed.').waitFor();
    expect(await barriers(visitor)).toEqual([]);
    const events = await heard(visitor);
    expect(events.map(({ status }) => status)).toEqual(['error', 'confirmed']);

    // The server of the site believes it only after its own call, which succeeds once.
    const { requestId, recipient } = events[1]!;
    const token = await browser.token('customer');
    const complete = () =>
      browser.call(
        'POST',
        `/n/otp-handler/${requestId}/checkStatusAndComplete?recipient=${encodeURIComponent(recipient!)}`,
        undefined,
        token,
      );
    expect(await complete()).toEqual({ success: true });
    await expect(complete()).rejects.toThrow('SessionClosed');

    const dialog = dialogOf(page);
    await dialog.getByRole('tab', { name: 'Conversion' }).click();
    await dialog.getByRole('row', { name: 'Telegram code 1 1 100%' }).waitFor();
    await dialog.getByRole('row', { name: 'Viber 1 0 0%' }).waitFor();
    if (width === 1280) await expectUsable(browser, page, 'widget-statistics');
    await page.keyboard.press('Escape');
    await closed(page);
    await entry(page, name)
      .getByRole('button', { name: `Delete “${name}”` })
      .click();
    await dialog.getByRole('button', { name: `Delete “${name}”` }).click();
    await entry(page, name).waitFor({ state: 'detached' });
    // Refused calls are logged: the wrong code, and what is asked before a captcha is solved.
    const isRefusal = (said: string) =>
      /status of 40[03].*\/api\/n\/otp-handler(\/[\w-]+\/checkCode)?$/.test(said);
    expect(browser.consoleErrors.filter((said) => !isRefusal(said))).toEqual([]);
  },
);

test('a text of codes has conditions, and what is wrong with it is said', async () => {
  const page = await browser.signedIn('customer');
  const dialog = dialogOf(page);
  await page.goto(`${browser.url}/widgets/templates`);
  await page.getByRole('button', { name: 'New text' }).click();
  await dialog.getByLabel('Name').fill('Kazakhstan');
  await dialog.getByLabel('Channel', { exact: true }).selectOption('viber');
  await chooseSender(dialog, 'MIRTEA');
  await dialog.getByRole('textbox', { name: 'Text', exact: true }).fill('Hello');
  await dialog.getByRole('button', { name: 'Add a condition' }).click();
  await dialog.getByLabel('Values of condition 1').fill('kz');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.getByText('{code}').first().waitFor();
  await expectUsable(browser, page, 'otp-template');
  await dialog.getByRole('textbox', { name: 'Text', exact: true }).fill('Your code: {code}');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await closed(page);
  const row = entry(page, 'Kazakhstan', 'Your code: {code}', 'Country');
  await row.waitFor();
  await expectUsable(browser, page, 'otp-templates');
  await row.getByRole('button', { name: 'Delete “Kazakhstan”' }).click();
  await dialog.getByRole('button', { name: 'Delete “Kazakhstan”' }).click();
  await row.waitFor({ state: 'detached' });
  expect(browser.consoleErrors).toEqual([]);
});
