import { expect, it } from 'vitest';
import { hold } from './hold.ts';

const rows = (ids: string, v = 1) => [...ids].map((id) => ({ id, v }));
const shownAs = (before: string, now: string) => {
  const { rows: held, waiting } = hold(rows(before), rows(now, 2));
  return [held.map((row) => row.id).join(''), waiting];
};

it.each([
  ['nothing came', 'dcba', 'dcba', 'dcba', 0],
  ['two came above and pushed two off', 'dcba', 'fedc', 'dcba', 2],
  ['one came while the page was not full', 'ba', 'cba', 'ba', 1],
  ['one came and one left from the middle', 'dcba', 'edba', 'dba', 1],
  ['one left and the next page moved up', 'dcba', 'dba9', 'dba9', 0],
  ['everything is another', 'dcba', 'wxyz', 'wxyz', 0],
  ['the first rows', '', 'ba', 'ba', 0],
])('%s', (_, before, now, shown, waiting) => {
  expect(shownAs(before, now)).toEqual([shown, waiting]);
});

it('shows what changed in the rows that stay', () => {
  expect(hold(rows('ba'), rows('cba', 2)).rows.every((row) => row.v === 2)).toBe(true);
});
