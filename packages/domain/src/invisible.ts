/**
 * What has no form and no width: joiners, direction marks, soft hyphens, byte order marks, fillers. Not the selectors of
 * emoji, which change their form, nor tags, which hide whole texts.
 */
const INVISIBLE = /(?![\ufe00-\ufe0f\u{e0000}-\u{e00ff}])\p{Default_Ignorable_Code_Point}/gu;

/** Removes invisible characters, which text copied from messengers, web pages and contact cards often contains. */
export function stripInvisible(text: string): string {
  return text.replace(INVISIBLE, '');
}
