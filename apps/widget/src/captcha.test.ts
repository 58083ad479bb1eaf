import { afterEach, expect, test, vi } from 'vitest';
import { widgetInfo } from '../test/fake-handler.ts';
import { solveCaptcha } from './captcha.ts';
import { HandlerClient } from './client.ts';

afterEach(() => {
  document.head.replaceChildren();
  document.body.replaceChildren();
  vi.unstubAllGlobals();
});

test('a box is not drawn for somebody who left while its script was loading', async () => {
  const render = vi.fn<() => number>();
  vi.stubGlobal('smartCaptcha', { render, destroy: () => {} });
  const left = new AbortController();
  const token = solveCaptcha({
    widgetId: 'tea',
    info: widgetInfo({ captchaProvider: 'yandex', captchaSiteKey: 'key' }),
    client: new HandlerClient(''),
    language: 'en',
    place: () => document.body.appendChild(document.createElement('div')),
    signal: left.signal,
  });
  left.abort();
  document.querySelector('script')!.dispatchEvent(new Event('load'));
  await expect(token).rejects.toMatchObject({ type: 'CaptchaNotConfirmed' });
  expect(render).not.toHaveBeenCalled();
  expect(document.querySelector('div')).toBeNull();
});
