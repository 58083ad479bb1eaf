import { solveCaptcha } from './captcha.ts';
import { HandlerClient } from './client.ts';
import { h } from './dom.ts';
import { Screens } from './screens.ts';
import { Session, type Check, type View } from './session.ts';
import { applyStyles, baseSheet } from './styles.ts';
import { languageOf } from './texts/texts.ts';
import type { WidgetInfo } from './wire.ts';

let server = '';

/** Where the handler is, for elements that do not say it: where the script came from. */
export function setServer(url: string): void {
  server = url;
}

/** `<heliograph-otp widget-id="…">`: confirms a phone number and fires `code:check`. */
export class HeliographOtp extends HTMLElement {
  private readonly root = this.attachShadow({ mode: 'open' });
  private readonly brand = new CSSStyleSheet();
  private readonly card = h('div', { class: 'card', role: 'group', 'aria-labelledby': 'title' });
  private readonly screens = new Screens();
  private heading?: string;
  /** Updates what is drawn from a view of the same screen. */
  private update: (view: never) => void = () => {};
  private screen = '';
  private endScreen = new AbortController();

  constructor() {
    super();
    this.root.adoptedStyleSheets = [baseSheet(), this.brand];
    this.root.append(this.card, this.screens.live);
  }

  connectedCallback(): void {
    if (this.hasAttribute('preview')) return;
    this.speak();
    const client = new HandlerClient((this.getAttribute('server') ?? server).replace(/\/$/, ''));
    const widgetId = this.getAttribute('widget-id') ?? '';
    const session = new Session({
      client,
      widgetId,
      onView: (view) => this.draw(view),
      onCheck: (check) => this.report(check),
      onInfo: (info) => this.dress(info),
      solveCaptcha: (info, signal) => {
        const place = () => this.appendChild(h('div', { slot: 'captcha' }));
        return solveCaptcha({
          widgetId,
          info,
          client,
          language: this.screens.language,
          place,
          signal,
        });
      },
    });
    this.screens.session = session;
    void session.open();
  }

  /** Draws a step in this look without any call: of an element with the attribute `preview`, in the cabinet. */
  preview(styles: WidgetInfo['styles'], view: View): void {
    this.screen = '';
    this.dress({ styles });
    this.draw(view);
  }

  disconnectedCallback(): void {
    this.screens.session?.close();
    this.endScreen.abort();
    this.screen = '';
  }

  private report(detail: Check): void {
    this.dispatchEvent(new CustomEvent('code:check', { detail, bubbles: true, composed: true }));
  }

  private dress({ styles }: Pick<WidgetInfo, 'styles'>): void {
    applyStyles(this.brand, styles);
    this.heading = styles.title ?? undefined;
    this.speak(styles.locale);
  }

  /** The language of the element goes before that of the widget, that of the page before the user's. */
  private speak(locale?: string | null): void {
    const page = this.closest('[lang]')?.getAttribute('lang');
    const language = languageOf([this.lang, locale, page, ...navigator.languages]);
    this.screens.setLanguage(language);
    this.card.lang = language;
  }

  private draw(view: View): void {
    const screen = view.step === 'channel' ? `channel ${view.channel.codeType}` : view.step;
    if (screen !== this.screen) {
      const wasInside = this.root.activeElement !== null;
      const isFirst = this.screen === '' || this.screen === 'loading';
      this.endScreen.abort();
      this.endScreen = new AbortController();
      this.screen = screen;
      const { parts, update } = this.screens.compose(view, this.endScreen.signal);
      this.update = update;
      this.card.replaceChildren(this.titleLine(), ...parts);
      this.update(view as never);
      if (wasInside && !isFirst) this.focusFirst();
    } else {
      this.update(view as never);
    }
  }

  private titleLine(): HTMLElement {
    return h('p', { class: 'title', id: 'title' }, this.heading ?? this.screens.text('title'));
  }

  /** The field of the new screen; a message if it has none. */
  private focusFirst(): void {
    const find = (selector: string) => this.card.querySelector<HTMLElement>(selector);
    (find('input') ?? find('[tabindex="-1"]'))?.focus({ preventScroll: true });
  }
}
