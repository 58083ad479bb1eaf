import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('../../../', import.meta.url);
const page = readFileSync(new URL('docs/security.md', root), 'utf8');

/** The requirements of levels 1 and 2 by section: `6.2` has those of `6.2.1` to `6.2.11`. OAuth (10) and WebRTC (17) do not apply. */
const REQUIREMENTS: Record<string, number[]> = {
  '1.1': [1, 2],
  '1.2': [1, 2, 3, 4, 5, 6, 7, 8, 9],
  '1.3': [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
  '1.4': [1, 2, 3],
  '1.5': [1, 2],
  '2.1': [1, 2, 3],
  '2.2': [1, 2, 3],
  '2.3': [1, 2, 3, 4],
  '2.4': [1],
  '3.2': [1, 2],
  '3.3': [1, 2, 3, 4],
  '3.4': [1, 2, 3, 4, 5, 6],
  '3.5': [1, 2, 3, 4, 5],
  '3.7': [1, 2],
  '4.1': [1, 2, 3],
  '4.2': [1],
  '4.3': [1, 2],
  '4.4': [1, 2, 3, 4],
  '5.1': [1],
  '5.2': [1, 2, 3],
  '5.3': [1, 2],
  '5.4': [1, 2, 3],
  '6.1': [1, 2, 3],
  '6.2': [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
  '6.3': [1, 2, 3],
  '6.4': [1, 2, 3, 4],
  '6.5': [1, 2, 3, 4, 5],
  '6.6': [1, 2, 3],
  '6.8': [1, 2, 3, 4],
  '7.1': [1, 2, 3],
  '7.2': [1, 2, 3, 4],
  '7.3': [1, 2],
  '7.4': [1, 2, 3, 4, 5],
  '7.5': [1, 2],
  '7.6': [1, 2],
  '8.1': [1, 2],
  '8.2': [1, 2, 3],
  '8.3': [1],
  '8.4': [1],
  '9.1': [1, 2, 3],
  '9.2': [1, 2, 3, 4],
  '11.1': [1, 2],
  '11.2': [1, 2, 3],
  '11.3': [1, 2, 3],
  '11.4': [1, 2, 3],
  '11.5': [1],
  '11.6': [1],
  '12.1': [1, 2, 3],
  '12.2': [1, 2],
  '12.3': [1, 2, 3, 4],
  '13.1': [1],
  '13.2': [1, 2, 3, 4, 5],
  '13.3': [1, 2],
  '13.4': [1, 2, 3, 4, 5],
  '14.1': [1, 2],
  '14.2': [1, 2, 3, 4],
  '14.3': [1, 2, 3],
  '15.1': [1, 2, 3],
  '15.2': [1, 2, 3],
  '15.3': [1, 2, 3, 4, 5, 6, 7],
  '16.1': [1],
  '16.2': [1, 2, 3, 4, 5],
  '16.3': [1, 2, 3, 4],
  '16.4': [1, 2, 3],
  '16.5': [1, 2, 3],
};

const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.split('|').map((cell) => cell.trim()));
const rowOf = (id: string) => rows.filter(([, requirement]) => requirement === id);
/** The first table names what is not met; several requirements may share a row there. */
const notMet = new Set(rows.flatMap(([, ids = '']) => (ids.includes(',') ? ids.split(', ') : [])));

test('every requirement has one row with its control', () => {
  for (const [section, numbers] of Object.entries(REQUIREMENTS)) {
    for (const number of numbers) {
      const id = `${section}.${number}`;
      const own = rowOf(id).filter((cells) => cells.length === 5 && cells[3] !== '');
      expect(own.length, id).toBeGreaterThan(0);
    }
  }
});

test('requirements that are not met are marked in their rows and listed', () => {
  const first = page.slice(page.indexOf('## Not met'), page.indexOf('## V1 '));
  const named = new Set([...first.matchAll(/\b\d+\.\d+\.\d+/g)].map(([id]) => id));
  expect([...notMet].every((id) => named.has(id))).toBe(true);
  const rest = page.slice(page.indexOf('## V1 '));
  const said = rest
    .split('\n')
    .filter((line) => /^\| [\d.]+ \| Not /.test(line))
    .map((line) => line.split('|')[1]!.trim());
  for (const id of said) expect(named, id).toContain(id);
});

test('every file that is named is there', () => {
  for (const [, path] of page.matchAll(/`((?:apps|packages|docs|scripts|seeds)\/[\w./-]+)`/g))
    expect(existsSync(new URL(path!, root)), path).toBe(true);
});
