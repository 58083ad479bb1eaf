import { afterAll, beforeAll, expect, test } from 'vitest';
import { LOCALES } from '../../src/core/i18n/locales.ts';
import { misfits } from '../fit.ts';
import { drawn, TestBrowser } from '../test-browser.ts';
import { furnish, GATE, nameOf, screensOf, visit } from './screens.ts';

const WIDTHS = [390, 320];

let browser: TestBrowser;
let screens: [role: 'visitor' | 'customer' | 'reseller', screens: string[]][];

beforeAll(async () => {
  browser = await TestBrowser.open();
  await furnish(browser);
  const [own, wider] = [await screensOf(browser, 'customer'), await screensOf(browser, 'reseller')];
  const more = /^\/(users|tariffs|messages|settings)/;
  screens = [
    ['visitor', GATE],
    ['customer', own],
    ['reseller', wider.filter((screen) => more.test(screen))],
  ];
});
afterAll(() => browser.close());

test.each(LOCALES)(
  'every screen fits into 390 and 320 pixels: %s',
  async (locale) => {
    const found: string[] = [];
    for (const [role, paths] of screens) {
      const options = { viewport: { width: WIDTHS[0]!, height: 844 } };
      const page = await (role === 'visitor'
        ? browser.page(options)
        : browser.signedIn(role, options));
      await page.addInitScript((to) => localStorage.setItem('heliograph.locale', to), locale);
      for (const screen of paths) {
        await page.setViewportSize(options.viewport);
        await visit(browser, page, screen);
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 844 });
          await drawn(page);
          const wrong = await misfits(page);
          found.push(...wrong.map((what) => `${role} ${nameOf(screen)} at ${width}: ${what}`));
        }
      }
      await page.context().close();
    }
    expect(found).toEqual([]);
  },
  600_000,
);
