import i18next, { type BackendModule, type FormatterModule } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { frontend } from '../frontend.ts';
import { fetched } from '../lost-chunk.ts';
import { readPersonal, setPersonal } from '../personal/mirror.ts';
import { firstLocale, LOCALES, type Locale } from './locales.ts';

type Load = () => Promise<Record<string, unknown>>;

/** The chunks of each language: the list of all of them would be a tenth of the sign-in page. */
const languages = import.meta.glob<Record<string, Load>>('./catalogues/*.ts', {
  import: 'default',
});

/** One chunk per namespace and locale: a page loads the texts it shows in the language it shows. */
const catalogues: BackendModule = {
  type: 'backend',
  init() {},
  read(language, namespace, done) {
    read(language, namespace).then(
      (texts) => done(null, texts),
      (error: Error) => done(error, null),
    );
  },
};

async function read(language: string, namespace: string): Promise<Record<string, unknown>> {
  const chunks = await fetched(languages[`./catalogues/${language}.ts`]!);
  const load = chunks[`../../../locales/${language}/${namespace}.json`];
  if (!load) throw new Error(`no catalogue ${language}/${namespace}`);
  return fetched(load);
}

const formats = new Map<string, Intl.NumberFormat>();

/** Numbers in texts are written as in the language of the text: `10,000`, `10 000`. */
const numbers: FormatterModule = {
  type: 'formatter',
  init() {},
  add() {},
  addCached() {},
  format(value: unknown, _, locale = i18n.language) {
    if (typeof value !== 'number') return value as string;
    const format = formats.get(locale) ?? new Intl.NumberFormat(locale);
    formats.set(locale, format);
    return format.format(value);
  },
};

export const i18n = i18next;

let started: Promise<void> | undefined;

export function startI18n(): Promise<void> {
  return (started ??= init());
}

/** Loads the namespaces of a page in the current language. Pages may start to load before the first catalogue is loaded. */
export async function loadTexts(namespaces: string[]): Promise<void> {
  await startI18n();
  await i18n.loadNamespaces(namespaces);
}

/** Loads code together with the texts that it needs. */
export async function withTexts<T>(namespaces: string[], load: () => Promise<T>): Promise<T> {
  const [code] = await Promise.all([load(), loadTexts(namespaces)]);
  return code;
}

async function init(): Promise<void> {
  const lng = firstLocale(readPersonal('locale') ?? frontend.locale, navigator.languages);
  i18n.on('languageChanged', (language) => {
    document.documentElement.lang = language;
  });
  await i18n
    .use(catalogues)
    .use(numbers)
    .use(initReactI18next)
    .init({
      lng,
      fallbackLng: false,
      supportedLngs: LOCALES,
      ns: ['common', 'errors'],
      defaultNS: 'common',
      // React escapes what it renders.
      interpolation: { escapeValue: false, alwaysFormat: true },
      react: { useSuspense: false },
    });
}

/** Every namespace in use is loaded in the new language before the page changes it. */
export async function changeLocale(locale: Locale): Promise<void> {
  setPersonal('locale', locale);
  await i18n.changeLanguage(locale);
}
