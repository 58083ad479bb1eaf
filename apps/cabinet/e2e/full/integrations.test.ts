import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Bitrix24Peer } from '../../../api/test/peers/bitrix24-peer.ts';
import { chooseSender } from '../choose-sender.ts';
import { TestBrowser, wide, WIDTHS } from '../test-browser.ts';
import { expectUsable } from '../usable.ts';

let browser: TestBrowser;
let portal: Bitrix24Peer;

beforeAll(async () => {
  browser = await TestBrowser.open();
  portal = await new Bitrix24Peer().start();
});
afterAll(async () => {
  await browser.close();
  portal.stop();
});

const field = (page: Page, name: string) =>
  page.getByRole('dialog').getByLabel(new RegExp(`^${name}( \\*)?$`));

/** The URL in the open dialog, at the address of the test. */
async function urlOf(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Show' }).click();
  const shown = await field(page, 'URL').inputValue();
  return shown.replace(/^https?:\/\/[^/]+/, browser.url);
}

test.each(WIDTHS)('a card opens its page by keyboard: %i wide', async (width) => {
  const page = await browser.signedIn('customer', wide(width));
  await page.goto(`${browser.url}/integrations`);
  await page.waitForURL(/settings\/integrations/);
  const search = page.getByRole('searchbox', { name: 'Find a program' });
  await search.focus();
  await page.keyboard.type('tilda');
  await page.getByText('1 program found').waitFor();
  await expectUsable(browser, page, `integrations-${width}`);
  await page.keyboard.press('Tab');
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.textContent))
    .toContain('Tilda');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Tilda' }).waitFor();
});

test.each(WIDTHS)(
  'a Bitrix24 portal registers, sends a message and gets its status: %i wide',
  async (width) => {
    const title = `Portal ${width}`;
    const page = await browser.signedIn('customer', wide(width));
    await page.goto(`${browser.url}/settings/integrations`);
    await page.getByRole('button', { name: 'Connect a program' }).click();
    await field(page, 'Way to connect').selectOption({ label: 'Bitrix24' });
    await field(page, 'Title').fill(title);
    await chooseSender(page, 'MIRTEA');
    await field(page, 'Address of the portal').fill(portal.url);
    await expectUsable(browser, page, `integrations-create-${width}`);
    await page.getByRole('dialog').getByRole('button', { name: 'Create URL' }).click();
    await page.getByRole('dialog', { name: 'Copy the URL' }).waitFor();
    const url = await urlOf(page);
    await expectUsable(browser, page, `integrations-url-${width}`);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
    expect((await portal.install(url)).status).toBe(200);
    portal.relocate(url);
    const row = page.getByRole('listitem').filter({ hasText: title });
    await row.getByText('Working').waitFor();
    expect((await portal.send(`m-${width}`, 'Tea')).status).toBe(200);
    await expect
      .poll(() => portal.statuses(), { timeout: 30_000 })
      .toContain(`m-${width} delivered`);
    await row.getByRole('button', { name: `Delete “${title}”` }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: `Delete “${title}”` })
      .click();
    await row.waitFor({ state: 'detached' });
  },
);
