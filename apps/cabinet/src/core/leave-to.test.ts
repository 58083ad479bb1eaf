import { afterEach, expect, test, vi } from 'vitest';
import { leaveTo } from './leave-to.ts';

afterEach(() => vi.unstubAllGlobals());

test('is pending until the browser comes back to the page', async () => {
  const page = new EventTarget();
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
  const assign = vi.fn<(url: string) => void>();
  vi.stubGlobal('location', { assign });
  let isOver = false;
  const left = leaveTo('https://pay.example/1').then(() => (isOver = true));
  await Promise.resolve();
  expect(assign).toHaveBeenCalledWith('https://pay.example/1');
  expect(isOver).toBe(false);
  page.dispatchEvent(new Event('pageshow'));
  await left;
  expect(isOver).toBe(true);
});
