import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestBrowser } from './test-browser.ts';

/** An entry of the bundler's manifest. */
interface Entry {
  file: string;
  imports?: string[];
  css?: string[];
  isDynamicEntry?: boolean;
}

const dist = new URL('../dist/', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, dist));
const manifest = JSON.parse(read('.vite/manifest.json').toString()) as Record<string, Entry>;

/** kB of 1000 bytes, as the build compresses them with gzip, of all JavaScript that a page imports at first load. Texts are separate. */
// With keys for calls that may have their effect twice, storage that may be full, one strict reading of phones, and the places of the
// operator: routes, tariffs, analytics, the state of the installation, teams, identity providers; and segments, sign-up forms and bulks with two texts.
const SHELL = 269;
// Its filters and fields of phones are shared by more pages than before, it tells its own results from others', and prices and rules of
// tariffs know calls that are charged by their length.
const LIST = SHELL + 48;
const budgets: [page: RegExp, kb: number][] = [
  // Opened after sign-in.
  [/second-factor-page/, LIST],
  // All faults of a registration are said at once, those of the password too.
  [/features\/auth\//, 178],
  // Its estimate names a spend cap, and the variables that lack a value; those of fields have the names that the account gave.
  // This and that of the contacts allow for some hundred bytes by which the shell may grow within its own budget.
  [/send-page/, SHELL + 80],
  // The acts of a task, the preview of what was sent, and whom it may be sent to again. The shell, which knows the page of margins, too,
  // is near its own budget.
  [/bulk-page/, SHELL + 53],
  // Values of typed fields; the rules of a tariff name contact lists, whose client has those, too, and it has volume steps
  // and intervals of calls in its price lists.
  [/contacts-page/, SHELL + 52],
  [/tariff-page/, SHELL + 53],
  // Its five sections with comboboxes, and the declension of names.
  [/requisite-form-page/, SHELL + 48],
  [/documentation-page/, SHELL + 75],
  [/./, LIST],
];
const CSS = 40;

const START = ['index.html', 'src/shell/error-page.tsx'];
/** What the router loads for every page behind the login. */
const SIGNED_IN = [
  'src/shell/shell.tsx',
  'src/shell/shell-loader.ts',
  'src/shell/messages.tsx',
  'src/core/guard.ts',
];

const pages = Object.keys(manifest).filter(
  (key) => key.endsWith('-page.tsx') && manifest[key]!.isDynamicEntry,
);

/** The files of some modules and of all that they import statically. */
function closure(keys: string[]): { js: string[]; css: string[] } {
  const seen = new Set<string>();
  const visit = (key: string) => {
    if (seen.has(key)) return;
    if (!manifest[key]) throw new Error(`${key} is not in the manifest`);
    seen.add(key);
    manifest[key].imports?.forEach(visit);
  };
  keys.forEach(visit);
  const entries = [...seen].map((key) => manifest[key]!);
  return {
    js: [...new Set(entries.map(({ file }) => file))].filter((file) => file.endsWith('.js')),
    css: [...new Set(entries.flatMap(({ css }) => css ?? []))],
  };
}

/** Bytes of each file when compressed: pages share most of them. */
const sizes = new Map<string, number>();

function sizeOf(file: string): number {
  const size = sizes.get(file) ?? sizeCompressed(file);
  sizes.set(file, size);
  return size;
}

const kb = (files: string[]) => files.reduce((sum, file) => sum + sizeOf(file), 0) / 1000;

/** Files that are too small to be compressed are sent as they are. */
function sizeCompressed(file: string): number {
  const compressed = `${file}.gz`;
  return read(existsSync(new URL(compressed, dist)) ? compressed : file).length;
}

/** The script that pages of other sites load, with its seven languages. */
const WIDGET = 15;

test('the widget of one-time codes stays within its budget', () => {
  const script = readFileSync(new URL('../../widget/dist/widget.js.gz', import.meta.url));
  expect(script.length / 1000).toBeLessThanOrEqual(WIDGET);
});

test('every page has a budget', () => {
  expect(pages.length).toBeGreaterThan(10);
});

test.each(pages)('%s stays within its budget', (page) => {
  const isPublic = page.includes('/auth/');
  const { js, css } = closure([...START, ...(isPublic ? [] : SIGNED_IN), page]);
  const [, budget] = budgets.find(([pattern]) => pattern.test(page))!;
  expect(kb(js)).toBeLessThanOrEqual(budget);
  expect(kb(css)).toBeLessThanOrEqual(CSS);
});

let browser: TestBrowser;
beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser.close());

/** kB of scripts and styles that the browser receives for a page, with its texts: what visitors without a cache wait for. */
const RECEIVED: [path: string, kb: number][] = [
  ['/', 360],
  ['/send', 440],
];
test('the browser receives compressed files', async () => {
  const page = await browser.page();
  await browser.signIn(page, 'customer');
  for (const [path, budget] of RECEIVED) {
    await page.goto(browser.url + path);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    const files = await page.evaluate(() =>
      (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
        .filter(({ name }) => /\/assets\/[^/]+\.(js|css)$/.test(name))
        .map(({ encodedBodySize, decodedBodySize }) => [encodedBodySize, decodedBodySize] as const),
    );
    const total = (which: 0 | 1) => files.reduce((sum, sizes) => sum + sizes[which], 0) / 1000;
    expect([path, total(0)]).toEqual([path, expect.toSatisfy((kb: number) => kb <= budget)]);
    // Not for want of anything to receive.
    expect(total(1)).toBeGreaterThan(2 * total(0));
  }
});
