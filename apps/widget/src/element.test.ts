import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  answer,
  channelOf,
  readyHandler,
  refusal,
  WIDGET,
  widgetInfo,
} from '../test/fake-handler.ts';
import { HeliographOtp } from './element.ts';
import { LANGUAGES } from './texts/texts.ts';

// Files share a registry.
if (!customElements.get('heliograph-otp')) customElements.define('heliograph-otp', HeliographOtp);
const POLL = 'GET longPolling/:id/channel';

beforeEach(() => {
  document.documentElement.lang = 'en';
});
afterEach(() => {
  document.body.replaceChildren();
  vi.unstubAllGlobals();
});

function mounted(attributes: Record<string, string> = {}): HTMLElement {
  const element = document.createElement('heliograph-otp');
  element.setAttribute('widget-id', WIDGET);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  document.body.append(element);
  return element;
}
const inside = (element: HTMLElement) => element.shadowRoot!;
const text = (element: HTMLElement) =>
  [...inside(element).querySelectorAll('p, button, label')]
    .filter((one) => !one.closest('[hidden]'))
    .map((one) => one.textContent)
    .join('\n');
const until = <T>(check: () => T) => vi.waitFor(check, { timeout: 30_000 });
const field = (element: HTMLElement, name: string) =>
  until(() => {
    const input = inside(element).querySelector<HTMLInputElement>(`input[name=${name}]`);
    expect(input).not.toBeNull();
    return input!;
  });
const says = (element: HTMLElement, part: string) =>
  until(() => expect(text(element)).toContain(part));
const announced = (element: HTMLElement) =>
  inside(element).querySelector('[role=status]')!.textContent;

function type(input: HTMLInputElement, value: string): void {
  input.value = value;
  input.dispatchEvent(new Event('input', { bubbles: true }));
}
async function atPhone(): Promise<HTMLElement> {
  const element = mounted();
  const phone = await field(element, 'phone');
  phone.focus();
  phone.value = '+7 902 000-00-01';
  phone.form!.requestSubmit();
  return element;
}
async function atCode(): Promise<HTMLElement> {
  const element = await atPhone();
  await field(element, 'code');
  return element;
}

test('a pasted code is cleaned, submitted and reported to the page', async () => {
  const handler = readyHandler().on('POST :id/checkCode', answer({ success: true }, 201));
  const heard = vi.fn<(detail: unknown) => void>();
  const listen = (event: Event) => heard((event as CustomEvent).detail);
  document.addEventListener('code:check', listen);
  const element = await atCode();
  expect(announced(element)).toBe('We sent a code to +7 902 000-00-01: SMS.');
  const code = await field(element, 'code');
  expect(code.autocomplete).toBe('one-time-code');
  expect(code.inputMode).toBe('numeric');
  // The person goes on typing where the number was.
  expect(inside(element).activeElement).toBe(code);
  type(code, ' 12-34 ');
  await says(element, 'The number is confirmed.');
  expect(handler.calls.at(-1)!.body).toEqual({ code: '1234' });
  expect(heard).toHaveBeenCalledWith(
    expect.objectContaining({ recipient: '+7 902 000-00-01', status: 'confirmed' }),
  );
  expect(inside(element).activeElement?.textContent).toContain('The number is confirmed.');
  document.removeEventListener('code:check', listen);
});

test('a wrong code marks the field and keeps it', async () => {
  readyHandler()
    .on('POST :id/checkCode', refusal(400, 'InvalidCode'))
    .on('GET :id/channel', answer(channelOf({ remainingCodeAttempts: 2, version: 'v2' })));
  const element = await atCode();
  type(await field(element, 'code'), '0000');
  await says(element, 'Attempts left: 2');
  const code = await field(element, 'code');
  expect(code.getAttribute('aria-invalid')).toBe('true');
  expect(code.getAttribute('aria-describedby')!.split(' ')).toContain('error');
  expect(inside(element).getElementById('error')!.textContent).toBe(
    'The code is wrong. Check it and enter it again.',
  );
});

test('a number is changed, not entered again', async () => {
  readyHandler();
  const element = await atCode();
  const buttons = [...inside(element).querySelectorAll('button')];
  buttons.find((button) => button.textContent === 'Change the number')!.click();
  expect((await field(element, 'phone')).value).toBe('+7 902 000-00-01');
});

test('another channel is announced, and a typed code is dropped', async () => {
  const handler = readyHandler();
  const element = await atCode();
  type(await field(element, 'code'), '12');
  handler.on(POLL, answer(channelOf({ type: 'flashcall', version: 'v2' })));
  await says(element, 'enter the last digits of the calling number');
  expect(announced(element)).toContain('We are sending the code another way. We are calling');
  expect((await field(element, 'code')).value).toBe('');
  await says(element, 'Last digits of the calling number');
});

