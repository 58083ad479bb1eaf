import type { GeneratorForm } from '@heliograph/contract';
import { isWithinLimit, type TextLimit } from '@heliograph/domain';
import { PHRASES } from './phrases.ts';
import { TextWriter, type TextOrder } from './text-writer.ts';

const EMOJIS = { neutral: '✨', friendly: '😊', joyful: '🎉', formal: '📌', urgent: '⏰' };

/**
 * Puts a text together from set phrases: no model, no network, the same answer to the same question. For trials, tests and
 * installations without a model; it does not invent and cannot really rephrase.
 */
export class LocalWriter extends TextWriter {
  override write({ form, room }: TextOrder): Promise<string> {
    return Promise.resolve(compose(form, room));
  }
}

/** Required parts, then as many optional ones as fit, in reading order. */
export function compose(form: GeneratorForm, room: TextLimit): string {
  const { language, emotionalTone, messageTheme, occasion, additionalNotes1, rephraseText } = form;
  const phrases = PHRASES[language];
  const values = { theme: bare(messageTheme), occasion: bare(occasion) };
  const fill = (phrase: string) =>
    phrase.replaceAll(/\{(theme|occasion)\}/g, (_, name: keyof typeof values) => values[name]);
  const opening = fill(phrases.opening[emotionalTone]);
  const parts: { text: string; rank: number }[] = [
    { text: form.addEmojis ? `${EMOJIS[emotionalTone]} ${opening}` : opening, rank: 1 },
    { text: sentence(rephraseText || fill(phrases.theme)), rank: 0 },
    { text: sentence(additionalNotes1), rank: 3 },
    { text: phrases.closing[emotionalTone], rank: 4 },
    ...phrases.more.map((text, i) => ({ text, rank: 5 + i })),
    { text: form.endQuestion ? phrases.question : '', rank: 2 },
  ].filter(({ text }) => text !== '');
  const included = new Set<object>();
  const textOf = (chosen: Set<object>) =>
    parts
      .filter((part) => chosen.has(part))
      .map(({ text }) => text)
      .join(' ');
  for (const part of parts.toSorted((a, b) => a.rank - b.rank)) {
    const longer = new Set([...included, part]);
    if (!included.size || isWithinLimit(textOf(longer), room)) included.add(part);
  }
  return textOf(included);
}

function bare(text: string): string {
  const trimmed = text.trim();
  let end = trimmed.length;
  while ('.!?…'.includes(trimmed[end - 1] ?? ' ')) end--;
  return trimmed.slice(0, end);
}
const sentence = (text: string) => (text && !/[.!?…]["'»”)]*$/u.test(text) ? `${text}.` : text);
