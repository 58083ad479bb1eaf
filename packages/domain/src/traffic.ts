import { mccmncTest } from './pricing-conditions.ts';
import type { SendingType } from './types.ts';
import { parseTemplate, type TemplatePart } from './variables.ts';

/** Traffic groups of operators, which have different prices. See docs/decisions/017-groups-of-messages.md. */
export const TRAFFIC_GROUPS = ['service', 'transactional', 'advertising'] as const;
export type TrafficGroup = (typeof TRAFFIC_GROUPS)[number];
/** Group of messages that match no template. */
export const DEFAULT_GROUP: TrafficGroup = 'advertising';
/** Resellers can approve advertising only: the other groups are cheaper or audited by operators. */
export const canApproveGroup = (level: string, group: TrafficGroup): boolean =>
  group === DEFAULT_GROUP || level === 'manager';

/** Longer texts never match, to limit the cost of matching. Operators do not register longer templates. */
const MAX_MATCHED_LENGTH = 5000;

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
 * Compiles a template to a function that matches whole texts. Fixed text matches literally, `%d{1,4}` one to four digits, a variable
 * any text including none. Surrounding spaces are ignored. A template without fixed letters or digits matches no text; it would
 * otherwise match all. Matching takes linear time per template part.
 * `compileTemplate('Code %d{4,6}')('Code 1234')` is true.
 */
export function compileTemplate(template: string): (text: string) => boolean {
  const parts = parseTemplate(template.trim());
  if (!hasFixedText(parts)) return () => false;
  return (text) => text.length <= MAX_MATCHED_LENGTH && matches(parts, text.trim());
}

/** Whether a template contains fixed letters or digits. */
export const isTemplate = (template: string): boolean => hasFixedText(parseTemplate(template));

const hasFixedText = (parts: readonly TemplatePart[]): boolean =>
  parts.some((part) => typeof part === 'string' && /[\p{L}\p{N}]/u.test(part));

/** An approved template of a traffic group. Without `sender` or `mccmnc` it applies to all senders or networks. */
export interface GroupTemplate {
  /** For estimates, which name the template. */
  title?: string;
  type: SendingType;
  text: string;
  group: TrafficGroup;
  sender?: string | null;
  /** `25001` is one network, `401*` all networks of a country. */
  mccmnc?: string | null;
}

/** The properties of a message that determine its traffic group. */
export interface GroupQuery {
  type: SendingType;
  sender: string;
  text: string;
  /** Network of the recipient; null if unknown. */
  mccmnc: string | null;
}

/** Number of texts in the cache: a message and its fallbacks. */
const CACHED_TEXTS = 4;

/**
 * Compiles templates to a function that returns the traffic group of a message: that of the template of `compileMatches`, else
 * `DEFAULT_GROUP`.
 * `compileGroups([{ type: 'sms', text: 'Code %d{4}', group: 'service' }])({ type: 'sms', sender: 'TEA', text: 'Code 1234', mccmnc: null })`
 * is 'service'.
 */
export function compileGroups(
  templates: readonly GroupTemplate[],
): (message: GroupQuery) => TrafficGroup {
  const match = compileMatches(templates);
  return (message) => match(message)?.group ?? DEFAULT_GROUP;
}

/**
 * Compiles templates to a function that returns the first one that matches the text, sender and network of a message; null if none
 * does. Results for the last texts are cached: messages of a bulk often have the same text.
 */
export function compileMatches(
  templates: readonly GroupTemplate[],
): (message: GroupQuery) => Pick<GroupTemplate, 'group' | 'title'> | null {
  const byType = Map.groupBy(templates.map(compiled), ({ type }) => type);
  const known = new Map<string, CompiledGroup[]>();
  return ({ type, sender, text, mccmnc }) => {
    const candidates = byType.get(type);
    if (!candidates) return null;
    const key = `${type} ${text}`;
    let matching = known.get(key);
    if (!matching) {
      matching = matchingTemplates(candidates, text);
      if (known.size >= CACHED_TEXTS) known.delete(known.keys().next().value!);
      known.set(key, matching);
    }
    const from = sender.toLowerCase();
    return matching.find((t) => (t.sender === null || t.sender === from) && t.isIn(mccmnc)) ?? null;
  };
}

interface CompiledGroup {
  type: SendingType;
  group: TrafficGroup;
  title?: string;
  sender: string | null;
  isUnrestricted: boolean;
  matches: (text: string) => boolean;
  isIn: (mccmnc: string | null) => boolean;
}

function compiled({ type, group, title, text, sender, mccmnc }: GroupTemplate): CompiledGroup {
  const test = mccmnc ? mccmncTest([mccmnc]) : null;
  return {
    type,
    group,
    title,
    sender: sender?.toLowerCase() ?? null,
    isUnrestricted: !sender && !mccmnc,
    matches: compileTemplate(text),
    isIn: (network) => test === null || test({ mccmnc: network }),
  };
}

/** The templates that match a text, up to the first one for all senders and networks: later ones cannot apply. */
function matchingTemplates(templates: readonly CompiledGroup[], text: string): CompiledGroup[] {
  const matching: CompiledGroup[] = [];
  for (const template of templates) {
    if (!template.matches(text)) continue;
    matching.push(template);
    if (template.isUnrestricted) break;
  }
  return matching;
}

function matches(parts: readonly TemplatePart[], text: string): boolean {
  /** Possible end positions of the parts matched so far, in ascending order. */
  let ends = [0];
  for (const part of parts) {
    if (typeof part === 'string')
      ends = ends.filter((at) => text.startsWith(part, at)).map((at) => at + part.length);
    else ends = afterRun(part, text, ends);
    if (!ends.length) return false;
  }
  return ends.at(-1) === text.length;
}

/** Possible end positions of a run of a character class that starts at one of the given positions. */
function afterRun(
  { kind, min, max }: Exclude<TemplatePart, string>,
  text: string,
  starts: number[],
): number[] {
  const allowed = kind === null ? ANY : CLASSES[kind];
  if (!allowed) return [];
  const ends: number[] = [];
  // Start positions from which all characters up to `at` are in the class, in ascending order.
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
