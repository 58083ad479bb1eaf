import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { KEY_FAMILIES, OPEN_FAMILIES } from '../../../test/key-families.ts';
import { usedKeys } from '../../../test/used-keys.ts';
import { LOCALES } from './locales.ts';

const SRC = join(import.meta.dirname, '../..');
const PLURAL = /_(zero|one|two|few|many|other)$/;

type Texts = Map<string, string>;

function flatten(value: unknown, prefix: string, into: Texts): Texts {
  for (const [key, inner] of Object.entries(value as Record<string, unknown>)) {
    const path = prefix ? `${prefix}.${key}` : key;
    if (typeof inner === 'string') into.set(path, inner);
    else flatten(inner, path, into);
  }
  return into;
}

const namespaces = (locale: string) =>
  readdirSync(join(SRC, 'locales', locale)).map((file) => file.replace('.json', ''));
const load = (locale: string, namespace: string): Texts =>
  flatten(
    JSON.parse(readFileSync(join(SRC, 'locales', locale, `${namespace}.json`), 'utf8')),
    '',
    new Map(),
  );
const all = new Map(
  LOCALES.map((locale) => [
    locale,
    new Map(namespaces(locale).map((ns) => [ns, load(locale, ns)])),
  ]),
);
/** `wait_one` is a form of `wait`, `too_many` is a rule of its own: a plural has `_other` beside it. */
const isPlural = (key: string, texts: Texts) =>
  PLURAL.test(key) && texts.has(key.replace(PLURAL, '_other'));
const base = (key: string, texts: Texts) => (isPlural(key, texts) ? key.replace(PLURAL, '') : key);
const variables = (text: string) =>
  [...text.matchAll(/\{\{\s*(\w+)/g)]
    .map((m) => m[1]!)
    .sort()
    .filter((v, i, a) => v !== a[i - 1]);

/** The word of an action and the key of its name; of an action with two states both. */
const ACTION =
  /word=(?:"(\w+)"|\{[^{}]*'(\w+)' : '(\w+)'\})\s+label=\{t\((?:'([\w:.]+)'|[^']*'([\w:.]+)' : '([\w:.]+)')/g;
const actions = globSync('**/*.tsx', { cwd: SRC, exclude: (file) => file.includes('.test.') })
  .flatMap((file) => [...readFileSync(join(SRC, file), 'utf8').matchAll(ACTION)])
  .flatMap(([, word, on = word, off = word, name, nameOn = name, nameOff = name]) => [
    [on, nameOn],
    [off, nameOff],
  ]) as [word: string, name: string][];

describe.each(LOCALES)('catalogue %s', (locale) => {
  const reference = all.get('en')!;
  const own = all.get(locale)!;

  it('has the namespaces and keys of the others', () => {
    expect([...own.keys()].sort()).toEqual([...reference.keys()].sort());
    for (const [ns, texts] of reference) {
      const keys = (of: Texts) => [...new Set([...of.keys()].map((key) => base(key, of)))].sort();
      expect({ ns, keys: keys(own.get(ns)!) }).toEqual({ ns, keys: keys(texts) });
    }
  });

  it('has every plural form that the language knows, and no other', () => {
    const forms = new Intl.PluralRules(locale).resolvedOptions().pluralCategories.toSorted();
    for (const [ns, texts] of own) {
      const plurals = Map.groupBy(
        [...texts.keys()].filter((key) => isPlural(key, texts)),
        (key) => base(key, texts),
      );
      for (const [key, found] of plurals) {
        const given = found.map((name) => PLURAL.exec(name)![1]!).toSorted();
        expect({ key: `${ns}:${key}`, given }).toEqual({ key: `${ns}:${key}`, given: forms });
      }
    }
  });

  it('uses the same variables', () => {
    for (const [ns, texts] of own) {
      for (const [key, text] of texts) {
        const twin =
          reference.get(ns)!.get(key) ?? reference.get(ns)!.get(`${base(key, texts)}_other`)!;
        expect({ key: `${ns}:${key}`, variables: variables(text) }).toEqual({
          key: `${ns}:${key}`,
          variables: variables(twin),
        });
      }
    }
  });

  it('has a title of its own for each notification, by which its setting is found', () => {
    const titles = [...own.get('notifications')!].filter(([key]) => /^\w+\.\w+\.title$/.test(key));
    expect(titles.length).toBeGreaterThan(20);
    const twins = Map.groupBy(titles, ([, title]) => title);
    expect([...twins.values()].filter((group) => group.length > 1)).toEqual([]);
  });

  it('has the visible word of an action in its name, by which voice control finds it', () => {
    expect(actions.length).toBeGreaterThan(30);
    const text = (full: string) => {
      const [ns, key] = full.split(':') as [string, string];
      return own.get(ns)!.get(key)!.toLowerCase();
    };
    const lacking = actions.filter(
      ([word, name]) => !text(name).includes(text(`common:action.${word}`)),
    );
    expect(lacking).toEqual([]);
  });

  it('leaves nothing empty', () => {
    for (const [ns, texts] of own)
      for (const [key, text] of texts) expect(`${ns}:${key}=${text.trim()}`).not.toMatch(/=$/);
  });
});

describe('keys in the code', () => {
  const en = all.get('en')!;
  const used = usedKeys(SRC, new Set(en.keys()));
  const families = [...used].filter((key) => key.includes('*'));
  const literal = [...used].filter((key) => !key.includes('*'));
  const members = Object.entries(KEY_FAMILIES).flatMap(([family, values]) =>
    values.map((value) => family.replace('*', value)),
  );
  const has = (full: string) => {
    const [ns, key] = full.split(':') as [string, string];
    const texts = en.get(ns);
    return !!texts && (texts.has(key) || texts.has(`${key}_other`));
  };

  it('are in the catalogue', () => {
    expect(literal.filter((key) => !has(key))).toEqual([]);
  });

  it('that are put together are declared in test/key-families.ts, and nothing else is', () => {
    expect(families.toSorted()).toEqual(
      [...Object.keys(KEY_FAMILIES), ...OPEN_FAMILIES].toSorted(),
    );
  });

  it('that are put together have a text for every value', () => {
    expect(members.filter((key) => !has(key))).toEqual([]);
  });

  it('are all used', () => {
    const exact = new Set([...literal, ...members]);
    const open = OPEN_FAMILIES.map((family) => family.replace('*', ''));
    const unused = [...en].flatMap(([ns, texts]) =>
      [...texts.keys()]
        .map((key) => `${ns}:${base(key, texts)}`)
        .filter((key) => !exact.has(key) && !open.some((prefix) => key.startsWith(prefix))),
    );
    expect([...new Set(unused)]).toEqual([]);
  });
});
