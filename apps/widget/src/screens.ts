import { h, type Child } from './dom.ts';
import type { Session, View } from './session.ts';
import type { Texts } from './texts/en.ts';
import { fill, LANGUAGES } from './texts/texts.ts';
import { offeredCode } from './web-otp.ts';
import type { Channel, ErrorName } from './wire.ts';

type PhoneView = Extract<View, { step: 'phone' }>;
type ChannelView = Extract<View, { step: 'channel' }>;

/** Names of brands, the same in all languages. */
const BRANDS: Partial<Record<Channel['type'], string>> = {
  sms: 'SMS',
  telegramcode: 'Telegram',
  viber: 'Viber',
  vk: 'VK',
  whatsapp: 'WhatsApp',
};
const TICK_MS = 1000;
const MAX_CODE = 10;

export interface Screen<V> {
  parts: Child[];
  update: (view: V) => void;
}

/** The screens of one element: what they consist of, and what a screen reader is told. */
export class Screens {
  readonly live = h('p', { class: 'quiet', role: 'status' });
  /** A preview has none. */
  session?: Session;
  language = 'en';
  /** The type of the channel that was announced last. */
  private announcedType = '';

  setLanguage(language: string): void {
    this.language = this.live.lang = language;
  }

  compose(view: View, ended: AbortSignal): Screen<never> {
    switch (view.step) {
      case 'loading':
        return still(h('p', {}, this.text('loading')));
      case 'unavailable':
        return this.message(this.error(view.error), 'retry', () => this.session?.open());
      case 'phone':
        return this.phoneScreen(view);
      case 'channel':
        return this.channelScreen(view, ended);
      case 'confirmed':
        this.say(this.text('confirmed'));
        return still(h('p', { tabindex: '-1' }, `✓ ${this.text('confirmed')}`));
      case 'ended':
        return this.message(this.error(view.error), 'again', () => this.session?.again());
    }
  }

  private message(text: string, label: 'retry' | 'again', act: () => unknown): Screen<never> {
    this.say(text);
    return still(
      h('p', { class: 'error', tabindex: '-1' }, text),
      h('button', { type: 'button', onclick: act }, this.text(label)),
    );
  }

  private phoneScreen({ recipient = '' }: PhoneView): Screen<PhoneView> {
    this.announcedType = '';
    const input = h('input', {
      type: 'tel',
      name: 'phone',
      autocomplete: 'tel',
      inputmode: 'tel',
      maxlength: '32',
      value: recipient,
      'aria-describedby': 'error',
    });
    const error = this.errorLine();
    const note = h('p', { hidden: '' }, this.text('robot'));
    const button = h('button', {}, this.text('getCode'));
    const parts = [
      h(
        'form',
        { novalidate: '', onsubmit: submit(() => this.session?.start(input.value)) },
        h('label', {}, this.text('phone'), input),
        error,
        note,
        h('slot', { name: 'captcha' }),
        button,
      ),
    ];
    const update = (view: PhoneView) => {
      button.setAttribute('aria-disabled', String(view.isBusy));
      if (note.hidden === Boolean(view.isChecked)) {
        note.hidden = !view.isChecked;
        if (view.isChecked) this.say(this.text('robot'));
      }
      this.setError(error, input, view.error);
    };
    return { parts, update };
  }

  private channelScreen(first: ChannelView, ended: AbortSignal): Screen<ChannelView> {
    const how = h('p', { tabindex: '-1' });
    const error = this.errorLine();
    const code = first.channel.codeType === 'code' ? this.codeForm(error, ended) : undefined;
    const attempts = h('p', {});
    const left = h('p', { role: 'timer' });
    const offline = h('p', { hidden: '' }, this.text('offline'));
    const resend = h('button', {
      type: 'button',
      class: 'plain',
      onclick: () => this.session?.resend(),
    });
    const change = h(
      'button',
      { type: 'button', class: 'plain', onclick: () => this.session?.again() },
      this.text('change'),
    );
    let last: ChannelView | undefined;
    let view = first;
    const tick = () => {
      const rest = Math.ceil((view.expiresAt - Date.now()) / 1000);
      setText(left, rest > 0 ? this.text('valid', { time: clock(rest) }) : this.text('expired'));
      resend.hidden = view.resendAt === null;
      const wait = Math.ceil(((view.resendAt ?? 0) - Date.now()) / 1000);
      setText(
        resend,
        wait > 0 ? this.text('resendIn', { time: clock(wait) }) : this.text('resend'),
      );
      resend.setAttribute('aria-disabled', String(wait > 0 || view.isBusy));
    };
    const update = (now: ChannelView) => {
      view = now;
      setText(how, this.how(now));
      const { remainingCodeAttempts: n, settings } = now.channel;
      attempts.hidden = !code || n >= settings.numberOfTries;
      setText(attempts, this.text('attempts', { n }));
      offline.hidden = !now.isOffline;
      code?.update(now);
      if (!code) this.setError(error, undefined, now.error);
      this.announce(last, now);
      last = now;
      tick();
    };
    const timer = setInterval(tick, TICK_MS);
    ended.addEventListener('abort', () => clearInterval(timer));
    const parts = [
      how,
      code?.form ?? error,
      attempts,
      left,
      offline,
      h('div', { class: 'row' }, resend, change),
    ];
    return { parts, update };
  }

