import { expect, it } from 'vitest';
import type { Locale } from './locales.ts';

/**
 * Every language has one form of address: Italian says tu; Spanish usted, German Sie, French vous, Russian вы. These words
 * belong to the other form, or would be it in a text for the reader.
 */
const OTHER: Partial<Record<Locale, RegExp>> = {
  it: /(?<!\p{L})(?:aggiorni|aggiunga|attenda|chieda|chiami|clicchi|colleghi|compili|configuri|contatti pure|controlli|copi|corregga|crei|elimini|faccia|immetta|imposti|incolli|indichi|inserisca|legga|mandi|modifichi|prema|provi|raccolga|riceva|ricarichi|rimuova|riprovi|risponda|salvi|scarichi|scelga|scriva|selezioni|sostituisca|tocchi|vada|verifichi|suoi webhook|sue liste|suo carico|suo indirizzo|suo telefono|sua password)(?!\p{L})/giu,
  es: /(?<!\p{L})(?:tú|tu|tus|te|contigo|puedes|debes|tienes|quieres|(?<!se )elige|haz|inténtalo)(?!\p{L})/giu,
  fr: /(?<!\p{L})(?:tu|toi|ta|tes|réessaie)(?!\p{L})/giu,
  de: /(?<!\p{L})(?:du|dich|dir|dein|deine|deinen|deinem|deiner|wähle|gib|prüfe)(?!\p{L})/giu,
  ru: /(?<!\p{L})(?:ты|тебе|тебя|твой|твоя|твои|твоё|выбери|введи|нажми|попробуй|проверь)(?!\p{L})/giu,
};

const files = import.meta.glob<Record<string, unknown>>('../../locales/*/*.json', {
  eager: true,
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
