import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { drawn, insecure, quiet, TestBrowser, WIDTHS, wide } from '../test-browser.ts';
import { chooseSender } from '../choose-sender.ts';

let browser: TestBrowser;

beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser.close());

const scrolled = (page: Page) => page.evaluate(() => Math.round(scrollY));
const hasFocus = (field: Locator) =>
  expect.poll(() => field.evaluate((e) => e === document.activeElement)).toBe(true);

/** Clicks a button. The page scrolls no further than the new field requires. */
async function pressInPlace(page: Page, button: Locator, focused: Locator): Promise<void> {
  await button.scrollIntoViewIfNeeded();
  const before = await scrolled(page);
  await button.click();
  await hasFocus(focused);
  expect(Math.abs((await scrolled(page)) - before)).toBeLessThan(500);
  expect(
    await focused.evaluate((e) => {
      const { top, bottom } = e.getBoundingClientRect();
      return top >= 56 && bottom <= innerHeight;
    }),
  ).toBe(true);
}

test.each(WIDTHS)('a form does not move while it is filled in: %i wide', async (width) => {
  const page = await browser.signedIn('customer2', wide(width));
  await page.goto(`${browser.url}/send?type=viber`);
  const text = page.getByRole('textbox', { name: /^Text/ }).first();
  await text.fill('Tea');
  await page.getByText(/^Draft saved/).waitFor();

  // A tooltip does not move the page.
  const size = () =>
    page.evaluate(() => {
      const { scrollWidth, scrollHeight, clientWidth } = document.documentElement;
      return [scrollWidth, scrollHeight, clientWidth];
    });
  const still = await size();
  await page.getByRole('button', { name: 'Undo' }).hover();
  const tooltip = page.getByRole('tooltip');
  await tooltip.waitFor();
  expect(await tooltip.evaluate((e) => getComputedStyle(e).position)).toBe('absolute');
  expect(await size()).toEqual(still);
  await page.mouse.move(0, 0);

  // A new field has the focus; after a removal its neighbour has it.
  const add = page.getByRole('button', { name: 'Add a button' });
  await pressInPlace(page, add, page.getByLabel(/^Button text/));
  await pressInPlace(page, page.getByRole('button', { name: 'Remove button 1' }), add);
  const fallback = (number: number) => page.getByRole('group', { name: `Fallback ${number}` });
  const more = page.getByRole('button', { name: 'Add a fallback' });
  await pressInPlace(page, more, fallback(1).getByLabel('Channel'));
  await pressInPlace(page, more, fallback(2).getByLabel('Channel'));
  await pressInPlace(
    page,
    page.getByRole('button', { name: 'Remove fallback 1' }),
    fallback(1)
      .getByRole('button', { name: /fallback 1$/ })
      .first(),
  );
  await pressInPlace(page, page.getByRole('button', { name: 'Remove fallback 1' }), more);

  // Only the unfinished brace is removed, and the preview is updated.
  await text.fill('Hello {firstName|friend}');
  await text.press('Home');
  await page.getByRole('button', { name: 'Variable' }).first().click();
  await page.locator('[role=option]').first().waitFor();
  await expect.poll(() => text.inputValue()).toBe('{Hello {firstName|friend}');
  await page.keyboard.press('Escape');
  await expect.poll(() => text.inputValue()).toBe('Hello {firstName|friend}');
  await page.getByRole('button', { name: 'Variable' }).first().click();
  await page.locator('[role=option]').first().waitFor();
  await text.evaluate((e) => e.blur());
  await expect.poll(() => text.inputValue()).toBe('Hello {firstName|friend}');
  await page
    .getByRole('region', { name: 'Message as it arrives' })
    .getByText('Hello friend')
    .waitFor();
  expect(browser.consoleErrors).toEqual([]);
});

