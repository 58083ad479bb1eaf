import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PAYMENT_METHODS } from '@heliograph/contract';
import { INTEGRATION_CATALOGUE, LOCALES } from '@heliograph/domain';
import type { Config } from '../../core/config.ts';
import { createReference, REFERENCE } from './reference.ts';
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
  'HTTP-REST',
  REFERENCE,
  'SMPP',
  'OTP',
  'code-examples',
  'webhooks',
  ...INTEGRATION_CATALOGUE.map(({ key }) => key),
];

/** Methods of payment without an offer of their own have that of cards. */
const OFFERS = new Set(PAYMENT_METHODS.map((method) => `misc/${method}-payment-offer`));
const CARD_OFFER = 'misc/card-payment-offer';

export interface Page {
  locale: string;
  text: string;
}
export interface PageEntry {
  category: string;
  file: string;
  title: string;
  /** The language that the page is written in. */
  locale: string;
}

const isLocale = (locale: string) => (LOCALES as readonly string[]).includes(locale);

/** Pages with their included files and the values of the installation. */
export class Pages {
  private readonly texts = new Map<string, string>();
  private readonly values: Record<string, string>;
  /** Pages about programs that the brand does not offer are not in the menu. */
  private readonly hidden: ReadonlySet<string>;

  constructor(
    private readonly folder: string,
    private readonly files: ReadonlySet<string>,
    config: Config,
  ) {
    const { publicUrl: site, TITLE: title, OPERATOR, SUPPORT_EMAIL } = config;
    const operator = OPERATOR ?? title;
    this.hidden = new Set(
      INTEGRATION_CATALOGUE.filter(({ brands }) => !brands.includes(config.BRAND)).map(
        ({ key }) => `integrations/${key}`,
      ),
    );
    this.values = { site, api: `${site}/api`, title, operator, support: SUPPORT_EMAIL ?? site };
  }

  /** The page in the language, or in the default one; undefined if there is none, or no such language. */
  find(locale: string, name: string): Page | undefined {
    if (!isLocale(locale)) return undefined;
    for (const written of [locale, DEFAULT_LOCALE]) {
      const path = `${written}/${name}.md`;
      if (this.isReference(written, name) || this.files.has(path))
        return { locale: written, text: this.text(written, name) };
    }
    return OFFERS.has(name) ? this.find(locale, CARD_OFFER) : undefined;
  }

  /** All pages of the menu. */
  list(locale: string): PageEntry[] {
    const names = [...this.files]
      .filter((path) => path.endsWith('.md'))
      .map((path) => path.slice(3, -3));
    const all = [...new Set([...names, `api/${REFERENCE}`])].flatMap((name) => {
      const at = name.indexOf('/');
      const [category, file] = [name.slice(0, at), name.slice(at + 1)];
      const isOffered = CATEGORIES.includes(category) && !this.hidden.has(name);
      const page = isOffered ? this.find(locale, name) : undefined;
      return page ? [{ category, file, title: titleOf(page.text, file), locale: page.locale }] : [];
    });
    return all.toSorted((a, b) => rankOf(a) - rankOf(b) || a.file.localeCompare(b.file));
  }

  private isReference(locale: string, name: string): boolean {
    return name === `api/${REFERENCE}` && locale in REFERENCE_TEXTS;
  }

  private text(locale: string, name: string): string {
    const path = `${locale}/${name}.md`;
    let text = this.texts.get(path);
    if (text === undefined) {
      const source = this.isReference(locale, name) ? createReference(locale) : this.read(path);
      text = this.fill(this.include(source));
      this.texts.set(path, text);
    }
    return text;
  }

  /** A line `@include examples/send.py` stands for the file, in a fence. */
  private include(text: string): string {
    return text
      .replaceAll(/^<!--.*-->\n/gm, '')
      .replaceAll(/^@include (examples\/[\w-]+\.(\w+))$/gm, (_, path: string, type: string) => {
        return `\`\`\`${type}\n${this.read(path).trimEnd()}\n\`\`\``;
      });
  }

  private fill(text: string): string {
    return text.replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => this.values[name] ?? whole);
  }

  private read(path: string): string {
    return readFileSync(join(this.folder, path), 'utf8');
  }
}

const titleOf = (text: string, otherwise: string) => /^# (.+)$/m.exec(text)?.[1] ?? otherwise;

const rankOf = ({ category, file }: PageEntry) =>
  CATEGORIES.indexOf(category) * 100 + (ORDER.includes(file) ? ORDER.indexOf(file) : 99);
