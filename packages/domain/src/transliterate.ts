import { isFormula } from './formulas.ts';

/**
 * Replacements of characters, best first. None contains a quote, a comma, a semicolon or a line break: a replacement is written
 * into a finished CSV cell and must not end it.
 */
const REPLACEMENTS: Record<string, string> = {
  '₽': 'RUB',
  '€': 'EUR',
  '₸': 'KZT',
  '₴': 'UAH',
  '£': 'GBP',
  '¥': 'JPY',
  '¢': 'c',
  '№': 'No',
  '…': '...',
  '•': '*',
  '·': '.',
  '×': 'x',
  '÷': '/',
  '©': '(c)',
  '®': '(R)',
  '°': 'o',
  '←': '<-',
  '→': '->',
  ß: 'ss',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ı: 'i',
  ð: 'd',
  Ð: 'D',
  þ: 'th',
  Þ: 'TH',
  '✓': 'v',
  '✔': 'v',
  '✅': 'v',
  '☑': 'v',
  '✗': 'x',
  '✖': 'x',
  '❌': 'x',
  '★': '*',
  '☆': '*',
  '⭐': '*',
  '🌟': '*',
  '❤': '<3',
  '💙': '<3',
  '💚': '<3',
  '💛': '<3',
  '🧡': '<3',
  '💜': '<3',
  '☺': ':)',
  '😀': ':)',
  '😃': ':)',
  '😄': ':)',
  '😁': ':)',
  '😊': ':)',
  '🙂': ':)',
  '😍': ':)',
  '😂': ':D',
  '😉': ':)',
  '☹': ':(',
  '🙁': ':(',
  '😢': ':(',
  '😭': ':(',
  '📞': 'tel.',
  '☎': 'tel.',
  '🔥': '!',
  '❗': '!',
  '‼': '!!',
  '❓': '?',
};

/** Typographic characters by their plain form. A double quote becomes an apostrophe, because it would end a CSV cell. */
const PLAIN: [plain: string, characters: string][] = [
  ["'", '“”„‟«»″〃＂‘’‚‛′ʼ‹›`´'],
  ['-', '‐‑‒–—―−⁃'],
  [
    ' ',
    '\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\u0085',
  ],
];

/** Cyrillic letters of other languages by the closest Russian ones, and Russian ones in Latin letters. */
const CYRILLIC: [letters: string, russian: string][] = [
  ['әӘғҒқҚңҢөӨұҰүҮһҺ', 'аАгГкКнНоОуУуУхХ'],
  ['ҳҲҷҶӯӮӣӢґҐєЄіІїЇўЎ', 'хХчЧуУиИгГеЕиИиИуУ'],
];
const LATIN: Record<string, string> = {
  а: 'a',
  б: 'b',
  в: 'v',
  г: 'g',
  д: 'd',
  е: 'e',
  ё: 'e',
  ж: 'zh',
  з: 'z',
  и: 'i',
  й: 'y',
  к: 'k',
  л: 'l',
  м: 'm',
  н: 'n',
  о: 'o',
  п: 'p',
  р: 'r',
  с: 's',
  т: 't',
  у: 'u',
  ф: 'f',
  х: 'kh',
  ц: 'ts',
  ч: 'ch',
  ш: 'sh',
  щ: 'shch',
  ъ: '',
  ы: 'y',
  ь: '',
  э: 'e',
  ю: 'yu',
  я: 'ya',
};

const russian = new Map(
  CYRILLIC.flatMap(([letters, close]) => [...letters].map((letter, i) => [letter, close[i]!])),
);
const plain = new Map(
  PLAIN.flatMap(([to, characters]) => [...characters].map((character) => [character, to])),
);

/** Ranges of characters without a width of their own: combining marks, joiners, directions and variation selectors. */
const INVISIBLE: [first: number, last: number][] = [
  [0x300, 0x36f],
  [0xad, 0xad],
  [0x200b, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x2064],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
];
const isInvisible = (code: number) =>
  INVISIBLE.some(([first, last]) => code >= first && code <= last);
const MARKS = /[\u0300-\u036f]/g;

/**
 * The closest text for a character that an encoding lacks, of characters for which `isEncodable` is true; `?` if there is none.
 * `transliterate('₽', isAscii)` is 'RUB', `transliterate('é', isAscii)` is 'e'.
 */
export function transliterate(character: string, isEncodable: (text: string) => boolean): string {
  if (isInvisible(character.codePointAt(0)!)) return '';
  for (const candidate of candidates(character)) {
    const text = safe(candidate);
    if (text !== character && isEncodable(text)) return text;
  }
  return '?';
}

function* candidates(character: string): Generator<string> {
  const named = plain.get(character) ?? REPLACEMENTS[character];
  if (named !== undefined) yield named;
  const base = character.normalize('NFKD').replace(MARKS, '');
  if (base) yield base;
  const close = russian.get(character);
  if (close) yield close;
  const lower = (close ?? base).toLowerCase();
  const latin = LATIN[lower];
  if (latin === undefined) return;
  const isUpper = lower !== (close ?? base);
  yield isUpper ? latin.slice(0, 1).toUpperCase() + latin.slice(1) : latin;
}

/** Without characters that end a CSV cell, and no longer than twice the UTF-8 bytes of a character. */
function safe(text: string): string {
  return text.replace(/["]/g, "'").replace(/[;,]/g, '.').replace(/\s/g, ' ').slice(0, 4);
}

const isAscii = (text: string) => /^[\x20-\x7e]*$/.test(text);

/**
 * Whether a cell must not start with a character: spreadsheets take it for the start of a formula, or it becomes one, or nothing,
 * when it is transliterated.
 */
export function startsFormula(character: string): boolean {
  const text = isAscii(character) ? character : transliterate(character, isAscii);
  return text === '' || isFormula(text) || isFormula(character);
}
