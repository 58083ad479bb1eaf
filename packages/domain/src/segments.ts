import { composeText } from './compose-text.ts';

/** Number of segments of a text, with the values it is derived from. */
export interface SegmentCount {
  /** `ascii` is the GSM 7-bit alphabet, `unicode` is UCS-2; named as in the specification. */
  encoding: 'ascii' | 'unicode';
  /** Septets or UTF-16 units: an extension character or an emoji counts as two. */
  characters: number;
  /** Number of segments; an empty text has one. */
  segments: number;
  /** Units per segment: 160 or 153 (GSM 7-bit), 70 or 67 (UCS-2). */
  perSegment: number;
  /** Free units in the last segment. */
  left: number;
  /** The distinct characters that require UCS-2; empty if they are too many to be replaced. */
  offenders: string[];
}

// 3GPP TS 23.038, section 6.2.1. Without the escape (0x1B), which introduces the extension table and cannot occur in a text.
export const GSM_BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
// 3GPP TS 23.038, section 6.2.1.1: encoded as an escape and a code, two septets.
export const GSM_EXTENSION = '\f^{}\\[~]|€';

/** Septets by UTF-16 code unit; 0 if not in the alphabet. The euro sign has the highest code. */
const SEPTETS = new Uint8Array(0x20ad);
for (const char of GSM_BASIC) SEPTETS[char.charCodeAt(0)] = 1;
for (const char of GSM_EXTENSION) SEPTETS[char.charCodeAt(0)] = 2;

/**
 * Counts the segments of a text as operators bill them. The text counter, estimates and charges all use this function, so that
 * they cannot differ.
 *
 * An escape sequence or a surrogate pair is never split between segments, hence
 * `countSegments('a'.repeat(152) + '€' + 'a'.repeat(152)).segments` is 3.
 * Source: 3GPP TS 23.038 (alphabet) and TS 23.040, section 9.2.3.24.1 (concatenated messages: 153 and 67 units).
 */
export function countSegments(text: string): SegmentCount {
  const counted = measure(text);
  if (counted.encoding === 'unicode') counted.offenders = offendersOf(composeText(text));
  return counted;
}

/** The same as `countSegments(text).segments`, without the cost of `offenders`. */
export function segmentsOf(text: string): number {
  return measure(text).segments;
}

const PART_OCTETS = 140;

/**
 * The parts of a text as carriers take them, cut where `countSegments` counts. `header` is the length of the header of each part:
 * six octets are what is billed, the seven of a longer reference leave 152 or 66 units. `encoding` is for carriers that cannot
 * take the text in the GSM alphabet.
 *
 *     splitSegments('a'.repeat(152) + '€').parts // ['a'.repeat(152) + '€']: 154 septets are one part
 */
export function splitSegments(
  text: string,
  options: { header?: number; encoding?: SegmentCount['encoding'] } = {},
): { encoding: SegmentCount['encoding']; parts: string[] } {
  const { header = 6, encoding = measure(text).encoding } = options;
  const whole = composeText(text);
  const isAscii = encoding === 'ascii';
  const units = isAscii ? septetsOf(whole) : whole.length;
  if (units <= (isAscii ? 160 : 70)) return { encoding, parts: [whole] };
  const bits = (PART_OCTETS - header) * 8;
  const per = Math.floor(bits / (isAscii ? 7 : 16));
  const starts = [0];
  countPairs(encoding, whole, units, per, isAscii ? isExtension : isPair, (at) => starts.push(at));
  return { encoding, parts: starts.map((start, i) => whole.slice(start, starts[i + 1])) };
}

function septetsOf(text: string): number {
  let septets = 0;
  for (let i = 0; i < text.length; i++) septets += SEPTETS[text.charCodeAt(i)] ?? 0;
  return septets;
}

/** Does not compute `offenders`. */
function measure(text: string): SegmentCount {
  const length = text.length;
  let septets = 0;
  for (let i = 0; i < length; i++) {
    const unit = text.charCodeAt(i);
    const cost = unit < 0x20ad ? SEPTETS[unit]! : 0;
    if (cost === 0) return measureComposed(text);
    septets += cost;
  }
  if (septets <= 160) return count('ascii', septets, 1, 160, septets);
  if (septets === length) return countEven('ascii', septets, 153);
  return countPairs('ascii', text, septets, 153, isExtension);
}

/** A text with characters outside of the alphabet; decomposed, `é` and `é` would be different. */
function measureComposed(text: string): SegmentCount {
  const composed = composeText(text);
  return composed === text ? countUnicode(text) : measure(composed);
}

