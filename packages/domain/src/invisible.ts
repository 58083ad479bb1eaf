/** Zero-width characters: joiners, direction marks, soft hyphens, byte order marks. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;

/** Removes invisible characters, which text copied from messengers, web pages and contact cards often contains. */
export function stripInvisible(text: string): string {
  return text.replace(INVISIBLE, '');
}
