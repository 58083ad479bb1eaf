import { expect, it } from 'vitest';
import { between, setSelected, latest, without } from './use-selection.ts';

const rows = ['a', 'b', 'c', 'd'].map((id) => ({ id, v: 1 }));
const ids = (of: Iterable<{ id: string }>) => [...of].map((r) => r.id);

it('adds rows and removes them', () => {
  const selected = setSelected(new Map(), rows.slice(0, 3), true);
  expect([...selected.keys()]).toEqual(['a', 'b', 'c']);
  expect([...setSelected(selected, [rows[1]!], false).keys()]).toEqual(['a', 'c']);
});

it('spans a range in either direction, within one page', () => {
  expect(ids(between(rows, 'b', 'd'))).toEqual(['b', 'c', 'd']);
  expect(ids(between(rows, 'd', 'b'))).toEqual(['b', 'c', 'd']);
  expect(ids(between(rows, 'elsewhere', 'b'))).toEqual(['b']);
  expect(ids(between(rows, null, 'gone'))).toEqual([]);
});

it('uses the current state of rows and keeps those of other pages', () => {
  const selected = setSelected(new Map(), [rows[0]!, { id: 'other', v: 7 }], true);
  expect(latest(selected, [{ id: 'a', v: 2 }])).toEqual([
    { id: 'a', v: 2 },
    { id: 'other', v: 7 },
  ]);
});

it('drops removed rows', () => {
  const selected = new Map([
    ['a', { id: 'a' }],
    ['b', { id: 'b' }],
  ]);
  expect([...without(selected, new Set(['a', 'x'])).keys()]).toEqual(['b']);
  expect(without(selected, new Set(['x']))).toBe(selected);
});
