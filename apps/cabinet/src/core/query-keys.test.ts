import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const SRC = new URL('..', import.meta.url).pathname;

it('query keys are built by keysOf alone', () => {
  const files = globSync('**/*.{ts,tsx}', { cwd: SRC }).filter((file) => !file.includes('.test.'));
  const literal = files.filter((file) => /queryKey: \[/.test(readFileSync(SRC + file, 'utf8')));
  expect(files.length).toBeGreaterThan(300);
  expect(literal).toEqual([]);
});
