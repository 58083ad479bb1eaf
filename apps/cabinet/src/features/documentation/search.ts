import { foldText } from '@heliograph/domain';
import MiniSearch from 'minisearch';
import { parseMarkdown, textOf } from '../../ui/markdown-parser.ts';

/** A part of a page, from one heading to the next. */
export interface Section {
  id: string;
  category: string;
  file: string;
  page: string;
  /** Empty for what comes before the first heading. */
  heading: string;
  anchor: string;
  text: string;
}

export interface Found extends Section {
  fragment: { text: string; isMatch: boolean }[];
}

const MAX_RESULTS = 20;
/** Characters around the first match. */
const FRAGMENT = 160;

export function sectionsOf(category: string, file: string, markdown: string): Section[] {
  const { title, nodes, headings } = parseMarkdown(markdown);
  const names = new Map(headings.map((heading) => [heading.id, heading.text]));
  const sections: Section[] = [];
  const open = (anchor: string) =>
    sections.push({
      id: `${category}/${file}#${anchor}`,
      category,
      file,
      page: title,
      heading: names.get(anchor) ?? '',
      anchor,
      text: '',
    });
  open('');
  for (const node of nodes) {
    if (node.token.type === 'heading_open') open(String(node.token.attrGet('id')));
    else sections.at(-1)!.text += `${textOf(node)}\n`;
  }
  return sections;
}

export function createIndex(sections: Section[]): MiniSearch<Section> {
  const index = new MiniSearch<Section>({
    fields: ['heading', 'page', 'text'],
    storeFields: ['category', 'file', 'page', 'heading', 'anchor', 'text'],
    processTerm: (term) => foldText(term) || null,
    searchOptions: { boost: { heading: 4, page: 2 }, prefix: true, combineWith: 'AND' },
  });
  index.addAll(sections);
  return index;
}

/** Endings of words differ, so that similar words are found where the very words are not. */
export function find(index: MiniSearch<Section>, text: string): Found[] {
  const exact = index.search(text);
  const results = exact.length ? exact : index.search(text, { fuzzy: 0.3 });
  return results.slice(0, MAX_RESULTS).map((result) => {
    const section = result as unknown as Section;
    return { ...section, fragment: fragmentOf(section.text, result.terms) };
  });
}

/** The text around the first match, with the matches marked. */
export function fragmentOf(text: string, terms: string[]): Found['fragment'] {
  const places = [...text.matchAll(/[\p{L}\p{N}_]+/gu)].filter(([word]) => {
    const folded = foldText(word);
    return terms.some((term) => folded === term || folded.startsWith(term));
  });
  const from = Math.max(0, (places[0]?.index ?? 0) - FRAGMENT / 2);
  const to = from + 2 * FRAGMENT;
  const parts: Found['fragment'] = [];
  let at = from;
  for (const place of places) {
    const end = place.index + place[0].length;
    if (place.index < at || end > to) continue;
    parts.push({ text: text.slice(at, place.index), isMatch: false });
    parts.push({ text: place[0], isMatch: true });
    at = end;
  }
  parts.push({ text: text.slice(at, to), isMatch: false });
  return parts.filter((part) => part.text);
}
