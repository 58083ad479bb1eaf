import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Stage, tabTo } from '../stage.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage.close());

/** Works a native control or a field that offers names: whichever the channel has. */
async function typeSender(page: Page): Promise<void> {
  await tabTo(page, /^Sender/);
  await page.keyboard.type('MIRTEA');
  // The offer is closed; the dialog or page below stays.
  if (await page.evaluate(() => document.activeElement?.tagName === 'INPUT'))
    await page.keyboard.press('Escape');
}

async function press(page: Page, name: RegExp): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press('Enter');
}

test('the main job with the keyboard alone: signing in, a list, an import, a sending with a fallback, its end', async () => {
  const page = await stage.page();
  await page.goto(`${stage.url}/login`);
  await tabTo(page, /^Login/);
  await page.keyboard.type('customer');
  await tabTo(page, /^Password/);
  await page.keyboard.type('heliograph');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Contact lists' }).waitFor();

  await page.keyboard.press('g');
  await page.keyboard.press('c');
  await page.waitForURL('**/contacts');
  await page.getByRole('row', { name: /Customers/ }).waitFor();
  await page.keyboard.press('n');
  await page
    .getByRole('dialog')
    .getByLabel(/^Title/)
    .waitFor();
  await page.keyboard.type('By keys');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await page.getByRole('row', { name: /By keys/ }).waitFor();
  await press(page, /Import into “By keys”/);
  await page.getByRole('dialog').waitFor();
  const asked = page.waitForEvent('filechooser');
  await press(page, /^Spreadsheet/);
  const people = Array.from({ length: 20 }, (_, i) => `+7903${1_000_000 + i};Anna ${i}`);
  await (
    await asked
  ).setFiles({
    name: 'keys.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`Phone;First name\n${people.join('\n')}\n`),
  });
  await page.getByRole('button', { name: 'Import contacts' }).waitFor();
  await press(page, /^Import contacts$/);
  await page.getByText('20 contacts imported').first().waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });

  await page.keyboard.press('g');
  await page.keyboard.press('s');
  await page.waitForURL(/\/send/);
  await page.getByRole('heading', { level: 1, name: 'New sending' }).waitFor();
  const isViber = () =>
    page.evaluate(() => (document.activeElement as HTMLInputElement).value === 'viber');
  await tabTo(page, /^(SMS|Viber)/);
  for (let i = 0; i < 10 && !(await isViber()); i++) await page.keyboard.press('ArrowDown');
  expect(await isViber()).toBe(true);
  await typeSender(page);
  await tabTo(page, /^Text \*/);
  await page.keyboard.type('Tea today');
  await press(page, /^Add a fallback$/);
  await page.getByRole('group', { name: 'Fallback 1' }).waitFor();
  await tabTo(page, /^Channel/);
  await page.keyboard.type('SMS');
  await typeSender(page);
  await tabTo(page, /^Text \*/);
  await page.keyboard.type('Tea, by SMS');
  await tabTo(page, /^Failed$/);
  await page.keyboard.press('Space');
  await tabTo(page, /^Seconds after the previous attempt/);
  await page.keyboard.press('Control+a');
  await page.keyboard.type('3');
  await press(page, /^Next$/);
  await page.waitForURL(/step=recipients/);
  await page.getByRole('checkbox', { name: /^By keys/ }).waitFor();
  await tabTo(page, /^By keys/);
  await page.keyboard.press('Space');
  await press(page, /^Next$/);
  await page.waitForURL(/step=send/);
  await tabTo(page, /^Title/);
  await page.keyboard.type('Keys only');
  const send = page.getByRole('button', { name: /^Send 20 messages for/ });
  await expect.poll(() => send.isEnabled(), { timeout: 15_000 }).toBe(true);
  await press(page, /^Send 20 messages for/);
  await page.getByRole('link', { name: 'Watch it' }).waitFor();
  await press(page, /^Watch it$/);

  await page.waitForURL('**/messages/tasks**');
  const progress = page.getByRole('row', { name: /Keys only/ }).getByRole('progressbar');
  await expect.poll(() => progress.getAttribute('aria-valuenow'), { timeout: 60_000 }).toBe('100');
  expect(stage.complaints).toEqual([]);
}, 180_000);

test('a failed message is found, opened, left and its neighbour opened with the keyboard alone', async () => {
  const page = await stage.signedIn('customer');
  await page.goto(`${stage.url}/messages/outgoing`);
  const rows = page.getByRole('table').getByRole('row');
  await rows.nth(1).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  const drawer = page.getByRole('dialog', { name: /Message/ });
  await drawer.waitFor();
  const first = new URL(page.url()).searchParams.get('id');
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => new URL(page.url()).searchParams.get('id')).not.toBe(first);
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'hidden' });
  expect(new URL(page.url()).searchParams.get('id')).toBeNull();
  expect(stage.complaints).toEqual([]);
});
