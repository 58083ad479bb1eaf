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
