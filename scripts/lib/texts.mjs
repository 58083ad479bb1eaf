import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './project.mjs';

const LOCALES = join(root, 'apps/cabinet/src/locales');

/** The texts of the cabinet in a language: `t('send:addFallback')`, with `{{values}}`. A missing one is an error. */
export function textsOf(locale) {
  const files = readdirSync(join(LOCALES, locale)).filter((name) => name.endsWith('.json'));
  const catalogue = Object.fromEntries(
    files.map((name) => [
      name.slice(0, -'.json'.length),
      JSON.parse(readFileSync(join(LOCALES, locale, name), 'utf8')),
    ]),
  );
  return (key, values = {}) => {
    const [namespace, path] = key.split(':');
    const text = path.split('.').reduce((at, part) => at?.[part], catalogue[namespace]);
    if (typeof text !== 'string') throw new Error(`There is no text ${key} in ${locale}.`);
    return text.replaceAll(/\{\{(\w+)(?:,[^}]*)?\}\}/g, (whole, name) => values[name] ?? whole);
  };
}
