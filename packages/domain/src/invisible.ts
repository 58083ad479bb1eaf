/** Marks of no width: joiners, direction marks, soft hyphens, byte order marks. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;

/** An address without the marks that come along unseen with what is copied from a messenger, a page or a contact card. */
export function stripInvisible(text: string): string {
  return text.replace(INVISIBLE, '');
}
