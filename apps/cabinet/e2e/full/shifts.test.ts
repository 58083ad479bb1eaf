import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestBrowser, wide, WIDTHS } from '../test-browser.ts';
import { furnish, PAGES, show, visitorOf, type Visitor } from './screens.ts';

const ROLES = ['customer', 'reseller'] as const;
type Role = (typeof ROLES)[number];

let browser: TestBrowser;
const visitors = {} as Record<Role, Visitor>;

beforeAll(async () => {
  browser = await TestBrowser.open();
  await furnish(browser);
  for (const role of ROLES) {
    visitors[role] = await visitorOf(browser, 'en', role);
    await visitors[role].page.addInitScript(watch);
  }
});
afterAll(() => browser.close());

/** A tenth of what is called good. It cannot be seen. */
const LIMIT = 0.01;
const PATHS = PAGES.filter((path) => !path.includes(':'));
/** Longer for an account without a sender name. */
const OF_SENDERS = ['/send', '/tariffs'];
const cases = WIDTHS.flatMap((width) => [
  ...PATHS.map((path) => ['customer', path, width] as const),
  ...OF_SENDERS.map((path) => ['reseller', path, width] as const),
]);

declare global {
  var shifts: { value: number; what: string[] }[];
}

/** Collects what moved without an input, and by how much. */
function watch(): void {
  globalThis.shifts = [];
  const nameOf = (node: Node | null) =>
    (node instanceof Element ? node : node?.parentElement)?.textContent.slice(0, 40) ?? '';
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as unknown as {
      value: number;
      hadRecentInput: boolean;
      sources: { node: Node | null }[];
    }[])
      if (!entry.hadRecentInput)
        shifts.push({ value: entry.value, what: entry.sources.map(({ node }) => nameOf(node)) });
  }).observe({ type: 'layout-shift', buffered: true });
}

test.for(cases)(
  'nothing moves while a page is loaded: %s %s, %i wide',
  async ([role, path, width], { skip }) => {
    const { page } = visitors[role];
    await page.setViewportSize(wide(width).viewport);
    await show(browser, visitors[role], path, skip);
    const seen = await page.evaluate(() => shifts);
    const sum = seen.reduce((total, { value }) => total + value, 0);
    expect(sum, seen.flatMap(({ what }) => what).join(' | ')).toBeLessThanOrEqual(LIMIT);
  },
);
