import { afterEach, expect, test, vi } from 'vitest';
import { widgetInfo } from '../test/fake-handler.ts';
import { solveCaptcha } from './captcha.ts';
import { HandlerClient } from './client.ts';

const script = () => document.querySelector('script[src*=smartcaptcha]');

afterEach(() => {
  script()?.remove();
  vi.unstubAllGlobals();
});

test('a box is not drawn for somebody who left while its script was loading', async () => {
  const render = vi.fn<() => number>();
  vi.stubGlobal('smartCaptcha', { render, destroy: () => {} });
  const place = document.createElement('div');
  const left = new AbortController();
  const token = solveCaptcha({
    widgetId: 'tea',
    info: widgetInfo({ captchaProvider: 'yandex', captchaSiteKey: 'key' }),
    client: new HandlerClient(''),
    language: 'en',
    place: () => document.body.appendChild(place),
    signal: left.signal,
  });
  left.abort();
  script()!.dispatchEvent(new Event('load'));
  await expect(token).rejects.toMatchObject({ type: 'CaptchaNotConfirmed' });
  expect(render).not.toHaveBeenCalled();
  expect(place.isConnected).toBe(false);
});
