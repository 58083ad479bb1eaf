import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { misfits } from '../fit.ts';
import { barriers, TestBrowser, WIDTHS } from '../test-browser.ts';
import { furnish, GATE, isCovered, nameOf, newcomer, screensOf, visit } from './screens.ts';

const LOCALES = ['ru', 'en', 'de'];
const SCHEMES = ['light', 'dark'] as const;
const ROLES = ['visitor', 'newcomer', 'customer', 'reseller', 'manager'] as const;
type Role = (typeof ROLES)[number];

interface Finding {
  role: Role;
  screen: string;
  locale: string;
  width: number;
  scheme?: string;
  what: string;
}

let browser: TestBrowser;
const found: Finding[] = [];
const names = {} as Record<Role, string>;
const screens = { visitor: GATE } as Record<Role, string[]>;

beforeAll(async () => {
  browser = await TestBrowser.open();
  await furnish(browser);
  for (const role of ROLES.slice(1)) {
    names[role] = role === 'newcomer' ? await newcomer(browser) : role;
    screens[role] = await screensOf(browser, names[role]);
  }
});
afterAll(async () => {
  if (found.length) console.table(found);
  await browser.close();
});

async function look(page: Page, note: (what: string, scheme?: string) => void) {
  for (const what of await misfits(page)) note(what);
  for (const [n, colorScheme] of SCHEMES.entries()) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // Of the rules of axe only contrast depends on the scheme.
    const rules = n === 0 ? undefined : 'color-contrast';
    for (const barrier of await barriers(page, rules)) note(barrier, colorScheme);
  }
}

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

const cases = ROLES.flatMap((role) =>
  LOCALES.flatMap((locale) => WIDTHS.map((width) => [role, locale, width] as const)),
)
  // Managers and new accounts see mostly the same pages, so one language is enough.
  .filter(([role, locale]) => locale === 'de' || !['newcomer', 'manager'].includes(role));

test.each(cases)(
  'every screen in every scheme: %s, %s, %i wide',
  async (role, locale, width) => {
    const options = { viewport: { width, height: width > 600 ? 900 : 844 } };
    const page = await (role === 'visitor'
      ? browser.page(options)
      : browser.signedIn(names[role], options));
    await page.addInitScript((to) => localStorage.setItem('heliograph.locale', to), locale);
    const before = found.length;
    for (const screen of screens[role]) {
      const note = (what: string, scheme?: string) =>
        found.push({ role, screen: nameOf(screen), locale, width, scheme, what });
      const heard = browser.consoleErrors.length;
      await page.emulateMedia({ colorScheme: SCHEMES[0], reducedMotion: 'reduce' });
      try {
        await visit(browser, page, screen);
        if (role !== 'visitor' && page.url().includes('/login')) note('not signed in');
        (await introduces(page, screen, locale)).forEach((what) => note(what));
        await look(page, note);
      } catch (error) {
        note(String(error).split('\n')[0]!);
      }
      browser.consoleErrors.slice(heard).forEach((text) => note(text));
    }
    await page.context().close();
    expect(found.slice(before)).toEqual([]);
  },
  900_000,
);