test.each([
  [1280, true],
  [390, true],
  [1280, false],
])('two tabs have separate drafts: %i wide, in a secure context: %s', async (width, isSecure) => {
  const url = isSecure ? browser.url : insecure(browser.url);
  const one = await browser.signedIn('customer2', wide(width));
  const texts = ['In the first tab', 'In the second tab'];
  const other = await one.context().newPage();
  const write = async (page: Page, said: string, before: string) => {
    await page.goto(`${url}/send`);
    const text = page.getByRole('textbox', { name: /^Text/ }).first();
    await text.waitFor();
    await expect.poll(() => text.inputValue()).toBe(before);
    await text.fill(said);
    if (said) await page.getByText(/^Draft saved/).waitFor();
  };
  await write(one, texts[0]!, '');
  expect(await one.evaluate(() => isSecureContext)).toBe(isSecure);
  await write(other, texts[1]!, '');
  await write(one, texts[0]!, texts[0]!);
  await write(other, texts[1]!, texts[1]!);
  // The draft of a closed tab is restored in another one.
  await other.close();
  const third = await one.context().newPage();
  await write(third, '', texts[1]!);
  // Without TLS the browser logs headers that it ignores.
  const isOfTls = (one: string) => /Cross-Origin-Opener-Policy|Origin-Agent-Cluster/.test(one);
  expect(browser.consoleErrors.filter((one) => isSecure || !isOfTls(one))).toEqual([]);
});

test.each(WIDTHS)('a refused sign-in or registration shows the reason: %i wide', async (width) => {
  const page = await browser.page(wide(width));
  await page.goto(`${browser.url}/login`);
  const signIn = page.getByRole('button', { name: 'Sign in', exact: true });
  await page.getByText('Enter your username and password.').waitFor();
  const place = await signIn.boundingBox();
  await page.getByLabel('Username', { exact: true }).fill('customer');
  await page.getByLabel('Password', { exact: true }).fill('12345');
  await page.getByText(/^A password has at least 6 characters/).waitFor();
  await expect.poll(() => signIn.isDisabled()).toBe(true);
  expect(await signIn.boundingBox()).toEqual(place);
  await page.getByLabel('Password', { exact: true }).fill('123456');
  await expect.poll(() => signIn.isEnabled()).toBe(true);

  await page.goto(`${browser.url}/registration`);
  const field = (name: string) => page.getByLabel(new RegExp(`^${name}( \\*)?$`));
  // A login that becomes an e-mail is not cut while it is typed, and its copy follows it.
  await field('Username').pressSequentially('anna.petrova.of.tea@cups.example');
  await expect.poll(() => field('E-mail').inputValue()).toBe('anna.petrova.of.tea@cups.example');
  for (let i = 0; i < 9; i++) await field('Username').press('Backspace');
  await field('Username').pressSequentially('.test');
  await expect.poll(() => field('Username').inputValue()).toBe('anna.petrova.of.tea@cup.test');
  await expect.poll(() => field('E-mail').inputValue()).toBe('anna.petrova.of.tea@cup.test');
  await field('Password').fill('tea & 2 cups');
  await field('Confirm password').fill('tea & 3 cups');
  await field('First name').focus();
  await page.getByText('Passwords do not match.').waitFor();

  // The button does not move under the pointer.
  await field('Phone').fill('12');
  const register = page.getByRole('button', { name: 'Sign up' });
  await register.scrollIntoViewIfNeeded();
  const { x, y, width: w, height: h } = (await register.boundingBox())!;
  await page.mouse.move(x + w / 2, y + h - 2);
  await page.mouse.down();
  // The press moved the focus away from the field; its error is shown after the release.
  await expect.poll(() => field('Phone').evaluate((e) => e === document.activeElement)).toBe(false);
  await drawn(page);
  // A pressed button is one pixel lower.
  expect((await register.boundingBox())!.y - y).toBeLessThanOrEqual(1);
  await page.mouse.up();
  await page.getByText('Enter a valid phone number for this country.').waitFor();
  await page.getByText('Fill in this field.').first().waitFor();
  await hasFocus(field('Password'));
  // Both are typed again.
  for (const name of ['Password', 'Confirm password'])
    await expect.poll(() => field(name).inputValue()).toBe('');
  expect(browser.consoleErrors).toEqual([]);

  // A used key is reported on the page and as a notification.
  await page.goto(`${browser.url}/recover/${'a'.repeat(40)}`);
  const message = page.getByText('The link is invalid or has expired.');
  await expect.poll(() => message.count()).toBe(2);
  // The browser complains of the refusal.
  browser.consoleErrors.length = 0;
});

