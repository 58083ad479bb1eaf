import { expect, it } from 'vitest';
import { keepStable } from './use-stable-rows.ts';

const rows = (ids: string, v = 1) => [...ids].map((id) => ({ id, v }));
const shownAs = (before: string, now: string) => {
  const { rows: shown, newCount } = keepStable(rows(before), rows(now, 2));
  return [shown.map((row) => row.id).join(''), newCount];
};

it.each([
  ['nothing changed', 'dcba', 'dcba', 'dcba', 0],
  ['two rows were added above and pushed two off the page', 'dcba', 'fedc', 'dcba', 2],
  ['one row was added while the page was not full', 'ba', 'cba', 'ba', 1],
  ['one row was added and one removed from the middle', 'dcba', 'edba', 'dba', 1],
  ['one row was removed and the next page moved up', 'dcba', 'dba9', 'dba9', 0],
  ['all rows are different', 'dcba', 'wxyz', 'wxyz', 0],
  ['the first rows', '', 'ba', 'ba', 0],
])('%s', (_, before, now, shown, newCount) => {
  expect(shownAs(before, now)).toEqual([shown, newCount]);
});

it('shows what changed in the rows that stay', () => {
  expect(keepStable(rows('ba'), rows('cba', 2)).rows.every((row) => row.v === 2)).toBe(true);
});
