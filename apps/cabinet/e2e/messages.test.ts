import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectAccessible, Stage, wide, widths } from './stage.ts';

// An account of its own: the other journeys count what `customer` sends.
let stage: Stage;

beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage.close());

/** A call of the API with the session of a page. */
const call = (page: Page, path: string, body: object) =>
  page.evaluate(
    async ([to, json]) => {
      const token = localStorage.getItem('heliograph.token')!;
      const answer = await fetch(`/api${to}`, {
        method: 'POST',
        headers: { authorization: token, 'content-type': 'application/json' },
        body: json,
      });
      return (await answer.json()) as { id: string };
    },
    [path, JSON.stringify(body)] as const,
  );

const SMS = { type: 'sms', payload: { sender: 'BEANBAR', text: 'Your tea is ready' } };

test.each(widths(390))(
  'a failed message says why and is sent again by another channel, its price known before: %i wide',
  async (width) => {
    const page = await stage.page(wide(width));
    await stage.signIn(page, 'customer2');
    // One is delivered, one fails for ever: the outcomes of the test numbers.
    await call(page, '/sendings', { ...SMS, recipient: '+79990000000' });
    const { id: first } = await call(page, '/sendings', { ...SMS, recipient: '+79990000002' });
    const since = new Date(Date.now() - 86_400_000).toISOString();
    await page.goto(`${stage.url}/messages/outgoing?type=sms&createdAt[$gt]=${since}`);
    // The query of a link becomes the list's own and stays applied.
    await page.getByText('Type: SMS').waitFor();
    expect(page.url()).not.toMatch(/[?&]type=/);
    const failed = page
      .locator(`[data-row]:has(a[href*="${first}"])`)
      .filter({ hasText: /\+79990000002.*Failed/ });
    await failed.waitFor({ timeout: 30_000 });
    await failed.getByRole('link').press('Enter');
    const drawer = page.getByRole('dialog', { name: /Message/ });
    await drawer.getByText('Why it failed').waitFor();
    await expectAccessible(page);

    await drawer.getByRole('button', { name: 'Close' }).focus();
    await page.keyboard.press('ArrowRight');
    await drawer.getByText('+79990000000').waitFor();
    expect(new URL(page.url()).searchParams.get('id')).not.toBe(first);
    await page.keyboard.press('ArrowLeft');
    await drawer.getByText('+79990000002').waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get('id')).toBe(first);

    await drawer.getByRole('tab', { name: 'Timeline' }).click();
    await drawer.getByText('SMS: refunded').waitFor();
    await drawer.getByRole('tab', { name: 'API' }).click();
    await drawer.getByText(/curl 'http/).waitFor();
    await drawer.getByRole('tab', { name: 'Overview' }).click();

    await drawer.getByRole('button', { name: /^Send (again|through another channel)$/ }).click();
    const form = page.getByRole('dialog', { name: /Send again to/ });
    await form.getByLabel('Type').selectOption({ label: 'Viber' });
    await form.getByLabel(/^Sender/).fill('BEANBAR');
    expect(await form.getByLabel('Text').inputValue()).toBe('Your tea is ready');
    const send = form.getByRole('button', { name: /^Send for / });
    await send.waitFor();
    await expectAccessible(page);
    const price = Number(/[\d.]+/.exec((await send.textContent())!)![0]);
    await send.click();
    await form.waitFor({ state: 'hidden' });
    await expect.poll(() => new URL(page.url()).searchParams.get('id')).not.toBe(first);
    const id = new URL(page.url()).searchParams.get('id');
    const { rows } = await stage.db.query(
      `select s.phone, s.body, s.group_id, s.amount::float8 as amount from sendings s where id = $1`,
      [id],
    );
    expect(rows).toEqual([
      { phone: '+79990000002', body: 'Your tea is ready', group_id: null, amount: price },
    ]);
    expect(stage.complaints).toEqual([]);
  },
  90_000,
);

