import { stripInvisible } from './invisible.ts';

/** A letter with its marks. To normalize more of them at once takes quadratic time. */
const MARKED = /\P{M}\p{M}{1,3}/gu;

/** Text as documents show it: composed and without invisible characters; control characters but line breaks are spaces. */
export const printedText = (text: string): string =>
  stripInvisible(text)
    .replace(MARKED, (letter) => letter.normalize())
    .replace(/[^\P{Cc}\n]/gu, ' ');

/** What the font of documents has besides ASCII: Latin, Greek and Cyrillic, punctuation and signs of currencies. */
const FONT =
  String.raw`\xa0-\u017f\u018f\u0192\u01a0\u01a1\u01af\u01b0\u01f0\u01fa-\u01ff\u0218-\u021b\u0237\u0259\u02bc\u02c6\u02c7` +
  String.raw`\u02c9\u02d8-\u02dd\u02f3\u0300\u0301\u0303\u0309\u030f\u0323\u0384-\u038a\u038c\u038e-\u03a1\u03a3-\u03ce` +
  String.raw`\u03d1\u03d2\u03d6\u0400-\u0486\u0488-\u0513\u1e00\u1e01\u1e3e\u1e3f\u1e80-\u1e85\u1e9e\u1ea0-\u1ef9\u1f4d` +
  String.raw`\u2000-\u200a\u2010\u2011\u2013-\u2015\u2017-\u201e\u2020-\u2022\u2025-\u2027\u2030\u2032\u2033\u2039\u203a` +
  String.raw`\u203c\u2044\u2070\u2074-\u208e\u20a3\u20a4\u20a6-\u20ac\u20b1\u20b9\u20ba\u20bc\u20bd\u20c1\u2105\u2113\u2116` +
  String.raw`\u2122\u2126\u212e\u215b-\u215e\u2202\u2206\u220f\u2211\u2212\u221a\u221e\u222b\u2248\u2260\u2264\u2265\u25a0` +
  String.raw`\u25ca\u25cb\u25cf\ufb01-\ufb04\ufffd`;
const MISSING = new RegExp(String.raw`[^\n -~${FONT}]\p{M}*`, 'gu');

/** The characters of a text that documents cannot show: `unprintable('Чай 茶 ☕')` is ['茶', '☕']. */
export const unprintable = (text: string): string[] => [
  ...new Set(printedText(text).match(MISSING)),
];

const SHOWN = 10;

/** Why it is refused, with the first of these characters, for people who do not use the cabinet. */
export const unprintableMessage = (text: string): string =>
  `Documents cannot show these characters: ${unprintable(text).slice(0, SHOWN).join(' ')}. Replace them.`;
