import { expect, it } from 'vitest';
import type { Locale } from './locales.ts';

/**
 * Every language has one form of address: Italian says tu; Spanish usted, German Sie, French vous, Russian вы. These words
 * belong to the other form, or would be it in a text for the reader.
 */
const OTHER: Partial<Record<Locale, RegExp>> = {
  it: /(?<!\p{L})(?:aggiorni|aggiunga|attenda|chieda|chiami|clicchi|colleghi|compili|configuri|contatti pure|controlli|copi|corregga|crei|elimini|faccia|immetta|imposti|incolli|indichi|inserisca|lasci|legga|mandi|metta|modifichi|prema|provi|raccolga|riceva|ricarichi|richieda|rimuova|ripeta|riprovi|risponda|salvi|scarichi|scelga|scriva|selezioni|sostituisca|sposti|tenga|tocchi|torni|vada|verifichi|suoi webhook|sue liste|suo carico|suo indirizzo|suo telefono|sua password)(?!\p{L})/giu,
  es: /(?<!\p{L})(?:tú|tu|tus|te|contigo|puedes|debes|tienes|quieres|(?<!se )elige|haz|inténtalo)(?!\p{L})/giu,
  fr: /(?<!\p{L})(?:tu|toi|ta|tes|réessaie)(?!\p{L})/giu,
  de: /(?<!\p{L})(?:du|dich|dir|dein|deine|deinen|deinem|deiner|wähle|gib|prüfe)(?!\p{L})/giu,
  ru: /(?<!\p{L})(?:ты|тебе|тебя|твой|твоя|твои|твоё|выбери|введи|нажми|попробуй|проверь)(?!\p{L})/giu,
};

const files = import.meta.glob<Record<string, unknown>>('../../locales/*/*.json', {
  eager: true,
  import: 'default',
});

/** The guides: words that are the other form wherever they stand, as `elige` is also said of a program. */
const OTHER_OF_PAGES: Partial<Record<Locale, RegExp>> = {
  es: /(?<!\p{L})(?:tú|tu|tus|te|ti|contigo|puedes|debes|tienes|quieres|necesitas|usas|eres|estás|haz|hazlo|inténtalo|actívalo|ábrelo)(?!\p{L})/giu,
  ru: OTHER.ru!,
};
const pages = import.meta.glob<string>('../../../../../docs/{es,ru}/**/*.md', {
  eager: true,
  query: '?raw',
  import: 'default',
});

function* textsOf(value: unknown, path: string): Generator<[path: string, text: string]> {
  if (typeof value === 'string') yield [path, value];
  else
    for (const [key, item] of Object.entries(value ?? {})) yield* textsOf(item, `${path}.${key}`);
}

it.each(Object.entries(OTHER))('%s addresses its reader in one form', (locale, other) => {
  const ours = Object.entries(files).filter(([path]) => path.includes(`/${locale}/`));
  expect(ours.length).toBeGreaterThan(20);
  const found = ours.flatMap(([path, texts]) =>
    [...textsOf(texts, path.split('/').at(-1)!.replace('.json', ''))].flatMap(([key, text]) => {
      const words = text.match(other);
      return words ? [`${key}: ${words.join(', ')} in: ${text}`] : [];
    }),
  );
  expect(found).toEqual([]);
});

/** How a language says that there is none of something yet, wherever English says so. */
const NONE: Partial<Record<Locale, RegExp>> = { fr: /^Aucun/, it: /^(?:Ancora )?[Nn]essun/ };

it.each(Object.entries(NONE))('empty lists are said in one way in %s', (locale, way) => {
  const otherwise = Object.entries(files)
    .filter(([path]) => path.includes('/en/'))
    .flatMap(([path, texts]) => {
      const translated = new Map(textsOf(files[path.replace('/en/', `/${locale}/`)], ''));
      return [...textsOf(texts, '')].flatMap(([key, text]) =>
        /^No .+ yet\.?$/.test(text) && !way.test(translated.get(key)!)
          ? [`${path} ${key}: ${translated.get(key)}`]
          : [],
      );
    });
  expect(otherwise).toEqual([]);
});

it.each(Object.entries(OTHER_OF_PAGES))('pages in %s, too', (locale, other) => {
  const ours = Object.entries(pages).filter(([path]) => path.includes(`/docs/${locale}/`));
  expect(ours.length).toBeGreaterThan(20);
  const found = ours.flatMap(([path, text]) =>
    text.split('\n').flatMap((line) => {
      const words = line.match(other);
      return words ? [`${path}: ${words.join(', ')} in: ${line}`] : [];
    }),
  );
  expect(found).toEqual([]);
});
