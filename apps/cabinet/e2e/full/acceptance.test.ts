import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { barriers, entry, quiet, TestBrowser } from '../test-browser.ts';
import { chooseSender } from '../choose-sender.ts';

let browser: TestBrowser;

beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser.close());

const colorOf = (page: Page, selector: string) =>
  page.locator(selector).evaluate((e) => getComputedStyle(e).color);

test('an account without an active sender name cannot add a fallback and sees the reason', async () => {
  const page = await browser.signedIn('customer');
  let isUsed = false;
  await page.route('**/api/sendernames?*', async (route) => {
    const answer = await route.fetch();
    const json = (await answer.json()) as { data: { isActive: boolean }[] };
    expect(json.data.length).toBeGreaterThan(0);
    for (const name of json.data) name.isActive &&= isUsed;
    await route.fulfill({ response: answer, json });
  });
  const why = page.getByText('There are no approved sender names for a fallback.');
  const add = page.getByRole('button', { name: 'Add a fallback' });
  await page.goto(`${browser.url}/send?type=sms`);
  await why.waitFor();
  await expect.poll(() => add.isDisabled()).toBe(true);

  isUsed = true;
  await page.reload();
  await expect.poll(() => add.isEnabled()).toBe(true);
  await quiet(page);
  await expect.poll(() => why.count()).toBe(0);
  await page.close();
});

test('the shortcuts are disabled for a recipient who is also excluded, with the reason beside them', async () => {
  const page = await browser.signedIn('customer');
  await page.goto(`${browser.url}/send?type=sms`);
  await chooseSender(page, 'MIRTEA');
  await page.getByRole('textbox', { name: /^Text/ }).fill('Tea');
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  const short = page.locator('[data-action="short cut"]');
  const numbers = page.getByLabel('Phone numbers');
  const side = (name: RegExp) => page.getByRole('tab', { name });
  await numbers.fill('+79990000000');
  await expect.poll(() => short.isEnabled()).toBe(true);

  // The same as it is written, and the same number in another writing, which only the server knows.
  for (const number of ['+79990000000', '8 (999) 000-00-00']) {
    await side(/^Do not send to/).click();
    await numbers.fill(number);
    await expect.poll(() => short.isDisabled()).toBe(true);
    await expect
      .poll(async () =>
        page.locator(`#${await short.getAttribute('aria-describedby')}`).innerText(),
      )
      .toMatch(/The same recipient is both included and excluded/);
    await quiet(page);
    await expect.poll(() => short.isDisabled()).toBe(true);
    await numbers.fill('');
    await expect.poll(() => short.isEnabled()).toBe(true);
  }
  await page.close();
});

test('the hint of the recipients fits the channel', async () => {
  const page = await browser.signedIn('customer');
  const help = async (type: string, label: string) => {
    await page.goto(`${browser.url}/send?type=${type}&step=recipients`);
    const field = page.getByLabel(label);
    await field.waitFor();
    return page
      .locator(`#${(await field.getAttribute('aria-describedby'))!.split(' ')[0]}`)
      .innerText();
  };
  expect(await help('sms', 'Phone numbers')).toContain('A leading 8 becomes +7.');
  expect(await help('email', 'E-mail addresses')).toBe('One per line, or separated by commas.');
  await page.close();
});

test.each(['light', 'dark'] as const)(
  'the reason of a failed message has the colour of errors with enough contrast: %s',
  async (colorScheme) => {
    const token = await browser.token('customer');
    const { id } = await browser.call(
      'POST',
      '/sendings',
      {
        type: 'sms',
        payload: { sender: 'MIRTEA', text: 'Tea' },
        recipient: '+79990000002',
      },
      token,
    );
    const page = await browser.signedIn('customer', { colorScheme });
    await page.goto(`${browser.url}/messages/outgoing?id=${id}`);
    await page.locator('[data-reason]').waitFor();
    const error = await page.evaluate(() => {
      const probe = document.body.appendChild(document.createElement('i'));
      probe.style.color = 'var(--mantine-color-error)';
      const { color } = getComputedStyle(probe);
      probe.remove();
      return color;
    });
    const text = await page.evaluate(() => getComputedStyle(document.body).color);
    expect(error).not.toBe(text);
    expect(await colorOf(page, '[data-reason]')).toBe(error);
    expect(await barriers(page, 'color-contrast')).toEqual([]);
    await page.close();
  },
);

test('with blurring, the receiver of an incoming message is hidden in the list and in its details', async () => {
  const token = await browser.token('customer');
  const message = { type: 'sms', from: '+79990000000', to: 'MIRTEA', payload: { text: 'Thanks' } };
  const { id } = await browser.call('POST', '/sendingsIncoming', message, token);
  const page = await browser.signedIn('customer', { viewport: { width: 1440, height: 900 } });
  const filters = () =>
    page
      .getByText('MIRTEA', { exact: true })
      .evaluateAll((all) =>
        all
          .filter((e) => e.closest('[data-row], [role=dialog]'))
          .map(
            (e) =>
              !!e.closest('[inert]') && /blur/.test(getComputedStyle(e.closest('[inert]')!).filter),
          ),
      );
  for (const isOn of [false, true]) {
    await page.goto(`${browser.url}/messages/incoming`);
    await page.evaluate((on) => localStorage.setItem('heliograph.blur', on ? 'on' : 'off'), isOn);
    await page.goto(`${browser.url}/messages/incoming?id=${id}`);
    await page.getByRole('dialog').getByText('MIRTEA', { exact: true }).waitFor();
    await entry(page, 'MIRTEA').waitFor();
    const found = await filters();
    expect(found.length).toBeGreaterThan(1);
    expect(new Set(found)).toEqual(new Set([isOn]));
  }
  await page.close();
});
