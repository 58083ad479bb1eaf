import { composeText } from './compose-text.ts';
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
    if (!byKey.has(key)) byKey.set(key, composeText(tag));
  }
  return [...byKey.values()];
}

/**
 * The tags of an import cell, between which are commas, semicolons, line breaks or Google's `:::`; null if one of them is too long or if
 * there are too many. `tagsOf('VIP; vip, Moscow')` is `['VIP', 'Moscow']`.
 */
export function tagsOf(cell: string): string[] | null {
  const tags = distinctTags(
    cell
      .split(/ ::: |[,;\n]/)
      .map((tag) => tag.trim())
      .filter(Boolean),
  );
  return tags.length <= MAX_TAGS && tags.every((tag) => tag.length <= MAX_TAG_LENGTH) ? tags : null;
}
