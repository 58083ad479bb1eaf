import type { Page } from 'playwright';
import { expect } from 'vitest';

/** Label and text of the focused element; empty if nothing is focused. */
const focusedName = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const e = document.activeElement as HTMLInputElement | null;
    if (!e || e === document.body) return '';
    const name = `${e.labels?.[0]?.textContent ?? ''} ${e.ariaLabel ?? ''} ${e.innerText ?? ''}`;
    return name.replaceAll(/\s+/g, ' ').trim() || e.tagName;
  });

/** Presses Tab, or Shift and Tab, until an element with this name is focused. */
export async function tabTo(
  page: Page,
  wanted: RegExp,
  key: 'Tab' | 'Shift+Tab' = 'Tab',
): Promise<void> {
  for (let i = 0; i < 120; i++) {
    await page.keyboard.press(key);
    if (wanted.test(await focusedName(page))) return;
  }
  throw new Error(`Tab does not reach ${wanted}`);
}

/** Tabs to an element and presses Enter. */
export async function press(page: Page, wanted: RegExp): Promise<void> {
  await tabTo(page, wanted);
  await page.keyboard.press('Enter');
}

/** Tabs to a field and replaces its value. */
export async function type(page: Page, field: RegExp, text: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.press('Control+a');
  await page.keyboard.type(text);
}

/** Types a sender name and selects it from the list. */
export async function typeSender(page: Page, name: string): Promise<void> {
  // Not the place of that name in the navigation.
  await tabTo(page, /^Sender(?! names)/);
  await page.keyboard.press('Control+a');
  await page.keyboard.type(name);
  // The options of the search replace those of the empty field. Those of native selects have no attribute.
  const first = page.locator('[role=option]:visible').first();
  await expect.poll(() => first.innerText()).toBe(name);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
}

/** Opens another page with `g` and a letter. */
export async function go(page: Page, letter: string, path: RegExp): Promise<void> {
  await page.locator('#main h1').waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press(letter);
  await page.waitForURL(path);
}

/** The focus must be on an element with this name, by default on any but the body. */
export async function expectFocus(page: Page, wanted = /\S/): Promise<void> {
  await expect.poll(() => focusedName(page)).toMatch(wanted);
}
