import type { Page } from 'playwright';
import { expect } from 'vitest';

/** Goes on by the tabulator until the focus is on what is wanted. */
export async function tabTo(page: Page, wanted: RegExp): Promise<void> {
  for (let i = 0; i < 120; i++) {
    await page.keyboard.press('Tab');
    const name = await page.evaluate(() => {
      const e = document.activeElement as HTMLInputElement | null;
      return `${e?.labels?.[0]?.textContent ?? ''} ${e?.ariaLabel ?? ''} ${e?.innerText ?? ''}`;
    });
    if (wanted.test(name.replaceAll(/\s+/g, ' ').trim())) return;
  }
  throw new Error(`the tabulator never comes to ${wanted}`);
}

/** Goes to what is wanted and does it. */
export async function press(page: Page, wanted: RegExp): Promise<void> {
  await tabTo(page, wanted);
  await page.keyboard.press('Enter');
}

/** Goes to a field and writes into it, over what stood there. */
export async function type(page: Page, field: RegExp, text: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.press('Control+a');
  await page.keyboard.type(text);
}

/** A menu of the browser's own takes the letters of what is wanted. */
export async function typeSender(page: Page, name: string): Promise<void> {
  await tabTo(page, /^Sender/);
  // A menu that is not filled yet takes no letters.
  await page.waitForFunction((wanted) => {
    const field = document.activeElement as HTMLSelectElement | HTMLInputElement;
    return !('options' in field) || [...field.options].some(({ label }) => label === wanted);
  }, name);
  await page.keyboard.type(name);
  // The offer is closed; the dialog or page below stays.
  if (await page.evaluate(() => document.activeElement?.tagName === 'INPUT'))
    await page.keyboard.press('Escape');
}

/** `g` and a letter: to another page. */
export async function go(page: Page, letter: string, path: RegExp): Promise<void> {
  await page.locator('#main h1').waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press(letter);
  await page.waitForURL(path);
}

/** Whoever has no mouse stands somewhere: on a control, a row, a heading, never on nothing. */
export async function expectFocus(page: Page, wanted = /\S/): Promise<void> {
  const name = () =>
    page.evaluate(() => {
      const e = document.activeElement as HTMLElement | null;
      return !e || e === document.body ? '' : e.ariaLabel || e.innerText || e.tagName;
    });
  await expect.poll(name, { timeout: 5000 }).toMatch(wanted);
}
