import { foldText } from './fold-text.ts';

/** Of one contact. */
export const MAX_TAGS = 20;
/** Maximum length of a tag in characters. */
export const MAX_TAG_LENGTH = 50;

/**
 * Tags as they are kept: composed (NFC), and of those that differ only in case, accents or composition the first.
 * `distinctTags(['VIP', 'vip', 'Élan'])` is `['VIP', 'Élan']`.
 */
export function distinctTags(tags: readonly string[]): string[] {
  const byKey = new Map<string, string>();
  for (const tag of tags) {
    const key = foldText(tag);
    if (!byKey.has(key)) byKey.set(key, tag.normalize('NFC'));
  }
  return [...byKey.values()];
}
