import { normalized } from './compose-text.ts';
import { stripInvisible } from './invisible.ts';

const MARKS = /[\u0300-\u036f]+/g;
/** Letters and signs that have no decomposition, and are typed as others. */
const TYPED_AS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ı: 'i',
  ς: 'σ',
};
const RARE = new RegExp(`[${Object.keys(TYPED_AS).join('')}]`, 'g');
/**
 * Letters and signs that are typed as an apostrophe: `ʼ` of Ukrainian, `ʻ` of Uzbek, quotation marks, primes, graves, and those of
 * Armenian and Hebrew. The acute accent is one before its decomposition, which makes a space of it.
 */
const APOSTROPHES = /[`ʹʻʼʽʾʿˈˊˋ՚׳‘’‛′‵ꞌ]/g;

/**
 * A text as it is compared and searched: without case, accents and compatibility forms. `Ёлка` is `елка`, `Cœur d’Été` is `coeur d'ete`.
 * `й`, `ї` and `ў` are letters of their own and stay. The database has the same rule as `folded` (its migration); a test compares them.
 */
export const foldText = (text: string): string =>
  normalized(text.replaceAll('´', "'"), 'NFKD')
    .toLowerCase()
    .replaceAll('и\u0306', 'й')
    .replaceAll('і\u0308', 'ї')
    .replaceAll('у\u0306', 'ў')
    .replace(MARKS, '')
    .replace(APOSTROPHES, "'")
    .replace(RARE, (letter) => TYPED_AS[letter]!);

/** Whether a text has all words that were typed, in any order and each also as a part of another. */
export function hasWords(text: string, typed: string): boolean {
  const folded = foldText(text);
  return wordsOf(typed).every((word) => folded.includes(word));
}

const wordsOf = (text: string): string[] =>
  foldText(stripInvisible(text)).split(/\s+/).filter(Boolean);
