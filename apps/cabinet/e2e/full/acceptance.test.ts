import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { barriers, entry, quiet, Stage } from '../stage.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage.close());

const colorOf = (page: Page, selector: string) =>
  page.locator(selector).evaluate((e) => getComputedStyle(e).color);

test('who has no sender name in use adds no fallback, and reads why', async () => {
  const page = await stage.signedIn('customer');
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
  await page.goto(`${stage.url}/send?type=sms`);
  await why.waitFor();
  expect(await add.isDisabled()).toBe(true);

  isUsed = true;
  await page.reload();
  await expect.poll(() => add.isEnabled()).toBe(true);
  await quiet(page);
  expect(await why.count()).toBe(0);
  await page.close();
});

test('who stands on both sides is sent to by no short cut, and the reason is beside it', async () => {
  const page = await stage.signedIn('customer');
  await page.goto(`${stage.url}/send?type=sms`);
  await page
    .getByLabel(/^Sender/)
    .first()
    .selectOption('MIRTEA');
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
    expect(await short.isDisabled()).toBe(true);
    await numbers.fill('');
    await expect.poll(() => short.isEnabled()).toBe(true);
  }
  await page.close();
});

test('help with recipients is of their kind', async () => {
  const page = await stage.signedIn('customer');
  const help = async (type: string, label: string) => {
    await page.goto(`${stage.url}/send?type=${type}&step=recipients`);
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
  'why a message failed is said in the colour of errors, and can be read: %s',
  async (colorScheme) => {
    const token = await stage.token('customer');
    const { id } = await stage.call(
      'POST',
      '/sendings',
      {
        type: 'sms',
        payload: { sender: 'MIRTEA', text: 'Tea' },
        recipient: '+79990000002',
      },
      token,
    );
    const page = await stage.signedIn('customer', { colorScheme });
    await page.goto(`${stage.url}/messages/outgoing?id=${id}`);
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

test('blurred, whom an incoming message is to is read by nobody, in the list and beside it', async () => {
  const token = await stage.token('customer');
  const message = { type: 'sms', from: '+79990000000', to: 'MIRTEA', payload: { text: 'Thanks' } };
  const { id } = await stage.call('POST', '/sendingsIncoming', message, token);
  const page = await stage.signedIn('customer', { viewport: { width: 1440, height: 900 } });
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
    await page.goto(`${stage.url}/messages/incoming`);
    await page.evaluate((on) => localStorage.setItem('heliograph.blur', on ? 'on' : 'off'), isOn);
    await page.goto(`${stage.url}/messages/incoming?id=${id}`);
    await page.getByRole('dialog').getByText('MIRTEA', { exact: true }).waitFor();
    await entry(page, 'MIRTEA').waitFor();
    const found = await filters();
    expect(found.length).toBeGreaterThan(1);
    expect(new Set(found)).toEqual(new Set([isOn]));
  }
  await page.close();
});