test.each(WIDTHS)('Escape asks before it throws typed words away: %i wide', async (width) => {
  const page = await browser.signedIn('customer2', wide(width));
  await page.goto(`${browser.url}/messages/templates?create=true`);
  const drawer = page.getByRole('dialog', { name: 'New template' });
  await drawer.getByLabel(/^Title/).fill('Half a thought');
  const ask = page.getByRole('dialog', { name: 'Discard changes?' });
  await page.keyboard.press('Escape');
  await ask.waitFor();
  await page.keyboard.press('Escape');
  await ask.waitFor({ state: 'hidden' });
  await expect.poll(() => drawer.getByLabel(/^Title/).inputValue()).toBe('Half a thought');
  await drawer.getByRole('button', { name: 'Close' }).first().click();
  await ask.getByRole('button', { name: 'Keep editing' }).click();
  await ask.waitFor({ state: 'hidden' });
  // Taken back it is nothing to ask about; neither is what was not typed.
  await drawer.getByLabel(/^Title/).fill('');
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'hidden' });
  await expect.poll(() => ask.count()).toBe(0);

  await page.goto(`${browser.url}/contacts`);
  await page.getByRole('button', { name: 'Create a list' }).first().click();
  const dialog = page.getByRole('dialog', { name: /list/ });
  await dialog.getByLabel(/^Title/).fill('Winter');
  await page.keyboard.press('Escape');
  await ask.getByRole('button', { name: 'Discard' }).click();
  await ask.waitFor({ state: 'hidden' });
  await dialog.waitFor({ state: 'hidden' });
  expect(browser.consoleErrors).toEqual([]);
});

test.each(WIDTHS)(
  'too little money is said from the first step, holds the button and ends with a top-up: %i wide',
  async (width) => {
    const page = await browser.signedIn('customer2', wide(width));
    const { rows } = await browser.db.query<{ id: string; balance: number }>(
      `select b.owner_id as id, b.balance::float8 as balance from balances b
         join users u on u.id = b.owner_id where u.username = 'customer2'`,
    );
    const { id: OwnerId, balance } = rows[0]!;
    const reseller = await browser.token('reseller');
    const enter = (source: 'accrual' | 'subtract', amount: number) =>
      browser.call('POST', '/billings', { source, amount, OwnerId }, reseller);
    await page.goto(`${browser.url}/send?type=viber`);
    const short = page.getByText(/is available/);
    const text = page.getByRole('textbox', { name: /^Text/ }).first();
    await text.fill('Tea');
    await chooseSender(page, 'BEANBAR');
    await expect.poll(() => short.count()).toBe(0);
    await enter('subtract', balance);
    await short.waitFor();
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    await page.getByLabel('Phone numbers').fill('+79990000000');
    const send = page.locator('[data-action]');
    await page.getByText(/This costs .* is available/).waitFor();
    await expect.poll(() => send.isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    await page.waitForURL(/step=send/);
    await page.locator('[data-amount]').waitFor();
    await expect.poll(() => short.count()).toBe(1);
    await expect.poll(() => send.isDisabled()).toBe(true);
    // Live: nothing is pressed or loaded anew.
    await enter('accrual', balance);
    await short.waitFor({ state: 'detached' });
    await expect.poll(() => send.isEnabled()).toBe(true);
    expect(browser.consoleErrors).toEqual([]);
  },
);

const BULK = /\/messages\/tasks\/[0-9a-f-]{36}/;

test.each(WIDTHS)(
  'one message tells of an event, leads to it and hides no button; the palette finds it: %i wide',
  async (width) => {
    const page = await browser.signedIn('customer2', wide(width));
    const { rows: lists } = await browser.db.query(
      `select l.id from contact_lists l join users u on u.id = l.owner_id where u.username = 'customer2' and l.title = 'Regulars'`,
    );
    const title = `Told once ${width}`;
    await page.goto(`${browser.url}/send`);
    await page.locator('[data-state=on]').first().waitFor();
    await browser.call(
      'POST',
      '/sendings',
      {
        type: 'viber',
        payload: { sender: 'BEANBAR', text: 'Your tea is ready' },
        recipient: { include: [lists[0].id] },
        options: { title },
      },
      await browser.token('customer2'),
    );
    // It was made by a program: this window tells of that as well.
    const toasts = page.locator('.mantine-Notification-root').filter({ hasText: title });
    await toasts.filter({ hasText: 'created' }).waitFor();
    const message = toasts.filter({ hasText: 'completed' });
    await message.waitFor({ timeout: 40_000 });
    const box = (await message.boundingBox())!;
    for (const button of await page.locator('main [data-variant=filled]:visible').all()) {
      const { x, y, width: w, height: h } = (await button.boundingBox())!;
      const apart =
        x >= box.x + box.width || x + w <= box.x || y >= box.y + box.height || y + h <= box.y;
      expect(apart).toBe(true);
    }
    await message.getByRole('button', { name: 'Open' }).click();
    await page.waitForURL(BULK);
    await page.getByRole('heading', { level: 1, name: title }).waitFor();

    await page.goto(`${browser.url}/messages/outgoing`);
    await page.locator('main time').first().waitFor();
    // Sums stand under one another, days are words.
    const times = await page.locator('main time').allInnerTexts();
    expect(times.length).toBeGreaterThan(0);
    for (const time of times) expect(time).toMatch(/^[A-Z][a-z]{2} \d{1,2}, \d\d:\d\d$/);
    await page
      .locator('.numeric:visible', { hasText: /₽[\d,]+\.\d\d$/ })
      .first()
      .waitFor();

    const find = async (word: string, found: string) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('textbox', { name: 'Search and commands' }).fill(word);
      await page.getByRole('option', { name: found }).click();
    };
    await find(title, `Campaign “${title}”`);
    await page.waitForURL(BULK);
    const { rows: sent } = await browser.db.query(
      `select s.id from sendings s join users u on u.id = s.owner_id where u.username = 'customer2' order by s.id desc limit 1`,
    );
    await page.goto(`${browser.url}/messages/outgoing?id=${sent[0].id}`);
    const drawer = page.getByRole('dialog').first();
    await drawer.waitFor();
    // The palette and what it opens stand over the drawer, also for Escape.
    for (let times = 0; times < 2; times++) {
      await find('shortc', 'Keyboard shortcuts');
      const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
      await keys.getByRole('switch').click({ trial: true });
      await page.keyboard.press('Control+k');
      await page.keyboard.press('Escape');
      await page.getByRole('textbox', { name: 'Search and commands' }).waitFor({ state: 'hidden' });
      await page.keyboard.press('Escape');
      await keys.waitFor({ state: 'hidden' });
    }
    await expect.poll(() => drawer.isVisible()).toBe(true);
    await find('Regul', 'List “Regulars”');
    await page.waitForURL(/\/contacts\/[0-9a-f-]{36}/);
    expect(browser.consoleErrors).toEqual([]);
  },
);

