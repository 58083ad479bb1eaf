import { mccmncTest } from './pricing-conditions.ts';
import type { SendingType } from './types.ts';
import { readTemplate, type TemplatePart } from './variables.ts';

/** What a message is for operators, who charge each kind apart. docs/decisions/017-groups-of-messages.md. */
export const TRAFFIC_GROUPS = ['service', 'transactional', 'advertising'] as const;
export type TrafficGroup = (typeof TRAFFIC_GROUPS)[number];
/** Of a message that matches no template. */
export const DEFAULT_GROUP: TrafficGroup = 'advertising';
/** What costs less than advertising or is watched by operators is no reseller's to approve. */
export const canApproveGroup = (level: string, group: TrafficGroup): boolean =>
  group === DEFAULT_GROUP || level === 'manager';

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
  if (!saysSomething(parts)) return () => false;
  return (text) => text.length <= MAX_MATCHED && matches(parts, text.trim());
}

/** Whether a template has a letter or digit of its own. */
export const isTemplate = (template: string): boolean => saysSomething(readTemplate(template));

const saysSomething = (parts: readonly TemplatePart[]): boolean =>
  parts.some((part) => typeof part === 'string' && /[\p{L}\p{N}]/u.test(part));

/** A template whose messages are of a group: of any sender and in any network where it names none. */
export interface GroupTemplate {
  type: SendingType;
  text: string;
  group: TrafficGroup;
  sender?: string | null;
  /** `25001` is one network, `401*` all of a country. */
  mccmnc?: string | null;
}

/** What decides of which group a message is. */
export interface GroupQuery {
  type: SendingType;
  sender: string;
  text: string;
  /** Of the recipient; null when it is not known. */
  mccmnc: string | null;
}

/** A message and its fallbacks. */
const REMEMBERED_TEXTS = 4;

/**
 * The group of a message: that of the first template that it matches, by its text, its sender and its network. Texts without variables
 * are asked about again and again: some are remembered.
 * `compileGroups([{ type: 'sms', text: 'Code %d{4}', group: 'service' }])({ type: 'sms', sender: 'TEA', text: 'Code 1234', mccmnc: null })`
 * is 'service'.
 */
export function compileGroups(
  templates: readonly GroupTemplate[],
): (message: GroupQuery) => TrafficGroup {
  const byType = Map.groupBy(templates.map(compiled), ({ type }) => type);
  const known = new Map<string, CompiledGroup[]>();
  return ({ type, sender, text, mccmnc }) => {
    const candidates = byType.get(type);
    if (!candidates) return DEFAULT_GROUP;
    const key = `${type} ${text}`;
    let matching = known.get(key);
    if (!matching) {
      matching = untilAnybodys(candidates, text);
      if (known.size >= REMEMBERED_TEXTS) known.delete(known.keys().next().value!);
      known.set(key, matching);
    }
    const from = sender.toLowerCase();
    const found = matching.find((t) => (t.sender === null || t.sender === from) && t.isIn(mccmnc));
    return found?.group ?? DEFAULT_GROUP;
  };
}

interface CompiledGroup {
  type: SendingType;
  group: TrafficGroup;
  sender: string | null;
  isAnybodys: boolean;
  matches: (text: string) => boolean;
  isIn: (mccmnc: string | null) => boolean;
}

function compiled({ type, group, text, sender, mccmnc }: GroupTemplate): CompiledGroup {
  const test = mccmnc ? mccmncTest([mccmnc]) : null;
  return {
    type,
    group,
    sender: sender?.toLowerCase() ?? null,
    isAnybodys: !sender && !mccmnc,
    matches: compileTemplate(text),
    isIn: (network) => test === null || test({ mccmnc: network }),
  };
}

/** Those that a text matches, up to one that holds for all senders and networks: none after it is ever asked. */
function untilAnybodys(templates: readonly CompiledGroup[], text: string): CompiledGroup[] {
  const matching: CompiledGroup[] = [];
  for (const template of templates) {
    if (!template.matches(text)) continue;
    matching.push(template);
    if (template.isAnybodys) break;
  }
  return matching;
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
