import { afterAll, beforeAll, expect, test } from 'vitest';
import { LOCALES } from '../../src/core/i18n/locales.ts';
import { misfits } from '../fit.ts';
import { drawn, TestBrowser } from '../test-browser.ts';
import { changeLocale, furnish, GATE, SCREENS, show, visitorOf, type Visitor } from './screens.ts';

const WIDTHS = [390, 320];
const WIDER = SCREENS.filter((screen) => /^\/(users|tariffs|messages|settings)/.test(screen));
const TABLE = { visitor: GATE, customer: SCREENS, reseller: WIDER };
type Role = keyof typeof TABLE;

let browser: TestBrowser;
let visitors: Record<Role, Visitor>;

beforeAll(async () => {
  browser = await TestBrowser.open();
  await furnish(browser);
  visitors = {
    visitor: await visitorOf(browser, LOCALES[0]),
    customer: await visitorOf(browser, LOCALES[0], 'customer'),
    reseller: await visitorOf(browser, LOCALES[0], 'reseller'),
  };
});
afterAll(() => browser.close());

const cases = Object.entries(TABLE).flatMap(([role, screens]) =>
  screens.map((screen) => [role as Role, screen] as const),
);

test.for(cases)(
  'fits into 390 and 320 pixels in every language: %s %s',
  async ([role, screen], { skip }) => {
    const { page } = visitors[role];
    const found: string[] = [];
    let [width] = WIDTHS;
    const resize = async (to: number) => {
      width = to;
      await page.setViewportSize({ width, height: 844 });
      await drawn(page);
    };
    await resize(WIDTHS[0]!);
    await show(browser, visitors[role], screen, skip);
    for (const locale of LOCALES) {
      if (locale !== LOCALES[0]) await changeLocale(page, locale);
      // The width that is shown comes first.
      for (const next of WIDTHS.toSorted((a) => (a === width ? -1 : 1))) {
        if (next !== width) await resize(next);
        found.push(...(await misfits(page)).map((what) => `${locale} at ${width}: ${what}`));
      }
    }
    expect(found).toEqual([]);
  },
);
