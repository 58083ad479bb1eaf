import { readTemplate, type TemplatePart } from './variables.ts';

/** What a message is for operators, who charge each kind apart. docs/decisions/017-groups-of-messages.md. */
export const TRAFFIC_GROUPS = ['service', 'transactional', 'advertising'] as const;
export type TrafficGroup = (typeof TRAFFIC_GROUPS)[number];
/** Of a message that matches no template. */
export const DEFAULT_GROUP: TrafficGroup = 'advertising';

/** Longer texts match nothing: what is looked at stays bounded, and operators register none. */
const MAX_MATCHED = 5000;

const ANY = /[^]/u;
const CLASSES: Record<string, RegExp> = {
  l: /\p{L}/u,
  'l+': /[\p{L}\s]/u,
  d: /\d/,
  'd+': /[\d\s]/,
  w: /[\p{L}\d]/u,
  'w+': /[\p{L}\d\s]/u,
  r: /[а-яё]/i,
  'r+': /[а-яё\s]/i,
  rd: /[а-яё\d]/i,
  'rd+': /[а-яё\d\s]/i,
};

/**
 * Whether a text is an instance of a template, as a whole: what is written stands as it is, `%d{1,4}` for one to four digits, a
 * variable for anything or nothing. Spaces around either do not count. A template without letters or digits of its own matches
 * nothing, as it would match everything. In linear time for each part.
 * `compileTemplate('Code %d{4,6}')('Code 1234')` is true.
 */
export function compileTemplate(template: string): (text: string) => boolean {
  const parts = readTemplate(template.trim());
  const isOwn = parts.some((part) => typeof part === 'string' && /[\p{L}\p{N}]/u.test(part));
  if (!isOwn) return () => false;
  return (text) => text.length <= MAX_MATCHED && matches(parts, text.trim());
}

function matches(parts: readonly TemplatePart[], text: string): boolean {
  /** Where what has been read so far can end, in order. */
  let ends = [0];
  for (const part of parts) {
    if (typeof part === 'string')
      ends = ends.filter((at) => text.startsWith(part, at)).map((at) => at + part.length);
    else ends = afterRun(part, text, ends);
    if (!ends.length) return false;
  }
  return ends.at(-1) === text.length;
}

/** Where a run of a class can end that begins at one of some places. */
function afterRun(
  { kind, min, max }: Exclude<TemplatePart, string>,
  text: string,
  starts: number[],
): number[] {
  const allowed = kind === null ? ANY : CLASSES[kind];
  if (!allowed) return [];
  const ends: number[] = [];
  // Starts from which everything up to `at` is of the class, the earliest first.
  let open: number[] = [];
  let first = 0;
  let next = 0;
  for (let at = starts[0]!; at <= text.length; at++) {
    if (starts[next] === at) {
      open.push(at);
      next++;
    }
    while (first < open.length && at - open[first]! > max) first++;
    if (first < open.length && at - open[first]! >= min) ends.push(at);
    if (at < text.length && !allowed.test(text[at]!)) {
      open = [];
      first = 0;
      if (next === starts.length) break;
    }
  }
  return ends;
}
