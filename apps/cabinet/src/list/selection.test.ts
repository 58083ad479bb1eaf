import { expect, it } from 'vitest';
import { between, choose, latest, without } from './selection.ts';

const rows = ['a', 'b', 'c', 'd'].map((id) => ({ id, v: 1 }));
const ids = (of: Iterable<{ id: string }>) => [...of].map((r) => r.id);

it('takes rows in and out', () => {
  const some = choose(new Map(), rows.slice(0, 3), true);
  expect([...some.keys()]).toEqual(['a', 'b', 'c']);
  expect([...choose(some, [rows[1]!], false).keys()]).toEqual(['a', 'c']);
});

it('spans a range in either direction, within one page', () => {
  expect(ids(between(rows, 'b', 'd'))).toEqual(['b', 'c', 'd']);
  expect(ids(between(rows, 'd', 'b'))).toEqual(['b', 'c', 'd']);
  expect(ids(between(rows, 'elsewhere', 'b'))).toEqual(['b']);
  expect(ids(between(rows, null, 'gone'))).toEqual([]);
});

it('acts on rows as they are now, and keeps those of other pages', () => {
  const chosen = choose(new Map(), [rows[0]!, { id: 'other', v: 7 }], true);
  expect(latest(chosen, [{ id: 'a', v: 2 }])).toEqual([
    { id: 'a', v: 2 },
    { id: 'other', v: 7 },
  ]);
});

it('forgets rows that are no more', () => {
  const chosen = new Map([
    ['a', { id: 'a' }],
    ['b', { id: 'b' }],
  ]);
  expect([...without(chosen, new Set(['a', 'x'])).keys()]).toEqual(['b']);
  expect(without(chosen, new Set(['x']))).toBe(chosen);
});
