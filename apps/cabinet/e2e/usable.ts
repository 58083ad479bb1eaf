import type { Page } from 'playwright';
import { expect } from 'vitest';
import { sideways } from './fit.ts';
import { barriers, drawn, type TestBrowser } from './test-browser.ts';

const ALONG = [
  { width: 1280, height: 900, colorScheme: 'light' },
  { width: 390, height: 844, colorScheme: 'light' },
  { width: 390, height: 844, colorScheme: 'dark' },
  { width: 1280, height: 900, colorScheme: 'dark' },
] as const;

/**
 * At both widths and in both schemes: no findings of axe and no horizontal scrolling. The window has its size again afterwards. `within`: a
 * dialog, which covers parts of what is behind it.
 */
export async function expectUsable(
  browser: TestBrowser,
  page: Page,
  name: string,
  within?: string,
): Promise<void> {
  const own = page.viewportSize()!;
  // Also when the page has just been opened.
  await page.locator('h1').first().waitFor({ state: 'attached' });
  for (const { width, height, colorScheme } of ALONG) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await drawn(page);
    await browser.picture(page, `${name}-${width}-${colorScheme}`);
    // Of the rules of axe only contrast depends on the scheme, and it does not depend on the width.
    if (colorScheme === 'light') expect(await barriers(page, undefined, within)).toEqual([]);
    else if (width === 390) expect(await barriers(page, 'color-contrast', within)).toEqual([]);
    expect(await sideways(page)).toBeLessThanOrEqual(0);
  }
  await page.setViewportSize(own);
}
