import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFormats } from '../../src/core/formats.ts';
import { tabTo, typeSender } from '../keys.ts';
import { expectAccessible, TestBrowser } from '../test-browser.ts';
import { chooseSender } from '../choose-sender.ts';

let browser: TestBrowser;

beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser.close());

const formats = createFormats('en', 'RUB');
const NEXT = { name: 'Next', exact: true } as const;

const charged = async (id: string) => {
  const { rows } = await browser.db.query(`select -amount as amount from billings where id = $1`, [
    id,
  ]);
  return Number(rows[0].amount);
};

test('a message is written and sent by keyboard alone for the price on the button', async () => {
  const page = await browser.page();
  await browser.signIn(page, 'customer');
  await page.goto(`${browser.url}/send?type=sms`);
  await page.getByRole('heading', { level: 1, name: 'New message' }).waitFor();
  await typeSender(page, 'MIRTEA');
  await expect
    .poll(() => page.getByRole('combobox', { name: /^Sender/ }).inputValue())
    .toBe('MIRTEA');
  await tabTo(page, /^Text \*/);
  await page.keyboard.type('Hello {firs');
  await page.getByRole('option', { name: /^\{firstName\}/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.type('!');
  await expect
    .poll(() => page.getByRole('textbox', { name: /^Text/ }).inputValue())
    .toBe('Hello {firstName}!');
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await expect
    .poll(() => page.getByRole('textbox', { name: /^Text/ }).inputValue())
    .toBe('Hello {firs');
  await page.keyboard.press('Control+y');
  await page.keyboard.press('Control+y');
  await expect
    .poll(() => page.getByRole('textbox', { name: /^Text/ }).inputValue())
    .toBe('Hello {firstName}!');
  // A typed number has no name.
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.type('|friend');
  await expect
    .poll(() => page.getByRole('textbox', { name: /^Text/ }).inputValue())
    .toBe('Hello {firstName|friend}!');
  await tabTo(page, /^Next$/);
  await page.keyboard.press('Enter');
  await page.waitForURL(/step=recipients/);
  await tabTo(page, /^Phone numbers/);
  await page.keyboard.type('8 999 000 00 00');
  await page.getByText('1 valid · 0 duplicates · 0 invalid').waitFor();
  await tabTo(page, /^Next$/);
  await page.keyboard.press('Enter');
  await page.waitForURL(/step=send/);
  const button = page.getByRole('button', { name: /^Send 1 message for/ });
  await button.waitFor();
  await expect.poll(() => button.isEnabled()).toBe(true);
  const said = (await button.innerText()).replace('Send 1 message for ', '');
  await tabTo(page, /^Send 1 message for/);
  await page.keyboard.press('Enter');
  // The wizard is empty again, with a link to the message.
  await page.waitForURL(/\/send\?step=message/);
  await expect.poll(() => page.getByRole('textbox', { name: /^Text/ }).inputValue()).toBe('');
  await page.getByText('Message to +79990000000 accepted.').first().waitFor();
  await page.keyboard.press('z');
  await page.waitForURL(/\/messages\/outgoing\?id=/);
  const id = new URL(page.url()).searchParams.get('id')!;
  expect(formats.money(await charged(id))).toBe(said);
  expect(browser.consoleErrors).toEqual([]);
});

test.each([
  ['light', 1280],
  ['dark', 390],
] as const)(
  'every step and dialog is accessible, and the draft is restored: %s, %i wide',
  async (colorScheme, width) => {
    const page = await browser.page({ colorScheme, viewport: { width, height: 844 } });
    await browser.signIn(page, 'customer');
    await page.goto(`${browser.url}/send`);
    const chip = page.getByRole('button', { name: 'Spring sale', exact: true });
    await chip.click();
    await page.waitForURL(/\/send\/[0-9a-f-]{36}/);
    await expectAccessible(page);

    // A changed message is no longer linked to the template.
    await expect.poll(() => chip.getAttribute('aria-pressed')).toBe('true');
    await expect.poll(() => page.getByLabel(/^Text/).first().inputValue()).not.toBe('');
    await page.getByLabel(/^Text/).first().fill('“Tea” — {firstName|friends}');
    await page.waitForURL(/\/send(\?|$)/);
    await expect.poll(() => chip.getAttribute('aria-pressed')).toBe('false');
    await page.getByRole('radio', { name: /^SMS/ }).check();
    await page.getByRole('button', { name: /^Replace them/ }).click();
    await expect
      .poll(() => page.getByLabel(/^Text/).first().inputValue())
      .toBe('"Tea" - {firstName|friends}');
    for (const [open, title] of [
      ['Tracking link', 'Tracking link'],
      ['Save as a template', 'Save as a template'],
      ['Show as cURL', 'The same via API'],
    ] as const) {
      await page.getByRole('button', { name: open, exact: true }).click();
      await page.getByRole('dialog', { name: title }).waitFor();
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
    }

    // Without a sender the step stays, and the field has the focus.
    await page.getByRole('button', NEXT).click();
    await expect
      .poll(() =>
        page.evaluate(
          () =>
            (document.activeElement as HTMLSelectElement).ariaInvalid ??
            document.activeElement?.getAttribute('aria-invalid'),
        ),
      )
      .toBe('true');
    await chooseSender(page, 'MIRTEA');
    await page.getByLabel('Later', { exact: true }).check();
    await page.getByLabel('Date and time').fill('2020-01-01T10:00');
    await page.getByRole('button', NEXT).click();
    await page.getByText('Choose a time in the future.', { exact: true }).waitFor();
    await expect
      .poll(() => page.evaluate(() => (document.activeElement as HTMLInputElement).type))
      .toBe('datetime-local');
    await page.getByLabel('Now', { exact: true }).check();
    await page.getByRole('button', NEXT).click();
    await page.waitForURL(/step=recipients/);
    await page.getByLabel('Phone numbers').fill('8 999 000 00 00\n+79990000000\nAnna');
    await page.getByText('repeated').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Keep only valid ones' }).click();
    await expect.poll(() => page.getByLabel('Phone numbers').inputValue()).toBe('+79990000000');
    await page.getByRole('tab', { name: /^Do not send to/ }).click();
    await expectAccessible(page);
    await page.getByRole('button', NEXT).click();
    await page.waitForURL(/step=send/);
    await page.getByText('Balance after').waitFor();
    await expectAccessible(page);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBeLessThanOrEqual(0);

    await page.getByText(/^Draft saved/).waitFor();
    await page.reload();
    await page.getByText(/^Draft from .* restored$/).waitFor();
    await page
      .getByRole('navigation', { name: 'Sending steps' })
      .getByRole('button', { name: /^1?Message/ })
      .click();
    await expect
      .poll(() => page.getByLabel(/^Text/).first().inputValue())
      .toBe('"Tea" - {firstName|friends}');
    await page.goBack();
    await page
      .getByRole('link', { name: /Heliograph/ })
      .first()
      .click();
    // The draft is kept, so there is no question.
    await page.waitForURL((to) => !to.pathname.startsWith('/send'));
    await page.goto(`${browser.url}/send`);
    await page.getByRole('button', { name: 'Discard', exact: true }).click();
    await page.getByLabel(/^Text/).first().waitFor();
    await expect.poll(() => page.getByLabel(/^Text/).first().inputValue()).toBe('');

    // In the middle of a word: the draft is stored before the page is left.
    await page.getByLabel(/^Text/).first().fill('Half a wo');
    await page
      .getByRole('link', { name: /Heliograph/ })
      .first()
      .click();
    await page.waitForURL((to) => !to.pathname.startsWith('/send'));
    await page.goto(`${browser.url}/send`);
    await expect.poll(() => page.getByLabel(/^Text/).first().inputValue()).toBe('Half a wo');
    expect(browser.consoleErrors).toEqual([]);
  },
);

test('a draft is kept while a link opens the wizard with other values, and keys move through the steps', async () => {
  const page = await browser.signedIn('customer');
  await page.goto(`${browser.url}/send?type=sms`);
  const text = page.getByRole('textbox', { name: /^Text/ });
  await text.fill('Half a thought');
  await page.getByText(/^Draft saved/).waitFor();
  await page.goto(`${browser.url}/send?type=viber`);
  await page.getByText(/^You have a draft from /).waitFor();
  await expect.poll(() => text.inputValue()).toBe('');
  // A reload does not overwrite it.
  await page.reload();
  await page.getByRole('button', { name: 'Open draft' }).click();
  await expect.poll(() => text.inputValue()).toBe('Half a thought');
  await expect.poll(() => page.getByRole('radio', { name: /^SMS/ }).isChecked()).toBe(true);

  await chooseSender(page, 'MIRTEA');
  await text.focus();
  await page.keyboard.press('Control+Enter');
  await page.waitForURL(/step=recipients/);
  await page.getByLabel('Phone numbers').fill('+79990000000');
  await page.keyboard.press('Control+Enter');
  await page.waitForURL(/step=send/);
  // Keys without Ctrl are typed into a focused field.
  await expect
    .poll(() => page.evaluate(() => document.activeElement!.hasAttribute('data-step-title')))
    .toBe(true);
  await page.keyboard.press('Alt+1');
  await page.waitForURL(/step=message/);
  await page.keyboard.press('Alt+3');
  await page.waitForURL(/step=send/);
  await page.keyboard.press('~');
  await page.getByRole('dialog', { name: 'The same via API' }).waitFor();
  await page.keyboard.press('Control+Enter');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  const send = page.getByRole('button', { name: /^Send 1 message for/ });
  await expect.poll(() => send.isEnabled()).toBe(true);
  await page.keyboard.press('Control+Enter');
  await page.getByText('Message to +79990000000 accepted.').first().waitFor();
  expect(browser.consoleErrors).toEqual([]);
});

test('rejected templates and sender names of other accounts are not offered', async () => {
  const token = await browser.token('customer');
  const { id } = await browser.call(
    'POST',
    '/templates',
    { title: 'Winter sale', type: 'sms', payload: { text: 'Snow' } },
    token,
  );
  await browser.db.query(
    `update templates set moderation = 'rejected', comment = 'Whose sale?' where id = $1`,
    [id],
  );
  const page = await browser.signedIn('customer');
  await page.goto(`${browser.url}/send/${id}`);
  await page
    .getByText('The template “Winter sale” was rejected and cannot be used. Whose sale?')
    .waitFor();
  await expect.poll(() => page.getByRole('textbox', { name: /^Text/ }).inputValue()).toBe('');
  await expect.poll(() => page.getByRole('button', { name: 'Winter sale' }).count()).toBe(0);

  const theirs = await browser.signedIn('reseller');
  const named = theirs.waitForResponse((answer) => answer.url().includes('/api/sendernames?'));
  await theirs.goto(`${browser.url}/send?type=sms`);
  await theirs.getByRole('heading', { level: 1, name: 'New message' }).waitFor();
  const names = (await (await named).json()).data as { name: string }[];
  expect(names.map(({ name }) => name)).not.toContain('MIRTEA');
  await browser.db.query(`delete from templates where id = $1`, [id]);
  expect(browser.consoleErrors).toEqual([]);
});

test('removing a fallback keeps the others', async () => {
  const page = await browser.signedIn('customer');
  await page.goto(`${browser.url}/send?type=sms`);
  const fallback = (number: number) => page.getByRole('group', { name: `Fallback ${number}` });
  const text = (number: number) => fallback(number).getByRole('textbox', { name: /^Text/ });
  for (const [number, said] of [
    [1, 'First'],
    [2, 'Second'],
  ] as const) {
    await page.getByRole('button', { name: 'Add a fallback' }).click();
    await text(number).fill(said);
  }
  await fallback(1)
    .getByRole('button', { name: /^Remove/ })
    .click();
  await fallback(2).waitFor({ state: 'detached' });
  // It stays expanded and keeps its undo history.
  await expect.poll(() => text(1).inputValue()).toBe('Second');
  await fallback(1).getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => text(1).inputValue()).toBe('');
  expect(browser.consoleErrors).toEqual([]);
});
