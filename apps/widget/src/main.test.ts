import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => {
  document.body.replaceChildren();
  delete window.OTP_WIDGETS;
  vi.unstubAllGlobals();
  vi.resetModules();
});

test('the script may be in the page more than once', async () => {
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  document.body.innerHTML = '<div id="otp"></div><div id="later"></div>';
  window.OTP_WIDGETS = [{ widgetId: 'tea', containerId: 'otp' }];
  await import('./main.ts');
  const first = document.querySelector('#otp heliograph-otp');
  expect(first).not.toBeNull();
  vi.resetModules();
  await import('./main.ts');
  expect(document.querySelector('#otp heliograph-otp')).toBe(first);
  const replaced = vi.spyOn(document.getElementById('later')!, 'replaceChildren');
  window.OTP_WIDGETS.push({ widgetId: 'cup', containerId: 'later' });
  expect(replaced).toHaveBeenCalledOnce();
});
