import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { groups } from '../../../chunks.ts';

const here = dirname(fileURLToPath(import.meta.url));
const mantine = join(here, '../../../node_modules/@mantine/core');
const read = (file: string): string => readFileSync(file, 'utf8');
const found = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map((match) => match.slice(1).join(''));

const hasStyles = (name: string) => existsSync(join(mantine, `styles/${name}.layer.css`));
const styled = new Set(
  ['base-styles.ts', 'shell-styles.ts'].flatMap((file) =>
    found(read(join(here, file)), /@mantine\/core\/styles\/(\w+)\.layer\.css/g),
  ),
);

/** What a component is made of: other components, without the parts that are only hung on its name. */
function madeOf(name: string, known = new Set<string>()): Set<string> {
  const file = join(mantine, `esm/components/${name}/${name}.mjs`);
  if (known.has(name) || !existsSync(file)) return known;
  known.add(name);
  for (const part of found(read(file), /from "\.\.\/(\w+)\/\1\.mjs"/g)) madeOf(part, known);
  return known;
}

it('every component of Mantine that the cabinet uses has its stylesheet', () => {
  const used = new Set<string>();
  for (const file of globSync('**/*.tsx', { cwd: join(here, '../..') })) {
    const text = read(join(here, '../..', file));
    for (const list of found(text, /import \{([^}]*)\} from '@mantine\/core'/g))
      for (const name of found(list, /\b([A-Z]\w*)/g)) used.add(name);
    // `Checkbox.Indicator` has a stylesheet of its own.
    for (const name of found(text, /<([A-Z]\w*)\.([A-Z]\w*)/g)) used.add(name);
  }
  expect(used).toContain('Tooltip');
  const needed = new Set([...used].flatMap((name) => [name, ...madeOf(name)]));
  const missing = [...needed].filter((name) => hasStyles(name) && !styled.has(name));
  expect(missing).toEqual([]);
});

it('the styles of the shell come with the shell, after those of the sign-in pages that they change', () => {
  const chunkOf = (file: string) =>
    groups
      .filter(({ test }) => test.test(file))
      .toSorted((a, b) => b.priority - a.priority)
      .map(({ name }) => name)[0];
  expect(chunkOf('/apps/cabinet/src/core/theme/shell-styles.ts')).toBe('shell');
  expect(chunkOf('/node_modules/@mantine/core/styles/Menu.layer.css')).toBe('shell');
});
