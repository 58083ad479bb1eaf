import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LOCALES, type Locale } from '../../src/core/i18n/locales.ts';
import { misfits } from '../fit.ts';
import { barriers, drawn, TestBrowser, wide, WIDTHS } from '../test-browser.ts';
import {
  changeLocale,
  furnish,
  GATE,
  isCovered,
  newcomer,
  SCREENS,
  show,
  visitorOf,
  type Visitor,
} from './screens.ts';

const ROLES = ['visitor', 'newcomer', 'customer', 'reseller', 'manager'] as const;
type Role = (typeof ROLES)[number];

/** The language with the longest words comes last: that is the one whose page axe reads. */
const LONGEST: Locale = 'de';
const ALL = [...LOCALES.filter((locale) => locale !== LONGEST), LONGEST];
// Managers and new accounts see mostly the same pages, so one language is enough.
const LANGUAGES: Record<Role, Locale[]> = {
  visitor: ALL,
  newcomer: [LONGEST],
  customer: ALL,
  reseller: ALL,
  manager: [LONGEST],
};

let browser: TestBrowser;
const visitors = {} as Record<Role, Visitor>;

beforeAll(async () => {
  browser = await TestBrowser.open();
  await furnish(browser);
  for (const role of ROLES) {
    const username = role === 'newcomer' ? await newcomer(browser) : role;
    const [first] = LANGUAGES[role];
    visitors[role] = await visitorOf(browser, first!, role === 'visitor' ? undefined : username);
  }
});
afterAll(() => browser.close());

/** It has a name in the chosen language, and the focus is inside. */
async function introduces(page: Page, screen: string, locale: string): Promise<string[]> {
  const { title, lang, heading, count, isInside } = await page.evaluate(() => ({
    title: document.title,
    lang: document.documentElement.lang,
    heading: document.querySelector<HTMLElement>('h1')?.innerText ?? '',
    count: document.querySelectorAll('h1').length,
    isInside: !!document.activeElement?.closest('[role=dialog]'),
  }));
  const [name = ''] = title.split(' – ');
  return [
    !/\S – \S/.test(title) || /\w:\w/.test(title) ? `title “${title}”` : '',
    lang !== locale ? `lang “${lang}”` : '',
    count !== 1 || !heading ? `${count} headings “${heading}”` : '',
    !name.trim() ? 'no name' : '',
    isCovered(screen) && !isInside ? 'the focus is not in what has opened' : '',
  ].filter(Boolean);
}

const light = (page: Page) => page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
const dark = (page: Page) => page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });

const cases = ROLES.flatMap((role) =>
  (role === 'visitor' ? GATE : SCREENS).map((screen) => [role, screen] as const),
);

test.for(cases)(
  'has a name, fits and can be used in every language, width and scheme: %s %s',
  async ([role, screen], { skip }) => {
    const { page } = visitors[role];
    const [desktop, phone] = WIDTHS.map((width) => wide(width).viewport);
    const found: string[] = [];
    const note = (where: string, what: string[]) =>
      found.push(...what.map((line) => `${where}: ${line}`));
    await page.setViewportSize(desktop!);
    await light(page);
    await show(browser, visitors[role], screen, skip);
    if (role !== 'visitor' && page.url().includes('/login')) note(screen, ['not signed in']);
    for (const locale of LANGUAGES[role]) {
      if (locale !== LANGUAGES[role][0]) await changeLocale(page, locale);
      note(locale, [...(await introduces(page, screen, locale)), ...(await misfits(page))]);
    }
    note('desktop, light', await barriers(page));
    // Of the rules of axe only contrast depends on the scheme.
    await dark(page);
    note('desktop, dark', await barriers(page, 'color-contrast'));
    await page.setViewportSize(phone!);
    await drawn(page);
    note('phone, dark', [...(await barriers(page, 'color-contrast')), ...(await misfits(page))]);
    await light(page);
    note('phone, light', await barriers(page));
    note('console', browser.consoleErrors);
    expect(found).toEqual([]);
  },
);
