import { countSegments } from './segments.ts';

/** How long a text may be: parts as operators bill them, or characters. */
export type TextLimit = { segments: number } | { characters: number };

/** Does the text keep within its room? */
export function isWithinLimit(text: string, room: TextLimit): boolean {
  return 'segments' in room
    ? countSegments(text).segments <= room.segments
    : text.length <= room.characters;
}

const ENDS_SENTENCE = new Set('.!?…');
const CLOSES_SENTENCE = new Set('"\'»”’)]');
const SPACE = /\s/;

/**
 * The longest beginning of a text that keeps within its room: it ends with a sentence, or with a word when that would lose
 * more than half, or in the middle of the only word there is.
 * `fitText('Tea is ready. Come soon!', { characters: 20 })` is 'Tea is ready.'.
 */
export function fitText(text: string, room: TextLimit): string {
  const whole = text.trim();
  if (isWithinLimit(whole, room)) return whole;
  // One character more than could ever fit shows whether a word ends there.
  const start = whole.slice(0, mostUnits(room) + 1);
  const words = endsOfWords(start);
  const sentences = words.filter((end) => endsSentence(start, end));
  const byWord = longest(start, words, room);
  const bySentence = longest(start, sentences, room);
  if (bySentence.length * 2 >= byWord.length && bySentence) return bySentence;
  return byWord || longest(start, lettersOf(start), room);
}

/** A part holds 160 units at most. */
function mostUnits(room: TextLimit): number {
  return 'segments' in room ? room.segments * 160 : room.characters;
}

/** The longest beginning that ends at one of the places and has room; '' when none has. A longer one never needs less room. */
function longest(text: string, ends: number[], room: TextLimit): string {
  let from = 0;
  let to = ends.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (isWithinLimit(text.slice(0, ends[middle]), room)) from = middle + 1;
    else to = middle;
  }
  return from === 0 ? '' : text.slice(0, ends[from - 1]);
}

/** Where spaces begin. */
function endsOfWords(text: string): number[] {
  const ends: number[] = [];
  for (let i = 1; i < text.length; i++)
    if (SPACE.test(text[i]!) && !SPACE.test(text[i - 1]!)) ends.push(i);
  return ends;
}

/** A sentence may be in quotes or brackets: `“Tea.”` */
function endsSentence(text: string, end: number): boolean {
  let last = end - 1;
  while (CLOSES_SENTENCE.has(text[last]!)) last--;
  return ENDS_SENTENCE.has(text[last]!);
}

/** Where characters end; a pair of surrogates is one. */
function lettersOf(text: string): number[] {
  let at = 0;
  return Array.from(text, (letter) => (at += letter.length));
}
