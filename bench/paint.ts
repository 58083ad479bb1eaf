import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, type Page } from 'playwright';
// @ts-expect-error plain modules of the launcher
import { chromium as browserPath } from '../scripts/services.mjs';
import { contactList, root, type Product } from './product.ts';
import { median, percentile, RUNS, type Bench, type Row } from './rows.ts';

/** How many times slower than this machine the visitor's is. */
const SLOWER = 4;
const ROWS = 80;
const TEXT = 'Hello {firstName|friend}, the winter tea is here: three kinds, until Friday.';

/** Two frames on: what the input asked for is on the screen. */
const PAINTED = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';

interface Interaction {
  name: string;
  ms: number;
}

/** Milliseconds from an input to the next paint, as the browser reports them; shorter ones than 16 ms are not reported. */
function observe(): void {
  const seen = new Map<number, { name: string; ms: number }>();
  Object.assign(globalThis, { interactions: seen });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { interactionId: number })[]) {
      const { interactionId: id, name, duration: ms } = entry;
      if (id && ms > (seen.get(id)?.ms ?? 0)) seen.set(id, { name, ms });
    }
  }).observe({ type: 'event', buffered: true, durationThreshold: 16 } as never);
}

const taken = (page: Page): Promise<Interaction[]> =>
  page.evaluate(() => {
    const seen = (globalThis as unknown as { interactions: Map<number, Interaction> }).interactions;
    const all = [...seen.values()];
    seen.clear();
    return all;
  });

/** Runs interactions one after another, each until it is painted and measured. */
function visitor(page: Page) {
  const acts: Interaction[] = [];
  const act = async (name: string, action: () => Promise<unknown>) => {
    await action();
    await page.evaluate(PAINTED);
    await sleep(150);
    const entries = await taken(page);
    acts.push({ name, ms: Math.max(16, ...entries.map(({ ms }) => ms)) });
  };
  const type = async (name: string, text: string) => {
    for (const key of text) await act(name, () => page.keyboard.type(key));
  };
  return { acts, act, type };
}

async function onList(page: Page, list: string): Promise<Interaction[]> {
  await page.goto(`/contacts/${list}?size=${ROWS}`);
  const boxes = page.getByRole('checkbox', { name: 'Select row' });
  await boxes.nth(ROWS - 1).waitFor();
  await page.waitForLoadState('networkidle');
  await slowDown(page);
  const { acts, act, type } = visitor(page);
  for (let i = 0; i < 6; i++) await act('tick a row', () => boxes.nth(i).click());
  const all = page.getByRole('checkbox', { name: 'Select all rows on the page' });
  for (let i = 0; i < 4; i++) await act('tick all', () => all.click());
  for (let i = 0; i < 6; i++) await act('next row', () => page.keyboard.press('j'));
  await act('open a dialog', () => page.keyboard.press('n'));
  await act('close it', () => page.keyboard.press('Escape'));
  await page.keyboard.press('/');
  await type('search', 'Name12');
  return acts;
}

async function inWizard(page: Page): Promise<Interaction[]> {
  await page.goto('/send?type=sms');
  const text = page.getByRole('textbox', { name: /^Text/ });
  await text.waitFor();
  await page.waitForLoadState('networkidle');
  await slowDown(page);
  await text.click();
  const { acts, type } = visitor(page);
  await type('type', TEXT);
  if (!(await text.inputValue()).includes('until Friday')) throw new Error('nothing was typed');
  return acts;
}

async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await taken(page);
}

async function visit(
  { base, token }: Product,
  journey: (page: Page) => Promise<Interaction[]>,
): Promise<Interaction[]> {
  const browser = await chromium.launch({
    executablePath: await browserPath(),
    args: ['--headless', '--no-sandbox', '--disable-gpu'],
  });
  try {
    const page = await browser.newPage({
      baseURL: new URL(base).origin,
      locale: 'en-US',
      viewport: { width: 1280, height: 900 },
    });
    await page.addInitScript((value) => localStorage.setItem('heliograph.token', value), token);
    await page.addInitScript(observe);
    return await journey(page);
  } finally {
    await browser.close();
  }
}

async function row(bench: string, once: () => Promise<Interaction[]>): Promise<Row> {
  const runs: Interaction[][] = [];
  for (let i = 0; i < RUNS; i++) runs.push(await once());
  const worst = (all: Interaction[]) => Math.max(...all.map(({ ms }) => ms));
  const score = median(runs.map(worst));
  const run = runs.find((all) => worst(all) >= score)!;
  const slowest = run.find(({ ms }) => ms === worst(run))!;
  return {
    bench,
    figure: `${score} ms at most (${slowest.name}), ${run.length} interactions`,
    reference: `${percentile(
      run.map(({ ms }) => ms),
      0.5,
    )} ms median`,
    score,
    accept: 200,
    aim: 100,
    atMost: true,
  };
}

/** How long the cabinet's visitor waits from a key or a click to the next paint. */
export const paintBench: Bench = {
  product: { env: { CABINET_DIR: `${root}/apps/cabinet/dist` } },
  async run(product) {
    const list = await contactList(product, 2000);
    return [
      await row(`paint, ${ROWS} rows`, () => visit(product, (page) => onList(page, list))),
      await row('paint, wizard', () => visit(product, inWizard)),
    ];
  },
};