  private codeForm(
    error: HTMLElement,
    ended: AbortSignal,
  ): { form: HTMLElement; update: (view: ChannelView) => void } {
    let length: number | undefined;
    let key = '';
    let offer = new AbortController();
    const input = h('input', {
      name: 'code',
      autocomplete: 'one-time-code',
      inputmode: 'numeric',
      autocapitalize: 'off',
      spellcheck: 'false',
      'aria-describedby': 'digits error',
    });
    const enter = () => {
      // A part of a code would cost an attempt.
      if (length && input.value.length < length) this.setError(error, input, 'InvalidCode');
      else void this.session?.check(input.value);
    };
    // A pasted code may come with spaces and words around it.
    input.addEventListener('input', () => {
      const digits = input.value.replace(/\D/g, '').slice(0, length ?? MAX_CODE);
      if (digits !== input.value) input.value = digits;
      if (digits.length === length) enter();
    });
    const label = h('span', {});
    const digits = h('span', { id: 'digits', class: 'quiet' });
    const button = h('button', {}, this.text('confirm'));
    const form = h(
      'form',
      { novalidate: '', onsubmit: submit(enter) },
      h('label', {}, label, input),
      digits,
      error,
      button,
    );
    const update = ({ channel, isBusy, error: name }: ChannelView) => {
      length = channel.settings.code?.length;
      const isRefused = name !== undefined && input.getAttribute('aria-invalid') === null;
      setText(label, this.text(channel.type === 'flashcall' ? 'lastDigits' : 'code'));
      setText(digits, length ? this.text('digits', { n: length }) : '');
      input.classList.toggle('spaced', Boolean(channel.settings.code?.beautify));
      button.setAttribute('aria-disabled', String(isBusy));
      this.setError(error, input, name);
      if (isRefused && rootOf(input).activeElement) input.select();
      // One that was sent again is another code.
      const sent = `${channel.type} ${channel.resendAt}`;
      if (key !== sent) {
        key = sent;
        input.value = '';
        offer.abort();
        offer = new AbortController();
        // A preview waits for no message.
        if (channel.type === 'sms' && this.session)
          void offeredCode(AbortSignal.any([ended, offer.signal])).then((offered) => {
            if (!offered || ended.aborted || key !== sent) return;
            input.value = offered;
            input.dispatchEvent(new Event('input'));
          });
      }
    };
    return { form, update };
  }

  /** Tells a screen reader what changed without the user. */
  private announce(last: ChannelView | undefined, now: ChannelView): void {
    if (this.announcedType !== now.channel.type) {
      const change = this.announcedType ? `${this.text('changed')} ` : '';
      this.announcedType = now.channel.type;
      this.say(change + this.how(now));
    } else if (last && last.resendAt !== now.resendAt && !now.error) {
      this.say(this.text('resent'));
    } else if (now.isOffline && !last?.isOffline) {
      this.say(this.text('offline'));
    }
  }

  private how({ channel, recipient: phone }: ChannelView): string {
    if (channel.codeType === 'codeless') return this.text('push', { phone });
    if (channel.type === 'voice' || channel.type === 'flashcall')
      return this.text(channel.type, { phone });
    return this.text('message', { phone, channel: BRANDS[channel.type] ?? channel.label });
  }

  private errorLine(): HTMLElement {
    return h('p', { id: 'error', class: 'error', role: 'alert' });
  }

  private setError(line: HTMLElement, input?: HTMLElement, name?: ErrorName): void {
    setText(line, name ? this.error(name) : '');
    if (name) input?.setAttribute('aria-invalid', 'true');
    else input?.removeAttribute('aria-invalid');
  }

  private say(text: string): void {
    this.live.textContent = text;
  }

  text(name: keyof Texts, values: Record<string, string | number> = {}): string {
    return fill(LANGUAGES[this.language]!.texts[name], values);
  }

  private error(name: ErrorName): string {
    const errors: Partial<Record<ErrorName, string>> = LANGUAGES[this.language]!.errors;
    return errors[name] ?? errors.Unknown!;
  }
}

/** A screen that never changes. */
const still = (...parts: Child[]): Screen<never> => ({ parts, update: () => {} });

const submit = (act: () => unknown) => (event: Event) => {
  event.preventDefault();
  void act();
};

/** Leaves an unchanged text alone: writing it would announce it again. */
function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

const clock = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

const rootOf = (element: HTMLElement) => element.getRootNode() as ShadowRoot;
