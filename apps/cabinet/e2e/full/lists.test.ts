import { afterAll, beforeAll, expect, test } from 'vitest';
import { drawn, entry, TestBrowser } from '../test-browser.ts';

let browser: TestBrowser;

beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser.close());

test('a notification on a later page is opened there, marked as read when it is visible, and counted by the bell', async () => {
  // Other journeys create notifications of this user, too.
  await browser.db.query(
    `update notifications n set is_read = true from users u where u.id = n.user_id and u.username = 'customer2'`,
  );
  await browser.db.query(
    `insert into notifications (user_id, owner_id, type, data, sent_at)
     select u.id, u.id, 'SendingsBulkResumed', jsonb_build_object('title', 'Told ' || n), now()
       from users u, generate_series(1, 40) n where u.username = 'customer2'`,
  );
  const page = await browser.signedIn('customer2');
  /** The count in the bell's name. */
  const unread = async () => {
    const name = await page
      .getByRole('button', { name: /^Notifications/ })
      .first()
      .innerText();
    return Number(/\b(\d+) unread/.exec(name)?.[1] ?? 0);
  };
  await page.goto(`${browser.url}/notifications?page=2`);
  await entry(page, 'Told').waitFor();
  // Rows of a later page are not the newest ones, so the count is fetched again.
  await expect.poll(unread, { timeout: 20_000 }).toBeGreaterThan(10);
  await expect.poll(unread, { timeout: 20_000 }).toBeLessThan(35);
  await entry(page, 'Told').getByRole('link').click();
  await page.getByRole('dialog').getByText('Created').waitFor();
  await expect.poll(() => new URL(page.url()).searchParams.get('page')).toBe('2');
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await expect.poll(() => new URL(page.url()).search).toBe('?page=2');
  await page.getByRole('button', { name: 'Mark all as read' }).click();
  await expect.poll(unread, { timeout: 15_000 }).toBe(0);
  // A notification that the filter excludes from the list.
  const { rows } = await browser.db.query(
    `select n.id from notifications n join users u on u.id = n.user_id
      where u.username = 'customer2' order by n.id limit 1`,
  );
  await page.goto(`${browser.url}/notifications?f.isRead=false&id=${rows[0].id}`);
  await page
    .getByRole('dialog')
    .getByText(rows[0].id as string)
    .waitFor();
  expect(browser.consoleErrors).toEqual([]);
});

test('a dialog stays open until its call has ended', async () => {
  const token = await browser.token('customer2');
  const { id } = await browser.call(
    'POST',
    '/contactLists',
    { title: 'Short-lived', type: 'regular' },
    token,
  );
  const page = await browser.signedIn('customer2');
  let goOn = () => {};
  const held = new Promise<void>((resolve) => (goOn = resolve));
  await page.route(`**/api/contactLists/${id}`, async (route) => {
    if (route.request().method() === 'DELETE') await held;
    await route.continue();
  });
  await page.goto(`${browser.url}/contacts`);
  await entry(page, 'Short-lived')
    .getByRole('button', { name: /^Delete/ })
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: /^Delete/ }).click();
  await expect.poll(() => dialog.getByRole('button', { name: 'Close' }).isDisabled()).toBe(true);
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  await drawn(page);
  await expect.poll(() => dialog.isVisible()).toBe(true);
  goOn();
  await dialog.waitFor({ state: 'hidden' });
  await entry(page, 'Short-lived').waitFor({ state: 'detached' });
  expect(browser.consoleErrors).toEqual([]);
});

test('new rows of a scrolled list are shown on request', async () => {
  const token = await browser.token('customer');
  const page = await browser.signedIn('customer', { viewport: { width: 1280, height: 500 } });
  await page.goto(`${browser.url}/contacts`);
  const title = (n: number) => `Newcomer ${n}`;
  const add = (n: number) =>
    browser.call('POST', '/contactLists', { title: title(n), type: 'regular' }, token);
  await page.locator('[data-row]').first().waitFor();
  await add(1);
  await entry(page, title(1)).waitFor();
  await page.mouse.wheel(0, 300);
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(0);
  const first = () => page.locator('[data-row]').first().innerText();
  const before = await first();
  await add(2);
  const pill = page.getByRole('button', { name: '1 new row' });
  await pill.waitFor();
  expect(await first()).toBe(before);
  await pill.click();
  await entry(page, title(2)).waitFor();
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  await pill.waitFor({ state: 'detached' });
  expect(browser.consoleErrors).toEqual([]);
});
