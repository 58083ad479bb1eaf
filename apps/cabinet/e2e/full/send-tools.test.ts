import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectAccessible, TestBrowser } from '../test-browser.ts';
import { chooseSender } from '../choose-sender.ts';

let browser: TestBrowser;

beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser.close());

/** Opens an empty wizard. */
async function wizard(type: string) {
  const page = await browser.signedIn('customer');
  await page.goto(`${browser.url}/send?type=${type}`);
  await page.getByRole('heading', { level: 1, name: 'New message' }).waitFor();
  return { page, text: page.getByRole('textbox', { name: /^Text/ }) };
}

test('a tracking link is inserted in full or short; the short one redirects and counts clicks', async () => {
  const { page, text } = await wizard('sms');
  const build = async (kind: string) => {
    await page.getByRole('button', { name: 'Tracking link' }).click();
    await page.getByLabel('Page address').fill('https://Tea.shop/Sale');
    await page.getByLabel('Source preset').selectOption('vk');
    await page.getByLabel(/^utm_campaign/).fill('Autumn');
    await page.getByText(kind, { exact: true }).click();
    await page.getByText('utm_source=vk&utm_medium=sms&utm_campaign=autumn').first().waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Insert the link' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    return text.inputValue();
  };
  const marks = 'utm_source=vk&utm_medium=sms&utm_campaign=autumn';
  expect(await build('Full link')).toBe(`tea.shop/sale?${marks}`);
  await text.fill('');
  const short = await build('Short link');
  expect(short).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/s\/\w{9}$/);
  // As a browser: programs do not count.
  const answer = await fetch(short, {
    redirect: 'manual',
    headers: { accept: 'text/html', 'user-agent': 'Mozilla/5.0 (X11; Linux x64)' },
  });
  expect(answer.headers.get('location')).toBe(`https://tea.shop/Sale?${marks}`);
  const clicks = async () => {
    const code = short.slice(-9);
    const { rows } = await browser.db.query(`select clicks from links where code = $1`, [code]);
    return rows[0]?.clicks as number;
  };
  await expect.poll(clicks).toBe(1);

  await page.getByRole('button', { name: 'Tracking link' }).click();
  await page.getByText('Short link', { exact: true }).click();
  const recent = page.getByRole('region', { name: 'Recent short links' });
  await recent.getByRole('button', { name: /1 click$/ }).click();
  await expect.poll(() => text.inputValue()).toBe(short + short);
  expect(browser.consoleErrors).toEqual([]);
});

test('a text is generated from a description, inserted and undone', async () => {
  const { page, text } = await wizard('sms');
  await text.fill('Come to us');
  await page.getByRole('button', { name: 'Text generator' }).click();
  const generate = page.getByRole('button', { name: 'Generate', exact: true });
  await generate.click();
  await expect.poll(() => page.getByText('Fill in this field.').count()).toBe(2);
  await page.getByLabel('What the message is about').fill('green tea for half the price');
  await page.getByLabel('Occasion').fill('spring sale');
  await page.getByLabel('SMS parts').fill('11');
  await generate.click();
  await page.getByText('The value is outside the allowed range.').waitFor();
  await page.getByLabel('SMS parts').fill('1');
  await page.getByLabel('Tone').selectOption('Joyful');
  await generate.click();
  const apply = page.getByRole('button', { name: 'Use this text' });
  await apply.waitFor();
  await expectAccessible(page);
  await apply.click();
  await expect.poll(() => text.inputValue()).toMatch(/^Hooray, spring sale! For you: green tea/);
  await page.getByText(/^1 part ·/).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => text.inputValue()).toBe('Come to us');
  expect(browser.consoleErrors).toEqual([]);
});

test('a rate limit disables the generator for its time, also after leaving the page', async () => {
  const { page } = await wizard('sms');
  await page.route('**/api/n/message-payload-generator/text', (route) =>
    route.fulfill({
      status: 429,
      json: {
        error: 429,
        code: 'rate_limited',
        payload: { expires_at: new Date(Date.now() + 40_000).toISOString() },
      },
    }),
  );
  const open = () => page.getByRole('button', { name: 'Text generator' }).click();
  await open();
  await page.getByLabel('What the message is about').fill('tea');
  await page.getByLabel('Occasion').fill('sale');
  await page.getByRole('button', { name: 'Generate', exact: true }).click();
  const wait = page.getByRole('button', { name: /^Again in [1-4]?\d s$/ });
  await wait.waitFor();
  await expect.poll(() => wait.isDisabled()).toBe(true);
  await page.getByText('Request limit exceeded.').waitFor();
  await page.reload();
  await open();
  await wait.waitFor();
  // The browser logs the refusal.
  expect(browser.consoleErrors.splice(0).every((line) => line.includes('429'))).toBe(true);
});

test('a text is previewed as speech, changed, previewed again and sent as the recording', async () => {
  const { page, text } = await wizard('voice');
  await chooseSender(page, '74951234567');
  await page.getByText('Text read aloud', { exact: true }).click();
  await expect
    .poll(() => page.getByRole('combobox', { name: 'Voice' }).inputValue())
    .toBe('speechkit:alena');
  const player = page.getByRole('group', { name: 'How it sounds' });
  const state = () => player.getAttribute('data-state');
  const listen = page.getByRole('button', { name: 'Listen', exact: true });
  expect(await state()).toBe('empty');
  await expect.poll(() => listen.isDisabled()).toBe(true);
  await text.fill('Your order is ready');
  await listen.click();
  await expect.poll(state).toBe('play');
  await expect.poll(state).toBe('pause');
  await expect.poll(() => page.getByLabel('Position').inputValue()).toBe('0');
  await expectAccessible(page);
  await page.getByRole('combobox', { name: 'Voice' }).selectOption('polly:maxim');
  expect(await state()).toBe('empty');
  await listen.click();
  await page.getByRole('button', { name: 'Send this recording' }).click();
  await page.getByRole('button', { name: 'Your order is ready.wav', exact: true }).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await page.getByLabel('Phone numbers').first().fill('+7 999 000 00 00');
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await page.getByRole('button', { name: /^Send 1 message for/ }).click();
  await page.waitForURL(/\/send\?step=message/);
  await page.getByRole('button', { name: 'View progress' }).click();
  await page.waitForURL(/\/messages\/outgoing\?id=/);
  await page.getByText('Delivered').first().waitFor({ timeout: 30_000 });
  const { rows } = await browser.db.query(
    `select count(*)::int as n from files where title = 'Your order is ready.wav' and expired_at is null`,
  );
  expect(rows[0].n).toBe(1);
  expect(browser.consoleErrors).toEqual([]);
});
