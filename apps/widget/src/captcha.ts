import { HandlerError, type HandlerClient } from './client.ts';
import { solve } from './proof-of-work.ts';
import type { WidgetInfo } from './wire.ts';

/** What the scripts of the providers put into the page. */
interface Providers {
  grecaptcha?: {
    ready(done: () => void): void;
    execute(siteKey: string, options: { action: string }): Promise<string>;
  };
  smartCaptcha?: {
    render(
      place: HTMLElement,
      options: { sitekey: string; hl: string; callback: (token: string) => void },
    ): number;
    destroy(id: number): void;
  };
  turnstile?: {
    render(
      place: HTMLElement,
      options: {
        sitekey: string;
        language: string;
        callback: (token: string) => void;
        'error-callback': () => void;
      },
    ): string;
    remove(id: string): void;
  };
}

export interface CaptchaRun {
  widgetId: string;
  info: WidgetInfo;
  client: HandlerClient;
  language: string;
  /** An element of the page itself: providers do not find one in a shadow tree. */
  place: () => HTMLElement;
  signal: AbortSignal;
}

/** A token for the start of a session. Throws `CaptchaNotConfirmed` or `Network`. */
export async function solveCaptcha(run: CaptchaRun): Promise<string> {
  const { captchaProvider: provider, captchaSiteKey: siteKey } = run.info;
  try {
    if (provider === 'altcha')
      return await solve(await run.client.challenge(run.widgetId, run.signal), run.signal);
    if (!siteKey) throw new Error('The widget has no key of the captcha');
    if (provider === 'google') return await google(siteKey);
    if (provider === 'yandex') return await yandex(siteKey, run);
    return await cloudflare(siteKey, run);
  } catch (error) {
    throw error instanceof HandlerError ? error : new HandlerError('CaptchaNotConfirmed');
  }
}

const global = globalThis as unknown as Providers;

async function google(siteKey: string): Promise<string> {
  await load(`https://www.google.com/recaptcha/api.js?render=${encodeURIComponent(siteKey)}`);
  const { grecaptcha } = global;
  await new Promise<void>((done) => grecaptcha!.ready(done));
  return grecaptcha!.execute(siteKey, { action: 'otp' });
}

async function yandex(siteKey: string, { place, language, signal }: CaptchaRun): Promise<string> {
  await load('https://smartcaptcha.cloud.yandex.ru/captcha.js');
  const { smartCaptcha } = global;
  return shown(place(), signal, (at, callback) => {
    const id = smartCaptcha!.render(at, { sitekey: siteKey, hl: language, callback });
    return () => smartCaptcha!.destroy(id);
  });
}

async function cloudflare(
  siteKey: string,
  { place, language, signal }: CaptchaRun,
): Promise<string> {
  await load('https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit');
  const { turnstile } = global;
  return shown(place(), signal, (at, callback, fail) => {
    const id = turnstile!.render(at, {
      sitekey: siteKey,
      language,
      callback,
      'error-callback': fail,
    });
    return () => turnstile!.remove(id);
  });
}

/** Draws a provider's box until it gives a token, fails, or the user leaves. */
function shown(
  place: HTMLElement,
  signal: AbortSignal,
  render: (at: HTMLElement, done: (token: string) => void, fail: () => void) => () => void,
): Promise<string> {
  let remove = () => {};
  return new Promise<string>((resolve, reject) => {
    // The user may have left while the script was loading.
    signal.throwIfAborted();
    const fail = () => reject(new Error('Not solved'));
    signal.addEventListener('abort', fail, { once: true });
    remove = render(place, resolve, fail);
  }).finally(() => {
    remove();
    place.remove();
  });
}

const scripts = new Map<string, Promise<void>>();

/** Loads a script once. A failed load is tried again at the next call. */
function load(src: string): Promise<void> {
  const loading =
    scripts.get(src) ??
    new Promise<void>((resolve, reject) => {
      const script = document.createElement('script');
      script.src = src;
      script.onload = () => resolve();
      script.onerror = () => {
        scripts.delete(src);
        script.remove();
        reject(new HandlerError('Network'));
      };
      document.head.append(script);
    });
  scripts.set(src, loading);
  return loading;
}