function countUnicode(text: string): SegmentCount {
  const units = text.length;
  if (units <= 70) return count('unicode', units, 1, 70, units);
  if (!hasPair(text)) return countEven('unicode', units, 67);
  return countPairs('unicode', text, units, 67, isPair);
}

function countEven(encoding: SegmentCount['encoding'], units: number, per: number): SegmentCount {
  const segments = Math.ceil(units / per);
  return count(encoding, units, segments, per, units - (segments - 1) * per);
}

/** A character of two units that does not fit starts the next segment. `cut` is told where a segment starts. */
function countPairs(
  encoding: SegmentCount['encoding'],
  text: string,
  units: number,
  per: number,
  isDouble: (text: string, index: number) => boolean,
  cut?: (index: number) => void,
): SegmentCount {
  let segments = 1;
  let used = 0;
  for (let i = 0; i < text.length; i++) {
    const double = isDouble(text, i);
    const cost = double ? 2 : 1;
    if (used + cost > per) {
      segments++;
      used = 0;
      cut?.(i);
    }
    used += cost;
    if (double && encoding === 'unicode') i++;
  }
  return count(encoding, units, segments, per, used);
}

function count(
  encoding: SegmentCount['encoding'],
  characters: number,
  segments: number,
  perSegment: number,
  used: number,
): SegmentCount {
  return { encoding, characters, segments, perSegment, left: perSegment - used, offenders: [] };
}

function isExtension(text: string, index: number): boolean {
  return SEPTETS[text.charCodeAt(index)] === 2;
}

function isPair(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  if (unit < 0xd800 || unit > 0xdbff) return false;
  const low = text.charCodeAt(index + 1);
  return low >= 0xdc00 && low <= 0xdfff;
}

function hasPair(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (isPair(text, i)) return true;
  return false;
}

/**
 * Only if less than a fifth of the characters are outside the alphabet: in a Cyrillic text the list would contain every letter.
 */
function offendersOf(text: string): string[] {
  let total = 0;
  let outside = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    total++;
    if (unit < 0x20ad && SEPTETS[unit] !== 0) continue;
    outside++;
    if (isPair(text, i)) i++;
  }
  if (outside * 5 >= total) return [];
  const found = new Set<string>();
  for (const char of text) if (!isGsm(char)) found.add(char);
  return [...found];
}

function isGsm(char: string): boolean {
  const unit = char.charCodeAt(0);
  return unit < 0x20ad && SEPTETS[unit] !== 0;
}

const REPLACEMENTS: Record<string, string> = {};
for (const [chars, replacement] of [
  ['«»“”„‟″', '"'],
  ['‘’‚‛`´′', "'"],
  ['‹', '<'],
  ['›', '>'],
  ['–—―−‐‑‒', '-'],
  ['…', '...'],
  ['\t\u00a0\u2002\u2003\u2007\u2009\u200a\u202f\u3000', ' '],
  ['\u200b\u200c\u200d\u2060\ufeff\u00ad\ufe0f\u001b', ''],
  ['№', 'No'],
  ['•·∙', '*'],
  ['×', 'x'],
  ['÷', ':'],
  ['©', '(c)'],
  ['®', '(R)'],
  ['™', '(TM)'],
  ['°', 'o'],
  ['₽', 'RUB'],
] as const) {
  for (const char of chars) REPLACEMENTS[char] = replacement;
}
// Cyrillic letters that look like Latin ones: a single one in a Latin text changes the encoding to UCS-2.
const LOOKALIKES = ['АВЕКМНОРСТХаеорсухІіЅѕЈј', 'ABEKMHOPCTXaeopcyxIiSsJj'] as const;
for (let i = 0; i < LOOKALIKES[0].length; i++) REPLACEMENTS[LOOKALIKES[0][i]!] = LOOKALIKES[1][i]!;

/**
 * The GSM 7-bit replacement of a character that requires UCS-2; '' to remove it, null if there is none.
 * `gsmReplacement('«')` is '"', `gsmReplacement('я')` is null. Null for more than one character: decomposing a long sequence of
 * combining marks takes quadratic time.
 */
export function gsmReplacement(char: string): string | null {
  if (char.length > 2) return null;
  const listed = REPLACEMENTS[char];
  if (listed !== undefined) return listed;
  const base = char.normalize('NFD').replace(/\p{M}/gu, '');
  return base !== char && base !== '' && [...base].every(isGsm) ? base : null;
}
