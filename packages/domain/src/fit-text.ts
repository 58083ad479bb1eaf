import { countSegments } from './segments.ts';

/** Maximum length of a text, in segments or in characters (UTF-16 units). */
export type TextLimit = { segments: number } | { characters: number };

/** Whether a text is within a limit. */
export function isWithinLimit(text: string, limit: TextLimit): boolean {
  return 'segments' in limit
    ? countSegments(text).segments <= limit.segments
    : text.length <= limit.characters;
}

const ENDS_SENTENCE = new Set('.!?…');
const CLOSES_SENTENCE = new Set('"\'»”’)]');
const SPACE = /\s/;

/**
 * Truncates a text to a limit: at the end of a sentence, or of a word if that would lose more than half, or inside a single
 * long word.
 * `fitText('Tea is ready. Come soon!', { characters: 20 })` is 'Tea is ready.'.
 */
export function fitText(text: string, limit: TextLimit): string {
  const whole = text.trim();
  if (isWithinLimit(whole, limit)) return whole;
  // One character more than the maximum, to detect the end of a word there.
  const start = whole.slice(0, maxUnits(limit) + 1);
  const words = wordEnds(start);
  const sentences = words.filter((end) => endsSentence(start, end));
  const byWord = longestPrefix(start, words, limit);
  const bySentence = longestPrefix(start, sentences, limit);
  if (bySentence.length * 2 >= byWord.length && bySentence) return bySentence;
  return byWord || longestPrefix(start, characterEnds(start), limit);
}

/** A segment has at most 160 units. */
function maxUnits(limit: TextLimit): number {
  return 'segments' in limit ? limit.segments * 160 : limit.characters;
}

/** The longest prefix within the limit that ends at one of the positions; '' if there is none. Binary search: length is monotonic. */
function longestPrefix(text: string, ends: number[], limit: TextLimit): string {
  let from = 0;
  let to = ends.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (isWithinLimit(text.slice(0, ends[middle]), limit)) from = middle + 1;
    else to = middle;
  }
  return from === 0 ? '' : text.slice(0, ends[from - 1]);
}

/** Positions at which white space begins. */
function wordEnds(text: string): number[] {
  const ends: number[] = [];
  for (let i = 1; i < text.length; i++)
    if (SPACE.test(text[i]!) && !SPACE.test(text[i - 1]!)) ends.push(i);
  return ends;
}

/** A sentence can end with quotes or brackets: `“Tea.”` */
function endsSentence(text: string, end: number): boolean {
  let last = end - 1;
  while (CLOSES_SENTENCE.has(text[last]!)) last--;
  return ENDS_SENTENCE.has(text[last]!);
}

/** Positions at which characters end; a surrogate pair is one character. */
function characterEnds(text: string): number[] {
  let at = 0;
  return Array.from(text, (letter) => (at += letter.length));
}
