import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

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

/** kB of 1000 bytes, gzip, of all JavaScript that a page imports at first load. Texts are separate. */
const SHELL = 250;
const LIST = SHELL + 40;
const budgets: [page: RegExp, kb: number][] = [
  // Opened after sign-in.
  [/second-factor-page/, LIST],
  [/features\/auth\//, 170],
  // Its estimate names a spend cap.
  [/send-page/, SHELL + 74],
  // Its five sections with comboboxes, and the declension of names.
  [/requisite-form-page/, SHELL + 47],
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
  const size = sizes.get(file) ?? gzipSync(read(file)).length;
  sizes.set(file, size);
  return size;
}

const kb = (files: string[]) => files.reduce((sum, file) => sum + sizeOf(file), 0) / 1000;

/** The script that pages of other sites load, with its seven languages. */
const WIDGET = 15;

test('the widget of one-time codes stays within its budget', () => {
  const script = readFileSync(new URL('../../widget/dist/widget.js', import.meta.url));
  expect(gzipSync(script).length / 1000).toBeLessThanOrEqual(WIDGET);
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
