import { composeText } from './compose-text.ts';
import { foldText } from './fold-text.ts';
import { stripInvisible } from './invisible.ts';

const WORDS = /[\p{L}\p{N}]+/gu;
/** Skin tones and the selectors of emoji: `👍🏽` is `👍`. */
const MODIFIERS = /[\p{Emoji_Modifier}\ufe0e\ufe0f]/gu;
const WORDS_AND_SYMBOLS = /[\p{L}\p{N}]+|\p{S}/gu;

const plain = (text: string): string => composeText(foldText(text));

/** The words of a text as they are compared: `« Ещё, стоп! »` is `еще стоп`. Empty when it has no letters or digits. */
export const foldWords = (text: string): string => (plain(text).match(WORDS) ?? []).join(' ');

/** The same with symbols, each a word of its own: `Да 👍🏽` is `да 👍`. */
export const foldSymbols = (text: string): string =>
  (plain(stripInvisible(text).replace(MODIFIERS, '')).match(WORDS_AND_SYMBOLS) ?? []).join(' ');
