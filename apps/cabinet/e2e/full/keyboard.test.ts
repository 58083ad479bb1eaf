import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectFocus, go, press, tabTo, typeSender } from '../keys.ts';
import { TestBrowser } from '../test-browser.ts';

let browser: TestBrowser;

beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser.close());

test('sign-in, list, import and sending with a fallback work by keyboard alone', async () => {
  const page = await browser.page();
  await page.goto(`${browser.url}/login`);
  await tabTo(page, /^Username/);
  await page.keyboard.type('customer');
  await tabTo(page, /^Password/);
  await page.keyboard.type('heliograph');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Home' }).waitFor();

  await go(page, 'c', /\/contacts$/);
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
  await press(page, /^Upload a file/);
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

  await go(page, 's', /\/send/);
  await page.getByRole('heading', { level: 1, name: 'New message' }).waitFor();
  const isViber = () =>
    page.evaluate(() => (document.activeElement as HTMLInputElement).value === 'viber');
  await tabTo(page, /^(SMS|Viber)/);
  for (let i = 0; i < 10 && !(await isViber()); i++) await page.keyboard.press('ArrowDown');
  expect(await isViber()).toBe(true);
  await typeSender(page, 'MIRTEA');
  await tabTo(page, /^Text \*/);
  await page.keyboard.type('Tea today');
  await press(page, /^Add a fallback$/);
  await page.getByRole('group', { name: 'Fallback 1' }).waitFor();
  // The new fallback has the focus.
  await expectFocus(page, /^Channel/);
  await page.keyboard.type('SMS');
  await typeSender(page, 'MIRTEA');
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
  await page.waitForURL('**/messages/tasks/*');
  const progress = page.getByRole('main').getByRole('progressbar');
  await expect.poll(() => progress.getAttribute('aria-valuenow'), { timeout: 60_000 }).toBe('100');
  expect(browser.consoleErrors).toEqual([]);
}, 180_000);

const SMS = { type: 'sms', payload: { sender: 'BEANBAR', text: 'Your coffee is ready' } };

/** Sends to two test numbers: one is delivered, one always fails. Returns the token of the account. */
async function sendTwo(): Promise<string> {
  const token = await browser.token('customer2');
  for (const recipient of ['+79990000000', '+79990000002'])
    await browser.call('POST', '/sendings', { ...SMS, recipient }, token);
  return token;
}

test('a failed message is found, opened and sent again by another channel by keyboard alone', async () => {
  const token = await sendTwo();
  const page = await browser.signedIn('customer2');
  await page.goto(browser.url);
  await go(page, 'o', /\/messages\/outgoing/);
  await expectFocus(page, /Outgoing/);
  const failed = page.getByRole('row', { name: /\+79990000002.*Failed/ }).first();
  await failed.waitFor({ timeout: 30_000 });
  await page.keyboard.press('f');
  await press(page, /^Status/);
  await tabTo(page, /^Failed$/);
  await page.keyboard.press('Space');
  await page.keyboard.press('Escape');
  await expectFocus(page, /^Status/);
  await page.getByText('Status: Failed').waitFor();
  // The filter is shown before its rows are; until then the keys would reach the former rows.
  const others = page.locator('[data-row]').filter({ hasNotText: 'Failed' });
  await others.first().waitFor({ state: 'detached' });
  await failed.waitFor();
  await page.keyboard.press('j');
  await expectFocus(page, /\+79990000002/);
  await page.keyboard.press('Enter');
  const drawer = page.getByRole('dialog', { name: /Message/ });
  await drawer.getByText('Why it failed').waitFor();
  const first = new URL(page.url()).searchParams.get('id');

  await press(page, /^Send (again|through another channel)$/);
  const form = page.getByRole('dialog', { name: /Send again to/ });
  await form.waitFor();
  await expectFocus(page, /SMS/);
  await page.keyboard.type('Viber');
  await typeSender(page, 'BEANBAR');
  await form.getByRole('button', { name: /^Send for / }).waitFor();
  await press(page, /^Send for /);
  await form.waitFor({ state: 'hidden' });
  await expect.poll(() => new URL(page.url()).searchParams.get('id')).not.toBe(first);
  const id = new URL(page.url()).searchParams.get('id')!;
  const sent = await browser.call('GET', `/sendings/${id}`, undefined, token);
  expect(sent).toMatchObject({ type: 'viber', recipient: '+79990000002' });
  // The drawer now shows the new message; closed, it returns the focus to the list.
  await drawer.getByText('Viber', { exact: true }).first().waitFor();
  await expectFocus(page);
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'hidden' });
  await expectFocus(page);
  expect(browser.consoleErrors).toEqual([]);
});

test('previous and next message are reached by keyboard alone, and the focus returns to the list', async () => {
  await sendTwo();
  const page = await browser.signedIn('customer2');
  await page.goto(`${browser.url}/messages/outgoing`);
  const rows = page.getByRole('table').getByRole('row');
  await rows.nth(2).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  const drawer = page.getByRole('dialog', { name: /Message/ });
  await drawer.waitFor();
  const shown = () => new URL(page.url()).searchParams.get('id');
  const second = shown();
  await press(page, /^Previous message$/);
  await expect.poll(shown).not.toBe(second);
  // The first message has no previous one: the button is disabled but keeps the focus.
  const back = drawer.getByRole('button', { name: 'Previous message' });
  await expect.poll(() => back.getAttribute('aria-disabled')).toBe('true');
  await expectFocus(page, /^Previous message$/);
  await page.keyboard.press('ArrowRight');
  await expect.poll(shown).toBe(second);
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'hidden' });
  expect(shown()).toBeNull();
  await expectFocus(page);
  expect(browser.consoleErrors).toEqual([]);
});

test('a task is paused, resumed and stopped by keyboard alone', async () => {
  const token = await browser.token('customer2');
  const { rows } = await browser.db.query(
    `select l.id from contact_lists l join users u on u.id = l.owner_id
      where u.username = 'customer2' and l.title = 'Regulars'`,
  );
  const { id } = await browser.call(
    'POST',
    '/sendings',
    {
      type: 'viber',
      payload: SMS.payload,
      recipient: { include: [rows[0].id] },
      schedule: { delay: 0, until: 12 },
      options: { title: 'By hand' },
    },
    token,
  );
  const page = await browser.signedIn('customer2');
  await page.goto(browser.url);
  await go(page, 't', /\/messages\/tasks/);
  const row = page.getByRole('row', { name: /By hand/ });
  await row.waitFor();
  const state = async () =>
    (await browser.db.query(`select state from tasks where id = $1`, [id])).rows[0].state as string;
  await press(page, /^Pause “By hand”$/);
  await row.getByText('Paused').waitFor();
  expect(await state()).toBe('paused');
  // The same button now resumes it.
  await expectFocus(page, /^Resume “By hand”$/);
  await page.keyboard.press('Enter');
  await row.getByText('Running').waitFor();
  await expectFocus(page, /^Pause “By hand”$/);
  expect(await state()).toBe('running');

  await press(page, /^Stop “By hand”$/);
  const question = page.getByRole('dialog', { name: 'Stop “By hand”?' });
  await question.waitFor();
  await expectFocus(page, /^Cancel$/);
  await press(page, /^Stop “By hand”$/);
  await question.waitFor({ state: 'hidden' });
  await row.getByText('Stopped').waitFor();
  await expectFocus(page, /By hand/);
  expect(browser.consoleErrors).toEqual([]);
});