test('every message of a refusal is shown, on its field or above the button', async () => {
  const page = await browser.signedIn('customer2');
  await page.route('**/api/sendings', (route) =>
    route.fulfill({
      status: 422,
      json: {
        error: 422,
        name: 'Unprocessable',
        message: 'no',
        errors: [{ property: 'payload.sender', constraints: { brand: 'This brand is blocked.' } }],
        data: [{ message: 'The night is for sleeping.' }],
      },
    }),
  );
  await page.goto(`${browser.url}/send?type=viber&recipient=%2B79990000000&sender=BEANBAR`);
  await page.getByRole('textbox', { name: /^Text/ }).first().fill('Tea');
  for (let i = 0; i < 2; i++) await page.getByRole('button', { name: 'Next', exact: true }).click();
  await page.getByRole('button', { name: /^Send 1 message for/ }).click();
  await page.getByText('This brand is blocked.').waitFor();
  await expect.poll(() => page.getByText('The night is for sleeping.').isVisible()).toBe(true);
});

test('everything is asked for once by a page, and once more when something has changed before its socket stands', async () => {
  const page = await browser.page();
  let asked: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith('/api/'))
      asked.push(`${request.method()} ${pathname}${search} ${request.postData() ?? ''}`);
  });
  /** Until the socket stands and nothing more is asked for. */
  const expectAsked = async (come: () => Promise<unknown>, most = 1) => {
    asked = [];
    const socket = page.waitForEvent('websocket');
    await come();
    await (await socket).waitForEvent('framereceived');
    await quiet(page);
    const times = Map.groupBy(asked, (one) => one);
    expect([...times].flatMap(([one, all]) => (all.length > most ? one : []))).toEqual([]);
    expect(asked.length).toBeGreaterThan(3);
  };
  // The sign-in itself changes the list of sessions.
  await expectAsked(() => browser.signIn(page, 'customer2'), 2);
  // As clocks of machines differ, what happened within two seconds before a page counts for it.
  await page.waitForTimeout(3000);
  for (const path of ['/', '/send', '/messages/outgoing', '/messages/tasks', '/contacts'])
    await expectAsked(() => page.goto(browser.url + path));
  await expectAsked(() => page.reload());
});
