import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PAYMENT_METHODS } from '@heliograph/contract';
import { INTEGRATION_CATALOGUE, LOCALES } from '@heliograph/domain';
import type { Config } from '../../core/config.ts';
import { ERROR_PAGES } from '../../core/http/page-of-error.ts';
import { errorPage, errorTable, isErrorPage } from './error-pages.ts';
import type { GeneratedTexts } from './generated-texts.ts';
import { REFERENCE } from './reference.ts';
import { REFERENCE_TEXTS } from './reference-texts.ts';

/** The language of pages that a language does not have. */
const DEFAULT_LOCALE = 'en';
/** Categories and pages in the order of the menu; others follow by name. Pages of `misc` are opened by dialogs. */
const CATEGORIES = ['platform', 'api', 'integrations', 'policies'];
const ORDER = [
  'user/instruction',
  'user/send',
  'user/results',
  'user/contacts',
  'user/templates',
  'user/codes',
  'user/connections',
  'user/lists',
  'user/files',
  'user/money',
  'user/payments',
  'user/account',
  'user/administration',
  'user/http-channels',
  'user/smpp-channels',
  'user/email-channels',
  'user/push-channels',
  'user/whatsapp-channels',
  'user/call-channels',
  'user/telegram-channels',
  'user/telegram-bot-channels',
  'user/max-bot-channels',
  'quick-start',
  'HTTP-REST',
  REFERENCE,
  'errors',
  'SMPP',
  'OTP',
  'code-examples',
  'webhooks',
  'compatible',
  ...INTEGRATION_CATALOGUE.map(({ key }) => key),
];

/** Methods of payment without an offer of their own have that of cards. */
const OFFERS = new Set(PAYMENT_METHODS.map((method) => `misc/${method}-payment-offer`));
const CARD_OFFER = 'misc/card-payment-offer';

/** A page that exists, in the language that it is written in. */
export interface Page {
  locale: string;
  name: string;
}
export interface PageEntry {
  category: string;
  file: string;
  title: string;
  /** The language that the page is written in. */
  locale: string;
}

export const isLocale = (locale: string) => (LOCALES as readonly string[]).includes(locale);

/** Pages with their included files and the values of the installation. */
export class Pages {
  /** Pages about programs that the brand does not offer are not in the menu. */
  private readonly hidden: ReadonlySet<string>;

  constructor(
    private readonly folder: string,
    private readonly files: ReadonlySet<string>,
    private readonly texts: GeneratedTexts,
    private readonly config: Config,
  ) {
    this.hidden = new Set(
      INTEGRATION_CATALOGUE.filter(({ brands }) => !brands.includes(config.BRAND)).map(
        ({ key }) => `integrations/${key}`,
      ),
    );
  }

  /** The page in the language, or in the default one; undefined if there is none, or no such language. */
  find(locale: string, name: string): Page | undefined {
    if (!isLocale(locale)) return undefined;
    for (const written of [locale, DEFAULT_LOCALE])
      if (
        this.isReference(written, name) ||
        isErrorPage(written, name) ||
        this.files.has(`${written}/${name}.md`)
      )
        return { locale: written, name };
    return OFFERS.has(name) ? this.find(locale, CARD_OFFER) : undefined;
  }

  /** All pages of the menu; none if there is no such language. */
  async list(locale: string): Promise<PageEntry[]> {
    const names = [...this.files]
      .filter((path) => path.endsWith('.md'))
      .map((path) => path.slice(3, -3));
    const entries: PageEntry[] = [];
    for (const name of new Set([...names, `api/${REFERENCE}`, ERROR_PAGES])) {
      const at = name.indexOf('/');
      const [category, file] = [name.slice(0, at), name.slice(at + 1)];
      const isOffered = CATEGORIES.includes(category) && !this.hidden.has(name);
      const page = isOffered ? this.find(locale, name) : undefined;
      if (page)
        entries.push({ category, file, title: await this.title(page), locale: page.locale });
    }
    return entries.toSorted((a, b) => rankOf(a) - rankOf(b) || a.file.localeCompare(b.file));
  }

  async text({ locale, name }: Page): Promise<string> {
    return this.fill(await this.include(await this.source(locale, name)));
  }

  private async source(locale: string, name: string): Promise<string> {
    if (this.isReference(locale, name)) return this.texts.get(`reference-${locale}`);
    return isErrorPage(locale, name) ? errorPage(locale, name) : this.read(`${locale}/${name}.md`);
  }

  /** The reference is generated only for its readers. */
  private async title(page: Page): Promise<string> {
    const { locale, name } = page;
    if (this.isReference(locale, name)) return REFERENCE_TEXTS[locale]!.title;
    return /^# (.+)$/m.exec(await this.text(page))?.[1] ?? name.slice(name.indexOf('/') + 1);
  }

  private isReference(locale: string, name: string): boolean {
    return name === `api/${REFERENCE}` && locale in REFERENCE_TEXTS;
  }

  /** A line `@include examples/send.py` stands for the file, in a fence, and a line `@errors` for the table of errors. */
  private async include(source: string): Promise<string> {
    let text = source.replaceAll(/^<!--.*-->\n/gm, '').replace(/^@errors$/m, errorTable);
    for (const [line, path, type] of text.matchAll(/^@include (examples\/[\w-]+\.(\w+))$/gm)) {
      const example = await this.read(path!);
      text = text.replace(line, () => `\`\`\`${type}\n${example.trimEnd()}\n\`\`\``);
    }
    return text;
  }

  private fill(text: string): string {
    const { publicUrl: site, TITLE: title, OPERATOR, SUPPORT_EMAIL } = this.config;
    const operator = OPERATOR ?? title;
    const support = SUPPORT_EMAIL ?? site;
    const values: Record<string, string> = { site, api: `${site}/api`, title, operator, support };
    return text.replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => values[name] ?? whole);
  }

  private read(path: string): Promise<string> {
    return readFile(join(this.folder, path), 'utf8');
  }
}

const rankOf = ({ category, file }: PageEntry) =>
  CATEGORIES.indexOf(category) * 100 + (ORDER.includes(file) ? ORDER.indexOf(file) : 99);