test('a channel without a code takes the field away and comes back with it', async () => {
  const push = channelOf({ type: 'sim_push', codeType: 'codeless', version: 'v2' });
  const handler = readyHandler();
  const element = await atCode();
  handler.on(POLL, answer(push));
  await says(element, 'Confirm the request on the screen of the phone');
  expect(inside(element).querySelector('input')).toBeNull();
  expect(inside(element).activeElement).not.toBeNull();
  handler.on(POLL, answer(channelOf({ type: 'voice', version: 'v3' })));
  expect((await field(element, 'code')).value).toBe('');
});

test('WebOTP fills and submits the code where the browser offers it', async () => {
  readyHandler().on('POST :id/checkCode', answer({ success: true }, 201));
  vi.stubGlobal('OTPCredential', class {});
  const get = vi.fn<() => Promise<object>>().mockResolvedValue({ code: '4321' });
  vi.stubGlobal('navigator', { languages: ['en'], credentials: { get } });
  const element = await atPhone();
  await says(element, 'The number is confirmed.');
  expect(get).toHaveBeenCalledWith(
    expect.objectContaining({ otp: { transport: ['sms'] }, signal: expect.any(AbortSignal) }),
  );
});

test('a code that is sent again is asked for anew, and the one before is dropped', async () => {
  const handler = readyHandler();
  vi.stubGlobal('OTPCredential', class {});
  const signals: AbortSignal[] = [];
  const get = ({ signal }: { signal: AbortSignal }) => {
    signals.push(signal);
    return new Promise(() => {});
  };
  vi.stubGlobal('navigator', { languages: ['en'], credentials: { get } });
  const element = await atCode();
  const code = await field(element, 'code');
  type(code, '12');
  handler.on(POLL, answer(channelOf({ version: 'v2', resendAt: null })));
  await until(() => expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]));
  expect(code.value).toBe('');
});

test('a preview asks the browser for no code', async () => {
  vi.stubGlobal('OTPCredential', class {});
  const get = vi.fn<() => Promise<object>>().mockResolvedValue({ code: '4321' });
  vi.stubGlobal('navigator', { languages: ['en'], credentials: { get } });
  const element = mounted({ preview: '' }) as HeliographOtp;
  const soon = Date.now() + 60_000;
  const channel = channelOf();
  const drawn = { recipient: '+7 902 000-00-01', isBusy: false, isOffline: false, expiresAt: soon };
  element.preview({}, { step: 'channel', channel, resendAt: soon, ...drawn });
  await field(element, 'code');
  expect(get).not.toHaveBeenCalled();
});

test('a part of a code is not sent', async () => {
  const handler = readyHandler();
  const element = await atCode();
  const code = await field(element, 'code');
  type(code, '12');
  code.form!.requestSubmit();
  expect(code.getAttribute('aria-invalid')).toBe('true');
  expect(handler.count('POST :id/checkCode')).toBe(0);
});

test('the look and the words of the owner', async () => {
  readyHandler(
    widgetInfo({
      styles: { primaryColor: '#ffd43b', radius: 0, theme: 'dark', title: 'Tea?', locale: 'fr' },
    }),
  );
  const element = mounted();
  await field(element, 'phone');
  expect(text(element)).toContain('Tea?');
  expect(text(element)).toContain('Recevoir le code');
  const [, brand] = inside(element).adoptedStyleSheets;
  const { style } = brand!.cssRules[0] as CSSStyleRule;
  expect(style.getPropertyValue('--otp-accent')).toBe('#ffd43b');
  expect(style.getPropertyValue('--otp-on-accent')).toBe('#000');
  expect(style.getPropertyValue('--otp-radius')).toBe('0px');
  expect(style.getPropertyValue('color-scheme')).toBe('dark');
  // Nothing that a strict policy refuses.
  expect(inside(element).querySelectorAll('style, script, [style]')).toHaveLength(0);
});

test('the language of the element comes before that of the widget', async () => {
  readyHandler(widgetInfo({ styles: { locale: 'fr' } }));
  const element = mounted({ lang: 'de-AT' });
  await until(() => expect(text(element)).toContain('Code anfordern'));
});

test('a removed widget asks no more', async () => {
  const handler = readyHandler();
  const element = await atCode();
  await until(() => expect(handler.count(`${POLL}?version=v1`)).toBe(1));
  element.remove();
  handler.on(POLL, answer(channelOf({ type: 'voice', version: 'v2' })));
  await new Promise((resolve) => setTimeout(resolve));
  expect(text(element)).not.toContain('We are calling');
});

test('every language has all texts, with the same values to fill in', () => {
  const values = (given: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(given).map(([key, one]) => [key, (one.match(/\{\w+\}/g) ?? []).toSorted()]),
    );
  expect(Object.keys(LANGUAGES)).toHaveLength(7);
  for (const { texts, errors } of Object.values(LANGUAGES)) {
    expect(values(texts)).toEqual(values(LANGUAGES.en!.texts));
    expect(Object.keys(errors)).toEqual(Object.keys(LANGUAGES.en!.errors));
    expect(Object.values({ ...texts, ...errors }).every(Boolean)).toBe(true);
  }
});
