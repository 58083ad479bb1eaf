import { composeText } from './compose-text.ts';
import { foldText } from './fold-text.ts';
import { cleanName } from './invisible.ts';

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

/** Between tags in a cell. */
const SEPARATOR = / ::: |[,;\n]/;
/** A tag in quotes, which may hold what is between tags, and what follows up to the next tag. Longer ones are none, so that reading takes linear time. */
const QUOTED = /[^\S\n]*"((?:[^"]|""){0,500})"[^\S\n]*(?:[,;\n]|:::|$)/y;

/**
 * The tags of an import cell, between which are commas, semicolons, line breaks, or `:::` as Google writes it; one in quotes may hold these,
 * and quotes twice. Null if one of them is too long or if there are too many. `tagsOf('VIP; vip, "Paris, Texas"')` is `['VIP', 'Paris, Texas']`.
 */
export function tagsOf(cell: string): string[] | null {
  const found: string[] = [];
  for (let at = 0; at < cell.length;) {
    QUOTED.lastIndex = at;
    const quoted = QUOTED.exec(cell);
    if (quoted) {
      found.push(quoted[1]!.replaceAll('""', '"'));
      at = QUOTED.lastIndex;
      continue;
    }
    const end = SEPARATOR.exec(cell.slice(at));
    found.push(cell.slice(at, end ? at + end.index : undefined));
    at = end ? at + end.index + end[0].length : cell.length;
  }
  const tags = distinctTags(found.map(cleanName).filter(Boolean));
  return tags.length <= MAX_TAGS && tags.every((tag) => tag.length <= MAX_TAG_LENGTH) ? tags : null;
}

/** The cell that `tagsOf` reads as these tags. */
export const tagsCell = (tags: readonly string[]): string =>
  tags
    .map((tag) =>
      SEPARATOR.test(tag) || tag.startsWith('"') ? `"${tag.replaceAll('"', '""')}"` : tag,
    )
    .join('; ');
