import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestBrowser } from '../test-browser.ts';

let browser: TestBrowser;

beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser.close());

const field = (page: Page) => page.getByRole('textbox', { name: 'Search and commands' });

/** Holds the code of the palette. Returns what lets it go. */
async function held(page: Page): Promise<() => void> {
  let release!: () => void;
  const isFree = new Promise<void>((done) => (release = done));
  await page.route(/\/assets\/palette-[^/]*\.js/, async (route) => {
    await isFree;
    await route.continue();
  });
  return release;
}

const home = async (page: Page) => {
  await page.goto(`${browser.url}/`);
  await page.getByRole('heading', { level: 1 }).waitFor();
};

test('what is typed before the palette is loaded is searched for', async () => {
  const page = await browser.signedIn('customer', { reducedMotion: 'no-preference' });
  const release = await held(page);
  await home(page);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('Tarif');
  await page.keyboard.press('Tab');
  await page.keyboard.type('z');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('f');
  await expect.poll(() => field(page).inputValue()).toBe('Tariff');
  release();
  await page.getByRole('option', { name: 'Tariffs' }).waitFor();
  // The next letter follows the others.
  await page.keyboard.type('s');
  await expect.poll(() => field(page).inputValue()).toBe('Tariffs');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/tariffs/);
  expect(browser.consoleErrors).toEqual([]);
});

test('a command that is entered before the palette is loaded is run then', async () => {
  const page = await browser.signedIn('customer', { reducedMotion: 'no-preference' });
  const release = await held(page);
  await home(page);
  // Closed and opened again, it is empty.
  await page.keyboard.press('Control+k');
  await page.keyboard.type('Contacts');
  await page.keyboard.press('Escape');
  await field(page).waitFor({ state: 'hidden' });
  await page.keyboard.press('Control+k');
  await page.keyboard.type('Tariffs');
  await page.keyboard.press('Enter');
  release();
  await page.waitForURL(/\/tariffs/);
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  expect(browser.consoleErrors).toEqual([]);
});

test('the palette takes the keys at once whenever it is opened, and gives the focus back', async () => {
  const page = await browser.signedIn('customer', { reducedMotion: 'no-preference' });
  await page.goto(`${browser.url}/tariffs`);
  const button = page.getByRole('button', { name: 'Search and commands' });
  await button.waitFor();
  for (let i = 0; i < 3; i++) {
    await button.focus();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('Tariffs');
    await expect.poll(() => field(page).inputValue()).toBe('Tariffs');
    await page.getByRole('dialog').getByRole('option').first().waitFor();
    await page.keyboard.press('Escape');
    await field(page).waitFor({ state: 'hidden' });
    await expect.poll(() => button.evaluate((e) => e === document.activeElement)).toBe(true);
  }
});
