import type { Page } from 'playwright';

/** Pixels by which the page is wider than its window. */
export const sideways = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** What does not fit into the window: horizontal scrolling, controls beyond the edge, clipped labels of buttons and columns. */
export async function misfits(page: Page): Promise<string[]> {
  const over = await sideways(page);
  const found = await page.evaluate(() => {
    const wide = document.documentElement.clientWidth;
    const visible = (selector: string) =>
      [...document.querySelectorAll<HTMLElement>(selector)].filter((e) => e.checkVisibility());
    const moves = (e: Element | null): boolean =>
      !!e &&
      ((/auto|scroll/.test(getComputedStyle(e).overflowX) && e.scrollWidth > e.clientWidth) ||
        moves(e.parentElement));
    const isBeyond = (e: HTMLElement) => {
      const { left, right, width } = e.getBoundingClientRect();
      return width > 1 && (right > wide + 1 || left < -1) && !moves(e.parentElement);
    };
    const isCut = (e: HTMLElement) => e.scrollWidth > e.clientWidth + 1;
    const words = (e: HTMLElement) => e.innerText.trim().slice(0, 60) || e.ariaLabel || e.tagName;
    const controls = visible('a, button, input, select, textarea, h1, h2, h3, label, p');
    const labels = visible(
      '[class*=Button-label], [class*=SegmentedControl-label], [class*=Tabs-tabLabel], thead th',
    );
    return [
      ...controls.filter(isBeyond).map((e) => `beyond the edge: ${words(e)}`),
      ...labels.filter(isCut).map((e) => `cut off: ${words(e)}`),
    ];
  });
  return [...(over > 0 ? [`${over} px sideways`] : []), ...found];
}
