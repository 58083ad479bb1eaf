import { afterAll, beforeAll, expect, test } from 'vitest';
import { quiet, TestBrowser, wide, WIDTHS } from '../test-browser.ts';
import { furnish, PAGES } from './screens.ts';

let browser: TestBrowser;

beforeAll(async () => {
  browser = await TestBrowser.open();
  await furnish(browser);
});
afterAll(() => browser.close());

/** A tenth of what is called good. It cannot be seen. */
const LIMIT = 0.01;
const PATHS = PAGES.filter((path) => !path.includes(':'));
/** Longer for an account without a sender name. */
const OF_SENDERS = ['/send', '/tariffs'];
const VISITORS = WIDTHS.flatMap((width) => [
  { username: 'customer', width, paths: PATHS },
  { username: 'reseller', width, paths: OF_SENDERS },
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

test.each(VISITORS)(
  'nothing moves while a page of a $username is loaded: $width wide',
  async ({ username, width, paths }) => {
    const page = await browser.signedIn(username, wide(width));
    await page.addInitScript(watch);
    const found: string[] = [];
    for (const path of paths) {
      await page.goto(browser.url + path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await quiet(page);
      const seen = await page.evaluate(() => shifts);
      const sum = seen.reduce((total, { value }) => total + value, 0);
      if (sum > LIMIT)
        found.push(`${path}: ${sum.toFixed(3)}, ${seen.flatMap(({ what }) => what).join(' | ')}`);
    }
    expect(found).toEqual([]);
  },
  300_000,
);
