/**
 * What has no form and no width: joiners, direction marks, soft hyphens, byte order marks, fillers. Not the selectors of
 * emoji, which change their form, nor tags, which hide whole texts.
 */
const INVISIBLE = /(?![\ufe00-\ufe0f\u{e0000}-\u{e00ff}])\p{Default_Ignorable_Code_Point}/gu;

/** Removes invisible characters, which text copied from messengers, web pages and contact cards often contains. */
export function stripInvisible(text: string): string {
  return text.replace(INVISIBLE, '');
}

/** Neither white space, a control character, nor one that is drawn as nothing: fillers of Korean, an empty cell of Braille. */
const VISIBLE = /[^\s\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Whether a person sees nothing of a text: `isBlank(' \u200b\u3164')` is true. */
export const isBlank = (text: string): boolean => !VISIBLE.test(text);

const VIRAMAS =
  '\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d4d\\u0dca\\u1039\\u103a\\u17d2';
/** Letters of Arabic that never join the next one, where a joiner has nothing to part. */
const UNJOINED =
  '\\u0621-\\u0625\\u0627\\u0629\\u062f-\\u0632\\u0648\\u0671-\\u0677\\u0688-\\u0699\\u06c0\\u06c3-\\u06cb\\u06cd\\u06cf\\u06d2\\u06d3\\u06d5\\u06ee\\u06ef';
const ARABIC = '(?=\\p{Script=Arabic})\\p{L}';
const PICTURE = '\\p{Extended_Pictographic}';

/**
 * Where invisible characters change what is seen, after UAX 31: joiners of Arabic and of scripts of India, forms of Chinese and Mongolian
 * letters, and emoji of several characters. Each begins with its character, so that a search looks around at few places.
 */
const SHAPING = [
  `\\u200c(?<=(?![${UNJOINED}])${ARABIC}\\p{Mn}*\\u200c)(?=\\p{Mn}*${ARABIC})`,
  `\\u200c(?<=[${VIRAMAS}]\\u200c)(?=\\p{L})`,
  `\\u200d(?<=[${VIRAMAS}]\\u200d)`,
  // Ra before ya in Bengali, and within a cluster in Kannada.
  `\\u200d(?<=[\\u09b0\\u0cb0]\\u200d)(?=[\\u09cd\\u0ccd])`,
  `\\u200d(?<=${PICTURE}[\\ufe0f\\u{1f3fb}-\\u{1f3ff}]?\\u200d)(?=${PICTURE})`,
  `\\ufe0f(?<=(?!\\p{Emoji_Presentation})${PICTURE}\\ufe0f)`,
  `\\ufe0f(?<=[0-9#*]\\ufe0f)(?=\\u20e3)`,
  `\\ufe0e(?<=${PICTURE}\\ufe0e)`,
  `[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}](?<=\\p{Script=Han}.)`,
  `[\\u180b-\\u180f](?<=(?=\\p{Script=Mongolian})\\p{L}.)`,
  // The flags of England, Scotland and Wales.
  `\\u{1f3f4}\\u{e0067}\\u{e0062}(?:\\u{e0065}\\u{e006e}\\u{e0067}|\\u{e0073}\\u{e0063}\\u{e0074}|\\u{e0077}\\u{e006c}\\u{e0073})\\u{e007f}`,
].join('|');
const UNSEEN = new RegExp(`(${SHAPING})|[\\p{Default_Ignorable_Code_Point}\\ufff9-\\ufffb]`, 'gu');

/**
 * A name without what nobody sees in it and what turns its direction, so that none reads as another. What shapes letters and emoji stays.
 * `cleanName('Tea\u202e\u200b')` is `'Tea'`; `'می‌خواهم'` and `'👩‍🍳'` stay.
 */
export const cleanName = (name: string): string =>
  name
    .replace(UNSEEN, (_, shaping: string | undefined) => shaping ?? '')
    .replaceAll('\u2800', ' ')
    .trim();
