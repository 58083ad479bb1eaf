import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectFocus } from '../keys.ts';
import { misfits } from '../fit.ts';
import { barriers, TestBrowser } from '../test-browser.ts';
import { furnish, screensOf, settled } from './screens.ts';

let browser: TestBrowser;
/** Paths with an id, by the path without it. */
let paths: Map<string, string>;

beforeAll(async () => {
  browser = await TestBrowser.open();
  await furnish(browser);
  const all = [
    ...(await screensOf(browser, 'reseller')),
    ...(await screensOf(browser, 'customer')),
  ];
  paths = new Map(all.map((path) => [path.replace(/[0-9a-f-]{36}/, ':id'), path]));
  // A delivered message: one that has failed meanwhile has another button to send it again.
  const delivered = await browser.call<{ data: { id: string }[] }>(
    'GET',
    '/sendings?recipient=%2B79990000000&$limit=1',
    undefined,
    await browser.token('customer'),
  );
  paths.set('/messages/outgoing?id=:id', `/messages/outgoing?id=${delivered.data[0]!.id}`);
});
afterAll(() => browser.close());

const OVERLAYS = '[role=dialog], [role=menu]';

type Open = (page: Page) => Promise<void>;

const key =
  (stroke: string): Open =>
  (page) =>
    page.keyboard.press(stroke);
/** A button by its icon, which is the same in every language. */
const button = (icon: string): Open => {
  const wanted = `:enabled:has(.tabler-icon-${icon}):visible`;
  return (page) =>
    page.locator(`main button${wanted}, [role=dialog] button${wanted}`).first().click();
};

/** Dialogs and menus, and how they are opened. */
const OPENED: [name: string, role: 'customer' | 'reseller', from: string, open: Open][] = [
  ['the palette', 'customer', '/', key('Control+k')],
  ['the keys', 'customer', '/', key('?')],
  [
    'the account',
    'customer',
    '/',
    (page) => page.locator('header [aria-haspopup=menu]').last().click(),
  ],
  ['views', 'customer', '/messages/outgoing', key('v')],
  ['columns', 'customer', '/messages/outgoing', button('layout-columns')],
  ['sending again', 'customer', '/messages/outgoing?id=:id', button('repeat')],
  ['a new list', 'customer', '/contacts', key('n')],
  ['deleting a list', 'customer', '/contacts', button('trash')],
  ['importing', 'customer', '/contacts', button('table-import')],
  ['a new contact', 'customer', '/contacts/:id', key('n')],
  ['a contact', 'customer', '/contacts/:id', button('pencil')],
  ['a new template', 'customer', '/messages/templates', key('n')],
  ['deleting a template', 'customer', '/messages/templates', button('trash')],
  ['stopping a task', 'customer', '/messages/tasks', button('player-stop')],
  ['whom a task is for', 'customer', '/messages/tasks', button('address-book')],
  ['repeating a bulk', 'customer', '/messages/tasks/:id', button('repeat')],
  ['a recurring sending', 'customer', '/messages/recurring', button('pencil')],
  ['deleting a recurring sending', 'customer', '/messages/recurring', button('trash')],
  ['a new automation', 'customer', '/messages/automations', key('n')],
  ['deleting an automation', 'customer', '/messages/automations', button('trash')],
  ['the people of an automation', 'customer', '/messages/automations', button('users')],
  ['a sender name', 'customer', '/settings/sendernames', button('pencil')],
  ['deleting a sender name', 'customer', '/settings/sendernames', button('trash')],
  ['a tracking link', 'customer', '/send', button('link')],
  ['the text generator', 'customer', '/send', button('sparkles')],
  ['the same by API', 'customer', '/send', button('code')],
  ['a balance', 'reseller', '/users', button('wallet')],
];

/** Opens, checks and closes one. Returns the findings. */
async function tryOut(page: Page, from: string, open: Open): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.goto(browser.url + (paths.get(from) ?? from));
  await settled(page);
  const over = page.locator(OVERLAYS);
  const before = await over.count();
  await open(page);
  await expect.poll(() => over.count()).toBe(before + 1);
  await over.last().waitFor();
  const isInside = () =>
    page.evaluate(() => !!document.activeElement?.closest('[role=dialog], [role=menu]'));
  await expect.poll(isInside, { message: 'the focus is in it' }).toBe(true);
  // Not the page behind it, whose buttons it covers in part. Other journeys check the pages.
  const wrong = [...(await misfits(page)), ...(await barriers(page, undefined, OVERLAYS))];
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  wrong.push(...(await barriers(page, 'color-contrast', OVERLAYS)));
  await page.keyboard.press('Escape');
  await expect.poll(() => over.count()).toBe(before);
  await expectFocus(page);
  return wrong;
}

const cases = (['customer', 'reseller'] as const).flatMap((role) =>
  [1280, 390, 320].map((width) => [role, width] as const),
);

test.each(cases)(
  'dialogs and menus are accessible, fit, and return the focus when closed: %s, %i wide',
  async (role, width) => {
    const found: string[] = [];
    const page = await browser.signedIn(role, { viewport: { width, height: 844 } });
    // The language with the longest words.
    await page.addInitScript(() => localStorage.setItem('heliograph.locale', 'de'));
    for (const [name, who, from, open] of OPENED.filter(([, of]) => of === role)) {
      const wrong = await tryOut(page, from, open).catch((error: unknown) => [
        String(error).split('\n').slice(0, 3).join(' '),
      ]);
      found.push(...wrong.map((what) => `${who}, ${name}: ${what}`));
    }
    await page.context().close();
    found.push(...browser.consoleErrors.splice(0));
    expect(found).toEqual([]);
  },
  600_000,
);