test('what a stop drops is said before, and is what comes back', async () => {
  const page = await stage.page();
  await stage.signIn(page, 'customer2');
  const { rows: lists } = await stage.db.query(
    `select l.id from contact_lists l join users u on u.id = l.owner_id where u.username = 'customer2' and l.title = 'Regulars'`,
  );
  const { id } = await call(page, '/sendings', {
    type: 'viber',
    payload: SMS.payload,
    recipient: { include: [lists[0].id] },
    schedule: { delay: 0, until: 12 },
    options: { title: 'Slow week' },
  });
  await page.goto(`${stage.url}/messages/tasks?id=${id}`);
  const details = page.getByRole('dialog', { name: 'Slow week' });
  await details.getByText(/per minute/).waitFor();
  await expectAccessible(page);
  await details.getByRole('button', { name: 'Stop “Slow week”' }).click();
  const question = page.getByRole('dialog', { name: 'Stop “Slow week”?' });
  const said = await question.getByText(/have not been handed over/).textContent();
  expect(said).toMatch(/^\d+ messages .* ₽[\d,.]+ will return/);
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Stop “Slow week”' }).click();
  await question.waitFor({ state: 'hidden' });
  await details.getByText('Stopped', { exact: true }).waitFor();
  await details.getByText('The task was stopped before the message was handed over.').waitFor();
  await details.getByRole('link', { name: 'Show these numbers' }).click();
  await page.getByText('Status: Failed').waitFor();
  await page.getByText('Messages of one task').waitFor();
  await page
    .getByRole('row', { name: /Failed/ })
    .first()
    .waitFor();
  expect(stage.complaints).toEqual([]);
}, 90_000);

test('a template is written, and may be used when the reseller has approved it', async () => {
  const page = await stage.page();
  await stage.signIn(page, 'customer2');
  await page.goto(`${stage.url}/messages/templates`);
  // The empty list offers it, and nothing else does.
  await page.getByRole('button', { name: 'Create a template' }).click();
  const drawer = page.getByRole('dialog', { name: 'New template' });
  await drawer.getByRole('button', { name: 'Create' }).click();
  // The title is required and has the focus.
  await expect
    .poll(() => drawer.getByLabel(/^Title/).evaluate((e) => e === document.activeElement))
    .toBe(true);
  await page.keyboard.type('Winter');
  await drawer.getByLabel(/^Sender/).selectOption('BEANBAR');
  await drawer.getByLabel(/^Text/).fill('{firstName|Friend}, winter tea is here');
  await drawer.getByText('‹firstName›, winter tea is here').waitFor();
  // What may stand in a place, for an operator: from the menu, and not sent.
  await drawer.getByLabel(/^Text/).press('End');
  await drawer.getByRole('button', { name: 'Variable' }).click();
  await page.keyboard.type('digits');
  await drawer.getByRole('option', { name: /%d\{1,10\}/ }).click();
  await drawer.getByText('‹firstName›, winter tea is here‹%d›').waitFor();
  await drawer.getByText(/for registration with an operator/).waitFor();
  await drawer.getByLabel(/^Text/).fill('{firstName|Friend}, winter tea is here');
  await expectAccessible(page);
  await drawer.getByRole('button', { name: 'Create' }).click();
  await drawer.waitFor({ state: 'hidden' });
  const row = page.getByRole('row', { name: /Winter/ });
  await row.getByText('In moderation').waitFor();

  const other = await stage.page();
  await stage.signIn(other, 'reseller');
  await other.goto(`${stage.url}/messages/templates?q=Winter`);
  await other.getByRole('link', { name: 'Winter' }).click();
  await other.getByRole('button', { name: 'Approve' }).click();
  await other.getByText('The template “Winter” is approved').waitFor();

  // The socket brings the decision.
  await row.getByText('Approved').waitFor();
  const use = row.getByRole('button', { name: 'Send with “Winter”' });
  expect(await use.isEnabled()).toBe(true);

  // What it holds besides its words is changed where messages are written.
  await row.getByRole('link', { name: 'Winter' }).click();
  await page.getByRole('link', { name: 'Edit in the send form' }).click();
  await page.getByText('The template “Winter” is in use.').waitFor();
  await page.getByRole('button', { name: 'Add a fallback' }).click();
  const fallback = page.getByRole('group', { name: /Fallback 1/ });
  await fallback.getByLabel(/^Sender/).selectOption('BEANBAR');
  await fallback.getByRole('textbox', { name: /^Text/ }).fill('Winter tea');
  await page.getByRole('button', { name: 'Save changes to “Winter”' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save changes to “Winter”' });
  await dialog.getByText(/will be moderated again/).waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The template “Winter” is saved.').waitFor();
  await page.getByRole('button', { name: 'Save changes to “Winter”' }).click();
  await dialog.getByText(/nothing to save/).waitFor();
  await page.keyboard.press('Escape');
  await page.goto(`${stage.url}/messages/templates`);
  await row.getByText('In moderation').waitFor();
  await row.getByRole('link', { name: 'Winter' }).click();
  await page.getByRole('dialog', { name: 'Winter' }).getByText('Fallbacks').waitFor();
  expect(stage.complaints).toEqual([]);
}, 120_000);
