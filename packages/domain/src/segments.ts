/** What a text costs in message parts, and why. */
export interface SegmentCount {
  /** `ascii` is the GSM 7-bit alphabet, `unicode` is UCS-2. The words are the specification's. */
  encoding: 'ascii' | 'unicode';
  /** Units as operators count them: an extension character or an emoji is two. */
  characters: number;
  /** Parts the text is sent in; an empty text is one. */
  segments: number;
  /** Units one part of this text can hold: 160 or 153, 70 or 67. */
  perSegment: number;
  /** Units still free in the last part. */
  left: number;
  /** The distinct characters that force Unicode, when they are few enough to be replaced. */
  offenders: string[];
}

// 3GPP TS 23.038 section 6.2.1. The escape (0x1B) is left out: it announces the extension table
// and is no character of a text.
const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
// 3GPP TS 23.038 section 6.2.1.1: each is sent as an escape and a code, two septets.
const EXTENSION = '\f^{}\\[~]|€';

/** Septets by UTF-16 code unit: 0 is not in the alphabet. The euro sign is the highest. */
const SEPTETS = new Uint8Array(0x20ad);
for (const char of BASIC) SEPTETS[char.charCodeAt(0)] = 1;
for (const char of EXTENSION) SEPTETS[char.charCodeAt(0)] = 2;

/**
 * Counts the parts of a text as operators bill them. One function for the counter under the text,
 * the estimate, the bill and the simulator, so that they cannot disagree.
 *
 * An escape pair or a surrogate pair is never split over two parts, hence
 * `countSegments('a'.repeat(152) + '€' + 'a'.repeat(152)).segments` is 3.
 * Source: 3GPP TS 23.038 (alphabet) and TS 23.040 section 9.2.3.24.1 (parts of 153 and 67).
 */
export function countSegments(text: string): SegmentCount {
  const counted = measure(text);
  if (counted.encoding === 'unicode') counted.offenders = offendersOf(text);
  return counted;
}

/** `countSegments(text).segments`, for those who ask of many texts and of nothing else. */
export function segmentsOf(text: string): number {
  return measure(text).segments;
}

/** Without the offenders. */
function measure(text: string): SegmentCount {
  const length = text.length;
  let septets = 0;
  for (let i = 0; i < length; i++) {
    const unit = text.charCodeAt(i);
    const cost = unit < 0x20ad ? SEPTETS[unit]! : 0;
    if (cost === 0) return countUnicode(text);
    septets += cost;
  }
  if (septets <= 160) return count('ascii', septets, 1, 160, septets);
  if (septets === length) return countEven('ascii', septets, 153);
  return countPairs('ascii', text, septets, 153, isExtension);
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

/** Fills part after part; a character of two units that does not fit opens the next one. */
function countPairs(
  encoding: SegmentCount['encoding'],
  text: string,
  units: number,
  per: number,
  isDouble: (text: string, index: number) => boolean,
): SegmentCount {
  let segments = 1;
  let used = 0;
  for (let i = 0; i < text.length; i++) {
    const double = isDouble(text, i);
    const cost = double ? 2 : 1;
    if (used + cost > per) {
      segments++;
      used = 0;
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
 * Naming every letter of a Cyrillic text would help nobody: the list is given only when fewer than
 * a fifth of the characters stand outside the alphabet.
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
// Cyrillic letters that look like Latin ones: one of them typed in a Latin word doubles the price.
const LOOKALIKES = ['АВЕКМНОРСТХаеорсухІіЅѕЈј', 'ABEKMHOPCTXaeopcyxIiSsJj'] as const;
for (let i = 0; i < LOOKALIKES[0].length; i++) REPLACEMENTS[LOOKALIKES[0][i]!] = LOOKALIKES[1][i]!;

/**
 * What to write instead of a character that forces Unicode, or null when nothing is close enough.
 * An empty string means: take it away. `gsmReplacement('«')` is '"', `gsmReplacement('я')` null, and so is more than one
 * character: a long row of combining marks takes a quadratic time to decompose.
 */
export function gsmReplacement(char: string): string | null {
  if (char.length > 2) return null;
  const listed = REPLACEMENTS[char];
  if (listed !== undefined) return listed;
  const base = char.normalize('NFD').replace(/\p{M}/gu, '');
  return base !== char && base !== '' && [...base].every(isGsm) ? base : null;
}
