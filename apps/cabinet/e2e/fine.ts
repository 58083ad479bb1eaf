import type { Page } from 'playwright';
import { expect } from 'vitest';
import { sideways } from './fit.ts';
import { barriers, drawn, type Stage } from './stage.ts';

const ALONG = [
  { width: 1280, height: 900, colorScheme: 'light' },
  { width: 1280, height: 900, colorScheme: 'dark' },
  { width: 390, height: 844, colorScheme: 'light' },
  { width: 390, height: 844, colorScheme: 'dark' },
] as const;

/** Usable at both sizes in both schemes, without moving sideways. */
export async function fine(stage: Stage, page: Page, name: string): Promise<void> {
  for (const { width, height, colorScheme } of ALONG) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await drawn(page);
    await stage.picture(page, `${name}-${width}-${colorScheme}`);
    // Of what axe knows only contrast is another in another scheme.
    expect(await barriers(page, colorScheme === 'dark' ? 'color-contrast' : undefined)).toEqual([]);
    expect(await sideways(page)).toBeLessThanOrEqual(0);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
}
