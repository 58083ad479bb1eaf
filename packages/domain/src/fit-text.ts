import { countSegments } from './segments.ts';

/** How long a text may be: parts as operators bill them, or characters. */
export type TextRoom = { segments: number } | { characters: number };

/** Does the text keep within its room? */
export function isWithin(text: string, room: TextRoom): boolean {
  return 'segments' in room
    ? countSegments(text).segments <= room.segments
    : text.length <= room.characters;
}

const SENTENCE_END = /[.!?…]+["'»”’)\]]*(?=\s)/gu;

/**
 * The longest beginning of a text that keeps within its room: it ends with a sentence, or with a word when that would lose
 * more than half, or in the middle of the only word there is.
 * `fitText('Tea is ready. Come soon!', { characters: 20 })` is 'Tea is ready.'.
 */
export function fitText(text: string, room: TextRoom): string {
  const whole = text.trim();
  if (isWithin(whole, room)) return whole;
  const cut = (ends: number[]): string =>
    ends
      .map((end) => whole.slice(0, end).trimEnd())
      .findLast((piece) => piece !== '' && isWithin(piece, room)) ?? '';
  const sentence = cut([...whole.matchAll(SENTENCE_END)].map((m) => m.index + m[0].length));
  const words = cut([...whole.matchAll(/\s+/gu)].map((m) => m.index));
  if (sentence.length * 2 >= words.length && sentence) return sentence;
  return words || cut(lettersOf(whole));
}

/** Where characters end; a pair of surrogates is one. */
function lettersOf(text: string): number[] {
  let at = 0;
  return Array.from(text, (letter) => (at += letter.length));
}
