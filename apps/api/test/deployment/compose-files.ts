import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse, YAMLMap, YAMLSeq, type CollectionTag } from 'yaml';

export const ROOT = resolve(import.meta.dirname, '../../../..');

/** A part of a compose file, as it is written there. */
export interface Service {
  image?: string;
  build?: { context?: string; dockerfile_inline?: string };
  restart?: string;
  profiles?: string[];
  environment?: Record<string, string | number | null>;
  healthcheck?: { test: string[] };
  depends_on?: Record<string, { condition: string }>;
  configs?: { source: string; target: string }[];
  volumes?: string[];
  networks?: string[];
  ports?: string[];
  command?: string[];
  entrypoint?: string[];
}

export interface Compose {
  services: Record<string, Service>;
  configs?: Record<string, { file?: string; content?: string }>;
  volumes?: Record<string, unknown>;
  networks?: Record<string, unknown>;
}

/** `!override`: in place of what the file before has, and not in addition to it. */
class Instead {
  constructor(readonly value: unknown) {}
}
class OverridingMap extends YAMLMap {
  override toJSON<T>(_: unknown, context: never, into?: new () => T) {
    const value: unknown = super.toJSON(_, context, into as never);
    return (into ? value : new Instead(value)) as never;
  }
}
class OverridingList extends YAMLSeq {
  override toJSON(_: unknown, context: never) {
    return new Instead(super.toJSON(_, context)) as never;
  }
}
const customTags: CollectionTag[] = [
  { tag: '!override', collection: 'map', nodeClass: OverridingMap },
  { tag: '!override', collection: 'seq', nodeClass: OverridingList },
];

type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
/** Lists that take the place of others by themselves. */
const REPLACED = new Set(['command', 'entrypoint', 'test']);

/** What `docker compose` makes of a value and what a further file has in its place. */
function merged(before: unknown, after: unknown, name = ''): unknown {
  if (after instanceof Instead) return merged(undefined, after.value);
  if (Array.isArray(after))
    return Array.isArray(before) && !REPLACED.has(name) ? [...before, ...after] : after;
  if (!isFields(after)) return after;
  const all: Fields = isFields(before) ? { ...before } : {};
  for (const [key, value] of Object.entries(after)) all[key] = merged(all[key], value, key);
  return all;
}

const read = (file: string): Fields =>
  parse(readFileSync(join(ROOT, file), 'utf8'), { merge: true, customTags }) as Fields;

/** A service with what it extends. */
function extended(service: Fields): Fields {
  const { extends: from, ...own } = service as Fields & {
    extends?: { file: string; service: string };
  };
  if (!from) return own;
  const base = (read(from.file)['services'] as Record<string, Fields>)[from.service]!;
  // A dependency is not taken over.
  const { depends_on: _, ...taken } = extended(base);
  return merged(taken, own) as Fields;
}

/** Compose files over one another, as `docker compose --file A --file B config` gives them, with variables as they are written. */
export function composed(...files: string[]): Compose {
  let all: unknown;
  for (const file of files) {
    const one = read(file);
    const services = Object.entries(one['services'] as Record<string, Fields>);
    one['services'] = Object.fromEntries(
      services.map(([name, service]) => [name, extended(service)]),
    );
    all = merged(all, one);
  }
  return all as Compose;
}

const VARIABLE = /(?<!\$)\$\{(\w+)(?:(:?[-?])([^{}]*(?:\$\{[^{}]*\}[^{}]*)?))?\}/g;

/** The variables that a text of a compose file names. */
export const variablesOf = (text: string): string[] => [
  ...new Set(
    [...text.matchAll(VARIABLE)].flatMap(([, name, , more = '']) => [name!, ...variablesOf(more)]),
  ),
];

/** A text with its variables in place. Throws for a required one that is missing. */
export function interpolated(text: string, given: Record<string, string>): string {
  const value = (_: string, name: string, operator = '', more = ''): string => {
    const found = given[name];
    if (found || (found === '' && !operator.startsWith(':'))) return found;
    if (operator.endsWith('?')) throw new Error(`${name}: ${more}`);
    return interpolated(more, given);
  };
  return text.replace(VARIABLE, value).replaceAll('$$', '$');
}
